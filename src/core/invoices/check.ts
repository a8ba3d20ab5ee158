// Checks lines of invoices against settled prices: one outcome for each, the difference, and the reason where there is one.
// Pure: it stores nothing and asks for nothing beyond the agreements it is given.

import type { NoNumber } from '../calculation/gap.ts'
import { amountOf, exactAmount, formatMinorUnits, roundMoney } from '../numbers/money.ts'
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
import { comingOn, currencyOf, numberOf, type PricedPeriod, weakerStatus } from '../prices/agreement.ts'
import { unitOf } from '../prices/item-prices.ts'
import type { RowProblem } from '../series/table-problems.ts'
import { columnOf } from '../text/sheet-text.ts'
import { formatDay } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import { type AgreementBook, type OpenAgreement, supplierOf } from './agreement-book.ts'
import { blankRow, type CheckSummary, isUnagreed, type PricedRow, type Reason, summarise } from './check-row.ts'
import {
  formatBilledPrice,
  formatByAmount,
  formatByPrice,
  formatDecimal,
  formatDifference,
  formatShared,
  formatUnagreed,
} from './check-words.ts'
import {
  type ClearLine,
  clarify,
  inForceOf,
  type LineInForce,
  partsOf,
  subjectOf,
  whyBlocked,
  whyOutside,
} from './clear-line.ts'
import type { Subject } from './hypotheses.ts'
import type { InvoiceLine } from './invoice-line.ts'
import { formatDocument } from './ledger-differences.ts'
import { type Billed, isWithinHalf, type PricedDays, ReasonFinder, sharedAmount } from './reasons.ts'
import type { UnitTable } from './unit-table.ts'

export interface CheckContext {
  readonly book: AgreementBook
  readonly units: UnitTable
  /**
   * Differences up to a percentage of our amount are reported as OK_WITHIN: all tolerances there ever were, the oldest first.
   */
  readonly tolerances: readonly Tolerance[]
}

interface Tolerance {
  /** The tolerance in percent; null for none. */
  readonly pct: Ratio | null
  readonly since: Instant
}

export interface CheckAnswer {
  readonly data: readonly PricedRow[]
  readonly summary: CheckSummary
}

export function checkLines(lines: Iterable<InvoiceLine>, ground: CheckContext): CheckAnswer {
  const checker = new LineChecker(ground)
  const data = Array.from(lines, line => checker.check(line))
  return { data, summary: summarise(data) }
}

interface Judgement {
  readonly isRight: boolean
  /** Whether it is right by the price in force, while not both have signed the period. */
  readonly isInForce: boolean
  /** Billed less ours: in amounts, or in prices where there are no amounts. */
  readonly difference: Ratio
  readonly ours: Ratio
  /** The price in force and the proposed one, in words. */
  readonly unagreed: string
  readonly reasons: () => readonly Reason[]
}

/** Remembers prices and mistakes from line to line. */
export class LineChecker {
  readonly #ground: CheckContext
  readonly #finders = new Map<OpenAgreement, ReasonFinder>()

  constructor(ground: CheckContext) {
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
    const { inForce } = clear
    const outside = whyOutside(clear)
    if (outside !== null && inForce === null) return withoutPrice(known, 'OUTSIDE', outside)
    const blocked = ({ gap: { sentence } }: NoNumber) =>
      withoutPrice(
        known,
        'BLOCKED',
        inForce === null ? sentence : `${sentence}; ${inForce.subject.price.text} is in force`,
      )
    const why = whyBlocked(clear)
    if (why !== null) return blocked(why)
    // An item that a proposed list drops, from that day or altogether, is paid as before until both have signed the list.
    if (inForce !== null && (clear.isDropped || outside !== null)) return this.#judgeDropped(clear, inForce, known)
    const subject = subjectOf(clear)
    if ('gap' in subject) return blocked(subject)
    const parts = partsOf(clear, subject)
    if ('gap' in parts) return blocked(parts)
    return parts.length === 1 ? this.#judge(clear, subject, known) : this.#judgeSpans(clear, parts, known)
  }

