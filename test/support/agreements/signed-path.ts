// Agreements that are signed period by period while figures are published and revised, for tests of what revisions do to
// signed prices: who signed when, with the figures known then.
import { type Adjustment, type BoundVersion, stateAfter } from '../../../src/core/calculation/adjustment.ts'
import { evaluate, scheduleOf } from '../../../src/core/calculation/evaluate.ts'
import type { SeriesHistory, Vintage } from '../../../src/core/series/series.ts'
import { buildHistory } from '../../../src/core/series/vintage.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { dayOfInstant, endOfDay, type Instant } from '../../../src/core/time/instant.ts'
import { parsePeriod } from '../../../src/core/time/period.ts'
import { type RestatedPeriod, restate } from '../../../src/core/true-up/restate.ts'
import type { SettledReceipt, SignedState } from '../../../src/core/true-up/signed-state.ts'
import { bindText } from './evaluate-text.ts'

/** `2024-04-10 P 106.0`: when it was published and recorded, its tag's first letter, its value; `-` for a withdrawal. */
export type Figures = Readonly<Record<string, readonly string[]>>

const tags = { P: 'PRELIMINARY', F: 'FINAL', R: 'REVISED' } as const

export function figuresOf(reference: string, figures: Figures): SeriesHistory {
  const frequency = parsePeriod(Object.keys(figures)[0]!)!.frequency
  const periods = Object.entries(figures).map(
    ([period, written]) => [parsePeriod(period)!.ordinal, written.map(vintageOf)] as const,
  )
  return buildHistory({ reference, name: reference, unit: '', frequency }, new Map(periods))
}

function vintageOf(written: string): Vintage {
  const [day, tag, value] = written.split(' ') as [string, keyof typeof tags, string]
  const at = `${day}T12:00:00.000000Z`
  return {
    value: value === '-' ? null : value,
    tag: value === '-' ? null : tags[tag],
    flag: null,
    publishedAt: at,
    recordedAt: at,
  }
}

export interface SigningPlan {
  /** Versions of the document, numbered from 1; each is known from a day on, the first from the beginning. */
  readonly documents: readonly string[]
  readonly knownFrom?: readonly (string | null)[]
  readonly series: readonly SeriesHistory[]
  /** Days after each adjustment date on which both sign it. */
  readonly afterDays: number
  /** No date after this day is signed. */
  readonly until: string
}

export interface SignedPath {
  readonly versions: readonly BoundVersion[]
  readonly signed: readonly SignedState[]
  readonly adjustments: readonly Adjustment[]
}

/** Each date signed with the figures known on its day of signing, continuing from what was signed before. */
export function signAlong({ documents, knownFrom = [], series, afterDays, until }: SigningPlan): SignedPath {
  const data = new Map(series.map(history => [history.reference, history]))
  const versions = documents.map((document, i) => ({ number: i + 1, bound: bindText(document, data) }))
  const signed: SignedState[] = []
  const adjustments: Adjustment[] = []
  const last = parseDay(until)!
  for (;;) {
    const next = nextToSign(versions, knownFrom, signed, afterDays, last)
    if (next === null) return { versions, signed, adjustments }
    adjustments.push(next.adjustment)
    signed.push(next.state)
  }
}

function nextToSign(
  versions: readonly BoundVersion[],
  knownFrom: readonly (string | null)[],
  signed: readonly SignedState[],
  afterDays: number,
  last: number,
) {
  const from = signed.at(-1)?.date ?? Number.NEGATIVE_INFINITY
  for (const { date } of scheduleOf(versions, last)) {
    if (date <= from) continue
    const agreedAt = signingInstant(date + afterDays)
    const known = versions.filter((_, i) => (knownFrom[i] ?? null) === null || knownFrom[i]! <= agreedAt.slice(0, 10))
    const { adjustments } = evaluate({
      versions: known,
      cuts: { asOf: null, knownAt: agreedAt },
      tag: null,
      until: date,
      today: dayOfInstant(agreedAt),
      after: stateAfter(signed),
    })
    const adjustment = adjustments.find(each => each.date === date)
    if (adjustment !== undefined) return { adjustment, state: signedStateOf(adjustment, agreedAt) }
  }
  return null
}

export function signedStateOf(adjustment: Adjustment, agreedAt: Instant): SignedState {
  const { period, date, formulaVersion: version, factor, carried, breakdown } = adjustment
  const hash = period.padEnd(64, '0')
  return { period, date, version, hash, factor, carried, used: breakdown.observations, agreedAt }
}

export function signingInstant(day: number): Instant {
  return endOfDay(day).replace('23:59:59.999999', '12:00:00.000000')
}

/** The restated path as it stood at the end of a day. */
export function restateOn(
  { versions, signed }: Pick<SignedPath, 'versions' | 'signed'>,
  day: string,
  settled: ReadonlyMap<string, SettledReceipt> = new Map(),
): readonly RestatedPeriod[] {
  const today = parseDay(day)!
  return restate({ versions, signed, settled, knownAt: endOfDay(today), today })
}
