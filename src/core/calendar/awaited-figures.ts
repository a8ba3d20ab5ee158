// The figures that an adjustment date still waits for: those that its readings need and that are missing, the clause's rule
// that stands in for them, if any, and the newer figure that may still replace a read one. From figures alone: it knows no
// calendar and no clock but the day up to which windows are over.
import type { BoundVersion } from '../calculation/adjustment.ts'
import { MissingValue } from '../calculation/gap.ts'
import { inputsInUse, type NeededFigure, neededFigures, neededForBase } from '../calculation/needed-figures.ts'
import { formatLabel, isSparse } from '../calculation/reading-window.ts'
import { InputReader, type TakenReading } from '../calculation/series-reading.ts'
import type { BoundInput } from '../formula/bind.ts'
import type { MissingPolicy } from '../formula/formula.ts'
import { goBack } from '../formula/schedule.ts'
import { formatRoundedShort, type Ratio } from '../numbers/ratio.ts'
import type { WorkBudget } from '../numbers/work-budget.ts'
import type { SeriesHistory } from '../series/series.ts'
import { newest, noCuts, selectVintage } from '../series/vintage.ts'
import type { Day } from '../time/day.ts'
import { formatPeriod, type Period, shift } from '../time/period.ts'

/** A figure by its series, as the formula names it, and its period. */
export interface FigureName {
  readonly series: string
  readonly period: string
  /** The stage of values that count; null where any stage does. */
  readonly stage: 'FINAL' | null
}

export interface AwaitedFigure extends FigureName {
  /** The clause's rule for a missing figure. */
  readonly rule: MissingPolicy['kind']
  /** The input's reading by that rule; null where the rule gives nothing. */
  readonly instead: string | null
  /** The last day on which it counts if it is published then; null where any day does. */
  readonly countsUntil: Day | null
}

export interface AwaitedOnDate {
  /** Missing figures by period. */
  readonly figures: readonly AwaitedFigure[]
  /** Missing figures, by period, for which the contract agrees on a value: nothing waits for them. */
  readonly agreed: readonly AwaitedFigure[]
  /** The next figure of the series and the last day on which it counts, for a reading that takes the newest figures. */
  readonly newer: (FigureName & { readonly countsUntil: Day }) | null
}

const shown = { dp: 12, mode: 'HALF_UP' } as const

/** The figures that several dates of one version wait for. `today` is the last day that is known to have come. */
export class AwaitedFigures {
  readonly #version: BoundVersion
  readonly #readers: readonly InputReader[]
  readonly #used: ReturnType<typeof inputsInUse>

  /** Whether the contract agrees on values of missing figures. */
  readonly hasAgreed: boolean

  constructor(version: BoundVersion, today: Day, work: WorkBudget) {
    this.#version = version
    this.hasAgreed = version.bound.inputs.some(({ input }) => input.missing.kind === 'AGREED')
    const rules = { cuts: noCuts, tag: null, strict: false, today }
    this.#readers = version.bound.inputs.map(input => new InputReader(input, rules, work))
    this.#used = inputsInUse(version.bound)
  }

  on(date: Day): AwaitedOnDate {
    const { inputs, formula } = this.#version.bound
    const figures = new Map<string, AwaitedFigure>()
    const agreed = new Map<string, AwaitedFigure>()
    const noteAll = (bound: BoundInput, needed: readonly NeededFigure[], reading: TakenReading | null, day: Day) => {
      for (const each of agreedBy(bound, needed)) note(agreed, each)
      for (const each of awaitedBy(bound, needed, reading, day)) note(figures, each)
    }
    let newer: AwaitedOnDate['newer'] = null
    inputs.forEach((bound, i) => {
      const reader = this.#readers[i]!
      const { base } = bound.input
      if (this.#used.current.has(i)) {
        const needed = neededFigures(bound, date)
        const reading = readingOf(() => reader.at(date))
        noteAll(bound, needed, reading, date)
        newer ??= reading === null ? null : newerThan(bound, needed, date)
      }
      if (this.#used.base.has(i) && base !== null) {
        const reading = readingOf(() => reader.base(base, formula.contract.start))
        noteAll(bound, neededForBase(bound, base), reading, formula.contract.start)
      }
    })
    return { figures: [...figures.values()].sort(byPeriod), agreed: [...agreed.values()].sort(byPeriod), newer }
  }
}

