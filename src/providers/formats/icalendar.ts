// Reads iCalendar (RFC 5545): folded lines, parameters, escaped text, and times as days, in UTC, in a named zone or floating.
// It does not expand events that repeat, and takes the rules of a zone from its name, not from the file. Never throws,
// whatever the file contains.
import { formatDay, parseDay } from '../../core/time/day.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { findZone, type Zone } from '../../core/time/local-time.ts'

interface CalendarProperty {
  /** The name in capitals. */
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  /** The text as written, still escaped. */
  readonly value: string
}

interface CalendarComponent {
  /** `VCALENDAR`, `VEVENT`. */
  readonly name: string
  readonly properties: readonly CalendarProperty[]
  readonly components: readonly CalendarComponent[]
  /** A line of its own could not be read. */
  readonly isDamaged: boolean
}

export interface CalendarEvent {
  readonly uid: string | null
  readonly sequence: number
  readonly status: string | null
  readonly summary: string | null
  readonly description: string | null
  /** A day, `2026-11-13`, or an instant; null if it is missing or cannot be read. */
  readonly start: Instant | string | null
  readonly end: Instant | string | null
  /** The start as written, for messages. */
  readonly writtenStart: string
  /** Whether it has a rule or further dates, which are not expanded. */
  readonly repeats: boolean
  readonly isDamaged: boolean
}

type OpenedCalendar =
  | { readonly calendar: CalendarComponent }
  /** The fault in words; a file that breaks off gives nothing. */
  | { readonly fault: string }

export function openCalendar(text: string): OpenedCalendar {
  const lines = unfold(text)
  if (!/^BEGIN:VCALENDAR$/i.test(lines[0] ?? '')) return { fault: 'it does not begin with BEGIN:VCALENDAR' }
  const open: OpenComponent[] = []
  let calendar: CalendarComponent | null = null
  for (const line of lines) {
    const mark = /^(BEGIN|END):([A-Za-z0-9-]+)$/i.exec(line)
    const current = open.at(-1)
    if (mark === null) {
      if (current === undefined) return { fault: 'it has lines outside of its calendar' }
      addLine(current, line)
      continue
    }
    const name = mark[2]!.toUpperCase()
    if (mark[1]!.toUpperCase() === 'BEGIN') {
      if (calendar !== null) return { fault: 'it has more than one calendar' }
      if (open.length >= deepest) return { fault: `its parts are nested more than ${deepest} deep` }
      open.push({ name, properties: [], components: [], isDamaged: false })
    } else {
      if (current?.name !== name) return { fault: `END:${name} closes nothing` }
      open.pop()
      if (open.length === 0) calendar = current
      else open.at(-1)!.components.push(current)
    }
  }
  return calendar === null ? { fault: `it breaks off before END:${open[0]!.name}` } : { calendar }
}

const deepest = 8

interface OpenComponent {
  readonly name: string
  readonly properties: CalendarProperty[]
  readonly components: CalendarComponent[]
  isDamaged: boolean
}

/** Long lines are folded: a line that begins with a space or a tab continues the one before it. */
function unfold(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/(?:\r\n|\n|\r)[ \t]/g, '')
    .split(/\r\n|\n|\r/)
    .filter(line => line.trim() !== '')
}

function addLine(component: OpenComponent, line: string): void {
  const property = readProperty(line)
  if (property === null) component.isDamaged = true
  else component.properties.push(property)
}

