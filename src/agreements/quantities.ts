// Declared quantities of items by period, all of a file or nothing. A row that repeats what is already declared adds nothing.

import { equal, ratio } from '../core/numbers/ratio.ts'
import type { Pricing } from '../core/prices/item-prices.ts'
import { startLabel } from '../core/prices/price-list.ts'
import type { QuantityRow } from '../core/prices/quantity-table.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import type { Library } from '../read/library.ts'
import { loadAgreementHistory } from '../storage/agreements/agreements.ts'
import { type DeclaredQuantity, insertQuantities, loadQuantities } from '../storage/agreements/quantities.ts'
import { appending } from '../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { noteActivity } from '../storage/workspaces/activity.ts'
import type { Imported, ImportRequest } from './invoices.ts'
import { needsBoth, type RefusedRows } from './price-list.ts'
import { signedDates } from './signed-dates.ts'

interface QuantitiesRequest extends ImportRequest {
  readonly rows: readonly QuantityRow[]
}

/** A quantity that is new or has changed. */
interface QuantityChange extends DeclaredQuantity {
  /** Slug of the agreement. */
  readonly agreement: string
  readonly before: string | null
}

interface QuantitiesCompared {
  readonly fresh: readonly DeclaredQuantity[]
  readonly changes: readonly QuantityChange[]
}

export async function importQuantities(
  sql: Sql,
  library: Library,
  request: QuantitiesRequest,
): Promise<Imported | RefusedRows> {
  const { workspaceId, rows, by, source } = request
  const judged = await judgeRows(library, request)
  if ('problems' in judged) return { outcome: 'refused', problems: judged.problems }
  return appending(sql, workspaceId, async (tx, log) => {
    const { fresh, changes } = await compareInside(tx, workspaceId, judged)
    const problems = await heldProblems(tx, workspaceId, judged, changes)
    if (problems.length > 0) return { outcome: 'refused', problems }
    const [added, unchanged] = [fresh.length, rows.length - fresh.length]
    if (added === 0) return { outcome: 'unchanged', added, unchanged }
    await insertQuantities(tx, log, fresh, by.who)
    const subject = `${source}: ${added} ${added === 1 ? 'row' : 'rows'}`
    await noteActivity(tx, workspaceId, { ...by, act: 'quantity.import', what: 'quantities declared', subject })
    return { outcome: 'imported', added, unchanged }
  })
}

/** Shows what an import would change; nothing is written. */
export async function previewQuantities(
  sql: Sql,
  library: Library,
  request: Pick<QuantitiesRequest, 'workspaceId' | 'rows' | 'today'>,
): Promise<Pick<QuantitiesCompared, 'changes'> | RefusedRows> {
  const judged = await judgeRows(library, request)
  if ('problems' in judged) return { outcome: 'refused', problems: judged.problems }
  const { workspaceId } = request
  return withWorkspace(sql, workspaceId, async tx => {
    const compared = await compareInside(tx, workspaceId, judged)
    const problems = await heldProblems(tx, workspaceId, judged, compared.changes)
    return problems.length > 0 ? { outcome: 'refused' as const, problems } : compared
  })
}

/**
 * Problems of rows that would replace a quantity of a period that both signed: under a contract that leaves changes to both,
 * neither side does that alone.
 */
async function heldProblems(
  tx: Transaction,
  workspaceId: string,
  { lines }: JudgedQuantities,
  changes: readonly QuantityChange[],
): Promise<readonly RowProblem[]> {
  const replaced = changes.filter(({ before }) => before !== null)
  const held = new Map<string, ReadonlySet<string>>()
  for (const slug of new Set(replaced.map(({ agreement }) => agreement))) {
    const kept = (await loadAgreementHistory(tx, workspaceId, slug))!
    const agreed = signedDates(kept).filter(({ isAgreed }) => isAgreed)
    const periods = agreed.length === 0 ? [] : [startLabel, ...agreed.map(({ period }) => period)]
    held.set(slug, new Set(needsBoth(kept) ? periods : []))
  }
  return replaced.flatMap((change): RowProblem[] => {
    const { agreement, item, period, before } = change
    if (!held.get(agreement)!.has(period)) return []
    const signed = `buyer and supplier have both signed ${period} of ${agreement} with ${before} of "${item}", and its terms are changed by both`
    const ways =
      'its invoice lines count in its place once they are kept, or both first sign an amendment without contract.change: BOTH'
    return [
      { line: lines.get(keyOf(change))!, column: 'quantity', message: `${signed}: neither replaces it alone; ${ways}` },
    ]
  })
}

