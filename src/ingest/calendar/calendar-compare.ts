// Comparison of a provider's calendar with the stored one: entries that are new, moved or no longer announced, and whether a
// person has to look at it first. Pure.
import type { Release } from '../../core/calendar/release.ts'
import { formatDay, parseDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, parseInstant } from '../../core/time/instant.ts'
import { isSameRelease } from '../../storage/series/calendar.ts'
import { oneLine } from '../redact.ts'

export interface CalendarComparison {
  /** Rows to announce: entries that are new or say something else, and those that are no longer announced. */
  readonly rows: readonly Release[]
  readonly added: number
  readonly moved: number
  /** Entries ahead that the calendar no longer has: their date is open again. */
  readonly withdrawn: number
  /** Entries ahead in the answer. */
  readonly ahead: number
  /** Why a person has to look at it; `null` if nobody has to. */
  readonly doubt: string | null
}

interface Compared {
  readonly now: Instant
  /** Whether the answer is whole, so that an entry that is not in it is really gone. */
  readonly isComplete: boolean
  /** A person has decided that this is the calendar. */
  readonly isAccepted?: boolean
}

const longest = { title: 500, sourceId: 300, release: 200 }

/** The release as it is stored; `null` for one that cannot be. */
export function tidyRelease(given: Release): Release | null {
  const isDay = parseDay(given.at) !== null
  const isInstant = !isDay && parseInstant(given.at) === given.at
  const sourceId = oneLine(given.sourceId)
  const release = oneLine(given.release)
  if (!isDay && !isInstant) return null
  if (sourceId === '' || sourceId.length > longest.sourceId) return null
  if (release === '' || release.length > longest.release) return null
  const title = oneLine(given.title).slice(0, longest.title).toWellFormed()
  return { ...given, sourceId, release, title }
}

export function compareCalendar(
  stored: readonly Release[],
  came: readonly Release[],
  { now, isComplete, isAccepted = false }: Compared,
): CalendarComparison {
  const known = new Map(stored.map(each => [keyOf(each), each]))
  const newest = new Map(came.map(each => [keyOf(each), each]))
  const changed = [...newest.values()].filter(each => !isSameRelease(each, known.get(keyOf(each))))
  const added = changed.filter(each => !known.has(keyOf(each))).length
  const expected = stored.filter(each => isAhead(each, now))
  const ahead = [...newest.values()].filter(each => isAhead(each, now)).length
  const named = new Set(came.map(({ release }) => release))
  const last = came.reduce((latest, { at }) => (at > latest ? at : latest), '')
  const gone = expected.filter(each => {
    if (newest.has(keyOf(each)) || !isComplete) return false
    // Beyond its last entry, or about a release that it does not name, a calendar says nothing.
    return isAccepted || (named.has(each.release) && each.at <= last)
  })
  return {
    rows: [...changed, ...gone.map(each => ({ ...each, status: 'POSTPONED' as const }))],
    added,
    moved: changed.length - added,
    withdrawn: gone.length,
    ahead,
    doubt: isAccepted || !isComplete ? null : doubtOf(ahead, expected.length),
  }
}

function doubtOf(ahead: number, expected: number): string | null {
  if (ahead === 0 && expected > 0)
    return `the calendar has no date ahead any more; ${expected} ${expected === 1 ? 'is' : 'are'} stored`
  if (ahead * 2 < expected) return `the calendar has ${ahead} dates ahead; ${expected} are stored`
  return null
}

/** Key of an entry: one source id may stand for several releases. */
function keyOf({ release, sourceId }: Release): string {
  return JSON.stringify([release, sourceId])
}

/** Whether a release has a date that has not come. */
function isAhead({ at, status }: Release, now: Instant): boolean {
  if (status !== 'OFFICIAL' && status !== 'DATE_ONLY') return false
  return parseDay(at) === null ? at > now : at > formatDay(dayOfInstant(now))
}
