// A correction as both parties sign it: one body in canonical JSON, with its format's name inside, and its hash. Everything in
// it can be computed again from the restated receipts it names; neither a clock nor an id is in it, so that equal facts always
// make equal proposals.

import type { Cause } from '../calculation/influence.ts'
import { formulaEdition } from '../formula/formula.ts'
import { formatMinorUnits } from '../numbers/money.ts'
import { formatExact, formatRounded, type Ratio, sum } from '../numbers/ratio.ts'
import { numberOf, type PricedAgreement } from '../prices/agreement.ts'
import { onlyPrice, Pricing } from '../prices/item-prices.ts'
import {
  type CompanyNames,
  carriedToJson,
  hashOf,
  type Issuer,
  type OriginOf,
  type ReceiptBody,
  vintageLine,
  type WrittenParties,
  withoutNames,
  writeRounding,
} from '../receipt/receipt.ts'
import type { ValuedVintage } from '../series/vintage.ts'
import type { Json } from '../text/canonical-json.ts'
import type { Written } from '../text/exact-shape.ts'
import { formatDay } from '../time/day.ts'
import { formatPeriod } from '../time/period.ts'
import type { Draft, LineDifference, MovedPeriod, PriceDifference } from './correction.ts'
import { partsOfNet } from './correction.ts'
import { type correctionBody, correctionFormat } from './correction-schema.ts'
import type { RestatedPeriod } from './restate.ts'

export type CorrectionBody = Written<typeof correctionBody>
export type WrittenCause = CorrectionBody['causes'][number]
export type CorrectedPeriod = CorrectionBody['periods'][number]
export type CorrectedPrice = CorrectionBody['prices'][number]
export type CorrectedLine = CorrectionBody['lines'][number]

interface CorrectionSurroundings {
  readonly issuer: Issuer | null
  readonly name: string
  readonly parties: WrittenParties
  readonly companies: CompanyNames | null
  readonly reason: string | null
  /** The whole restated path: with REBASE, unsigned periods continue from its newest state. */
  readonly restated: readonly RestatedPeriod[]
  /** The hash of a restated period's receipt. */
  readonly receiptHash: (period: RestatedPeriod) => string
  readonly originOf: OriginOf | null
}

export function buildCorrection(draft: Draft, surroundings: CorrectionSurroundings): CorrectionBody {
  const { issuer, name, parties, companies, reason, restated, originOf } = surroundings
  const { agreement, currency, net, level, isWaiver, settle } = draft
  const money = (amount: Ratio) => (currency === null ? formatExact(amount) : formatMinorUnits(amount, currency))
  const parts = net === null || currency === null || isWaiver ? [] : partsOfNet(net, settle, currency)
  const newest = restated.at(-1)
  return {
    format: correctionFormat,
    edition: formulaEdition,
    installation: issuer?.installation ?? null,
    workspace: issuer?.workspace ?? null,
    pam: agreement.slug,
    name,
    parties: { buyer: parties.buyer, supplier: parties.supplier },
    ...(companies === null ? {} : { companies }),
    level,
    reason,
    waived: isWaiver,
    currency,
    net: net === null ? null : money(net),
    causes: writeCauses(draft.periods),
    periods: writePeriods(draft, surroundings, money),
    prices: draft.prices.map(each => writePrice(agreement, each)),
    lines: draft.lines.filter(({ amount }) => amount.n !== 0n).map(each => writeLine(agreement, each, money)),
    settle: typeof settle === 'string' ? settle : 'SPREAD',
    parts: parts.map(money),
    carried: level === 'REBASE' && newest !== undefined ? carriedToJson(newest.carried, originOf) : null,
  }
}

/**
 * Causes of all figures, the newest publication first. A figure comes several times where periods were settled with different
 * earlier ones.
 */
function writeCauses(periods: readonly MovedPeriod[]): readonly WrittenCause[] {
  const line = ({ series, period }: Cause, vintage: ValuedVintage) => vintageLine({ series, period, vintage })
  const once = new Map<string, WrittenCause>()
  for (const { restated } of periods)
    for (const cause of restated.causes) {
      const written = {
        series: cause.series,
        period: formatPeriod(cause.period),
        before: cause.before === null ? null : line(cause, cause.before),
        after: line(cause, cause.after),
      }
      once.set(`${written.series} ${written.period} ${written.before?.value} ${written.after.value}`, written)
    }
  return [...once]
    .sort(([a, { after: left }], [b, { after: right }]) =>
      left.published === right.published ? (a < b ? -1 : 1) : left.published < right.published ? 1 : -1,
    )
    .map(([, written]) => written)
}

