// A cluster on one machine, from the files of docs/operating/cluster: etcd, Patroni with PostgreSQL, HAProxy, Redis with
// sentinels and the processes of Assize, each on a port of its own below one folder.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openOwner } from '../../../src/storage/postgres/database.ts'
import { freePort } from '../../support/run/redis.ts'
import { PgBouncer } from '../pgbouncer.ts'
import type { Waiting } from '../waiting.ts'
import { AssizeProcess } from './assize-process.ts'
import { type Account, childrenOf, Daemon, databaseAccount, isRunningAs, signalEach } from './daemons.ts'

const address = '127.0.0.1'
const three = [1, 2, 3] as const
const files = fileURLToPath(new URL('../../../docs/operating/cluster/', import.meta.url))

/** Of the sessions of PgBouncer. */
export const pooledLogin = { user: 'assize_pooled', password: 'pooled' }
const pooledSessions = 8

type Values = Readonly<Record<string, string | number>>

/** The file as it is in the documentation, with its places filled. */
function fill(file: string, values: Values): string {
  return readFileSync(join(files, file), 'utf8').replace(/\$\{([A-Z_0-9]+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${file} has \${${name}}, which nothing fills`)
    return String(value)
  })
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

/** A machine with PostgreSQL and Patroni on it. */
export class DatabaseNode {
  readonly name: string
  readonly restPort: number
  readonly #patroni: Daemon
  readonly #data: string

  constructor(name: string, restPort: number, data: string, patroni: Daemon) {
    this.name = name
    this.restPort = restPort
    this.#data = data
    this.#patroni = patroni
  }

  start(): void {
    this.#patroni.start()
  }

  /** The postmaster and everything that it started; nothing if it does not run. */
  #database(): readonly number[] {
    const file = join(this.#data, 'database', 'postmaster.pid')
    const postmaster = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
    return isRunningAs(postmaster, this.#data) ? [postmaster, ...childrenOf(postmaster)] : []
  }

  freeze(): readonly number[] {
    const frozen = [this.#patroni.pid, ...this.#database()]
    signalEach(frozen, 'SIGSTOP')
    return frozen
  }

  async kill(): Promise<void> {
    signalEach([this.#patroni.pid, ...this.#database()], 'SIGKILL')
    await this.#patroni.kill()
  }

  async stop(): Promise<void> {
    await this.#patroni.stop(30_000)
    // What Patroni had no time for.
    signalEach(this.#database(), 'SIGKILL')
  }
}

export class Cluster {
  readonly secret = randomBytes(24).toString('hex')
  readonly nodes: DatabaseNode[] = []
  readonly etcd: Daemon[] = []
  readonly redis: Daemon[] = []
  readonly assize: AssizeProcess[] = []
  readonly #sentinels: Daemon[] = []
  readonly #below: string
  readonly #waiting: Waiting
  readonly #account: Account = databaseAccount()
  readonly #values: Record<string, string | number> = {}
  #proxy: Daemon | null = null
  #pooler: PgBouncer | null = null

  constructor(folder: string, waiting: Waiting) {
    this.#below = folder
    this.#waiting = waiting
  }

  get frontPort(): number {
    return Number(String(this.#values.FRONT).split(':')[1])
  }

  /** By way of HAProxy, as all users of the database. */
  get url(): string {
    return `postgres://assize:assize@${this.#values.PROXY}/assize`
  }

  get adminUrl(): string {
    return `postgres://postgres:super@${this.#values.PROXY}/postgres`
  }

  async open(): Promise<void> {
    await this.#choosePorts()
    for (const n of three) this.#openEtcd(n)
    for (const n of three) await this.#openNode(n)
    for (const n of three) this.#openRedis(n)
    const config = this.#write('haproxy.cfg', fill('haproxy.cfg', { ...this.#values, FILES: files }))
    this.#proxy = new Daemon(['haproxy', '-db', '-f', config], this.#path('haproxy.log'))
    this.#proxy.start()
    await this.untilHealthy()
    // HAProxy takes every server for the primary until it has asked each of them twice.
    await this.#waiting.until('the primary behind HAProxy', async () => {
      const admin = openOwner({ url: this.adminUrl }, { connections: 1 })
      return admin`select 1`
        .then(
          () => true as const,
          (error: Error) => error.message,
        )
        .finally(() => admin.end())
    })
  }

  /** Processes of Assize with the environment of the documentation; the last one by way of PgBouncer, which asks HAProxy. */
  async openAssize(entry: string): Promise<void> {
    const [host, proxyPort] = String(this.#values.PROXY).split(':')
    const server = { host: host!, port: Number(proxyPort) }
    this.#pooler = await PgBouncer.open({ server, login: pooledLogin, sessions: pooledSessions })
    for (const n of three) {
      const text = fill('assize.env', { ...this.#values, PASSWORD: 'assize', SECRET: this.secret })
      const env = Object.fromEntries(
        text
          .split('\n')
          .filter(line => /^[A-Z]/.test(line))
          .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
      if (n === 3) {
        const { user, password } = pooledLogin
        env.DATABASE_URL = `postgres://${user}:${password}@${address}:${this.#pooler.port}/assize`
        env.DATABASE_DIRECT_URL = this.url
      }
      const port = Number(String(this.#values[`ASSIZE_${n}`]).split(':')[1])
      const process = new AssizeProcess(this.#waiting, entry, port, this.#folder(`assize-${n}`), env)
      this.assize.push(process)
      await process.start()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.assize.map(each => each.stop()))
    await this.#pooler?.close()
    await this.#proxy?.stop()
    await Promise.all([...this.#sentinels, ...this.redis].map(each => each.stop()))
    await Promise.all(this.nodes.map(node => node.stop()))
    await Promise.all(this.etcd.map(each => each.stop()))
  }

  async members(): Promise<readonly Member[]> {
    const answers = this.nodes.map(async ({ restPort }) => {
      const answer = await fetch(`http://${address}:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
      return ((await answer.json()) as { members: Member[] }).members
    })
    return Promise.any(answers)
  }

  async primary(): Promise<DatabaseNode | undefined> {
    const leader = (await this.members()).find(({ role }) => role === 'leader')
    return this.nodes.find(({ name }) => name === leader?.name)
  }

  async untilAnotherPrimary(name: string): Promise<void> {
    await this.#waiting.until('another primary', async () => {
      const primary = await this.primary()
      return (primary !== undefined && primary.name !== name) || `${primary?.name ?? 'nobody'} leads`
    })
  }

  async untilReady(): Promise<void> {
    await this.#waiting.until('processes that are ready', async () => {
      const seen = await Promise.all(
        this.assize.map(each => each.readiness().catch((error: Error) => `${each.name}: ${error.message}`)),
      )
      return seen.every(each => each === true) || seen.filter(each => each !== true).join('; ')
    })
  }

  /** One primary, two standbys that follow it, and a commit waits for one of them. */
  async untilHealthy(): Promise<void> {
    await this.#waiting.until('a healthy cluster', async () => {
      const members = await this.members()
      const roles = members.map(({ role }) => role)
      const isWhole = roles.includes('leader') && roles.includes('sync_standby')
      if (members.length === 3 && isWhole && members.every(isRunning)) return true
      return members.map(({ name, role, state, timeline }) => `${name} ${role} ${state} on ${timeline}`).join(', ')
    })
  }

  async #choosePorts(): Promise<void> {
    const values = this.#values
    const take = async () => `${address}:${await freePort()}`
    for (const n of three) {
      values[`ASSIZE_${n}`] = await take()
      values[`PG_${n}`] = await take()
      values[`REST_${n}`] = await freePort()
      values[`SENTINEL_${n}`] = await take()
      values[`REDIS_${n}`] = await freePort()
      values[`CLIENT_${n}`] = await freePort()
      values[`PEER_${n}`] = await freePort()
    }
    values.FRONT = await take()
    values.DATABASE = await take()
    values.PROXY = values.DATABASE
    values.ETCD = three.map(n => `${address}:${values[`CLIENT_${n}`]}`).join(',')
    values.ETCD_CLUSTER = three.map(n => `node${n}=http://${address}:${values[`PEER_${n}`]}`).join(',')
    values.REDIS_MASTER = `${address} ${values.REDIS_1}`
  }

  #openEtcd(n: number): void {
    const { ETCD_CLUSTER, [`CLIENT_${n}`]: client, [`PEER_${n}`]: peer } = this.#values
    const ports = { CLIENT_PORT: client!, PEER_PORT: peer! }
    const own = { NODE: `node${n}`, ADDRESS: address, DATA: this.#folder(`etcd-${n}`), ETCD_CLUSTER: ETCD_CLUSTER! }
    const file = this.#write(`etcd-${n}.yml`, fill('etcd.yml', { ...own, ...ports }))
    const etcd = new Daemon(['etcd', '--config-file', file], this.#path(`etcd-${n}.log`))
    this.etcd.push(etcd)
    etcd.start()
  }

  async #openNode(n: number): Promise<void> {
    const { ETCD, [`REST_${n}`]: rest, [`PG_${n}`]: host } = this.#values
    const data = this.#folder(`node-${n}`, this.#account)
    const passwords = { SUPERUSER_PASSWORD: 'super', REPLICATION_PASSWORD: 'replica', REWIND_PASSWORD: 'rewind' }
    const text = fill('patroni.yml', {
      NODE: `node${n}`,
      ADDRESS: address,
      DATA: data,
      REST_PORT: rest!,
      PG_PORT: String(host).split(':')[1]!,
      ETCD: ETCD!,
      NETWORK: '127.0.0.1/32',
      WATCHDOG: 'off',
      ...passwords,
    })
    const file = this.#write(`patroni-${n}.yml`, text)
    const log = this.#write(`patroni-${n}.log`, '')
    if (this.#account.uid !== undefined) chownSync(log, this.#account.uid, this.#account.gid!)
    const node = new DatabaseNode(`node${n}`, Number(rest), data, new Daemon(['patroni', file], log, this.#account))
    this.nodes.push(node)
    node.start()
    // The first one makes the cluster, and the others copy it.
    if (n === 1)
      await this.#waiting.until('a primary', async () => (await this.members()).some(isRunning) || 'nobody is running')
  }

  #openRedis(n: number): void {
    const { REDIS_MASTER, [`REDIS_${n}`]: port, [`SENTINEL_${n}`]: sentinel } = this.#values
    const own = { ADDRESS: address, DATA: this.#folder(`redis-${n}`) }
    const follows = n === 1 ? '' : `replicaof ${REDIS_MASTER}\n`
    const file = this.#write(`redis-${n}.conf`, fill('redis.conf', { ...own, REDIS_PORT: port! }) + follows)
    const redis = new Daemon(['redis-server', file], this.#path(`redis-${n}.log`))
    const ports = { SENTINEL_PORT: String(sentinel).split(':')[1]!, REDIS_MASTER: REDIS_MASTER! }
    const watch = this.#write(`sentinel-${n}.conf`, fill('sentinel.conf', { ...own, ...ports }))
    const watching = new Daemon(['redis-sentinel', watch], this.#path(`sentinel-${n}.log`))
    this.redis.push(redis)
    this.#sentinels.push(watching)
    redis.start()
    watching.start()
  }

  /** As most sentinels say. */
  async redisMaster(): Promise<Daemon> {
    const ask = async (n: number) => {
      const [, port] = String(this.#values[`SENTINEL_${n}`]).split(':')
      const words = ['-p', port!, 'SENTINEL', 'get-master-addr-by-name', 'assize']
      const { stdout } = await promisify(execFile)('redis-cli', words, { timeout: 2_000 })
      return Number(stdout.split('\n')[1])
    }
    const ports = (await Promise.all(three.map(n => ask(n).catch(() => 0)))).toSorted((a, b) => a - b)
    return this.redis[three.findIndex(n => this.#values[`REDIS_${n}`] === ports[1])]!
  }

  #path(name: string): string {
    return join(this.#below, name)
  }

  #folder(name: string, { uid, gid }: Account = {}): string {
    const path = this.#path(name)
    mkdirSync(path, { mode: 0o700 })
    if (uid !== undefined) chownSync(path, uid, gid!)
    return path
  }

  #write(name: string, text: string): string {
    writeFileSync(this.#path(name), text, { mode: 0o644 })
    return this.#path(name)
  }
}

function isRunning({ state }: Member): boolean {
  return state === 'running' || state === 'streaming'
}
