import { describe, expect, test } from 'vitest'
import { areRecordingsAtHand, readRecording as recording } from '../../../test/support/files/recordings.ts'
import type { ProviderName } from '../../core/series/series.ts'
import { providers } from '../catalogue/catalogue.ts'
import { findWellKnown, wellKnownSeries } from '../catalogue/well-known.ts'
import type { Answer } from '../provider.ts'
import { matches, type ParsedSearch, rank } from './search.ts'
import { searchOf } from './search-catalogue.ts'

const answerOf = (body: string, status = 200): Answer => ({ status, contentType: null, url: null, codes: [], body })

function read(provider: ProviderName, body: string, text: string): ParsedSearch {
  return searchOf(provider)!.readSearch(answerOf(body), { text, key: null, limit: 50 })
}

describe('well-known series', () => {
  test('are at least 150, each once, with codes that their providers accept', () => {
    expect(wellKnownSeries.length).toBeGreaterThanOrEqual(150)
    expect(new Set(wellKnownSeries.map(({ provider, code }) => `${provider}/${code}`)).size).toBe(
      wellKnownSeries.length,
    )
    for (const { provider, code, name, frequency } of wellKnownSeries) {
      const query = { codes: [code], from: null, changedSince: null, today: 20_000, key: null }
      expect(providers[provider].request(query).length, code).toBeGreaterThan(0)
      expect([name, frequency].every(Boolean), code).toBe(true)
    }
    expect(new Set(wellKnownSeries.map(({ provider }) => provider)).size).toBe(15)
  })

  test('are found ignoring case', () => {
    expect(findWellKnown('ONS', 'd7bt/mm23/m')?.name).toContain('CPI index')
    expect(findWellKnown('ONS', 'XXXX/MM23/M')).toBeUndefined()
  })
})

describe('words', () => {
  test('must all occur, in any order and case', () => {
    expect(matches('steel Mill', 'WPU1017', 'PPI, steel mill products')).toBe(true)
    expect(matches('steel scrap', 'WPU1017', 'PPI, steel mill products')).toBe(false)
  })

  test('rank the code itself first', () => {
    const found = ['GDPC1', 'GDP', 'Real GDP'].map(code => {
      return { kind: 'series', code, name: code, unit: null, frequency: null, note: null } as const
    })
    expect(rank(found, 'gdp').map(({ code }) => code)).toEqual(['GDP', 'GDPC1', 'Real GDP'])
  })
})

describe('requests', () => {
  test('contain the words and keys, and keys are listed as secrets', () => {
    const asked = searchOf('FRED')!.searchRequest({ text: 'steel & iron', key: 'abc123', limit: 50 })
    expect(asked.path).toContain('search_text=steel%20%26%20iron')
    expect([asked.path.includes('api_key=abc123'), asked.secrets]).toEqual([true, ['abc123']])
    expect(searchOf('EIA')!.searchRequest({ text: 'petroleum/pri', key: 'k', limit: 1 }).path).toBe(
      '/petroleum/pri/?api_key=k',
    )
    expect(searchOf('EIA')!.searchRequest({ text: 'diesel', key: null, limit: 1 }).path).toBe('/')
    expect(searchOf('BLS')).toBeUndefined()
  })
})

describe('answers', () => {
  test('of the ONS name the series without its frequency', () => {
    const body = JSON.stringify({
      items: [{ uri: '/x/timeseries/d7bt/mm23', cdid: 'd7bt', dataset_id: 'MM23', title: 'CPI INDEX' }, {}],
    })
    expect(read('ONS', body, 'cpi').found).toMatchObject([{ kind: 'set', code: 'D7BT/MM23', name: 'CPI INDEX' }])
  })

  test('of DBnomics name data sets', () => {
    const body = JSON.stringify({
      results: { docs: [{ code: 'cbpol', provider_code: 'BIS', name: 'Policy rates', nb_series: 76 }] },
    })
    expect(read('DBNOMICS', body, 'policy').found).toMatchObject([
      { kind: 'set', code: 'BIS/cbpol', note: '76 series' },
    ])
  })

  test('of the EIA name the routes below a route, without the outlooks', () => {
    const body = JSON.stringify({
      response: {
        routes: [
          { id: 'steo', name: 'Outlook' },
          { id: 'petroleum', name: 'Petroleum', description: 'diesel and more' },
        ],
      },
    })
    expect(read('EIA', body, 'diesel').found).toMatchObject([{ code: 'petroleum' }])
    expect(read('EIA', body, 'outlook').found).toEqual([])
    const below = JSON.stringify({ response: { routes: [{ id: 'pri', name: 'Prices' }] } })
    expect(read('EIA', below, 'petroleum').found).toMatchObject([{ code: 'petroleum/pri' }])
  })

  test('that are invalid give a problem and never throw', () => {
    for (const { name } of Object.values(providers)) {
      const search = searchOf(name)
      if (search === undefined) continue
      for (const body of [
        '',
        '<html><head><title>Down</title></head></html>',
        '{"a":',
        'null',
        '[]',
        '{}',
        '<a><b/></a>',
        '<!DOCTYPE x><x/>',
      ]) {
        const { found } = search.readSearch(answerOf(body, 503), { text: 'x', key: null, limit: 5 })
        expect(found).toEqual([])
      }
    }
  })
})

describe.skipIf(!areRecordingsAtHand)('shared recordings', () => {
  test('of a FRED search are read with unit and frequency', () => {
    const { found, problems } = read('FRED', recording('fred/search_page.json'), 'gdp')
    expect(problems).toEqual([])
    expect(found[0]).toMatchObject({ kind: 'series', code: 'BBKMCLA', frequency: 'MONTHLY', note: 'SA, to 2024-08-01' })
    expect(read('FRED', recording('fred/error_429_rate_limit.json'), 'gdp').problems[0]?.kind).toBe('rate-limited')
  })

  test('of flow lists are read in the notation of codes', () => {
    const flows = read('ABS', recording('abs/dataflows_prices.REDUCED.structure21.xml'), 'consumer price')
    expect(flows.found.map(({ code }) => code)).toContain('CPI,2.0.0')
    expect(read('EUROSTAT', recording('eurostat/dataflow_lfsa_egai2d.structure21.xml'), 'employ').found).toMatchObject([
      { code: 'lfsa_egai2d' },
    ])
    expect(read('ECB', recording('ecb/dataflow_exr.structure21.xml'), 'exchange rates').found).toMatchObject([
      { code: 'EXR' },
    ])
    expect(read('IMF', recording('imf/dataflow_pcps.sdmx3-structure.json'), 'commodity').found).toMatchObject([
      { code: 'IMF.RES,PCPS' },
    ])
  })

  test('of StatCan tables leave archived ones out', () => {
    const { found } = read('STATCAN', recording('statcan/all_cubes_list_lite_sample.json'), '')
    for (const { code, kind } of found)
      expect([kind, code]).toEqual(['set', expect.stringMatching(/^\d\d-\d\d-\d{4}$/)])
    expect(found.map(({ code }) => code)).not.toContain('10-10-0001')
  })

  test('of an EIA route say how its codes are written', () => {
    const { found } = read('EIA', recording('eia/metadata_petroleum_pri_spt.json'), 'petroleum/pri/spt')
    expect(found).toMatchObject([
      { code: 'petroleum/pri/spt', note: 'followed as petroleum/pri/spt/<series>/<M or W or A or D>' },
    ])
  })
})
