// Connections that are lost, closed or refused at the worst moment: every statement is answered, every pool can be closed, and
// what comes later works.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  connectionTo,
  type DatabaseTarget,
  openApplication,
  openOwner,
  type Sql,
} from '../../src/storage/postgres/database.ts'
import { openPool, type Pool } from '../../src/storage/postgres/sql.ts'
import { asRole, openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    error => error.code ?? error.message,
  )

/** What a server sends after a connect: accepted without a password, ready for a query. */
const welcome = Buffer.from('520000000800000000' + '5a0000000549', 'hex')
/** Its answer to `begin`. */
const begun = Buffer.from(`430000000a${Buffer.from('BEGIN\0').toString('hex')}5a0000000554`, 'hex')

describe('a server that closes', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  /** Accepts every client, and does its worst at the first statement. */
  async function serve(doWorst: (socket: Socket, server: Server) => void, isWelcoming = true): Promise<Pool> {
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', () => {
        if (isWelcoming) socket.write(welcome)
        socket.once('data', () => doWorst(socket, server))
      })
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return openPool({
      host: '127.0.0.1',
      port,
      user: 'u',
      password: 'p',
      database: 'd',
      ssl: false,
      isPlainAllowed: false,
      settings: {},
      connectTimeoutMs: 500,
      most: 1,
      isRenewed: false,
    })
  }

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'by %s gets every statement answered, those it never saw included, and the pool closes',
    async how => {
      const sql = await serve((socket, server) => {
        server.close()
        socket[how]()
      })
      const lost = /^(?:CONNECTION_CLOSED|ECONNRESET|ECONNREFUSED|EPIPE)$/
      const first = await codeOf(sql`select 1`)
      const next = await Promise.all([codeOf(sql`select 1`), codeOf(sql`select 2`), codeOf(sql.begin(() => 'never'))])
      for (const code of [first, ...next]) expect(code).toMatch(lost)
      await sql.end()
    },
  )

  test('during a transaction gets its rollback answered, however late it comes', async () => {
    const sql = await serve(socket => {
      socket.write(begun)
      socket.once('data', () => socket.destroy())
    })
    const rolledBack = Promise.withResolvers<void>()
    const giveUp = async (error: Error) => {
      // By now the connection is closed.
      setTimeout(rolledBack.resolve, 50)
      await rolledBack.promise
      throw error
    }
    expect(await codeOf(sql.begin(tx => tx`select 1`.catch(giveUp)))).toBe('CONNECTION_CLOSED')
    await rolledBack.promise
    await sql.end()
  })

  test('before it has let anybody in, or that never answers, is one that cannot be reached', async () => {
    const sql = await serve(() => {}, false)
    expect(await Promise.all([codeOf(sql`select 1`), codeOf(sql`select 2`)])).toEqual(Array(2).fill('CONNECT_TIMEOUT'))
    await sql.end()
  })

  test('that is not there refuses everybody who waits for a connection, and the pool closes', async () => {
    // The second may stand for several addresses.
    for (const host of ['127.0.0.1', 'localhost']) {
      const nowhere: DatabaseTarget = { endpoint: { host, port: 1, user: 'u', password: 'p' }, database: 'd' }
      const sql = openApplication(nowhere, { connections: 2 })
      const asked = Array.from({ length: 5 }, () => codeOf(sql`select 1`))
      expect(await Promise.all(asked)).toEqual(Array(5).fill('ECONNREFUSED'))
      await expect(sql`select 1`).rejects.toThrow(/^connect ECONNREFUSED/)
      await sql.end()
    }
  })

  test('that wants a password and gets none, or has no encryption where it is asked for, cannot be reached either', async () => {
    const silent = openOwner(asRole(db.target, 'assize', ''))
    expect(await codeOf(silent`select 1`)).toMatch(/^(?:CONNECTION_REFUSED|28P01|28000)$/)
    await silent.end()
    const encrypted = { ssl: { rejectUnauthorized: false }, most: 1, isRenewed: false }
    for (const [isPlainAllowed, code] of [[false, 'CONNECTION_REFUSED'] as const, [true, 'answered'] as const]) {
      const sql = openPool({ ...connectionTo(db.target, {}), ...encrypted, isPlainAllowed })
      expect(await codeOf(sql`select 1`)).toBe(code)
      await sql.end()
    }
  })
})

