import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTimetableThread, type TimetableTask } from '../../src/cli/installation/timetable-thread.ts'
import { readConfig } from '../../src/config.ts'
import { providerNames } from '../../src/core/series/series.ts'
import { follow } from '../../src/ingest/follow.ts'
import { askingTimes } from '../../src/ingest/release-times.ts'
import type { IngestLog } from '../../src/ingest/run.ts'
import { calendarQueueOf, queueOf, startTimetable } from '../../src/ingest/timetable.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { jobsSchema } from '../../src/storage/postgres/jobs-database.ts'
import { listRuns } from '../../src/storage/series/ingest-runs.ts'
import { publish } from '../stand-in/model.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { basesOf, ingestAt, keys, newestOf } from './support.ts'

let db: TestDatabase
let standIn: StandIn
beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2026-06-15' })
})
afterAll(async () => {
  await standIn.close()
  await db.close()
})

const quiet: IngestLog = { info: () => {}, warn: () => {} }
const soon = { firstSeconds: 0, pollSeconds: 0.5 }

function start(log: IngestLog = quiet) {
  const installation = { target: db.target }
  return startTimetable(installation, { providerBases: basesOf(standIn), providerKeys: keys, contact: null }, log, soon)
}

async function until(what: () => Promise<boolean>, seconds = 40): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(50)) if (await what()) return
  throw new Error('it did not happen in time')
}

describe('asking times', () => {
  test('every provider has regular ones, and those after releases are in its own time zone', () => {
    for (const name of providerNames) {
      for (const seed of [0, 59, 777, 1439]) {
        const times = askingTimes(providers[name], seed)
        expect(new Set(times.map(({ key }) => key)).size).toBe(times.length)
        for (const { cron } of times)
          expect(cron).toMatch(/^\d{1,2} (?:\*|\d{1,2}(?:,\d{1,2})*) \* \* (?:\*|[1-7,-]+)$/)
        for (const { cron } of times) expect(Number.parseInt(cron, 10)).toBeLessThan(60)
      }
    }
    expect(askingTimes(providers.BLS, 3)[0]).toEqual({
      key: 'release-1',
      cron: '35 8 * * 1-5',
      zone: 'America/New_York',
    })
    expect(askingTimes(providers.WORLD_BANK, 61)).toEqual([{ key: 'regular', cron: '1 1 * * *', zone: 'UTC' }])
  })
})

