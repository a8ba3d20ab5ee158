// F34: many processes behind PgBouncer in transaction mode, on few connections of the database, under load; PgBouncer is killed
// and started again. Nothing that was acknowledged is lost, no answer is wrong or of another workspace, no error is another
// than 503, and the database never has more connections than it was given.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionTo, openOwner, type Sql } from '../../src/storage/postgres/database.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { openApi } from '../support/houses/api.ts'
import { fillSample } from '../support/houses/sample.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'
import { Chance } from './chance.ts'
import { type FolderGround, openFolderGround } from './grounds.ts'
import { PgBouncer, whyNoPgBouncer } from './pgbouncer.ts'
import { PooledLoad, type ReadPlace, readPlace, rowsPerFile, type WritePlace, writePlace } from './pooled-load.ts'
import { type ServedProcess, serveFolder } from './served-process.ts'
import { Waiting } from './waiting.ts'

const processes = 20
/** Of the database, for everybody. */
const mostConnections = 40
/** One for each process that listens, and a few for starts, commands and previews. */
const sessions = 16
const readers = 8
/** Until those who write have signed in, and the first files are read. */
const warmMs = 20_000
const betweenKillsMs = 10_000
const login = { user: 'assize_pooled', password: 'a password of the fault test' }
/** After PgBouncer is there again. Seconds, where nothing else runs; twenty processes on two busy processors take a part of this. */
const backWithinMs = 60_000
/** For what takes seconds. */
const patienceMs = 300_000

interface Places {
  readonly reading: readonly ReadPlace[]
  readonly writing: readonly WritePlace[]
}

async function fill(ground: FolderGround): Promise<Places> {
  const api = await openApi({ ...ground, close: async () => {} }, { secret: ground.secret })
  const reading: ReadPlace[] = []
  const writing: WritePlace[] = []
  for (let i = 0; i < 2; i++) {
    const tenant = await api.tenant()
    reading.push(await readPlace(tenant, await fillSample(tenant)))
    writing.push(await writePlace(await api.tenant(), api.sql, i))
  }
  await api.close()
  return { reading, writing }
}

/** How many connections the database has, those of this test left out; the most of them is kept. */
class Connections {
  most = 0
  /** By who they belong to, when there were most. */
  kinds = ''
  readonly #sql: Sql
  readonly #own: readonly number[]
  #timer: NodeJS.Timeout | null = null

  private constructor(sql: Sql, own: readonly number[]) {
    this.#sql = sql
    this.#own = own
  }

  /** Everybody who is there now is of this test. */
  static async watch(ground: FolderGround): Promise<Connections> {
    const sql = openOwner(ground.target, { connections: 1, name: 'faults' })
    const own = await sql<{ pid: number }[]>`select pid from pg_stat_activity`
    const watch = new Connections(sql, [...own.map(({ pid }) => pid)])
    watch.#timer = setInterval(() => void watch.#look().catch(() => {}), 50)
    return watch
  }

