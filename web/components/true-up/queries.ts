// What the pages about revisions, corrections and ledgers request, each under the key by which a change makes it stale.
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { RevisionsWanted } from '../../../src/views/calls/true-up-calls.ts'
import { api } from '../../api.ts'
import { useWorkspace, type Workspace } from '../../session.ts'

type RevisionFilters = Pick<RevisionsWanted, 'since' | 'until' | 'kind' | 'q'>

/** Further pages show the same moment as the first. */
export function useRevisions(wanted: { readonly [Name in keyof RevisionFilters]: RevisionFilters[Name] | undefined }) {
  const { slug, path } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['w', slug, 'revisions', wanted],
    queryFn: ({ signal, pageParam }) => api.get(path('/revisions', { ...wanted, ...pageParam }), signal),
    initialPageParam: {} as { readonly since?: string; readonly until?: string; readonly from?: number },
    getNextPageParam: ({ next, since, until }) => (next === null ? undefined : { since, until, from: next }),
  })
}

export const correctionQuery = ({ slug, path }: Workspace, id: string) =>
  queryOptions({
    queryKey: ['w', slug, 'corrections', id],
    queryFn: ({ signal }) => api.get(path('/corrections/:id', { id }), signal),
  })

export const ledgerQuery = ({ slug: ws, path }: Workspace, slug: string, knownAt: string | undefined) =>
  queryOptions({
    queryKey: ['w', ws, 'formulas', slug, 'ledger', knownAt],
    queryFn: ({ signal }) => api.get(path('/formulas/:slug/ledger', { slug, knownAt }), signal),
  })
