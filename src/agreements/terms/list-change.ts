// A price list as a change of terms: both sign it where neither side alone may decide which list governs.

import type { PricedAgreement } from '../../core/prices/agreement.ts'
import { buildListAmendment, readListBody } from '../../core/prices/list-amendment.ts'
import { compareLists } from '../../core/prices/list-changes.ts'
import type { ListStart } from '../../core/prices/list-start.ts'
import { contentOf, type ListRow } from '../../core/prices/price-list.ts'
import { formatDay, parseDay } from '../../core/time/day.ts'
import type { ChangeTexts } from '../../storage/agreements/terms-changes.ts'
import { type BuiltChange, built } from './built-change.ts'
import { headFor, type OpenTerms } from './open-terms.ts'

interface ListWish {
  readonly agreement: PricedAgreement
  readonly rows: readonly ListRow[]
  readonly start: ListStart
  readonly reason: string
}

export function changeList(open: OpenTerms, { agreement, rows, start, reason }: ListWish): BuiltChange {
  const { kept, log, basis } = open
  const document = JSON.stringify(contentOf(rows))
  const { from, ownPriceUntil: until } = start
  const effectiveFrom = formatDay(start.fromDate)
  const body = buildListAmendment({
    head: headFor(open),
    basis: basis.version,
    listBefore: kept.lists.at(-1)?.version ?? null,
    rows: document,
    from,
    effectiveFrom,
    ownPriceUntil: until === null ? null : formatDay(until),
    effect: effectOf(agreement, rows, start),
    reason,
    knownAt: log.recordedAt,
  })
  const head = { kind: 'PRICE_LIST' as const, document, ground: 'BY_HAND' as const }
  return built(body, { ...head, basis: basis.version, effectiveFrom, series: [] })
}

/** Effect of the change: both lists by the factor of the newest period with a number, from whichever date the new one governs. */
function effectOf(agreement: PricedAgreement, rows: readonly ListRow[], start: ListStart) {
  const numbered = agreement.periods.filter(({ number }) => !('gap' in number))
  const { period, date } = numbered.at(-1)!
  const sooner = { ...start, fromDate: Math.min(start.fromDate, date) }
  const { changes, unchanged, currency } = compareLists({ ...agreement, periods: numbered }, rows, sooner)
  return {
    period,
    currency,
    unchanged,
    changes: changes.map(({ item, fromQuantity, before, after, nowBefore, nowAfter }) => {
      return { item, fromQuantity, before, after, priceBefore: nowBefore, priceAfter: nowAfter }
    }),
  }
}

/** The agreed list, from the texts that were signed. */
export function agreedList({ body, document }: ChangeTexts): Pick<ListWish, 'rows' | 'start'> {
  const { from, effectiveFrom, ownPriceUntil: until } = readListBody(JSON.parse(body))
  const ownPriceUntil = until === null ? null : parseDay(until)
  const start = { from, fromDate: parseDay(effectiveFrom)!, consent: null, ownPriceUntil }
  return { rows: JSON.parse(document) as ListRow[], start }
}
