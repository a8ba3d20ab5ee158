// An address with several hosts: which of them is used, and what happens when it is not the primary any more. The servers are
// stand-ins, because a cluster takes half a minute for what they do at once; `npm run faults -- failover` has a real one.
import { afterEach, describe, expect, test } from 'vitest'
import { type DatabaseTarget, leaveServer, openOwner, type Sql } from '../../src/storage/postgres/database.ts'
import { databaseTroubleOf } from '../../src/storage/postgres/database-errors.ts'
import { PostgresStandIn } from '../stand-in/postgres.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const opened: { close(): void }[] = []
const pools: Sql[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map(sql => sql.end({ timeout: 0 })))
  for (const each of opened.splice(0)) each.close()
})

async function serve(...given: Parameters<typeof PostgresStandIn.open>): Promise<PostgresStandIn> {
  const server = await PostgresStandIn.open(...given)
  opened.push(server)
  return server
}

function clusterOf(...servers: readonly PostgresStandIn[]): DatabaseTarget {
  const hosts = servers.map(({ host }) => host).join(',')
  return { url: `postgres://u:hunter2@${hosts}/d?target_session_attrs=read-write` }
}

function poolTo(target: DatabaseTarget, connections = 1): Sql {
  const sql = openOwner(target, { connections })
  pools.push(sql)
  return sql
}

const ask = async (sql: Sql) => (await sql.unsafe<{ name: string }[]>('select something'))[0]!.name
const failureOf = (asked: Promise<unknown>): Promise<Error & { code: string }> =>
  asked.then(
    () => expect.unreachable('it was answered'),
    error => error,
  )

describe('of several hosts', () => {
  test('the first is used that is the primary, at every new connection', async () => {
    const [a, b, c] = [await serve('a', 'standby'), await serve('b', 'primary'), await serve('c', 'primary')]
    expect(await ask(poolTo(clusterOf(a, b, c)))).toBe('b')
    expect(await ask(poolTo(clusterOf(c, b, a)))).toBe('c')
    expect([a.visits, b.visits, c.visits]).toEqual([1, 1, 1])
  })

  test('none may be the primary: the error says why each of them is not, and no password', async () => {
    const [standby, gone] = [await serve('a', 'standby'), await serve('b', 'primary')]
    const { host } = gone
    gone.close()
    const error = await failureOf(ask(poolTo({ url: `postgres://u:hunter2@${standby.host},${host}/d` })))
    expect(error.message).toMatch(
      new RegExp(
        `^none of the hosts is the primary now \\(${standby.host}: this database is a standby; ${host}: .*ECONNREFUSED`,
      ),
    )
    expect(error.message).not.toContain('hunter2')
    expect(databaseTroubleOf(error)).toBe('away')
  })

  test('one that accepts connections and answers nothing is left for the next, and comes last from then on', async () => {
    const [frozen, other] = [await serve('a', 'primary'), await serve('b', 'primary')]
    frozen.isFrozen = true
    const target = clusterOf(frozen, other)
    expect(await ask(poolTo(target))).toBe('b')
    expect(await ask(poolTo(target))).toBe('b')
    expect(frozen.visits).toBe(1)
  })

  test('a wrong password is wrong on all of them: the others are not tried', async () => {
    const [a, b] = [await serve('a', 'primary'), await serve('b', 'primary')]
    a.isLoginWrong = true
    expect(await failureOf(ask(poolTo(clusterOf(a, b))))).toMatchObject({ code: '28P01' })
    expect(b.visits).toBe(0)
  })
})

describe('a primary', () => {
  test('that was demoted is one that is away; its connection is not used again, and the next statement goes to the new one', async () => {
    const [a, b] = [await serve('a', 'primary'), await serve('b', 'standby')]
    const sql = poolTo(clusterOf(a, b))
    expect(await ask(sql)).toBe('a')
    ;[a.role, b.role, b.timeline] = ['demoted', 'primary', 2]
    expect(databaseTroubleOf(await failureOf(ask(sql)))).toBe('away')
    expect(await ask(sql)).toBe('b')
    await expect.poll(() => a.guests).toBe(0)
  })

  test('on an older timeline than one that was seen is not believed, and all connections to it are closed', async () => {
    const [old, young] = [await serve('old', 'primary'), await serve('young', 'standby')]
    const target = clusterOf(old, young)
    const [idle, busy] = [poolTo(target), poolTo(target)]
    expect([await ask(idle), await ask(busy)]).toEqual(['old', 'old'])
    ;[young.role, young.timeline] = ['primary', 2]
    old.role = 'demoted'
    await failureOf(ask(busy))
    // It says again that it takes writes, as one does that was frozen when the other was promoted.
    old.role = 'primary'
    expect(await ask(busy)).toBe('young')
    await expect.poll(() => old.guests).toBe(0)
    expect(await ask(idle)).toBe('young')
    young.close()
    expect((await failureOf(ask(poolTo(target)))).message).toContain('was the primary once')
  })

  test('that stopped answering is left: what waits for it is answered with an error', async () => {
    const [a, b] = [await serve('a', 'primary'), await serve('b', 'primary')]
    const target = clusterOf(a, b)
    const sql = poolTo(target, 2)
    expect(await ask(sql)).toBe('a')
    a.isFrozen = true
    const waiting = failureOf(ask(sql))
    await expect.poll(() => a.unanswered).toBe(1)
    leaveServer(target)
    expect(databaseTroubleOf(await waiting)).toBe('away')
    expect(await ask(sql)).toBe('b')
  })

  test('is recognised by a real server, and a database that is read only is none', async () => {
    const database = await openTestDatabase()
    try {
      const [{ name, user } = { name: '', user: '' }] = await database.owner<{ name: string; user: string }[]>`
        select current_database() as name, current_user as user`
      if (!('endpoint' in database.target)) return
      const { host, port, password } = database.target.endpoint
      const login = `${user}:${encodeURIComponent(password ?? '')}`
      const where = `${encodeURIComponent(host)}:${port}`
      const target = { url: `postgres://${login}@${where}/${name}?target_session_attrs=read-write` }
      expect(await poolTo(target)`select current_database() as name`).toEqual([{ name }])
      await database.owner`alter database ${database.owner(name)} set default_transaction_read_only = on`
      const error = await failureOf(poolTo(target)`select 1`.execute())
      expect([error.code, databaseTroubleOf(error)]).toEqual(['READ_ONLY', 'away'])
      await database.owner`alter database ${database.owner(name)} reset default_transaction_read_only`
    } finally {
      await Promise.all(pools.splice(0).map(sql => sql.end({ timeout: 0 })))
      await database.close()
    }
  })
})