describe('a server', () => {
  test('refreshes automatically, one run at a time across processes, and records it', async () => {
    const workspace = await makeWorkspace(db)
    const ingest = ingestAt(db, standIn)
    await follow(ingest, workspace.id, ['BLS/WPU101', 'ECB/EXR/M.USD.EUR.SP00.A'])
    await ingest.close()
    await db.owner`update series_state set last_answered_at = '2020-01-01'`
    standIn.publish('BLS', 'WPU101', publish('2026-05', '999.9', '2026-06-14', 'PRELIMINARY'))
    const [one, other] = await Promise.all([start(), start()])
    try {
      await until(async () => (await newestOf(db.sql, 'BLS', 'WPU101')).at(-1) === '2026-05 999.9 PRELIMINARY')
      await until(async () => {
        const ends = await db.owner<{ n: number }[]>`
          select count(distinct name)::int as n from ${db.owner(jobsSchema)}.job where state = 'completed' and name like 'refresh-%'`
        return ends[0]!.n >= 15
      })
      const runs = (await listRuns(db.sql, 100)).filter(run => run.cause === 'timetable')
      expect(runs.map(run => run.provider).sort()).toEqual(['BLS', 'ECB'])
    } finally {
      await Promise.all([one.stop(), other.stop()])
    }
  })

  test('stores its times in the queue, in the time zones of the providers', async () => {
    const schedules = await db.owner<{ name: string; cron: string; timezone: string }[]>`
      select name, cron, timezone from ${db.owner(jobsSchema)}.schedule order by name, key`
    expect(new Set(schedules.map(({ name }) => name)).size).toBe(15 + 6)
    const bls = schedules.filter(({ name }) => name === queueOf({ name: 'BLS' }))
    expect(bls.map(({ timezone }) => timezone).sort()).toEqual(['America/New_York', 'UTC'])
    const calendar = schedules.filter(({ name }) => name === calendarQueueOf({ name: 'BLS' }))
    // Once a day, and not in the minute of the regular requests for values.
    expect(calendar).toMatchObject([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/), timezone: 'UTC' }])
    const minuteOf = ({ cron }: { readonly cron: string }) => Number.parseInt(cron, 10)
    expect(bls.filter(({ timezone }) => timezone === 'UTC').map(minuteOf)).not.toContain(minuteOf(calendar[0]!))
  })

  test('retries unanswered series after a pause, while other providers continue', async () => {
    await db.owner`update series_state set last_answered_at = '2020-01-01'`
    await db.owner`delete from ${db.owner(jobsSchema)}.job`
    standIn.misbehave('BLS', 'status-500')
    const timetable = await start()
    try {
      await until(async () => {
        const jobs = await db.owner<{ state: string; later: boolean }[]>`
          select state::text, start_after > now() + interval '20 seconds' as later
          from ${db.owner(jobsSchema)}.job where name = ${queueOf({ name: 'BLS' })}`
        return jobs.some(({ state, later }) => state === 'retry' && later)
      })
      const runs = (await listRuns(db.sql, 4)).filter(run => run.cause === 'timetable')
      expect(runs.find(run => run.provider === 'ECB')?.problems).toEqual([])
      expect(runs.find(run => run.provider === 'BLS')?.problems).toMatchObject([
        { series: 'BLS/WPU101', kind: 'provider-error' },
      ])
    } finally {
      standIn.behave()
      await timetable.stop()
    }
  })

  test('continues after the database dropped every connection, and says in words what happened', async () => {
    await db.owner`delete from ${db.owner(jobsSchema)}.job`
    const reasons: string[] = []
    const timetable = await start({ ...quiet, warn: facts => reasons.push(String(Object(facts).reason)) })
    // A run that is cut off is only tried again after a minute.
    const isIdle = async () => {
      const [left] = await db.owner<{ n: number }[]>`
        select (select count(*) from ${db.owner(jobsSchema)}.job where state in ('created', 'retry', 'active'))::int
          + (select count(*) from ingest_run where finished_at is null)::int as n`
      return left!.n === 0
    }
    try {
      for (let round = 1; round <= 3; round++) {
        await until(isIdle)
        await db.owner`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name in ('assize jobs', 'assize ingest', 'assize locks')`
        await wait(300)
        const value = `99${round}.5`
        standIn.publish('BLS', 'WPU101', publish('2026-05', value, `2026-06-14T0${round}:00:00Z`, 'PRELIMINARY'))
        await db.owner`update series_state set last_answered_at = '2020-01-01'`
        await db.owner`insert into ${db.owner(jobsSchema)}.job (name, policy) values (${queueOf({ name: 'BLS' })}, 'stately')
          on conflict do nothing`
        await until(async () => (await newestOf(db.sql, 'BLS', 'WPU101')).at(-1) === `2026-05 ${value} PRELIMINARY`)
      }
      await until(isIdle)
      // Every statement of the queue fails for a moment; some of those errors are plain copies. One that was written to a
      // dropped connection has the words of the system.
      await db.owner`alter schema ${db.owner(jobsSchema)} rename to jobs_away`
      await until(async () => reasons.some(reason => /Queue: |object/.test(reason)))
      await db.owner`alter schema jobs_away rename to ${db.owner(jobsSchema)}`
      for (const reason of reasons) expect(reason).toMatch(/does not exist|terminating connection|write EPIPE/)
    } finally {
      await timetable.stop()
    }
  })

  test('stops in the middle of a run and leaves nothing half finished', async () => {
    await db.owner`update series_state set last_answered_at = '2020-01-01'`
    await db.owner`delete from ${db.owner(jobsSchema)}.job`
    standIn.misbehave('ECB', 'slow-headers')
    const timetable = await start()
    await until(async () => standIn.requests.some(({ provider }) => provider === 'ECB'))
    await wait(500)
    await timetable.stop()
    standIn.behave()
    const [open] = await db.owner<{ n: number }[]>`select count(*)::int as n from ingest_run where finished_at is null`
    expect(open!.n).toBe(0)
  })
})

describe('in a thread of its own', () => {
  function taskAt(target: TimetableTask['target']): TimetableTask {
    const { config } = readConfig({ LOG_LEVEL: 'silent' })
    return {
      target,
      config: { ...config!, providerBases: basesOf(standIn), providerKeys: keys },
      times: soon,
    }
  }

  async function connections(): Promise<number> {
    const [row] = await db.owner<{ count: number }[]>`
      select count(*) from pg_stat_activity
      where datname = current_database() and application_name in ('assize jobs', 'assize ingest')`
    return row!.count
  }

  test('it refreshes followed series, and ends when told to stop', async () => {
    await db.owner`delete from ${db.owner(jobsSchema)}.job`
    await db.owner`update series_state set last_answered_at = '2020-01-01'`
    standIn.publish('BLS', 'WPU101', publish('2026-05', '777.7', '2026-06-14T20:00:00Z', 'PRELIMINARY'))
    const timetable = await startTimetableThread(taskAt(db.target))
    await until(async () => (await newestOf(db.sql, 'BLS', 'WPU101')).at(-1) === '2026-05 777.7 PRELIMINARY')
    await until(async () => (await listRuns(db.sql, 100)).every(run => run.finishedAt !== null))
    const runs = await listRuns(db.sql, 100)
    expect(runs.find(run => run.provider === 'BLS')).toMatchObject({ cause: 'timetable', asked: 1, problems: [] })
    expect(await connections()).toBeGreaterThan(0)
    await timetable.stop()
    expect((await timetable.ended)?.message).toBe('its thread ended with status 0')
    await until(async () => (await connections()) === 0)
  })

  test('if it cannot start, it says why', async () => {
    const away = { ...db.target, url: 'postgres://nobody:nothing@127.0.0.1:1/none' }
    await expect(startTimetableThread(taskAt(away))).rejects.toThrow(/ECONNREFUSED/)
  })
})
