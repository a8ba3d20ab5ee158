// The periods that two series have in common, each with the figures that count and their ratio. A finer series is averaged to
// the periods of a coarser one. A period that one of them lacks, or where a value is not above 0, is left out and named.
import type { UsedObservation } from '../calculation/series-reading.ts'
import { compare, divide, type Ratio, ratio, zero } from '../numbers/ratio.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory } from '../series/series.ts'
import { type Cuts, newest, selectVintage, vintagesInside } from '../series/vintage.ts'
import {
  type Frequency,
  firstDayOf,
  formatPeriod,
  lastDayOf,
  monthsIn,
  ordinalAt,
  ordinalsWithin,
  type Period,
  rankOf,
} from '../time/period.ts'
import { mean, type Pair } from './closeness.ts'

export interface CommonPeriod {
  readonly period: Period
  readonly old: readonly UsedObservation[]
  readonly new: readonly UsedObservation[]
  readonly oldValue: Ratio
  readonly newValue: Ratio
  /** New ÷ old. */
  readonly ratio: Ratio
}

interface LeftOut {
  readonly period: Period
  readonly why: string
}

export interface OverlapWindow {
  readonly from: Period
  readonly until: Period
  /** Sorted by time. */
  readonly common: readonly CommonPeriod[]
  readonly leftOut: readonly LeftOut[]
}

/** The usual number of common periods behind a coefficient. */
const usualLength: Readonly<Record<Frequency, number>> = {
  DAILY: 250,
  WEEKLY: 52,
  MONTHLY: 12,
  QUARTERLY: 4,
  SEMIANNUAL: 4,
  ANNUAL: 2,
}
const leastLength = 3
const longestWindow = 2500

export class Overlap {
  readonly frequency: Frequency
  /** The series that is averaged to the periods of the other; null for equal frequencies. */
  readonly averaged: 'OLD' | 'NEW' | null
  readonly #old: SeriesHistory
  readonly #new: SeriesHistory
  readonly #cuts: Cuts

  constructor(old: SeriesHistory, successor: SeriesHistory, cuts: Cuts) {
    const difference = rankOf(old.frequency) - rankOf(successor.frequency)
    this.#old = old
    this.#new = successor
    this.#cuts = cuts
    this.frequency = difference > 0 ? old.frequency : successor.frequency
    this.averaged = difference === 0 ? null : difference < 0 ? 'OLD' : 'NEW'
  }

  get usualLength(): number {
    return usualLength[this.frequency]
  }

  /** The least number of common periods for a coefficient: two are all that a window of two years can have. */
  get leastLength(): number {
    return Math.min(leastLength, this.usualLength)
  }

  /** The last common periods up to a day; null where there are none. */
  newest(length: number, until: Period | null): OverlapWindow | null {
    const span = this.#span()
    if (span === null) return null
    const last = until === null ? span.last : Math.min(span.last, ordinalAt(this.frequency, lastDayOf(until)))
    const first = Math.max(span.first, last - longestWindow)
    let found = 0
    let [from, to]: [number | null, number | null] = [null, null]
    for (let ordinal = last; ordinal >= first && found < length; ordinal--)
      if ('ratio' in this.#at(ordinal)) {
        found++
        from = ordinal
        to ??= ordinal
      }
    return from === null || to === null ? null : this.#between(from, to)
  }

  /** The common periods between two, in whatever frequency. */
  within(from: Period, until: Period): OverlapWindow {
    const { first, last } = ordinalsWithin(this.frequency, firstDayOf(from), lastDayOf(until))
    if (last < first)
      throw new Refusal('invalid', `the window ${formatPeriod(from)} to ${formatPeriod(until)} holds no whole period`)
    if (last - first >= longestWindow)
      throw new Refusal('invalid', `a window has at most ${longestWindow} periods, got ${last - first + 1}`)
    return this.#between(first, last)
  }

  #between(first: number, last: number): OverlapWindow {
    const all = Array.from({ length: last - first + 1 }, (_, i) => this.#at(first + i))
    return {
      from: { frequency: this.frequency, ordinal: first },
      until: { frequency: this.frequency, ordinal: last },
      common: all.filter(each => 'ratio' in each),
      leftOut: all.filter(each => 'why' in each),
    }
  }

  #span(): { readonly first: number; readonly last: number } | null {
    const edges = [this.#old, this.#new].map(({ frequency, ordinals }) => {
      if (ordinals.length === 0) return null
      const at = (ordinal: number) => ordinalAt(this.frequency, firstDayOf({ frequency, ordinal }))
      return { first: at(ordinals[0]!), last: at(ordinals.at(-1)!) }
    })
    const [old, successor] = edges
    if (old == null || successor == null) return null
    return { first: Math.max(old.first, successor.first), last: Math.min(old.last, successor.last) }
  }

  #at(ordinal: number): CommonPeriod | LeftOut {
    const period: Period = { frequency: this.frequency, ordinal }
    const [old, successor] = [this.#figures(this.#old, period), this.#figures(this.#new, period)]
    if (typeof old === 'string') return { period, why: old }
    if (typeof successor === 'string') return { period, why: successor }
    const [oldValue, newValue] = [meanOf(old), meanOf(successor)]
    return { period, old, new: successor, oldValue, newValue, ratio: divide(newValue, oldValue) }
  }

  /** All figures of a period, or the reason why it does not count. */
  #figures(history: SeriesHistory, period: Period): readonly UsedObservation[] | string {
    const { reference, frequency } = history
    const { first, last } = ordinalsWithin(frequency, firstDayOf(period), lastDayOf(period))
    // Days and weeks may have holidays; months and quarters are all needed.
    const needsAll = frequency === this.frequency || monthsIn(frequency) !== null
    const used: UsedObservation[] = []
    for (let ordinal = first; ordinal <= last; ordinal++) {
      const own: Period = { frequency, ordinal }
      const vintage = selectVintage(vintagesInside(history.periods.get(ordinal) ?? [], this.#cuts), newest)
      if (vintage === undefined) {
        if (needsAll) return `${reference} has no value for ${formatPeriod(own)}`
        continue
      }
      if (compare(ratio(vintage.value), zero) <= 0)
        return `${reference} is ${vintage.value} for ${formatPeriod(own)}, which is not above 0`
      used.push({ series: reference, period: own, vintage })
    }
    return used.length === 0 ? `${reference} has no value for ${formatPeriod(period)}` : used
  }
}

function meanOf(used: readonly UsedObservation[]): Ratio {
  return used.length === 1 ? ratio(used[0]!.vintage.value) : mean(used.map(({ vintage }) => ratio(vintage.value)))
}

export function pairsOf(common: readonly CommonPeriod[]): readonly Pair[] {
  return common.map(({ period, oldValue, newValue }, i) => ({
    old: oldValue,
    new: newValue,
    isNext: common[i - 1]?.period.ordinal === period.ordinal - 1,
  }))
}
