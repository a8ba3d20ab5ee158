// Acts of every sort that a backup has to hold, drawn at random: figures, agreements, signatures, companies and their people, invoice
// lines, units, names, keys, new workspaces, public series.
import { importLines } from '../../../src/agreements/invoices.ts'
import { Seal } from '../../../src/agreements/seal.ts'
import { readLine } from '../../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { Library } from '../../../src/read/library.ts'
import { setUnits } from '../../../src/storage/agreements/units.ts'
import { createCompany, renameCompany } from '../../../src/storage/people/parties.ts'
import { createMember } from '../../../src/storage/people/people.ts'
import { publicScope } from '../../../src/storage/postgres/database.ts'
import { revokeApiKey } from '../../../src/storage/workspaces/api-keys.ts'
import { renameWorkspace } from '../../../src/storage/workspaces/workspaces.ts'
import { type Api, follow, type Tenant } from './api.ts'
import { steelDocument } from './sample.ts'
import { makeSeries, publishRows } from './workspace.ts'

const operator = { who: 'operator', fromAddress: null }
const today = parseDay('2026-11-16')!
const quarters = ['2024-Q2', '2024-Q3', '2024-Q4']

/** A workspace in which acts happen. */
export class BackupActs {
  readonly api: Api
  readonly #tenants: Tenant[]
  #random: number
  #count = 0

  private constructor(api: Api, tenant: Tenant, seed: number) {
    this.api = api
    this.#tenants = [tenant]
    this.#random = seed
  }

  /** With one agreement. */
  static async begin(api: Api, seed: number): Promise<BackupActs> {
    const acts = new BackupActs(api, await api.tenant(), seed)
    await acts.#agree(acts.tenant)
    return acts
  }

  get tenant(): Tenant {
    return this.#tenants[0]!
  }

  #draw(below: number): number {
    this.#random = (this.#random * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((this.#random / 2_147_483_648) * below)
  }

  async act(): Promise<void> {
    const n = this.#count++
    const tenant = this.#tenants[this.#draw(this.#tenants.length)]!
    const { sql } = this.api
    const all: readonly (() => Promise<unknown>)[] = [
      () => tenant.importValues(`CUSTOM/extra-${n}`, { '2024-01': `${n}.5`, '2024-02': `${n}.75` }),
      () => tenant.importValues('CUSTOM/steel', { '2024-06': `${115 + n}.25` }, `2025-01-${10 + (n % 18)}`),
      () => tenant.signBoth('steel', quarters[this.#draw(2)]!).catch(ignoreRefusal),
      () => tenant.apply(steelDocument({ slug: `more-${n}`, weight: '0.25' })),
      () => this.#company(tenant, n),
      () => this.#invoice(tenant, n),
      () => setUnits(sql, tenant.id, [{ unit: `box${n}`, other: 'piece', factor: '12' }], 'operator', async () => {}),
      () => renameWorkspace(sql, tenant.id, `Name ${n}`, operator),
      () => this.#key(tenant),
      () => this.#public(tenant, n),
      () => this.#another(),
    ]
    await all[this.#draw(all.length)]!()
  }

  async #agree(tenant: Tenant): Promise<void> {
    const rows = ['2023-12,100.00', '2024-03,110.00', '2024-06,115.00', '2024-09,121.00']
    await tenant.import(`series,period,value\n${rows.map(row => `CUSTOM/steel,${row}\n`).join('')}`)
    await tenant.apply(steelDocument())
  }

  async #company(tenant: Tenant, n: number): Promise<void> {
    const { sql } = this.api
    await createCompany(sql, tenant.id, { slug: `firm-${n}`, name: `Firm ${n}` }, operator)
    const newcomer = {
      email: `person-${n}@firm.test`,
      name: `Person ${n}`,
      role: 'supplier',
      company: `firm-${n}`,
    } as const
    await createMember(sql, tenant.id, newcomer, operator)
    await renameCompany(sql, tenant.id, `firm-${n}`, `Firm ${n} Ltd`, operator)
  }

  async #invoice(tenant: Tenant, n: number): Promise<void> {
    const { sql, secret } = this.api
    const library = new Library(sql, 8 * 1024 * 1024, { seals: new Seal(secret).rows, report: () => {} })
    const line = {
      invoice: `${4711 + n}`,
      line: '1',
      date: '2024-05-10',
      quantity: '100',
      unitPrice: '106.00',
      agreement: 'steel',
    }
    await importLines(sql, library, {
      workspaceId: tenant.id,
      lines: [readLine(2, line)],
      today,
      by: operator,
      source: 'x',
    })
  }

  async #key(tenant: Tenant): Promise<void> {
    const { id } = await this.api.issueKey(tenant.id)
    if (this.#draw(2) === 0) await revokeApiKey(this.api.sql, tenant.id, id)
  }

  async #public(tenant: Tenant, n: number): Promise<void> {
    const { sql } = this.api
    const id = await makeSeries(sql, publicScope, `public ${n}`)
    await publishRows(sql, publicScope, id, [{ period: 1, value: `${n}.10` }])
    await follow(sql, tenant.id, id)
  }

  async #another(): Promise<void> {
    const tenant = await this.api.tenant()
    await this.#agree(tenant)
    this.#tenants.push(tenant)
  }
}

function ignoreRefusal(error: { kind?: string }): void {
  if (error.kind === undefined) throw error
}
