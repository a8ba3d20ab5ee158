// The stand-in's built-in release calendars: what each of the six providers announces around a day, by simple habits. A
// release comes so many days after the end of its period, on a working day.
import type { ReleaseStatus } from '../../../src/core/calendar/release.ts'
import type { ProviderName } from '../../../src/core/series/series.ts'
import { type Day, formatDay, weekdayOf } from '../../../src/core/time/day.ts'
import { type Frequency, formatPeriod, lastDayOf, periodAt, shift } from '../../../src/core/time/period.ts'

export interface StandInRelease {
  readonly provider: ProviderName
  /** As in `Release`. */
  readonly release: string
  readonly period: string
  /** By the provider's own clocks. */
  readonly day: string
  /** `08:30`; null where its calendar has none. */
  readonly clock: string | null
  readonly status: ReleaseStatus
  /** What the provider calls the entry; the same when its date moves. */
  readonly id: string
}

type Habit = readonly [release: string, frequency: Frequency, delayDays: number, clock: string | null]

const habits: Readonly<Partial<Record<ProviderName, readonly Habit[]>>> = {
  BLS: [
    ['CPI', 'MONTHLY', 13, '08:30'],
    ['PPI', 'MONTHLY', 14, '08:30'],
    ['ECI', 'QUARTERLY', 31, '08:30'],
    ['EMPSIT', 'MONTHLY', 6, '08:30'],
    ['XIMPIM', 'MONTHLY', 17, '08:30'],
  ],
  FRED: [
    ['10', 'MONTHLY', 13, null],
    ['46', 'MONTHLY', 14, null],
    ['53', 'QUARTERLY', 30, null],
  ],
  EUROSTAT: [
    ['prc_hicp_minr', 'MONTHLY', 18, '11:00'],
    ['sts_inpp_m', 'MONTHLY', 35, '11:00'],
    ['sts_inppd_m', 'MONTHLY', 35, '11:00'],
    ['lc_lci_r2_q', 'QUARTERLY', 75, '11:00'],
  ],
  ONS: [
    ['MM23', 'MONTHLY', 18, '07:00'],
    ['MM22', 'MONTHLY', 18, '07:00'],
    ['SPPI', 'QUARTERLY', 50, '09:30'],
  ],
  STATCAN: [
    ['Consumer Price Index', 'MONTHLY', 17, null],
    ['Industrial product and raw materials price indexes', 'MONTHLY', 21, null],
    ['New Housing Price Index', 'MONTHLY', 22, null],
  ],
  BIS: [
    ['EER', 'MONTHLY', 17, null],
    ['CBPOL', 'MONTHLY', 19, null],
    ['XRU', 'MONTHLY', 19, null],
    ['RPP.SPP', 'QUARTERLY', 55, null],
  ],
}

/** From three periods ago to a year ahead. */
export function defaultReleases(provider: ProviderName, today: Day): readonly StandInRelease[] {
  return (habits[provider] ?? []).flatMap(([release, frequency, delayDays, clock]) => {
    const current = periodAt(frequency, today)
    const ahead = frequency === 'MONTHLY' ? 12 : 4
    return Array.from({ length: ahead + 3 }, (_, at) => {
      const period = shift(current, at - 3)
      const status = clock === null ? 'DATE_ONLY' : 'OFFICIAL'
      const day = formatDay(workingDay(lastDayOf(period) + delayDays))
      const label = formatPeriod(period)
      return { provider, release, period: label, day, clock, status, id: `${release}-${label}` } as const
    })
  })
}

function workingDay(day: Day): Day {
  return day + Math.max(0, 7 - weekdayOf(day)) * (weekdayOf(day) >= 5 ? 1 : 0)
}
