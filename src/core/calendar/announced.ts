// What a provider's calendar says of one period: which of its entries is the period's publication. An entry that was
// cancelled or postponed is an answer as well.

import { type Day, parseDay } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import { endOfDay } from '../time/instant.ts'
import { firstDayOf, lastDayOf, type Period, parsePeriod, rankOf } from '../time/period.ts'
import type { Publication } from './publications.ts'
import type { Release, ReleaseStatus } from './release.ts'

/** An entry as it was stored; left out where it counts as known from the beginning. */
export interface KnownRelease extends Release {
  readonly recordedAt?: Instant
}

/** The newest form of each entry, oldest date first: what the calendar said at the end of a day, or says now. */
export function entriesKnown(releases: readonly KnownRelease[], by: Day | null): readonly KnownRelease[] {
  const cut = by === null ? null : endOfDay(by)
  const entries = new Map<string, KnownRelease>()
  for (const release of releases) {
    if (cut !== null && release.recordedAt !== undefined && release.recordedAt > cut) continue
    const before = entries.get(release.sourceId)
    if (before === undefined || (before.recordedAt ?? '') <= (release.recordedAt ?? ''))
      entries.set(release.sourceId, release)
  }
  return [...entries.values()].sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1))
}

/**
 * The entry that is the publication of a period; null where the calendar says nothing of it. Of several the first with a
 * date counts: later ones are revisions. `newest` is the newest period with a value, before the wanted one.
 */
export function announcedFor(
  period: Period,
  entries: readonly KnownRelease[],
  newest: Pick<Publication, 'ordinal' | 'day'> | null,
): KnownRelease | null {
  // Where a source names periods, an entry without one is an entry that could not be read.
  if (entries.some(entry => entry.period !== null))
    return strongest(entries.filter(entry => entry.period !== null && covers(parsePeriod(entry.period), period)))
  return inTurn(period, entries, newest)
}

/** Periods take the entries in turn: each the first one after its end that no period before it has taken. */
function inTurn(
  { frequency, ordinal }: Period,
  entries: readonly KnownRelease[],
  newest: Pick<Publication, 'ordinal' | 'day'> | null,
): KnownRelease | null {
  const first = newest !== null && newest.ordinal < ordinal ? newest.ordinal + 1 : ordinal
  let used = newest !== null && newest.ordinal < ordinal ? newest.day : Number.NEGATIVE_INFINITY
  let place = 0
  let found: KnownRelease | undefined
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

function strongest(entries: readonly KnownRelease[]): KnownRelease | null {
  for (const statuses of strength) {
    const found = entries.find(({ status }) => statuses.includes(status))
    if (found !== undefined) return found
  }
  return null
}

/**
 * A release of a month or quarter brings the figures of every shorter period inside it, and those of a longer one that ends
 * with it.
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
