// The ingest commands as people and scripts call them, on an embedded database that stays open as it does under a server.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Installation } from '../../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { publish } from '../stand-in/model.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { type Outcome, runCommand, spawnProgram } from '../support/houses/command-house.ts'
import { openInstallation } from '../support/run/prepared-folder.ts'

let folder: string
let installation: Installation
let standIn: StandIn
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-ingest-'))
  installation = await openInstallation(folder)
  await createWorkspace(installation.owner, { slug: 'acme' })
  standIn = await startStandIn({ at: '2026-06-15' })
})
afterAll(async () => {
  await standIn.close()
  await installation.close()
  await rm(folder, { recursive: true, force: true })
})

const environment = () => ({ ASSIZE_DATA: folder, ...standIn.environment })

function assize(...words: readonly string[]): Promise<Outcome> {
  return runCommand(words, environment())
}

/** The log entries of the workspace about a series, oldest first. */
async function notesOn(series: string): Promise<readonly object[]> {
  return installation.owner<object[]>`
    select who, what, from_address as "fromAddress" from activity where subject = ${series} order by at, id`
}

describe('series follow, refresh, quarantine', () => {
  test('series are followed, listed and refreshed; standard output contains only JSON', async () => {
    const followed = await assize('series', 'follow', 'BLS/WPU1017', 'ONS/L522/MM23/M', '--workspace', 'acme', '--json')
    expect({ status: followed.status, err: followed.err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(followed.out)).toMatchObject([
      { series: 'BLS/WPU1017', follows: 'new', outcome: 'changed', frequency: 'MONTHLY', trouble: null },
      { series: 'ONS/L522/MM23/M', follows: 'new', outcome: 'changed', frequency: 'MONTHLY', trouble: null },
    ])
    const note = { who: 'operator', what: 'series followed', fromAddress: null }
    expect([...(await notesOn('BLS/WPU1017')), ...(await notesOn('ONS/L522/MM23/M'))]).toEqual([note, note])
    const listed = JSON.parse((await assize('series', 'list', '--workspace', 'acme', '--json')).out)
    expect(listed.map((each: { series: string }) => each.series)).toEqual(['BLS/WPU1017', 'ONS/L522/MM23/M'])
    standIn.publish('BLS', 'WPU1017', publish('2026-05', '321.000', '2026-06-14T12:30:00Z', 'PRELIMINARY'))
    const refreshed = await assize('refresh', '--provider', 'BLS', '--json')
    expect({ status: refreshed.status, ...JSON.parse(refreshed.out) }).toMatchObject({
      status: 0,
      runs: [{ provider: 'BLS', series: 1, asked: 1, withdrawn: 0, problems: 0 }],
      series: [{ series: 'BLS/WPU1017', outcome: 'changed', trouble: null }],
    })
    const again = await assize('refresh', 'BLS/wpu1017', '--workspace', 'acme')
    expect(again).toEqual({ status: 0, out: '1 series, 1 request: 0 new, 0 revised, 0 withdrawn\n', err: '' })
  })

  test('a failure is one line on standard error and status 1', async () => {
    const unknown = await assize('series', 'follow', 'BLS/NOSUCHSERIES', '--workspace', 'acme')
    expect(unknown).toEqual({
      status: 1,
      out: '',
      err: 'assize: BLS/NOSUCHSERIES: the provider does not know it: Invalid Series for Series NOSUCHSERIES\n',
    })
    standIn.misbehave('ONS', 'html-200')
    const down = await assize('refresh', '--provider', 'ONS', '--json')
    standIn.behave()
    expect([down.status, down.err.trim().split('\n').length, JSON.parse(down.out).runs[0].problems]).toEqual([1, 1, 1])
    expect(await assize('refresh', 'FRED/GDP')).toMatchObject({
      status: 1,
      err: expect.stringContaining('FRED/GDP is not followed'),
    })
    expect(await assize('refresh', '--provider', 'NOBODY')).toMatchObject({
      status: 1,
      err: expect.stringContaining('is not a provider'),
    })
    expect(await assize('series', 'follow', 'BLS/WPU101')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--workspace is missing'),
    })
  })

  test('a rebased history waits in quarantine, is shown, and is released or rejected by its id', async () => {
    standIn.misbehave('BLS', 'rebased')
    const refreshed = await assize('refresh', '--provider', 'BLS')
    standIn.behave()
    expect(refreshed).toMatchObject({ status: 0, err: expect.stringContaining('waits in the quarantine') })
    const listed = await assize('series', 'quarantine', '--json')
    const [entry] = JSON.parse(listed.out)
    expect(entry).toMatchObject({
      series: 'BLS/WPU1017',
      reason: expect.stringContaining('final values would be rewritten'),
    })
    expect((await assize('series', 'quarantine', 'list')).out).toContain(entry.id)
    const rejected = await assize('series', 'quarantine', 'reject', entry.id, '--json', '--as', 'ann@buyer.test')
    expect(JSON.parse(rejected.out)).toEqual({ id: entry.id, series: 'BLS/WPU1017', decision: 'rejected' })
    expect((await notesOn('BLS/WPU1017')).at(-1)).toEqual({
      who: 'ann@buyer.test (by command)',
      what: 'quarantine rejected',
      fromAddress: null,
    })
    expect(await assize('series', 'quarantine', 'release', entry.id)).toMatchObject({ status: 1, out: '' })
    // The web page that ONS sent above is one change of its answers, which still waits.
    expect((await assize('series', 'quarantine')).out).toMatch(
      /^\s*\S+ {2}ONS {2}.*a web page was sent in place of JSON\n$/,
    )
    expect(await assize('series', 'quarantine', 'burn', 'it')).toMatchObject({
      status: 2,
      err: expect.stringContaining('usage: assize series quarantine'),
    })
  })
})

