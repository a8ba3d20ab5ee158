// F33: a cluster of PostgreSQL under Patroni, HAProxy, Redis with sentinels and three processes of Assize, in which one part
// after the other is lost under load. Nothing that was acknowledged is lost, nothing wrong or stale is answered, and what cannot
// be answered is 503.
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openOwner } from '../../../src/storage/postgres/database.ts'
import { HttpClient } from '../../support/clients/http-client.ts'
import type { LongRun } from '../../support/run/long-form.ts'
import { type Outcome, scenario } from '../../support/run/long-test.ts'
import { Chance } from '../chance.ts'
import { Waiting } from '../waiting.ts'
import { Cluster, pooledLogin } from './cluster.ts'
import { Counts, longestGap } from './counts.ts'
import { signalEach, whatIsMissing } from './daemons.ts'
import { ClusterLoad } from './load.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** For what the cluster does in seconds: who waits longer waits in vain, however busy the machine is. */
const patienceMs = 300_000
const peaceMs = 3_000

interface Ground {
  readonly cluster: Cluster
  readonly chance: Chance
  readonly version: Version
  readonly waiting: Waiting
}

const redisIsKilled = 'kill -9 of Redis'

/** Each returns when what it did is undone, but for what the cluster has to do by itself. */
const kinds: Readonly<Record<string, (ground: Ground) => Promise<void>>> = {
  'kill -9 of the primary': async ({ cluster }) => {
    const node = (await cluster.primary())!
    await node.kill()
    await cluster.untilAnotherPrimary(node.name)
    node.start()
  },
  'kill -9 of a process of Assize': async ({ cluster, chance, waiting }) => {
    const process = chance.pick(cluster.assize)
    await process.kill()
    await waiting.sleep(2_000)
    await process.start()
  },
  [redisIsKilled]: async ({ cluster, waiting }) => {
    const master = await cluster.redisMaster()
    await master.kill()
    await waiting.until('another Redis', async () => (await cluster.redisMaster()) !== master || 'the one that is gone')
    master.start()
  },
  'kill -9 of a member of etcd': async ({ cluster, chance, waiting }) => {
    const member = chance.pick(cluster.etcd)
    await member.kill()
    await waiting.sleep(5_000)
    member.start()
  },
  'frozen primary, woken': async ({ cluster, chance, waiting }) => {
    const node = (await cluster.primary())!
    const frozen = node.freeze()
    try {
      await cluster.untilAnotherPrimary(node.name)
      // At once is the worst moment: nobody has told the old one anything yet.
      await waiting.sleep(chance.pick([0, 0, 2_000, 10_000]))
    } finally {
      signalEach(frozen, 'SIGCONT')
    }
  },
  'rolling restart': ({ cluster }) => restartEach(cluster),
  'rolling upgrade': async ({ cluster, version }) => {
    await version.raise()
    await restartEach(cluster)
  },
}

async function restartEach({ assize }: Cluster): Promise<void> {
  for (const process of assize) {
    await process.stop()
    await process.start()
  }
}

/** The program in a folder of its own, where no change of the sources reaches it, under one minor version after the other. */
class Version {
  readonly entry: string
  readonly #packageFile: string

  private constructor(copy: string) {
    this.entry = join(copy, 'src/cli/assize.ts')
    this.#packageFile = join(copy, 'package.json')
  }

  static async copy(folder: string): Promise<Version> {
    const copy = join(folder, 'program')
    for (const part of ['src', 'web/dist', 'verifier', 'package.json'])
      await cp(join(root, part), join(copy, part), { recursive: true })
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
    return new Version(copy)
  }

