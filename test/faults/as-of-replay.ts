// F2: answers of v1 and /ext/v1 cut by knownAt are recorded while eight writers publish with delays before their commits, in a workspace and
// among the public series it follows, and requested again: at once, later, after a restart and after a restore. The same
// request always gives the same bytes.
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../src/core/refusal.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { withStaging } from '../../src/storage/series/staging.ts'
import { type Api, follow, type Tenant } from '../support/houses/api.ts'
import { applyListUnheard, keepLinesUnheard, withMoney } from '../support/houses/priced-tenant.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

interface RecordedAnswer {
  readonly path: string
  readonly status: number
  readonly text: string
  readonly etag: string | undefined
}

const writers = 8
const readers = 4
/** Of the workspace itself, and of the public ones it follows. */
const seriesCount = { own: 3, public: 2 }
const firstMonth = 2024 * 12

interface ReplaySeries {
  readonly scope: string
  readonly id: string
}

/** One workspace that is written and read at the same time. */
class Replay {
  readonly #tenant: Tenant
  readonly #chance: Chance
  readonly #series: readonly ReplaySeries[]
  readonly answers: RecordedAnswer[] = []
  /** Instants at which something was recorded. */
  readonly #instants: string[] = []
  #isStopped = false

  private constructor(tenant: Tenant, chance: Chance, series: readonly ReplaySeries[]) {
    this.#tenant = tenant
    this.#chance = chance
    this.#series = series
  }

  static async open(api: Api, seed: number): Promise<Replay> {
    const tenant = await withMoney(await api.tenant())
    const series: ReplaySeries[] = []
    for (let i = 0; i < seriesCount.own; i++) {
      await tenant.importValues(`CUSTOM/replay-${i}`, { '2023-12': '100' }, '2024-01-01')
      series.push({ scope: tenant.id, id: await tenant.seriesId(`CUSTOM/replay-${i}`) })
    }
    for (let i = 0; i < seriesCount.public; i++) {
      const id = await makeSeries(api.sql, publicScope, `replay-${tenant.id}-${i}`)
      const first = { period: firstMonth - 1, value: '100', publishedAt: '2024-01-01T00:00:00.000000Z' }
      await publishRows(api.sql, publicScope, id, [first])
      await follow(api.sql, tenant.id, id)
      series.push({ scope: publicScope, id })
    }
    for (const slug of ['one', 'two']) {
      await tenant.apply(documentOf(tenant, slug, 0))
      await applyListUnheard(tenant, slug, 'item,price,currency\nA,12.40,EUR\n')
    }
    await tenant.signUnheard('one', '2024-02', 'buyer').catch(() => {})
    return new Replay(tenant, new Chance(seed), series)
  }

  stop(): void {
    this.#isStopped = true
  }

  async write(number: number): Promise<void> {
    for (let round = 0; !this.#isStopped; round++) {
      const act = this.#chance.int(1, 100)
      if (act <= 70) await this.#publish(`${number}.${round}`)
      else if (act <= 80) await this.#priceOrBill(`${number}-${round}`)
      else if (act <= 90)
        await this.#tenant.applyUnheard(documentOf(this.#tenant, this.#chance.pick(['one', 'two']), round))
      else await this.#sign()
      await sleep(this.#chance.int(5, 60))
    }
  }

  async #publish(value: string): Promise<void> {
    const { scope, id } = this.#chance.pick(this.#series)
    const delayMs = this.#chance.chance(50) ? this.#chance.int(1, 15) : 0
    const { recordedAt } = await withStaging(this.#tenant.api.sql, scope, async staging => {
      const period = firstMonth + this.#chance.int(0, 11)
      const day = String(this.#chance.int(1, 28)).padStart(2, '0')
      const publishedAt = this.#chance.chance(50) ? null : `2025-0${this.#chance.int(1, 9)}-${day}T00:00:00.000000Z`
      await staging.add([{ series: 0, period, value: `1${value}`, tag: null, flag: null, publishedAt, line: 2 }])
      const outcome = await (await staging.compare([id])).appendOne()
      // The lock is held and the instant is given, but nothing is committed yet.
      await sleep(delayMs)
      return outcome
    })
    if (recordedAt !== null) this.#instants.push(recordedAt)
  }

