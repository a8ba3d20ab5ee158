// The formulas of a workspace as rows of a list: where each stands, what comes next, and what is wrong in words.
import { addMonths, type Day, writeDay } from '../../core/day.ts'
import type { ContractPrice, Formula } from '../../core/formula/formula.ts'
import { Refusal } from '../../core/refusal.ts'
import { dateAfter, type FormulaVersion, schedule } from '../../core/schedule.ts'
import type { Entry, EntrySummary, Ledger } from '../../read/adjustments.ts'
import { entryRow, partiesToSign } from './entry-row.ts'
import { type FormulaStanding, openFormulas, readNames, readTodays } from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import type { FormulaRow } from './wire/formulas.ts'

export async function listFormulas(parts: ConsoleParts, seat: Seat): Promise<readonly FormulaRow[]> {
  const { formulas } = await openFormulas(parts, seat)
  const names = await readNames(parts, seat)
  const rows: FormulaRow[] = []
  for (const formula of formulas) rows.push(await formulaRow(parts, seat, formula, names))
  return rows
}

const nothingSigned: ReadonlyMap<string, EntrySummary> = new Map()

export async function formulaRow(
  parts: ConsoleParts,
  seat: Seat,
  at: FormulaStanding,
  names: ReadonlyMap<string, string>,
): Promise<FormulaRow> {
  const { snapshot, standing, formula, ledger, today } = at
  const { state } = standing
  const newest = ledger === null ? { entry: null, trouble: at.trouble } : newestEntry(ledger)
  const todays = newest.entry?.isSigned === true ? await readTodays(parts, seat, at) : nothingSigned
  const surroundings = { signOffs: standing.signOffs, names, todays }
  const blocked = ledger?.blocked[0]
  const oldest = state.status === 'ACTIVE' ? ledger?.openEntries(1)[0] : undefined
  return {
    id: snapshot.id,
    slug: snapshot.slug,
    name: state.name,
    status: state.status,
    version: standing.versions.at(-1)!.number,
    frequency: formula.contract.frequency.wire,
    price: priceView(formula.contract.price),
    last: newest.entry === null ? null : entryRow(newest.entry, surroundings),
    nextDate: nextDate(standing.versions, today),
    unsigned: ledger?.openCount ?? 0,
    waitsFor: oldest === undefined ? [] : partiesToSign(oldest),
    blocked: blocked === undefined ? null : { period: blocked.period, reason: blocked.reason },
    trouble: newest.trouble,
  }
}

export function priceView(price: ContractPrice | null): FormulaRow['price'] {
  if (price === null) return null
  return { amount: price.text, currency: price.currency, unit: price.unit === '' ? null : price.unit }
}

/** That nothing is due yet is no trouble. */
function newestEntry(ledger: Ledger): { readonly entry: Entry | null; readonly trouble: string | null } {
  try {
    return { entry: ledger.find(null, null), trouble: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { entry: null, trouble: ledger.blocked.length === 0 ? null : error.message }
  }
}

/** The first adjustment date after a day, by the version that governs it. */
export function nextDate(versions: readonly FormulaVersion[], after: Day): string | null {
  const horizon = Math.max(...versions.map(({ formula }) => soonestHorizon(formula, after)))
  const next = schedule(versions, horizon).find(({ date }) => date > after)
  return next === undefined ? null : writeDay(next.date)
}

/** A day by which the next date of a calendar has come, if there is one. */
function soonestHorizon({ contract, effectiveFrom }: Formula, after: Day): Day {
  const from = Math.max(after, effectiveFrom, contract.firstAdjustment)
  const next = dateAfter(contract, from)
  return next === null ? from : addMonths(next, 1)
}
