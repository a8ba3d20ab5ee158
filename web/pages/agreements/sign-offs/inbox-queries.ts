// Requests of the inbox. Two lists are read to their end, in pieces, so that everything that a filter shows can be selected.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Inbox, InboxPage, InboxRow, InboxState } from '../../../../src/views/shapes/inbox.ts'
import { api } from '../../../api.ts'
import { whilePending } from '../../../components/agreements/queries.ts'
import { useWorkspace, type Workspace } from '../../../session.ts'
import { keyOfRow } from './selection.ts'

export interface InboxWanted {
  readonly q?: string | undefined
  readonly supplier?: string | undefined
  readonly series?: string | undefined
  readonly due?: string | undefined
  readonly state?: InboxState | undefined
}

export interface WholeInbox extends Pick<Inbox, 'suppliers' | 'counts' | 'pending'> {
  readonly mine: readonly InboxRow[]
  readonly others: readonly InboxRow[]
}

async function readWhole(
  { path }: Workspace,
  wanted: InboxWanted,
  side: 'mine' | 'others',
  first: InboxPage,
  signal: AbortSignal,
): Promise<readonly InboxRow[]> {
  const rows = [...first.rows]
  let from = first.next
  while (from !== null) {
    const page: InboxPage = await api.get(path('/sign-offs/waiting', { ...wanted, side, from }), signal)
    rows.push(...page.rows)
    from = page.next
  }
  return rows
}

export function useInbox(wanted: InboxWanted) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: ['w', workspace.slug, 'sign-offs', wanted],
    queryFn: async ({ signal }): Promise<WholeInbox> => {
      const inbox = await api.get(workspace.path('/sign-offs', { ...wanted }), signal)
      const [mine, others] = await Promise.all(
        (['mine', 'others'] as const).map(side => readWhole(workspace, wanted, side, inbox[side], signal)),
      )
      return { ...inbox, mine: mine!, others: others! }
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whilePending(state.data),
  })
}

export function useRecentlySigned({ q, supplier, series }: InboxWanted) {
  const { slug, path } = useWorkspace()
  const wanted = { q, supplier, series }
  return useQuery({
    queryKey: ['w', slug, 'sign-offs', 'recent', wanted],
    queryFn: ({ signal }) => api.get(path('/sign-offs/recent', wanted), signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whilePending(state.data),
  })
}

/** Takes signed rows, by their keys, out of the lists at once; other changes come with the next answer. */
export function useTakeOut(): (keys: ReadonlySet<string>) => void {
  const { slug } = useWorkspace()
  const queries = useQueryClient()
  const isInbox = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => typeof queryKey[3] === 'object'
  return keys => {
    const wanted = { queryKey: ['w', slug, 'sign-offs'], predicate: isInbox }
    void queries.cancelQueries(wanted)
    queries.setQueriesData<WholeInbox>(wanted, inbox => inbox && without(inbox, keys))
  }
}

function without(inbox: WholeInbox, keys: ReadonlySet<string>): WholeInbox {
  const mine = inbox.mine.filter(row => !keys.has(keyOfRow(row)))
  return { ...inbox, mine, pending: Math.max(inbox.pending, 1) }
}
