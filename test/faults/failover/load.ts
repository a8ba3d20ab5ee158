// People and systems that use a cluster without pause: importers, signing parties, readers at every process, and a caller at its
// limit. What was acknowledged is noted, and every answer is compared with it.
import { setTimeout as sleep } from 'node:timers/promises'
import { applyDocument } from '../../../src/agreements/apply.ts'
import { dayOf, formatDay } from '../../../src/core/time/day.ts'
import { limits } from '../../../src/limits.ts'
import { KeyedDigests, KeyRing } from '../../../src/storage/keys/key-ring.ts'
import { openApplication, openOwner, type Sql } from '../../../src/storage/postgres/database.ts'
import { createApiKey } from '../../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../../src/storage/workspaces/workspaces.ts'
import type { HttpClient } from '../../support/clients/http-client.ts'
import { buyer, supplier } from '../../support/houses/api.ts'
import { join, password } from '../../support/houses/console.ts'
import type { Waiting } from '../waiting.ts'
import { WebParty } from '../web-signing.ts'
import type { AssizeProcess } from './assize-process.ts'
import { type Accepted, type Acknowledged, Counts } from './counts.ts'

const slug = 'failover'
const editor = 'erin@buyer.test'
const emails = { buyer, supplier } as const
const parties = ['buyer', 'supplier'] as const
const importers = 2
const readers = 4
const limited = 600
/** Longer than HAProxy waits for a process: by then somebody has answered. */
const patienceMs = 90_000
const firstDay = dayOf(2000, 1, 1)
/** The value of the write with this number. */
const figureOf = (number: number) => `${1000 + number}.5`
const periodOf = (number: number) => `${2000 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`

const document = (name: string) => `
slug: ${name}
status: ACTIVE
contract: { start: 2000-01-01, end: 2019-12-31, frequency: MONTHLY }
inputs: { index: { series: CUSTOM/signed, weight: 0.4, base: { value: 97.3 }, missing: LAST_KNOWN } }
clause: { fixed: 0.6 }
parties: { supplier: [${supplier}] }`
const periodsEach = 238

interface Writer {
  readonly series: string
  id: string
  tried: number
  readonly acknowledged: Acknowledged[]
}

interface Signature {
  readonly agreement: string
  readonly period: string
  readonly party: 'buyer' | 'supplier'
  readonly atMs: number
}

