// Times of day as a place's clocks show them, turned into instants by that place's rules on that day. The rules come from the
// runtime's IANA database; nothing here asks for the time or for the machine's own zone.
import type { Day } from './day.ts'
import { type Instant, instantOfMicros } from './instant.ts'

export interface Zone {
  /** `America/New_York`. */
  readonly name: string
  /**
   * The instant at which the clocks there show so many seconds after midnight of a day. A time that the clocks skip in
   * spring counts by the offset before the change, one that they show twice in autumn is the first of the two: the rules of
   * iCalendar (decision 0310), which Temporal calls `compatible`.
   */
  instantAt(day: Day, seconds: number): Instant
}

/** `null` for a name that the runtime does not know. */
export function findZone(name: string): Zone | null {
  if (!isKnown(name)) return null
  const instantAt = (day: Day, seconds: number) => {
    const shown = firstMidnight.add({ days: day, seconds })
    return instantOfMicros(shown.toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds * 1_000)
  }
  return { name, instantAt }
}

/** The beginning of day 0. */
const firstMidnight = new Temporal.PlainDateTime(1970, 1, 1)

function isKnown(name: string): boolean {
  try {
    firstMidnight.toZonedDateTime(name)
    return true
  } catch {
    return false
  }
}
