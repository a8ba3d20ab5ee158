// Positions of the marks on a timeline: one lane for each provider, releases of the same days together.
import type { DueRelease } from '../../../src/views/shapes/due.ts'
import { isAnnounced } from './words.ts'

/** Days, both included. */
export interface Span {
  readonly from: string
  readonly to: string
}

export interface Mark {
  readonly key: string
  readonly releases: readonly DueRelease[]
  /** Distance from the left, in percent of the track. */
  readonly at: number
  /** Width of the days on which it is still usual. */
  readonly width: number
  readonly look: 'official' | 'learned' | 'late'
}

interface Lane {
  readonly provider: string
  readonly marks: readonly Mark[]
}

/** The lane with the nearest release first. */
export function lanesOf(releases: readonly DueRelease[], span: Span): readonly Lane[] {
  const byProvider = Map.groupBy(releases, ({ provider }) => provider)
  return [...byProvider].map(([provider, own]) => {
    const marks = togetherOn(own, span).map(together => markOf(provider, together, span))
    return { provider, marks }
  })
}

/** Marks that are nearer than this, in percent of the track, would hide each other. */
const nearest = 2

function togetherOn(releases: readonly DueRelease[], span: Span): readonly (readonly DueRelease[])[] {
  const place = (release: DueRelease) => placeOf(dayWithin(release.at, span), span)
  const groups: DueRelease[][] = []
  for (const release of releases.toSorted((a, b) => place(a) - place(b))) {
    const last = groups.at(-1)
    if (last !== undefined && place(release) - place(last[0]!) < nearest) last.push(release)
    else groups.push([release])
  }
  return groups
}

function markOf(provider: string, releases: readonly DueRelease[], span: Span): Mark {
  const [first] = releases as [DueRelease, ...DueRelease[]]
  const at = placeOf(dayWithin(first.at, span), span)
  const end = Math.max(...releases.map(({ latestAt }) => placeOf(dayWithin(latestAt, span), span)))
  const looks = releases.map(lookOf)
  const look = pressing.find(each => looks.includes(each))!
  return { key: `${provider} ${first.key}`, releases, at, width: look === 'learned' ? Math.max(0, end - at) : 0, look }
}

/** A mark of several releases looks like the first of these. */
const pressing = ['late', 'official', 'learned'] as const

function lookOf({ isLate, basis, status }: DueRelease): Mark['look'] {
  if (isLate || status === 'CANCELLED') return 'late'
  return isAnnounced(basis) ? 'official' : 'learned'
}

/** Day within the span: a figure that should have come by now is at the left end. */
function dayWithin(at: string, { from, to }: Span): string {
  const day = at.slice(0, 10)
  return day < from ? from : day > to ? to : day
}

const dayMs = 86_400_000

function placeOf(day: string, { from, to }: Span): number {
  const length = Math.max(1, (Date.parse(to) - Date.parse(from)) / dayMs)
  return ((Date.parse(day) - Date.parse(from)) / dayMs / length) * 100
}

interface Month {
  /** First day of the month. */
  readonly day: string
  readonly at: number
}

export function monthsIn(span: Span): readonly Month[] {
  const months: Month[] = []
  const last = Date.parse(span.to)
  for (let month = firstOfNext(span.from); Date.parse(month) <= last; month = firstOfNext(month))
    months.push({ day: month, at: placeOf(month, span) })
  return months
}

function firstOfNext(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}
