// Checks lines of invoices against settled prices: one outcome for each, the difference, and the reason where there is one.
// Pure: it stores nothing and asks for nothing beyond the agreements it is given.

import { amountOf, exactAmount, roundMoney, writeMoney } from '../numbers/money.ts'
import {
  absolute,
  compare,
  divide,
  equal,
  hundred,
  multiply,
  one,
  type Ratio,
  subtract,
  zero,
} from '../numbers/ratio.ts'
import { comingOn, currencyOf, weakerStatus } from '../prices/agreement.ts'
import { unitOf } from '../prices/pricing.ts'
import type { RowProblem } from '../series/table-problems.ts'
import { columnOf } from '../text/sheet-text.ts'
import { writeDay } from '../time/day.ts'
import { type AgreementBook, type OpenAgreement, supplierOf } from './agreement-book.ts'
import { blankRow, type CheckSummary, type PricedRow, type Reason, summarise } from './check-row.ts'
import {
  tellByAmount,
  tellByPrice,
  tellShared,
  tellUnagreed,
  writeBilledPrice,
  writeDecimal,
  writeDifference,
} from './check-words.ts'
import { type ClearLine, clarify, partsOf, subjectOf, whyOutside } from './clear-line.ts'
import type { Subject } from './hypotheses.ts'
import type { InvoiceLine } from './invoice-line.ts'
import { tellDocument } from './ledger-differences.ts'
import { type Billed, isWithinHalf, type Part, ReasonFinder, sharedAmount } from './reasons.ts'
import type { UnitTable } from './unit-table.ts'

export interface CheckGround {
  readonly book: AgreementBook
  readonly units: UnitTable
  /** Differences up to this percentage of our amount are reported as OK_WITHIN; null: none are. */
  readonly tolerancePct: Ratio | null
}

export interface CheckAnswer {
  readonly data: readonly PricedRow[]
  readonly summary: CheckSummary
}

export function checkLines(lines: Iterable<InvoiceLine>, ground: CheckGround): CheckAnswer {
  const checker = new LineChecker(ground)
  const data = Array.from(lines, line => checker.check(line))
  return { data, summary: summarise(data) }
}

interface Judgement {
  readonly isRight: boolean
  /** Billed less ours: in amounts, or in prices where there are no amounts. */
  readonly difference: Ratio
  readonly ours: Ratio
  readonly reasons: () => readonly Reason[]
}

/** Remembers prices and mistakes from line to line. */
export class LineChecker {
  readonly #ground: CheckGround
  readonly #finders = new Map<OpenAgreement, ReasonFinder>()

  constructor(ground: CheckGround) {
    this.#ground = ground
  }

  /**
   * Why a line is UNKNOWN, by column; empty for any other line. Unknown lines are not stored. A correction is not
   * judged, but it has to name its agreement, and nobody who is not its supplier.
   */
  problemsOf(line: InvoiceLine): RowProblem[] {
    const { book, units } = this.#ground
    const clear = clarify(line, book, units)
    if (!('problems' in clear) || this.#isCorrection(line)) return []
    return clear.problems.map(({ field, message }) => ({ line: line.place, column: columnOf(field), message }))
  }

  #isCorrection(line: InvoiceLine): boolean {
    if (line.kind !== 'CORRECTION' || line.problems.length > 0) return false
    const open = this.#ground.book.find(line)
    return !('message' in open) && !('message' in supplierOf(line, open))
  }

