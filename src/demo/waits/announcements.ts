// Announcements of the Bureau of Labor Statistics about the indices of the demo: the consumer prices of October 2025, which were
// cancelled, and the releases planned for 2026 after the newest figures of the demo.
import type { Release } from '../../core/calendar/release.ts'
import { parseDay } from '../../core/time/day.ts'
import { findZone } from '../../core/time/local-time.ts'
import { firstDayOf, parsePeriod } from '../../core/time/period.ts'

const zone = findZone('America/New_York')!
/** Time of releases: half past eight. */
const secondsOfDay = (8 * 60 + 30) * 60

type Planned = readonly [period: string, day: string]

const consumerPrices: readonly Planned[] = [
  ['2026-08', '2026-09-11'],
  ['2026-09', '2026-10-14'],
  ['2026-10', '2026-11-10'],
  ['2026-11', '2026-12-10'],
]

const producerPrices: readonly Planned[] = [
  ['2026-06', '2026-07-15'],
  ['2026-07', '2026-08-13'],
  ['2026-08', '2026-09-10'],
  ['2026-09', '2026-10-15'],
  ['2026-10', '2026-11-13'],
  ['2026-11', '2026-12-15'],
]

const cancelled: Planned = ['2025-10', '2025-11-13']

function releaseOf(release: string, title: string, status: Release['status']): (planned: Planned) => Release {
  return ([period, day]) => ({
    provider: 'BLS',
    release,
    period,
    status,
    zone: zone.name,
    title: `${title} for ${monthWords(period)}`,
    at: zone.instantAt(parseDay(day)!, secondsOfDay),
    sourceId: `demo-${release.toLowerCase()}-${period}`,
  })
}

const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const msPerDay = 86_400_000

/** `October 2025` */
export function monthWords(period: string): string {
  return months.format(firstDayOf(parsePeriod(period)!) * msPerDay)
}

export const announcedReleases: readonly Release[] = [
  releaseOf('CPI', 'Consumer Price Index', 'CANCELLED')(cancelled),
  ...consumerPrices.map(releaseOf('CPI', 'Consumer Price Index', 'OFFICIAL')),
  ...producerPrices.map(releaseOf('PPI', 'Producer Price Index', 'OFFICIAL')),
]
