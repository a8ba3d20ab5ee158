// Requests of the agreements' pages, each with the query key under which a change makes it stale.
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AgreementSort, AgreementState } from '../../../src/views/shapes/agreement-filters.ts'
import type { AgreementListRow, AgreementStatus } from '../../../src/views/shapes/agreements.ts'
import { api } from '../../api.ts'
import { useWorkspace, type Workspace } from '../../session.ts'

export interface AgreementsWanted {
  readonly q: string
  readonly status: AgreementStatus | undefined
  readonly supplier: string | undefined
  readonly series: string | undefined
  readonly due: string | undefined
  readonly state: AgreementState | undefined
  readonly sort: AgreementSort | undefined
}

const listQuery = ({ q, ...wanted }: AgreementsWanted) => ({ ...wanted, q: q === '' ? undefined : q })

/** Agreements page by page; the server filters them and opens only those of the page. */
export function useAgreements(wanted: AgreementsWanted) {
  const { slug, path } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['w', slug, 'agreements', 'list', wanted],
    queryFn: ({ signal, pageParam }) => {
      const after = pageParam ?? undefined
      return api.get(path('/agreements', { ...listQuery(wanted), after }), signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whilePending(state.data?.pages.at(-1)),
  })
}

/** Fetches all rows, however many: for a file. */
export async function fetchAgreements(
  { path }: Workspace,
  wanted: AgreementsWanted,
): Promise<readonly AgreementListRow[]> {
  const rows: AgreementListRow[] = []
  let after: string | undefined
  do {
    const page = await api.get(path('/agreements', { ...listQuery(wanted), after, limit: 200 }))
    rows.push(...page.rows)
    after = page.next ?? undefined
  } while (after !== undefined)
  return rows
}

export function useSlugs() {
  const { slug, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', slug, 'agreements', 'slugs'],
    queryFn: ({ signal }) => api.get(path('/slugs'), signal),
  })
}

/** Pause before asking again while agreements are still being computed. */
const pendingMs = 1_500

export function whilePending(data: { readonly pending: number } | undefined): number | false {
  return data !== undefined && data.pending > 0 ? pendingMs : false
}

/** A day in the past that a page shows, as its address has it. */
export interface CutTexts {
  readonly asOf?: string | undefined
  readonly knownAt?: string | undefined
}

const noCut: CutTexts = {}

export function useAgreement(slug: string, cut: CutTexts = noCut) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'agreements', slug, ...cutKey(cut)],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug', { slug, ...cut }), signal),
    placeholderData: (before, query) => (query?.queryKey[3] === slug ? before : undefined),
  })
}

/** The contract's own words; asked for a version that has some. */
export function useWords(slug: string, version: number, isThere = true) {
  const { slug: ws, path } = useWorkspace()
  const params = { slug, version: version.toString() }
  return useQuery({
    queryKey: ['w', ws, 'agreements', slug, 'words', version],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug/versions/:version/words', params), signal),
    enabled: isThere,
  })
}

export function useVersions(slug: string) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'agreements', slug, 'versions'],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug/versions', { slug }), signal),
  })
}

/** Prices in force, or of the period that begins on a day. */
export function useAgreementPrices(slug: string, date: string | undefined) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'agreements', slug, 'prices', date ?? ''],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug/prices', { slug, date }), signal),
    placeholderData: keepPreviousData,
  })
}

export function useComparison(slug: string, text: string | undefined) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'agreements', slug, 'compare', text],
    queryFn: ({ signal }) => api.post(path('/agreements/compare'), { text: text ?? '' }, signal),
    enabled: text !== undefined,
  })
}

export function cutQuery(cut: CutTexts, first = '?'): string {
  const asked = Object.entries(cut).filter(([, text]) => text !== undefined)
  return asked.map(([key, text], i) => `${i === 0 ? first : '&'}${key}=${encodeURIComponent(text)}`).join('')
}

const cutKey = ({ asOf, knownAt }: CutTexts) =>
  asOf === undefined && knownAt === undefined ? [] : ['at', asOf, knownAt]

/** The days on the slider of an agreement. */
export function useMoments(slug: string) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'agreements', slug, 'moments'],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug/moments', { slug }), signal),
  })
}

/** Every number that was proposed for a period. */
export function useHistory(slug: string, period: string) {
  const { slug: ws, path } = useWorkspace()
  return useQuery({
    queryKey: ['w', ws, 'agreements', slug, 'periods', period, 'history'],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug/periods/:period/history', { slug, period }), signal),
  })
}

export function adjustmentQuery(workspace: Workspace, slug: string, period: string, cut: CutTexts = noCut) {
  return queryOptions({
    queryKey: ['w', workspace.slug, 'agreements', slug, 'periods', period, ...cutKey(cut)],
    queryFn: ({ signal }) =>
      api.get(workspace.path('/agreements/:slug/periods/:period', { slug, period, ...cut }), signal),
  })
}
