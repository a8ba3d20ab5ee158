// The lines of a correction's document: one for each item and period whose amount follows from one quantity and one price, else
// one for each corrected line; and a single line for a part of an amount that is spread.

import { exactAmount, minorUnits, roundMoney } from '../../core/numbers/money.ts'
import {
  absolute,
  compare,
  formatExact,
  formatFixed,
  negate,
  one,
  parseExact,
  type Ratio,
  ratio,
  subtract,
  sum,
} from '../../core/numbers/ratio.ts'
import type { CorrectedLine, CorrectionBody } from '../../core/true-up/correction-body.ts'

interface NoteLine {
  readonly item: string
  readonly period: string | null
  /** Signed as the amount is: a price is never negative. */
  readonly quantity: Ratio
  readonly price: Ratio
  readonly per: Ratio
  readonly amount: Ratio
  readonly said: LineSaid
}

/** The subject of a line, for a sentence in any language. */
export type LineSaid =
  | {
      readonly what: 'price'
      readonly item: string
      readonly period: string
      readonly before: string
      readonly after: string
    }
  | { readonly what: 'days'; readonly item: string; readonly period: string }
  | { readonly what: 'part'; readonly correction: string; readonly part: number; readonly parts: number }

export interface Note {
  readonly correctionId: string
  readonly number: string
  /** `YYYY-MM-DD` */
  readonly date: string
  /** Counted from 1. */
  readonly part: number
  readonly body: CorrectionBody
}

export function amountOfPart({ body, part }: Note): Ratio {
  return exact(body.parts[part - 1]!)
}

function exact(text: string): Ratio {
  return parseExact(text)!
}

/** The largest distance of quantity × price ÷ per from the amount of a line. */
const tolerance = ratio('0.02')

export function noteLines(note: Note): readonly NoteLine[] {
  const { body, part, correctionId } = note
  if (body.settle !== 'NOTE') {
    const amount = amountOfPart(note)
    const said = { what: 'part', correction: correctionId, part, parts: body.parts.length } as const
    return [lumpSum(body.pam, null, amount, said)]
  }
  const groups = Map.groupBy(body.lines, groupOf)
  return [...groups.values()].flatMap(lines => {
    const together = lines.length === 1 ? null : joined(lines)
    return together === null ? lines.map(single) : [together]
  })
}

/** The corrected invoices, each once. */
export function correctedInvoices({ body }: Note): readonly string[] {
  return [...new Set(body.lines.flatMap(({ invoice }) => invoice ?? []))]
}

function groupOf({ item, period, shares }: CorrectedLine): string {
  return JSON.stringify([
    item,
    period,
    shares.map(({ per, priceBefore, priceAfter }) => [per, priceBefore, priceAfter]),
  ])
}

function joined(lines: readonly CorrectedLine[]): NoteLine | null {
  const [first] = lines
  if (first!.shares.length > 1) return null
  const line = priced(
    first!,
    sum(lines.map(({ quantity }) => exact(quantity))),
    sum(lines.map(each => exact(each.amount))),
  )
  return isFitting(line) ? line : null
}

function single(line: CorrectedLine): NoteLine {
  const amount = exact(line.amount)
  if (line.shares.length === 1) {
    const whole = priced(line, exact(line.quantity), amount)
    if (isFitting(whole)) return whole
  }
  return lumpSum(line.item, line.period, amount, aboutOf(line))
}

function priced(line: CorrectedLine, quantity: Ratio, amount: Ratio): NoteLine {
  const { per, priceBefore, priceAfter } = line.shares[0]!
  const difference = subtract(exact(priceAfter), exact(priceBefore))
  return {
    item: line.item,
    period: line.period,
    quantity: difference.n < 0n ? negate(quantity) : quantity,
    price: absolute(difference),
    per: exact(per),
    amount,
    said: aboutOf(line),
  }
}

function aboutOf({ item, period, shares }: CorrectedLine): LineSaid {
  const [first] = shares
  if (shares.length > 1) return { what: 'days', item, period }
  return { what: 'price', item, period, before: first!.priceBefore, after: first!.priceAfter }
}

/** Whether a line has finite decimals and comes close enough to the amount. */
function isFitting({ quantity, price, per, amount }: NoteLine): boolean {
  if ([quantity, price, per].some(each => formatExact(each).includes('/'))) return false
  return compare(absolute(subtract(exactAmount(quantity, price, per), amount)), tolerance) <= 0
}

function lumpSum(item: string, period: string | null, amount: Ratio, said: LineSaid): NoteLine {
  const quantity = amount.n < 0n ? negate(one) : one
  return { item, period, quantity, price: absolute(amount), per: one, amount, said }
}

export function formatAmount(amount: Ratio, currency: string): string {
  return formatFixed(roundMoney(amount, currency), minorUnits(currency))
}
