// Periods that both sides have signed recently.

import { parseDay } from '../../../core/time/day.ts'
import { limits } from '../../../limits.ts'
import { type AgreementRecord, loadNewestSigned, type SignedWanted } from '../../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import type { RecentRequest } from '../../calls/inbox-calls.ts'
import type { SignedRow } from '../../shapes/agreements.ts'
import type { RecentlySigned } from '../../shapes/inbox.ts'
import type { Seat } from '../../sight/seat.ts'
import { companyNames } from '../../sight/sides.ts'
import type { ViewContext } from '../../sight/view-parts.ts'
import { sightOf } from '../../sight/visibility.ts'
import { type AgreementGlance, ListTime, readNames, readTodays } from '../opened-agreement.ts'
import { entryRow } from '../period-row.ts'
import { shownSteps } from '../signing-view.ts'
import { agreementsNarrowed } from './inbox.ts'
import { headOf, type Listing, openById } from './waiting-rows.ts'

export async function listRecentlySigned(
  parts: ViewContext,
  seat: Seat,
  query: RecentRequest,
): Promise<RecentlySigned> {
  const { index, all, rows } = await agreementsNarrowed(parts, seat, query)
  const listing = { names: await readNames(parts, seat), time: new ListTime(parts) }
  const recent = await recentRows(parts, seat, { index, rows }, listing, rows.length < all.length)
  // Counted last: only now is it known for which agreements the time did not suffice.
  return { rows: recent, pending: listing.time.late.size }
}

/** All signatures of these agreements that belong to the person who asks. */
function signedWanted(seat: Seat, rows: readonly AgreementRecord[]): SignedWanted {
  const ids: string[] = []
  const spans: SignedWanted['spans'][number][] = []
  for (const row of rows) {
    const tenure = sightOf(seat, row)?.tenure ?? null
    if (tenure === null || tenure.isWhole) ids.push(row.id)
    else spans.push(...tenure.spans.map(({ fromSeq, toSeq }) => ({ agreementId: row.id, fromSeq, toSeq })))
  }
  return { ids, spans }
}

/** Periods that both signed last, by the second signature, the newest first. */
async function recentRows(
  parts: ViewContext,
  seat: Seat,
  { index, rows }: Pick<AgreementGlance, 'index' | 'rows'>,
  { names, time }: Listing,
  isNarrowed: boolean,
): Promise<SignedRow[]> {
  const { workspace, role } = seat
  const wanted = role === 'supplier' || isNarrowed ? signedWanted(seat, rows) : null
  const nameOf = companyNames(index)
  const signed = await withWorkspace(parts.installation.sql, workspace.id, tx =>
    loadNewestSigned(tx, workspace.id, { wanted, most: limits.recentSignOffs }),
  )
  const agreements = new Set(signed.flatMap(({ agreementId }) => index.findAgreement(agreementId) ?? []))
  const opened = await openById(parts, seat, [...agreements], time)
  const recent: SignedRow[] = []
  for (const { agreementId, receiptHash, adjustmentDate } of signed) {
    const at = opened.get(agreementId)
    const entry = at?.adjustments?.entries(parseDay(adjustmentDate)!).find(each => each.hash === receiptHash)
    if (at === undefined || entry === undefined || time.isOverFor(agreementId)) continue
    const todays = await readTodays(parts, seat, at)
    const steps = shownSteps(seat, at, at.adjustments!)
    const row = entryRow(entry, { signOffs: at.standing.signOffs, names, todays, steps })
    recent.push({ ...headOf(at, nameOf), entry: row })
  }
  return recent
}
