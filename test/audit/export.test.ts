// `audit export`: the past as the same bytes that were streamed, and the commands of an operator among them.
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { type OcsfEvent, RememberedLines, streamTo, tellAll } from './audit-ground.ts'
import { ocsfProblems } from './ocsf-schema.ts'

const house = ownHouse(openCommandHouse)

test('what commands do is exported as the bytes that were streamed, also into a file of its own', async () => {
  const { id, slug } = await house.makeWorkspace()
  const at = async () => {
    const [row] = await house.installation.owner<{ now: string }[]>`select clock_timestamp() as now`
    return row!.now
  }
  const from = await at()
  const made = await house.run(['key', 'create', '--workspace', slug, '--name', 'erp', '--as', 'boss@operator.test'])
  const set = await house.run(['unit', 'set', 'box', 'piece', '12.75', '--workspace', slug])
  const renamed = await house.run(['workspace', 'set', slug, '--rate-limit', '77'])
  expect([made, set, renamed].map(({ status, err }) => [status, err])).toEqual(Array(3).fill([0, '']))
  const to = await at()
  const told = new RememberedLines()
  await tellAll(streamTo(house.installation.sql, `test: ${slug}`, told))
  const mine = (lines: readonly string[]) => lines.filter(line => line.includes(id))
  const streamed = mine(told.texts)
  const exported = await house.run(['audit', 'export', '--from', from, '--to', to])
  expect(mine(exported.out.split('\n'))).toEqual(streamed)
  const events = streamed.map(line => JSON.parse(line) as OcsfEvent)
  expect(events.map(({ metadata }) => metadata.event_code)).toEqual(['key.create', 'unit.set', 'workspace.change'])
  expect(events.flatMap(ocsfProblems)).toEqual([])
  expect(events[0]).toMatchObject({ actor: { user: { name: 'boss@operator.test' } }, src_endpoint: { name: 'local' } })
  expect(streamed.join('')).not.toContain('12.75')

  const file = join(dirname(await house.write('beside', '')), `${slug}.jsonl`)
  expect((await house.run(['audit', 'export', '--from', from, '--to', to, '--out', file])).status).toBe(0)
  expect(await readFile(file, 'utf8')).toBe(exported.out)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const again = await house.run(['audit', 'export', '--from', from, '--to', to, '--out', file])
  expect(again.err).toContain('exists already')
})

test('an export goes on behind the last act that a collector has', async () => {
  const { id, slug } = await house.makeWorkspace()
  for (const name of ['one', 'two', 'three'])
    expect((await house.run(['key', 'create', '--workspace', slug, '--name', name])).status).toBe(0)
  const exported = async (after: number) => {
    const { out } = await house.run(['audit', 'export', '--after', String(after)])
    return out.trimEnd().split('\n')
  }
  const all = await exported(0)
  const mine = all.filter(line => line.includes(id))
  const [, second] = mine.map(line => (JSON.parse(line) as OcsfEvent).metadata.sequence)
  const behind = await exported(second!)
  expect(behind[0]).toBe(mine[2])
  expect(behind.map(line => (JSON.parse(line) as OcsfEvent).metadata.sequence)[0]).toBe(second! + 1)
  const both = await house.run(['audit', 'export', '--after', '1', '--from', '2026-01-01', '--to', '2026-01-02'])
  expect([both.status, both.err]).toEqual([2, expect.stringContaining('--after goes without --from and --to')])
  expect((await house.run(['audit', 'export', '--after', '-1'])).status).toBe(2)
})

test('an export needs a span of time, and is an act itself', async () => {
  const wrong = await house.run(['audit', 'export', '--from', 'yesterday', '--to', '2026-01-01'])
  expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('--from must be a day or an instant')])
  await house.run(['audit', 'export', '--from', '2001-02-03', '--to', '2001-02-04'])
  const [noted] = await house.installation.owner`select who from audit_act where subject like '2001-02-03T%'`
  expect(noted).toEqual({ who: 'operator' })
})
