// What the pages of formulas request from the server, each under the key by which a change makes it stale.
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { PamStatus } from '../../../src/http/console/wire/formulas.ts'
import { api } from '../../api.ts'
import { useWorkspace, type Workspace } from '../../session.ts'

/** What a list of formulas is narrowed down to. */
export interface FormulasWanted {
  readonly q: string
  readonly status: PamStatus | undefined
  readonly supplier: string | undefined
}

/** Page by page; what is wanted is looked for by the server, which opens only what is on the page. */
export function useFormulas({ q, status, supplier }: FormulasWanted) {
  const { slug, path } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['w', slug, 'formulas', 'list', q, status ?? '', supplier ?? ''],
    queryFn: ({ signal, pageParam }) => {
      const after = pageParam ?? undefined
      return api.get(path('/formulas', { q: q === '' ? undefined : q, status, supplier, after }), signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
  })
}

export function useSlugs() {
  const { slug, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', slug, 'formulas', 'slugs'],
    queryFn: ({ signal }) => api.get(path('/slugs'), signal),
  })
}

/** How soon to ask again while formulas are still to be computed. */
const pendingMs = 1_500

export function whilePending(data: { readonly pending: number } | undefined): number | false {
  return data !== undefined && data.pending > 0 ? pendingMs : false
}

export function useFormula(slug: string, isWanted = true) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'formulas', slug],
    queryFn: ({ signal }) => api.get(path('/formulas/:slug', { slug }), signal),
    enabled: isWanted,
  })
}

export function useVersions(slug: string) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'formulas', slug, 'versions'],
    queryFn: ({ signal }) => api.get(path('/formulas/:slug/versions', { slug }), signal),
  })
}

export function useComparison(slug: string, text: string | undefined) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'formulas', slug, 'compare', text],
    queryFn: ({ signal }) => api.post(path('/formulas/compare'), { text: text ?? '' }, signal),
    enabled: text !== undefined,
  })
}

export function adjustmentQuery(workspace: Workspace, slug: string, period: string) {
  return queryOptions({
    queryKey: ['w', workspace.slug, 'formulas', slug, 'periods', period],
    queryFn: ({ signal }) => api.get(workspace.path('/formulas/:slug/periods/:period', { slug, period }), signal),
  })
}

export function useSignOffs(supplier?: string) {
  const { slug, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', slug, 'sign-offs', ...(supplier === undefined ? [] : [supplier])],
    queryFn: ({ signal }) => api.get(path('/sign-offs', { supplier }), signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whilePending(state.data),
  })
}
