// `series search`: finds series of a provider by text, in the built-in list and live if the provider offers a search.
import { Refusal } from '../../core/refusal.ts'
import { Fetcher } from '../../ingest/fetch.ts'
import { userAgent } from '../../ingest/ingest-connections.ts'
import { type SearchResult, searchSeries } from '../../ingest/search.ts'
import { resolveBySystem } from '../../outbound/address.ts'
import { findProvider } from '../../providers/catalogue/catalogue.ts'
import type { Provider } from '../../providers/provider.ts'
import { longestSearch } from '../../providers/search/search.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { type Command, type Invocation, printJson } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'

export const seriesSearchCommand: Command = {
  name: 'series search',
  usage: '<PROVIDER> <text>',
  summary: 'Finds series by text, in the built-in list and live if the provider offers a search.',
  options: {},
  positionals: { least: 2, most: 50 },
  async run(invocation) {
    const [name, ...words] = invocation.positionals as readonly [string, ...string[]]
    const provider = findProvider(name)
    const text = words.join(' ').trim()
    if (text === '' || text.length > longestSearch)
      throw new Refusal('invalid', `the text must have 1 to ${longestSearch} characters, got ${text.length}`)
    const config = configOf(invocation)
    if (config === null) return 1
    const fetcher = new Fetcher({ resolve: resolveBySystem, userAgent: userAgent(config.contact), nowMs: Date.now })
    try {
      const { results, problems } = await searchSeries(provider, text, {
        fetcher,
        keys: config.providerKeys,
        bases: config.providerBases,
        signal: new AbortController().signal,
      })
      for (const { kind, message } of problems) invocation.terminal.err(`assize: ${kind}: ${message}\n`)
      if (invocation.json)
        printJson(invocation, {
          provider: provider.name,
          text,
          results: results.map(each => present(provider, each)),
          problems,
        })
      else show(invocation, provider, results)
      return 0
    } finally {
      fetcher.close()
    }
  },
}

function present(provider: Provider, { kind, code, name, unit, frequency, note, source }: SearchResult) {
  return {
    series: kind === 'series' ? `${provider.name}/${code}` : null,
    kind,
    code,
    name,
    unit,
    frequency,
    note,
    source,
  }
}

function show({ terminal }: Invocation, provider: Provider, results: readonly SearchResult[]): void {
  const series = results.filter(({ kind }) => kind === 'series')
  const sets = results.filter(({ kind }) => kind === 'set')
  terminal.out(
    alignRows(series.map(each => [`${provider.name}/${each.code}`, each.name, each.frequency ?? '', each.unit ?? ''])),
  )
  if (sets.length > 0) terminal.out('More places to look:\n')
  terminal.out(alignRows(sets.map(each => [each.code, each.name, each.note ?? ''])))
  if (results.length === 0) terminal.out('Nothing found.\n')
}
