// A copy of every agreement and its item prices that stays in step: all of it once a day, and what changed in between. It is
// plain data: keep it as JSON, and hand it in again.
import type { CallOptions, Calls } from './calls.ts'
import { followChanges } from './follow.ts'
import type { AdjustmentRow, PriceRow } from './wire.ts'

export interface Copy {
  /** Where the next run goes on in /changes. */
  readonly cursor: string
  /** The day of the server (UTC) that it is of. */
  readonly day: string
  /** The number of each agreement, by slug, as `/adjustments` has it. */
  readonly agreements: Readonly<Record<string, AdjustmentRow>>
  /** The prices of today, by slug. An agreement without a price has no entry. */
  readonly prices: Readonly<Record<string, readonly PriceRow[]>>
  /** The slugs whose number or prices are others than in the copy before, or that are no longer there. */
  readonly changed: readonly string[]
}

type Rows = Pick<Copy, 'agreements' | 'prices'>

const idsAtOnce = 200

export async function syncCopy(calls: Calls, before: Copy | null, options: CallOptions = {}): Promise<Copy> {
  const { timestamp } = await calls.one('getHealth', [], undefined, options)
  const day = timestamp.slice(0, 10)
  // A date that comes is no entry of the log: with each new day everything is read once.
  const next = before === null || before.day !== day ? null : await readChanged(calls, before, options)
  const { cursor, ...rows } = next ?? (await readAll(calls, options))
  return { cursor, day, ...rows, changed: changedOf(before ?? { agreements: {}, prices: {} }, rows) }
}

/** The cursor first: what changes while it reads is looked at again by the next run. */
async function readAll(calls: Calls, options: CallOptions): Promise<Rows & { readonly cursor: string }> {
  const { pagination } = await calls.one('listChanges', [], undefined, options)
  const agreements = await calls.walk('listAdjustments', [], { latest: true }, options).all()
  const prices = await calls.walk('listPrices', [], undefined, options).all()
  return { cursor: pagination.nextCursor, agreements: bySlug(agreements), prices: byAgreement(prices) }
}

/** Null after a restore: the copy is of another history. */
async function readChanged(
  calls: Calls,
  before: Copy,
  options: CallOptions,
): Promise<(Rows & { readonly cursor: string }) | null> {
  const touched = new Set<string>()
  let { cursor } = before
  for await (const batch of followChanges(calls, { ...options, from: cursor, wait: 0 })) {
    if (batch.isReset) return null
    for (const { pams } of batch.data) for (const slug of pams) touched.add(slug)
    cursor = batch.cursor
  }
  const kept = ([slug]: readonly [string, unknown]) => !touched.has(slug)
  const agreements = Object.fromEntries(Object.entries(before.agreements).filter(kept))
  const prices = Object.fromEntries(Object.entries(before.prices).filter(kept))
  const slugs = [...touched].sort()
  for (let at = 0; at < slugs.length; at += idsAtOnce) {
    const ids = slugs.slice(at, at + idsAtOnce)
    // One that has no row any more stays left out.
    Object.assign(agreements, bySlug(await calls.walk('listAdjustments', [], { ids }, options).all()))
    Object.assign(prices, byAgreement(await calls.walk('listPrices', [], { ids }, options).all()))
  }
  return { cursor, agreements: sorted(agreements), prices: sorted(prices) }
}

const bySlug = (rows: readonly AdjustmentRow[]) => Object.fromEntries(rows.map(row => [row.slug, row]))

function byAgreement(rows: readonly PriceRow[]): Record<string, PriceRow[]> {
  const groups = new Map<string, PriceRow[]>()
  for (const row of rows) {
    const known = groups.get(row.agreement)
    if (known === undefined) groups.set(row.agreement, [row])
    else known.push(row)
  }
  return Object.fromEntries(groups)
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function changedOf(before: Rows, after: Rows): string[] {
  const slugs = new Set([before.agreements, before.prices, after.agreements, after.prices].flatMap(Object.keys))
  const text = ({ agreements, prices }: Rows, slug: string) => JSON.stringify([agreements[slug], prices[slug]])
  return [...slugs].filter(slug => text(before, slug) !== text(after, slug)).sort()
}
