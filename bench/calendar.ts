// Learned dates on a year that they did not know: each figure published in it is expected with what was known when its period
// ended, and compared with the day on which it came.
import { isRight } from '../src/core/calendar/expected-dates.ts'
import { learnedDays } from '../src/core/calendar/learned-dates.ts'
import type { FirstPrint } from '../src/core/calendar/publications.ts'
import { parseDay } from '../src/core/time/day.ts'
import { lastDayOf, parsePeriod } from '../src/core/time/period.ts'
import { type PublishedRelease, publishedReleases } from './calendar/published-days.ts'
import { printTable } from './table.ts'

const heldOut = 2024
const closeDays = 3
/** After the latest day, before a figure counts as late. */
const grantedDays = 3
const targets = { closePct: 90, insidePct: 95 } as const

interface Score {
  readonly expected: number
  readonly close: number
  readonly inside: number
}

export function benchCalendar(): void {
  const scored = publishedReleases.map(release => ({ release, score: scoreOf(release) }))
  const rows = scored.map(({ release, score }) => [
    release.name,
    release.isCompared ? 'compared' : 'schedule',
    `${release.series.length}`,
    ...cellsOf(score),
  ])
  const ofSeries = (wanted: (release: PublishedRelease) => boolean) =>
    total(scored.flatMap(({ release, score }) => (wanted(release) ? release.series.map(() => score) : [])))
  const countOf = (wanted: (release: PublishedRelease) => boolean) =>
    `${scored.filter(({ release }) => wanted(release)).reduce((sum, { release }) => sum + release.series.length, 0)}`
  const all = () => true
  const compared = (release: PublishedRelease) => release.isCompared
  printTable(
    ['first figures published in 2024', 'days', 'series', 'figures', '± 3 days', 'in the window'],
    [
      ...rows,
      ['all series, days compared', 'compared', countOf(compared), ...cellsOf(ofSeries(compared))],
      ['all series', '', countOf(all), ...cellsOf(ofSeries(all))],
      ['target', '', '50', '', `${targets.closePct} %`, `${targets.insidePct} %`],
    ],
  )
}

function scoreOf(release: PublishedRelease): Score {
  const { frequency } = release
  const published = publicationsOf(release)
  const first = parseDay(`${heldOut}-01-01`)!
  const checks = published
    .filter(({ day }) => day >= first)
    .map(({ ordinal, day }) => {
      const end = lastDayOf({ frequency, ordinal })
      const known = published.filter(other => other.ordinal < ordinal && other.day <= end)
      const said = learnedDays(frequency, ordinal, known)!
      return { isClose: Math.abs(day - said.expected) <= closeDays, isInside: isRight(said, day, grantedDays) }
    })
  return {
    expected: checks.length,
    close: checks.filter(({ isClose }) => isClose).length,
    inside: checks.filter(({ isInside }) => isInside).length,
  }
}

function publicationsOf({ from, days }: PublishedRelease): readonly FirstPrint[] {
  const first = parsePeriod(from)!.ordinal
  return Object.entries(days)
    .flatMap(([year, text]) => text.split(' ').map(day => `${year}-${day}`))
    .map((day, i) => ({ ordinal: first + i, day: parseDay(day)!, finalDay: null }))
}

function total(scores: readonly Score[]): Score {
  const sum = (key: keyof Score) => scores.reduce((all, score) => all + score[key], 0)
  return { expected: sum('expected'), close: sum('close'), inside: sum('inside') }
}

function cellsOf({ expected, close, inside }: Score): string[] {
  const share = (count: number) => `${((100 * count) / expected).toFixed(1)} %`
  return [`${expected}`, share(close), share(inside)]
}
