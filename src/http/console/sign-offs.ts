// What waits for a signature, whose turn it is, and what was signed lately.
import { parseDay } from '../../core/day.ts'
import { limits } from '../../limits.ts'
import type { Entry, EntrySummary } from '../../read/adjustments.ts'
import { Slices } from '../../read/slices.ts'
import { withWorkspace } from '../../storage/database.ts'
import { type PamRow, type Party, readNewestSigned } from '../../storage/pams.ts'
import { entryRow, partiesToSign } from './entry-row.ts'
import { FirstFew } from './first-few.ts'
import {
  type FormulaStanding,
  type FormulasAtAGlance,
  glanceAtFormulas,
  ListTime,
  openFormulas,
  readNames,
  readTodays,
} from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { companyNames, hasSupplier, readSupplier, sideView, supplierChoices } from './sides.ts'
import { movedSignOffs, partyOf } from './signing.ts'
import { stateFor } from './visibility.ts'
import type { SignOffsRequest } from './wire/formula-calls.ts'
import type { SignedRow, SignOffs, WaitingRow } from './wire/formulas.ts'

export async function listSignOffs(parts: ConsoleParts, seat: Seat, query: SignOffsRequest): Promise<SignOffs> {
  const supplier = readSupplier(query)
  const index = await parts.library.index(seat.workspace.id, { formulas: 'all' })
  const all = await glanceAtFormulas(parts, seat, index)
  const glance = { ...all, rows: all.rows.filter(row => hasSupplier(seat, row, supplier)) }
  const names = await readNames(parts, seat)
  const { mine, others } = whatWaits(seat, glance, limits.waitingRows)
  const listing = { names, time: new ListTime(parts) }
  return {
    suppliers: supplierChoices(seat, all.rows, index),
    mine: await waitingRows(parts, seat, mine.first, listing),
    others: await waitingRows(parts, seat, others.first, listing),
    mineCount: mine.count,
    othersCount: others.count,
    recent: await recentRows(parts, seat, glance, listing, supplier),
    // Last: by then it is known whose numbers the time did not suffice for.
    pending: glance.pending + listing.time.late.size,
  }
}

/** What the rows of one list are made with. */
export interface Listing {
  readonly names: ReadonlyMap<string, string>
  readonly time: ListTime
}

const nothingSigned: ReadonlyMap<string, EntrySummary> = new Map()

/** A date of a formula that can be signed and is not. */
export interface Waiting {
  readonly pam: PamRow
  readonly date: string
  readonly isDisputed: boolean
}

/**
 * What can be signed now and is not, the oldest dates: a person's own, everybody else's, and which of them are disputed, up to
 * `most` of each. Nothing is opened.
 */
export function whatWaits(
  seat: Seat,
  { rows, digests }: Pick<FormulasAtAGlance, 'rows' | 'digests'>,
  most: number,
): Record<'mine' | 'others' | 'disputed', FirstFew<Waiting>> {
  const mine = new FirstFew(most, isBefore)
  const others = new FirstFew(most, isBefore)
  const disputed = new FirstFew(most, isBefore)
  for (const pam of rows) {
    const state = stateFor(seat, pam)
    if (state?.status !== 'ACTIVE') continue
    const party = partyOf(seat, state)
    for (const { date, waitsFor, isDisputed } of digests.get(pam.id)?.open ?? []) {
      const waiting = { pam, date, isDisputed }
      const isMine = party !== null && waitsFor.includes(party)
      if (isMine) mine.add(waiting)
      else others.add(waiting)
      if (isDisputed) disputed.add(waiting)
    }
  }
  return { mine, others, disputed }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.date < b.date || (a.date === b.date && a.pam.slug < b.pam.slug)
}

/** These in full, in the order given; one that was signed or moved away meanwhile is left out. */
export async function waitingRows(
  parts: ConsoleParts,
  seat: Seat,
  waiting: readonly Waiting[],
  { names, time }: Listing,
): Promise<WaitingRow[]> {
  const opened = await openById(parts, seat, [...new Set(waiting.map(({ pam }) => pam))], time)
  const nameOf = companyNames(await parts.library.index(seat.workspace.id, {}))
  const rows: WaitingRow[] = []
  const slices = new Slices()
  for (const { pam, date } of waiting) {
    const at = opened.get(pam.id)
    const entry = at?.ledger?.openEntry(parseDay(date)!)
    if (at !== undefined && entry !== undefined) rows.push(waitingRow(at, entry, names, nameOf))
    await slices.rest()
  }
  return rows
}

async function openById(
  parts: ConsoleParts,
  seat: Seat,
  pams: readonly PamRow[],
  time: ListTime,
): Promise<ReadonlyMap<string, FormulaStanding>> {
  const formulas = await openFormulas(parts, seat, pams, time)
  return new Map(formulas.map(at => [at.snapshot.id, at]))
}

function waitingRow(
  at: FormulaStanding,
  entry: Entry,
  names: ReadonlyMap<string, string>,
  nameOf: (slug: string) => string,
): WaitingRow {
  const waitsFor: readonly Party[] = partiesToSign(entry)
  return {
    ...headOf(at, nameOf),
    entry: entryRow(entry, { signOffs: at.standing.signOffs, names, todays: nothingSigned }),
    waitsFor,
    hasMoved: movedSignOffs(at, entry).some(({ party }) => waitsFor.includes(party)),
  }
}

function headOf(
  { snapshot, standing, formula }: FormulaStanding,
  nameOf: (slug: string) => string,
): Omit<SignedRow, 'entry'> {
  const { name, parties } = standing.state
  const currency = formula.contract.price?.currency ?? null
  return { slug: snapshot.slug, name, supplier: sideView(parties.supplier, nameOf), currency }
}

/** The last ones that both have signed, by the second signature, the newest first. */
async function recentRows(
  parts: ConsoleParts,
  seat: Seat,
  { index, rows }: Pick<FormulasAtAGlance, 'index' | 'rows'>,
  { names, time }: Listing,
  supplier: string | null,
): Promise<SignedRow[]> {
  const { workspace, role } = seat
  const ids = role === 'supplier' || supplier !== null ? rows.map(({ id }) => id) : null
  const nameOf = companyNames(index)
  const signed = await withWorkspace(parts.installation.sql, workspace.id, tx =>
    readNewestSigned(tx, workspace.id, { ids, most: limits.recentSignOffs }),
  )
  const pams = new Set(signed.flatMap(({ pamId }) => index.findPam(pamId) ?? []))
  const opened = await openById(parts, seat, [...pams], time)
  const recent: SignedRow[] = []
  for (const { pamId, receiptHash, adjustmentDate } of signed) {
    const at = opened.get(pamId)
    const entry = at?.ledger?.entries(parseDay(adjustmentDate)!).find(each => each.hash === receiptHash)
    if (at === undefined || entry === undefined || time.isOverFor(pamId)) continue
    const todays = await readTodays(parts, seat, at)
    recent.push({ ...headOf(at, nameOf), entry: entryRow(entry, { signOffs: at.standing.signOffs, names, todays }) })
  }
  return recent
}
