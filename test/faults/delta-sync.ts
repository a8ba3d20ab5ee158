// F26: a copy of all numbers that is kept by the script of the docs: one walk, then only what /changes names. Random histories
// of imports, revisions, withdrawals, formulas, renamings, signatures and followed public series, through restarts of the
// server; at the end the copy equals a walk of everything.
import { type Ask, type Row, type State, sync } from '../../docs/examples/sync.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { type Api, follow, type Tenant, withdraw } from '../support/houses/api.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { Chance } from './chance.ts'
import type { FaultRun } from './fault.ts'

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

function asking(tenant: Tenant): Ask {
  return async <T>(path: string) => {
    const { status, text } = await tenant.ext(path)
    if (status === 409) return null
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }
}

/** `rounds` histories; what differed at their ends. */
export async function syncByChanges(
  api: Api,
  { rounds, seed }: Pick<FaultRun, 'rounds' | 'seed'>,
): Promise<{ failures: string[]; fetched: number }> {
  const chance = new Chance(seed)
  const failures: string[] = []
  let fetched = 0
  for (let round = 0; round < rounds; round++) {
    const tenant = await api.tenant()
    const today = () => new Date().toISOString().slice(0, 10)
    const ask: Ask = path => {
      fetched++
      return asking(tenant)(path)
    }
    const history = new History(api, tenant, new Chance(chance.int(0, 2 ** 31)))
    await history.begin()
    let state: State = await sync(ask, null, today())
    for (let i = 0; i < changesPerHistory; i++) {
      await history.change()
      if (chance.chance(10)) await api.restart()
      if (chance.chance(30)) state = await sync(ask, state, today())
    }
    state = await sync(ask, state, today())
    const whole = await sync(asking(tenant), null, today())
    for (const slug of new Set([...Object.keys(state.rows), ...Object.keys(whole.rows)]))
      if (JSON.stringify(state.rows[slug]) !== JSON.stringify(whole.rows[slug]))
        failures.push(`history ${round}, ${slug}: ${written(state.rows[slug])} is not ${written(whole.rows[slug])}`)
  }
  return { failures, fetched }
}

function written(row: Row | undefined): string {
  return row === undefined ? 'no row' : JSON.stringify(row)
}
