// What asking for release calendars guarantees, tested against the stand-in: what is new and what moved is announced once,
// nothing is asked of a provider that its limits do not allow, problems are lines of the run, and a calendar that suddenly says
// much less waits for a person.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderName } from '../../src/core/series/series.ts'
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import {
  calendarProviders,
  isCalendarDue,
  refreshCalendar,
  refreshCalendars,
} from '../../src/ingest/calendar/calendar.ts'
import { rejectCalendar, releaseCalendar } from '../../src/ingest/calendar/calendar-decision.ts'
import { follow } from '../../src/ingest/follow.ts'
import type { OpenIngest } from '../../src/ingest/ingest-connections.ts'
import { loadCalendarNow, loadPublicSeriesReleases } from '../../src/storage/series/calendar.ts'
import { listCalendarStates, listQuarantinedCalendars } from '../../src/storage/series/calendar-state.ts'
import { listRuns } from '../../src/storage/series/ingest-runs.ts'
import { listPublicSeries } from '../../src/storage/series/public-series.ts'
import { SeriesLocks } from '../../src/storage/series/series-locks.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { ingestAt } from './support.ts'

let db: TestDatabase
let standIn: StandIn
let ingest: OpenIngest
const logged: string[] = []
/** The stand-in's day: its calendars have entries before and after it. */
const now = '2026-11-18T09:00:00.000000Z'
beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2026-11-18' })
  const log = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }))
  ingest = ingestAt(db, standIn, { clock: () => now, sleep: async () => {}, log: { info: log, warn: log } })
  const workspace = (await makeWorkspace(db)).id
  await follow(ingest, workspace, ['FRED/CPIAUCNS', 'BLS/CUUR0000SA0'])
})
afterAll(async () => {
  await ingest.close()
  await standIn.close()
  await db.close()
})
beforeEach(async () => {
  standIn.behave()
  await db.owner`delete from provider_pause`
  await db.owner`delete from provider_request`
})

const calendarOf = (name: ProviderName) => calendarProviders().find(each => each.name === name)!
const refresh = (name: ProviderName) => refreshCalendar(ingest, calendarOf(name))
const stored = async (name: ProviderName) =>
  new Map((await loadCalendarNow(db.sql, name)).map(each => [`${each.release} ${each.sourceId}`, each]))

test('every calendar is read and announced once, and a second look brings nothing', async () => {
  const runs = await refreshCalendars(ingest, calendarProviders())
  expect(runs.map(({ provider, outcome, problems }) => [provider, outcome.kind, problems])).toEqual(
    ['BLS', 'FRED', 'EUROSTAT', 'ONS', 'STATCAN', 'BIS'].map(name => [name, 'changed', []]),
  )
  for (const { provider, entries, ahead } of runs) {
    expect([provider, (await stored(provider)).size]).toEqual([provider, entries])
    expect(ahead).toBeGreaterThan(0)
  }
  const again = await refreshCalendars(ingest, calendarProviders())
  expect(again.map(({ outcome }) => outcome.kind)).toEqual(again.map(() => 'unchanged'))
  expect((await listRuns(db.sql, 100)).filter(({ cause }) => cause === 'calendar')).toHaveLength(12)
})

test('which release a series comes with is kept where only an answer says so, and not asked for again', async () => {
  await refresh('FRED')
  const [series] = await listPublicSeries(db.sql, { provider: 'FRED', codes: ['CPIAUCNS'] })
  expect([...(await loadPublicSeriesReleases(db.sql, [series!.id])).values()]).toEqual(['10'])
  standIn.forgetRequests()
  await refresh('FRED')
  const asked = standIn.requests.map(({ path }) => path.split('?')[0])
  expect(asked.filter(path => path?.includes('series'))).toEqual([])
  expect(asked.length).toBeGreaterThan(0)
})

test('a moved date and a cancelled one are announced, each alone', async () => {
  await refresh('BLS')
  const [moved, cancelled] = standIn.releasesOf('BLS').filter(({ day }) => day > '2026-11-18')
  standIn.announce({ ...moved!, day: formatDay(parseDay(moved!.day)! + 9) })
  standIn.announce({ ...cancelled!, status: 'CANCELLED' })
  const before = await stored('BLS')
  expect((await refresh('BLS')).outcome).toEqual({ kind: 'changed', added: 0, moved: 2, withdrawn: 0 })
  const after = await stored('BLS')
  const changed = [...after].filter(([key, each]) => each.seq !== before.get(key)?.seq).map(([, each]) => each)
  expect(changed.map(({ status }) => status).sort()).toEqual(['CANCELLED', 'OFFICIAL'])
  standIn.announce(moved!)
  standIn.announce(cancelled!)
  await refresh('BLS')
})

