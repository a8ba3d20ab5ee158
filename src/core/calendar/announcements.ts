// The entry of a provider's calendar that is a period's publication. A cancelled or postponed entry is an answer as well.

import { type Day, parseDay } from '../time/day.ts'
import { endOfDay, type Instant } from '../time/instant.ts'
import { firstDayOf, lastDayOf, type Period, parsePeriod, rankOf } from '../time/period.ts'
import type { FirstPrint } from './publications.ts'
import type { Release, ReleaseStatus } from './release.ts'
import { announcedAt, namesPeriods, type RecordedRelease } from './release-order.ts'

/** An entry of a calendar as it is now, and as it was. */
export interface KnownRelease extends Release {
  /** The instant from which it says so; left out where it counts as known from the beginning. */
  readonly announcedAt?: Instant
  /** Earlier versions of the entry. */
  readonly earlier?: readonly RecordedRelease[]
}

/** The calendar's entries, oldest date first; with a day, the entries as they were at its end. */
export function entriesKnown(releases: readonly KnownRelease[], by: Day | null): readonly Release[] {
  const entries = by === null ? releases : announcedAt(releases.flatMap(versionsOf), endOfDay(by))
  return entries.toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1))
}

function versionsOf(release: KnownRelease): readonly RecordedRelease[] {
  return [...(release.earlier ?? []), { ...release, recordedAt: release.announcedAt ?? '' }]
}

/**
 * The entry that is the publication of a period; null where the calendar has none. The first of several with a date counts:
 * later ones are revisions. `newest` is the newest period with a value, before the wanted one.
 */
export function announcedFor(
  period: Period,
  entries: readonly Release[],
  newest: Pick<FirstPrint, 'ordinal' | 'day'> | null,
): Release | null {
  if (namesPeriods(entries))
    return strongest(entries.filter(entry => entry.period !== null && covers(parsePeriod(entry.period), period)))
  return inTurn(period, entries, newest)
}

/** Periods take the entries in turn: each the first one after its end that no period before it has taken. */
function inTurn(
  { frequency, ordinal }: Period,
  entries: readonly Release[],
  newest: Pick<FirstPrint, 'ordinal' | 'day'> | null,
): Release | null {
  const first = newest !== null && newest.ordinal < ordinal ? newest.ordinal + 1 : ordinal
  let used = newest !== null && newest.ordinal < ordinal ? newest.day : Number.NEGATIVE_INFINITY
  let place = 0
  let found: Release | undefined
  for (let turn = first; turn <= ordinal; turn++) {
    const after = Math.max(used, lastDayOf({ frequency, ordinal: turn }))
    while (place < entries.length && dayOfEntry(entries[place]!) <= after) place++
    found = entries[place]
    if (found === undefined) return null
    used = dayOfEntry(found)
  }
  return found ?? null
}

const strength: readonly (readonly ReleaseStatus[])[] = [['OFFICIAL', 'DATE_ONLY'], ['POSTPONED'], ['CANCELLED']]

function strongest(entries: readonly Release[]): Release | null {
  for (const statuses of strength) {
    const found = entries.find(({ status }) => statuses.includes(status))
    if (found !== undefined) return found
  }
  return null
}

/**
 * A release of a month or quarter brings the figures of every shorter period inside it, and of a longer period that ends with
 * it.
 */
function covers(named: Period | null, period: Period): boolean {
  if (named === null) return false
  if (named.frequency === period.frequency) return named.ordinal === period.ordinal
  if (rankOf(named.frequency) < rankOf(period.frequency)) return lastDayOf(named) === lastDayOf(period)
  return firstDayOf(named) <= firstDayOf(period) && lastDayOf(period) <= lastDayOf(named)
}

export function dayOfEntry({ at }: Pick<Release, 'at'>): Day {
  return parseDay(at.slice(0, 10))!
}
