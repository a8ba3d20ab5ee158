// Whether the join of two series alone moves the price: the period in which one ends is read from it, and once more from its
// successor.

import { nothingCarried } from '../calculation/adjustment.ts'
import { evaluateDate } from '../calculation/evaluate.ts'
import { bindFormula, type SeriesData } from '../formula/bind.ts'
import { priceRounding } from '../formula/clause.ts'
import type { Formula, Input, Link } from '../formula/formula.ts'
import { monthsPerUnit } from '../formula/schedule.ts'
import type { Span } from '../formula/terms.ts'
import { minorUnits } from '../numbers/money.ts'
import {
  absolute,
  compare,
  formatShort,
  hundred,
  multiply,
  powerOfTen,
  type Ratio,
  type Rounding,
  subtract,
} from '../numbers/ratio.ts'
import type { Problem } from '../refusal.ts'
import { noCuts } from '../series/vintage.ts'
import { addMonths, type Day } from '../time/day.ts'
import { firstDayOf, formatPeriod, type Period, shift } from '../time/period.ts'

/** A warning for each link whose join moves the price by more than the step to which it is rounded. */
export function joinWarnings(formula: Formula, data: SeriesData, today: Day | null): readonly Problem[] {
  const joins = formula.inputs.flatMap(input => input.links.map((link, place) => ({ input, link, place })))
  return joins.slice(0, mostJoins).flatMap(({ input, link, place }) => {
    const moved = movedBy(formula, input, link, data, today)
    if (moved === null) return []
    const join = formatPeriod(joinOf(link))
    const message = `the join of ${input.series} and ${link.series} after ${join} alone moves ${moved.what} by ${moved.difference}, which is more than its step of ${moved.step}; look at the coefficient`
    return [{ path: `inputs.${input.name}.links[${place}].coefficient`, message, words: message }]
  })
}

/** Each join is computed twice; a document may have thousands. */
const mostJoins = 20

/** The last period before the series changes. */
function joinOf({ from, until }: Link): Period {
  return until ?? shift(from!, -1)
}

interface Moved {
  readonly what: string
  readonly difference: string
  readonly step: string
}

function movedBy(formula: Formula, input: Input, link: Link, data: SeriesData, today: Day | null): Moved | null {
  // A reading that takes whatever was published last belongs to no period.
  if (input.pick !== 'LAG') return null
  const join = joinOf(link)
  const date = forward(firstDayOf(join), input.lag)
  const [before, after] = [input.links, movedLinks(input, link)].map(links => {
    const inputs = formula.inputs.map(each => (each === input ? { ...each, links } : each))
    const { bound } = bindFormula({ ...formula, inputs }, data)
    if (bound === null) return null
    const rules = { cuts: noCuts, tag: null, strict: false, today }
    const outcome = evaluateDate([{ number: 1, bound }], rules, 1, { date }, nothingCarried)
    return 'gap' in outcome ? null : outcome
  })
  if (before == null || after == null) return null
  const { price } = formula.contract
  const isPriced = before.price !== null && after.price !== null && price !== null
  const [then, now] = isPriced
    ? [before.price.value, after.price.value]
    : [percent(before.factor), percent(after.factor)]
  const step = isPriced
    ? stepOf(priceRounding(formula.clause, price.round) ?? { dp: minorUnits(price.currency), mode: 'HALF_UP' })
    : stepOf(formula.result.show)
  const difference = absolute(subtract(now, then))
  if (compare(difference, step) <= 0) return null
  const unit = isPriced ? ` ${price.currency}` : ' %'
  return {
    what: isPriced ? 'the price' : 'the result',
    difference: `${formatShort(difference, 6)}${unit}`,
    step: `${formatShort(step, 6)}${unit}`,
  }
}

/** The links with the period of one join read from the other series. */
function movedLinks({ links }: Input, link: Link): readonly Link[] {
  const moved = link.until === null ? { ...link, from: joinOf(link) } : { ...link, until: shift(link.until, -1) }
  return links.map(each => (each === link ? moved : each))
}

function percent(factor: Ratio): Ratio {
  return multiply(factor, hundred)
}

function stepOf(rounding: Rounding): Ratio {
  if ('multiple' in rounding) return rounding.multiple
  return rounding.dp >= 0 ? { n: 1n, d: powerOfTen(rounding.dp) } : { n: powerOfTen(-rounding.dp), d: 1n }
}

function forward(day: Day, { count, unit }: Span): Day {
  if (unit === 'day') return day + count
  return unit === 'week' ? day + 7 * count : addMonths(day, count * monthsPerUnit[unit])
}