  /** The note that a correction bills, or the reason why it does not bill the one with its number. */
  #tellNote(line: InvoiceLine): string | null {
    const { invoice, amount, quantity, unitPrice, per } = line
    const open = this.#ground.book.find(line)
    if ('message' in open || invoice === null) return null
    const supplier = supplierOf(line, open)
    const currency = line.currency ?? currencyOf(open.agreement)
    const exact = quantity === null || unitPrice === null ? null : exactAmount(quantity, unitPrice, per)
    const billed = amount ?? exact
    if ('message' in supplier || currency === null || billed === null) return null
    return formatDocument({ ...supplier, invoice, billed: roundMoney(billed, currency), currency }, open.notes)
  }

  #judge(clear: ClearLine, subject: Subject, draft: PricedRow): PricedRow {
    const { line, inForce, open } = clear
    const measured = measure(clear, clear, subject)
    const row: PricedRow = { ...draft, ...shownOf(clear, subject, measured), status: subject.price.status }
    const billed = billedOf(clear, draft.contradiction ? null : measured.brought)
    return this.#finish(row, line, open.pricing.at(clear.place), {
      ...measured,
      isInForce: inForce !== null && measure(clear, inForce, inForce.subject).isRight,
      unagreed: formatUnagreed(
        inForce?.subject.price.text ?? null,
        subject.price.text,
        open.pricing.at(subject.place).period,
      ),
      reasons: () => this.#reasons(open, subject, billed, row),
    })
  }

  #judgeDropped(clear: ClearLine, inForce: LineInForce, draft: PricedRow): PricedRow {
    const { pricing } = clear.open
    const { subject } = inForce
    const period = pricing.at(clear.place)
    const brought = { ...clear, ...inForce }
    const measured = measure(brought, brought, subject)
    const row: PricedRow = { ...draft, ...shownOf(brought, subject, measured), status: numberOf(period)!.status }
    const unagreed = formatUnagreed(subject.price.text, null, period.period)
    return this.#finish(row, clear.line, period, {
      ...measured,
      isInForce: measured.isRight,
      unagreed,
      reasons: () => [],
    })
  }

  /** Judges a line by its amount: with `prorate: DAYS` the quantity is divided by days, and the sum is rounded once. */
  #judgeSpans(clear: ClearLine, parts: readonly PricedDays[], draft: PricedRow): PricedRow {
    const { open, quantity, currency, line } = clear
    const { pricing, agreement } = open
    const period = pricing.at(clear.place)
    const spans = parts.map(({ subject, days }) => ({
      period: pricing.at(subject.place).period,
      days,
      price: subject.price.text,
    }))
    const status = parts.map(({ subject }) => subject.price.status).reduce(weakerStatus)
    const known: PricedRow = { ...draft, status, spans }
    const unagreed = 'a price that the service crosses is only proposed'
    if (agreement.billing.prorate !== 'DAYS' || quantity === null) {
      const dates = parts.slice(1).map(({ subject }) => formatDay(pricing.at(subject.place).date))
      const crosses = `the service crosses ${dates.join(', ')}, where the price changes`
      return withoutPrice(known, 'SPANS', isUnagreed(known) ? `${crosses}; ${unagreed}` : crosses)
    }
    if (agreement.end !== null && line.serviceTo! > agreement.end)
      return withoutPrice(
        known,
        'OUTSIDE',
        `the service continues after the contract, which ends on ${formatDay(agreement.end)}`,
      )
    const prices = parts.map(({ subject }) => subject.price.value)
    const ours = roundMoney(sharedAmount(parts, prices, quantity), currency)
    const billed = billedOf(clear, null)
    const difference = subtract(billed.amount!, ours)
    const shown = {
      ...known,
      amount: formatMinorUnits(ours, currency),
      difference: formatMinorUnits(difference, currency),
    }
    const finder = this.#finderOf(open)
    const reasons = () => finder.findShared(parts, billed).map(found => formatShared(shown, found))
    const isInForce = this.#isInForce(clear, parts, billed)
    return this.#finish(shown, line, period, {
      isRight: difference.n === 0n,
      isInForce,
      difference,
      ours,
      unagreed,
      reasons,
    })
  }

  /** Whether each part was billed at the price in force on its days. */
  #isInForce({ line, open, quantity, currency }: ClearLine, parts: readonly PricedDays[], { amount }: Billed): boolean {
    let day = line.serviceFrom!
    const settled = parts.map(part => {
      const first = day
      day += part.days
      if (part.subject.price.status === 'AGREED') return part
      const inForce = inForceOf(line, open, first, this.#ground.units)
      return inForce === null ? null : { ...part, subject: inForce.subject }
    })
    if (!settled.every(part => part !== null)) return false
    const prices = settled.map(({ subject }) => subject.price.value)
    return equal(roundMoney(sharedAmount(settled, prices, quantity!), currency), amount!)
  }

  #finish(
    row: PricedRow,
    { kind, quantity }: InvoiceLine,
    period: PricedPeriod,
    { isRight, isInForce, difference, ours, unagreed, reasons }: Judgement,
  ): PricedRow {
    if (!isUnagreed(row) && isRight) return { ...row, outcome: 'OK' }
    if (isRight || isInForce) return { ...withMessage(row, unagreed), outcome: 'PROVISIONAL' }
    const [reason = null, ...alsoPossible] = reasons()
    // If a credit note has no quantity, its price alone decides the direction: too high means that too little is paid.
    const isTurned = kind === 'CREDIT_NOTE' && quantity === null
    const isOver = compare(difference, zero) > 0 !== isTurned
    const outcome = this.#isWithin(period, difference, ours) ? 'OK_WITHIN' : isOver ? 'OVER' : 'UNDER'
    const told = isUnagreed(row) ? withMessage(row, `not agreed yet: ${unagreed}`) : row
    return { ...told, outcome, reason, alsoPossible }
  }

  /** A line of a period that both signed keeps the tolerance that stood when the first of them did. */
  #isWithin({ firstSignedAt: asOf }: PricedPeriod, difference: Ratio, ours: Ratio): boolean {
    const { pct } = this.#ground.tolerances.findLast(({ since }) => asOf === undefined || since <= asOf) ?? {
      pct: null,
    }
    if (pct === null) return false
    return compare(multiply(absolute(difference), hundred), multiply(absolute(ours), pct)) <= 0
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
    return found.map(each => (billed.price === null ? formatByAmount(row, each, subject) : formatByPrice(row, each)))
  }
}