  /** A new price list, or a line of an invoice. */
  async #priceOrBill(name: string): Promise<void> {
    const agreement = this.#chance.pick(['one', 'two'])
    const day = String(this.#chance.int(10, 28))
    const line = {
      invoice: name,
      line: '1',
      agreement,
      item: 'A',
      quantity: '3',
      amount: '37.20',
      date: `2024-05-${day}`,
    }
    const list = `item,price,currency\nA,12.${day},EUR\nB-${name},5,EUR\n`
    // Where one side has signed, both have to sign the list; where both have signed everything, there is none to apply.
    if (this.#chance.chance(40))
      await applyListUnheard(this.#tenant, agreement, list).catch(error => {
        if (!(error instanceof Refusal) && !error.message.includes('both have to sign')) throw error
      })
    else await keepLinesUnheard(this.#tenant, [line])
  }

  async #sign(): Promise<void> {
    const slug = this.#chance.pick(['one', 'two'])
    const period = `2024-0${this.#chance.int(2, 6)}`
    const party = this.#chance.pick(['buyer', 'supplier'] as const)
    const through = this.#chance.chance(60)
    await this.#tenant.signUnheard(slug, period, party, { through }).catch(error => {
      if (!(error instanceof Refusal)) throw error
    })
  }

  async read(count: number): Promise<void> {
    while (this.answers.length < count && !this.#isStopped) {
      const path = this.#request()
      const answer = await ask(this.#tenant, path)
      // A request that arrives while a publication holds the lock for long is refused.
      if (answer.status === 503) continue
      if (answer.status !== 200 && answer.status !== 404) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      this.answers.push(answer)
      if (this.#chance.chance(30)) await this.#again(answer)
      if (this.#chance.chance(10)) await this.#again(this.#chance.pick(this.answers))
    }
  }

  async #again(before: RecordedAnswer): Promise<void> {
    const after = await ask(this.#tenant, before.path)
    if (after.status !== 503) compare(before, after)
  }

  #request(): string {
    const knownAt = this.#instant()
    const more = this.#chance.pick(['', '', '&asOf=2025-03-15', '&asOf=2025-06-30T12:00:00Z'])
    const tag = this.#chance.pick(['', '', '&version=FINAL', '&version=REVISED'])
    const period = this.#chance.pick(['', `&period=2024-0${this.#chance.int(2, 9)}`, '&date=2024-04-15'])
    const { id } = this.#chance.pick(this.#series)
    const agreement = `/pams/${this.#chance.pick(['one', 'two'])}`
    if (this.#chance.chance(40))
      return this.#chance.pick([
        `/ext/v1/prices?date=2024-05-15&knownAt=${knownAt}`,
        `/ext/v1${agreement}/prices?knownAt=${knownAt}`,
        `/ext/v1${agreement}/prices?from=2024-04-01&item=A&format=csv&knownAt=${knownAt}`,
        `/ext/v1/invoices?knownAt=${knownAt}`,
        `/ext/v1/invoices?pam=one&limit=2&knownAt=${knownAt}`,
        `/ext/v1/adjustments?knownAt=${knownAt}${period}`,
      ])
    const path = this.#chance.pick([
      `/series/${id}/values?knownAt=${knownAt}${more}${tag}`,
      `/series/${id}/values?knownAt=${knownAt}${more}&last=3&view=summary`,
      `/series/${id}/vintages?knownAt=${knownAt}`,
      `${agreement}/values?knownAt=${knownAt}${more}`,
      `${agreement}/adjustment?knownAt=${knownAt}${more}${tag}${period}`,
      `${agreement}/adjustment?knownAt=${knownAt}${period}&view=calculation`,
      `${agreement}/adjustment/receipt?knownAt=${knownAt}${period}`,
    ])
    return `/v1${path}`
  }

  /** Now, a recent moment, or one at which something was recorded. */
  #instant(): string {
    if (this.#chance.chance(30) && this.#instants.length > 0)
      return this.#chance.chance(50) ? this.#instants.at(-1)! : this.#chance.pick(this.#instants)
    return new Date(Date.now() - this.#chance.pick([0, 1, 5, 30, 100, 200, 500, 1_000, 2_000])).toISOString()
  }

  async askAllAgain(tenant: Tenant = this.#tenant): Promise<void> {
    for (const answer of this.answers) compare(answer, await ask(tenant, answer.path))
  }

  /** The same workspace as another server sees it. */
  tenantOf(api: Api): Tenant {
    return this.#tenant.at(api)
  }
}

async function ask(tenant: Tenant, path: string): Promise<RecordedAnswer> {
  const { status, text, headers } = await tenant.api.ask(path, { headers: tenant.authorization })
  return { path, status, text, etag: headers.etag }
}

function compare(before: RecordedAnswer, after: RecordedAnswer): void {
  const { path, status, text, etag } = before
  if (after.status === status && after.text === text && after.etag === etag) return
  throw new Error(`${path} changed:\n${status} ${etag} ${text}\n${after.status} ${after.etag} ${after.text}`)
}

/** Monthly, over a series of the workspace and a public one; `variant` makes another formula. */
function documentOf({ id }: Tenant, slug: string, variant: number): string {
  const share = variant % 9
  return `
slug: ${slug}
name: Replay ${slug} ${variant % 4}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-12-31, frequency: MONTHLY }
inputs:
  a: { series: CUSTOM/replay-0, weight: 0.${share}1, base: 2023-12, lag: 1 month }
  b: { series: CUSTOM/replay-${id}-0, weight: 0.09, base: 2023-12, lag: 1 month, missing: LAST_KNOWN }
clause: { fixed: 0.${9 - share}0, tolerance: 0.2 }
parties: { supplier: [sam@supplier.test] }`
}

export interface ReplayPlaces {
  /** Another server on a restored copy of the same database. */
  readonly restored?: () => Promise<Api>
}

/** Records this many answers during writes and repeats each request everywhere. */
export async function replayAnswers(
  api: Api,
  { rounds, seed, say }: LongRun,
  { restored }: ReplayPlaces = {},
): Promise<number> {
  const replay = await Replay.open(api, seed)
  const writing = Array.from({ length: writers }, (_, i) => replay.write(i))
  try {
    await Promise.race([
      Promise.all(Array.from({ length: readers }, () => replay.read(rounds))),
      ...writing.map(each => each.then(() => Promise.reject(new Error('a writer ended early')))),
    ])
  } finally {
    replay.stop()
    await Promise.allSettled(writing)
  }
  say(`${replay.answers.length} answers recorded; asking again`)
  await replay.askAllAgain()
  await api.restart()
  await replay.askAllAgain()
  if (restored !== undefined) {
    say('asking a restored copy')
    const copy = await restored()
    try {
      await replay.askAllAgain(replay.tenantOf(copy))
    } finally {
      await copy.close()
    }
  }
  return replay.answers.length
}
