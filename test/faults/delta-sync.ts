// F26: a copy of all numbers and prices that a client keeps: one walk, then only what /changes names, over a rough road. Random
// histories of imports, revisions, withdrawals, formulas, price lists, renamings, signatures and followed public series, through
// restarts of the server; at the end the copy equals a walk of everything.
import { Assize } from '../../clients/typescript/src/assize.ts'
import type { Copy } from '../../clients/typescript/src/sync.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { startRoughRoad } from '../stand-in/rough-road.ts'
import { VirtualClock } from '../support/clients/virtual-clock.ts'
import { type Api, follow, type Tenant, withdraw } from '../support/houses/api.ts'
import { applyListUnheard } from '../support/houses/priced-tenant.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

export const changesPerHistory = 20

/** One workspace and what happens in it. */
class History {
  readonly #api: Api
  readonly #tenant: Tenant
  readonly #chance: Chance
  #number = 0
  #formulas = 0
  readonly #public: string[] = []

  constructor(api: Api, tenant: Tenant, chance: Chance) {
    this.#api = api
    this.#tenant = tenant
    this.#chance = chance
  }

  async begin(): Promise<void> {
    for (const code of ['A', 'B', 'C']) await this.#import(code, { '2023-12': '100', '2024-03': '101' })
    for (let i = 0; i < 4; i++) await this.#apply(i)
  }

  async change(): Promise<void> {
    const kinds = [
      'import',
      'import',
      'revise',
      'withdraw',
      'formula',
      'formula',
      'status',
      'sign',
      'sign',
      'rename',
      'public',
      'prices',
    ] as const
    const kind = this.#chance.pick(kinds)
    const code = this.#chance.pick(['A', 'B', 'C'])
    this.#number++
    if (kind === 'import') await this.#import(code, { [this.#month()]: this.#value() })
    else if (kind === 'revise') await this.#import(code, { '2024-03': this.#value() })
    else if (kind === 'withdraw') await this.#withdraw(code)
    else if (kind === 'formula') await this.#apply(this.#formulas)
    else if (kind === 'status') await this.#apply(this.#chance.int(0, this.#formulas - 1))
    else if (kind === 'sign') await this.#sign()
    else if (kind === 'rename') await this.#rename()
    else if (kind === 'prices') await this.#list()
    else await this.#publish()
  }