  async raise(): Promise<void> {
    const facts = JSON.parse(await readFile(this.#packageFile, 'utf8')) as { version: string }
    const [major, minor] = facts.version.split('.')
    const version = `${major}.${Number(minor) + 1}.0`
    await writeFile(this.#packageFile, JSON.stringify({ ...facts, version }))
  }
}

async function makeDatabase(cluster: Cluster): Promise<void> {
  const admin = openOwner({ url: cluster.adminUrl }, { connections: 1 })
  try {
    // Who may create roles may also bind settings to the login of the pooler.
    await admin.unsafe(`create role assize login createrole password 'assize'; create role assize_app nologin;
      grant assize_app to assize; create role ${pooledLogin.user} login password '${pooledLogin.password}' in role assize_app`)
    await admin.unsafe(`create database assize owner assize encoding 'UTF8' template template0`)
  } finally {
    await admin.end()
  }
}

interface Row {
  readonly kind: string
  rounds: number
  readonly readsBack: number[]
  readonly writesBack: number[]
  readonly counts: Counts[]
}

class Failover {
  readonly failures: string[] = []
  readonly rows: readonly Row[]
  readonly #ground: Ground
  readonly #load: ClusterLoad
  readonly #run: LongRun

  constructor(ground: Ground, load: ClusterLoad, run: LongRun) {
    this.rows = kindsOf(run).map(kind => ({ kind, rounds: 0, readsBack: [], writesBack: [], counts: [] }))
    this.#ground = ground
    this.#load = load
    this.#run = run
  }

  /** Once each of what can happen. Throws if the cluster does not come back: what follows would say nothing. */
  async round(round: number): Promise<void> {
    for (const row of this.rows) {
      const counts = new Counts()
      row.counts.push(counts)
      this.#load.counts = counts
      const lost = await this.#lose(row, counts).then(
        () => null,
        (error: Error) => error,
      )
      if (lost !== null) counts.problems.add(lost.message)
      const problems = [...counts.problems].map(problem => `${row.kind}, round ${round}: ${problem}`)
      for (const problem of problems) this.#run.say(problem)
      this.failures.push(...problems)
      if (lost !== null) await this.#comeBack()
    }
  }

  /** What was found after the end of a round. */
  noteRest(): void {
    for (const { kind, counts } of this.rows)
      for (const problem of counts.flatMap(each => [...each.problems]))
        if (!this.failures.some(failure => failure.endsWith(problem)))
          this.failures.push(`${kind}, afterwards: ${problem}`)
  }

  async #comeBack(): Promise<void> {
    const { cluster } = this.#ground
    for (const process of cluster.assize) if (!process.isAlive) await process.start()
    await cluster.untilHealthy()
    await cluster.untilReady()
  }

  async #lose(row: Row, counts: Counts): Promise<void> {
    const { cluster, waiting } = this.#ground
    const load = this.#load
    await waiting.sleep(peaceMs)
    const sinceMs = performance.now()
    await kinds[row.kind]!(this.#ground)
    await cluster.untilHealthy()
    await cluster.untilReady()
    const sharedMs = performance.now()
    const writes = load.writesMs.length
    const reads = load.readsMs.length
    await waiting.until('three reads and three writes', async () => {
      const more = { writes: load.writesMs.length - writes, reads: load.readsMs.length - reads }
      return (more.writes > 3 && more.reads > 3) || `${more.reads} reads, ${more.writes} writes`
    })
    await load.checkKept()
    if (row.kind === redisIsKilled) load.noteWithoutRedis(sinceMs, sharedMs)
    load.judgeLimit(sinceMs)
    row.rounds++
    row.readsBack.push(longestGap(sinceMs, load.readsMs))
    row.writesBack.push(longestGap(sinceMs, load.writesMs))
    const seconds = `reads back after ${row.readsBack.at(-1)!.toFixed(1)} s, writes after ${row.writesBack.at(-1)!.toFixed(1)} s`
    this.#run.say(
      `${row.kind} ${row.rounds}: ${seconds}; ${counts.reads} reads, ${counts.writes} writes, ${counts.unavailable} times 503`,
    )
  }

  sayTable(): void {
    for (const line of [heading, ruler, ...this.rows.map(writeRow)]) this.#run.say(line)
  }

  get summary(): string {
    const all = this.rows.flatMap(({ counts }) => counts)
    const reads = all.reduce((total, each) => total + each.reads, 0)
    const writes = all.reduce((total, each) => total + each.writes, 0)
    const slowest = Math.max(0, ...all.map(each => each.slowestHeardMs))
    return `${reads} reads, ${writes} acknowledged writes; at most ${Math.ceil(slowest)} ms until a process showed another's write`
  }

