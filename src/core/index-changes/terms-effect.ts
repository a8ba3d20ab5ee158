// The effect of other terms on the next dates of an agreement: their numbers under the governing terms and under the proposed
// ones. Nothing signed is computed again.

import type { Adjustment, Blocked, BoundVersion, Carried } from '../calculation/adjustment.ts'
import { evaluate } from '../calculation/evaluate.ts'
import { type LabelledDate, nextDateAfter } from '../formula/schedule.ts'
import { formatRoundedShort } from '../numbers/ratio.ts'
import type { WorkBudget } from '../numbers/work-budget.ts'
import { formatPct, formatPrice } from '../receipt/calculation.ts'
import { noCuts } from '../series/vintage.ts'
import { day, listOf, mapping, orNull, text, type Written } from '../text/exact-shape.ts'
import { type Day, formatDay } from '../time/day.ts'

const numbers = mapping('The number of a date, or why there is none.', {
  adjustmentPct: orNull(text('In percent'), 'Null where there is no number, or the price before was 0'),
  cumulativePct: orNull(text('In percent'), 'Since the start; null where there is no number'),
  price: orNull(text('Price'), 'Null where there is no number, or the contract has no price'),
  gap: orNull(text('Sentence'), 'Why there is no number; null where there is one'),
})

export const termsEffect = listOf(
  mapping('An adjustment date.', {
    date: day('The day it takes effect'),
    period: text('Label of the period'),
    before: orNull(numbers, 'Under the terms that govern now; null where they have no such date'),
    after: orNull(numbers, 'Under the proposed terms; null where they have no such date'),
  }),
  'The next adjustment dates under both terms, as known when it was proposed',
)

type DateEffect = Written<typeof termsEffect>[number]

/** The number of dates compared. */
const datesCompared = 4

interface TermsRequest {
  readonly versions: readonly BoundVersion[]
  /** The proposed version, with a number above all others. */
  readonly newer: BoundVersion
  /** The newest date that both have signed, with the state it carried; null where nothing is signed. */
  readonly after: Carried | null
  readonly keptLabels: readonly LabelledDate[]
  /** The first date that the change can touch. */
  readonly from: Day
  readonly today: Day
  readonly work?: () => WorkBudget
}

export function effectOfTerms(request: TermsRequest): readonly DateEffect[] {
  const { versions, newer } = request
  const both = [...versions, newer]
  const until = lastDate(both, request.from)
  const [before, after] = [numbersBy(request, versions, until), numbersBy(request, both, until)]
  const dates = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b).slice(0, datesCompared)
  return dates.map(date => {
    const [old, now] = [before.get(date) ?? null, after.get(date) ?? null]
    const { period } = (now ?? old)!
    return { date: formatDay(date), period, before: numbersOf(old), after: numbersOf(now) }
  })
}

/** The last of the dates that are compared. */
function lastDate(versions: readonly BoundVersion[], from: Day): Day {
  const calendar = versions.map(({ number, bound: { formula } }) => ({ number, formula }))
  let last = from
  for (let i = 1; i < datesCompared; i++) last = nextDateAfter(calendar, last) ?? last
  return last
}

function numbersBy(
  { after, keptLabels, from, today, work }: TermsRequest,
  versions: readonly BoundVersion[],
  until: Day,
): ReadonlyMap<Day, Adjustment | Blocked> {
  const spent = work === undefined ? {} : { work: work() }
  const { adjustments, blocked } = evaluate({
    versions,
    cuts: noCuts,
    tag: null,
    until,
    today,
    after,
    keptLabels,
    ...spent,
  })
  const found = [...adjustments, ...blocked].filter(({ date }) => date >= from)
  return new Map(found.map(each => [each.date, each]))
}

function numbersOf(found: Adjustment | Blocked | null): Written<typeof numbers> | null {
  if (found === null) return null
  if ('gap' in found) return { adjustmentPct: null, cumulativePct: null, price: null, gap: found.gap.sentence }
  const { adjustmentPct, cumulativePct, show, price } = found
  return {
    adjustmentPct: formatPct(adjustmentPct, show),
    cumulativePct: formatRoundedShort(cumulativePct, show),
    price: price === null ? null : formatPrice(price),
    gap: null,
  }
}
