import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDrillGround } from '../../src/storage/backups/drill-ground.ts'
import {
  connectionTo,
  openApplication,
  openListener,
  openOwner,
  withWorkspace,
} from '../../src/storage/postgres/database.ts'
import { letApplicationWork, openJobsDatabase, openJobsOwner } from '../../src/storage/postgres/jobs-database.ts'
import { Installation, openBase } from '../../src/storage/upkeep/installation.ts'
import { bindPoolerRole, checkPooler } from '../../src/storage/upkeep/pooler-role.ts'
import { openPooler, type StandInPooler } from '../stand-in/pooler.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { databaseOf, makePlainOwner, openTestDatabase, testSecret } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)
const suffix = randomBytes(4).toString('hex')
const logins: string[] = []
const poolers: StandInPooler[] = []

// Roles belong to the whole server.
afterAll(async () => {
  for (const pooler of poolers) await pooler.close()
  for (const user of logins) await db.owner.unsafe(`drop role ${user}`)
})

interface Login {
  readonly user: string | undefined
  readonly password: string | undefined
}

async function makeLogin(kind: string, words = 'in role assize_app'): Promise<{ user: string; password: string }> {
  const login = { user: `${kind}_${suffix}`, password: 'pooled' }
  await db.owner.unsafe(`create role ${login.user} login password 'pooled' ${words}`)
  logins.push(login.user)
  return login
}

function loginOf({ user, password }: Login): pg.ClientConfig {
  const { host, port, database } = connectionTo(db.target, {})
  return { host, port, database, user, password }
}

async function poolFor(login: Login, settings: 'refused' | 'dropped' = 'refused'): Promise<StandInPooler> {
  const pooler = await openPooler({ login: loginOf(login), sessions: 3, settings })
  poolers.push(pooler)
  return pooler
}

