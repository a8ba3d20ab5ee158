// Times of day as a place's clocks show them, turned into instants by that place's rules on that day. The rules are those of
// the IANA database that comes with the runtime; nothing here asks for the time or for the machine's own zone.
import type { Day } from './day.ts'
import { type Instant, instantOfMicros } from './instant.ts'

export interface Zone {
  /** `America/New_York`. */
  readonly name: string
  /**
   * The instant at which the clocks there show so many seconds after midnight of a day. A time that the clocks skip in
   * spring counts by the offset before the change, one that they show twice in autumn is the first of the two: the rules of
   * iCalendar (decision 0310).
   */
  instantAt(day: Day, seconds: number): Instant
}

/** `null` for a name that the runtime does not know. */
export function findZone(name: string): Zone | null {
  const format = formatOf(name)
  if (format === null) return null
  const offsetAt = (seconds: number) => readOffset(format, seconds)
  const instantAt = (day: Day, seconds: number) => {
    const shown = day * secondsPerDay + seconds
    // No zone changes its clocks twice within two days, so these are the offsets before and after any change.
    const [before, after] = [offsetAt(shown - secondsPerDay), offsetAt(shown + secondsPerDay)]
    const isAfterChange = offsetAt(shown - before) !== before && offsetAt(shown - after) === after
    // Of a time shown twice, the offset before the change gives the first.
    return instantOfMicros((shown - (isAfterChange ? after : before)) * 1_000_000)
  }
  return { name, instantAt }
}

const secondsPerDay = 86_400

function formatOf(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
}

/** Seconds ahead of UTC, from `GMT-04:00`; `GMT` alone is none. */
function readOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const text = format.formatToParts(seconds * 1000).find(part => part.type === 'timeZoneName')!.value
  const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text)!
  const [hours, minutes, rest] = match.slice(2).map(part => Number.parseInt(part ?? '0', 10)) as [
    number,
    number,
    number,
  ]
  return (match[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + rest)
}
