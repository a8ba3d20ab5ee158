// When the figures behind a signed period first moved. Nothing can differ before that, so nobody has to compute whether it
// did; whether it did afterwards is for who restates it.
import type { BoundVersion } from './adjustment.ts'
import { historiesOf } from './formula/bind.ts'
import type { Instant } from './instant.ts'
import type { SignedState } from './restate.ts'
import { compareVintages, isSameValue } from './vintage.ts'

/** The first instant at which something was recorded that may change its number; null where there is nothing yet. */
export function movedSince(signed: SignedState, { bound }: BoundVersion): Instant | null {
  const histories = new Map(bound.inputs.flatMap(historiesOf).map(history => [history.reference, history]))
  const used = new Map<string, Set<number>>()
  let first: Instant | null = null
  const note = (recordedAt: Instant | null) => {
    if (recordedAt !== null && (first === null || recordedAt < first)) first = recordedAt
  }
  for (const { series, period, vintage } of signed.used) {
    if (!used.has(series)) used.set(series, new Set())
    used.get(series)!.add(period.ordinal)
    for (const each of histories.get(series)?.periods.get(period.ordinal) ?? [])
      if (compareVintages(each, vintage) > 0 && !isSameValue(each.value, vintage.value)) note(each.recordedAt)
  }
  const isEstimated = signed.carried.readings.values().some(({ substituted }) => substituted)
  for (const [reference, { ordinals, periods }] of histories) {
    const read = used.get(reference)
    const last = isEstimated || read === undefined ? Number.POSITIVE_INFINITY : Math.max(...read)
    for (const ordinal of ordinals) {
      if (ordinal > last) break
      if (read?.has(ordinal)) continue
      const came = periods.get(ordinal)!.find(({ value }) => value !== null)?.recordedAt ?? null
      if (came !== null && came > signed.agreedAt) note(came)
    }
  }
  return first
}
