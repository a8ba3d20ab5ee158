// The days of silence after which a series has probably ended: one rule for due dates, for suspects, and for the advice about a
// formula.
import type { Day } from '../time/day.ts'
import { type Frequency, lastDayOf, type Period } from '../time/period.ts'

/** The days of a period, the longest there is. */
const longestDays: Readonly<Record<Frequency, number>> = {
  DAILY: 1,
  WEEKLY: 7,
  MONTHLY: 31,
  QUARTERLY: 92,
  SEMIANNUAL: 184,
  ANNUAL: 366,
}
const silentPeriods = 3
const silentDays = 60

/** The last day on which a period after its newest one is still waited for. */
export function lastPatientDay(newest: Period): Day {
  return lastDayOf(newest) + silentPeriods * longestDays[newest.frequency] + silentDays
}
