// F16, of the operator's own PostgreSQL: base backup and archive of its log by pgBackRest, with the files of docs/operating/backups, while
// figures and signatures are written. It is restored to a random instant again and again: what was acknowledged before the instant is
// there, nothing that was begun after it is, the log verifies, and the drill says so.
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openOwner, type Sql } from '../../src/storage/postgres/database.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { commandOutput, processEnv } from '../support/clients/command-output.ts'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { fillSample, steelDocument } from '../support/houses/sample.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'
import { freePort } from '../support/run/redis.ts'
import { Chance } from './chance.ts'
import { Daemon, databaseAccount } from './failover/daemons.ts'
import { Waiting } from './waiting.ts'

const programs = '/usr/lib/postgresql/15/bin'
/** What PostgreSQL and pgBackRest do in seconds. */
const patienceMs = 300_000
const actsPerRound = 12

async function recover({ rounds, seed, say, signal }: LongRun): Promise<Outcome> {
  const missing = whatIsMissing()
  if (missing !== null) return { summary: 'not run', failures: [missing] }
  const folder = await mkdtemp(join(tmpdir(), 'assize-recovery-'))
  const waiting = new Waiting(signal ?? new AbortController().signal, patienceMs)
  const chance = new Chance(seed)
  const failures: string[] = []
  const original = new Server(folder, 'original', await freePort(), waiting)
  try {
    await original.make()
    await original.start()
    const { api, installation } = await openOn(original, join(folder, 'data'))
    try {
      const acts = await Acts.begin(api, chance)
      await original.rest('stanza-create')
      await original.rest('backup')
      for (let round = 0; round < rounds; round++) {
        const since = new Date()
        for (let n = 0; n < actsPerRound; n++) {
          await acts.act()
          await sleep(chance.int(0, 200))
        }
        const instant = new Date(chance.int(since.getTime(), Date.now()))
        // PostgreSQL stops at an instant only where something after it is in the archive.
        await acts.act()
        // It puts what is written so far into the archive, and waits until it is there.
        await original.rest('check')
        const began = performance.now()
        const found = await restoreTo(original, instant, { folder, round, waiting, acts })
        failures.push(...found.failures.map(each => `round ${round}, ${instant.toISOString()}: ${each}`))
        const seconds = ((performance.now() - began) / 1000).toFixed(1)
        say(`restore ${round + 1}: ${found.kept} acts kept, ${found.later} later ones not there, in ${seconds} s`)
      }
      return { summary: `${acts.done.length} acts, ${rounds} restores`, failures }
    } finally {
      await api.close()
      await installation.close()
    }
  } finally {
    await original.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** One line that says what is missing and how to install it; null where everything is there. */
function whatIsMissing(): string | null {
  const packages = { pgbackrest: 'pgbackrest', [`${programs}/postgres`]: 'postgresql-15' }
  const missing = Object.entries(packages)
    .filter(([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
    .map(([, name]) => name)
  return missing.length === 0 ? null : `missing: ${missing.join(', ')}; apt-get install -y ${missing.join(' ')}`
}

const secret = randomBytes(24).toString('hex')

async function openOn(
  server: Server,
  dataFolder: string,
): Promise<{ readonly api: Api; readonly installation: Installation }> {
  const admin = openOwner({ url: server.url('postgres', 'postgres') }, { connections: 1 })
  await admin`create role assize login`
  await admin`create role assize_app nologin`
  await admin`grant assize_app to assize`
  await admin`create database assize owner assize encoding 'UTF8' template template0`
  await admin.end()
  const databaseUrl = server.url('assize', 'assize')
  const installation = await Installation.open({ dataFolder, databaseUrl, secrets: [secret], connections: 4 })
  const { target, owner } = installation
  return { installation, api: await openApi({ target, owner, close: async () => {} }, { secret }) }
}

interface Done {
  readonly what: string
  readonly begunAt: Date
  readonly acknowledgedAt: Date
  /** Whether a database has it. */
  readonly isIn: (owner: Sql) => Promise<boolean>
}

/** Figures and signatures, one after the other, each with the moments between which it was committed. */
class Acts {
  readonly done: Done[] = []
  readonly #tenant: Tenant
  readonly #chance: Chance
  readonly #unsigned: { readonly slug: string; readonly period: string }[] = []
  #count = 0

  private constructor(tenant: Tenant, chance: Chance) {
    this.#tenant = tenant
    this.#chance = chance
  }

  static async begin(api: Api, chance: Chance): Promise<Acts> {
    const tenant = await api.tenant()
    await fillSample(tenant)
    return new Acts(tenant, chance)
  }

  async act(): Promise<void> {
    const n = this.#count++
    if (n % 4 === 0) return this.#agree(n)
    const next = this.#chance.int(0, 1) === 0 ? this.#unsigned.shift() : undefined
    return next === undefined ? this.#publish(n) : this.#sign(next)
  }

  #publish(n: number): Promise<void> {
    return this.#note({
      what: `the figure CUSTOM/figure-${n}`,
      work: () => this.#tenant.importValues(`CUSTOM/figure-${n}`, { '2024-01': `${n}.5` }),
      isIn: owner =>
        isFound(owner`
        select 1 from vintage v join series s on s.owner = v.owner and s.id = v.series_id
        where s.code = ${`figure-${n}`} and v.value = ${`${n}.5`}`),
    })
  }

  async #agree(n: number): Promise<void> {
    const slug = `agreement-${n}`
    await this.#note({
      what: `the agreement ${slug}`,
      work: () => this.#tenant.apply(steelDocument({ slug })),
      isIn: owner => isFound(owner`select 1 from agreement where slug = ${slug}`),
    })
    this.#unsigned.push({ slug, period: '2024-Q2' }, { slug, period: '2024-Q3' })
  }

  #sign({ slug, period }: { readonly slug: string; readonly period: string }): Promise<void> {
    return this.#note({
      what: `both signatures of ${slug}, ${period}`,
      work: () => this.#tenant.signBoth(slug, period),
      isIn: owner =>
        isFound(owner`
        select 1 from signed_receipt r join agreement a on a.workspace_id = r.workspace_id and a.id = r.agreement_id
        where a.slug = ${slug} and r.period = ${period}`),
    })
  }

  async #note({ what, work, isIn }: Pick<Done, 'what' | 'isIn'> & { work: () => Promise<unknown> }): Promise<void> {
    const begunAt = new Date()
    await work()
    this.done.push({ what, begunAt, acknowledgedAt: new Date(), isIn })
  }
}

