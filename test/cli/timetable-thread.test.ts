// The timetable in its thread: it refreshes what is followed by itself, leaves nothing behind, and says why it cannot begin.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTimetableThread, type TimetableTask } from '../../src/cli/timetable-thread.ts'
import { readConfig } from '../../src/config.ts'
import { follow } from '../../src/ingest/follow.ts'
import { type IngestRun, listRuns } from '../../src/storage/ingest-runs.ts'
import { basesOf, ingestAt, keys, newestOf } from '../ingest/support.ts'
import { publish } from '../stand-in/model.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { eventually } from '../support/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { makeWorkspace } from '../support/workspace.ts'

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

function taskAt(target: TimetableTask['target']): TimetableTask {
  const { config } = readConfig({ LOG_LEVEL: 'silent' })
  return {
    target,
    secret: 'a secret of the tests, long enough',
    config: { ...config!, providerBases: basesOf(standIn), providerKeys: keys },
    times: { firstSeconds: 0, pollSeconds: 0.5 },
  }
}

async function connections(): Promise<number> {
  const [row] = await db.owner<{ count: number }[]>`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name in ('assize jobs', 'assize ingest')`
  return row!.count
}

test('it refreshes what is followed, and is gone when it was told to stop', async () => {
  const workspace = await makeWorkspace(db)
  const ingest = ingestAt(db, standIn)
  await follow(ingest, workspace.id, ['BLS/WPU101'])
  await ingest.close()
  await db.owner`update series_state set last_answered_at = '2020-01-01'`
  standIn.publish('BLS', 'WPU101', publish('2026-05', '999.9', '2026-06-14', 'PRELIMINARY'))
  const timetable = await startTimetableThread(taskAt(db.target))
  const isDone = (run: IngestRun) => run.cause === 'timetable' && run.finishedAt !== null
  const runs = await eventually(
    () => listRuns(db.sql, 20),
    found => found.some(isDone),
    40_000,
  )
  expect(runs.find(isDone)).toMatchObject({ provider: 'BLS', asked: 1, problems: [] })
  expect((await newestOf(db.sql, 'BLS', 'WPU101')).at(-1)).toBe('2026-05 999.9 PRELIMINARY')
  expect(await connections()).toBeGreaterThan(0)
  await timetable.stop()
  expect((await timetable.ended)?.message).toBe('its thread ended with status 0')
  expect(await eventually(connections, count => count === 0, 10_000)).toBe(0)
})

test('where it cannot begin, it says why', async () => {
  const away = { url: 'postgres://nobody:nothing@127.0.0.1:1/none' }
  await expect(startTimetableThread(taskAt(away))).rejects.toThrow(/ECONNREFUSED/)
})