  async #look(): Promise<void> {
    const rows = await this.#sql<{ kind: string; count: number }[]>`
      select case usename when ${login.user} then 'through PgBouncer' else application_name end as kind, count(*)
      from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> all(${this.#own as number[]}::int[])
      group by 1 order by 1`
    const all = rows.reduce((sum, { count }) => sum + count, 0)
    if (all <= this.most) return
    this.most = all
    this.kinds = rows.map(({ kind, count }) => `${count} ${kind}`).join(', ')
  }

  async end(): Promise<void> {
    clearInterval(this.#timer!)
    await this.#sql.end({ timeout: 5 })
  }
}

class Cluster {
  readonly servers: ServedProcess[] = []
  readonly #ground: FolderGround
  readonly #bouncer: PgBouncer

  constructor(ground: FolderGround, bouncer: PgBouncer) {
    this.#ground = ground
    this.#bouncer = bouncer
  }

  get #pooled(): string {
    return `postgres://${login.user}:${encodeURIComponent(login.password)}@127.0.0.1:${this.#bouncer.port}/assize`
  }

  get #direct(): string {
    const { host, port, user, password, database } = connectionTo(this.#ground.target, {})
    return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`
  }

  async start(): Promise<void> {
    const folder = await mkdtemp(join(this.#ground.folder, 'process-'))
    const env = { DATABASE_URL: this.#pooled, DATABASE_DIRECT_URL: this.#direct, ...this.#common }
    this.servers.push(await serveFolder(folder, { env }))
  }

  get #common() {
    const cache = { NODE_COMPILE_CACHE: join(this.#ground.folder, 'compiled') }
    return { ...cache, ASSIZE_SECRET: this.#ground.secret, LOG_LEVEL: 'warn', ASSIZE_CACHE_MB: '32' }
  }

  /** What a start says that is given the pooler alone. */
  startWithoutDirect(): Promise<string> {
    return serveFolder(this.#ground.folder, { env: { DATABASE_URL: this.#pooled, ...this.#common } }).then(
      async server => {
        await server.stop()
        return 'it started'
      },
      (error: Error) => error.message,
    )
  }

  /** Memory of each process that is not shared with another, in MB. */
  async memoryMb(): Promise<readonly number[]> {
    return Promise.all(
      this.servers.map(async ({ pid }) => {
        const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
        return Math.round(Number.parseInt(/^Pss: +(\d+)/m.exec(text)![1]!, 10) / 1024)
      }),
    )
  }

  /** How long it takes until each process has given a right answer. */
  async backMs(waiting: Waiting, { key, answers }: ReadPlace): Promise<number> {
    const begunMs = performance.now()
    const [path, right] = [...answers][1]!
    const headers = { authorization: `Bearer ${key}` }
    await Promise.all(
      this.servers.map(({ client }, i) =>
        waiting.until(`a right answer of process ${i}`, async () => {
          const { status, text } = await client.ask(`/v1${path}`, { headers })
          return (status === 200 && text === right) || `${status} ${text.slice(0, 200)}`
        }),
      ),
    )
    return performance.now() - begunMs
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map(server => server.stop()))
  }
}

async function run(ground: FolderGround, asked: LongRun): Promise<Outcome> {
  const waiting = new Waiting(asked.signal ?? new AbortController().signal, patienceMs)
  const places = await fill(ground)
  await ground.owner.unsafe(`create role ${login.user} login password '${login.password}' in role assize_app`)
  const { host, port } = connectionTo(ground.target, {})
  const bouncer = await PgBouncer.open({ server: { host, port }, login, sessions })
  const connections = await Connections.watch(ground)
  const cluster = new Cluster(ground, bouncer)
  const failures: string[] = []
  const load = new PooledLoad(cluster.servers)
  try {
    await startAll(cluster, waiting, asked, failures)
    const going = beginLoad(load, places, asked.seed)
    const kills = killAgainAndAgain({ cluster, bouncer, waiting, place: places.reading[0]! }, asked, failures)
    await Promise.race([kills, going]).catch((error: Error) => failures.push(`it ended early: ${error.message}`))
    load.stop()
    await going.catch((error: Error) => failures.push(`the load ended: ${error.stack}`))
    failures.push(...load.problems)
    const lost = await findLost(ground.owner, load)
    failures.push(...lost, ...(await findUnserved(cluster, load, places.writing)))
    for (const { scope, problem } of await verifyAllChains(ground.owner))
      if (problem !== null) failures.push(`the chain of ${scope}: ${problem.message}`)
    for (const server of cluster.servers)
      if (!server.isAlive()) failures.push(`a process ended: ${server.log().slice(-500)}`)
    if (connections.most > mostConnections) failures.push(`${connections.most} connections: ${connections.kinds}`)
    for (const line of writeTable(load, lost.length, connections)) asked.say(line)
    return { summary: `${processes} processes with ${await describeMemory(cluster)}`, failures }
  } catch (error) {
    return { summary: 'it ended early', failures: [...failures, (error as Error).stack ?? String(error)] }
  } finally {
    load.stop()
    await cluster.stop()
    await connections.end()
    await bouncer.close()
  }
}

async function startAll(cluster: Cluster, waiting: Waiting, { say }: LongRun, failures: string[]): Promise<void> {
  const said = await cluster.startWithoutDirect()
  say(`without the direct address: ${said.trim().split('\n').at(-1)}`)
  if (!/DATABASE_URL leads to a pooler .*: set DATABASE_DIRECT_URL/.test(said)) failures.push(`a start says ${said}`)
  while (cluster.servers.length < processes) {
    await waiting.sleep(0)
    // A start takes connections of its own: several at once while there are many left.
    const atOnce = cluster.servers.length < processes / 2 ? 5 : 1
    await Promise.all(Array.from({ length: atOnce }, () => cluster.start()))
  }
  say(`${processes} processes, ${await describeMemory(cluster)}`)
}

function beginLoad(load: PooledLoad, { reading, writing }: Places, seed: number): Promise<unknown> {
  const chance = (i: number) => new Chance(seed + i)
  return Promise.all([
    ...Array.from({ length: readers }, (_, i) => load.read(reading, chance(i))),
    ...writing.flatMap((place, i) => [load.import(place, chance(100 + i)), load.sign(place, chance(200 + i))]),
  ])
}

interface Killing {
  readonly cluster: Cluster
  readonly bouncer: PgBouncer
  readonly waiting: Waiting
  readonly place: ReadPlace
}

async function killAgainAndAgain(
  { cluster, bouncer, waiting, place }: Killing,
  { rounds, seed, say }: LongRun,
  failures: string[],
): Promise<void> {
  await waiting.sleep(warmMs)
  for (let round = 1; round <= rounds; round++) {
    await bouncer.kill()
    await waiting.sleep(new Chance(seed + 300 + round).int(200, 2_000))
    await bouncer.start()
    const backMs = await cluster.backMs(waiting, place)
    say(`kill ${round}: all processes answer again after ${Math.ceil(backMs)} ms`)
    if (backMs > backWithinMs) failures.push(`kill ${round}: back after ${Math.ceil(backMs)} ms`)
    await waiting.sleep(betweenKillsMs)
  }
}

function writeTable(
  { counts, acknowledged, unavailable, refused }: PooledLoad,
  lost: number,
  connections: Connections,
) {
  const written = `${acknowledged.series.length} files, ${acknowledged.signatures.length} signatures`
  const cells = [
    counts.asked,
    counts.good,
    refused,
    counts.otherErrors,
    counts.wrong,
    counts.across,
    written,
    lost,
    `${connections.most} (${connections.kinds})`,
  ]
  return [
    '| requests | answered | 503 | other errors | wrong | of another workspace | acknowledged | lost | connections at most |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    `| ${cells.join(' | ')} |`,
    ...[...unavailable].toSorted(([, a], [, b]) => b - a).map(([text, count]) => `503, ${count} times: ${text}`),
  ]
}

async function describeMemory(cluster: Cluster): Promise<string> {
  const each = await cluster.memoryMb()
  return `${Math.min(...each)} to ${Math.max(...each)} MB each`
}

/** Acknowledged, and not in the database. */
async function findLost(owner: Sql, { acknowledged }: PooledLoad): Promise<string[]> {
  const lost: string[] = []
  for (const { workspace, code } of acknowledged.series) {
    const [row] = await owner<{ count: number }[]>`
      select count(*) from vintage v join series s on s.owner = v.owner and s.id = v.series_id
      where s.owner = ${workspace} and s.code = ${code}`
    if (row!.count !== rowsPerFile) lost.push(`lost: the file ${code} has ${row!.count} of ${rowsPerFile} rows`)
  }
  for (const { workspace, period, party, hash } of acknowledged.signatures) {
    const rows = await owner<{ hash: string }[]>`
      select receipt_hash as hash from sign_off where workspace_id = ${workspace} and period = ${period} and party = ${party}`
    if (rows.length !== 1 || rows[0]!.hash !== hash)
      lost.push(`lost: ${party} signed ${period}, and there are ${rows.length}`)
  }
  return lost
}

/** The newest file of each workspace, at every process. */
async function findUnserved(cluster: Cluster, load: PooledLoad, places: readonly WritePlace[]): Promise<string[]> {
  const missing: string[] = []
  for (const { id, key } of places) {
    const newest = load.acknowledged.series.findLast(({ workspace }) => workspace === id)
    if (newest === undefined) {
      missing.push('no file was imported')
      continue
    }
    for (const { client } of cluster.servers) {
      const headers = { authorization: `Bearer ${key}` }
      const { status, text } = await client.ask('/v1/series?provider=CUSTOM&limit=200', { headers })
      if (!text.includes(newest.code)) missing.push(`a process does not serve ${newest.code}: ${status} ${text}`)
    }
  }
  return missing
}

/** The rounds are kills of PgBouncer. */
scenario(
  'pooler',
  'F34: 20 processes behind PgBouncer on 40 connections, under load while it is killed: nothing lost, wrong or of another workspace',
  { long: 5, isStoppable: true },
  async asked => {
    const why = await whyNoPgBouncer()
    if (why !== null) return { summary: 'not run', failures: [why] }
    // A path that is too long for a socket: the database listens on 127.0.0.1, where PgBouncer's account may reach it.
    const below = await mkdtemp(join(tmpdir(), `assize-${'pooler-'.repeat(12)}`))
    const ground = await openFolderGround(below)
    try {
      return await run(ground, asked)
    } finally {
      await ground.close()
      await rm(below, { recursive: true, force: true })
    }
  },
)
