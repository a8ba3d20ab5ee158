// Comparison of one series in an answer with the stored one: its unit, title and labels, and whether all of its figures changed
// in one way, as when they are sent in thousands. Digits are compared as text. Pure.
import { isSameValue } from '../../core/series/vintage.ts'
import { type Frequency, formatPeriod, parsePeriod, periodOf } from '../../core/time/period.ts'
import type { ParsedSeries } from '../../providers/provider.ts'
import type { AskedRange, SeriesComparison, StoredSeries } from '../compare.ts'
import { driftLimits } from './drift-limits.ts'
import { storable } from './form.ts'
import type { Sign } from './sign.ts'

/** Description of a series in answers, besides its figures. */
export interface SeriesShape {
  readonly title: string | null
  readonly unit: string | null
  readonly frequency: Frequency
  readonly decimals: number
  /** Labels of the figures, by path; empty where an answer has several series. */
  readonly labels: Readonly<Record<string, string>>
  /** Usual number of periods behind its family. */
  readonly behind: number | null
}

export function seriesShapeOf(
  { name, unit, frequency, observations }: ParsedSeries,
  labels: SeriesShape['labels'],
  behind: number | null,
): SeriesShape {
  return {
    title: name === null ? null : storable(name),
    unit: unit === null ? null : storable(unit),
    frequency,
    decimals: mostDecimals(observations.map(({ value }) => value)),
    labels,
    behind,
  }
}

function mostDecimals(values: readonly string[]): number {
  return values.reduce((most, value) => Math.max(most, decimalsOf(value)), 0)
}

function decimalsOf(value: string): number {
  const point = value.indexOf('.')
  return point < 0 ? 0 : value.length - point - 1
}

interface Sides {
  /** Stored shape. */
  readonly kept: SeriesShape | null
  readonly stored: StoredSeries
  readonly parsed: ParsedSeries
  readonly labels: SeriesShape['labels']
  readonly comparison: Pick<SeriesComparison, 'unitChange'>
  readonly asked: AskedRange
}

export function seriesSigns({ kept, stored, parsed, labels, comparison, asked }: Sides): readonly Sign[] {
  const { unitChange } = comparison
  const pairs = pairsOf(stored, parsed)
  const signs: (Sign | null)[] = [
    unitChange === null
      ? null
      : { kind: 'unit', words: `the unit changed from "${unitChange.from}" to "${unitChange.to}"` },
    titleSign(kept?.title ?? null, parsed.name === null ? null : storable(parsed.name)),
    ...labelSigns(kept?.labels ?? {}, labels),
    scaleSign(pairs),
    decimalsSign(pairs),
    shiftSign(pairs, stored),
    endSign(stored, parsed, asked),
  ]
  return signs.flatMap(sign => (sign === null ? [] : [{ ...sign, words: storable(sign.words) }]))
}

function titleSign(before: string | null, after: string | null): Sign | null {
  if (before === null || after === null || plain(before) === plain(after)) return null
  return { kind: 'title', words: `the title changed from "${before}" to "${after}"` }
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}

function labelSigns(before: SeriesShape['labels'], after: SeriesShape['labels']): readonly Sign[] {
  return Object.entries(before).flatMap(([path, was]): Sign[] => {
    const is = after[path]
    if (is === undefined || plain(is) === plain(was)) return []
    return [{ kind: 'label', words: `${path.replace(/^\$\.?/, '')} changed from "${was}" to "${is}"` }]
  })
}

interface Pair {
  readonly period: number
  readonly was: string
  readonly is: string
}

/** Periods that have a value on both sides, the newest publication of each. */
function pairsOf({ vintages }: StoredSeries, { observations }: ParsedSeries): readonly Pair[] {
  const came = new Map(observations.map(({ period, value }) => [parsePeriod(period)!.ordinal, value]))
  return [...came].flatMap(([period, is]) => {
    const was = vintages.get(period)?.at(-1)?.value ?? null
    return was === null ? [] : [{ period, was, is }]
  })
}

