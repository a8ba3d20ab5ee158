// A workspace of the command line with the agreement of the documentation: 12.40 EUR the piece from 2024 on, adjusted by the
// quarter, the first two adjustments agreed by both.
import { basename } from 'node:path'
import { expect } from 'vitest'
import { applyDocuments } from '../../../src/agreements/apply.ts'
import { importLines } from '../../../src/agreements/invoices.ts'
import { Seal } from '../../../src/agreements/seal.ts'
import { signPeriod } from '../../../src/agreements/sign.ts'
import { today } from '../../../src/cli/frame/clock.ts'
import { csvSource } from '../../../src/import/csv.ts'
import { readInvoiceFile } from '../../../src/import/invoice-lines.ts'
import { importTable } from '../../../src/import/table.ts'
import { limits } from '../../../src/limits.ts'
import { providerHabits as habits } from '../../../src/providers/catalogue/catalogue.ts'
import { Library } from '../../../src/read/library.ts'
import { RowSeals } from '../../../src/storage/log/row-seals.ts'
import { createMember } from '../../../src/storage/people/people.ts'
import { fingerprintFile } from '../../../src/storage/series/uploads.ts'
import type { Workspace } from '../../../src/storage/workspaces/workspaces.ts'
import { type CommandHouse, type Outcome, openCommandHouse } from './command-house.ts'

/** March was published twice: 102.65 was preliminary. */
export const steelPrices = `series,period,value,version,published,name
CUSTOM/steel,2023-12,100.00,FINAL,2024-01-15,Steel
CUSTOM/steel,2024-03,102.65,PRELIMINARY,2024-03-28,Steel
CUSTOM/steel,2024-03,102.35,FINAL,2024-04-28,Steel
CUSTOM/steel,2024-06,105.00,FINAL,2024-07-15,Steel
CUSTOM/steel,2024-09,110.00,FINAL,2024-10-15,Steel
`

export interface PricedChanges {
  readonly slug?: string
  readonly status?: string
  readonly start?: string
  readonly end?: string
  /** Of the contract: `{ amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }`, or null for none. */
  readonly price?: string | null
  /** Further keys of the contract. */
  readonly contract?: string
  readonly parties?: string
  readonly clause?: string
  readonly more?: string
}

const usualPrice = '{ amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }'

export function pricedDocument(changes: PricedChanges = {}): string {
  const { slug = 'steel-brackets', status = 'ACTIVE', start = '2024-01-01', end = '2024-12-31' } = changes
  const { price = usualPrice, contract = '', clause = '{ fixed: 0 }', more = '' } = changes
  const { parties = '{ supplier: [sam@supplier.test] }' } = changes
  return `slug: ${slug}
name: ${slug}
status: ${status}
contract:
  start: ${start}
  end: ${end}
  frequency: QUARTERLY
${price === null ? '' : `  price: ${price}\n`}${contract}inputs:
  steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, lag: 1 month }
clause: ${clause}
parties: ${parties}
${more}`
}

export interface PriceHouse {
  readonly house: CommandHouse
  readonly workspace: Workspace
  /** Runs a command in the workspace. */
  run(...words: string[]): Promise<Outcome>
  /** Runs one that must succeed; what it says as JSON. */
  json<T = Record<string, unknown>>(...words: string[]): Promise<T>
  /** Runs one that must be refused with status 1; what it says as JSON. */
  refused(...words: string[]): Promise<Refused>
  file(name: string, content: string | Buffer): Promise<string>
  /** What a server that was just started has in memory. */
  library(): Library
  /** A table of values, as CSV. */
  importFigures(table: string): Promise<void>
  /** Invoice lines, as CSV. */
  importLines(table: string): Promise<void>
  apply(text: string): Promise<void>
  signBoth(slug: string, period: string, supplier?: string): Promise<void>
  close(): Promise<void>
}

export interface Refused {
  readonly error: string
  readonly outcome?: string
  readonly problems?: readonly { readonly line: number; readonly column: string; readonly message: string }[]
}

/** For `beforeAll`. With nothing in it but two people. */
export async function openPriceHouse(shared?: CommandHouse): Promise<PriceHouse> {
  const house = shared ?? (await openCommandHouse())
  const workspace = await house.makeWorkspace()
  await createMember(house.installation.sql, workspace.id, { email: 'ann@buyer.test', role: 'buyer', name: 'Ann' })
  const run = (...words: string[]) => house.run([...words, '--workspace', workspace.slug])
  const good = async (...words: string[]) => {
    const { status, out, err } = await run(...words)
    expect(status, `${words.join(' ')}: ${err}`).toBe(0)
    return out
  }
  const json = async <T>(...words: string[]) => JSON.parse(await good(...words, '--json')) as T
  const { sql, ring } = house.installation
  const library = () => new Library(sql, 64 * 1024 * 1024, { seals: new RowSeals(ring), report: () => {} })
  return {
    house,
    workspace,
    run,
    json,
    async refused(...words) {
      const { status, out } = await run(...words, '--json')
      expect(status, out).toBe(1)
      return JSON.parse(out) as Refused
    },
    file: (name, content) => house.write(name, content),
    library,
    // The next four do what `import`, `invoice import`, `agreement apply` and `agreement sign` do, without opening the installation
    // each time.
    async importFigures(table) {
      const path = await house.write('figures.csv', table)
      const { problems } = await importTable(sql, workspace.id, csvSource(path), {
        dryRun: false,
        upload: {
          uploadedBy: 'operator',
          via: 'command',
          fileName: basename(path),
          ...(await fingerprintFile(path)),
        },
        onProgress: () => {},
      })
      if (problems.length > 0) throw new Error(`the table is refused: ${JSON.stringify(problems)}`)
    },
    async importLines(table) {
      const path = await house.write('lines.csv', table)
      const options = { bounds: null, sheet: null, mostLines: limits.upload.rows }
      const { lines, problems } = await readInvoiceFile(path, options)
      if (problems.length > 0) throw new Error(`the lines are refused: ${JSON.stringify(problems)}`)
      const request = { workspaceId: workspace.id, lines, today: today(), source: basename(path) }
      const imported = await importLines(sql, library(), { ...request, by: { who: 'operator', fromAddress: null } })
      if (imported.outcome === 'refused') throw new Error(`the lines are refused: ${JSON.stringify(imported.problems)}`)
    },
    async apply(text) {
      const request = { workspaceId: workspace.id, text, by: 'operator', today: today(), habits }
      const [applied] = await applyDocuments(sql, [request])
      if (applied == null || applied.outcome === 'refused')
        throw new Error(`the document is refused: ${JSON.stringify(applied)}`)
    },
    async signBoth(slug, period, supplier = 'sam@supplier.test') {
      for (const [party, email] of [
        ['buyer', 'ann@buyer.test'],
        ['supplier', supplier],
      ] as const)
        await signPeriod(sql, new Seal(ring), {
          workspaceId: workspace.id,
          agreement: slug,
          period,
          party,
          email,
          shown: null,
          through: false,
          proof: { means: 'OPERATOR' },
          fromAddress: null,
        })
    },
    close: () => (shared === undefined ? house.close() : Promise.resolve()),
  }
}

/** With the agreement, and its first two adjustments agreed. */
export async function openBracketHouse(): Promise<PriceHouse> {
  const ground = await openPriceHouse()
  await ground.importFigures(steelPrices)
  await ground.apply(pricedDocument())
  await ground.signBoth('steel-brackets', '2024-Q2')
  await ground.signBoth('steel-brackets', '2024-Q3')
  return ground
}