async function isFound(rows: PromiseLike<readonly unknown[]>): Promise<boolean> {
  return (await rows).length > 0
}

interface Restoring {
  readonly folder: string
  readonly round: number
  readonly waiting: Waiting
  readonly acts: Acts
}

async function restoreTo(original: Server, instant: Date, { folder, round, waiting, acts }: Restoring) {
  const failures: string[] = []
  const restored = new Server(folder, `restored-${round}`, await freePort(), waiting)
  await restored.restoreFrom(original, instant)
  await restored.start()
  const url = restored.url('assize', 'assize')
  const owner = openOwner({ url }, { connections: 1 })
  try {
    const before = acts.done.filter(({ acknowledgedAt }) => acknowledgedAt <= instant)
    const after = acts.done.filter(({ begunAt }) => begunAt > instant)
    for (const { what, isIn } of before) if (!(await isIn(owner))) failures.push(`${what} was acknowledged and is lost`)
    for (const { what, isIn } of after) if (await isIn(owner)) failures.push(`${what} was begun later and is there`)
    const env = { ...processEnv, ASSIZE_SECRET: secret, ASSIZE_DATA: join(folder, 'data') }
    const chains = await commandOutput(['verify', '--chain'], { ...env, DATABASE_URL: url })
    if (!/^same: /m.test(chains) || /^broken: /m.test(chains)) failures.push(chains)
    const drill = JSON.parse(await commandOutput(['backup', 'drill', '--database', url, '--json'], env))
    if (drill.same !== true || drill.revived.keys.length === 0) failures.push(JSON.stringify(drill))
    return { failures, kept: before.length, later: after.length }
  } finally {
    await owner.end()
    await restored.stop()
    await rm(restored.data, { recursive: true, force: true })
  }
}

/** PostgreSQL 15 with an archive by pgBackRest, under the account that its package brings. */
class Server {
  readonly data: string
  readonly #folder: string
  readonly #name: string
  readonly #port: number
  readonly #waiting: Waiting
  readonly #account = databaseAccount()
  #daemon: Daemon | null = null

  constructor(folder: string, name: string, port: number, waiting: Waiting) {
    this.#folder = folder
    this.#name = name
    this.#port = port
    this.#waiting = waiting
    this.data = join(folder, name)
  }

