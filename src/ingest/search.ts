// Finds series by words: in the built-in list of well-known series, and live at providers that can be searched. Without a
// network or a key only the list is searched, and a problem says why.
import type { ProviderName } from '../core/series/series.ts'
import { wellKnownSeries } from '../providers/catalogue/well-known.ts'
import type { AnswerProblem, Provider } from '../providers/provider.ts'
import { matches, rank, type SearchHit } from '../providers/search/search.ts'
import { searchOf } from '../providers/search/search-catalogue.ts'
import { type Fetcher, noValidators } from './fetch.ts'
import { ingestLimits } from './ingest-limits.ts'
import { oneLine, redactMessage, redactor } from './redact.ts'

interface Searching {
  readonly fetcher: Pick<Fetcher, 'fetch'>
  readonly keys: ReadonlyMap<ProviderName, string>
  readonly bases: ReadonlyMap<ProviderName, string>
  readonly signal: AbortSignal
}

export interface SearchResult extends SearchHit {
  readonly source: 'built-in' | 'live'
}

interface SearchResults {
  readonly results: readonly SearchResult[]
  readonly problems: readonly AnswerProblem[]
}

export async function searchSeries(provider: Provider, text: string, searching: Searching): Promise<SearchResults> {
  const builtIn = searchBuiltIn(provider.name, text)
  const { found, problems } = await searchLive(provider, text, searching)
  const known = new Set(builtIn.map(({ code }) => code.toLowerCase()))
  const live = found.filter(({ code }) => !known.has(code.toLowerCase()))
  const results = [
    ...builtIn.map(each => ({ ...each, source: 'built-in' as const })),
    ...live.map(each => ({ ...each, source: 'live' as const })),
  ]
  return { results: results.slice(0, ingestLimits.searchResults), problems }
}

export function searchBuiltIn(provider: ProviderName, text: string): readonly SearchHit[] {
  const found = wellKnownSeries
    .filter(each => each.provider === provider && matches(text, each.code, each.name))
    .map(({ code, name, unit, frequency }): SearchHit => ({ kind: 'series', code, name, unit, frequency, note: null }))
  return rank(found, text)
}

async function searchLive(
  provider: Provider,
  text: string,
  { fetcher, keys, bases, signal }: Searching,
): Promise<{ readonly found: readonly SearchHit[]; readonly problems: readonly AnswerProblem[] }> {
  const search = searchOf(provider.name)
  if (search === undefined) return { found: [], problems: [] }
  const key = keys.get(provider.name) ?? null
  const base = bases.get(provider.name) ?? null
  if (provider.key === 'required' && key === null && base === null) {
    const message = `${provider.name} can only be searched with a key: set ASSIZE_KEY_${provider.name}`
    return { found: [], problems: [{ kind: 'bad-key', message }] }
  }
  const query = { text, key, limit: ingestLimits.searchResults }
  const request = search.searchRequest(query)
  const fetched = await fetcher.fetch({ provider, request, base, validators: noValidators }, signal)
  if (fetched.kind === 'failed') return { found: [], problems: [fetched.problem] }
  if (fetched.kind === 'unchanged') return { found: [], problems: [] }
  const redact = redactor(request.secrets)
  const { found, problems } = search.readSearch(fetched.answer, query)
  return {
    found: found.map(each => ({ ...each, code: oneLine(each.code), name: oneLine(each.name) })),
    problems: problems.map(({ kind, message }) => ({ kind, message: redactMessage(message, redact) })),
  }
}
