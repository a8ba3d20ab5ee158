// What is known about indices, into the log and back: recorded once, corrected by a newer one, and a row that was changed in the
// database is found.
import { expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { type IndexEvent, isAbout, successorOf } from '../../src/core/index-changes/index-event.ts'
import { allIndexEvents } from '../../src/providers/events/all-events.ts'
import { Library } from '../../src/read/library.ts'
import { addIndexEvent, listIndexEvents, recordOwnEvents } from '../../src/storage/series/index-events.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

const event = (given: Partial<IndexEvent> = {}): IndexEvent => ({
  id: 'bls-wpu-ended',
  provider: 'BLS',
  codes: 'WPU*',
  kind: 'ENDED',
  day: '2026-01-01',
  sentence: 'It ended.',
  successor: null,
  coefficient: null,
  source: 'BLS',
  ...given,
})

test('events of the program are recorded once, and again only when the program says something else', async () => {
  expect(await recordOwnEvents(db.sql, [event(), event({ id: 'other' })])).toBe(2)
  expect(await recordOwnEvents(db.sql, [event(), event({ id: 'other' })])).toBe(0)
  expect(await recordOwnEvents(db.sql, [event({ sentence: 'It ended with December.' })])).toBe(1)
})

test('a correction of an operator stays, whatever the program has said, and what was known before can be asked for', async () => {
  const own = event({ id: 'boj-cgpi', coefficient: { direction: 'NEW_TO_OLD', digits: '1.0820' } })
  await recordOwnEvents(db.sql, [own])
  const corrected = { ...own, coefficient: { direction: 'OLD_TO_NEW', digits: '0.9240' } } as const
  expect(await addIndexEvent(db.sql, corrected, 'ann@installation.test')).toBe('corrected')
  expect(await addIndexEvent(db.sql, corrected, 'ann@installation.test')).toBe('unchanged')
  expect(await recordOwnEvents(db.sql, [own])).toBe(0)
  const versions = (await listIndexEvents(db.sql)).filter(({ id }) => id === own.id)
  expect(versions.map(({ saidBy, coefficient }) => [saidBy, coefficient?.digits])).toEqual([
    ['assize', '1.0820'],
    ['ann@installation.test', '0.9240'],
  ])
  const library = new Library(db.sql, 2 ** 26, { seals: new Seal(makeTestRing()).rows, report: () => {} })
  const { id: workspace } = await makeWorkspace(db)
  const digits = async (knownAt: string | null) =>
    (await library.indexEvents.all(workspace, knownAt)).find(({ id }) => id === own.id)?.coefficient?.digits
  expect(await digits(null)).toBe('0.9240')
  expect(await digits(versions[0]!.recordedAt)).toBe('1.0820')
})

test('what the program knows is stored as it is, and the chain holds over it until somebody changes a row', async () => {
  await recordOwnEvents(db.sql, allIndexEvents)
  const stored = new Map((await listIndexEvents(db.sql)).map(each => [each.id, each]))
  for (const each of allIndexEvents) expect(stored.get(each.id)).toMatchObject(each)
  const problems = async () => (await verifyAllChains(db.owner)).flatMap(({ problem }) => problem?.message ?? [])
  expect(await problems()).toEqual([])
  await db.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`update index_event set digits = '1.083' where id = 'statistik-austria-vpi-2020'`
  })
  expect(await problems()).toEqual([expect.stringMatching(/publication \(index-event of iev_.*\) were changed/)])
})

test('a pattern names the series it is about, and their successors', () => {
  const cgpi = event({ provider: 'BOJ', codes: 'PR01/PRCG15_*', successor: 'PR01/PRCG20_*' })
  expect(isAbout(cgpi, { provider: 'BOJ', code: 'PR01/PRCG15_2200000000' })).toBe(true)
  expect(isAbout(cgpi, { provider: 'BLS', code: 'PR01/PRCG15_2200000000' })).toBe(false)
  expect(isAbout(event({ provider: 'ONS', codes: '*/MM22/*' }), { provider: 'ONS', code: 'GB7S/MM22/M' })).toBe(true)
  expect(isAbout(event({ provider: 'ONS', codes: '*/MM22/*' }), { provider: 'ONS', code: 'D7BT/MM23/M' })).toBe(false)
  expect(isAbout(event({ codes: 'WPU101' }), { provider: 'BLS', code: 'WPU1017' })).toBe(false)
  expect(successorOf(cgpi, 'PR01/PRCG15_2200000000')).toBe('PR01/PRCG20_2200000000')
})
