import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderName } from '../../src/core/series/series.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { dayOfInstant } from '../../src/core/time/instant.ts'
import { findZone } from '../../src/core/time/local-time.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { ParsedRelease, ParsedReleases, ProviderRequest } from '../../src/providers/provider.ts'
import { ask } from './client.ts'
import type { StandInRelease } from './data/default-releases.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import { standInKeys } from './speakers.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await startStandIn({ at: '2026-11-18' })
})
afterAll(() => standIn.close())

/** Reads a calendar page after page; each request is sent once. */
async function readCalendar(provider: ProviderName): Promise<ParsedReleases> {
  const part = providers[provider].releases!
  const codes = standIn.seriesOf(provider).map(({ code }) => code)
  const key = standInKeys[provider] ?? null
  const sent = new Set<string>()
  const parts: ParsedReleases[] = []
  for (const first of part.requests({ today: dayOfInstant(standIn.now), key, codes, known: new Map() })) {
    let request: ProviderRequest | null = first
    while (request !== null && !sent.has(`${request.path} ${request.body}`)) {
      sent.add(`${request.path} ${request.body}`)
      const answer = await ask(standIn.baseOf(provider), request)
      parts.push(part.read(answer))
      request = part.next?.(request, answer) ?? null
    }
  }
  return {
    releases: parts.flatMap(each => each.releases),
    series: parts.flatMap(each => each.series),
    unread: parts.flatMap(each => each.unread),
    problems: parts.flatMap(each => each.problems),
  }
}

function instantOf(entry: StandInRelease): string {
  if (entry.clock === null) return entry.day
  const [hours, minutes] = entry.clock.split(':').map(part => Number.parseInt(part, 10)) as [number, number]
  const zone = findZone(providers[entry.provider].releases!.zone)!
  return zone.instantAt(parseDay(entry.day)!, hours * 3600 + minutes * 60)
}

const badAnswers = [
  'html-200',
  'empty-200',
  'blank-200',
  'null-200',
  'text-200',
  'garbage-bytes',
  'deep-nesting',
  'status-500',
  'status-403',
  'status-404',
  '429-storm',
  'cut-text',
  'doctype',
  'billion-laughs',
] as const satisfies readonly Misbehaviour[]

function isAmong(release: ParsedRelease, truth: readonly ParsedRelease[]): boolean {
  return truth.some(each => JSON.stringify(each) === JSON.stringify(release))
}

const six = ['BLS', 'FRED', 'EUROSTAT', 'ONS', 'STATCAN', 'BIS'] as const

describe.each(six)('the calendar of %s', provider => {
  test('is read as it was announced', async () => {
    const parsed = await readCalendar(provider)
    expect(parsed.problems).toEqual([])
    expect(parsed.unread).toEqual([])
    const today = standIn.now.slice(0, 10)
    // The ONS lists what is still to come.
    const announced = standIn.releasesOf(provider).filter(({ day }) => provider !== 'ONS' || day >= today)
    const read = parsed.releases.map(({ release, period, at, status }) => `${release} ${period} ${at} ${status}`)
    const told = announced.map(entry => {
      const period = provider === 'FRED' ? null : entry.period
      return `${entry.release} ${period} ${instantOf(entry)} ${entry.status}`
    })
    const isInSpan = (line: string) => provider !== 'FRED' || line.split(' ')[2]! >= '2026-10-01'
    expect(read.sort()).toEqual(told.filter(isInSpan).sort())
  })

  test('has a release for a followed series', async () => {
    const { series, releases } = await readCalendar(provider)
    const { releaseOf } = providers[provider].releases!
    const known = new Map(series.map(({ code, release }) => [code, release]))
    const named = standIn.seriesOf(provider).map(({ code }) => known.get(code) ?? releaseOf(code))
    expect(named.some(name => releases.some(({ release }) => release === name))).toBe(true)
  })

  test('bad answers of the stand-in give problems and no wrong dates', async () => {
    const truth = (await readCalendar(provider)).releases
    for (const kind of badAnswers) {
      standIn.misbehave(provider, kind)
      const { releases, problems } = await readCalendar(provider)
      standIn.behave(provider)
      expect([kind, problems.length > 0]).toEqual([kind, true])
      // Of a table that breaks off, the rows before the break are right.
      const right = kind === 'cut-text' && provider === 'BIS' ? truth : []
      expect({ kind, releases }).toEqual({ kind, releases: releases.filter(each => isAmong(each, right)) })
    }
  })
})

test('a moved date is the same entry with another date, a cancelled one is cancelled', async () => {
  const [first] = standIn.releasesOf('BLS').filter(({ release, period }) => release === 'CPI' && period === '2026-11')
  const before = (await readCalendar('BLS')).releases.find(({ sourceId }) => sourceId.startsWith(first!.id))!
  standIn.announce({ ...first!, day: '2026-12-22' })
  const after = (await readCalendar('BLS')).releases.find(({ sourceId }) => sourceId === before.sourceId)
  expect(after).toEqual({ ...before, at: '2026-12-22T13:30:00.000000Z' })
  standIn.announce({ ...first!, status: 'CANCELLED' })
  const cancelled = (await readCalendar('BLS')).releases.find(({ sourceId }) => sourceId === before.sourceId)
  expect(cancelled).toEqual({ ...before, status: 'CANCELLED' })
})

test('an entry can be moved over HTTP', async () => {
  const post = (fields: unknown) =>
    fetch(`${standIn.url}/stand-in/announce`, { method: 'POST', body: JSON.stringify(fields) })
  expect((await post({ provider: 'ONS', id: 'MM23-2026-11', day: '2027-01-06' })).status).toBe(200)
  const { releases } = await readCalendar('ONS')
  expect(releases).toContainEqual(expect.objectContaining({ period: '2026-11', at: '2027-01-06T07:00:00.000000Z' }))
  expect((await post({ provider: 'ONS', id: 'nothing' })).status).toBe(400)
})