function directUrl(): string {
  const { host, port, user, password, database } = connectionTo(db.target, {})
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`
}

const through = ({ port }: StandInPooler, user: string) =>
  `postgres://${user}@127.0.0.1:${port}/${databaseOf(db.target)}`

const open = (databaseUrl: string, databaseDirectUrl: string | null = directUrl()) =>
  Installation.open({ dataFolder: tmpdir(), databaseUrl, databaseDirectUrl, secrets: [testSecret], connections: 4 })

describe('through a pooler that gives each transaction another session', () => {
  let installation: Installation
  let pooler: StandInPooler
  beforeAll(async () => {
    const login = await makeLogin('pooled')
    pooler = await poolFor(login)
    installation = await open(through(pooler, login.user))
  })
  afterAll(() => installation.close())

  test('every statement has the role and the settings that a session of the application begins with', async () => {
    const ask = () => installation.sql`
      select pg_backend_pid() as pid, current_user as role, current_setting('search_path') as path,
        current_setting('TimeZone') as zone, current_setting('statement_timeout') as most,
        current_setting('lock_timeout') as lock, '2024-04-11T12:30:00.000001Z'::timestamptz as instant`
    // The same text, which would be prepared by name on a connection of its own.
    const answers = []
    for (let i = 0; i < 6; i++) answers.push((await ask())[0]!)
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(3)
    for (const { pid: _pid, ...rest } of answers)
      expect(rest).toEqual({
        role: 'assize_app',
        path: 'assize',
        zone: 'UTC',
        most: '5s',
        lock: '1s',
        instant: '2024-04-11T12:30:00.000001Z',
      })
  })

  test('what is staged and published is all there, and no other workspace sees it', async () => {
    const { sql } = installation
    const [one, other] = [await makeWorkspace(db), await makeWorkspace(db)]
    const ids: string[] = []
    for (const { id } of [one, other]) {
      const series = await makeSeries(sql, id, `pooled-${id}`)
      ids.push(series)
      const rows = Array.from({ length: 50 }, (_, i) => ({ period: i + 1, value: `${i}.10` }))
      expect(await publishRows(sql, id, series, rows)).toMatchObject({ rows: 50, added: 50 })
    }
    const seen = (workspace: string) =>
      withWorkspace(
        sql,
        workspace,
        tx => tx<{ id: string; count: number }[]>`
        select series_id as id, count(*) from vintage group by 1`,
      )
    // At once, so that transactions of both take turns on the same sessions.
    const answers = await Promise.all([one, other, one, other, one, other].map(({ id }) => seen(id)))
    for (const [i, answer] of answers.entries()) expect(answer).toEqual([{ id: ids[i % 2], count: 50 }])
    // The scope ends with its transaction, on each of the sessions.
    for (let i = 0; i < 3; i++) expect(await sql`select 1 from vintage limit 1`).toEqual([])
    expect(pooler.counts.sessions).toBe(3)
  })

  test('a transaction that fails leaves nothing behind for whoever gets its session next', async () => {
    const { sql } = installation
    const { id } = await makeWorkspace(db)
    const series = await makeSeries(sql, id, 'undone')
    const failing = withWorkspace(sql, id, async tx => {
      await tx`set local statement_timeout = '7s'`
      await tx`create temporary table left_behind (n integer) on commit drop`
      await tx`select 1 / 0`
    })
    await expect(failing).rejects.toThrow('division by zero')
    for (let i = 0; i < 3; i++) {
      const [row] = await sql`
        select current_setting('statement_timeout') as most, to_regclass('left_behind') as held,
          coalesce(current_setting('assize.workspace', true), '') as scope`
      expect(row).toEqual({ most: '5s', held: null, scope: '' })
    }
    expect(await withWorkspace(sql, id, tx => tx`select id from series`)).toEqual([{ id: series }])
  })

  test('who listens goes past it and hears what is told through it', async () => {
    const heard = Promise.withResolvers<string>()
    const listener = await openListener(installation.target, ['pooler_test'], {
      onNotice: (_channel, payload) => heard.resolve(payload),
      onClose: () => {},
    })
    await installation.sql`select pg_notify('pooler_test', 'told')`
    expect(await heard.promise).toBe('told')
    await listener.end()
  })

  test('the queue of jobs works through it in a schema that its owner made past it', async () => {
    const owner = openJobsOwner(installation.target, 1)
    await owner.executeSql('create schema if not exists assize_jobs; create table assize_jobs.probe (n integer)')
    await letApplicationWork(owner)
    const jobs = openJobsDatabase(installation.target)
    const script = `begin; set local lock_timeout = '5s'; select pg_advisory_xact_lock(1);
      insert into assize_jobs.probe values (1); commit`
    await Promise.all(Array.from({ length: 4 }, () => jobs.executeSql(script)))
    expect(await jobs.executeSql('select n::text from assize_jobs.probe where n = $1', [1])).toEqual({
      rows: Array(4).fill({ n: '1' }),
    })
    await expect(jobs.executeSql('drop table assize_jobs.probe')).rejects.toThrow('must be owner')
    await Promise.all([jobs.close(), owner.close()])
  })
})

describe('a start refuses in one sentence', () => {
  const refusalOf = (opening: Promise<Installation>) =>
    opening.then(
      async installation => {
        await installation.close()
        return 'started'
      },
      (error: Error) => `${error.name}: ${error.message}`,
    )

  test('a pooler without the address of the database itself, and one in that address', async () => {
    const { user, password } = connectionTo(db.target, {})
    const refusing = await poolFor({ user: 'nobody', password: '' })
    const dropping = await poolFor({ user, password }, 'dropped')
    for (const [pooler, why] of [
      [refusing, 'unsupported startup parameter: options'],
      [dropping, 'the settings that a session begins with are dropped'],
    ] as const) {
      const address = through(pooler, user!)
      expect(await refusalOf(open(address, null))).toBe(
        `Refusal: DATABASE_URL leads to a pooler (${why}): set DATABASE_DIRECT_URL to an address of PostgreSQL itself as well`,
      )
      expect(await refusalOf(open(address, address))).toBe(
        `Refusal: DATABASE_DIRECT_URL leads to a pooler (${why}): it must be an address of PostgreSQL itself`,
      )
    }
  })

  test('a pooler that logs in as the owner, or as a role that row-level security does not apply to', async () => {
    const { user } = connectionTo(db.target, {})
    const asOwner = await poolFor(connectionTo(db.target, {}))
    expect(await refusalOf(open(through(asOwner, user!)))).toMatch(
      /^Refusal: behind a pooler .* but DATABASE_URL and DATABASE_DIRECT_URL both name assize; .* create role assize_pooled/,
    )
    // The pooler may log in as somebody else than its address says.
    const hidden = await makeLogin('hidden')
    expect(await refusalOf(open(through(asOwner, hidden.user)))).toMatch(
      /^Refusal: the role assize of the pooler's sessions has /,
    )
    const bypassing = await makeLogin('bypassing', 'bypassrls in role assize_app')
    expect(await refusalOf(open(through(await poolFor(bypassing), bypassing.user)))).toBe(
      `Refusal: row-level security must apply to the application's database role, but ${bypassing.user} may bypass row-level security`,
    )
  })

  test('a login role that lacks the rights of the application, and a pooler of another database', async () => {
    const stranger = await makeLogin('stranger', '')
    expect(await refusalOf(open(through(await poolFor(stranger), stranger.user)))).toContain(
      `the role ${stranger.user} of the pooler's sessions is no member of assize_app; let an administrator run: grant assize_app to "${stranger.user}"`,
    )
    const astray = await openPooler({ login: { ...loginOf(stranger), database: 'postgres' }, sessions: 1 })
    poolers.push(astray)
    expect(await refusalOf(open(through(astray, stranger.user)))).toBe(
      'Refusal: DATABASE_URL and DATABASE_DIRECT_URL lead to different databases',
    )
  })

  test('settings that only an administrator may bind, with the statements that do it', async () => {
    const unbound = await makeLogin('unbound')
    const pooler = await poolFor(unbound)
    const plain = openOwner(await makePlainOwner(db.owner, db.target), { connections: 1 })
    const asked = { ...db.target, pooler: { url: through(pooler, unbound.user) } }
    await bindPoolerRole(plain, asked.pooler)
    await plain.end()
    const before = openApplication(asked, { connections: 1 })
    const sentence = await checkPooler(db.owner, before).then(String, String)
    await before.end()
    expect(sentence).toMatch(
      / has lock_timeout "0", statement_timeout "0", .*; then let the pooler open its connections again/,
    )
    await db.owner.unsafe(/run: (.*); then/.exec(sentence)![1]!)
    const again = openApplication(
      { ...asked, pooler: { url: through(await poolFor(unbound), unbound.user) } },
      { connections: 1 },
    )
    await checkPooler(db.owner, again)
    await again.end()
  })

  test('a pooler that is not there', async () => {
    expect(await refusalOf(open('postgres://nobody@127.0.0.1:1/x'))).toMatch(
      /^Refusal: the database cannot be reached through the pooler of DATABASE_URL: connect ECONNREFUSED/,
    )
  })
})

describe('a restore drill', () => {
  test('goes past the pooler, into a database of its own that is gone afterwards', async () => {
    const login = await makeLogin('drilled')
    const databaseUrl = through(await poolFor(login), login.user)
    const options = { dataFolder: tmpdir(), databaseUrl, databaseDirectUrl: directUrl(), secrets: [testSecret] }
    const name = await withDrillGround(options, async ground => {
      const base = await openBase(ground.options)
      expect(base.target).toEqual(ground.target)
      const owner = openOwner(base.target, { connections: 1 })
      const [row] = await owner<{ name: string }[]>`select current_database()::text as name`
      await owner.end()
      return row!.name
    })
    expect(name).toMatch(/^assize_drill_/)
    expect(await db.owner`select 1 from pg_database where datname = ${name}`).toEqual([])
  })
})
