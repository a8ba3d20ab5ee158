// Recorded answers of providers, where there are any, and how a parsed answer is compared with what is
// expected.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, ParsedAnswer } from '../../../src/providers/provider.ts'

const folder = join(import.meta.dirname, '../../../../shared/providers/specimens')

export const areRecordingsAtHand = existsSync(folder)

export interface ExpectedAnswer {
  readonly provider: string
  readonly series: readonly {
    readonly code: string
    readonly frequency: string
    readonly observations: readonly Record<string, unknown>[]
    readonly missing: readonly { readonly period: string; readonly flag: string | null }[]
    /** Of all, where the lists are cut to their ends. */
    readonly count?: number
    readonly missingCount?: number
  }[]
  readonly problems: readonly { readonly kind: string }[]
}

/** `ecb/exr.csv` and so on; none if the recordings are not available. */
export function recordingsOf(name: string): readonly string[] {
  if (!areRecordingsAtHand) return []
  const isData = (file: string) => !/\.expected\.json$|^SOURCES\.md$|\.zip$/.test(file)
  return readdirSync(join(folder, name))
    .filter(isData)
    .map(file => `${name}/${file}`)
}

export function recordingPath(recording: string): string {
  return join(folder, recording)
}

export function readRecording(recording: string): string {
  return readFileSync(recordingPath(recording), 'utf8')
}

export function recordedAnswer(recording: string, codes: readonly string[] = []): Answer {
  return { status: 200, contentType: null, url: null, codes, body: readRecording(recording) }
}

/** `null` where nothing is written down for a recording. */
export function expectedOf(recording: string): ExpectedAnswer | null {
  const file = recordingPath(`${recording}.expected.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ExpectedAnswer) : null
}

/** Expected lists that are cut have the first three and the last three entries. */
function cut<T>(items: readonly T[], expectedLength: number): readonly T[] {
  return items.length === expectedLength ? items : [...items.slice(0, 3), ...items.slice(-3)]
}

/** A parsed answer in the shape, and with the parts, that it is compared by. */
export function comparable({ series, problems }: Pick<ParsedAnswer, 'series' | 'problems'>, expected: ExpectedAnswer) {
  return {
    series: series.map(({ code, frequency, observations, missing }, at) => ({
      code,
      frequency,
      count: observations.length,
      missingCount: missing.length,
      observations: cut(observations, expected.series[at]?.observations.length ?? 0),
      missing: cut(
        missing.map(({ period, flag }) => ({ period, flag })),
        expected.series[at]?.missing.length ?? 0,
      ),
    })),
    problems: problems.map(({ kind }) => kind),
  }
}

export function comparableExpectation({ series, problems }: ExpectedAnswer) {
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
