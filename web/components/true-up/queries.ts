// Requests of the pages about revisions, corrections and ledgers, each under the key by which a change makes it stale.
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { DueWanted, RevisionsWanted } from '../../../src/views/calls/true-up-calls.ts'
import { api } from '../../api.ts'
import { useWorkspace, type Workspace, workspaceQuery } from '../../session.ts'

type RevisionFilters = { readonly [Name in 'since' | 'until' | 'kind' | 'q']: RevisionsWanted[Name] | undefined }

/** Pause before the next request while some of the answer is being computed. */
function whileUpdating(data: { readonly updating: number } | undefined): number | false {
  return data !== undefined && data.updating > 0 ? 1_500 : false
}

export const revisionsQuery = ({ slug, path }: Workspace, wanted: RevisionFilters) =>
  queryOptions({
    queryKey: ['w', slug, 'revisions', wanted],
    queryFn: ({ signal }) => api.get(path('/revisions', { ...wanted }), signal),
    refetchInterval: ({ state }) => whileUpdating(state.data),
    placeholderData: before => before,
  })

export function useCauseRows(wanted: RevisionFilters, cause: string) {
  const { slug, path } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['w', slug, 'revisions', wanted, cause],
    queryFn: ({ signal, pageParam: from }) => api.get(path('/revisions', { ...wanted, cause, from }), signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

export const dueQuery = ({ slug, path }: Workspace, wanted: DueWanted) =>
  queryOptions({
    queryKey: ['w', slug, 'due', wanted],
    queryFn: ({ signal }) => api.get(path('/revisions/due', { ...wanted }), signal),
    refetchInterval: ({ state }) => whileUpdating(state.data),
    // The corrections to sign are those due now.
    staleTime: 0,
    gcTime: 0,
  })

export const ledgersQuery = (workspace: Workspace) =>
  queryOptions({
    ...workspaceQuery(workspace, '/ledgers'),
    refetchInterval: ({ state }) => whileUpdating(state.data),
  })

export const correctionQuery = ({ slug, path }: Workspace, id: string) =>
  queryOptions({
    queryKey: ['w', slug, 'corrections', id],
    queryFn: ({ signal }) => api.get(path('/corrections/:id', { id }), signal),
  })

export const ledgerQuery = ({ slug: ws, path }: Workspace, slug: string, knownAt: string | undefined) =>
  queryOptions({
    queryKey: ['w', ws, 'agreements', slug, 'ledger', knownAt],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug/ledger', { slug, knownAt }), signal),
  })
