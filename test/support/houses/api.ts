// The real server over a real database, in this process, and workspaces to call it with: what an operator's commands do, as
// functions. Answers come only over HTTP.
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Applied, applyDocument } from '../../../src/agreements/apply.ts'
import { Seal } from '../../../src/agreements/seal.ts'
import { type Signed, type SignRequest, signPeriod } from '../../../src/agreements/sign.ts'
import { readConfig } from '../../../src/config.ts'
import type { Party } from '../../../src/core/parties.ts'
import type { KeyScope } from '../../../src/core/people/key-scope.ts'
import type { Role } from '../../../src/core/roles.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import type { Instant } from '../../../src/core/time/instant.ts'
import { parseDayOrInstant, parseInstant } from '../../../src/core/time/instant.ts'
import { parsePeriod } from '../../../src/core/time/period.ts'
import type { Log } from '../../../src/http/frame/request-log.ts'
import type { TableSource } from '../../../src/import/source.ts'
import { importTable } from '../../../src/import/table.ts'
import { limits } from '../../../src/limits.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../../src/main.ts'
import { splitCsv } from '../../../src/providers/formats/csv.ts'
import { KeyedDigests, KeyRing } from '../../../src/storage/keys/key-ring.ts'
import { appending } from '../../../src/storage/log/append.ts'
import { appendEntry } from '../../../src/storage/log/entry-rows.ts'
import { checkSecrets, withRing } from '../../../src/storage/log/secret-check.ts'
import { createMember } from '../../../src/storage/people/people.ts'
import { type DatabaseTarget, openApplication, type Sql } from '../../../src/storage/postgres/database.ts'
import { withStaging } from '../../../src/storage/series/staging.ts'
import type { NewUpload } from '../../../src/storage/series/uploads.ts'
import type { Installation } from '../../../src/storage/upkeep/installation.ts'
import { createApiKey, type IssuedApiKey } from '../../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../../src/storage/workspaces/workspaces.ts'
import { type Asking, HttpClient, type Reply } from '../clients/http-client.ts'
import { makeTestRing, testSecret } from '../run/postgres.ts'

/** Tests have databases of their own under one secret: none may remember what another has signed in its log. */
export const ownFolder = () => ({ ASSIZE_DATA: mkdtempSync(join(tmpdir(), 'assize-api-')) })

export { makeTestRing, testSecret }

/** What differs from a usual signature; `hash` is the hash that was shown. */
export type SigningChanges = Partial<SignRequest> & { readonly hash?: string }

/** A database with the schema in it, and who opened it. */
export interface Ground {
  readonly target: DatabaseTarget
  readonly owner: Sql
  close(): Promise<void>
}

export interface ApiOptions extends ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly secret?: string
}

export async function openApi(ground: Ground, options: ApiOptions = {}): Promise<Api> {
  const api = new Api(ground, options)
  await checkSecrets(api.owner, api.ring)
  await api.start()
  return api
}

export class Api {
  readonly owner: Sql
  /** For what tests write; the server has its own pool. */
  readonly sql: Sql
  readonly secret: string
  readonly ring: KeyRing
  readonly target: DatabaseTarget
  /** The server's own pool, for tests that count what it asks. */
  readonly pool: Sql
  /** Every line the server logged, as JSON. */
  readonly log: string[] = []
  readonly #ground: Ground
  readonly #folder = ownFolder()
  readonly #env: Readonly<Record<string, string>>
  readonly #options: ServerOptions
  #running: RunningServer | null = null
  #client: HttpClient | null = null
  #made = 0
  readonly #slugs = new Map<string, string>()
  /** What requests name a workspace by: its slug and its keys. */
  readonly #workspacesByName = new Map<string, string>()
  /** Workspaces about which the running server was asked something. */
  readonly #askedAbout = new Set<string>()

  constructor(ground: Ground, { env = {}, secret = testSecret, ...options }: ApiOptions) {
    this.#ground = ground
    this.#env = env
    this.#options = options
    this.owner = ground.owner
    this.secret = secret
    this.ring = KeyRing.of([secret])
    this.target = withRing(ground.target, this.ring)
    this.sql = openApplication(this.target)
    this.pool = openApplication(this.target, { share: limits.poolShare })
  }