/** `DTSTART;TZID="US-Eastern";VALUE=DATE-TIME:20261113T083000`. */
function readProperty(line: string): CalendarProperty | null {
  const name = /^[A-Za-z0-9-]+/.exec(line)?.[0]
  if (name === undefined) return null
  const parameters = new Map<string, string>()
  let at = name.length
  while (line[at] === ';') {
    const parameter = /([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)/y
    parameter.lastIndex = at + 1
    const match = parameter.exec(line)
    if (match === null) return null
    parameters.set(match[1]!.toUpperCase(), match[2]!.replace(/^"([^"]*)"$/, '$1'))
    at = parameter.lastIndex
  }
  return line[at] === ':' ? { name: name.toUpperCase(), parameters, value: line.slice(at + 1) } : null
}

/** The calendar's events in file order. Times without a zone are read by the clocks of `floating`. */
export function eventsOf(calendar: CalendarComponent, floating: Zone): readonly CalendarEvent[] {
  const zones = new Map<string, Zone | null>()
  const zoneOf = (name: string) => {
    if (!zones.has(name)) zones.set(name, findZone(zoneAliases.get(name) ?? name))
    return zones.get(name)!
  }
  return calendar.components.flatMap(component =>
    component.name === 'VEVENT' ? [readEvent(component, floating, zoneOf)] : [],
  )
}

/** Names that some calendars use for zones of the IANA database. */
const zoneAliases: ReadonlyMap<string, string> = new Map([
  ['US-Eastern', 'America/New_York'],
  ['US-Central', 'America/Chicago'],
  ['US-Mountain', 'America/Denver'],
  ['US-Pacific', 'America/Los_Angeles'],
])

function readEvent(component: CalendarComponent, floating: Zone, zoneOf: (name: string) => Zone | null): CalendarEvent {
  const timeOf = (name: string) => {
    const property = onlyOne(component, name)
    return property === null ? null : readTime(property, floating, zoneOf)
  }
  return {
    uid: readText(component, 'UID'),
    sequence: Number.parseInt(/^\d{1,9}$/.exec(readText(component, 'SEQUENCE') ?? '')?.[0] ?? '0', 10),
    status: readText(component, 'STATUS')?.toUpperCase() ?? null,
    summary: readText(component, 'SUMMARY'),
    description: readText(component, 'DESCRIPTION'),
    start: timeOf('DTSTART'),
    end: timeOf('DTEND'),
    writtenStart: component.properties.find(({ name }) => name === 'DTSTART')?.value ?? '',
    repeats: component.properties.some(({ name }) => /^(?:RRULE|RDATE|RECURRENCE-ID)$/.test(name)),
    isDamaged: component.isDamaged,
  }
}

/** A property that must not occur twice; null if it does. */
function onlyOne(component: CalendarComponent, name: string): CalendarProperty | null {
  const own = component.properties.filter(property => property.name === name)
  return own.length === 1 ? own[0]! : null
}

/** The text of a property, its escapes resolved; null if it is missing or empty. */
export function readText(component: CalendarComponent, name: string): string | null {
  const written = onlyOne(component, name)?.value ?? ''
  const text = written.replace(/\\([\\;,nN])/g, (_, mark: string) => (/n/i.test(mark) ? '\n' : mark)).trim()
  return text === '' ? null : text
}

const timePattern = /^(\d{4})(\d{2})(\d{2})(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z?))?$/

function readTime(
  { value, parameters }: CalendarProperty,
  floating: Zone,
  zoneOf: (name: string) => Zone | null,
): Instant | string | null {
  const match = timePattern.exec(value.trim())
  const day = match === null ? null : parseDay(`${match[1]}-${match[2]}-${match[3]}`)
  if (match === null || day === null) return null
  const hasTime = match[4] !== undefined
  const kind = parameters.get('VALUE')?.toUpperCase() ?? (hasTime ? 'DATE-TIME' : 'DATE')
  if (kind !== (hasTime ? 'DATE-TIME' : 'DATE')) return null
  if (!hasTime) return formatDay(day)
  const [hours, minutes, seconds] = match.slice(4, 7).map(part => Number.parseInt(part, 10)) as [number, number, number]
  const zoneName = parameters.get('TZID')
  // A time in UTC with another zone beside it contradicts itself.
  if (match[7] === 'Z')
    return zoneName === undefined ? parseInstant(`${formatDay(day)}T${match[4]}:${match[5]}:${match[6]}Z`) : null
  const zone = zoneName === undefined ? floating : zoneOf(zoneName)
  return zone === null ? null : zone.instantAt(day, hours * 3600 + minutes * 60 + seconds)
}