  /** A reader that remembers, a write that never was and a caller beyond its limit must be found by the same counters. */
  async plant(): Promise<void> {
    const load = this.#load
    const counts = new Counts()
    load.counts = counts
    load.judgeSeries(
      'a reader that remembers',
      '{"data":[{"asOfDate":"2000-01-01T00:00:00Z","value":"1000.5"}]}',
      performance.now() + 5_000,
      1,
    )
    load.plantWrite()
    await load.checkKept(counts)
    load.judgeLimit(
      0,
      counts,
      Array.from({ length: 601 }, (_, i) => ({ sentMs: i, answeredMs: i + 1 })),
    )
    const found = `${counts.stale} stale, ${counts.lost} lost, ${counts.excess} beyond the limit`
    this.#run.say(`planted: ${found}`)
    if (found !== '1 stale, 1 lost, 1 beyond the limit') this.failures.push(`of what was planted was found: ${found}`)
  }
}

const heading = '| what | rounds | lost | wrong or stale | other 5xx | beyond limit | reads back, s | writes back, s |'
const ruler = '|---|--:|--:|--:|--:|--:|--:|--:|'

function writeRow({ kind, rounds, readsBack, writesBack, counts }: Row): string {
  const sum = (of: (counts: Counts) => number) => counts.reduce((total, each) => total + of(each), 0)
  const times = (seconds: readonly number[]) => {
    const sorted = seconds.toSorted((a, b) => a - b)
    return sorted.length === 0 ? '' : `${sorted[sorted.length >> 1]!.toFixed(1)} (${sorted.at(-1)!.toFixed(1)})`
  }
  const cells = [
    kind,
    rounds,
    sum(each => each.lost),
    sum(each => each.stale + each.wrong),
    sum(each => each.otherErrors),
    Math.max(0, ...counts.map(each => each.excess)),
    times(readsBack),
    times(writesBack),
  ]
  return `| ${cells.join(' | ')} |`
}

function kindsOf({ only = '' }: LongRun): readonly string[] {
  return Object.keys(kinds).filter(kind => kind.includes(only))
}

async function failOver(run: LongRun): Promise<Outcome> {
  const missing = whatIsMissing()
  if (missing !== null) return { summary: 'nothing was run', failures: [missing] }
  if (kindsOf(run).length === 0)
    return { summary: 'nothing was run', failures: [`--only needs words of one of: ${Object.keys(kinds).join('; ')}`] }
  const folder = await mkdtemp(join(tmpdir(), 'assize-failover-'))
  await chmod(folder, 0o755)
  const waiting = new Waiting(run.signal ?? new AbortController().signal, patienceMs)
  const cluster = new Cluster(folder, waiting)
  const failures: string[] = []
  let failover: Failover | null = null
  let load: ClusterLoad | null = null
  try {
    await cluster.open()
    await makeDatabase(cluster)
    const version = await Version.copy(folder)
    await cluster.openAssize(version.entry)
    run.say('the cluster answers')
    load = new ClusterLoad(new HttpClient(cluster.frontPort), cluster.assize, cluster.url, cluster.secret)
    await load.prepare(waiting)
    failover = new Failover({ cluster, chance: new Chance(run.seed), version, waiting }, load, run)
    load.start()
    for (let round = 1; round <= run.rounds; round++) {
      if (round > 1) failover.sayTable()
      await failover.round(round)
    }
    await load.stop()
    failover.noteRest()
    await failover.plant()
  } catch (error) {
    const { message, stack } = error as Error
    failures.push(`it ended early: ${run.signal?.aborted ? message : stack}`)
  } finally {
    // Those who ask end with what they ask.
    await Promise.all([load?.stop(), cluster.close()])
  }
  failover?.sayTable()
  failures.unshift(...(failover?.failures ?? []))
  if (failures.length > 0) run.say(`logs are kept in ${folder}`)
  else await rm(folder, { recursive: true, force: true })
  return { summary: failover?.summary ?? 'nothing was lost yet', failures }
}

scenario(
  'failover',
  'F33: a cluster whose primary, processes, Redis and etcd are killed, frozen, restarted and upgraded under load',
  { long: 10, isStoppable: true },
  failOver,
)
