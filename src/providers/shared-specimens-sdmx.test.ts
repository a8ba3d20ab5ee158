// Reads the shared recordings of real answers, if they are present: the results match the expected ones, failures give
// the right problem, and no recording makes a reader throw.
import { describe, expect, test } from 'vitest'
import {
  areRecordingsAtHand,
  comparable,
  comparableExpectation,
  expectedOf,
  recordedAnswer,
  recordingsOf,
} from '../../test/support/files/recordings.ts'
import { abs } from './abs.ts'
import { bis } from './bis.ts'
import { ecb } from './ecb.ts'
import { eurostat } from './eurostat.ts'
import { imf } from './imf.ts'
import { oecd } from './oecd.ts'
import type { Provider } from './provider.ts'

const providers: Readonly<Record<string, Provider>> = { ecb, eurostat, abs, bis, oecd, imf }

describe.skipIf(!areRecordingsAtHand)('shared recordings of SDMX providers', () => {
  for (const [name, provider] of Object.entries(providers)) {
    for (const path of recordingsOf(name)) {
      const expected = expectedOf(path)
      if (expected === null) continue
      // No provider is asked for SDMX-ML; the recordings of it are for other readers.
      if (path.endsWith('.xml')) continue

      test(`reads ${path} as expected`, () => {
        expect(provider.name).toBe(expected.provider)
        const parsed = provider.read(recordedAnswer(path))
        expect(comparable(parsed, expected)).toEqual(comparableExpectation(expected))
      })

      test(`reads ${path} the same when its codes are given`, () => {
        const codes = expected.series.map(series => series.code)
        expect(provider.read(recordedAnswer(path, codes))).toEqual(provider.read(recordedAnswer(path)))
      })
    }

    test(`gives series or a problem for every recording of ${name}, and throws for none`, () => {
      for (const file of recordingsOf(name)) {
        const { series, problems } = provider.read(recordedAnswer(file))
        for (const one of series) expect(one.code).toMatch(/^[^/]+\/[\w.@$-]+$/)
        expect({ file, isTold: series.length + problems.length > 0 || /empty|no_results/.test(file) }).toEqual({
          file,
          isTold: true,
        })
      }
    })
  }

  test.each([
    ['eurostat', 'error_404_dataset_not_found.QUOTED.json', 'unknown-series'],
    ['eurostat', 'error_400_invalid_dimension.QUOTED.json', 'bad-request'],
    ['eurostat', 'error_fault_150.QUOTED.xml', 'bad-request'],
    ['eurostat', 'error_413_async.QUOTED.json', 'too-large'],
    ['eurostat', 'warning_200_async_413.QUOTED.json', 'too-large'],
    ['eurostat', 'async_footer_413_legacy.generic21.xml', 'too-large'],
    ['bis', 'error_150_semantic_fmr.xml', 'bad-request'],
    ['oecd', 'error_422_wrong_key_arity.QUOTED.txt', 'bad-request'],
    ['oecd', 'error_429_download_limit.QUOTED.txt', 'rate-limited'],
    ['oecd', 'error_429_request_rate.QUOTED.txt', 'rate-limited'],
  ])('reads %s/%s as %s, whatever the status', (name, file, kind) => {
    const answer = recordedAnswer(`${name}/${file}`)
    const statuses =
      /_(4\d\d)/
        .exec(file)
        ?.slice(1)
        .map(status => Number.parseInt(status, 10)) ?? []
    for (const status of [200, ...statuses]) {
      const parsed = providers[name]!.read({ ...answer, status })
      expect(parsed.series).toEqual([])
      expect(parsed.problems.map(problem => problem.kind)).toEqual([kind])
    }
  })

  test.each([
    ['bis', 'error_404_no_results.QUOTED.xml'],
    ['eurostat', 'sts_inpr_m_ie_empty.jsonstat2.json'],
    ['imf', 'whdreo_empty_no_series.sdmx3.json'],
  ])('reads %s/%s as an empty range', (name, file) => {
    expect(providers[name]!.read(recordedAnswer(`${name}/${file}`))).toEqual({ series: [], problems: [] })
  })

  test('does not throw for a recording that is cut or damaged', () => {
    for (const [name, provider] of Object.entries(providers)) {
      for (const file of recordingsOf(name)) {
        const answer = recordedAnswer(file)
        for (const share of [0.1, 0.35, 0.6, 0.85, 0.99]) {
          const at = Math.floor(answer.body.length * share)
          provider.read({ ...answer, body: answer.body.slice(0, at) })
          provider.read({ ...answer, body: `${answer.body.slice(0, at)}"0:[null${answer.body.slice(at + 3)}` })
        }
      }
    }
  })

  test('reads every common format specimen without throwing', () => {
    for (const file of recordingsOf('sdmx-common')) {
      for (const provider of Object.values(providers)) provider.read(recordedAnswer(file))
    }
  })
})
