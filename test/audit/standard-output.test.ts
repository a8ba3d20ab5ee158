// The audit stream on the standard output of a real process: whole lines for a reader that is slow, and every act when the process is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { noteAct } from '../../src/storage/audit/audit-acts.ts'
import { loadAuditHealth, standardOutput } from '../../src/storage/audit/audit-places.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import type { OcsfEvent } from './audit-ground.ts'

const db = ownHouse(openTestDatabase)
const running: ChildProcess[] = []
afterAll(() => {
  for (const each of running) each.kill('SIGKILL')
})

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)

function start(script: string) {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

test('a reader that is slow gets every line whole, and a line that was broken off is ended', async () => {
  const child = start(`
    import { writeOut } from ${source('audit/standard-output.ts')}
    process.stdout.on('error', () => {})
    const long = JSON.stringify({ text: 'x'.repeat(1_000_000) }) + '\\n'
    const broken = await writeOut(long, AbortSignal.timeout(300)).then(() => 'written', () => 'given up')
    process.stderr.write(broken)
    await writeOut(long + '{"last":true}\\n', AbortSignal.timeout(60_000))`)
  // Nothing is read until the first line was given up.
  const [said] = await once(child.stderr!, 'data')
  expect(String(said)).toBe('given up')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) lines.push(line)
  expect(lines).toHaveLength(3)
  const [broken, whole, last] = lines
  expect(broken!.length).toBeGreaterThan(0)
  expect(() => JSON.parse(broken!)).toThrow()
  expect(JSON.parse(whole!).text).toHaveLength(1_000_000)
  expect(last).toBe('{"last":true}')
})

test('acts are written in order by one process after the other, though the first is killed', async () => {
  const { ring: _, ...place } = db.target
  const serveAudit = () =>
    start(`
    import { startAuditStream } from ${source('audit/open-stream.ts')}
    const log = { info() {}, warn(facts, message) { process.stderr.write(message) } }
    startAuditStream(${JSON.stringify(place)}, { streamsAudit: true, auditKeptDays: null }, log)
    setInterval(() => {}, 1_000)`)
  const events: OcsfEvent[] = []
  const until = (isSo: () => boolean, child: ChildProcess) =>
    new Promise<void>(resolve => {
      createInterface({ input: child.stdout! }).on('line', line => {
        events.push(JSON.parse(line))
        if (isSo()) resolve()
      })
    })
  const note = (subject: string) =>
    noteAct(db.sql, { act: 'refresh.run', who: 'operator', fromAddress: null, said: 'refreshed', subject })
  await note('a')
  await note('b')
  const first = serveAudit()
  await until(() => events.length >= 2, first)
  first.kill('SIGKILL')
  await once(first, 'exit')
  await note('c')
  // Another process may go on when the one that was killed has been silent for long enough.
  await db.owner`update audit_place set held_until = clock_timestamp() where destination = ${standardOutput}`
  const second = serveAudit()
  await until(() => events.at(-1)!.metadata.sequence === 3, second)
  const numbers = events.map(({ metadata }) => metadata.sequence)
  expect([...new Set(numbers)]).toEqual([1, 2, 3])
  await expect.poll(async () => (await loadAuditHealth(db.sql, standardOutput)).waiting).toBe(0)
})

test('ASSIZE_AUDIT is stdout or nothing', () => {
  expect(readConfig({}).config!.streamsAudit).toBe(false)
  expect(readConfig({ ASSIZE_AUDIT: 'stdout' }).config!.streamsAudit).toBe(true)
  for (const wrong of ['file:/var/log/a.jsonl', 'syslog://log.test', 'https://siem.test/in'])
    expect(readConfig({ ASSIZE_AUDIT: wrong }).mistakes).toEqual([
      `ASSIZE_AUDIT must be "stdout": a shipper takes the lines from there, got ${JSON.stringify(wrong)}`,
    ])
})