describe('series search', () => {
  test('finds live and in the built-in list', async () => {
    const { status, out } = await assize('series', 'search', 'FRED', 'iron', 'steel', '--json')
    const { results, problems } = JSON.parse(out)
    expect([status, problems]).toEqual([0, []])
    expect(results).toMatchObject([
      { series: 'FRED/WPU101', kind: 'series', source: 'built-in' },
      { series: 'FRED/PCU331110331110', kind: 'series', source: 'live' },
    ])
  })

  test('searches only the built-in list if no provider can be reached', async () => {
    standIn.misbehave('FRED', 'connection-reset')
    const { status, out, err } = await assize('series', 'search', 'FRED', 'diesel')
    standIn.behave()
    expect(status).toBe(0)
    expect(out).toContain('FRED/GASDESW')
    expect(err).toContain('provider-error')
    expect(await assize('series', 'search', 'BLS', 'no such words at all')).toEqual({
      status: 0,
      out: 'Nothing found.\n',
      err: '',
    })
  })
})

describe('the contact', () => {
  const agents = () => new Set(standIn.requests.map(({ headers }) => headers['user-agent']))

  test('is sent to providers: the configured one, or the postmaster of this machine', async () => {
    standIn.forgetRequests()
    await assize('refresh', '--provider', 'BLS')
    expect([...agents()]).toEqual([expect.stringMatching(/^Assize\/\S+ \(contact: postmaster@[A-Za-z0-9.-]+\)$/)])
    standIn.forgetRequests()
    const env = { ...environment(), ASSIZE_CONTACT: 'data@buyer.test' }
    for (const words of [
      ['refresh', '--provider', 'BLS'],
      ['series', 'search', 'FRED', 'steel'],
    ])
      expect(await spawnProgram(words, env, '')).toMatchObject({ status: 0, err: '' })
    expect([...agents()]).toEqual([expect.stringMatching(/^Assize\/\S+ \(contact: data@buyer\.test\)$/)])
    expect(standIn.requests.length).toBeGreaterThanOrEqual(2)
  })
})
