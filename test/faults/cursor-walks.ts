// F3: reads the lists of v1 and /ext/v1 page by page while series, formulas and invoice lines are added and changed. Every item that existed throughout
// appears exactly once, items added later do not appear, and each is shown as it was when the first page was read.
import type { Api, Tenant } from '../support/houses/api.ts'
import { keepLinesUnheard, withMoney } from '../support/houses/priced-tenant.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly pagination: { readonly limit: number; readonly hasMore: boolean; readonly nextCursor: string | null }
}

interface List {
  /** With its prefix, and a query. */
  readonly path: string
  /** What tells an item from others. */
  readonly fields: readonly string[]
  /** Whether the pages before the last one are full, and the items in the order of their fields. */
  readonly isStrict: boolean
}

const lists: readonly List[] = [
  { path: '/v1/series?', fields: ['id'], isStrict: true },
  { path: '/v1/pams?', fields: ['id'], isStrict: true },
  { path: '/ext/v1/series?', fields: ['id'], isStrict: true },
  { path: '/ext/v1/adjustments?', fields: ['slug'], isStrict: false },
  { path: '/ext/v1/prices?from=2024-01-01&', fields: ['agreement', 'item', 'validFrom'], isStrict: false },
  { path: '/ext/v1/invoices?', fields: ['date', 'supplier', 'invoice', 'line', 'id'], isStrict: true },
]

/** All pages from the first on: what tells each item from others. */
async function walk(tenant: Tenant, chance: Chance, { path, fields, isStrict }: List): Promise<string[]> {
  const items: string[] = []
  let cursor: string | null = null
  do {
    const limit = chance.int(1, 7)
    const address: string = `${path}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`
    const { status, text } = await tenant.api.ask(address, { headers: tenant.authorization })
    if (status !== 200) throw new Error(`${address}: ${status} ${text}`)
    const page = JSON.parse(text) as Page
    const { hasMore, nextCursor } = page.pagination
    if (hasMore !== (nextCursor !== null)) throw new Error(`hasMore is ${hasMore} beside the cursor ${nextCursor}`)
    if (page.data.length > limit || (isStrict && hasMore && page.data.length < limit))
      throw new Error(`a page of ${page.data.length} with a limit of ${limit}, hasMore ${hasMore}`)
    items.push(...page.data.map(item => fields.map(field => item[field]).join(' ')))
    cursor = nextCursor
  } while (cursor !== null)
  return items
}

class Writer {
  readonly #tenant: Tenant
  readonly #chance: Chance
  readonly #formulas: string[] = []
  #number = 0
  #isStopped = false

  constructor(tenant: Tenant, chance: Chance) {
    this.#tenant = tenant
    this.#chance = chance
  }

  /** A new series or a new name for one, a new formula or a new name for one, or a line of an invoice. */
  async write(): Promise<void> {
    const number = this.#number++
    const old = this.#chance.int(0, Math.max(0, number - 1))
    const target = this.#chance.chance(50) ? number : old
    const kind = this.#chance.int(1, 4)
    if (kind <= 2)
      await this.#tenant.importUnheard(
        `series,period,value,name\nCUSTOM/walk-${target},2024-01,${number}.5,name ${number}\n`,
      )
    else if (kind === 3 || this.#formulas.length === 0) await this.#apply(target, number)
    else {
      const agreement = this.#chance.pick(this.#formulas)
      const date = `2024-0${this.#chance.int(1, 9)}-01`
      const line = { invoice: `I-${target}`, line: `${number}`, agreement, quantity: '1', amount: '12', date }
      await keepLinesUnheard(this.#tenant, [line])
    }
  }

  async #apply(target: number, number: number): Promise<void> {
    await this.#tenant.applyUnheard(`
slug: walk-${target}
name: name ${number}
status: ACTIVE
contract: { start: 2024-01-01, frequency: ANNUAL, price: { amount: 12, currency: EUR } }
inputs: { index: { series: CUSTOM/walk-base, weight: 1, base: { value: 100 } } }
clause: {}`)
    this.#formulas.push(`walk-${target}`)
  }

  async run(): Promise<void> {
    while (!this.#isStopped) await this.write()
  }

  stop(): void {
    this.#isStopped = true
  }
}

/** Reads the lists this many times; returns how many items were read. */
export async function walkUnderWrites(api: Api, { rounds, seed }: Pick<LongRun, 'rounds' | 'seed'>): Promise<number> {
  const chance = new Chance(seed)
  const own = await api.tenant()
  await own.importValues('CUSTOM/walk-base', { '2024': '100' })
  const tenant = await withMoney(own)
  const writer = new Writer(own, new Chance(seed + 1))
  for (let i = 0; i < 20; i++) await writer.write()
  const running = writer.run()
  let passed = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const list = lists[round % lists.length]!
      const before = await walk(tenant, new Chance(1), list)
      const walked = await walk(tenant, chance, list)
      passed += walked.length
      checkWalk(list, before, walked, await walk(tenant, new Chance(1), list))
    }
  } finally {
    writer.stop()
    await running
  }
  return passed
}

function checkWalk(
  { path, isStrict }: List,
  before: readonly string[],
  walked: readonly string[],
  after: readonly string[],
): void {
  if (new Set(walked).size !== walked.length) throw new Error(`${path}: an item came twice: ${walked.join(', ')}`)
  if (isStrict && walked.some((item, i) => i > 0 && walked[i - 1]! >= item))
    throw new Error(`${path}: out of order: ${walked.join(', ')}`)
  const lost = before.filter(item => !walked.includes(item))
  if (lost.length > 0) throw new Error(`${path}: ${lost.length} items that existed throughout did not come`)
  const invented = walked.filter(item => !after.includes(item))
  if (invented.length > 0) throw new Error(`${path}: items that never existed: ${invented.join(', ')}`)
}