test('a provider in trouble is a line of the run, and what is stored stays', async () => {
  await refresh('EUROSTAT')
  const before = await stored('EUROSTAT')
  standIn.misbehave('EUROSTAT', 'html-200')
  const run = await refresh('EUROSTAT')
  expect(run.outcome.kind).toBe('failed')
  expect(await stored('EUROSTAT')).toEqual(before)
  const [newest] = await listRuns(db.sql, 1)
  expect(newest).toMatchObject({
    cause: 'calendar',
    problems: [{ series: 'EUROSTAT calendar', kind: 'provider-error' }],
  })
  const state = (await listCalendarStates(db.sql)).find(({ provider }) => provider === 'EUROSTAT')
  expect(state).toMatchObject({ trouble: expect.stringContaining('the provider has a problem'), entries: before.size })
  standIn.behave()
  await refresh('EUROSTAT')
  expect((await listCalendarStates(db.sql)).map(({ trouble }) => trouble)).not.toContain(state!.trouble)
})

test('no key is in a log, a run or a kept answer', async () => {
  await refresh('FRED')
  const kept = await db.owner`select address from raw_answer where provider = 'FRED'`
  const texts = [...logged, JSON.stringify(kept), JSON.stringify(await listRuns(db.sql, 100))].join('\n')
  expect(texts).toContain('/fred/release')
  expect(texts).not.toContain(ingest.keys.get('FRED')!)
})

test('another run of the same calendar is left to itself', async () => {
  const locks = new SeriesLocks(db.target)
  const taken = await locks.take(['BIS calendar'])
  expect((await refresh('BIS')).outcome.kind).toBe('busy')
  await locks.release(taken)
  await locks.close()
  expect((await refresh('BIS')).outcome.kind).not.toBe('busy')
})

test('the timetable asks once a day, where somebody follows a series or asked before', async () => {
  await refresh('BLS')
  const later = (hours: number) => new Date(Date.parse(now) + hours * 3_600_000).toISOString().replace('Z', '000Z')
  const dueAfter = (hours: number) => isCalendarDue({ sql: db.sql, clock: () => later(hours) }, calendarOf('BLS'))
  expect([await dueAfter(1), await dueAfter(19), await dueAfter(21)]).toEqual([false, false, true])
})

describe('a calendar that suddenly says much less', () => {
  /** All entries ahead, or all but a few, as if they had been on past days. */
  async function shrink(name: ProviderName, kept: number): Promise<() => void> {
    const ahead = standIn.releasesOf(name).filter(({ day }) => day > '2026-11-18')
    for (const entry of ahead.slice(kept)) standIn.announce({ ...entry, day: '2026-11-02' })
    return () => {
      for (const entry of ahead) standIn.announce(entry)
    }
  }

  test('waits for a person while the old one stays, and is forgotten when the provider recovers', async () => {
    await refresh('STATCAN')
    const before = await stored('STATCAN')
    const restore = await shrink('STATCAN', 0)
    expect((await refresh('STATCAN')).outcome).toMatchObject({
      kind: 'quarantined',
      reason: expect.stringContaining('no date ahead'),
    })
    expect(await stored('STATCAN')).toEqual(before)
    expect(await listQuarantinedCalendars(db.sql)).toMatchObject([{ provider: 'STATCAN' }])
    restore()
    expect((await refresh('STATCAN')).outcome.kind).toBe('unchanged')
    expect(await listQuarantinedCalendars(db.sql)).toEqual([])
  })

  test('is not asked about again after it was rejected, and is published when a person says so', async () => {
    await refresh('BLS')
    const before = await stored('BLS')
    const restore = await shrink('BLS', 2)
    expect((await refresh('BLS')).outcome).toMatchObject({
      kind: 'quarantined',
      reason: expect.stringMatching(/2 dates ahead; \d+ are stored/),
    })
    const [first] = await listQuarantinedCalendars(db.sql)
    await rejectCalendar(first!.id, { sql: db.sql, clock: () => now, by: 'otto' })
    expect((await refresh('BLS')).outcome.kind).toBe('rejected')
    expect(await listQuarantinedCalendars(db.sql)).toEqual([])
    expect(await stored('BLS')).toEqual(before)

    // Another one, which differs by an entry.
    standIn.announce({ ...standIn.releasesOf('BLS')[0]!, day: '2026-11-03' })
    expect((await refresh('BLS')).outcome.kind).toBe('quarantined')
    const [second] = await listQuarantinedCalendars(db.sql)
    const locks = new SeriesLocks(db.target)
    const { comparison } = await releaseCalendar(second!.id, { sql: db.sql, clock: () => now, locks, by: 'otto' })
    await locks.close()
    expect(comparison.moved).toBeGreaterThan(2)
    expect(await listQuarantinedCalendars(db.sql)).toEqual([])
    expect((await refresh('BLS')).outcome.kind).toBe('unchanged')
    await expect(releaseCalendar(second!.id, { ...ingest, by: 'otto' })).rejects.toThrow('no calendar with the id')
    restore()
  })
})
