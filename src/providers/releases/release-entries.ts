// From the entries of a calendar, as its source writes them, to releases: one set of checks for all calendars. An entry whose
// date is unclear, contradicts itself or lies before its period is left out and counted: no date is better than a wrong one.
import { readPeriodText } from '../../core/calendar/period-text.ts'
import type { ReleaseStatus } from '../../core/calendar/release.ts'
import { formatDay, parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { firstDayOf, parsePeriod } from '../../core/time/period.ts'
import { problem, quoted, sentence } from '../formats/problem.ts'
import type { AnswerProblem, ParsedRelease, ParsedReleases } from '../provider.ts'

export interface ReleaseEntry {
  readonly release: string
  readonly title: string
  /** The period as the source writes it; null where it names none. */
  readonly periodText: string | null
  /** An instant, or a day; null if it could not be read. */
  readonly at: Instant | string | null
  /** The date as the source writes it, for messages. */
  readonly writtenAt: string
  readonly status: ReleaseStatus
  readonly sourceId: string | null
}

export const noReleases: ParsedReleases = { releases: [], series: [], unread: [], problems: [] }

export function failedReleases(problems: readonly AnswerProblem[]): ParsedReleases {
  return { ...noReleases, problems }
}

/** Far more than the largest calendar has. */
const mostEntries = 20_000

export function readEntries(entries: readonly ReleaseEntry[], zone: string): ParsedReleases {
  if (entries.length > mostEntries)
    return failedReleases([problem('too-large', `the calendar has more than ${mostEntries} entries`)])
  const unread: string[] = []
  const releases: ParsedRelease[] = []
  for (const entry of entries) {
    const fault = faultOf(entry)
    if (fault !== null) {
      unread.push(sentence(`${quoted(entry.title)} is left out: ${fault}`))
      continue
    }
    const period = entry.periodText === null ? null : readPeriodText(entry.periodText)
    if (entry.periodText !== null && period === null)
      unread.push(sentence(`${quoted(entry.title)} has no period: ${quoted(entry.periodText)} is not one`))
    const { release, at, status, sourceId } = entry
    releases.push({ release, title: sentence(entry.title), period, at: at!, zone, status, sourceId: sourceId! })
  }
  const clear = withoutContradictions(releases, unread)
  const named = withoutUnnamed(clear, entries)
  return {
    releases: named.releases,
    series: [],
    unread,
    problems:
      entries.length > 0 && named.releases.length === 0 && named.problems.length === 0
        ? [problem('unreadable', `none of the ${entries.length} entries of the calendar can be read: ${unread[0]}`)]
        : named.problems,
  }
}

/** The first and last day that a release may be announced for: beyond them a number is not a date. */
const [firstDate, lastDate] = ['1900-01-01', '2199-12-31']

/** The fault of an entry; null if it can be used. */
function faultOf({ title, at, writtenAt, periodText, sourceId }: ReleaseEntry): string | null {
  if (title === '') return 'it has no title'
  if (sourceId === null || sourceId.length > 200) return 'it has no id'
  if (at === null || parseDay(at.slice(0, 10)) === null) return `its date ${quoted(writtenAt)} cannot be read`
  if (at < firstDate || at.slice(0, 10) > lastDate) return `${quoted(writtenAt)} is not a likely date`
  const period = periodText === null ? null : readPeriodText(periodText)
  // A day early, because the day in the source's zone may be the one after that in UTC.
  const begins = period === null ? null : formatDay(firstDayOf(parsePeriod(period)!) - 1)
  return begins !== null && at.slice(0, 10) < begins ? `${writtenAt} is before ${period}` : null
}

/** A repeated entry counts once; two different entries under one id are both left out. */
function withoutContradictions(releases: readonly ParsedRelease[], unread: string[]): readonly ParsedRelease[] {
  return [...Map.groupBy(releases, ({ sourceId }) => sourceId).values()].flatMap(same => {
    const [first, ...others] = same as [ParsedRelease, ...ParsedRelease[]]
    if (others.every(other => JSON.stringify(other) === JSON.stringify(first))) return [first]
    unread.push(
      sentence(`${quoted(first.title)} is left out: its id ${quoted(first.sourceId)} has two different entries`),
    )
    return []
  })
}

/**
 * A release whose entries all have a text for the period, none of them readable, changed its notation: without periods its
 * dates would pass for those of a source that names no periods, so they are left out.
 */
function withoutUnnamed(
  releases: readonly ParsedRelease[],
  entries: readonly ReleaseEntry[],
): { readonly releases: readonly ParsedRelease[]; readonly problems: readonly AnswerProblem[] } {
  const texts = new Map(entries.map(entry => [entry.sourceId, entry.periodText]))
  const lost = [...Map.groupBy(releases, ({ release }) => release)].flatMap(([release, own]) =>
    own.every(({ period, sourceId }) => period === null && texts.get(sourceId) != null) ? [release] : [],
  )
  return {
    releases: releases.filter(({ release }) => !lost.includes(release)),
    problems: lost.map(release => {
      const text = entries.find(entry => entry.release === release && entry.periodText !== null)!.periodText!
      return problem('unreadable', `no period of ${release} can be read, such as ${quoted(text)}`)
    }),
  }
}
