// The commands about release calendars and feeds as people and scripts call them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Installation } from '../../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { openInstallation } from '../support/run/prepared-folder.ts'

let folder: string
let installation: Installation
let standIn: StandIn
const today = new Date().toISOString().slice(0, 10)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-calendar-'))
  installation = await openInstallation(folder)
  await createWorkspace(installation.owner, { slug: 'acme' })
  standIn = await startStandIn({ at: today })
})
afterAll(async () => {
  await standIn.close()
  await installation.close()
  await rm(folder, { recursive: true, force: true })
})

const assize = (...words: readonly string[]) => runCommand(words, { ASSIZE_DATA: folder, ...standIn.environment })
const acme = ['--workspace', 'acme'] as const

test('calendars are refreshed and listed for the series of a workspace, with times and zones', async () => {
  await assize('series', 'follow', 'BLS/WPU1017', 'FRED/CPIAUCNS', ...acme)
  const refreshed = await assize('calendar', 'refresh')
  expect(refreshed.err).toBe('')
  expect(refreshed.out.split('\n')[0]).toMatch(/^BLS +\d+ new +\d+ entries, \d+ ahead$/)
  const again = JSON.parse((await assize('calendar', 'refresh', '--provider', 'BLS', '--json')).out)
  expect(again.calendars).toMatchObject([{ provider: 'BLS', outcome: 'unchanged', new: 0, unread: 0, trouble: null }])

  const listed = await assize('calendar', ...acme)
  const [first] = listed.out.split('\n').filter(line => line.includes('BLS/PPI'))
  expect(first).toMatch(
    /^\d{4}-\d\d-\d\d +1[23]:30 UTC +08:30 America\/New_York +BLS\/PPI +\d{4}-\d\d +Producer Price Index for \w+ \d{4} +official +BLS\/WPU1017$/,
  )
  const rows = JSON.parse((await assize('calendar', ...acme, '--series', 'FRED/CPIAUCNS', '--json')).out)
  expect(new Set(rows.map((row: { provider: string }) => row.provider))).toEqual(new Set(['FRED']))
})

test.each([
  [['--from', '2026-05-01', '--to', '2026-04-01'], '--from must not lie after --to'],
  [['--from', '2026-05-01', '--to', '2028-04-01'], 'at most 366 days apart'],
  [['--from', 'soon'], '--from must be a day'],
  [['--series', 'BLS/X', '--pam', 'x'], 'cannot both be given'],
  [['--provider', 'NOBODY'], 'is not a provider'],
])('calendar %j is refused', async (words, why) => {
  const { status, err } = await assize('calendar', ...acme, ...words)
  expect([status === 0, err]).toEqual([false, expect.stringContaining(why)])
})

test('a calendar in quarantine is listed and rejected', async () => {
  for (const entry of standIn.releasesOf('BIS').filter(({ day }) => day > today))
    standIn.announce({ ...entry, day: '2026-01-05' })
  const { out } = await assize('calendar', 'refresh', '--provider', 'BIS')
  expect(out).toMatch(/^BIS +waits for a decision/)
  const waiting = await assize('calendar', 'quarantine')
  const [id] = waiting.out.trim().split(/\s+/)
  expect(waiting.out).toContain('the calendar has no date ahead any more')
  expect((await assize('calendar', 'quarantine', 'reject', id!)).out).toBe(
    'calendar of BIS: rejected, the stored one stays\n',
  )
  expect((await assize('calendar', 'quarantine')).out).toBe('No calendar waits for a decision.\n')
})

test('a feed is created, listed without its secret, and revoked', async () => {
  const created = await assize('feed', 'create', ...acme, '--name', 'Prices of Acme')
  const [address] = created.out.split('\n')
  expect(address).toMatch(/^http:\/\/.*\/feeds\/asz_feed_[0-9A-Za-z]{32}\.ics$/)
  const listed = await assize('feed', 'list', ...acme)
  expect(listed.out).toMatch(/fed_\w{26} +Prices of Acme +acme +releases and dates +…\w{4} +live +never used/)
  const [id] = /fed_\w{26}/.exec(listed.out)!
  expect((await assize('feed', 'revoke', id!)).out).toBe(`${id}: revoked\n`)
  expect((await assize('feed', 'list', ...acme)).out).toContain('revoked ')
  expect((await assize('feed', 'create', ...acme, '--name', 'x', '--person', 'nobody@x.test')).err).toContain(
    'has no member',
  )
})
