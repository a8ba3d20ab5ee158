// Applying price lists to agreements: a first list, a new version if it differs, or nothing. All problems of all lists are
// reported at once, and then nothing is written.

import { compareLists, type ListComparison } from '../core/prices/list-changes.ts'
import { checkList, resolveStart } from '../core/prices/list-check.ts'
import type { PlacedRow } from '../core/prices/list-table.ts'
import { contentOf, type ListRow, makePriceList } from '../core/prices/price-list.ts'
import type { Pricing } from '../core/prices/pricing.ts'
import { Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { type Day, writeDay } from '../core/time/day.ts'
import { inForce, tenureOfSupplier } from '../read/agreements/tenure.ts'
import type { Library } from '../read/library.ts'
import { readAgreement } from '../storage/agreements/agreements.ts'
import { keepPriceList, readPriceLists } from '../storage/agreements/price-lists.ts'
import { appending, type OpenLog } from '../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { type Actor, noteActivity } from '../storage/workspaces/activity.ts'

interface ListRequest {
  readonly workspaceId: string
  /** By slug or id. */
  readonly pam: string
  readonly rows: readonly PlacedRow[]
  /** What is wrong with the rest of its file: then it is refused, with what is wrong with these rows as well. */
  readonly problems?: readonly RowProblem[]
  /** The period from which it governs: `start` or a label. */
  readonly from: string
  readonly today: Day
  readonly by: Actor
}

interface AppliedList {
  readonly outcome: 'created' | 'new version' | 'unchanged'
  /** The slug. */
  readonly agreement: string
  readonly version: number
  readonly items: number
}

export interface RefusedRows {
  readonly outcome: 'refused'
  readonly problems: readonly RowProblem[]
}

interface PreviewedList extends ListComparison {
  readonly outcome: AppliedList['outcome']
  /** The slug. */
  readonly agreement: string
  readonly from: string
  readonly items: number
}

/** What applying the list would do; nothing is written. */
export async function previewPriceList(
  sql: Sql,
  library: Library,
  request: Omit<ListRequest, 'by'>,
): Promise<PreviewedList | RefusedRows> {
  const { workspaceId, rows } = request
  const checked = await checkRequest(library, request)
  if ('problems' in checked) return checked
  const { pricing, start } = checked
  const { id, slug } = pricing.agreement
  const newest = await withWorkspace(sql, workspaceId, async tx => {
    const list = (await readPriceLists(tx, workspaceId, id)).at(-1)
    return list === undefined ? null : { ...list, isCurrent: list.seq >= (await supplierSince(tx, workspaceId, id)) }
  })
  const isSame =
    newest?.isCurrent === true &&
    newest.fromPeriod === start.from &&
    newest.fromDate === writeDay(start.fromDate) &&
    newest.listRows === JSON.stringify(contentOf(rows))
  return {
    ...compareLists(pricing.agreement, rows, start),
    outcome: isSame ? 'unchanged' : newest === null ? 'created' : 'new version',
    agreement: slug,
    from: start.from,
    items: makePriceList(rows).items.length,
  }
}

interface Checked {
  readonly pricing: Pricing
  readonly start: ReturnType<typeof resolveStart>
}

/** The agreement and from when the list governs, or everything that is wrong with its rows. */
async function checkRequest(
  library: Library,
  { workspaceId, pam: agreement, rows, problems: read = [], from, today }: Omit<ListRequest, 'by'>,
): Promise<Checked | RefusedRows> {
  const pricing = await library.prices.pricing(workspaceId, agreement, { knownAt: null, until: today })
  if (pricing === null) throw new Refusal('not-found', `there is no agreement "${agreement}"`)
  const start = resolveStart(pricing.agreement, from)
  const problems = [...read, ...checkList(rows, pricing.agreement, start)].sort((a, b) => a.line - b.line)
  return problems.length > 0 ? { outcome: 'refused', problems } : { pricing, start }
}

export async function applyPriceList(
  sql: Sql,
  library: Library,
  request: ListRequest,
): Promise<AppliedList | RefusedRows> {
  const [applied] = await applyPriceLists(sql, library, [request])
  return applied!
}

/** Several of one workspace, all of them or none: where one is refused, the others have no answer. */
export async function applyPriceLists(
  sql: Sql,
  library: Library,
  requests: readonly ListRequest[],
): Promise<readonly (AppliedList | RefusedRows | null)[]> {
  const ready: ReadyList[] = []
  const refused: (RefusedRows | null)[] = []
  for (const request of requests) {
    const checked = await checkRequest(library, request)
    if ('problems' in checked) refused.push(checked)
    else {
      ready.push({ ...checked, request })
      refused.push(null)
    }
  }
  if (ready.length < requests.length || requests.length === 0) return refused
  return appending(sql, requests[0]!.workspaceId, async (tx, log) => {
    const applied: AppliedList[] = []
    for (const { pricing, start, request } of ready)
      applied.push(await keepList(tx, log, { ...request, ...start, agreement: pricing.agreement }))
    return applied
  })
}

interface ReadyList extends Checked {
  readonly request: ListRequest
}

interface CheckedList extends Pick<ListRequest, 'workspaceId' | 'from' | 'by'> {
  readonly agreement: { readonly id: string; readonly slug: string }
  readonly rows: readonly ListRow[]
  readonly fromDate: Day
}

/** Of an agreement that it was found to fit. While the log is open. */
export async function keepList(tx: Transaction, log: OpenLog, list: CheckedList): Promise<AppliedList> {
  const { workspaceId, rows, from, fromDate, by } = list
  const { id, slug } = list.agreement
  const { keys, items } = makePriceList(rows)
  const { version, isNew } = await keepPriceList(tx, log, id, {
    fromPeriod: from,
    fromDate: writeDay(fromDate),
    rows: contentOf(rows),
    keys,
    items: items.length,
    createdBy: by.who,
    sinceSeq: await supplierSince(tx, workspaceId, id),
  })
  const outcome = !isNew ? 'unchanged' : version === 1 ? 'created' : 'new version'
  if (isNew)
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'prices.change',
      what: `price list ${outcome}`,
      subject: `${slug} ${version}`,
    })
  return { outcome, version, agreement: slug, items: items.length }
}

/** The entry since which the agreement has the supplier of today, who sees the lists of its time alone. */
async function supplierSince(tx: Transaction, workspaceId: string, id: string): Promise<number> {
  const states = (await readAgreement(tx, workspaceId, id))!.states
  const now = inForce(states).at(-1)
  const tenure = now === undefined ? null : tenureOfSupplier(states, now.parties.supplier)
  return tenure?.spans.at(-1)?.fromSeq ?? 0
}
