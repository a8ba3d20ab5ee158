// Acts that are kept for so many days: what is older goes, but nothing that the stream has not written yet.
import { expect, test } from 'vitest'
import { pruneOnce } from '../../src/audit/retention.ts'
import { readConfig } from '../../src/config.ts'
import { noteAct } from '../../src/storage/audit/audit-acts.ts'
import { loadAuditHealth } from '../../src/storage/audit/audit-places.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { RememberedLines, streamTo, tellAll } from './audit-ground.ts'

const db = ownHouse(openTestDatabase)

const signal = new AbortController().signal
const log = { info() {}, warn() {} }
const dayMs = 86_400_000

/** As on a day so many days from now. */
function prune(destination: string | null, days = 0): Promise<number> {
  return pruneOnce({ sql: db.sql, destination, keptDays: 30, log, nowMs: () => Date.now() + days * dayMs }, signal)
}

async function act(subject: string): Promise<void> {
  await noteAct(db.sql, { act: 'refresh.run', who: 'operator', fromAddress: null, said: 'refreshed', subject })
}

const left = async () =>
  (await db.owner<{ subject: string }[]>`select subject from audit_act order by at`).map(({ subject }) => subject)

test('acts go by age alone where nobody is told, and only what was told where somebody is', async () => {
  await act('before anybody was told')
  expect(await prune(null)).toBe(0)
  expect(await prune(null, 31)).toBe(1)
  const told = new RememberedLines()
  const streaming = streamTo(db.sql, 'test: kept', told)
  await act('one')
  await act('two')
  // Set, but never told anything: all of it waits for it.
  expect(await prune('test: kept', 31)).toBe(0)
  await tellAll(streaming)
  await act('three')
  expect(await prune('test: kept')).toBe(0)
  // The last one with a number stays, and what has none was not told.
  expect(await prune('test: kept', 31)).toBe(1)
  expect(await left()).toEqual(['two', 'three'])
  await tellAll(streaming)
  expect(told.events.map(({ metadata }) => metadata.sequence)).toEqual([1, 2, 3])
})

test('another destination that is told holds acts back, and one that begins later is told what there is', async () => {
  const behind = new RememberedLines()
  behind.onTold = () => Promise.reject(new Error('away'))
  const slow = streamTo(db.sql, 'test: behind', behind)
  await expect(tellAll(slow)).rejects.toThrow('away')
  expect(await prune('test: kept', 31)).toBe(0)
  behind.onTold = async () => {}
  behind.texts.length = 0
  expect(await loadAuditHealth(db.sql, 'test: behind')).toMatchObject({ waiting: 2 })
  await tellAll(slow)
  expect(behind.events.map(({ metadata }) => metadata.sequence)).toEqual([2, 3])
  expect(await loadAuditHealth(db.sql, 'test: behind')).toMatchObject({ waiting: 0, oldestSeconds: 0 })
  expect(await prune('test: kept', 31)).toBe(1)
  expect(await left()).toEqual(['three'])
})

test('acts are deleted in no other way, and the setting is a number of days', async () => {
  await expect(db.owner`delete from audit_act`).rejects.toThrow('append-only')
  await expect(db.sql`delete from audit_act`).rejects.toThrow('permission denied')
  expect(readConfig({}).config!.auditKeptDays).toBeNull()
  expect(readConfig({ ASSIZE_AUDIT_KEEP_DAYS: '400' }).config!.auditKeptDays).toBe(400)
  for (const wrong of ['29', '0', '36501', '1e3', 'a year'])
    expect(readConfig({ ASSIZE_AUDIT_KEEP_DAYS: wrong }).mistakes).toEqual([
      `ASSIZE_AUDIT_KEEP_DAYS must be a whole number of days from 30 to 36500, got ${JSON.stringify(wrong)}`,
    ])
})