/** The fields that every clear line can show. */
function knownOf({ line, open, day, place, found, currency }: ClearLine, draft: PricedRow): PricedRow {
  const { quantity, unitPrice, per, amount } = line
  const product = quantity === null || unitPrice === null ? null : exactAmount(quantity, unitPrice, per)
  const billed = amount ?? product
  const money = (value: Ratio) => formatMinorUnits(roundMoney(value, currency), currency)
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
      ? `unit price and amount contradict each other: ${formatDecimal(quantity!)} at ${formatDecimal(unitPrice!)} for ${formatDecimal(per)} is ${money(product!)}, but ${money(amount)} is billed`
      : null,
  }
}

function withoutPrice(draft: PricedRow, outcome: 'OUTSIDE' | 'BLOCKED' | 'SPANS', message: string): PricedRow {
  return { ...withMessage(draft, message), outcome }
}

function withMessage(draft: PricedRow, message: string): PricedRow {
  return { ...draft, message: draft.message === null ? message : `${message}; ${draft.message}` }
}

interface Measured extends Pick<Judgement, 'isRight' | 'difference' | 'ours'> {
  /** The unit price for the item's own `per` and unit; null where none was billed. */
  readonly brought: Ratio | null
}

/** The distance of a billed line from a price. */
function measure(
  { line, currency }: Pick<ClearLine, 'line' | 'currency'>,
  { factor, quantity }: Pick<ClearLine, 'factor' | 'quantity'>,
  { step, price }: Subject,
): Measured {
  const { unitPrice, per } = line
  const brought = unitPrice === null ? null : divide(multiply(unitPrice, step.per), multiply(per, factor))
  if (quantity === null) {
    const difference = subtract(brought!, price.value)
    return { brought, difference, ours: price.value, isRight: difference.n === 0n }
  }
  const ours = amountOf({ quantity, price: price.value, per: step.per }, currency)
  const difference = subtract(billedAmount(line, currency)!, ours)
  const isSamePrice = brought !== null && equal(brought, price.value) && line.amount !== null
  const exact = exactAmount(quantity, price.value, step.per)
  const isRight = difference.n === 0n || (isSamePrice && isWithinHalf(line.amount, exact, currency))
  return { brought, difference, ours, isRight }
}

function shownOf(
  { line, quantity, currency }: Pick<ClearLine, 'line' | 'quantity' | 'currency'>,
  { step, price }: Subject,
  { brought, difference, ours }: Measured,
): Partial<PricedRow> {
  const written = brought === null ? null : formatBilledPrice(line, brought)
  const prices = {
    price: price.text,
    billedPrice: written,
    priceDifference: written === null ? null : formatDifference(subtract(brought!, price.value), written, price.text),
    per: step.perText,
  }
  if (quantity === null) return { ...prices, billedAmount: null }
  return { ...prices, amount: formatMinorUnits(ours, currency), difference: formatMinorUnits(difference, currency) }
}

/** The amount as written, else as the unit price makes it; rounded as money. */
function billedAmount({ amount, quantity, unitPrice, per }: InvoiceLine, currency: string): Ratio | null {
  const written = amount ?? (quantity === null || unitPrice === null ? null : exactAmount(quantity, unitPrice, per))
  return written === null ? null : roundMoney(written, currency)
}

function billedOf({ line, factor, quantity, found, open, place, currency }: ClearLine, price: Ratio | null): Billed {
  const unit = unitOf(found.item, open.pricing.at(place).terms)
  return {
    price,
    quantity,
    amount: billedAmount(line, currency),
    currency,
    unit: equal(factor, one) ? null : { factor, of: unit, billed: line.unit! },
  }
}