/** All figures moved by the same power of ten. */
function scaleSign(pairs: readonly Pair[]): Sign | null {
  const powers = pairs.flatMap(({ was, is }) => powerBetween(was, is) ?? [])
  const [power] = powers
  const counted = pairs.filter(({ was }) => /[1-9]/.test(was)).length
  if (power === undefined || power === 0 || powers.length < driftLimits.agreeing) return null
  const agreeing = powers.filter(each => each === power).length
  if (agreeing * 10 < counted * 9) return null
  const times = `1${'0'.repeat(Math.abs(power))}`
  return {
    kind: 'scale',
    words: power > 0 ? `all figures are ${times} times as large` : `all figures are divided by ${times}`,
  }
}

/** `3` if a figure is a thousand times another, as far as its digits tell; `null` if it is something else. */
function powerBetween(was: string, is: string): number | null {
  const [a, b] = [significant(was), significant(is)]
  if (a === null || b === null || a.isNegative !== b.isNegative) return null
  const [short, long] = a.digits.length <= b.digits.length ? [a.digits, b.digits] : [b.digits, a.digits]
  // Digits that no longer fit are rounded away.
  const isSame = short === long || (short.length > 2 && long.startsWith(short.slice(0, -1)))
  return isSame ? b.power - a.power : null
}

interface Significant {
  readonly isNegative: boolean
  /** Digits without zeros at either end. */
  readonly digits: string
  /** Power of ten of the first digit. */
  readonly power: number
}

function significant(value: string): Significant | null {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (match === null) return null
  const [, sign, whole = '', part = ''] = match
  const all = `${whole}${part}`
  const first = all.search(/[1-9]/)
  if (first < 0) return null
  return { isNegative: sign === '-', digits: all.slice(first).replace(/0+$/, ''), power: whole.length - first - 1 }
}

/** Sign that most figures have fewer decimals, though they are equal. */
function decimalsSign(pairs: readonly Pair[]): Sign | null {
  const printed = pairs.filter(({ was }) => decimalsOf(was) > 0)
  const lost = printed.filter(({ was, is }) => decimalsOf(is) < decimalsOf(was) && startsAlike(was, is))
  if (lost.length < driftLimits.lostDecimals || lost.length * 2 < printed.length) return null
  const [before, after] = [mostDecimals(lost.map(({ was }) => was)), mostDecimals(lost.map(({ is }) => is))]
  return { kind: 'decimals', words: `figures had ${before} decimals and have ${after}` }
}

/** Whether the whole numbers are equal or neighbours, which rounding may give. */
function startsAlike(was: string, is: string): boolean {
  const whole = (value: string) => BigInt(/^[+-]?\d+/.exec(value)?.[0] ?? '0')
  const gap = whole(is) - whole(was)
  return gap >= -1n && gap <= 1n
}

/** Most figures stand one period beside their own. */
function shiftSign(pairs: readonly Pair[], { vintages }: StoredSeries): Sign | null {
  for (const by of [1, -1]) {
    const moved = pairs.filter(({ was, is, period }) => {
      const neighbour = vintages.get(period + by)?.at(-1)?.value ?? null
      return neighbour !== null && isSameValue(neighbour, is) && !isSameValue(was, is)
    })
    if (moved.length >= driftLimits.shifted && moved.length * 2 > pairs.length)
      return { kind: 'shifted', words: `figures stand one period ${by > 0 ? 'earlier' : 'later'} than before` }
  }
  return null
}

/** An answer that stops before what is stored, without a word about it. */
function endSign(
  { vintages, frequency }: StoredSeries,
  { observations, missing }: ParsedSeries,
  asked: AskedRange,
): Sign | null {
  if (asked.isDelta || !asked.isComplete) return null
  const last = [...observations, ...missing].reduce(
    (most, { period }) => Math.max(most, parsePeriod(period)!.ordinal),
    -Infinity,
  )
  const gone = [...vintages]
    .filter(([period, own]) => period > last && own.at(-1)?.value != null)
    .map(([period]) => period)
  if (gone.length < driftLimits.newestGone || !Number.isFinite(last)) return null
  const name = (ordinal: number) => formatPeriod(periodOf(frequency, ordinal))
  return { kind: 'ends-earlier', words: `it ends with ${name(last)}; ${name(Math.max(...gone))} is stored` }
}