  /** The first of SKIPPED, UNKNOWN, OUTSIDE, BLOCKED, SPANS that fits; else by amount. */
  check(line: InvoiceLine): PricedRow {
    const draft = blankRow(line)
    if (line.kind === 'CORRECTION') return { ...draft, outcome: 'SKIPPED', message: this.#tellNote(line) }
    const clear = clarify(line, this.#ground.book, this.#ground.units)
    if ('problems' in clear) {
      const message = clear.problems.map(each => each.message).join('; ')
      return { ...draft, ...clear.known, outcome: 'UNKNOWN', message }
    }
    const known = knownOf(clear, draft)
    const outside = whyOutside(clear)
    if (outside !== null) return withoutPrice(known, 'OUTSIDE', outside)
    const subject = subjectOf(clear)
    if ('gap' in subject) return withoutPrice(known, 'BLOCKED', subject.gap.sentence)
    const parts = partsOf(clear, subject)
    if ('gap' in parts) return withoutPrice(known, 'BLOCKED', parts.gap.sentence)
    return parts.length === 1 ? this.#judge(clear, subject, known) : this.#judgeSpans(clear, parts, known)
  }

  /** Which note a correction bills, or why it does not bill the one that has its number. */
  #tellNote(line: InvoiceLine): string | null {
    const { invoice, amount, quantity, unitPrice, per } = line
    const open = this.#ground.book.find(line)
    if ('message' in open || invoice === null) return null
    const supplier = supplierOf(line, open)
    const currency = line.currency ?? currencyOf(open.agreement)
    const exact = quantity === null || unitPrice === null ? null : exactAmount(quantity, unitPrice, per)
    const billed = amount ?? exact
    if ('message' in supplier || currency === null || billed === null) return null
    return tellDocument({ ...supplier, invoice, billed: roundMoney(billed, currency), currency }, open.notes)
  }

  #judge(clear: ClearLine, subject: Subject, draft: PricedRow): PricedRow {
    const { line, quantity, currency } = clear
    const { step, price } = subject
    const brought = broughtPrice(clear, subject)
    const billed = billedOf(clear, draft.contradiction ? null : brought)
    const written = brought === null ? null : writeBilledPrice(line, brought)
    const priceDifference = brought === null ? null : subtract(brought, price.value)
    const row: PricedRow = {
      ...draft,
      status: price.status,
      price: price.text,
      billedPrice: written,
      priceDifference: written === null ? null : writeDifference(priceDifference!, written, price.text),
      per: step.perText,
      unagreed: price.status === 'AGREED' ? null : tellUnagreed(clear.open.pricing, subject),
    }
    const reasons = (shown: PricedRow) => () => this.#reasons(clear.open, subject, billed, shown)
    if (quantity === null) {
      const isRight = priceDifference!.n === 0n
      return this.#finish({ ...row, billedAmount: null }, line, {
        isRight,
        difference: priceDifference!,
        ours: price.value,
        reasons: reasons(row),
      })
    }
    const ours = amountOf({ quantity, price: price.value, per: step.per }, currency)
    const difference = subtract(billed.amount!, ours)
    const isSamePrice = priceDifference?.n === 0n && line.amount !== null
    const exact = exactAmount(quantity, price.value, step.per)
    const isRight = difference.n === 0n || (isSamePrice && isWithinHalf(line.amount, exact, currency))
    const shown = { ...row, amount: writeMoney(ours, currency), difference: writeMoney(difference, currency) }
    return this.#finish(shown, line, { isRight, difference, ours, reasons: reasons(shown) })
  }

  /**
   * With `prorate: DAYS` the quantity is divided by days, the sum is rounded once, and the line is judged by its
   * amount.
   */
  #judgeSpans(clear: ClearLine, parts: readonly Part[], draft: PricedRow): PricedRow {
    const { open, quantity, currency, line } = clear
    const { pricing, agreement } = open
    const spans = parts.map(({ subject, days }) => ({
      period: pricing.at(subject.place).period,
      days,
      price: subject.price.text,
    }))
    const status = parts.map(({ subject }) => subject.price.status).reduce(weakerStatus)
    const unagreed = status === 'AGREED' ? null : 'not agreed yet: a price that the service crosses is only proposed'
    const known: PricedRow = { ...draft, status, spans, unagreed }
    if (agreement.billing.prorate !== 'DAYS' || quantity === null) {
      const dates = parts.slice(1).map(({ subject }) => writeDay(pricing.at(subject.place).date))
      return withoutPrice(known, 'SPANS', `the service crosses ${dates.join(', ')}, where the price changes`)
    }
    if (agreement.end !== null && line.serviceTo! > agreement.end)
      return withoutPrice(
        known,
        'OUTSIDE',
        `the service continues after the contract, which ends on ${writeDay(agreement.end)}`,
      )
    const prices = parts.map(({ subject }) => subject.price.value)
    const ours = roundMoney(sharedAmount(parts, prices, quantity), currency)
    const billed = billedOf(clear, null)
    const difference = subtract(billed.amount!, ours)
    const shown = { ...known, amount: writeMoney(ours, currency), difference: writeMoney(difference, currency) }
    const finder = this.#finderOf(open)
    const reasons = () => finder.findShared(parts, billed).map(found => tellShared(shown, found))
    return this.#finish(shown, line, { isRight: difference.n === 0n, difference, ours, reasons })
  }

  #finish(
    row: PricedRow,
    { kind, quantity }: InvoiceLine,
    { isRight, difference, ours, reasons }: Judgement,
  ): PricedRow {
    if (isRight) return { ...row, outcome: row.status === 'AGREED' ? 'OK' : 'PROVISIONAL' }
    const [reason = null, ...alsoPossible] = reasons()
    // If a credit note has no quantity, its price alone decides the direction: too high means that too little is paid.
    const isTurned = kind === 'CREDIT_NOTE' && quantity === null
    const isOver = compare(difference, zero) > 0 !== isTurned
    const outcome = this.#isWithin(difference, ours) ? 'OK_WITHIN' : isOver ? 'OVER' : 'UNDER'
    return { ...row, outcome, reason, alsoPossible }
  }

  #isWithin(difference: Ratio, ours: Ratio): boolean {
    const { tolerancePct } = this.#ground
    if (tolerancePct === null) return false
    return compare(multiply(absolute(difference), hundred), multiply(absolute(ours), tolerancePct)) <= 0
  }

  #finderOf(open: OpenAgreement): ReasonFinder {
    const known = this.#finders.get(open)
    if (known !== undefined) return known
    const finder = new ReasonFinder(open)
    this.#finders.set(open, finder)
    return finder
  }

  #reasons(open: OpenAgreement, subject: Subject, billed: Billed, row: PricedRow): readonly Reason[] {
    const found = this.#finderOf(open).find(subject, billed)
    return found.map(each => (billed.price === null ? tellByAmount(row, each, subject) : tellByPrice(row, each)))
  }
}

