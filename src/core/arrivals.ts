// When the figures behind a signed period first moved. The number cannot differ before that, so nothing has to be
// computed up to then. Whether it differs afterwards is decided by restating it.
import type { BoundVersion } from './adjustment.ts'
import { historiesOf } from './formula/bind.ts'
import type { Instant } from './instant.ts'
import type { SignedState } from './restate.ts'
import type { SeriesHistory } from './series.ts'
import { compareVintages, isSameValue } from './vintage.ts'

/** When the values of a series first arrived, remembered for the next period. */
export class Arrivals {
  readonly #latest = new Map<SeriesHistory, readonly Instant[]>()

  /** The first instant at which something was recorded that may change the period's number; null if there is none. */
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

  /** The periods, up to a given one, whose first value came after an instant: usually none. */
  #arrivedAfter(history: SeriesHistory, last: number, after: Instant): readonly number[] {
    const { ordinals } = history
    const latest = this.#latestBy(history)
    const end = last === Number.POSITIVE_INFINITY ? ordinals.length : ordinals.findLastIndex(each => each <= last) + 1
    if (end === 0 || latest[end - 1]! <= after) return []
    return ordinals.slice(0, end).filter(ordinal => (arrivalOf(history, ordinal) ?? '') > after)
  }

  /** The latest first arrival up to each period. */
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