  async start(): Promise<void> {
    this.#askedAbout.clear()
    const own = { PORT: '0', ASSIZE_PRIVATE_HOSTS: '127.0.0.1', ...this.#folder }
    const { config, mistakes } = readConfig({ ...own, ...this.#env })
    if (config === null) throw new Error(mistakes.join('\n'))
    const note = (level: string) => (facts: object, message: string) => {
      this.log.push(JSON.stringify({ level, ...facts, message }))
    }
    const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
    // The three things the server needs from an installation; a real one would open its own database.
    const installation = {
      target: this.target,
      sql: this.pool,
      ring: this.ring,
    } as unknown as Installation
    this.#running = await startServer(config, installation, log, this.#options)
    this.#client = new HttpClient(Number.parseInt(new URL(this.#running.address).port, 10))
  }

  async stop(): Promise<void> {
    this.#client?.close()
    await this.#running?.stop()
    this.#running = null
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  get client(): HttpClient {
    return this.#client!
  }

  get address(): string {
    return this.#running!.address
  }

  get metricsAddress(): string | null {
    return this.#running!.metricsAddress
  }

  ask(path: string, asking: Asking = {}): Promise<Reply> {
    if (!aboutPeople.test(path)) this.#askedAbout.add(this.#workspaceIn(path, asking))
    return this.client.ask(path, asking)
  }

  /** Of a workspace about which it was never asked, the server remembers nothing that a publication could change. */
  mayRemember(workspaceId: string): boolean {
    return !this.#slugs.has(workspaceId) || this.#askedAbout.has(workspaceId) || this.#askedAbout.has(anyWorkspace)
  }

  slugOf(workspaceId: string): string {
    return this.#slugs.get(workspaceId)!
  }

  #workspaceIn(path: string, { headers = {} }: Asking): string {
    const slug = /^\/console\/w\/([^/?]+)/.exec(path)?.[1]
    const key = /^Bearer (.+)$/.exec(`${headers.authorization}`)?.[1]
    return this.#workspacesByName.get(slug ?? key ?? '') ?? anyWorkspace
  }

  /** A workspace with a key whose limit no test reaches, unless set otherwise. */
  async tenant({ rateLimit = 1_000_000, name }: { rateLimit?: number; name?: string } = {}): Promise<Tenant> {
    this.#made++
    const slug = `tenant-${this.#made}-${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`
    const workspace = await createWorkspace(this.owner, { slug, rateLimit, ...(name === undefined ? {} : { name }) })
    this.#slugs.set(workspace.id, slug)
    this.#workspacesByName.set(slug, workspace.id)
    const issued = await this.issueKey(workspace.id)
    return new Tenant(this, workspace.id, issued)
  }

  async issueKey(
    workspaceId: string,
    expiresInMs: number | null = null,
    name = 'test',
    scope: KeyScope = 'read',
  ): Promise<IssuedApiKey> {
    const expiresAt = expiresInMs === null ? null : parseInstant(new Date(Date.now() + expiresInMs).toISOString())
    const digests = new KeyedDigests(this.ring, 'api-key digests')
    const issued = await createApiKey(this.sql, digests, { workspaceId, name, scope, expiresAt })
    this.#workspacesByName.set(issued.key, workspaceId)
    return issued
  }

  async close(): Promise<void> {
    await this.stop()
    await Promise.all([this.sql.end({ timeout: 5 }), this.pool.end({ timeout: 5 })])
    await this.#ground.close()
  }
}

/** Requests that are about who somebody is, and about no workspace. */
const aboutPeople = /^\/console\/(?:confirm|password|session|sessions|set-up|sign-in|sign-out)$/
/** A request from which it cannot be told which one it is about. */
const anyWorkspace = '*'

export const buyer = 'ann@buyer.test'
export const supplier = 'sam@supplier.test'
const people: readonly (readonly [string, Role])[] = [
  [buyer, 'buyer'],
  [supplier, 'supplier'],
  ['eva@editor.test', 'editor'],
]

/** One workspace and its key. */
export class Tenant {
  readonly api: Api
  readonly id: string
  readonly key: string
  readonly keyId: string
  #hasPeople = false

  constructor(api: Api, id: string, { key, id: keyId }: IssuedApiKey) {
    this.api = api
    this.id = id
    this.key = key
    this.keyId = keyId
  }

  /** The same workspace and key at another server. */
  at(api: Api): Tenant {
    return new Tenant(api, this.id, { key: this.key, id: this.keyId, name: 'test', scope: 'read', expiresAt: null })
  }

  get authorization(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.key}` }
  }

  /** `path` follows the prefix: `/series?limit=1`. */
  get(path: string, { headers = {}, ...asking }: Asking = {}): Promise<Reply> {
    return this.api.ask(`/v1${path}`, { ...asking, headers: { ...this.authorization, ...headers } })
  }

  /** The same under `/ext/v1`. */
  ext(path: string, { headers = {}, ...asking }: Asking = {}): Promise<Reply> {
    return this.api.ask(`/ext/v1${path}`, { ...asking, headers: { ...this.authorization, ...headers } })
  }

  /** The body of a 200 under `/ext/v1`. */
  async extJson<T = unknown>(path: string): Promise<T> {
    const { status, text } = await this.ext(path)
    if (status !== 200) throw new Error(`GET /ext/v1${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }

  /** The body of a 200. */
  async json<T = unknown>(path: string): Promise<T> {
    const { status, text } = await this.get(path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }

  /** Imports a CSV table, and the next answer shows it; returns the recorded instant. */
  async import(table: string): Promise<Instant> {
    const recordedAt = await this.importUnheard(table)
    await this.#hearObservations(recordedAt)
    return recordedAt
  }

  async #hearObservations(recordedAt: Instant): Promise<void> {
    if (!this.api.mayRemember(this.id)) return
    const [row] = await this.api.owner<{ subject: string }[]>`
      select subject from publication
      where scope = ${this.id} and recorded_at = ${recordedAt} and kind = 'observations' order by seq desc limit 1`
    if (row === undefined) return
    await hear(
      () => this.get(`/series/${row.subject}/vintages?limit=2000`),
      ({ text, headers }) => text.includes(recordedAt) || `${headers.link}`.includes(recordedAt),
    )
  }

  async importUnheard(table: string): Promise<Instant> {
    const report = await importTable(this.api.sql, this.id, textSource(table), {
      dryRun: false,
      upload: uploadOf(table),
      onProgress: () => {},
    })
    if (report.problems.length > 0) throw new Error(`the table is refused: ${JSON.stringify(report.problems)}`)
    if (report.recordedAt === null) throw new Error('nothing in the table was new')
    return report.recordedAt
  }

  /** Imports values of one series by period, all published on one day. */
  importValues(series: string, values: Readonly<Record<string, string>>, published = '2020-01-01'): Promise<Instant> {
    const rows = Object.entries(values).map(([period, value]) => `${series},${period},${value},${published}\n`)
    return this.import(`series,period,value,published\n${rows.join('')}`)
  }

  async seriesId(reference: string): Promise<string> {
    const slash = reference.indexOf('/')
    const [row] = await this.api.owner<{ id: string }[]>`
      select id from series where owner = ${this.id}
        and provider = ${reference.slice(0, slash)} and code = ${reference.slice(slash + 1)}`
    if (row === undefined) throw new Error(`there is no series ${reference}`)
    return row.id
  }

  /** The provider withdraws periods: vintages without a value. */
  async withdraw(reference: string, periods: readonly string[], published: string): Promise<Instant> {
    const recordedAt = await withdraw(this.api.sql, this.id, await this.seriesId(reference), periods, published)
    await this.#hearObservations(recordedAt)
    return recordedAt
  }

  /** Applies a formula document, and the next answer shows it. */
  async apply(text: string): Promise<Applied> {
    const applied = await this.applyUnheard(text)
    if (applied.outcome === 'unchanged' || !this.api.mayRemember(this.id)) return applied
    const [row] = await this.api.owner<{ at: Instant }[]>`
      select max(recorded_at) as at from publication where subject = ${applied.id} and kind in ('agreement', 'formula')`
    const updatedAt = `${row!.at.slice(0, 23)}Z`
    await hear(
      () => this.get(`/pams/${applied.id}`),
      ({ text: answer }) => answer.includes(updatedAt),
    )
    return applied
  }

  async applyUnheard(text: string): Promise<Applied> {
    const day = parseDay(new Date().toISOString().slice(0, 10))!
    const outcome = await applyDocument(this.api.sql, { workspaceId: this.id, text, by: 'eva@editor.test', today: day })
    if (outcome.outcome === 'refused') throw new Error(`the document is refused: ${JSON.stringify(outcome.problems)}`)
    return outcome
  }

  /** Signs, and the next answer shows it. */
  async sign(agreement: string, period: string, party: Party, more: SigningChanges = {}): Promise<Signed> {
    const signed = await this.signUnheard(agreement, period, party, more)
    if (signed.added.length === 0 || !this.api.mayRemember(this.id)) return signed
    await hear(
      () => this.get(`/pams/${agreement}/adjustment?period=${period}`),
      ({ text }) => new RegExp(`"${party}":"\\d{4}-`).test(text),
    )
    return signed
  }

  async signUnheard(agreement: string, period: string, party: Party, more: SigningChanges = {}): Promise<Signed> {
    await this.#admitPeople()
    const email = party === 'buyer' ? buyer : supplier
    const { hash = null, ...changes } = more
    return signPeriod(this.api.sql, new Seal(this.api.ring), {
      workspaceId: this.id,
      agreement,
      period,
      party,
      email,
      shown: hash,
      through: false,
      proof: { means: 'PASSWORD' },
      fromAddress: null,
      ...changes,
    })
  }

  async #admitPeople(): Promise<void> {
    if (this.#hasPeople) return
    this.#hasPeople = true
    for (const [email, role] of people)
      await createMember(this.api.sql, this.id, { email, role }).catch(error => {
        // A test may have added them already.
        if (error.kind !== 'conflict') throw error
      })
  }

  async signBoth(agreement: string, period: string, more: SigningChanges = {}): Promise<void> {
    await this.sign(agreement, period, 'buyer', more)
    await this.sign(agreement, period, 'supplier', more)
  }
}

/** As the command line would record it. */
export function uploadOf(table: string): NewUpload {
  const sha256 = createHash('sha256').update(table).digest('hex')
  return { uploadedBy: 'operator', via: 'command', fileName: 'table.csv', sha256, size: Buffer.byteLength(table) }
}

/** Splits a table that is held as text. */
export function textSource(table: string): TableSource {
  return async function* () {
    const rows: { line: number; cells: readonly string[] }[] = []
    splitCsv([table], (cells, line) => rows.push({ cells, line }))
    yield rows
  }
}

export async function withdraw(
  sql: Sql,
  scope: string,
  seriesId: string,
  periods: readonly string[],
  published: string,
): Promise<Instant> {
  const { recordedAt } = await withStaging(sql, scope, async staging => {
    await staging.add(
      periods.map((period, i) => ({
        series: 0,
        period: parsePeriod(period)!.ordinal,
        value: null,
        tag: null,
        flag: null,
        publishedAt: parseDayOrInstant(published),
        line: i + 2,
      })),
    )
    return (await staging.compare([seriesId])).appendOne()
  })
  if (recordedAt === null) throw new Error('nothing was withdrawn')
  return recordedAt
}

/** The workspace sees a public series from now on. */
export async function follow(sql: Sql, workspaceId: string, seriesId: string): Promise<void> {
  await appending(sql, workspaceId, (tx, log) =>
    appendEntry(tx, log, 'follow', { subject: seriesId, facts: { seriesId } }),
  )
}

/** An uncut answer follows a publication when its notice has arrived, a few milliseconds later. */
async function hear(ask: () => Promise<Reply>, isHeard: (reply: Reply) => boolean): Promise<void> {
  const last = await eventually(ask, isHeard)
  if (!isHeard(last)) throw new Error(`the server was not notified in time: ${last.status} ${last.text.slice(0, 500)}`)
}

/** Blocks the server's listening connections, as a loaded machine would, until the returned function is called. */
export async function holdListeners({ owner }: Api): Promise<() => void> {
  const found = await owner<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'assize listener' and datname = current_database()`
  if (found.length === 0) throw new Error('nothing listens')
  for (const { pid } of found) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const { pid } of found) process.kill(pid, 'SIGCONT')
  }
}

/** Repeats the request until the answer is as expected; returns the last answer if it never is. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isGood: (answer: T) => boolean,
  withinMs = 5_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (isGood(answer) || performance.now() > deadline) return answer
    await sleep(20)
  }
}
