// The first move of the figures behind a signed period. The number cannot differ before it, so nothing has to be computed up to
// then. Restating decides whether it differs afterwards.
import type { BoundVersion } from '../calculation/adjustment.ts'
import { type BoundFormula, historiesOf } from '../formula/bind.ts'
import type { SeriesHistory } from '../series/series.ts'
import { compareVintages, isSameValue } from '../series/vintage.ts'
import type { Instant } from '../time/instant.ts'
import { firstAtLeast } from '../time/period.ts'
import type { SignedState } from './signed-state.ts'

/** Remembers the first arrivals of a series' values, for all readers of its vintages. */
export class Arrivals {
  readonly #latest = new Map<SeriesHistory['periods'], readonly Instant[]>()
  readonly #histories = new WeakMap<BoundFormula, ReadonlyMap<string, SeriesHistory>>()

  /** The first instant at which something was recorded that may change the period's number; null if there is none. */
  movedSince(signed: SignedState, { bound }: BoundVersion): Instant | null {
    const histories = this.#historiesOf(bound)
    const used = new Map<string, Set<number>>()
    let first: Instant | null = null
    const note = (recordedAt: Instant | null) => {
      if (recordedAt !== null && (first === null || recordedAt < first)) first = recordedAt
    }
    for (const { series, period, vintage } of signed.used) {
      const read = used.get(series)
      if (read === undefined) used.set(series, new Set([period.ordinal]))
      else read.add(period.ordinal)
      for (const each of histories.get(series)?.periods.get(period.ordinal) ?? [])
        if (compareVintages(each, vintage) > 0 && !isSameValue(each.value, vintage.value)) note(each.recordedAt)
    }
    const isEstimated = signed.carried.readings.values().some(({ substituted }) => substituted)
    for (const [reference, history] of histories) {
      const read = used.get(reference)
      const last = isEstimated || read === undefined ? Number.POSITIVE_INFINITY : Math.max(...read)
      for (const ordinal of this.#arrivedAfter(history, last, signed.agreedAt))
        if (!read?.has(ordinal)) note(arrivalOf(history, ordinal))
    }
    return first
  }

  #historiesOf(bound: BoundFormula): ReadonlyMap<string, SeriesHistory> {
    const known = this.#histories.get(bound)
    if (known !== undefined) return known
    const found = new Map(bound.inputs.flatMap(historiesOf).map(history => [history.reference, history]))
    this.#histories.set(bound, found)
    return found
  }

  /** The periods, up to a given one, whose first value came after an instant: usually none. */
  #arrivedAfter(history: SeriesHistory, last: number, after: Instant): readonly number[] {
    const { ordinals } = history
    const latest = this.#latestBy(history)
    const end = firstAtLeast(ordinals, last + 1)
    if (end === 0 || latest[end - 1]! <= after) return []
    return ordinals.slice(0, end).filter(ordinal => (arrivalOf(history, ordinal) ?? '') > after)
  }

  /** The latest first arrival up to each period. */
  #latestBy(history: SeriesHistory): readonly Instant[] {
    const known = this.#latest.get(history.periods)
    if (known !== undefined) return known
    let latest: Instant = ''
    const all = history.ordinals.map(ordinal => {
      const arrival = arrivalOf(history, ordinal) ?? ''
      if (arrival > latest) latest = arrival
      return latest
    })
    this.#latest.set(history.periods, all)
    return all
  }
}

function arrivalOf({ periods }: SeriesHistory, ordinal: number): Instant | null {
  return periods.get(ordinal)!.find(({ value }) => value !== null)?.recordedAt ?? null
}
