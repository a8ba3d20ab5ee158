// Search for a series to follow, by words: in the built-in list, among the workspace's series, and at a provider that can be
// searched. If the provider cannot be asked, the answer has the other results and the reason.
import { setTimeout as wait } from 'node:timers/promises'
import type { ProviderName } from '../../../core/series/series.ts'
import { Fetcher } from '../../../ingest/fetch.ts'
import { userAgent } from '../../../ingest/ingest-connections.ts'
import { ingestLimits } from '../../../ingest/ingest-limits.ts'
import { sharedPace } from '../../../ingest/pace.ts'
import { searchBuiltIn, searchSeries } from '../../../ingest/search.ts'
import { resolveBySystem } from '../../../outbound/address.ts'
import { findProvider, providers } from '../../../providers/catalogue/catalogue.ts'
import type { Provider } from '../../../providers/provider.ts'
import { matches, type SearchHit } from '../../../providers/search/search.ts'
import type { CachedIndex } from '../../../read/lists/cached-index.ts'
import { publicScope } from '../../../storage/postgres/database.ts'
import type { SeriesSearch } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'

export async function searchForPage(
  parts: ViewContext,
  seat: Seat,
  { q, provider }: { readonly q: string; readonly provider?: string },
): Promise<SeriesSearch> {
  const text = q.trim()
  const index = await parts.library.index(seat.workspace.id)
  return provider === undefined
    ? searchEverywhere(index, text)
    : searchProvider(parts, index, findProvider(provider), text)
}

type SeriesSearchResult = SeriesSearch['results'][number]

/** Search without a provider: followed series first, then well-known ones. */
function searchEverywhere(index: CachedIndex, text: string): SeriesSearch {
  const followed = index.series
    .filter(({ owner, provider, code, metadata }) => {
      return owner === publicScope && matches(text, `${provider}/${code}`, metadata.at(-1)!.name)
    })
    .map(({ id, provider, code, metadata }): SeriesSearchResult => {
      const { name, unit, frequency } = metadata.at(-1)!
      return { provider, code, name, detail: detailOf({ unit, frequency, note: null }), id }
    })
  const ids = idsOf(index)
  const known = (Object.keys(providers) as ProviderName[])
    .flatMap(name => searchBuiltIn(name, text).map(found => presentFound(name, found, ids)))
    .filter(({ id }) => !followed.some(each => each.id === id))
  return { results: [...followed, ...known].slice(0, ingestLimits.searchResults), sets: [], trouble: null }
}

async function searchProvider(
  { installation, config }: ViewContext,
  index: CachedIndex,
  provider: Provider,
  text: string,
): Promise<SeriesSearch> {
  const fetcher = new Fetcher({ resolve: resolveBySystem, userAgent: userAgent(config.contact), nowMs: Date.now })
  const signal = AbortSignal.timeout(ingestLimits.pageSearchMs)
  const ids = idsOf(index)
  try {
    const { results, problems } = await searchSeries(provider, text, {
      fetcher: pacedFetcher(installation.sql, fetcher),
      keys: config.providerKeys,
      bases: config.providerBases,
      signal,
    }).catch(error => {
      if (!signal.aborted) throw error
      const message = `${provider.name} did not answer within ${ingestLimits.pageSearchMs / 1000} seconds`
      const builtIn = searchBuiltIn(provider.name, text).map(found => ({ ...found, source: 'built-in' as const }))
      return { results: builtIn, problems: [{ kind: 'provider-error' as const, message }] }
    })
    return {
      results: results.filter(({ kind }) => kind === 'series').map(found => presentFound(provider.name, found, ids)),
      sets: results.filter(({ kind }) => kind === 'set').map(({ code, name, note }) => ({ code, name, note })),
      trouble: problems.length === 0 ? null : problems.map(({ message }) => message).join('; '),
    }
  } finally {
    fetcher.close()
  }
}

/**
 * Fetcher for searches while somebody types: it must not use up a provider's limits, so it waits its turn like every other request.
 */
function pacedFetcher(sql: ViewContext['installation']['sql'], fetcher: Fetcher): Pick<Fetcher, 'fetch'> {
  const pace = sharedPace(sql, (ms, signal) => wait(ms, undefined, { signal }), ingestLimits.pageSearchWaitMs)
  return {
    async fetch(request, signal) {
      const { name } = request.provider
      const waitMs = await pace.take(request.provider, signal)
      if (waitMs === 0) return fetcher.fetch(request, signal)
      const message = `${name} was not asked: its limits allow the next request in ${Math.ceil(waitMs / 1000)} s`
      return { kind: 'failed', problem: { kind: 'rate-limited', message }, isPassing: true }
    },
  }
}

/** Ids by reference, ignoring case. */
function idsOf({ series }: CachedIndex): ReadonlyMap<string, string> {
  return new Map(series.map(({ id, provider, code }) => [`${provider}/${code}`.toLowerCase(), id]))
}

function presentFound(provider: ProviderName, found: SearchHit, ids: ReadonlyMap<string, string>): SeriesSearchResult {
  const { code, name } = found
  return { provider, code, name, detail: detailOf(found), id: ids.get(`${provider}/${code}`.toLowerCase()) ?? null }
}

/** Detail of a hit: `1982-84 = 100, monthly`. */
function detailOf({ unit, frequency, note }: Pick<SearchHit, 'unit' | 'frequency' | 'note'>): string | null {
  const parts = [unit, frequency?.toLowerCase() ?? null, note].filter(part => part !== null && part !== '')
  return parts.length === 0 ? null : parts.join(', ')
}
