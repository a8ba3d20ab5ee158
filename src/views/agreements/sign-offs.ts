// What waits for a signature, whose turn it is, and what was signed recently.

import type { Party } from '../../core/parties.ts'
import { workReceipt } from '../../core/receipt/worked-steps.ts'
import { parseDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import type { Entry, EntrySummary } from '../../read/agreements/adjustments.ts'
import { unpackPeriod } from '../../read/agreements/open-periods.ts'
import { Slices } from '../../read/memory/slices.ts'
import { type AgreementRecord, readNewestSigned, type SignedWanted } from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { SignOffsRequest, WaitingRequest } from '../calls/agreement-calls.ts'
import type { SignedRow, SignOffs, WaitingCounts, WaitingPage, WaitingRow } from '../shapes/agreements.ts'
import { FirstFew } from '../sight/first-few.ts'
import type { Seat } from '../sight/seat.ts'
import { companyNames, hasSupplier, readSupplier, sideView, supplierChoices } from '../sight/sides.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { sightOf } from '../sight/visibility.ts'
import { priceCarriedIn } from './adjustment-page.ts'
import { hasWords, type RowNames, readWords } from './agreement-list.ts'
import { readersOfSeries } from './agreement-order.ts'
import { entryRow, partiesToSign } from './period-row.ts'
import {
  type AgreementGlance,
  ListTime,
  openAgreements,
  readAgreementGlance,
  readNames,
  readTodays,
  type SeenAgreement,
} from './seen-agreement.ts'
import { movedSignOffs, partyOf } from './signing-view.ts'
import { readWhatWaits, type WaitingAgreement, waitingAgreements } from './what-waits.ts'

export async function listSignOffs(parts: ViewParts, seat: Seat, query: SignOffsRequest): Promise<SignOffs> {
  const { all, glance } = await glanceNarrowed(parts, seat, query)
  const names = await readNames(parts, seat)
  const { mine, others, counts } = await whatWaits(seat, glance, limits.waitingRows, query.due)
  const listing = { names, time: new ListTime(parts) }
  return {
    suppliers: await supplierChoices(seat, all.rows, all.index),
    counts,
    mine: await waitingRows(parts, seat, mine.first, listing),
    others: await waitingRows(parts, seat, others.first, listing),
    mineCount: mine.count,
    othersCount: others.count,
    recent: await recentRows(parts, seat, glance, listing, glance.rows.length < all.rows.length),
    // Last, because only now is it known for which agreements the time did not suffice.
    pending: glance.pending + listing.time.late.size,
  }
}

/** The agreements of a supplier that read a series and have some words in their names. */
async function glanceNarrowed(
  parts: ViewParts,
  seat: Seat,
  query: SignOffsRequest,
): Promise<{ readonly all: AgreementGlance; readonly glance: AgreementGlance }> {
  const supplier = readSupplier(query)
  const words = readWords(query.q ?? '')
  const index = await parts.library.index(seat.workspace.id, { formulas: 'all' })
  const all = await readAgreementGlance(parts, seat, index)
  const readers = query.series === undefined ? null : await readersOfSeries(parts, seat, query.series)
  const rows = all.rows.filter(
    row => hasSupplier(seat, row, supplier) && hasWords(seat, row, words) && (readers === null || readers.has(row.id)),
  )
  return { all, glance: { ...all, rows } }
}

/** More of one list. */
export async function listWaiting(parts: ViewParts, seat: Seat, query: WaitingRequest): Promise<WaitingPage> {
  const { glance } = await glanceNarrowed(parts, seat, query)
  const isWanted = ({ isMine }: OpenDate) => isMine === (query.side === 'mine')
  const list = [...openDates([...waitingAgreements(seat, glance, query.due)])]
    .filter(isWanted)
    .sort((a, b) => (isBefore(a, b) ? -1 : 1))
  const to = query.from + limits.waitingRows
  const listing = { names: await readNames(parts, seat), time: new ListTime(parts) }
  const rows = await waitingRows(parts, seat, list.slice(query.from, to), listing)
  return { rows, next: to < list.length ? to : null }
}

/** What the rows of one list are made with. */
interface Listing {
  readonly names: ReadonlyMap<string, string>
  readonly time: ListTime
}

const nothingSigned: ReadonlyMap<string, EntrySummary> = new Map()

/** A date of an agreement that can be signed and is not. */
interface Waiting {
  readonly pam: AgreementRecord
  readonly date: string
  readonly isDisputed: boolean
}

interface OpenDate extends Waiting {
  /** Whether it waits for the person who looks. */
  readonly isMine: boolean
}

/** What can be signed now and is not, in no order. Nothing is opened. */
function* openDates(rows: readonly WaitingAgreement[]): Generator<OpenDate> {
  for (const { agreement: pam, periods } of rows) {
    for (const each of periods.mine) yield { pam, ...unpackPeriod(each), isMine: true }
    for (const each of periods.others) yield { pam, ...unpackPeriod(each), isMine: false }
  }
}

/**
 * The oldest periods: a person's own, everybody else's, and which of them are disputed, up to `most` of each; and how much
 * waits in all. In slices: there may be many thousands of agreements.
 */
export async function whatWaits(
  seat: Seat,
  glance: Pick<AgreementGlance, 'rows' | 'digests' | 'corrections'>,
  most: number,
  month?: string,
): Promise<Record<'mine' | 'others' | 'disputed', FirstFew<Waiting>> & { readonly counts: WaitingCounts }> {
  const mine = new FirstFew(most, isBefore)
  const others = new FirstFew(most, isBefore)
  const disputed = new FirstFew(most, isBefore)
  const { rows, counts } = await readWhatWaits(seat, glance, month)
  const slices = new Slices()
  for (const waiting of openDates(rows)) {
    if (waiting.isMine) mine.add(waiting)
    else others.add(waiting)
    if (waiting.isDisputed) disputed.add(waiting)
    await slices.rest()
  }
  return { mine, others, disputed, counts }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.date < b.date || (a.date === b.date && a.pam.slug < b.pam.slug)
}

/** These in full, in the order given; one that was signed or no longer exists is left out. */
export async function waitingRows(
  parts: ViewParts,
  seat: Seat,
  waiting: readonly Waiting[],
  { names, time }: Listing,
): Promise<WaitingRow[]> {
  const opened = await openById(parts, seat, [...new Set(waiting.map(({ pam: agreement }) => agreement))], time)
  const nameOf = companyNames(await parts.library.index(seat.workspace.id, {}))
  const rows: WaitingRow[] = []
  const slices = new Slices()
  for (const { pam: agreement, date } of waiting) {
    const at = opened.get(agreement.id)
    const entry = at?.adjustments?.openEntry(parseDay(date)!)
    if (at !== undefined && entry !== undefined) rows.push(waitingRow(seat, at, entry, { names, nameOf }))
    await slices.rest()
  }
  return rows
}

async function openById(
  parts: ViewParts,
  seat: Seat,
  agreements: readonly AgreementRecord[],
  time: ListTime,
): Promise<ReadonlyMap<string, SeenAgreement>> {
  const formulas = await openAgreements(parts, seat, agreements, time)
  return new Map(formulas.map(at => [at.snapshot.id, at]))
}

function waitingRow(seat: Seat, at: SeenAgreement, entry: Entry, { names, nameOf }: RowNames): WaitingRow {
  const waitsFor: readonly Party[] = partiesToSign(entry)
  const party = partyOf(seat, at.standing.state)
  return {
    ...headOf(at, nameOf),
    entry: entryRow(entry, { signOffs: at.standing.signOffs, names, todays: nothingSigned }),
    waitsFor,
    priceBefore: priceBefore(at, entry),
    as: party !== null && waitsFor.includes(party) ? party : null,
    hasMoved: movedSignOffs(at, entry).some(({ party }) => waitsFor.includes(party)),
  }
}

function priceBefore({ adjustments, formula, snapshot }: SeenAgreement, { calculation, body }: Entry): string | null {
  const before = adjustments?.summaries().findLast(({ date }) => date < calculation.adjustmentDate)
  // What it goes on from may have been agreed with another supplier: then its receipt has it.
  if (before === undefined && snapshot.tenure !== null) return priceCarriedIn(workReceipt(body))
  return before === undefined ? (formula.contract.price?.text ?? null) : before.price
}

function headOf(
  { snapshot, standing, formula }: SeenAgreement,
  nameOf: (slug: string) => string,
): Omit<SignedRow, 'entry'> {
  const { name, parties } = standing.state
  const { price } = formula.contract
  const [currency, unit] = [price?.currency ?? null, price?.unit || null]
  return { slug: snapshot.slug, name, supplier: sideView(parties.supplier, nameOf), currency, unit }
}

/** All signatures of these agreements, as far as they belong to the person who asks. */
function signedWanted(seat: Seat, rows: readonly AgreementRecord[]): SignedWanted {
  const ids: string[] = []
  const spans: SignedWanted['spans'][number][] = []
  for (const row of rows) {
    const tenure = sightOf(seat, row)?.tenure ?? null
    if (tenure === null || tenure.isWhole) ids.push(row.id)
    else spans.push(...tenure.spans.map(({ fromSeq, toSeq }) => ({ pamId: row.id, fromSeq, toSeq })))
  }
  return { ids, spans }
}

/** The last ones that both have signed, by the second signature, the newest first. */
async function recentRows(
  parts: ViewParts,
  seat: Seat,
  { index, rows }: Pick<AgreementGlance, 'index' | 'rows'>,
  { names, time }: Listing,
  isNarrowed: boolean,
): Promise<SignedRow[]> {
  const { workspace, role } = seat
  const wanted = role === 'supplier' || isNarrowed ? signedWanted(seat, rows) : null
  const nameOf = companyNames(index)
  const signed = await withWorkspace(parts.installation.sql, workspace.id, tx =>
    readNewestSigned(tx, workspace.id, { wanted, most: limits.recentSignOffs }),
  )
  const agreements = new Set(signed.flatMap(({ pamId: agreementId }) => index.findAgreement(agreementId) ?? []))
  const opened = await openById(parts, seat, [...agreements], time)
  const recent: SignedRow[] = []
  for (const { pamId: agreementId, receiptHash, adjustmentDate } of signed) {
    const at = opened.get(agreementId)
    const entry = at?.adjustments?.entries(parseDay(adjustmentDate)!).find(each => each.hash === receiptHash)
    if (at === undefined || entry === undefined || time.isOverFor(agreementId)) continue
    const todays = await readTodays(parts, seat, at)
    recent.push({ ...headOf(at, nameOf), entry: entryRow(entry, { signOffs: at.standing.signOffs, names, todays }) })
  }
  return recent
}
