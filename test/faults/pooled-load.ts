// People and programs at many processes at once: readers who know every right answer, strangers who ask for what is another
// workspace's, imports, previews, and two parties who sign. Everything that was acknowledged is remembered, to be looked for later.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../src/storage/postgres/database.ts'
import type { UploadLine } from '../../src/views/shapes/series.ts'
import type { Reply } from '../support/clients/http-client.ts'
import type { Tenant } from '../support/houses/api.ts'
import { Browser, join as joinPeople, linesOf, password, type Served } from '../support/houses/console.ts'
import { everyRoute, type Sample } from '../support/houses/sample.ts'
import type { Chance } from './chance.ts'
import type { ServedProcess } from './served-process.ts'

/** Whoever has no answer by then gets none, on a busy machine as well: a first file starts a thread. */
const patienceMs = 300_000
/** Between two requests of one reader, at most: a steady rate that two processors carry for twenty processes. */
const pauseMs = 600
export const rowsPerFile = 40
/** How many of the processes get files and signatures. */
const writtenAt = 4
const parties = ['buyer', 'supplier'] as const

/** What is read: a workspace in which nothing changes, and its right answers. */
export interface ReadPlace {
  readonly key: string
  readonly seriesId: string
  readonly answers: ReadonlyMap<string, string>
}

/** What is written to. */
export interface WritePlace {
  readonly id: string
  readonly slug: string
  readonly key: string
  readonly email: Readonly<Record<'editor' | (typeof parties)[number], string>>
}

export async function readPlace(tenant: Tenant, sample: Sample): Promise<ReadPlace> {
  const answers = new Map<string, string>()
  for (const path of everyRoute(sample)) answers.set(path, (await tenant.get(path)).text)
  return { key: tenant.key, seriesId: sample.steel, answers }
}

const document = (supplier: string) => `
slug: pooled
status: ACTIVE
contract: { start: 2000-01-01, end: 2019-12-31, frequency: MONTHLY }
inputs: { index: { series: CUSTOM/signed, weight: 0.4, base: { value: 97.3 }, missing: LAST_KNOWN } }
clause: { fixed: 0.6 }
parties: { supplier: [${supplier}] }`

export async function writePlace(tenant: Tenant, sql: Sql, place: number): Promise<WritePlace> {
  const email = { editor: `e${place}@b.test`, buyer: `b${place}@b.test`, supplier: `s${place}@s.test` }
  for (const role of ['editor', ...parties] as const) await joinPeople({ sql }, tenant.id, email[role], role)
  await tenant.import('series,period,value,published\nCUSTOM/signed,2000-01,98.1,2020-01-01\n')
  await tenant.apply(document(email.supplier))
  return { id: tenant.id, slug: tenant.api.slugOf(tenant.id), key: tenant.key, email }
}

/** Acknowledged with a status of success. */
interface Acknowledged {
  readonly series: { readonly workspace: string; readonly code: string }[]
  readonly signatures: { readonly workspace: string; readonly period: string; readonly party: string; hash: string }[]
}

export class PooledLoad {
  readonly acknowledged: Acknowledged = { series: [], signatures: [] }
  readonly counts = { asked: 0, good: 0, wrong: 0, across: 0, otherErrors: 0, previews: 0 }
  /** How often a refusal said what. */
  readonly unavailable = new Map<string, number>()
  readonly problems = new Set<string>()
  readonly #servers: readonly ServedProcess[]
  #isStopped = false

  constructor(servers: readonly ServedProcess[]) {
    this.#servers = servers
  }

  get refused(): number {
    return [...this.unavailable.values()].reduce((sum, count) => sum + count, 0)
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Null for an answer that is no success: 503, after the time that it asks for, or one that counts as a fault. */
  async #ask(what: string, asking: Promise<Reply>): Promise<Reply | null> {
    this.counts.asked++
    const asked = asking.catch((error: Error) => error.message)
    const reply = await Promise.race([asked, sleep(patienceMs, `no answer in ${patienceMs} ms`, { ref: false })])
    if (typeof reply === 'string') return this.#fault('otherErrors', `${what}: ${reply}`)
    if (reply.status === 503) {
      this.#refuse(reply.text)
      if (!/^[1-9]\d*$/.test(`${reply.headers['retry-after']}`))
        return this.#fault('otherErrors', `${what}: 503 without Retry-After`)
      await sleep(Number(reply.headers['retry-after']) * 1000)
      return null
    }
    if (reply.status >= 500) return this.#fault('otherErrors', `${what}: ${reply.status} ${reply.text}`)
    this.counts.good++
    return reply
  }

