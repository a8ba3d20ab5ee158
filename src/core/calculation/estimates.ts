// Estimates of values that are not published, by the rules that a document may choose: from the year before, and by the trend.
// An estimate is null where its own values are not published either.
import { maxExponent, onTrend } from '../numbers/power.ts'
import { add, divide, greatest, hundred, least, multiply, one, type Ratio, subtract } from '../numbers/ratio.ts'
import type { WorkBudget } from '../numbers/work-budget.ts'
import { type Frequency, yearBefore } from '../time/period.ts'
import { combine, type TakenReading } from './reading-window.ts'

export interface KnownValue {
  readonly ordinal: number
  readonly reading: TakenReading
}

/** The published values of a series and of the series it is linked with. */
export interface KnownValues {
  readonly frequency: Frequency
  readonly read: (ordinal: number) => TakenReading | null
  readonly newestBefore: (ordinal: number) => KnownValue | null
  readonly work: WorkBudget
}

const maxGap = 120

/**
 * The value a year before times the last known year-on-year ratio, the step from the period before held within ± capPct. In a
 * gap of several periods the earlier one is estimated first.
 */
export function estimateByYear(
  values: KnownValues,
  ordinal: number,
  capPct: Ratio | null,
  depth = 0,
): TakenReading | null {
  const { frequency, read, work } = values
  const yearOf = (at: number) => read(yearBefore({ frequency, ordinal: at }).ordinal)
  const yearAgo = yearOf(ordinal)
  if (yearAgo === null || depth > maxGap) return null
  for (let known = ordinal - 1; ordinal - known <= maxGap; known--) {
    const [now, then] = [read(known), yearOf(known)]
    if (now === null || then === null) continue
    const raw = combine([yearAgo, now, then], divide(multiply(yearAgo.value, now.value, work), then.value, work))
    if (capPct === null) return raw
    const before = read(ordinal - 1) ?? estimateByYear(values, ordinal - 1, capPct, depth + 1)
    return before === null ? null : combine([raw, before], keepWithin(raw.value, before.value, capPct, work))
  }
  return null
}

function keepWithin(value: Ratio, previous: Ratio, capPct: Ratio, work: WorkBudget): Ratio {
  const share = divide(capPct, hundred)
  const low = multiply(previous, subtract(one, share), work)
  return least(greatest(value, low, work), multiply(previous, add(one, share), work), work)
}

/** The last value moves on as it moved over so many periods before it. */
export function estimateByTrend(
  { read, newestBefore, work }: KnownValues,
  ordinal: number,
  over: number,
  dp: number,
): TakenReading | null {
  const last = newestBefore(ordinal)
  if (last === null || ordinal - last.ordinal > maxExponent) return null
  const before = read(last.ordinal - over)
  if (before === null || last.reading.value.n <= 0n || before.value.n <= 0n) return null
  const value = onTrend(last.reading.value, before.value, ordinal - last.ordinal, over, dp, work)
  return combine([last.reading, before], value)
}
