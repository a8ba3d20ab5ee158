// Instants as text in one canonical form, `2024-04-11T12:30:00.000000Z`, which sorts as it reads. Microseconds, because
// the database counts in them. Nothing here asks for the time.
import { type Day, formatDay, pad, parseDay } from './day.ts'

/** Always UTC, always six decimals. */
export type Instant = string

const firstDay = parseDay('0001-01-01')!
const lastDay = parseDay('9999-12-31')!

const instantPattern = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

const canonicalLength = '2024-04-11T12:30:00.000000Z'.length

/** Reads an RFC 3339 instant with any offset; `null` for anything else. Digits beyond the microsecond are dropped. */
export function parseInstant(text: string): Instant | null {
  const match = instantPattern.exec(text)
  if (!match) return null
  const day = parseDay(match[1]!)
  const [hour, minute, second] = match.slice(2, 5).map(part => Number.parseInt(part, 10)) as [number, number, number]
  if (day === null || hour > 23 || minute > 59 || second > 59) return null
  // Nearly every one is stored in this form already.
  if (text.length === canonicalLength && text[10] === 'T' && text.endsWith('Z')) return text
  const offset = readOffsetMinutes(match[6]!)
  if (offset === null) return null
  const minutes = day * 1440 + hour * 60 + minute - offset
  const utcDay = Math.floor(minutes / 1440)
  // At the ends of the calendar an offset may lead outside it.
  if (utcDay < firstDay || utcDay > lastDay) return null
  const rest = minutes - utcDay * 1440
  const fraction = (match[5] ?? '').padEnd(6, '0').slice(0, 6)
  return `${formatDay(utcDay)}T${pad(Math.floor(rest / 60), 2)}:${pad(rest % 60, 2)}:${pad(second, 2)}.${fraction}Z`
}

function readOffsetMinutes(text: string): number | null {
  if (text === 'Z' || text === 'z') return 0
  const hours = Number.parseInt(text.slice(1, 3), 10)
  const minutes = Number.parseInt(text.slice(4, 6), 10)
  if (hours > 23 || minutes > 59) return null
  return (text[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** A day counts from its first instant; `null` where the text is neither a day nor an instant. */
export function parseDayOrInstant(text: string): Instant | null {
  const day = parseDay(text)
  return day === null ? parseInstant(text) : startOfDay(day)
}

/** The instant of a cut: a day is inclusive, to its last microsecond. */
export function parseCut(text: string): Instant | null {
  const day = parseDay(text)
  return day === null ? parseInstant(text) : endOfDay(day)
}

export function startOfDay(day: Day): Instant {
  return `${formatDay(day)}T00:00:00.000000Z`
}

export function endOfDay(day: Day): Instant {
  return `${formatDay(day)}T23:59:59.999999Z`
}

export function dayOfInstant(instant: Instant): Day {
  return parseDay(instant.slice(0, 10))!
}

/** A publication whose time of day is unknown is written as a day. */
export function formatPublished(instant: Instant): string {
  return instant.endsWith('T00:00:00.000000Z') ? instant.slice(0, 10) : instant.replace(/\.?0+Z$/, 'Z')
}

/** Microseconds since 1970: whole numbers that compare fast. Exact from the year 1684 to the year 2255. */
export type Micros = number

const microsPerDay = 86_400_000_000

export function microsOf(instant: Instant): Micros {
  const part = (from: number, to: number) => Number.parseInt(instant.slice(from, to), 10)
  const seconds = part(11, 13) * 3600 + part(14, 16) * 60 + part(17, 19)
  return dayOfInstant(instant) * microsPerDay + seconds * 1_000_000 + part(20, 26)
}

/** The last instant before another. */
export function justBefore(instant: Instant): Instant {
  return instantOfMicros(microsOf(instant) - 1)
}

export function instantOfMicros(micros: Micros): Instant {
  const day = Math.floor(micros / microsPerDay)
  const rest = micros - day * microsPerDay
  const seconds = Math.floor(rest / 1_000_000)
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(part => pad(part, 2))
  return `${formatDay(day)}T${clock.join(':')}.${pad(rest - seconds * 1_000_000, 6)}Z`
}