  #refuse(text: string): void {
    this.unavailable.set(text, (this.unavailable.get(text) ?? 0) + 1)
  }

  #fault(kind: 'wrong' | 'across' | 'otherErrors', what: string): null {
    this.counts[kind]++
    this.problems.add(`${kind}: ${what.slice(0, 300)}`)
    return null
  }

  /** Until it is stopped; every eighth question is about a series of another workspace. */
  async read(places: readonly ReadPlace[], chance: Chance): Promise<void> {
    for (let i = 0; !this.#isStopped; i++) {
      const at = chance.int(0, places.length - 1)
      const { key, answers } = places[at]!
      const foreign = places[(at + 1) % places.length]!.seriesId
      const path = i % 8 === 7 ? `/series/${foreign}/values` : chance.pick([...answers.keys()])
      const headers = { authorization: `Bearer ${key}` }
      const reply = await this.#ask(path, chance.pick(this.#servers).client.ask(`/v1${path}`, { headers }))
      if (reply !== null && i % 8 === 7) {
        if (reply.status !== 404) this.#fault('across', `${path}: ${reply.status} ${reply.text}`)
      } else if (reply !== null && (reply.status !== 200 || reply.text !== answers.get(path)))
        this.#fault('wrong', `${path}: ${reply.status} ${reply.text}`)
      await sleep(chance.int(0, pauseMs))
    }
  }

  /** Signs in, and then brings files; every fourth is looked at only. */
  async import({ id, slug, email }: WritePlace, chance: Chance): Promise<void> {
    const editor = await this.#person(slug, email.editor, chance)
    for (let i = 0; !this.#isStopped; i++) {
      const code = `pooled-${i}`
      const rows = Array.from(
        { length: rowsPerFile },
        (_, n) => `CUSTOM/${code},${2000 + n},${100 + n}.${i % 10},2020-01-01`,
      )
      const mode = i % 4 === 3 ? 'preview' : 'import'
      const content = `series,period,value,published\n${rows.join('\n')}\n`
      const path = `/series/upload?file=${code}.csv&mode=${mode}`
      const reply = await this.#ask(`${mode} of a file`, editor.upload(path, content))
      const last =
        reply?.status === 200 ? linesOf<UploadLine & { error?: string; problemCount?: number }>(reply).at(-1)! : null
      if (last?.stage === 'done' && last.problemCount === 0) {
        if (mode === 'import') this.acknowledged.series.push({ workspace: id, code })
        else this.counts.previews++
      } else if (last?.error !== undefined && /not available|try again in/.test(last.error)) this.#refuse(last.error)
      else if (reply !== null) this.#fault('otherErrors', `${mode}: ${reply.status} ${reply.text.slice(-300)}`)
      await sleep(chance.int(50, 200))
    }
  }

  /** Both parties sign one month after the other, each at another process. */
  async sign({ id, slug, key, email }: WritePlace, chance: Chance): Promise<void> {
    const people = await Promise.all(parties.map(party => this.#person(slug, email[party], chance)))
    let confirmedMs = Number.NEGATIVE_INFINITY
    for (let month = 1; month < 239 && !this.#isStopped; month++) {
      const period = `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
      const waiting = new Set<(typeof parties)[number]>(parties)
      // One that was answered with 503 may have been signed: signing again says so (409).
      while (waiting.size > 0 && !this.#isStopped) {
        const shown = await this.#receipt(key, period, chance)
        if (shown !== null && performance.now() - confirmedMs > 120_000) {
          for (const person of people) await this.#until(() => person.confirm())
          confirmedMs = performance.now()
        }
        for (const [i, party] of shown === null ? [] : parties.entries()) {
          if (!waiting.has(party)) continue
          const body = { party, periods: [{ period, hash: shown }] }
          const reply = await this.#ask('signature', people[i]!.post(`/agreements/pooled/periods/${period}/sign`, body))
          if (reply?.status === 200) {
            waiting.delete(party)
            this.acknowledged.signatures.push({ workspace: id, period, party, hash: shown! })
          } else if (reply?.status === 409) waiting.delete(party)
          else if (reply !== null) this.#fault('otherErrors', `signature: ${reply.status} ${reply.text}`)
        }
        await sleep(chance.int(50, 200))
      }
    }
  }

  async #receipt(key: string, period: string, chance: Chance): Promise<string | null> {
    const headers = { authorization: `Bearer ${key}` }
    const path = `/v1/pams/pooled/adjustment/receipt?period=${period}`
    const reply = await this.#ask(path, chance.pick(this.#servers).client.ask(path, { headers }))
    return reply?.status === 200 ? String(JSON.parse(reply.text).hash) : null
  }

  /** Each request of theirs goes to another of a few processes: the first file at each of them begins a thread. */
  async #person(slug: string, email: string, chance: Chance): Promise<Browser> {
    const servers = this.#servers.slice(0, writtenAt)
    const served = {
      ask: (path: string, asking: object) => chance.pick(servers).client.ask(path, asking),
      client: servers[0]!.client,
    } as unknown as Served
    const person = new Browser(served, slug, { host: '127.0.0.1:8080' })
    await this.#until(() => person.signIn(email, password))
    return person
  }

  async #until(ask: () => Promise<Reply>): Promise<void> {
    for (;;) {
      const { status, text } = await ask()
      if (status < 300) return
      if (status !== 503) throw new Error(`${status} ${text}`)
      await sleep(200)
    }
  }
}