/** What can be shown for every clear line. */
function knownOf({ line, open, day, place, found, currency }: ClearLine, draft: PricedRow): PricedRow {
  const { quantity, unitPrice, per, amount } = line
  const product = quantity === null || unitPrice === null ? null : exactAmount(quantity, unitPrice, per)
  const billed = amount ?? product
  const money = (value: Ratio) => writeMoney(roundMoney(value, currency), currency)
  // A line of zero quantity is judged by its amount alone, so its unit price contradicts nothing.
  const contradiction =
    product !== null && amount !== null && quantity!.n !== 0n && !isWithinHalf(amount, product, currency)
  return {
    ...draft,
    agreement: open.agreement.slug,
    item: found.item.item,
    period: place < 0 ? null : (comingOn(open.agreement, day)?.period ?? open.pricing.at(place).period),
    billedAmount: billed === null ? null : money(billed),
    currency,
    unit: unitOf(found.item, open.pricing.at(Math.max(place, 0)).terms) || null,
    contradiction,
    message: contradiction
      ? `unit price and amount contradict each other: ${writeDecimal(quantity!)} at ${writeDecimal(unitPrice!)} for ${writeDecimal(per)} is ${money(product!)}, but ${money(amount)} is billed`
      : null,
  }
}

function withoutPrice(draft: PricedRow, outcome: 'OUTSIDE' | 'BLOCKED' | 'SPANS', message: string): PricedRow {
  return { ...draft, outcome, message: draft.message === null ? message : `${message}; ${draft.message}` }
}

/** The unit price for the item's own `per` and unit. */
function broughtPrice({ line, factor }: ClearLine, { step }: Subject): Ratio | null {
  if (line.unitPrice === null) return null
  return divide(multiply(line.unitPrice, step.per), multiply(line.per, factor))
}

function billedOf({ line, factor, quantity, found, open, place, currency }: ClearLine, price: Ratio | null): Billed {
  const { unitPrice, per } = line
  const isMultiplied = line.amount === null && line.quantity !== null && unitPrice !== null
  const amount = isMultiplied ? exactAmount(line.quantity, unitPrice, per) : line.amount
  const unit = unitOf(found.item, open.pricing.at(place).terms)
  return {
    price,
    quantity,
    amount: amount === null ? null : roundMoney(amount, currency),
    currency,
    unit: equal(factor, one) ? null : { factor, of: unit, billed: line.unit! },
  }
}
