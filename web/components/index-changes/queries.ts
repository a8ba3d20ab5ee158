// Requests of the pages about changes of indices, each under the key by which a change makes it stale.
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { type Workspace, workspaceQuery } from '../../session.ts'
import { whilePending } from '../agreements/queries.ts'

export const indexChangesQuery = (workspace: Workspace) =>
  queryOptions({
    ...workspaceQuery(workspace, '/index-changes'),
    refetchInterval: ({ state }) => whilePending(state.data),
  })

export const termsChangeQuery = ({ slug, path }: Workspace, id: string) =>
  queryOptions({
    queryKey: ['w', slug, 'terms-changes', id],
    queryFn: ({ signal }) => api.get(path('/terms-changes/:id', { id }), signal),
  })

export const successorsQuery = ({ slug, path }: Workspace, id: string) =>
  queryOptions({
    queryKey: ['w', slug, 'series', id, 'successors'],
    queryFn: ({ signal }) => api.get(path('/series/:id/successors', { id }), signal),
  })

export const seriesIndexChangesQuery = ({ slug, path }: Workspace, id: string) =>
  queryOptions({
    queryKey: ['w', slug, 'series', id, 'index-changes'],
    queryFn: ({ signal }) => api.get(path('/series/:id/index-changes', { id }), signal),
  })