/** The reading; null where a figure is missing and nothing stands in for it. */
function readingOf(read: () => TakenReading): TakenReading | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof MissingValue) return null
    throw error
  }
}

function awaitedBy(
  bound: BoundInput,
  needed: readonly NeededFigure[],
  reading: TakenReading | null,
  date: Day,
): readonly AwaitedFigure[] {
  if (reading !== null && !reading.substituted) return []
  const missing = needed.filter(figure => !isHeld(figure) && agreedValue(bound, figure) === null)
  // A window over days lacks something else than its last day, or is not over: the last day says when it will be.
  const awaited = missing.length > 0 || reading !== null ? missing : needed.slice(-1)
  const { missing: rule, vintage } = bound.input
  return awaited.map(({ series, period, stage }) => ({
    series: series.reference,
    period: formatPeriod(period),
    stage,
    rule: rule.kind,
    instead: reading === null ? null : formatRoundedShort(reading.value, shown),
    countsUntil: vintage === 'AT_DATE' ? date : null,
  }))
}

/** The contract's own values for missing figures, by period. */
function agreedBy(bound: BoundInput, needed: readonly NeededFigure[]): readonly AwaitedFigure[] {
  return needed.flatMap((figure): AwaitedFigure[] => {
    const value = isHeld(figure) ? null : agreedValue(bound, figure)
    if (value === null) return []
    const { series, period, stage } = figure
    const name = { series: series.reference, period: formatPeriod(period), stage }
    return [{ ...name, rule: 'AGREED', instead: formatRoundedShort(value, shown), countsUntil: null }]
  })
}

function agreedValue({ input: { missing }, fx }: BoundInput, { series, period }: NeededFigure): Ratio | null {
  // A contract agrees on values of its index, not on exchange rates.
  if (missing.kind !== 'AGREED' || series === fx?.series) return null
  return missing.values.get(formatLabel(period)) ?? null
}

/** The next figure for a reading that takes the newest one or few: figures after the lagged day do not count. */
function newerThan(bound: BoundInput, needed: readonly NeededFigure[], date: Day): AwaitedOnDate['newer'] {
  const { input, series, window } = bound
  if (input.pick === 'LATEST_PUBLISHED') {
    const last = series.ordinals.at(-1)
    if (last === undefined) return null
    const next = shift({ frequency: series.frequency, ordinal: last }, 1)
    return { ...nameOf(series, next), countsUntil: goBack(date, input.lag) }
  }
  const next = window.kind === 'last' ? needed.find(figure => !isHeld(figure)) : undefined
  return next === undefined ? null : { ...nameOf(next.series, next.period), countsUntil: date }
}

function nameOf({ reference: series }: SeriesHistory, period: Period): FigureName {
  return { series, period: formatPeriod(period), stage: null }
}

/** Days and weeks have holidays: one that was passed over will not come any more. */
function isHeld({ series, period, stage }: NeededFigure): boolean {
  const vintages = series.periods.get(period.ordinal) ?? []
  const selection = stage === 'FINAL' ? { ...newest, policy: stage } : newest
  if (selectVintage(vintages, selection) !== undefined) return true
  return isSparse(series.frequency) && (series.ordinals.at(-1) ?? period.ordinal) > period.ordinal
}

/** Two inputs may read one figure: the one without a substitute counts. */
function note(figures: Map<string, AwaitedFigure>, figure: AwaitedFigure): void {
  const key = `${figure.series} ${figure.period} ${figure.stage}`
  const known = figures.get(key)
  if (known === undefined || (known.instead !== null && figure.instead === null)) figures.set(key, figure)
}

function byPeriod(a: AwaitedFigure, b: AwaitedFigure): number {
  return a.period === b.period ? (a.series < b.series ? -1 : 1) : a.period < b.period ? -1 : 1
}
