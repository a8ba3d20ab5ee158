// F3: reads the lists page by page while series and formulas are added and changed. Every item that existed throughout
// appears exactly once, items added later do not appear, and each is shown as it was when the first page was read.
import type { Api, Tenant } from '../support/api.ts'
import { Chance } from './chance.ts'
import type { FaultRun } from './fault.ts'

interface Page {
  readonly data: readonly { readonly id: string; readonly name: string }[]
  readonly pagination: { readonly limit: number; readonly hasMore: boolean; readonly nextCursor: string | null }
}

interface Item {
  readonly id: string
  readonly name: string
}

/** All pages from the first on. */
async function walk(tenant: Tenant, chance: Chance, list: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const limit = chance.int(1, 7)
    const page: Page = await tenant.json<Page>(`${list}?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
    const { hasMore, nextCursor } = page.pagination
    if (hasMore !== (nextCursor !== null)) throw new Error(`hasMore is ${hasMore} beside the cursor ${nextCursor}`)
    if (page.data.length > limit || (hasMore && page.data.length < limit))
      throw new Error(`a page of ${page.data.length} with a limit of ${limit}, hasMore ${hasMore}`)
    items.push(...page.data)
    cursor = nextCursor
  } while (cursor !== null)
  return items
}

class Writer {
  readonly #tenant: Tenant
  readonly #chance: Chance
  #number = 0
  #isStopped = false

  constructor(tenant: Tenant, chance: Chance) {
    this.#tenant = tenant
    this.#chance = chance
  }

  /** A new series or a new name for one, a new formula or a new name for one. */
  async write(): Promise<void> {
    const number = this.#number++
    const old = this.#chance.int(0, Math.max(0, number - 1))
    const target = this.#chance.chance(50) ? number : old
    if (this.#chance.chance(50))
      await this.#tenant.importUnheard(
        `series,period,value,name\nCUSTOM/walk-${target},2024-01,${number}.5,name ${number}\n`,
      )
    else
      await this.#tenant.applyUnheard(`
slug: walk-${target}
name: name ${number}
contract: { start: 2024-01-01, frequency: ANNUAL }
inputs: { index: { series: CUSTOM/walk-base, weight: 1, base: { value: 100 } } }
clause: {}`)
  }

  async run(): Promise<void> {
    while (!this.#isStopped) await this.write()
  }

  stop(): void {
    this.#isStopped = true
  }
}

async function listAll(tenant: Tenant, list: string): Promise<Item[]> {
  return walk(tenant, new Chance(1), list)
}

/** Reads the lists this many times; returns how many items were read. */
export async function walkUnderWrites(api: Api, { rounds, seed }: Pick<FaultRun, 'rounds' | 'seed'>): Promise<number> {
  const chance = new Chance(seed)
  const tenant = await api.tenant()
  await tenant.importValues('CUSTOM/walk-base', { '2024': '100' })
  const writer = new Writer(tenant, new Chance(seed + 1))
  for (let i = 0; i < 12; i++) await writer.write()
  const running = writer.run()
  let passed = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const list = chance.pick(['/series', '/pams'])
      const before = await listAll(tenant, list)
      const walked = await walk(tenant, chance, list)
      passed += walked.length
      checkWalk(list, before, walked, await listAll(tenant, list))
    }
  } finally {
    writer.stop()
    await running
  }
  return passed
}

function checkWalk(list: string, before: readonly Item[], walked: readonly Item[], after: readonly Item[]): void {
  const ids = walked.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) throw new Error(`${list}: an item came twice: ${ids.join(' ')}`)
  if (ids.some((id, i) => i > 0 && ids[i - 1]! >= id)) throw new Error(`${list}: out of order: ${ids.join(' ')}`)
  const lost = before.filter(({ id }) => !ids.includes(id))
  if (lost.length > 0) throw new Error(`${list}: ${lost.length} items that existed throughout did not come`)
  const invented = ids.filter(id => !after.some(item => item.id === id))
  if (invented.length > 0) throw new Error(`${list}: items that never existed: ${invented.join(' ')}`)
}
