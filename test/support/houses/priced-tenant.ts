// Price lists and invoice lines of a workspace that is called over HTTP: what commands do, as functions. Each returns when the
// server has been notified.
import { importLines, reverseInvoice } from '../../../src/agreements/invoices.ts'
import { applyPriceList } from '../../../src/agreements/price-list.ts'
import { importQuantities } from '../../../src/agreements/quantities.ts'
import { Seal } from '../../../src/agreements/seal.ts'
import { type LineTexts, readLine } from '../../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { Library } from '../../../src/read/library.ts'
import { readList } from '../agreements/priced-agreement.ts'
import { eventually, Tenant } from './api.ts'
import { pricedDocument, steelPrices } from './price-house.ts'

const by = { who: 'eva@editor.test', fromAddress: null }
const today = () => parseDay(new Date().toISOString().slice(0, 10))!

/** Nobody notifies it, so there is a new one for each command. */
function libraryOf({ api }: Tenant): Library {
  const { rows: seals } = new Seal(api.ring)
  return new Library(api.sql, 64 * 1024 * 1024, { seals, report: () => {} })
}

/** The same workspace with a key that reads money. */
export async function withMoney({ api, id }: Tenant): Promise<Tenant> {
  return new Tenant(api, id, await api.issueKey(id, null, 'money', 'money'))
}

/** Returns when the workspace's feed ends with what was published last, which its reader waits for. */
async function heard(tenant: Tenant): Promise<void> {
  const [row] = await tenant.api.owner<{ at: string }[]>`
    select recorded_at as at from publication where scope = ${tenant.id} order by seq desc limit 1`
  const { key } = await tenant.api.issueKey(tenant.id, null, 'listener', 'all')
  const headers = { authorization: `Bearer ${key}` }
  await eventually(
    () => tenant.api.ask('/ext/v1/changes?from=start', { headers }),
    ({ text }) => text.includes(row!.at),
  )
}

export async function applyList(
  tenant: Tenant,
  agreement: string,
  csv: string,
  from: string | null = null,
): Promise<void> {
  await applyListUnheard(tenant, agreement, csv, from)
  await heard(tenant)
}

export async function applyListUnheard(
  tenant: Tenant,
  agreement: string,
  csv: string,
  from: string | null = null,
): Promise<void> {
  const { rows } = readList(csv)
  const request = { workspaceId: tenant.id, agreement, rows, from, today: today(), by }
  const applied = await applyPriceList(tenant.api.sql, libraryOf(tenant), request)
  if (applied.outcome === 'refused') throw new Error(`the list is refused: ${JSON.stringify(applied.problems)}`)
  if (applied.outcome === 'proposed') throw new Error(`${agreement}: both have to sign the list`)
}

/** `period` is a label; the item is the agreement's only one. */
export async function declareQuantities(
  tenant: Tenant,
  rows: readonly { readonly agreement: string; readonly period: string; readonly quantity: string }[],
): Promise<void> {
  const numbered = rows.map((row, i) => ({ ...row, item: null, line: i + 2 }))
  const request = { workspaceId: tenant.id, rows: numbered, today: today(), by, source: 'quantities.csv' }
  const declared = await importQuantities(tenant.api.sql, libraryOf(tenant), request)
  if (declared.outcome === 'refused') throw new Error(`quantities are refused: ${JSON.stringify(declared.problems)}`)
  await heard(tenant)
}

export async function keepLines(tenant: Tenant, lines: readonly LineTexts[]): Promise<void> {
  await keepLinesUnheard(tenant, lines)
  await heard(tenant)
}

export async function keepLinesUnheard(tenant: Tenant, texts: readonly LineTexts[]): Promise<void> {
  const lines = texts.map((each, i) => readLine(i + 2, each))
  const request = { workspaceId: tenant.id, lines, today: today(), by, source: 'lines.csv' }
  const imported = await importLines(tenant.api.sql, libraryOf(tenant), request)
  if (imported.outcome === 'refused') throw new Error(`the lines are refused: ${JSON.stringify(imported.problems)}`)
}

export async function reverse(tenant: Tenant, number: string, supplier: string | null = null): Promise<void> {
  await reverseInvoice(tenant.api.sql, tenant.id, { number, supplier, by })
  await heard(tenant)
}

export const bracketList = `item,price,currency,per,unit,from_quantity,round,valid_to
BR-100,12.40,EUR,1,piece,,,
BR-100,11.90,EUR,1,piece,1000,,
BR-200,5.125,EUR,100,piece,,3,2024-09-30
-X,1,EUR,,,,,
`

/** 12.40 EUR the piece from 2024 on by the quarter; 2024-Q2 and 2024-Q3 are agreed, 2024-Q4 is open. */
export async function fillBrackets(tenant: Tenant, beforeSigning = async () => {}): Promise<void> {
  await tenant.import(steelPrices)
  await tenant.apply(pricedDocument())
  await applyList(tenant, 'steel-brackets', bracketList)
  await beforeSigning()
  for (const period of ['2024-Q2', '2024-Q3']) await tenant.signBoth('steel-brackets', period)
}
