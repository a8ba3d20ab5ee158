// What waits for a signature, whose turn it is, and what was signed lately.
import { parseDay } from '../../core/day.ts'
import { limits } from '../../limits.ts'
import type { Entry, EntrySummary } from '../../read/adjustments.ts'
import type { Party } from '../../storage/pams.ts'
import { entryRow, partiesToSign } from './entry-row.ts'
import { type FormulaStanding, openFormulas, readNames, readTodays } from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { movedSignOffs, partyOf } from './signing.ts'
import type { SignedRow, SignOffs, WaitingRow } from './wire/formulas.ts'

export async function listSignOffs(parts: ConsoleParts, seat: Seat): Promise<SignOffs> {
  const { formulas } = await openFormulas(parts, seat)
  const names = await readNames(parts, seat)
  return { ...waitingRows(seat, formulas, names), recent: await recentRows(parts, seat, formulas, names) }
}

const nothingSigned: ReadonlyMap<string, EntrySummary> = new Map()

/** What can be signed now and is not, the oldest date first: a person's own, and everybody else's. */
export function waitingRows(
  seat: Seat,
  formulas: readonly FormulaStanding[],
  names: ReadonlyMap<string, string>,
): Pick<SignOffs, 'mine' | 'others'> {
  const mine: WaitingRow[] = []
  const others: WaitingRow[] = []
  for (const at of formulas) {
    if (at.standing.state.status !== 'ACTIVE') continue
    const party = partyOf(seat, at.standing.state)
    for (const entry of at.ledger?.openEntries(limits.waitingPerFormula) ?? []) {
      const row = waitingRow(at, entry, names)
      const isMine = party !== null && row.waitsFor.includes(party)
      if (isMine) mine.push(row)
      else others.push(row)
    }
  }
  return { mine: mine.sort(byDate), others: others.sort(byDate) }
}

function byDate(a: WaitingRow, b: WaitingRow): number {
  const [first, second] = [`${a.entry.adjustmentDate} ${a.slug}`, `${b.entry.adjustmentDate} ${b.slug}`]
  return first < second ? -1 : 1
}

function waitingRow(at: FormulaStanding, entry: Entry, names: ReadonlyMap<string, string>): WaitingRow {
  const waitsFor: readonly Party[] = partiesToSign(entry)
  return {
    ...headOf(at),
    entry: entryRow(entry, { signOffs: at.standing.signOffs, names, todays: nothingSigned }),
    waitsFor,
    hasMoved: movedSignOffs(at, entry).some(({ party }) => waitsFor.includes(party)),
  }
}

function headOf({ snapshot, standing, formula }: FormulaStanding): Pick<SignedRow, 'slug' | 'name' | 'currency'> {
  return { slug: snapshot.slug, name: standing.state.name, currency: formula.contract.price?.currency ?? null }
}

/** The last ones that both have signed, by the second signature, the newest first. */
async function recentRows(
  parts: ConsoleParts,
  seat: Seat,
  formulas: readonly FormulaStanding[],
  names: ReadonlyMap<string, string>,
): Promise<SignedRow[]> {
  const signed = formulas.flatMap(at =>
    at.standing.signed.map(({ hash, period, adjustmentDate }) => ({
      at,
      hash,
      date: parseDay(adjustmentDate)!,
      signedAt: at.standing.signOffs.findLast(each => each.receiptHash === hash && each.period === period)!.signedAt,
    })),
  )
  const newest = signed.sort((a, b) => (a.signedAt > b.signedAt ? -1 : a.signedAt < b.signedAt ? 1 : b.date - a.date))
  const rows: SignedRow[] = []
  for (const { at, hash, date } of newest.slice(0, limits.recentSignOffs)) {
    const entry = at.ledger?.entries(date).find(each => each.hash === hash)
    if (entry === undefined) continue
    const todays = await readTodays(parts, seat, at)
    rows.push({ ...headOf(at), entry: entryRow(entry, { signOffs: at.standing.signOffs, names, todays }) })
  }
  return rows
}
