// The lines of the PostgreSQL driver that we patch exist, and nothing else is changed.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { repairDriverText } from './driver-repair.ts'

const driver = readFileSync(new URL('../../node_modules/postgres/src/connection.js', import.meta.url), 'utf8')

/** What a server sends after a connect: accepted without a password, ready for a query. */
const welcome = Buffer.from('520000000800000000' + '5a0000000549', 'hex')

/** A server that accepts every client and fails at the first query. */
async function serveBadly(doWorst: (socket: Socket, server: { stop(): void }) => void) {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(welcome)
      socket.once('data', () => doWorst(socket, { stop: () => server.close() }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** To `begin`. */
const begun = Buffer.from(`430000000a${Buffer.from('BEGIN\0').toString('hex')}`, 'hex')
const inTransaction = Buffer.from('5a0000000554', 'hex')

/** The client: queries once, again as soon as it learns of the failure, and closes its pool. */
const client = `${connecting()}
  const ask = () => sql\`select 1\`.then(() => 'answered', error => error.code)
  console.log(await ask().then(async first => [first, await Promise.race([ask(), ask()])].map(String).join(' ')))
  await sql.end()
  console.log('ended')`

/** Notices the failure of a query in a transaction, and gives up some time later. */
const transaction = `${connecting('fetch_types: false')}
  const giveUp = error => new Promise((_, reject) => setTimeout(reject, 100, error))
  await sql.begin(tx => tx\`select 1\`.catch(giveUp)).catch(error => console.log(error.code))
  // What the transaction did after it had failed.
  await new Promise(resolve => setTimeout(resolve, 300))
  await sql.end()
  console.log('ended')`

function connecting(more = ''): string {
  return `
  import { repairDriver } from '${fileURLToPath(new URL('./driver-repair.ts', import.meta.url))}'
  repairDriver()
  const { default: postgres } = await import('postgres')
  const sql = postgres({ host: '127.0.0.1', port: Number(process.argv[1]), database: 'd', username: 'u', ssl: false,
    max: 1, connect_timeout: 2, onnotice: () => {}, ${more} })`
}

interface Ending {
  readonly status: unknown
  readonly out: string
  readonly err: string
}

function runClient(script: string, port: number): Promise<Ending> {
  const words = ['--input-type=module', '--eval', script, String(port)]
  return new Promise(resolve => {
    execFile(process.execPath, words, { timeout: 60_000, cwd: import.meta.dirname }, (error, out, err) =>
      resolve({ status: error === null ? 0 : error.code, out, err }),
    )
  })
}

describe('the driver', () => {
  const servers: { close(): void }[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'answers every query and closes its pool although the server closes by %s',
    async how => {
      const server = await serveBadly((socket, { stop }) => {
        stop()
        socket[how]()
      })
      servers.push(server)
      const { port } = server.address() as AddressInfo
      const { status, out, err } = await runClient(client, port)
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out).toMatch(/^(?:[A-Z_]+) (?:[A-Z_]+)\nended\n$/)
    },
  )

  test('answers the rollback of a transaction whose connection is closed by then, and closes its pool', async () => {
    const server = await serveBadly(socket => {
      socket.write(Buffer.concat([begun, inTransaction]))
      socket.once('data', () => socket.destroy())
    })
    servers.push(server)
    const { port } = server.address() as AddressInfo
    expect(await runClient(transaction, port)).toEqual({ status: 0, out: 'CONNECTION_CLOSED\nended\n', err: '' })
  })

  test('drops a delayed write when its connection closes, and writes to no closed socket', () => {
    const repaired = repairDriverText(driver)
    expect(driver).not.toContain('if (socket === null) {')
    expect(repaired).toContain(
      '    if (socket === null) {\n      chunk = nextWriteTimer = null\n      return false\n    }',
    )
    expect(repaired.split('chunk = nextWriteTimer = null').length).toBe(
      driver.split('chunk = nextWriteTimer = null').length + 3,
    )
  })

  test('fetches array types without ending the process when the connection fails meanwhile', () => {
    const call = 'return fetchArrayTypes()'
    expect(driver.split(`${call}\n`)).toHaveLength(2)
    expect(repairDriverText(driver).split(`${call}.catch(() => {})\n`)).toHaveLength(2)
  })

  test('refuses a query when its connection is closed', () => {
    const added = repairDriverText(driver).split('if (socket === null)\n      return queryError(q,')
    expect(added).toHaveLength(2)
  })

  test('forgets the query that its connection closed with', () => {
    expect(repairDriverText(driver).split('    query = null\n    closedTime = performance.now()\n')).toHaveLength(2)
  })

  test('leaves other text unchanged', () => {
    expect(repairDriverText('export const x = 1\n')).toBe('export const x = 1\n')
  })
})
