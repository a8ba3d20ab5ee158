// Whether an entry may be recorded now. Two clocks are compared, the database's and this process's: a recorded instant
// is final, so a wrong clock must not give any.
import { type Instant, microsOf } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'

interface ClockReading {
  readonly processNow: Instant
  readonly databaseNow: Instant
  /** Instant that the entry would get: the database's clock, or just after the newest entry. */
  readonly recordedAt: Instant
}

/** The problem in words. */
export function whyClockIsWrong({ processNow, databaseNow, recordedAt }: ClockReading): string | null {
  if (Math.abs(aheadMs(databaseNow, processNow)) > limits.clockDifferenceMs)
    return `the clock of the database says ${shown(databaseNow)} and this machine's says ${shown(processNow)}: nothing is published until they agree within ${limits.clockDifferenceMs / 60_000} minutes`
  if (aheadMs(recordedAt, processNow) > limits.clockDifferenceMs)
    return `the newest publication here is recorded at ${shown(recordedAt)}, and now it is ${shown(processNow)}: a clock was ahead; assize clock check says what it recorded, and assize clock repair lets publishing go on`
  return null
}

/** Milliseconds by which the first instant is later than the second. */
function aheadMs(instant: Instant, than: Instant): number {
  return (microsOf(instant) - microsOf(than)) / 1000
}

function shown(instant: Instant): string {
  return `${instant.slice(0, 19)}Z`
}
