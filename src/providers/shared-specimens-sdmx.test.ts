// Reads the recorded answers that the founders share, where they are at hand: expected readings are met, failures give
// what they must, and no recording makes a reader throw.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { abs } from './abs.ts'
import { bis } from './bis.ts'
import { ecb } from './ecb.ts'
import { eurostat } from './eurostat.ts'
import { imf } from './imf.ts'
import { oecd } from './oecd.ts'
import type { Answer, Provider, Reading } from './provider.ts'

const folder = join(import.meta.dirname, '../../../shared/providers/specimens')
const providers: Readonly<Record<string, Provider>> = { ecb, eurostat, abs, bis, oecd, imf }

/** Asked for while the tests are gathered: none where the recordings are not at hand. */
function filesOf(name: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(join(folder, name)).filter(file => !file.endsWith('.expected.json') && file !== 'SOURCES.md')
}

function answerOf(path: string, codes: readonly string[] = []): Answer {
  return { status: 200, contentType: null, url: null, codes, body: readFileSync(join(folder, path), 'utf8') }
}

interface ExpectedSeries {
  readonly code: string
  readonly frequency: string
  readonly observations: readonly Record<string, unknown>[]
  readonly missing: readonly { readonly period: string; readonly flag: string | null }[]
  readonly count?: number
  readonly missingCount?: number
}

interface Expected {
  readonly provider: string
  readonly series: readonly ExpectedSeries[]
  readonly problems: readonly { readonly kind: string }[]
}

/** Cut files have the first three and the last three entries, and the count of all. */
function cut<T>(items: readonly T[], count: number | undefined): readonly T[] {
  return count === undefined ? items : [...items.slice(0, 3), ...items.slice(-3)]
}

/** A reading in the shape, and with the parts, that expected readings are compared by. */
function comparable(reading: Reading, expected: Expected) {
  return {
    series: reading.series.map(({ code, frequency, observations, missing }) => {
      const like = expected.series.find(series => series.code === code)
      return {
        code,
        frequency,
        count: observations.length,
        missingCount: missing.length,
        observations: cut(observations, like?.count),
        missing: cut(
          missing.map(({ period, flag }) => ({ period, flag })),
          like?.missingCount,
        ),
      }
    }),
    problems: reading.problems.map(({ kind }) => kind),
  }
}

function comparableExpectation({ series, problems }: Expected) {
  return {
    series: series.map(({ code, frequency, observations, missing, count, missingCount }) => ({
      code,
      frequency,
      count: count ?? observations.length,
      missingCount: missingCount ?? missing.length,
      observations,
      missing: missing.map(({ period, flag }) => ({ period, flag })),
    })),
    problems: problems.map(({ kind }) => kind),
  }
}

describe.skipIf(!existsSync(folder))('shared recordings of SDMX providers', () => {
  for (const [name, provider] of Object.entries(providers)) {
    for (const file of filesOf(name)) {
      const expectation = join(folder, name, `${file}.expected.json`)
      if (!existsSync(expectation)) continue
      const expected: Expected = JSON.parse(readFileSync(expectation, 'utf8'))

      it(`reads ${name}/${file} as expected`, () => {
        expect(provider.name).toBe(expected.provider)
        const reading = provider.read(answerOf(`${name}/${file}`))
        expect(comparable(reading, expected)).toEqual(comparableExpectation(expected))
      })

      it(`reads ${name}/${file} the same when its codes are given`, () => {
        const path = `${name}/${file}`
        const codes = expected.series.map(series => series.code)
        expect(provider.read(answerOf(path, codes))).toEqual(provider.read(answerOf(path)))
      })
    }

    it(`gives series or a problem for every recording of ${name}, and throws for none`, () => {
      for (const file of filesOf(name)) {
        const { series, problems } = provider.read(answerOf(`${name}/${file}`))
        for (const one of series) expect(one.code).toMatch(/^[^/]+\/[\w.@$-]+$/)
        expect({ file, isTold: series.length + problems.length > 0 || /empty|no_results/.test(file) }).toEqual({
          file,
          isTold: true,
        })
      }
    })
  }

  it.each([
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
  ])('takes %s/%s as %s, whatever the status', (name, file, kind) => {
    const answer = answerOf(`${name}/${file}`)
    const statuses =
      /_(4\d\d)/
        .exec(file)
        ?.slice(1)
        .map(status => Number.parseInt(status, 10)) ?? []
    for (const status of [200, ...statuses]) {
      const reading = providers[name]!.read({ ...answer, status })
      expect(reading.series).toEqual([])
      expect(reading.problems.map(problem => problem.kind)).toEqual([kind])
    }
  })

  it.each([
    ['bis', 'error_404_no_results.QUOTED.xml'],
    ['eurostat', 'sts_inpr_m_ie_empty.jsonstat2.json'],
    ['imf', 'whdreo_empty_no_series.sdmx3.json'],
  ])('takes %s/%s as an empty range', (name, file) => {
    expect(providers[name]!.read(answerOf(`${name}/${file}`))).toEqual({ series: [], problems: [] })
  })

  it('throws for no recording that breaks off or is damaged', () => {
    for (const [name, provider] of Object.entries(providers)) {
      for (const file of filesOf(name)) {
        const answer = answerOf(`${name}/${file}`)
        for (const share of [0.1, 0.35, 0.6, 0.85, 0.99]) {
          const at = Math.floor(answer.body.length * share)
          provider.read({ ...answer, body: answer.body.slice(0, at) })
          provider.read({ ...answer, body: `${answer.body.slice(0, at)}"0:[null${answer.body.slice(at + 3)}` })
        }
      }
    }
  })

  it('reads every common format specimen without throwing', () => {
    for (const file of filesOf('sdmx-common')) {
      for (const provider of Object.values(providers)) provider.read(answerOf(`sdmx-common/${file}`))
    }
  })
})