/** A pool of one connection, and how to end that connection from the server's side. */
async function openOne(): Promise<{ readonly sql: Sql; kill(): Promise<void> }> {
  const sql = openOwner(db.target, { connections: 1 })
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return { sql, kill: async () => void (await db.owner`select pg_terminate_backend(${row!.pid}, 5000)`) }
}

describe('a connection that the server ends', () => {
  test('while nobody uses it is replaced by the next statement or the one after it', async () => {
    const { sql, kill } = await openOne()
    await kill()
    await codeOf(sql`select 1`)
    expect(await codeOf(sql`select 1`)).toBe('answered')
    await sql.end()
  })

  test('ends its transaction at once, also where the work waits for something else', async () => {
    const { sql, kill } = await openOne()
    const begun = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    const transaction = codeOf(
      sql.begin(() => {
        begun.resolve()
        return never.promise
      }),
    )
    await begun.promise
    await kill()
    expect(await transaction).toMatch(/^(?:CONNECTION_CLOSED|ECONNRESET)$/)
    expect(await codeOf(sql`select 1`)).toBe('answered')
    await sql.end()
  })

  test('during a statement, with others sent behind it, answers all of them', async () => {
    const { sql, kill } = await openOne()
    const asked: Promise<string>[] = []
    const transaction = sql.begin(async tx => {
      asked.push(codeOf(tx`select pg_sleep(600)`), codeOf(tx`select 1`), codeOf(tx`select 2`))
      await kill()
      await Promise.all(asked)
    })
    expect(await codeOf(transaction)).not.toBe('answered')
    expect(asked).toHaveLength(3)
    for (const code of await Promise.all(asked)) expect(code).toMatch(/^(?:57P01|CONNECTION_CLOSED|ECONNRESET)$/)
    await sql.end()
  })

  test('during a COPY in either direction is an error of the COPY', async () => {
    for (const direction of ['in', 'out'] as const) {
      const { sql, kill } = await openOne()
      const copied = sql.begin(async tx => {
        if (direction === 'in') {
          await tx`create temporary table line (text text) on commit drop`
          const copy = await tx`copy line from stdin`.copyIn()
          await kill()
          for (;;) await copy.write(`${'x'.repeat(99_999)}\n`)
        }
        const rows = tx`copy (select repeat('x', 1000) from generate_series(1, 1000000)) to stdout`.copyOut()
        for await (const _ of rows) await kill()
      })
      expect(await codeOf(copied), direction).toMatch(/^(?:57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/)
      expect(await codeOf(sql`select 1`), direction).toBe('answered')
      await sql.end()
    }
  })
})

describe('a pool that is closed', () => {
  test('answers what runs and what waits for a connection, and refuses what comes later', async () => {
    const { sql } = await openOne()
    const asked = [codeOf(sql`select pg_sleep(0.05)`), codeOf(sql`select 1`), codeOf(sql.begin(tx => tx`select 1`))]
    const ended = sql.end()
    expect(await codeOf(sql`select 1`)).toBe('CONNECTION_ENDED')
    await ended
    expect(await Promise.all(asked)).toEqual(Array(3).fill('answered'))
  })

  test('after its time does not wait for what still runs', async () => {
    const { sql } = await openOne()
    const asked = [codeOf(sql`select pg_sleep(600)`), codeOf(sql`select 1`)]
    const transaction = codeOf(sql.begin(tx => tx`select 1`))
    await sql.end({ timeout: 0 })
    expect(await Promise.all([...asked, transaction])).toEqual(Array(3).fill('CONNECTION_DESTROYED'))
  })

  test('while it opens its first connection closes that too', async () => {
    const sql = openOwner(db.target)
    const asked = codeOf(sql`select 1`)
    await sql.end({ timeout: 0 })
    expect(await asked).toMatch(/^(?:answered|CONNECTION_DESTROYED)$/)
  })
})

describe('a transaction', () => {
  test('fails with its first statement that failed, also where nobody minded or waited', async () => {
    const { sql } = await openOne()
    const ignored = sql.begin(async tx => {
      await tx`select 1 / 0`.catch(() => {})
      return 'done'
    })
    expect(await codeOf(ignored)).toBe('22012')
    const notAwaited = sql.begin(async tx => {
      tx`select 1 / 0`.execute().catch(() => {})
      return 'done'
    })
    expect(await codeOf(notAwaited)).toBe('22012')
    const consequence = sql.begin(async tx => {
      await tx`select 1 / 0`.catch(() => {})
      await tx`select 1`
    })
    expect(await codeOf(consequence)).toBe('22012')
    const copied = sql.begin(async tx => {
      await tx`create temporary table number (value int) on commit drop`
      const copy = await tx`copy number from stdin`.copyIn()
      await copy.write('not a number\n')
      await copy.finish().catch(() => {})
      return 'done'
    })
    expect(await codeOf(copied)).toBe('22P02')
    await sql.end()
  })

  test('goes on behind a savepoint whose work failed', async () => {
    const { sql } = await openOne()
    const rows = await sql.begin(async tx => {
      await tx`create temporary table kept (id int) on commit drop`
      await tx.savepoint(inner => inner`insert into kept values (1)`)
      const failing = tx.savepoint(async inner => {
        await inner`insert into kept values (2)`
        await inner.savepoint(async innermost => {
          await innermost`insert into kept values (3)`
          throw new Error('no')
        })
      })
      await expect(failing).rejects.toThrow('no')
      return tx`select id from kept`
    })
    expect(rows).toEqual([{ id: 1 }])
    await sql.end()
  })

  test('that is over takes no statement: it would be done outside of it', async () => {
    const { sql } = await openOne()
    let left: Parameters<Parameters<Sql['begin']>[1]>[0] | null = null
    await sql.begin('', async tx => {
      left = tx
    })
    expect(await codeOf(left!`create table assize.outside ()`)).toBe('this transaction is over')
    expect(await sql`select to_regclass('assize.outside') as found`).toEqual([{ found: null }])
    await sql.end()
  })

  test('whose work fails during a COPY is rolled back, and its connection works', async () => {
    const { sql } = await openOne()
    const copied = sql.begin(async tx => {
      await tx`create temporary table line (text text) on commit drop`
      const copy = await tx`copy line from stdin`.copyIn()
      await copy.write('one\n')
      await expect(tx`select 1`.execute()).rejects.toThrow('takes no statement during a COPY')
      throw new Error('enough')
    })
    expect(await codeOf(copied)).toBe('enough')
    expect(await codeOf(sql`select 1`)).toBe('answered')
    await sql.end()
  })

  test('learns of a row that the database does not take, when it writes on or at the end', async () => {
    const { sql } = await openOne()
    for (const lines of [1, 100_000]) {
      const copied = sql.begin(async tx => {
        await tx`create temporary table number (value int) on commit drop`
        const copy = await tx`copy number from stdin`.copyIn()
        for (let i = 0; i < lines; i++) await copy.write('not a number\n')
        await copy.finish()
      })
      expect(await codeOf(copied)).toBe('22P02')
    }
    expect(await codeOf(sql`select 1`)).toBe('answered')
    await sql.end()
  })

  test('may stop reading a COPY, and asks other things afterwards', async () => {
    const { sql } = await openOne()
    const rows = await sql.begin(async tx => {
      const all = tx`copy (select repeat('x', 1000) from generate_series(1, 5000)) to stdout`
      for await (const piece of all.copyOut()) {
        expect(piece.length).toBeGreaterThan(1000)
        break
      }
      return tx`select 1 as one`
    })
    expect(rows).toEqual([{ one: 1 }])
    await sql.end()
  })
})

test('a statement that was prepared before its table changed works afterwards, in a transaction from the next one on', async () => {
  const { sql } = await openOne()
  await db.owner`create table assize.changing (a int)`
  const select = () => sql`select * from assize.changing`
  const selectInside = () => sql.begin(tx => tx`select * from assize.changing`)
  await select()
  await db.owner`alter table assize.changing add column b int`
  expect(await codeOf(select())).toBe('answered')
  await db.owner`alter table assize.changing add column c int`
  expect(await codeOf(selectInside())).toBe('0A000')
  expect(await codeOf(selectInside())).toBe('answered')
  await db.owner`drop table assize.changing`
  await sql.end()
})
