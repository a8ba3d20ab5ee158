// Prices of an agreement as a person in the workspace sees them: those in force today, or one period's, and the price lists behind
// them.

import { numberOf, type PricedPeriod } from '../../core/prices/agreement.ts'
import { priceRows, whyNoRows } from '../../core/prices/price-rows.ts'
import { Refusal } from '../../core/refusal.ts'
import { isBy } from '../../core/series/vintage.ts'
import { formatDay, parseDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import { isWithin } from '../../read/agreements/tenure.ts'
import { listOfAnother } from '../../read/prices.ts'
import { loadPriceLists, type StoredPriceList } from '../../storage/agreements/price-lists.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { AgreementPriceRows } from '../shapes/invoices.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { noSuchAgreement, openAgreement } from './opened-agreement.ts'
import { origins } from './versions.ts'

/** `date` is the first day of a period. */
export async function showPrices(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  date: string | undefined,
): Promise<AgreementPriceRows> {
  const at = await openAgreement(parts, seat, slug)
  const { snapshot, sight, today } = at
  const { knownAt } = sight
  const workspaceId = seat.workspace.id
  const { tenure } = sight
  const pricing = await parts.library.prices.pricing(workspaceId, snapshot.id, { knownAt, until: today }, tenure)
  if (pricing === null) throw noSuchAgreement()
  const wanted = date === undefined ? undefined : parseDay(date)
  if (wanted === null) throw new Refusal('invalid', `date must be a day such as 2024-05-17, got "${date}"`)
  const lists = await withWorkspace(parts.installation.sql, workspaceId, tx =>
    loadPriceLists(tx, workspaceId, snapshot.id),
  )
  const known = lists.filter(({ recordedAt }) => isBy(recordedAt, knownAt))
  const isOwn = ({ recordedAt }: StoredPriceList) => tenure === null || isWithin(tenure, recordedAt)
  // Prices by another supplier's list are none of this one's, and the contract's own price is not in force.
  const isOfAnother = known.length > 0 && !known.some(isOwn)
  const all = isOfAnother ? [] : priceRows(pricing)
  const { end, periods: begun } = pricing.agreement
  const day = Math.min(today, end ?? today)
  // A label may occur twice if the price was renegotiated, so a period is named by its first day.
  const byPeriod = Map.groupBy(all, ({ validFrom }) => pricing.at(pricing.placeOn(validFrom)))
  const periods = pricing.agreement.periods.filter(each => byPeriod.has(each))
  const isSettled = (each: PricedPeriod) => numberOf(each)?.status === 'AGREED'
  const ofDay = wanted === undefined && !isOfAnother ? priceRows(pricing, { date: day }) : []
  const shown = begun.find(each => (wanted === undefined ? each.period === ofDay[0]?.row.period : each.date === wanted))
  const rows = wanted === undefined ? ofDay : ((shown && byPeriod.get(shown)) ?? [])
  return {
    periods: periods.map(each => ({ period: each.period, date: formatDay(each.date), isSettled: isSettled(each) })),
    inForceOn: wanted === undefined ? formatDay(day) : null,
    period: rows.length === 0 ? null : shown!.period,
    date: rows.length === 0 ? null : formatDay(shown!.date),
    why: isOfAnother ? listOfAnother : rows.length === 0 ? whyNoRows(pricing, { date: wanted ?? day }) : null,
    rows: rows.slice(0, limits.pagePrices).map(({ row }) => row),
    rowCount: rows.length,
    isOfAnother,
    lists: listViews(
      origins(seat, at),
      known.filter(each => isOwn(each) || tenure?.endedAt === null),
      isOwn,
    ),
  }
}

/** Price lists, the newest first. Other suppliers' lists only where they count for the viewer too. */
function listViews(
  originOf: ReturnType<typeof origins>,
  lists: readonly StoredPriceList[],
  isOwn: (list: StoredPriceList) => boolean,
): AgreementPriceRows['lists'] {
  const views = lists.map(list => {
    const { version, fromPeriod: from, recordedAt, createdBy: by, items } = list
    return {
      version,
      from,
      recordedAt,
      origin: originOf('PRICE_LIST', list),
      applied: isOwn(list) ? { by, items } : null,
    }
  })
  return views.filter(({ origin, applied }) => applied !== null || origin.kind === 'WITHOUT_YOU').toReversed()
}
