// Applying a price list to an agreement: a first list, a new version if it differs, or nothing. All problems are
// reported at once, and then nothing is written.

import { checkList, resolveStart } from '../core/prices/list-check.ts'
import type { PlacedRow } from '../core/prices/list-table.ts'
import { contentOf, makePriceList } from '../core/prices/price-list.ts'
import { Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { type Day, writeDay } from '../core/time/day.ts'
import { inForce, tenureOfSupplier } from '../read/agreements/tenure.ts'
import type { Library } from '../read/library.ts'
import { readAgreement } from '../storage/agreements/agreements.ts'
import { keepPriceList } from '../storage/agreements/price-lists.ts'
import { appending } from '../storage/log/append.ts'
import type { Sql, Transaction } from '../storage/postgres/database.ts'
import { type Actor, noteActivity } from '../storage/workspaces/activity.ts'

interface ListRequest {
  readonly workspaceId: string
  /** By slug or id. */
  readonly pam: string
  readonly rows: readonly PlacedRow[]
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

export async function applyPriceList(
  sql: Sql,
  library: Library,
  { workspaceId, pam: agreement, rows, from, today, by }: ListRequest,
): Promise<AppliedList | RefusedRows> {
  const pricing = await library.prices.pricing(workspaceId, agreement, { knownAt: null, until: today })
  if (pricing === null) throw new Refusal('not-found', `there is no agreement "${agreement}"`)
  const { id, slug } = pricing.agreement
  const start = resolveStart(pricing.agreement, from)
  const problems = checkList(rows, pricing.agreement, start)
  if (problems.length > 0) return { outcome: 'refused', problems }
  const { keys, items } = makePriceList(rows)
  const kept = await appending(sql, workspaceId, async (tx, log) => {
    const { version, isNew } = await keepPriceList(tx, log, id, {
      fromPeriod: start.from,
      fromDate: writeDay(start.fromDate),
      rows: contentOf(rows),
      keys,
      items: items.length,
      createdBy: by.who,
      sinceSeq: await supplierSince(tx, workspaceId, id),
    })
    const outcome = !isNew ? 'unchanged' : version === 1 ? 'created' : 'new version'
    if (isNew)
      await noteActivity(tx, workspaceId, { ...by, what: `price list ${outcome}`, subject: `${slug} ${version}` })
    return { outcome, version } as const
  })
  return { ...kept, agreement: slug, items: items.length }
}

/** The entry since which the agreement has the supplier of today, who sees the lists of its time alone. */
async function supplierSince(tx: Transaction, workspaceId: string, id: string): Promise<number> {
  const states = (await readAgreement(tx, workspaceId, id))!.states
  const now = inForce(states).at(-1)
  const tenure = now === undefined ? null : tenureOfSupplier(states, now.parties.supplier)
  return tenure?.spans.at(-1)?.fromSeq ?? 0
}
