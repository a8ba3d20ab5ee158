// The inbox: open signatures, one row for each agreement and each correction. Rows come from digests; no agreement is opened,
// however many rows there are.

import type { Party } from '../../../core/parties.ts'
import { openGround, openStep, paidStep } from '../../../core/prices/shown-step.ts'
import { limits } from '../../../limits.ts'
import type { OpenPeriod } from '../../../read/agreements/open-periods.ts'
import { type PackedPeriods, unpackPeriod } from '../../../read/agreements/open-periods.ts'
import { type OpenFigures, pathOf } from '../../../read/lists/open-figures.ts'
import { Slices } from '../../../read/memory/slices.ts'
import type { AgreementRecord } from '../../../storage/agreements/agreements.ts'
import type { InboxPartRequest, InboxRequest } from '../../calls/inbox-calls.ts'
import type { WaitingTally } from '../../shapes/agreements.ts'
import type {
  ChangeRow,
  CorrectionRow,
  Inbox,
  InboxPage,
  InboxPeriod,
  InboxRow,
  InboxRowHead,
  InboxState,
  PeriodsRow,
} from '../../shapes/inbox.ts'
import type { Seat } from '../../sight/seat.ts'
import { companyNames, hasSupplier, readSupplier, sideView, supplierChoices } from '../../sight/sides.ts'
import type { ViewContext } from '../../sight/view-parts.ts'
import { isOfTheirTime } from '../../sight/visibility.ts'
import { hasWords, readWords } from '../agreement-list.ts'
import { readersOfSeries } from '../agreement-order.ts'
import { type AgreementGlance, agreementsBySlug, readAgreementGlance } from '../opened-agreement.ts'
import { partyOf } from '../signing-view.ts'
import { type WaitingAgreement, waitingAgreements } from '../waiting-counts.ts'

type Side = 'mine' | 'others'

export async function listInbox(parts: ViewContext, seat: Seat, query: InboxRequest): Promise<Inbox> {
  const { all, glance } = await glanceNarrowed(parts, seat, query)
  const { mine, others } = await inboxRows(seat, glance, query)
  return {
    suppliers: await supplierChoices(seat, all, glance.index),
    counts: countsOf(glance, mine, others),
    mine: pageOf(mine, 0),
    others: pageOf(others, 0),
    pending: glance.pending,
  }
}

/** A further part of one list. */
export async function listInboxPart(parts: ViewContext, seat: Seat, query: InboxPartRequest): Promise<InboxPage> {
  const { glance } = await glanceNarrowed(parts, seat, query)
  return pageOf((await inboxRows(seat, glance, query))[query.side], query.from)
}

function pageOf(rows: readonly InboxRow[], from: number): InboxPage {
  const to = from + limits.inboxRows
  return { rows: rows.slice(from, to), next: to < rows.length ? to : null }
}

/** Counts within the filters. */
function countsOf({ digests, rows }: AgreementGlance, mine: readonly InboxRow[], others: readonly InboxRow[]) {
  const shown = new Set([...mine, ...others].map(({ slug }) => slug))
  const periods = [...mine, ...others].flatMap(row => (row.kind === 'periods' ? row.periods : []))
  return {
    mine: tallyOf(mine),
    others: tallyOf(others),
    disputed: periods.filter(({ isDisputed }) => isDisputed).length,
    byCalendar: rows.filter(({ id, slug }) => shown.has(slug) && digests.get(id)?.gap?.kind === 'work').length,
  }
}

function tallyOf(rows: readonly InboxRow[]): WaitingTally {
  const periods = rows.filter(row => row.kind === 'periods')
  return {
    agreements: new Set(rows.map(({ slug }) => slug)).size,
    periods: periods.reduce((sum, each) => sum + each.periods.length, 0),
    corrections: rows.filter(row => row.kind === 'correction').length,
    changes: rows.filter(row => row.kind === 'change').length,
  }
}

