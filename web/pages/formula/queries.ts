// What the pages of formulas ask the server for, each under the key by which a change makes it old.
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type {
  AdjustmentPage,
  Comparison,
  FormulaList,
  FormulaPage,
  SignOffs,
  VersionView,
} from '../../../src/http/console/wire/formulas.ts'
import { api } from '../../api.ts'
import { useWorkspace, type Workspace } from '../../session.ts'

const formulaPath = ({ path }: Workspace, slug: string, rest = '') =>
  path(`/formulas/${encodeURIComponent(slug)}${rest}`)

/** Page by page; the words and the status are looked for by the server, which opens only what is on the page. */
export function useFormulas(q: string, status: string | undefined) {
  const { slug, path } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['w', slug, 'formulas', 'list', q, status ?? ''],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams()
      if (q !== '') query.set('q', q)
      if (status !== undefined) query.set('status', status)
      if (pageParam !== null) query.set('after', pageParam)
      return api.get<FormulaList>(path(`/formulas?${query}`), signal)
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
    queryFn: ({ signal }) => api.get<string[]>(path('/slugs'), signal),
  })
}

/** How soon to ask again while formulas are yet to be worked out. */
const pendingMs = 1_500

export function whilePending(data: { readonly pending: number } | undefined): number | false {
  return data !== undefined && data.pending > 0 ? pendingMs : false
}

export function useFormula(slug: string, isWanted = true) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: ['w', workspace.slug, 'formulas', slug],
    queryFn: ({ signal }) => api.get<FormulaPage>(formulaPath(workspace, slug), signal),
    enabled: isWanted,
  })
}

export function useVersions(slug: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: ['w', workspace.slug, 'formulas', slug, 'versions'],
    queryFn: ({ signal }) => api.get<VersionView[]>(formulaPath(workspace, slug, '/versions'), signal),
  })
}

export function useComparison(slug: string, text: string | undefined) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'formulas', slug, 'compare', text],
    queryFn: ({ signal }) => api.post<Comparison>(path('/formulas/compare'), { text }, signal),
    enabled: text !== undefined,
  })
}

export function adjustmentQuery(workspace: Workspace, slug: string, period: string) {
  return queryOptions({
    queryKey: ['w', workspace.slug, 'formulas', slug, 'periods', period],
    queryFn: ({ signal }) =>
      api.get<AdjustmentPage>(formulaPath(workspace, slug, `/periods/${encodeURIComponent(period)}`), signal),
  })
}

export function useSignOffs() {
  const { slug, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', slug, 'sign-offs'],
    queryFn: ({ signal }) => api.get<SignOffs>(path('/sign-offs'), signal),
    refetchInterval: ({ state }) => whilePending(state.data),
  })
}
