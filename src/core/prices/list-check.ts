// Whether a price list fits its contract: the currency, and the periods whose prices its rows are written in. All problems
// at once, by line and column.

import type { RowProblem } from '../series/table-problems.ts'
import { type Day, formatDay } from '../time/day.ts'
import type { PricedAgreement } from './agreement.ts'
import { Pricing } from './item-prices.ts'
import { visibleForm } from './line-identity.ts'
import type { ListStart } from './list-start.ts'
import type { PlacedRow } from './list-table.ts'

/** The problems with the rows of a list that should govern from then on; empty if there are none. */
export function checkList(
  rows: readonly PlacedRow[],
  agreement: PricedAgreement,
  { fromDate, ownPriceUntil }: Pick<ListStart, 'fromDate' | 'ownPriceUntil'>,
): RowProblem[] {
  const pricing = new Pricing(agreement)
  const place = Math.max(pricing.latestOn(fromDate), 0)
  const first = rows.reduce<PlacedRow | null>(
    (found, row) => (found === null || row.line < found.line ? row : found),
    null,
  )
  const price = pricing.at(place).terms.price
  const expected = price?.currency ?? first?.currency
  const problems: RowProblem[] = []
  const reasons = new Map<string, string | null>()
  for (const { line, currency, base, item, replaces } of rows) {
    if (ownPriceUntil !== null)
      for (const [column, key] of Object.entries({ item, replaces }))
        if (key !== null && visibleForm(key) === visibleForm(agreement.slug))
          problems.push({ line, column, message: whyNotOwn(key, ownPriceUntil) })
    if (currency !== expected)
      problems.push({
        line,
        column: 'currency',
        message: `is ${currency}, but ${price === null ? `${expected} in line ${first!.line}` : `the contract's is ${expected}`}`,
      })
    if (!reasons.has(base)) reasons.set(base, whyNoBase(pricing, place, base))
    const why = reasons.get(base)!
    if (why !== null) problems.push({ line, column: 'base', message: why })
  }
  return problems.sort((a, b) => a.line - b.line)
}

function whyNotOwn(key: string, until: Day): string {
  return `"${key}" is the contract's own price until ${formatDay(until)}, which both signed: a list that reaches back only adds items`
}

function whyNoBase(pricing: Pricing, place: number, base: string): string | null {
  const period = pricing.base(place, base)
  if (period !== undefined) {
    if ('gap' in period.number) return `${base} has no number: ${period.number.gap.sentence}`
    return period.number.factor.n === 0n ? `the price had come to 0 in ${base}, and nothing moves from there` : null
  }
  const { periods, next, slug } = pricing.agreement
  const elsewhere = periods.findLast(each => each.period === base)
  if (elsewhere !== undefined)
    return `${base} does not count from the same start: the price was renegotiated from ${formatDay(laterStart(pricing, place, elsewhere.date))}`
  if (next?.period === base) return `${base} has no number: its date ${formatDay(next.date)} has not come`
  return `must be start or a period of ${slug} that has a number, got "${base}"`
}

/** The later start of two periods that count from different starts. */
function laterStart(pricing: Pricing, place: number, date: Day): Day {
  return Math.max(pricing.startOf(place).date, pricing.startOf(pricing.placeOn(date)).date)
}