/** Rows that fit, and the line of each. */
interface Fitting {
  readonly declared: readonly DeclaredQuantity[]
  readonly lines: ReadonlyMap<string, number>
}

interface JudgedQuantities extends Fitting {
  /** Slugs of agreements by id. */
  readonly slugs: ReadonlyMap<string, string>
}

async function judgeRows(
  library: Library,
  { workspaceId, rows, today }: Pick<QuantitiesRequest, 'workspaceId' | 'rows' | 'today'>,
): Promise<JudgedQuantities | { readonly problems: readonly RowProblem[] }> {
  const agreements = new Map<string, Pricing | null>()
  for (const name of new Set(rows.map(({ agreement }) => agreement)))
    agreements.set(name, await library.prices.pricing(workspaceId, name, { knownAt: null, until: today }))
  const judged = judge(rows, agreements)
  const known = [...agreements.values()].flatMap(each => (each === null ? [] : [each.agreement]))
  return 'problems' in judged ? judged : { ...judged, slugs: new Map(known.map(({ id, slug }) => [id, slug])) }
}

async function compareInside(
  tx: Transaction,
  workspaceId: string,
  { declared, slugs }: JudgedQuantities,
): Promise<QuantitiesCompared> {
  const kept = new Map(
    (await loadQuantities(tx, workspaceId, [...slugs.keys()])).map(each => [keyOf(each), each.quantity]),
  )
  const fresh = declared.filter(each => {
    const before = kept.get(keyOf(each))
    return before === undefined || !equal(ratio(before), ratio(each.quantity))
  })
  const changes = fresh.map(each => ({
    ...each,
    agreement: slugs.get(each.agreementId)!,
    before: kept.get(keyOf(each)) ?? null,
  }))
  return { fresh, changes }
}

function keyOf({ agreementId, item, period }: Omit<DeclaredQuantity, 'quantity'>): string {
  return `${agreementId}\n${item}\n${period}`
}

function judge(
  rows: readonly QuantityRow[],
  agreements: ReadonlyMap<string, Pricing | null>,
): Fitting | { readonly problems: readonly RowProblem[] } {
  const problems: RowProblem[] = []
  const declared: DeclaredQuantity[] = []
  const lines = new Map<string, number>()
  for (const row of rows) {
    const found = meaningOf(row, agreements.get(row.agreement) ?? null)
    if ('message' in found) {
      problems.push({ line: row.line, ...found })
      continue
    }
    const each = { ...found, period: row.period, quantity: row.quantity }
    const before = lines.get(keyOf(each))
    if (before !== undefined)
      problems.push({
        line: row.line,
        column: 'item',
        message: `"${each.item}" in ${row.period} is there already (line ${before})`,
      })
    else lines.set(keyOf(each), row.line)
    declared.push(each)
  }
  return problems.length > 0 ? { problems } : { declared, lines }
}

function meaningOf(
  { agreement: name, item, period }: QuantityRow,
  pricing: Pricing | null,
): Pick<DeclaredQuantity, 'agreementId' | 'item'> | Omit<RowProblem, 'line'> {
  if (pricing === null) return { column: 'agreement', message: `there is no agreement "${name}"` }
  const { id, slug, periods, next } = pricing.agreement
  const place = periods.findLastIndex(each => each.period === period)
  if (place < 0 && next?.period !== period) return { column: 'period', message: `${slug} has no period ${period}` }
  const offer = pricing.offer(place < 0 ? periods.length - 1 : place)
  if ('gap' in offer) return { column: 'period', message: offer.gap.sentence }
  const { list } = offer
  const found = item === null ? list.sole : list.find(item)
  if (found != null) return { agreementId: id, item: found.item }
  return {
    column: 'item',
    message: item === null ? `is empty, and ${slug} has several items` : `${slug} has no item "${item}" in ${period}`,
  }
}
