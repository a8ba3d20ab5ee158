// When the figures behind a signed period first moved. Nothing can differ before that, so nobody has to compute whether it
// did; whether it did afterwards is for who restates it.
import type { BoundVersion } from './adjustment.ts'
import { historiesOf } from './formula/bind.ts'
import type { Instant } from './instant.ts'
import type { SignedState } from './restate.ts'
import type { SeriesHistory } from './series.ts'
import { compareVintages, isSameValue } from './vintage.ts'

/** Remembers from period to period when the values of a series first arrived. */
export class Arrivals {
  readonly #latest = new Map<SeriesHistory, readonly Instant[]>()

  /** The first instant at which something was recorded that may change its number; null where there is nothing yet. */
  movedSince(signed: SignedState, { bound }: BoundVersion): Instant | null {
    const histories = new Map(bound.inputs.flatMap(historiesOf).map(history => [history.reference, history]))
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

  /** The periods up to one whose first value came after an instant: usually none. */
  #arrivedAfter(history: SeriesHistory, last: number, after: Instant): readonly number[] {
    const { ordinals } = history
    const latest = this.#latestBy(history)
    const end = last === Number.POSITIVE_INFINITY ? ordinals.length : ordinals.findLastIndex(each => each <= last) + 1
    if (end === 0 || latest[end - 1]! <= after) return []
    return ordinals.slice(0, end).filter(ordinal => (arrivalOf(history, ordinal) ?? '') > after)
  }

  /** Up to each period: the latest first arrival. */
  #latestBy(history: SeriesHistory): readonly Instant[] {
    const known = this.#latest.get(history)
    if (known !== undefined) return known
    let latest: Instant = ''
    const all = history.ordinals.map(ordinal => {
      const arrival = arrivalOf(history, ordinal) ?? ''
      if (arrival > latest) latest = arrival
      return latest
    })
    this.#latest.set(history, all)
    return all
  }
}

function arrivalOf({ periods }: SeriesHistory, ordinal: number): Instant | null {
  return periods.get(ordinal)!.find(({ value }) => value !== null)?.recordedAt ?? null
}
