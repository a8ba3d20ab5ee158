// Open signatures, period by period, for the home page and for mail.

import type { Party } from '../../../core/parties.ts'
import { parseDay } from '../../../core/time/day.ts'
import type { EntrySummary, PeriodEntry } from '../../../read/agreements/adjustments.ts'
import { unpackPeriod } from '../../../read/agreements/open-periods.ts'
import { Slices } from '../../../read/memory/slices.ts'
import type { ShownSteps } from '../../../read/price-steps.ts'
import type { AgreementRecord } from '../../../storage/agreements/agreements.ts'
import type { SignedRow, WaitingCounts, WaitingRow } from '../../shapes/agreements.ts'
import { FirstFew } from '../../sight/first-few.ts'
import type { Seat } from '../../sight/seat.ts'
import { companyNames, sideView } from '../../sight/sides.ts'
import type { ViewContext } from '../../sight/view-parts.ts'
import type { RowNames } from '../agreement-list.ts'
import { type AgreementGlance, type ListTime, type OpenedAgreement, openAgreements } from '../opened-agreement.ts'
import { entryRow, partiesToSign } from '../period-row.ts'
import { movedSignOffs, partyOf, shownSteps } from '../signing-view.ts'
import { readWhatWaits, type WaitingAgreement } from '../waiting-counts.ts'

/** Context for the rows of one list. */
export interface Listing {
  readonly names: ReadonlyMap<string, string>
  readonly time: ListTime
}

const nothingSigned: ReadonlyMap<string, EntrySummary> = new Map()

/** A date of an agreement that can be signed and is not. */
interface Waiting {
  readonly agreement: AgreementRecord
  readonly date: string
  readonly isDisputed: boolean
  /** Whether it waits for the viewer. */
  readonly isMine: boolean
}

/** Periods that can be signed now, in no order. Nothing is opened. */
function* openDates(rows: readonly WaitingAgreement[]): Generator<Waiting> {
  for (const { agreement, periods } of rows) {
    for (const each of periods.mine) yield { agreement, ...unpackPeriod(each), isMine: true }
    for (const each of periods.others) yield { agreement, ...unpackPeriod(each), isMine: false }
  }
}

/**
 * The oldest open periods: the person's own, everybody else's and the disputed ones, up to `most` of each; and the number of all.
 * In slices: there may be many thousands of agreements.
 */
export async function whatWaits(
  seat: Seat,
  glance: Pick<AgreementGlance, 'rows' | 'digests' | 'corrections' | 'related'>,
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
  return a.date < b.date || (a.date === b.date && a.agreement.slug < b.agreement.slug)
}

/** Full rows, in the order given; a period that was signed or no longer exists is left out. */
export async function waitingRows(
  parts: ViewContext,
  seat: Seat,
  waiting: readonly Waiting[],
  { names, time }: Listing,
): Promise<WaitingRow[]> {
  const opened = await openById(parts, seat, [...new Set(waiting.map(({ agreement }) => agreement))], time)
  const nameOf = companyNames(await parts.library.index(seat.workspace.id, {}))
  const rows: WaitingRow[] = []
  const slices = new Slices()
  for (const { agreement, date, isMine } of waiting) {
    const at = opened.get(agreement.id)
    const entry = at?.adjustments?.openEntry(parseDay(date)!)
    if (at !== undefined && entry !== undefined) {
      const steps = shownSteps(seat, at, at.adjustments!)
      rows.push(waitingRow(seat, at, { entry, steps, isMine }, { names, nameOf }))
    }
    await slices.rest()
  }
  return rows
}

export async function openById(
  parts: ViewContext,
  seat: Seat,
  agreements: readonly AgreementRecord[],
  time: ListTime,
): Promise<ReadonlyMap<string, OpenedAgreement>> {
  const opened = await openAgreements(parts, seat, agreements, time)
  return new Map(opened.map(at => [at.snapshot.id, at]))
}

interface WaitingEntry {
  readonly entry: PeriodEntry
  readonly steps: ShownSteps
  readonly isMine: boolean
}

function waitingRow(
  seat: Seat,
  at: OpenedAgreement,
  { entry, steps, isMine }: WaitingEntry,
  { names, nameOf }: RowNames,
): WaitingRow {
  const waitsFor: readonly Party[] = partiesToSign(entry)
  const party = partyOf(seat, at.standing.state)
  return {
    ...headOf(at, nameOf),
    entry: entryRow(entry, { signOffs: at.standing.signOffs, names, todays: nothingSigned, steps }),
    waitsFor,
    as: isMine && party !== null && waitsFor.includes(party) ? party : null,
    hasMoved: movedSignOffs(at, entry).some(({ party }) => waitsFor.includes(party)),
  }
}

export function headOf(
  { snapshot, standing, formula }: OpenedAgreement,
  nameOf: (slug: string) => string,
): Omit<SignedRow, 'entry'> {
  const { name, parties } = standing.state
  const { price } = formula.contract
  const [currency, unit] = [price?.currency ?? null, price?.unit || null]
  return { slug: snapshot.slug, name, supplier: sideView(parties.supplier, nameOf), currency, unit }
}