  url(user: string, database: string): string {
    return `postgres://${user}@127.0.0.1:${this.#port}/${database}`
  }

  async make(): Promise<void> {
    this.#own(this.#folder)
    for (const name of ['repository', 'socket', 'log']) {
      mkdirSync(join(this.#folder, name))
      this.#own(join(this.#folder, name))
    }
    await this.#run(`${programs}/initdb`, ['-D', this.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'])
    this.#writeConfig('pgbackrest.conf', { DATA: this.data, PORT: this.#port })
    const settings = readFileSync(new URL('postgresql.conf', files), 'utf8')
    const archive = settings.replaceAll('pgbackrest ', `pgbackrest --config=${this.#configOf('original')} `)
    writeFileSync(join(this.data, 'postgresql.auto.conf'), `${archive}\nunix_socket_directories = '${this.#socket}'\n`)
  }

  /** The base backup and the archive of another, up to an instant. */
  async restoreFrom(original: Server, instant: Date): Promise<void> {
    mkdirSync(this.data, { mode: 0o700 })
    this.#own(this.data)
    await original.rest('restore', [
      `--pg1-path=${this.data}`,
      '--type=time',
      `--target=${instant.toISOString().replace('T', ' ').replace('Z', '+00')}`,
      '--target-action=promote',
      '--archive-mode=off',
    ])
  }

  /** Returns when it may be written. */
  async start(): Promise<void> {
    const words = ['-D', this.data, '-p', `${this.#port}`, '-c', 'listen_addresses=127.0.0.1']
    const log = join(this.#folder, `${this.#name}.log`)
    writeFileSync(log, '')
    this.#own(log)
    this.#daemon = new Daemon([`${programs}/postgres`, ...words], log, this.#account)
    this.#daemon.start()
    await this.#waiting.until('a server that may be written', async () => {
      if (!this.#daemon!.isAlive) throw new Error(readFileSync(log, 'utf8'))
      const admin = openOwner({ url: this.url('postgres', 'postgres') }, { connections: 1 })
      try {
        const [row] = await admin<{ isRecovering: boolean }[]>`select pg_is_in_recovery() as "isRecovering"`
        return !row!.isRecovering || 'a server that recovers'
      } finally {
        await admin.end()
      }
    })
  }

  async stop(): Promise<void> {
    // SIGINT is PostgreSQL's fast stop: nobody is waited for.
    this.#daemon?.signal('SIGINT')
    await this.#daemon?.stop()
  }

  /** A command of pgBackRest on this server. */
  rest(command: string, words: readonly string[] = []): Promise<void> {
    return this.#run('pgbackrest', [`--config=${this.#configOf(this.#name)}`, '--stanza=assize', ...words, command])
  }

  get #socket(): string {
    return join(this.#folder, 'socket')
  }

  #configOf(name: string): string {
    return join(this.#folder, `${name}-pgbackrest.conf`)
  }

  #writeConfig(file: string, values: Readonly<Record<string, string | number>>): void {
    const given: Readonly<Record<string, string | number>> = {
      REPOSITORY: join(this.#folder, 'repository'),
      LOG: join(this.#folder, 'log'),
      SOCKET: this.#socket,
      ...values,
    }
    const text = readFileSync(new URL(file, files), 'utf8')
    writeFileSync(
      this.#configOf(this.#name),
      text.replace(/\$\{(\w+)\}/g, (_, name) => `${given[name]}`),
    )
  }

  #own(path: string): void {
    const { uid, gid } = this.#account
    if (uid !== undefined) chownSync(path, uid, gid!)
  }

  async #run(program: string, words: readonly string[]): Promise<void> {
    const env = { PATH: `${process.env.PATH}:/usr/bin`, LANG: 'C.UTF-8', HOME: '/tmp' }
    await promisify(execFile)(program, words, { env, cwd: this.#folder, ...this.#account }).catch(error => {
      throw new Error(`${program} ${words.join(' ')}: ${error.stdout}\n${error.stderr}`)
    })
  }
}

/** As a person copies them. */
const files = new URL('../../docs/operating/backups/', import.meta.url)

scenario(
  'recovery',
  'F16: PostgreSQL with pgBackRest, restored to random instants while it is written: nothing acknowledged is lost',
  { long: 5, isStoppable: true },
  recover,
)
