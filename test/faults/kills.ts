// F1: the importer, both parties' sign-off, the server and the database are killed without warning at random moments of an
// import and of a sign-off. What was acknowledged is there afterwards; a file is imported completely or not at all; a rerun
// gives the same content; each party has one row; and a server agrees with the database.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { signPeriod } from '../../src/agreements/sign.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { dayOf, formatDay } from '../../src/core/time/day.ts'
import { csvSource } from '../../src/import/csv.ts'
import { importTable } from '../../src/import/table.ts'
import { isServing, readPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { openApplication, type Sql } from '../../src/storage/postgres/database.ts'
import { databaseTroubleOf } from '../../src/storage/postgres/database-errors.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { judge } from '../support/agreements/judged.ts'
import { buyer, eventually, supplier, textSource, uploadOf } from '../support/houses/api.ts'
import { join as joinPeople, password } from '../support/houses/console.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import { CommandRun, type Ending, runInPeace } from './command-run.ts'
import type { FolderGround } from './grounds.ts'
import { type ServedProcess, serveFolder } from './served-process.ts'
import { WebParty } from './web-signing.ts'

type Work = 'import' | 'sign-off' | 'sign-off on the web'
/** A worker is the importer, or one of the two parties that sign by command. */
type Victim = 'worker' | 'database' | 'server'

type Kind = readonly [Work, Victim]

/** Each work and each victim once, where what is killed does the work, or keeps what it leaves. */
export const chiefKinds: readonly Kind[] = [
  ['sign-off', 'worker'],
  ['import', 'database'],
  ['sign-off on the web', 'server'],
]

/** What is killed during which work, in turn. */
export const kinds: readonly Kind[] = [
  ...chiefKinds,
  ['import', 'worker'],
  ['sign-off on the web', 'database'],
  ['sign-off', 'database'],
  ['import', 'server'],
  ['sign-off', 'server'],
]

const rowsPerSeries = 1_500
const parties = ['buyer', 'supplier'] as const
const emails = { buyer, supplier } as const
/** February 2000 is the first; a new agreement begins when they are used up. */
const periodsEach = 240
const backWithinMs = 120_000

const document = (slug: string) => `
slug: ${slug}
status: ACTIVE
contract: { start: 2000-01-01, end: 2019-12-31, frequency: MONTHLY }
inputs: { index: { series: CUSTOM/signed, weight: 0.4, base: { value: 97.3 }, missing: LAST_KNOWN } }
clause: { fixed: 0.6 }
parties: { supplier: [${supplier}] }`

const signedSeries = `series,period,value,published
CUSTOM/signed,2000-01,98.1,2020-01-01
CUSTOM/signed,2000-05,99.7,2020-01-01
CUSTOM/signed,2003-02,104.25,2020-01-01
`

/** Two series; their rows are the same in every round. */
function table(round: number): string {
  const first = dayOf(2000, 1, 1)
  const rows = ['a', 'b'].flatMap(name =>
    Array.from({ length: rowsPerSeries }, (_, i) => {
      const day = formatDay(first + i)
      return `CUSTOM/kill-${round}-${name},${day},${100 + (i % 97)}.${i % 10},${day}T12:00:00Z,flag ${i % 7}`
    }),
  )
  return `series,period,value,published,flag\n${rows.join('\n')}\n`
}

/** What is there of the file of a round. */
interface Taken {
  readonly vintages: number
  readonly distinct: number
  readonly hashes: readonly string[]
}

export interface KillReport {
  readonly failures: readonly string[]
  readonly kills: Readonly<Record<string, number>>
  /** How often the killed work was done, and how often it left nothing. */
  readonly done: number
  readonly undone: number
}

class Kills {
  readonly failures: string[] = []
  readonly kills: Record<string, number> = {}
  done = 0
  undone = 0
  readonly #ground: FolderGround
  /** For undisturbed reruns: the functions that the commands call, without starting a command. */
  readonly #sql: Sql
  readonly #seal: Seal
  readonly #chance: Chance
  readonly #workspace: string
  readonly #authorization: string
  #server: ServedProcess
  #whole: readonly Taken[] = []
  #durations: Readonly<Record<Work, number>> = { import: 0, 'sign-off': 0, 'sign-off on the web': 0 }
  readonly #onWeb: Readonly<Record<'buyer' | 'supplier', WebParty>>
  #signed = 0
  readonly #seed: number
  #told = ''

  private constructor(
    ground: FolderGround,
    sql: Sql,
    seed: number,
    tenant: { id: string; slug: string; authorization: string },
    server: ServedProcess,
  ) {
    this.#ground = ground
    this.#sql = sql
    this.#seal = new Seal(ground.ring)
    this.#seed = seed
    this.#chance = new Chance(seed)
    this.#workspace = tenant.id
    this.#authorization = tenant.authorization
    this.#onWeb = { buyer: new WebParty(tenant.slug, 'buyer'), supplier: new WebParty(tenant.slug, 'supplier') }
    this.#server = server
  }

  static async open(ground: FolderGround, seed: number): Promise<Kills> {
    const sql = openApplication(ground.target, { connections: 2 })
    const { id, slug } = await createWorkspace(ground.owner, { slug: `kills-${seed}`, rateLimit: 1_000_000 })
    const digests = new KeyedDigests(ground.ring, 'api-key digests')
    const { key } = await createApiKey(sql, digests, { workspaceId: id, name: 'kills', expiresAt: null })
    for (const party of parties) await joinPeople({ sql }, id, emails[party], party)
    const options = { dryRun: false, upload: uploadOf(signedSeries), onProgress: () => {} }
    await importTable(sql, id, textSource(signedSeries), options)
    const server = await serveFolder(ground.folder, { env: { LOG_LEVEL: 'warn' } })
    const kills = new Kills(ground, sql, seed, { id, slug, authorization: `Bearer ${key}` }, server)
    try {
      await kills.#measure()
    } catch (error) {
      await kills.close()
      throw error
    }
    return kills
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.#sql.end({ timeout: 5 })
  }

  /** How long the work takes when nothing is killed, and what it leaves. */
  async #measure(): Promise<void> {
    const path = await this.#write(0)
    const imported = await runInPeace(this.#ground.folder, this.#importWords(path))
    this.#whole = await this.#look(0)
    const shape = this.#whole.map(({ vintages, distinct, hashes }) => [vintages, distinct, hashes.length].join())
    const expected = `${rowsPerSeries},${rowsPerSeries},1`
    if (shape.join(' ') !== `${expected} ${expected}`) throw new Error(`in peace there is ${shape.join(' ')}`)
    const { slug, period } = await this.#nextPeriod()
    const signing: Ending[] = []
    for (const party of parties)
      signing.push(await runInPeace(this.#ground.folder, this.#signWords(slug, period, party, null)))
    const web = await this.#measureWeb()
    const longest = (endings: readonly Ending[]) => Math.max(...endings.map(({ ms }) => ms))
    this.#durations = { import: imported.ms, 'sign-off': longest(signing), 'sign-off on the web': longest(web) }
  }

  async #measureWeb(): Promise<readonly Ending[]> {
    for (const party of parties) await this.#onWeb[party].signIn(this.#server, emails[party], password)
    const { slug, period, hash } = await this.#nextPeriod()
    const endings = await Promise.all(parties.map(party => this.#onWeb[party].sign(this.#server, slug, period, hash)))
    for (const { status, err } of endings) if (status !== 0) throw new Error(`on the web: ${status} ${err}`)
    return endings
  }

  async round(round: number, work: Work, victim: Victim): Promise<void> {
    // A little beyond the end, so that kills after the answer count too.
    const delayMs = this.#chance.int(0, Math.ceil(this.#durations[work] * 1.1))
    this.#told = `seed ${this.#seed}, round ${round}, ${victim} killed ${delayMs} ms into the ${work}`
    const count = `${victim} at ${work}`
    this.kills[count] = (this.kills[count] ?? 0) + 1
    try {
      await (work === 'import' ? this.#importOnce(round, victim, delayMs) : this.#signOnce(work, victim, delayMs))
    } catch (error) {
      this.#fail(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }

  #fail(what: string): void {
    this.failures.push(`${this.#told}: ${what}`)
  }

  async #write(round: number): Promise<string> {
    const path = join(this.#ground.folder, `kill-${round % 2}.csv`)
    await writeFile(path, table(round))
    return path
  }

  #importWords(path: string): string[] {
    return ['import', path, '--workspace', this.#workspace]
  }

  #signWords(slug: string, period: string, party: 'buyer' | 'supplier', hash: string | null): string[] {
    const words = ['pam', 'sign', slug, '--workspace', this.#workspace, '--period', period, '--party', party]
    return [...words, '--as', emails[party], ...(hash === null ? [] : ['--hash', hash])]
  }

  /** Starts the commands and kills. */
  async #killAtCommands(victim: Victim, delayMs: number, work: readonly (readonly string[])[]) {
    const runs = await Promise.all(work.map(words => CommandRun.start(this.#ground.folder, words)))
    const ended = Promise.all(runs.map(run => run.end()))
    return this.#kill(victim, delayMs, ended, () => this.#chance.pick(runs).kill())
  }

  /** Kills, waits until all other processes have ended, and restarts everything. */
  async #kill(victim: Victim, delayMs: number, ended: Promise<readonly Ending[]>, killWorker: () => void) {
    await sleep(delayMs)
    if (victim === 'worker') killWorker()
    else if (victim === 'server') this.#server.signal('SIGKILL')
    else await this.#killDatabase()
    const endings = await ended
    await this.#ground.embedded.ensureRunning()
    if (victim === 'server') {
      await this.#server.stop()
      this.#server = await serveFolder(this.#ground.folder, { env: { LOG_LEVEL: 'warn' } })
    } else if (!this.#server.isAlive()) this.#fail(`the server ended: ${this.#server.log().slice(-2_000)}`)
    return endings
  }

  /** The running processes; a busy machine takes a moment to remove a killed one. */
  async #killDatabase(): Promise<void> {
    const { dataFolder } = this.#ground.cluster
    const { pid } = readPostmaster(dataFolder)!
    process.kill(pid, 'SIGKILL')
    while (isServing(pid, dataFolder)) await sleep(5)
  }

  /** Only a killed process, or one that used a killed database, may fail. */
  #judgeEnding({ status, acknowledged, err }: Ending, victim: Victim): void {
    if (status !== 0 && status !== null && acknowledged !== null)
      this.#fail(`acknowledged, but ended with ${status}: ${err}`)
    // A command with a status of 1 and an answer of 503 say that it was not done; a broken connection says nothing.
    const isHonest = status === null || status === 1 || status === 503
    const isExcused = isHonest && (victim === 'database' || status === null)
    if (!isExcused && status !== 0) this.#fail(`ended with ${status}: ${err}`)
    if (/\n\s+at /.test(err)) this.#fail(`a stack trace: ${err}`)
  }

  async #importOnce(round: number, victim: Victim, delayMs: number): Promise<void> {
    const path = await this.#write(round)
    const [ending] = await this.#killAtCommands(victim, delayMs, [this.#importWords(path)])
    this.#judgeEnding(ending!, victim)
    const left = await this.#look(round)
    if (left.length === 0) {
      this.undone++
      if (ending!.acknowledged !== null) this.#fail('the import was acknowledged and nothing is there')
    } else {
      this.done++
      if (!isSame(left, this.#whole)) this.#fail(`something else than the file is visible: ${JSON.stringify(left)}`)
    }
    const options = { dryRun: false, upload: uploadOf(path), onProgress: () => {} }
    const { added } = await this.#query(() => importTable(this.#sql, this.#workspace, csvSource(path), options))
    // A commit in progress may still complete after we looked.
    const right = left.length === 0 ? [0, 2 * rowsPerSeries] : [0]
    if (!right.includes(added)) this.#fail(`the rerun added ${added}`)
    const after = await this.#look(round)
    if (!isSame(after, this.#whole)) this.#fail(`after a rerun there is ${JSON.stringify(after)}`)
    await this.#askForSeries(round)
  }

  /** Our connection may not have noticed yet that its database was killed. */
  async #query<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++)
      try {
        return await ask()
      } catch (error) {
        if (tries === 20 || databaseTroubleOf(error) === null) throw error
        await sleep(100)
      }
  }

  async #look(round: number): Promise<readonly Taken[]> {
    const rows = await this.#query(
      () => this.#ground.owner<Taken[]>`
      select count(v.*) as vintages, count(distinct (v.period, v.published_at)) as distinct,
        array(select encode(p.content_hash, 'hex') from publication p
          where p.scope = s.owner and p.subject = s.id and p.kind = 'observations') as hashes
      from series s left join vintage v on v.owner = s.owner and v.series_id = s.id
      where s.owner = ${this.#workspace} and s.code like ${`kill-${round}-%`} group by s.owner, s.id, s.code order by s.code`,
    )
    return [...rows]
  }

  async #askForSeries(round: number): Promise<void> {
    const [row] = await this.#ground.owner<{ id: string }[]>`
      select id from series where owner = ${this.#workspace} and code = ${`kill-${round}-a`}`
    const expected = Array.from({ length: rowsPerSeries }, (_, i) => `${100 + (i % 97)}.${i % 10}`).join()
    const values = async () => {
      const answer = await this.#ask(`/v1/series/${row!.id}/values?limit=2000`)
      return (answer?.data as { value: string }[] | undefined)?.map(({ value }) => value).join() ?? ''
    }
    const served = await eventually(values, text => text === expected, backWithinMs)
    if (served !== expected) this.#fail(`the server does not serve the series of the file: ${served.slice(0, 200)}`)
  }

  async #ask(path: string): Promise<Record<string, unknown> | null> {
    const headers = { authorization: this.#authorization }
    const reply = await this.#server.client.ask(path, { headers }).catch(() => null)
    // A server sees publications of others a moment later.
    if (reply === null || reply.status === 503 || reply.status === 404) return null
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`)
    return JSON.parse(reply.text)
  }

  async #nextPeriod(): Promise<{ slug: string; period: string; hash: string }> {
    const place = this.#signed % (periodsEach - 1)
    const slug = `killed-${Math.floor(this.#signed / (periodsEach - 1))}`
    this.#signed++
    if (place === 0) {
      const request = { workspaceId: this.#workspace, text: document(slug), by: buyer, today: dayOf(2026, 1, 1) }
      const { outcome } = await this.#query(() => applyDocument(this.#sql, request))
      if (outcome !== 'created') throw new Error(`the formula is ${outcome}`)
    }
    const month = place + 1
    const period = `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
    const ask = () => this.#ask(`/v1/pams/${slug}/adjustment/receipt?period=${period}`).catch(() => null)
    const receipt = await eventually(ask, answer => answer !== null, backWithinMs)
    if (receipt === null) throw new Error(`no receipt of ${slug} ${period} is shown`)
    return { slug, period, hash: String(receipt.hash) }
  }

  async #signOnce(work: Work, victim: Victim, delayMs: number): Promise<void> {
    const { slug, period, hash } = await this.#nextPeriod()
    const signOnWeb = () => Promise.all(parties.map(party => this.#onWeb[party].sign(this.#server, slug, period, hash)))
    const endings =
      work === 'sign-off on the web'
        ? await this.#kill(victim, delayMs, signOnWeb(), () => {})
        : await this.#killAtCommands(
            victim,
            delayMs,
            parties.map(party => this.#signWords(slug, period, party, hash)),
          )
    const left = await this.#signOffs(period, slug)
    parties.forEach((party, i) => {
      const ending = endings[i]!
      this.#judgeEnding(ending, victim)
      const own = left.filter(row => row.party === party)
      if (own.length === 0) this.undone++
      else this.done++
      if (ending.acknowledged !== null && own.length !== 1)
        this.#fail(`${party} was told that ${period} is signed, and there are ${own.length} rows`)
      if (own.some(row => row.hash !== hash)) this.#fail(`${party} is bound to ${own[0]!.hash}, shown was ${hash}`)
    })
    const proof = { means: 'OPERATOR' } as const
    const asShown = { period, shown: hash, through: false, proof, fromAddress: null }
    const usual = { workspaceId: this.#workspace, agreement: slug, ...asShown }
    for (const party of parties) {
      const request = { ...usual, party, email: emails[party] }
      const again = await this.#query(() => signPeriod(this.#sql, this.#seal, request))
      if (again.hash !== hash) this.#fail(`signing again gives ${again.hash}, shown was ${hash}`)
    }
    const after = await this.#signOffs(period, slug)
    const expected = parties.map(party => `${party} ${hash}`).join(', ')
    const found = after.map(row => `${row.party} ${row.hash}`).join(', ')
    if (found !== expected) this.#fail(`after a rerun the rows are ${found}`)
    await this.#askForSignOff(slug, period, hash)
  }

  async #signOffs(period: string, slug: string): Promise<readonly { party: string; hash: string }[]> {
    return this.#query(
      () => this.#ground.owner<{ party: string; hash: string }[]>`
      select s.party, s.receipt_hash as hash from sign_off s join agreement a on a.workspace_id = s.workspace_id and a.id = s.agreement_id
      where s.workspace_id = ${this.#workspace} and a.slug = ${slug} and s.period = ${period} order by s.party, s.seq`,
    )
  }

  async #askForSignOff(slug: string, period: string, hash: string): Promise<void> {
    const path = `/v1/pams/${slug}/adjustment`
    const isSigned = (answer: Record<string, unknown> | null) => {
      const confirmed = (answer?.confirmed ?? {}) as Record<string, string | null>
      return parties.every(party => typeof confirmed[party] === 'string')
    }
    const answer = await eventually(() => this.#ask(`${path}?period=${period}`), isSigned, backWithinMs)
    if (!isSigned(answer)) this.#fail(`the server does not say that ${period} is signed: ${JSON.stringify(answer)}`)
    const receipt = (await this.#ask(`${path}/receipt?period=${period}`)) as unknown as Receipt | null
    if (receipt === null) return this.#fail('the server does not give the receipt')
    const { problems } = await judge(receipt)
    if (receipt.hash !== hash || problems.length > 0)
      this.#fail(`the receipt that was signed is ${hash}, served is ${receipt.hash}`)
  }

  async verifyChains(): Promise<void> {
    this.#told = 'in the end'
    for (const { scope, problem } of await verifyAllChains(this.#ground.owner))
      if (problem !== null) this.#fail(`the chain of ${scope}: publication ${problem.seq}: ${problem.message}`)
  }
}

function isSame(left: readonly Taken[], right: readonly Taken[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** Every victim during every work in turn, this many times in total. */
export async function killAtRandom(ground: FolderGround, { rounds, seed, say }: LongRun): Promise<KillReport> {
  const kills = await Kills.open(ground, seed)
  try {
    for (let round = 1; round <= rounds; round++) {
      const [work, victim] = kinds[(round - 1) % kinds.length]!
      await kills.round(round, work, victim)
      if (round % 25 === 0) say(`${round} killed: ${kills.done} times done, ${kills.undone} times not`)
    }
    await kills.verifyChains()
  } finally {
    await kills.close()
  }
  return kills
}