/** Periods that are restated, and periods in which only the base of a price was restated. */
function writePeriods(
  { agreement, settled, periods, prices, lines }: Draft,
  { receiptHash }: CorrectionSurroundings,
  money: (amount: Ratio) => string,
): readonly CorrectedPeriod[] {
  const moved = new Map(periods.map(each => [each.restated.signed.period, each.restated]))
  const touched = new Set(prices.map(({ place }) => place))
  const [before, after] = [new Pricing(agreement), new Pricing(settled)]
  return agreement.periods.flatMap((each, place): CorrectedPeriod[] => {
    const restated = moved.get(each.period)
    if (restated === undefined && !touched.has(place)) return []
    const number = numberOf(each)!
    const own = lines.filter(({ before: priced }) => priced.place === place)
    return [
      {
        period: each.period,
        adjustmentDate: formatDay(each.date),
        factorBefore: formatExact(number.factor),
        factorAfter: formatExact(numberOf(settled.periods[place]!)!.factor),
        priceBefore: onlyPrice(before, place),
        priceAfter: onlyPrice(after, place),
        amount: own.length === 0 ? null : money(sum(own.map(({ amount }) => amount))),
        receiptBefore: restated === undefined ? null : number.receiptHash,
        receiptAfter: restated === undefined ? null : receiptHash(restated),
      },
    ]
  })
}

/**
 * The body without the names people may change, its own and those in the restated receipts: two bodies that are equal here
 * agree on every number and on whose they are.
 */
export function correctionWithoutNames(body: CorrectionBody, receipts: readonly ReceiptBody[]): Json {
  const { name: _name, companies: _companies, installation, workspace, periods, ...rest } = body
  const plain = new Map(receipts.map(each => [hashOf(each), hashOf(withoutNames(each) as object)]))
  return {
    ...(rest as unknown as { readonly [key: string]: Json }),
    installation: installation?.id ?? null,
    workspace: workspace?.id ?? null,
    periods: periods.map(each => ({
      ...each,
      receiptAfter: each.receiptAfter === null ? null : (plain.get(each.receiptAfter) ?? each.receiptAfter),
    })),
  }
}

function writePrice(
  { periods }: PricedAgreement,
  { place, item, step, before, after }: PriceDifference,
): CorrectedPrice {
  return {
    period: periods[place]!.period,
    item,
    fromQuantity: step.fromText,
    price: step.priceText,
    per: step.perText,
    share: formatExact(step.share),
    base: step.base,
    rounding: writeRounding(after.rounding)!,
    movementBefore: formatExact(before.movement),
    movementAfter: formatExact(after.movement),
    before: before.text,
    after: after.text,
  }
}

function writeLine(
  { periods }: PricedAgreement,
  { line, item, quantity, before, after, amount }: LineDifference,
  money: (amount: Ratio) => string,
): CorrectedLine {
  const priceAt = (parts: typeof before.parts, place: number, fallback: (typeof before.parts)[number]) => {
    const { price } = (parts.find(({ subject }) => subject.place === place) ?? fallback).subject
    return formatRounded(price.value, price.rounding)
  }
  // The side with more prices within the line's days decides how the days are divided.
  const longer = after.parts.length > before.parts.length ? after.parts : before.parts
  return {
    supplier: line?.supplier ?? null,
    invoice: line?.invoice ?? null,
    line: line?.line ?? null,
    item,
    period: periods[before.place]!.period,
    quantity: formatExact(quantity),
    shares: longer.map(({ subject, days }) => ({
      period: periods[subject.place]!.period,
      days,
      per: subject.step.perText,
      priceBefore: priceAt(before.parts, subject.place, before.parts[0]!),
      priceAfter: priceAt(after.parts, subject.place, after.parts[0]!),
    })),
    amountBefore: money(before.amount),
    amountAfter: money(after.amount),
    amount: money(amount),
  }
}