export class ClusterLoad {
  counts = new Counts()
  /** When a read and a write were answered well, at the front. */
  readonly readsMs: number[] = []
  readonly writesMs: number[] = []
  readonly accepted: Accepted[] = []
  readonly #front: { readonly client: HttpClient }
  readonly #processes: readonly AssizeProcess[]
  readonly #url: string
  readonly #secret: string
  readonly #withoutRedis: { readonly fromMs: number; readonly untilMs: number }[] = []
  readonly #writers: Writer[] = []
  readonly #signatures: Signature[] = []
  readonly #onWeb = { buyer: new WebParty(slug, 'buyer'), supplier: new WebParty(slug, 'supplier') }
  #cookie = ''
  #workspace = ''
  #authorization = ''
  #limitedKey = ''
  #isStopped = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(front: HttpClient, processes: readonly AssizeProcess[], url: string, secret: string) {
    this.#front = { client: front }
    this.#processes = processes
    this.#url = url
    this.#secret = secret
  }

  async prepare(waiting: Waiting): Promise<void> {
    await this.#withSql(async (owner, sql) => {
      const { id } = await createWorkspace(owner, { slug, rateLimit: 1_000_000 })
      this.#workspace = id
      const digests = new KeyedDigests(KeyRing.of([this.#secret]), 'api-key digests')
      const issue = async (workspaceId: string) =>
        (await createApiKey(sql, digests, { workspaceId, name: 'failover', expiresAt: null })).key
      this.#authorization = `Bearer ${await issue(id)}`
      const other = await createWorkspace(owner, { slug: 'limited', rateLimit: limited })
      this.#limitedKey = `Bearer ${await issue(other.id)}`
      for (const party of parties) await join({ sql }, id, emails[party], party)
      await join({ sql }, id, editor, 'editor')
    })
    await this.#signIn()
    for (let i = 0; i < importers; i++) {
      const writer: Writer = { series: `CUSTOM/load-${i}`, id: '', tried: 0, acknowledged: [] }
      this.#writers.push(writer)
      await waiting.until('a first import', async () => (await this.#importOnce(writer)) || 'it was refused')
    }
    await this.#upload('series,period,value,published\nCUSTOM/signed,2000-01,98.1,2020-01-01\n')
    await this.#withSql(async owner => {
      for (const writer of this.#writers) {
        const [row] = await owner<{ id: string }[]>`select id from series where code = ${writer.series.slice(7)}`
        writer.id = row!.id
      }
    })
    for (const party of parties) await this.#onWeb[party].signIn(this.#front, emails[party], password)
  }

  start(): void {
    this.#running = Promise.all([
      ...this.#writers.map(writer => this.#keep(() => this.#importOnce(writer))),
      this.#sign(),
      ...Array.from({ length: readers }, (_, i) => this.#read(i)),
      this.#beLimited(),
    ]).catch((error: Error) => this.counts.judgeWrong(`the load ended: ${error.stack}`))
  }

  /** What is asked already is still answered. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #keep(work: () => Promise<boolean>): Promise<void> {
    while (!this.#isStopped) await sleep((await work()) ? 50 : 250)
  }

  async #ask(path: string, authorization: string, client = this.#front.client) {
    const asked = client.ask(path, { headers: { authorization } }).catch(() => null)
    return Promise.race([asked, sleep(patienceMs, 'late' as const, { ref: false })])
  }

  async #signIn(): Promise<void> {
    const body = JSON.stringify({ email: editor, password })
    const reply = await this.#front.client.ask('/console/sign-in', { method: 'POST', body, headers: this.#headers() })
    if (reply.status !== 200) throw new Error(`the editor cannot sign in: ${reply.status} ${reply.text}`)
    this.#cookie = reply.headers['set-cookie']![0]!.split(';', 1)[0]!
  }

  #headers(type = 'application/json'): Record<string, string> {
    const host = `127.0.0.1:${this.#front.client.port}`
    const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'content-type': type }
    return this.#cookie === '' ? own : { ...own, cookie: this.#cookie }
  }

  /** Whether it was acknowledged. If not, nobody knows whether it was done: the same is sent again. */
  async #upload(table: string): Promise<boolean> {
    const path = `/console/w/${slug}/series/upload?file=table.csv&mode=import`
    const asking = { method: 'POST', body: table, headers: this.#headers('application/octet-stream') }
    const asked = this.#front.client.ask(path, asking).catch(() => null)
    const reply = await Promise.race([asked, sleep(patienceMs, null, { ref: false })])
    if (reply === null) return false
    if (reply.status !== 200) this.counts.judgeStatus('an import', reply.status, reply.text)
    const last = reply.text.trim().split('\n').at(-1) ?? ''
    return reply.status === 200 && /"stage":"done"/.test(last)
  }

  async #importOnce(writer: Writer): Promise<boolean> {
    const number = writer.acknowledged.length
    writer.tried = number
    const day = formatDay(firstDay + number)
    const isDone = await this.#upload(
      `series,period,value,published\n${writer.series},${day},${figureOf(number)},2020-01-01\n`,
    )
    if (!isDone) return false
    writer.acknowledged.push({ number, atMs: performance.now() })
    this.writesMs.push(performance.now())
    this.counts.writes++
    return true
  }

  async #sign(): Promise<void> {
    for (let number = 0; !this.#isStopped; number++) {
      const agreement = `signed-${Math.floor(number / periodsEach)}`
      const place = number % periodsEach
      if (place === 0) await this.#apply(agreement)
      const period = periodOf(place + 1)
      let left = [...parties]
      while (left.length > 0 && !this.#isStopped) {
        const done = await Promise.all(left.map(party => this.#signOnce(agreement, period, party)))
        left = left.filter((_, i) => !done[i])
        await sleep(100)
      }
    }
  }

  async #apply(agreement: string): Promise<void> {
    const text = document(agreement)
    while (!this.#isStopped) {
      const applied = this.#withSql((_, sql) =>
        applyDocument(sql, { workspaceId: this.#workspace, text, by: editor, today: dayOf(2026, 1, 1) }),
      )
      if (await applied.then(() => true).catch(() => false)) return
      await sleep(1_000)
    }
  }

  async #signOnce(agreement: string, period: string, party: 'buyer' | 'supplier'): Promise<boolean> {
    const shown = await this.#ask(`/v1/pams/${agreement}/adjustment/receipt?period=${period}`, this.#authorization)
    if (shown === null || shown === 'late' || shown.status !== 200) return false
    const hash = String((JSON.parse(shown.text) as { hash: string }).hash)
    const { status, err } = await this.#onWeb[party].sign(this.#front, agreement, period, hash).catch(error => ({
      status: null,
      err: String(error),
    }))
    // Nobody knows whether it was done, or another try of the same party was first.
    if (status === null || status === 409) return status === 409
    if (status !== 0) {
      this.counts.judgeStatus(`a signature of the ${party}`, status, err)
      return false
    }
    this.#signatures.push({ agreement, period, party, atMs: performance.now() })
    this.writesMs.push(performance.now())
    this.counts.writes++
    return true
  }

  /** At one process after the other, and at the front. */
  async #read(reader: number): Promise<void> {
    for (let turn = reader; !this.#isStopped; turn++) {
      const process = this.#processes[turn % (this.#processes.length + 1)]
      const client = process?.client ?? this.#front.client
      const who = process === undefined ? 'the front' : `process ${(turn % 4) + 1}`
      const isRead = turn % 3 === 0 ? await this.#readSignature(who, client) : await this.#readSeries(who, client, turn)
      if (isRead && process === undefined) this.readsMs.push(performance.now())
      await sleep(isRead ? 30 : 100)
    }
  }

  async #readSeries(who: string, client: HttpClient, turn: number): Promise<boolean> {
    const writer = this.#writers[turn % importers]!
    const sentMs = performance.now()
    const reply = await this.#ask(`/v1/series/${writer.id}/values?last=1`, this.#authorization, client)
    if (reply === null) return false
    if (reply === 'late') return this.#noteLate(who)
    this.counts.judgeStatus(who, reply.status, reply.text)
    if (reply.status !== 200) return false
    this.counts.reads++
    this.judgeSeries(who, reply.text, sentMs, turn % importers)
    return true
  }

  judgeSeries(who: string, text: string, sentMs: number, which: number): void {
    const writer = this.#writers[which]!
    const { data } = JSON.parse(text) as { data: { asOfDate: string; value: string }[] }
    const [newest = { asOfDate: '', value: '' }] = data
    const seen = Number(newest.value) - Number(figureOf(0))
    if (!newest.asOfDate.startsWith(formatDay(firstDay + seen)) || seen > writer.tried)
      this.counts.judgeWrong(`${who}: ${text.slice(0, 200)} while ${writer.tried} was written`)
    this.counts.judgeRead(who, seen, sentMs, writer.acknowledged.slice(-50))
  }

  async #readSignature(who: string, client: HttpClient): Promise<boolean> {
    const last = this.#signatures.at(-1)
    if (last === undefined) return false
    const sentMs = performance.now()
    const path = `/v1/pams/${last.agreement}/adjustment?period=${last.period}`
    const reply = await this.#ask(path, this.#authorization, client)
    if (reply === null) return false
    if (reply === 'late') return this.#noteLate(who)
    this.counts.judgeStatus(who, reply.status, reply.text)
    if (reply.status !== 200) return false
    this.counts.reads++
    const isShown = new RegExp(`"${last.party}":"\\d{4}-`).test(reply.text)
    this.counts.judgeRead(`${who}, a signature`, isShown ? 1 : 0, sentMs, [{ number: 1, atMs: last.atMs }])
    return true
  }

  #noteLate(who: string): boolean {
    this.counts.judgeWrong(`${who}: no answer in ${patienceMs} ms`)
    return false
  }

  async #beLimited(): Promise<void> {
    while (!this.#isStopped) {
      const sentMs = performance.now()
      const reply = await this.#ask('/v1/series', this.#limitedKey)
      if (reply !== null && reply !== 'late') {
        this.counts.judgeStatus('the one at its limit', reply.status, reply.text)
        if (reply.status === 200) this.accepted.push({ sentMs, answeredMs: performance.now() })
      }
      await sleep(40)
    }
  }

  /** Each process counts by itself while Redis is away: in windows that reach into this time they grant a limit each. */
  noteWithoutRedis(fromMs: number, untilMs: number): void {
    this.#withoutRedis.push({ fromMs, untilMs })
  }

  /** Of those that were answered since then, and of the window before. */
  judgeLimit(sinceMs: number, counts = this.counts, accepted: readonly Accepted[] = this.accepted): void {
    const recent = accepted.filter(({ answeredMs }) => answeredMs > sinceMs - limits.rateWindowMs)
    const isAlone = (fromMs: number, toMs: number) =>
      this.#withoutRedis.some(away => away.fromMs < toMs && away.untilMs > fromMs)
    const limitOf = (fromMs: number, toMs: number) => limited * (isAlone(fromMs, toMs) ? this.#processes.length : 1)
    counts.judgeLimit(limitOf, limits.rateWindowMs, recent)
  }

  /** What the primary has of all that was acknowledged. */
  async checkKept(counts = this.counts): Promise<void> {
    await this.#withSql(async owner => {
      for (const { series, id, acknowledged } of this.#writers) {
        const promised = acknowledged.map(({ number }) => number)
        const rows = await owner<{ value: string }[]>`select value::text from vintage where series_id = ${id}`
        const kept = new Set(rows.map(({ value }) => Number(value)))
        for (const number of promised)
          if (!kept.has(Number(figureOf(number)))) counts.judgeLost(`write ${number} of ${series}`)
      }
      const rows = await owner<{ slug: string; period: string; party: string }[]>`
        select a.slug, s.period, s.party from sign_off s join agreement a on a.id = s.agreement_id`
      const kept = new Set(rows.map(({ slug: agreement, period, party }) => `${agreement} ${period} ${party}`))
      for (const { agreement, period, party } of this.#signatures)
        if (!kept.has(`${agreement} ${period} ${party}`))
          counts.judgeLost(`${agreement} ${period} signed by the ${party}`)
    })
  }

  /** A write that nobody made counts as acknowledged from now on, to see whether it is missed. */
  plantWrite(): void {
    const [writer] = this.#writers
    writer!.acknowledged.push({ number: writer!.acknowledged.length, atMs: performance.now() })
  }

  async #withSql<T>(work: (owner: Sql, sql: Sql) => Promise<T>): Promise<T> {
    const target = { url: this.#url, ring: KeyRing.of([this.#secret]).shared }
    const [owner, sql] = [openOwner(target, { connections: 1 }), openApplication(target, { connections: 1 })]
    try {
      return await work(owner, sql)
    } finally {
      await Promise.all([owner.end({ timeout: 2 }), sql.end({ timeout: 2 })])
    }
  }
}