  #month(): string {
    return `2024-${this.#chance.int(1, 12).toString().padStart(2, '0')}`
  }

  #value(): string {
    return `${this.#chance.int(90, 120)}.${this.#number}`
  }

  async #import(code: string, values: Readonly<Record<string, string>>): Promise<void> {
    const published = new Date(Date.UTC(2020, 0, 1 + this.#number)).toISOString().slice(0, 10)
    const rows = Object.entries(values).map(([period, value]) => `BLS/${code},${period},${value},${published}\n`)
    await this.#tenant.importUnheard(`series,period,value,published\n${rows.join('')}`)
  }

  async #withdraw(code: string): Promise<void> {
    const id = await this.#tenant.seriesId(`BLS/${code}`)
    const published = new Date(Date.UTC(2020, 0, 1 + this.#number)).toISOString()
    // What was withdrawn before cannot be again.
    await withdraw(this.#api.sql, this.#tenant.id, id, ['2024-03'], published).catch(() => {})
  }

  async #apply(number: number): Promise<void> {
    this.#formulas = Math.max(this.#formulas, number + 1)
    const status = this.#chance.pick(['ACTIVE', 'ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED'])
    const series = this.#chance.pick(['BLS/A', 'BLS/B', 'BLS/C', ...this.#public])
    await this.#tenant
      .applyUnheard(`slug: formula-${number}
name: name ${this.#chance.int(0, 3)}
status: ${status}
contract:
  start: 2024-01-01
  frequency: ${this.#chance.pick(['QUARTERLY', 'MONTHLY'])}
  price: { amount: 12.40, currency: EUR, round: { dp: 2 } }
inputs:
  index: { series: ${series}, weight: 1, base: 2023-12, lag: ${this.#chance.int(1, 3)} months, missing: LAST_KNOWN }
clause: { fixed: 0, rounding: { percent: { dp: 2 } } }
parties: { supplier: [sam@supplier.test] }
`)
      // A formula that both have signed cannot change its past: then nothing happened.
      .catch(() => {})
  }

  async #sign(): Promise<void> {
    const slug = `formula-${this.#chance.int(0, this.#formulas - 1)}`
    const party = this.#chance.pick(['buyer', 'supplier'] as const)
    // What cannot be signed is refused, and nothing happened.
    await this.#tenant.signUnheard(slug, this.#chance.pick(['2024-Q2', '2024-04']), party).catch(() => {})
  }

  async #list(): Promise<void> {
    const items = Array.from(
      { length: this.#chance.int(1, 3) },
      (_, at) => `ITEM-${at},${this.#chance.int(1, 99)}.50,EUR\n`,
    )
    const csv = `item,price,currency\n${items.join('')}`
    // A list that would change what is signed, or that names nothing, is refused, and nothing happened.
    await applyListUnheard(this.#tenant, `formula-${this.#chance.int(0, this.#formulas - 1)}`, csv).catch(() => {})
  }

  async #rename(): Promise<void> {
    const by = { who: 'operator', fromAddress: null }
    await renameWorkspace(this.#api.sql, this.#tenant.id, `Name ${this.#number}`, by)
  }

  async #publish(): Promise<void> {
    if (this.#public.length === 0 || this.#chance.chance(30)) {
      const id = await makeSeries(this.#api.sql, publicScope, `${this.#tenant.id} ${this.#number}`)
      await follow(this.#api.sql, this.#tenant.id, id)
      this.#public.push(id)
    }
    await publishRows(this.#api.sql, publicScope, this.#chance.pick(this.#public), [
      { period: parsePeriod(this.#month())!.ordinal, value: this.#value() },
    ])
  }
}

/** Keeps a copy, as a client in any language does. */
type Keep = (url: string, key: string) => { sync(before: Copy | null): Promise<Copy> }

const byOurClient: Keep = (url, key) => new Assize({ url, key, clock: new VirtualClock(), retries: 30 })

/** What differed at the ends of `rounds` histories, and what was met on the way. */
export async function syncByChanges(
  api: Api,
  { rounds, seed }: Pick<LongRun, 'rounds' | 'seed'>,
  keep: Keep = byOurClient,
): Promise<{ failures: string[]; fetched: number; bumps: number; prices: number }> {
  const chance = new Chance(seed)
  const failures: string[] = []
  let prices = 0
  const road = await startRoughRoad({ to: () => api.address, seed })
  try {
    for (let round = 0; round < rounds; round++) {
      const tenant = await api.tenant()
      const client = keep(road.url, tenant.key)
      const history = new History(api, tenant, new Chance(chance.int(0, 2 ** 31)))
      await history.begin()
      let copy = await client.sync(null)
      for (let i = 0; i < changesPerHistory; i++) {
        await history.change()
        if (chance.chance(5)) await api.restart()
        if (chance.chance(30)) copy = await client.sync(copy)
      }
      copy = await client.sync(copy)
      const whole = await byOurClient(api.address, tenant.key).sync(null)
      prices += Object.keys(whole.prices).length
      failures.push(...differences(copy, whole).map(words => `history ${round}, ${words}`))
    }
    const { passed = 0, ...rough } = road.met
    const bumps = Object.values(rough).reduce((sum, each) => sum + each, 0)
    return { failures, fetched: passed + bumps, bumps, prices }
  } finally {
    await road.close()
  }
}

function differences(copy: Copy, whole: Copy): string[] {
  const written = ({ agreements, prices }: Copy, slug: string) => JSON.stringify([agreements[slug], prices[slug]])
  const slugs = new Set([copy.agreements, copy.prices, whole.agreements, whole.prices].flatMap(Object.keys))
  return [...slugs]
    .filter(slug => written(copy, slug) !== written(whole, slug))
    .map(slug => `${slug}: ${written(copy, slug)} is not ${written(whole, slug)}`)
}
