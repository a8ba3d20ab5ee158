// Reads the shared recordings of real answers, if they are present: the results match the expected ones, failures give
// the right problem, and no damage to a recording makes a reader throw.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  areRecordingsAtHand,
  comparable,
  comparableExpectation,
  expectedOf,
  recordedAnswer,
  recordingsOf,
} from '../../test/support/files/recordings.ts'
import { someOf } from '../../test/support/run/long-form.ts'
import { parseRatio } from '../core/numbers/ratio.ts'
import { parsePeriod } from '../core/time/period.ts'
import { bls } from './bls.ts'
import { boj } from './boj.ts'
import { dbnomics } from './dbnomics.ts'
import { eia } from './eia.ts'
import { fred } from './fred.ts'
import { nasdaqDataLink } from './nasdaq-data-link.ts'
import { ons } from './ons.ts'
import { type Answer, type ParsedAnswer, type Provider, problemKinds } from './provider.ts'
import { statcan } from './statcan.ts'
import { worldBank } from './world-bank.ts'

const providers: Readonly<Record<string, Provider>> = {
  bls,
  fred,
  eia,
  'world-bank': worldBank,
  ons,
  statcan,
  boj,
  dbnomics,
  'nasdaq-data-link': nasdaqDataLink,
}

/** Faults of a parsed answer that must never occur, whatever was sent. */
function faultsOf({ series, problems }: ParsedAnswer): readonly string[] {
  const faults: string[] = []
  for (const { code, frequency, observations, missing } of series) {
    if (code === '') faults.push('a series without a code')
    for (const { period } of [...observations, ...missing]) {
      if (parsePeriod(period)?.frequency !== frequency) faults.push(`${code} ${period}`)
    }
    for (const { value } of observations) if (parseRatio(value) === null) faults.push(`${code} ${value}`)
  }
  for (const { kind, message } of problems) {
    if (!problemKinds.includes(kind) || message.length > 300) faults.push(`${kind}: ${message}`)
  }
  return faults
}

