// The timetable starts even if the database was unavailable at first, and restarts if it ended by itself.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { beginTimetable } from '../../src/cli/installation/timetable-start.ts'
import { readConfig } from '../../src/config.ts'
import { startTimetable } from '../../src/ingest/timetable.ts'
import type { DatabaseTarget } from '../../src/storage/postgres/database.ts'
import { eventually } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

/** A port that leads to the database and can be opened and closed. */
class Way {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  port = 0

  constructor(to: () => Socket) {
    this.#server = createServer(from => {
      const onward = to()
      for (const socket of [from, onward]) {
        this.#sockets.add(socket)
        socket.once('close', () => this.#sockets.delete(socket))
        socket.on('error', () => {})
      }
      from.pipe(onward).pipe(from)
    })
  }

  async open(): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.#server.address() as { port: number }).port
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

function wayTo(target: DatabaseTarget): Way {
  if ('url' in target) {
    const { hostname, port } = new URL(target.url)
    return new Way(() => connect(Number.parseInt(port || '5432', 10), hostname))
  }
  const { host, port } = target.endpoint
  return new Way(() => (host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)))
}

function through({ port }: Way, target: DatabaseTarget): DatabaseTarget {
  if (!('url' in target)) return { ...target, endpoint: { ...target.endpoint, host: '127.0.0.1', port } }
  const url = new URL(target.url)
  url.host = `127.0.0.1:${port}`
  return { url: url.href }
}

const { config } = readConfig({})

test('it is retried until the database is available, and stops on request', async () => {
  const way = wayTo(db.target)
  await way.open()
  await way.close()
  const installation = { target: through(way, db.target) }
  const lines: string[] = []
  const log = {
    info: (_facts: object, message: string) => lines.push(message),
    warn: () => {},
    error: (_facts: object, message: string) => lines.push(message),
  }
  const timetable = beginTimetable(() => startTimetable(installation, config!, log), log, { least: 100, most: 400 })
  const failed = await eventually(
    async () => lines.filter(line => line.includes('did not start; it will be retried')),
    found => found.length >= 2,
    30_000,
  )
  expect(failed.length).toBeGreaterThanOrEqual(2)
  await way.open()
  await eventually(
    async () => lines,
    found => found.includes('the timetable of refreshes has started'),
    60_000,
  )
  const queues = await db.owner<{ name: string }[]>`select name from assize_jobs.queue where name like 'refresh-%'`
  expect(queues.length).toBe(15)
  await timetable.stop()
  await way.close()
})

test('it can be stopped while the database is unavailable', async () => {
  const lines: string[] = []
  const log = { info: () => {}, error: (_facts: object, message: string) => lines.push(message) }
  const timetable = beginTimetable(() => Promise.reject(new Error('away')), log, { least: 20, most: 20 })
  await expect.poll(() => lines.length).toBeGreaterThan(1)
  await timetable.stop()
  const { length } = lines
  // A second one of the same pace tries twice meanwhile.
  const tries: string[] = []
  const other = { ...log, error: (_facts: object, message: string) => tries.push(message) }
  const beside = beginTimetable(() => Promise.reject(new Error('away')), other, { least: 20, most: 20 })
  await expect.poll(() => tries.length).toBeGreaterThan(2)
  await beside.stop()
  expect(lines.length).toBe(length)
})

test('one that ends by itself is restarted, and the last one is stopped', async () => {
  const lines: string[] = []
  const log = { info: () => {}, error: ({ reason }: { reason?: string }) => lines.push(reason!) }
  let begun = 0
  let stopped = 0
  const timetable = beginTimetable(
    async () => {
      begun++
      const ended = begun < 3 ? Promise.resolve(new Error(`ended ${begun}`)) : new Promise<Error>(() => {})
      return { ended, stop: async () => void stopped++ }
    },
    log,
    { least: 10, most: 10 },
  )
  await eventually(
    async () => begun,
    count => count === 3,
    10_000,
  )
  await timetable.stop()
  expect(lines).toEqual(['ended 1', 'ended 2'])
  expect([begun, stopped]).toEqual([3, 1])
})