/** Agreements of one supplier that read a series and have some words in their names, among those that a person sees. */
export async function agreementsNarrowed(
  parts: ViewContext,
  seat: Seat,
  query: Pick<InboxRequest, 'q' | 'supplier' | 'series'>,
) {
  const supplier = readSupplier(query)
  const words = readWords(query.q ?? '')
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const all = agreementsBySlug(seat, index)
  const readers = query.series === undefined ? null : await readersOfSeries(parts, seat, query.series)
  const rows = all.filter(
    row => hasSupplier(seat, row, supplier) && hasWords(seat, row, words) && (readers === null || readers.has(row.id)),
  )
  return { index, all, rows }
}

async function glanceNarrowed(parts: ViewContext, seat: Seat, query: InboxRequest) {
  const { index, all, rows } = await agreementsNarrowed(parts, seat, query)
  const glance = await readAgreementGlance(parts, seat, index)
  return { all, glance: { ...glance, rows } }
}

interface RowsWanted {
  readonly side: Side
  readonly month: string | undefined
  readonly nameOf: (slug: string) => string
}

/** Both lists, the oldest rows first. In slices: there may be many thousands of agreements. */
async function inboxRows(
  seat: Seat,
  glance: AgreementGlance,
  { due, state }: Pick<InboxRequest, 'due' | 'state'>,
): Promise<Record<Side, readonly InboxRow[]>> {
  const nameOf = companyNames(glance.index)
  const found: Record<Side, InboxRow[]> = { mine: [], others: [] }
  const slices = new Slices()
  for (const waiting of waitingAgreements(seat, glance)) {
    const path = rowPath(seat, glance, waiting.agreement)
    for (const side of ['mine', 'others'] as const) {
      const periods = path === null ? null : periodsRow(path, waiting, { side, month: due, nameOf })
      const rows = [
        ...(periods === null ? [] : [periods]),
        ...waiting.corrections[side].map(each => correctionRow(seat, waiting, each, side, nameOf)),
        ...waiting.changes[side].map(each => changeRow(waiting, each, side, nameOf)),
      ]
      found[side].push(...rows.filter(row => isWanted(row, due, state)))
    }
    await slices.rest()
  }
  return { mine: found.mine.sort(inOrder), others: found.others.sort(inOrder) }
}

/** Sources of a row of periods: its path, and every open period. */
interface RowPath {
  readonly figures: OpenFigures
  readonly path: ReturnType<typeof pathOf>
  readonly waitsFor: readonly (readonly Party[])[]
}

function rowPath(
  seat: Seat,
  { digests }: Pick<AgreementGlance, 'digests'>,
  agreement: AgreementRecord,
): RowPath | null {
  const digest = digests.get(agreement.id)
  if (digest === undefined) return null
  const { figures, open } = digest
  const waitsFor = open.map(packed => unpackPeriod(packed).waitsFor)
  return { figures, path: pathOf(figures, settledAt => isOfTheirTime(seat, agreement, settledAt)), waitsFor }
}

/** One row of an agreement: the periods that wait for the viewer, or for others. */
function periodsRow(
  { figures, path, waitsFor }: RowPath,
  { agreement, state, party, periods, isByCalendar, hindrance }: WaitingAgreement,
  { side, month, nameOf }: RowsWanted,
): PeriodsRow | null {
  const own = throughMonth(inboxPeriods(path, periods[side]), month)
  const last = own.at(-1)
  if (last === undefined) return null
  const place = path.steps.findIndex(({ date }) => date === last.date)
  return {
    kind: 'periods',
    slug: agreement.slug,
    name: state.name,
    supplier: sideView(state.parties.supplier, nameOf),
    as: side === 'mine' ? party : null,
    currency: figures.currency,
    unit: figures.unit,
    ground: openGround(path, place, waitsFor, party),
    periods: own,
    isByCalendar,
    hindrance: side === 'mine' ? null : hindrance,
  }
}