describe.skipIf(!areRecordingsAtHand)('shared recordings of providers with JSON of their own', () => {
  for (const [name, provider] of Object.entries(providers)) {
    for (const path of recordingsOf(name)) {
      const expected = expectedOf(path)
      if (expected === null) continue
      const codes = expected.series.map(series => series.code)

      test(`reads ${path} as expected`, () => {
        expect(provider.name).toBe(expected.provider)
        const parsed = provider.read(recordedAnswer(path, name === 'fred' ? codes : []))
        expect(comparable(parsed, expected)).toEqual(comparableExpectation(expected))
        expect(provider.read(recordedAnswer(path, codes))).toEqual(parsed)
      })
    }

    test(`gives series or a problem for every recording of ${name}`, () => {
      for (const file of recordingsOf(name)) {
        const parsed = provider.read(recordedAnswer(file, name === 'fred' ? ['CODE'] : []))
        expect(faultsOf(parsed)).toEqual([])
        const isTold = parsed.series.length + parsed.problems.length > 0 || file.startsWith('fred/vintagedates')
        expect({ file, isTold }).toEqual({ file, isTold: true })
      }
    })

    test(`does not throw for a damaged recording of ${name}`, () => {
      const bodies = recordingsOf(name).map(file => recordedAnswer(file).body.slice(0, 30_000))
      const [asked] = provider.request({ ...anything, codes: [provider.codeExample] })
      fc.assert(
        fc.property(fc.constantFrom(...bodies), fc.nat(), fc.nat(60), junk, (whole, place, length, other) => {
          const at = place % whole.length
          const answer = { ...empty, body: whole.slice(0, at) + other + whole.slice(at + length) }
          provider.next?.(asked!, answer)
          return faultsOf(provider.read(answer)).length === 0
        }),
        { numRuns: 200 },
      )
    })

    test(`does not throw when a member of a recording of ${name} is replaced`, () => {
      const bodies = recordingsOf(name)
        .filter(file => file.endsWith('.json'))
        .map(file => recordedAnswer(file).body)
        .filter(body => body.length < 20_000)
      for (const body of bodies) {
        const members = [...new Set([...body.matchAll(/"([\w@-]+)"\s*:/g)].map(match => match[1]!))]
        for (const [at, member] of members.slice(0, 25).entries()) {
          for (const other of someOf(
            'properties',
            'values in place of each member of a recorded answer',
            [null, [], {}, 'x', 1e9, true],
            { oneIn: 3, from: at },
          )) {
            const changed = JSON.stringify(JSON.parse(body, (key, value) => (key === member ? other : value)))
            expect(faultsOf(provider.read({ ...empty, body: changed }))).toEqual([])
          }
        }
      }
    })
  }

  test.each([
    ['bls', 'error_200_invalid_key.json', 'bad-key'],
    ['bls', 'error_200_invalid_series.json', 'unknown-series'],
    ['bls', 'error_200_generic_rejection_with_catalog.json', 'bad-request'],
    ['bls', 'error_200_empty_results.json', 'bad-request'],
    ['fred', 'error_400_bad_api_key.xml', 'bad-key'],
    ['fred', 'error_400_series_does_not_exist.json', 'unknown-series'],
    ['fred', 'error_429_rate_limit.json', 'rate-limited'],
    ['eia', 'error_403_api_key_missing.json', 'bad-key'],
    ['eia', 'error_400_invalid_frequency.json', 'bad-request'],
    ['eia', 'error_404_not_found.json', 'bad-request'],
    ['eia', 'empty_result_unknown_facet_value.json', 'unknown-series'],
    ['world-bank', 'error_200_invalid_value_id120.json', 'unknown-series'],
    ['world-bank', 'error_200_indicator_archived_id175.json', 'unknown-series'],
    ['world-bank', 'error_source_scoped_id160.xml', 'unknown-series'],
    ['boj', 'error_missing_db_http400.json', 'bad-request'],
    ['boj', 'constructed_csv_error_json_payload.json', 'bad-request'],
    ['nasdaq-data-link', 'error_400_QEAx01_bad_key.json', 'bad-key'],
    ['nasdaq-data-link', 'error_403_QEPx04_no_permission.json', 'bad-key'],
    ['nasdaq-data-link', 'error_404_QECx02_bad_code.json', 'unknown-series'],
  ])('reads %s/%s as %s, whatever the status', (name, file, kind) => {
    const told = /(\d{3})/.exec(file)?.[1] ?? '200'
    for (const status of [200, Number.parseInt(told, 10)]) {
      const parsed = providers[name]!.read({ ...recordedAnswer(`${name}/${file}`), status })
      expect({ series: parsed.series, kinds: parsed.problems.map(problem => problem.kind) }).toEqual({
        series: [],
        kinds: [kind],
      })
    }
  })

  test('reads an answer of 5,000 rows and reports it as too large', () => {
    const parsed = eia.read(recordedAnswer('eia/data_5000_row_warning_trimmed.json'))
    expect(parsed.series.length).toBeGreaterThan(0)
    expect(parsed.problems.map(problem => problem.kind)).toEqual(['too-large'])
  })

  test('reads "no data" of BOJ as series with missing periods only', () => {
    const { series, problems } = boj.read(recordedAnswer('boj/getDataCode_no_data_M181030I.json'))
    expect(problems).toEqual([])
    for (const each of series) expect([each.observations.length, each.missing.length]).toEqual([0, 4])
  })
})

const empty: Answer = { status: 200, contentType: null, url: null, codes: ['CODE'], body: '' }
const anything = { from: null, changedSince: null, today: 20_000, key: null }
const junk = fc.oneof(
  fc.constantFrom('', 'null', '[]', '{}', '"', ',', ':', '1E999', 'NaN', '-', '\uFFFD', '<', '\u0000', '9'.repeat(80)),
  fc.string({ maxLength: 8 }),
)
