// The agreements of a workspace as rows of a list, page by page: state, next date, and faults in words. Only agreements on the page
// are opened and computed.

import { type Gap, gapOfRefusal } from '../../core/calculation/gap.ts'
import type { ContractPrice } from '../../core/formula/formula.ts'
import { nextDateAfter } from '../../core/formula/schedule.ts'
import { Refusal } from '../../core/refusal.ts'
import { formatDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import type { Adjustments, EntrySummary, PeriodEntry } from '../../read/agreements/adjustments.ts'
import { settledOn } from '../../read/agreements/settled-price.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { AgreementListRequest } from '../calls/agreement-calls.ts'
import type { AgreementList, AgreementListRow } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import { companyNames, hasSupplier, readSupplier, sideView, supplierChoices } from '../sight/sides.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { type Sight, stateFor } from '../sight/visibility.ts'
import { hasState, inOrder, isDue, readersOfSeries, withCorrectionDue } from './agreement-order.ts'
import {
  type AgreementGlance,
  agreementsBySlug,
  ListTime,
  type OpenedAgreement,
  openAgreements,
  readAgreementGlance,
  readNames,
  todayOf,
} from './opened-agreement.ts'
import { blockedRow, entryRow, partiesToSign, settledView } from './period-row.ts'
import { shownSteps } from './signing-view.ts'

export async function listAgreements(
  parts: ViewContext,
  seat: Seat,
  request: AgreementListRequest,
): Promise<AgreementList> {
  const { q = '', status, after = '', limit = limits.formulaPage.usual } = request
  const words = readWords(q)
  const supplier = readSupplier(request)
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const all = agreementsBySlug(seat, index)
  const { series, due, state, sort } = request
  const needsGlance = due !== undefined || state !== undefined || sort !== undefined
  const known = needsGlance ? await readAgreementGlance(parts, seat, index) : nothingKnown
  const { digests, pending } = known
  const readers = series === undefined ? null : await readersOfSeries(parts, seat, series)
  const matching = all.filter(row => {
    const hasStatus = status === undefined || stateFor(seat, row)?.status === status
    const isRead = readers === null || readers.has(row.id)
    const isInMonth = due === undefined || isDue(row, digests, due)
    const stands = state === undefined || hasState(seat, row, known, state)
    return hasStatus && isRead && isInMonth && stands && hasSupplier(seat, row, supplier) && hasWords(seat, row, words)
  })
  const isDueWanted = state === 'CORRECTION_DUE'
  const found = isDueWanted ? await withCorrectionDue(parts, seat, matching, todayOf(parts)) : matching
  const sorted = sort === undefined ? found : inOrder(seat, found, digests, index, sort)
  const rest = after === '' ? sorted : behind(sorted, after)
  const page = rest.slice(0, limit)
  const next = rest.length > page.length ? page.at(-1)!.slug : null
  const suppliers = await supplierChoices(seat, all, index)
  const rows = await agreementListRows(parts, seat, page)
  return { rows, suppliers, found: found.length, all: all.length, next, pending }
}

/** Glance for requests whose order and filters need none. */
const nothingKnown: Pick<AgreementGlance, 'digests' | 'corrections' | 'related' | 'pending'> = {
  digests: new Map(),
  corrections: new Map(),
  related: [],
  pending: 0,
}

/** The agreements after a given one, or after the position it would have by its slug. */
function behind(rows: readonly AgreementRecord[], after: string): readonly AgreementRecord[] {
  const place = rows.findIndex(({ slug }) => slug === after)
  return place < 0 ? rows.filter(({ slug }) => slug > after) : rows.slice(place + 1)
}

/** Slugs in use: a new agreement needs another one. */
export async function listSlugs({ library }: ViewContext, seat: Seat): Promise<readonly string[]> {
  const index = await library.index(seat.workspace.id, { agreements: 'all' })
  return agreementsBySlug(seat, index).map(({ slug }) => slug)
}

/** Search words, in lower case. */
export function readWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Whether all words are in the agreement's name, as this person sees it, or in its slug. */
export function hasWords(seat: Seat, row: AgreementRecord, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = `${stateFor(seat, row)?.name ?? ''} ${row.slug}`.toLowerCase()
  return words.every(word => text.includes(word))
}

export async function agreementListRows(
  parts: ViewContext,
  seat: Seat,
  wanted: readonly AgreementRecord[],
  time = new ListTime(parts),
): Promise<AgreementListRow[]> {
  const names = await readNames(parts, seat)
  const nameOf = companyNames(await parts.library.index(seat.workspace.id, {}))
  const opened = await openAgreements(parts, seat, wanted, time)
  const rows: AgreementListRow[] = []
  const slices = new Slices()
  for (const agreement of opened) {
    rows.push(agreementListRow(seat, agreement, { names, nameOf }))
    await slices.rest()
  }
  return rows
}

/** Rows show settled and proposed numbers; today's numbers are on the agreement's own page. */
const noTodays: ReadonlyMap<string, EntrySummary> = new Map()

/** Names of people by address, and of parties by slug. */
export interface RowNames {
  readonly names: ReadonlyMap<string, string>
  readonly nameOf: (slug: string) => string
}

export function agreementListRow(seat: Seat, at: OpenedAgreement, { names, nameOf }: RowNames): AgreementListRow {
  const { snapshot, standing, formula, adjustments, today } = at
  const { state } = standing
  const newest = newestOf(at)
  const settled = settledOn(standing, today)
  const steps = adjustments === null ? null : shownSteps(seat, at, adjustments)
  const asSupplier = supplierTimeOf(at.sight)
  const next = asSupplier?.until == null ? nextDateAfter(standing.versions, today) : null
  const blocked = adjustments?.blocked[0]
  const oldest = state.status === 'ACTIVE' ? adjustments?.openEntries(1)[0] : undefined
  return {
    id: snapshot.id,
    slug: snapshot.slug,
    name: state.name,
    status: state.status,
    supplier: sideView(state.parties.supplier, nameOf),
    version: standing.versions.at(-1)!.number,
    frequency: formula.contract.frequency.wire,
    price: priceView(formula.contract.price),
    settled: settledView(settled),
    settledPct: settled === null || steps === null ? null : steps.changeOfSettled(settled.period),
    last:
      steps === null || newest.entry === null
        ? null
        : entryRow(newest.entry, { signOffs: standing.signOffs, names, todays: noTodays, steps }),
    nextDate: next === null ? null : formatDay(next),
    unsigned: adjustments?.openCount ?? 0,
    waitsFor: oldest === undefined ? [] : partiesToSign(oldest),
    disputed: adjustments?.openPeriods().filter(({ isDisputed }) => isDisputed).length ?? 0,
    blocked: blocked === undefined ? null : blockedRow(blocked),
    trouble: newest.gap?.sentence ?? null,
    asSupplier,
  }
}

export function supplierTimeOf({ tenure }: Sight): AgreementListRow['asSupplier'] {
  if (tenure === null || tenure.isWhole) return null
  const since = tenure.spans[0]!.from
  return { since: since === '' ? null : since.slice(0, 10), until: tenure.endedAt?.slice(0, 10) ?? null }
}

function newestOf({ adjustments, gap }: OpenedAgreement): Newest {
  return adjustments === null ? { entry: null, gap } : newestEntry(adjustments)
}

interface Newest {
  readonly entry: PeriodEntry | null
  readonly gap: Gap | null
}

export function priceView(price: ContractPrice | null): AgreementListRow['price'] {
  if (price === null) return null
  return { amount: price.text, currency: price.currency, unit: price.unit === '' ? null : price.unit }
}

/** The newest entry or the gap; a first date that has not come is no problem. */
function newestEntry(adjustments: Adjustments): Newest {
  try {
    return { entry: adjustments.find(null, null), gap: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { entry: null, gap: adjustments.blocked.length === 0 ? null : gapOfRefusal(error) }
  }
}