function inboxPeriods(path: RowPath['path'], open: PackedPeriods): readonly InboxPeriod[] {
  const places = new Map(path.steps.map(({ date }, place) => [date, place]))
  return open.map(packed => {
    const { date, waitsFor, isDisputed } = unpackPeriod(packed)
    return inboxPeriod(path, places.get(date)!, { waitsFor, isDisputed })
  })
}

/** A period of an inbox with its step. */
export function inboxPeriod(
  path: RowPath['path'],
  place: number,
  { waitsFor, isDisputed }: Pick<OpenPeriod, 'waitsFor' | 'isDisputed'>,
): InboxPeriod {
  const { period, date, adjustmentPct, effect, paidEffect, movedFor } = path.steps[place]!
  const hasMoved = movedFor.some(party => waitsFor.includes(party))
  const { priceBefore: settled, changePct: paidPct } = paidStep(path, place)
  const figures = { ...openStep(path, place), settled, paidPct, effect, paidEffect }
  return { period, date, adjustmentPct, ...figures, waitsFor, isDisputed, hasMoved }
}

function correctionRow(
  seat: Seat,
  { agreement, state }: WaitingAgreement,
  correction: WaitingAgreement['corrections']['mine'][number],
  side: Side,
  nameOf: (slug: string) => string,
): CorrectionRow {
  const { id, hash, supplier, waitsFor, net, currency, periods, waived, proposedAt } = correction
  const { buyer } = agreement.states.at(-1)!.parties
  const head: InboxRowHead = {
    slug: agreement.slug,
    name: state.name,
    supplier: sideView(supplier, nameOf),
    currency,
    as: side === 'mine' ? partyOf(seat, { parties: { buyer, supplier } }) : null,
  }
  return { kind: 'correction', ...head, id, hash, periods, net, waived, waitsFor, proposedAt }
}

export function changeRow(
  { agreement, state, party }: WaitingAgreement,
  change: WaitingAgreement['changes']['mine'][number],
  side: Side,
  nameOf: (slug: string) => string,
): ChangeRow {
  const { id, kind, hash, effectiveFrom, series, offer, waitsFor, proposedAt } = change
  const supplier = sideView(state.parties.supplier, nameOf)
  const head = { slug: agreement.slug, name: state.name, supplier, currency: null, as: side === 'mine' ? party : null }
  return { kind: 'change', ...head, id, hash, change: kind, effectiveFrom, series, offer, waitsFor, proposedAt }
}

/** With a month, the periods up to the last one in it: the earlier ones are signed first, so they are included. */
function throughMonth(periods: readonly InboxPeriod[], month: string | undefined): readonly InboxPeriod[] {
  if (month === undefined) return periods
  return periods.slice(0, periods.findLastIndex(({ date }) => date.startsWith(month)) + 1)
}

const isInState: Readonly<Record<InboxState, (row: PeriodsRow) => boolean>> = {
  UNSIGNED: ({ periods }) => periods.some(({ waitsFor }) => waitsFor.length === 2),
  COUNTERSIGN: ({ periods }) => periods.some(({ waitsFor }) => waitsFor.length === 1),
  DISPUTED: ({ periods }) => periods.some(({ isDisputed }) => isDisputed),
  MOVED: ({ periods }) => periods.some(({ hasMoved }) => hasMoved),
}

/** Whether a filter wants a row. A correction or change of terms belongs to no month; one side signs it after the other. */
function isWanted(row: InboxRow, month: string | undefined, state: InboxState | undefined): boolean {
  if (row.kind === 'periods') return state === undefined || isInState[state](row)
  const { length } = row.waitsFor
  return month === undefined && (state === undefined || state === (length === 2 ? 'UNSIGNED' : 'COUNTERSIGN'))
}

function dateOf(row: InboxRow): string {
  return row.kind === 'periods' ? row.periods[0]!.date : row.proposedAt.slice(0, 10)
}

function inOrder(a: InboxRow, b: InboxRow): number {
  const [first, second] = [dateOf(a), dateOf(b)]
  return first === second ? (a.slug < b.slug ? -1 : 1) : first < second ? -1 : 1
}
