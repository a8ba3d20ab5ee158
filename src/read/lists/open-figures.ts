// What lists show of the numbers that wait for a signature: the label, the change and the price of each, the settled price
// before all of them, and what the declared quantities make of the difference. Kept with the digest of an agreement, so that
// a list opens no agreement. No receipt is built but for periods that somebody has signed.

import type { Adjustment } from '../../core/calculation/adjustment.ts'
import { priceRounding } from '../../core/formula/clause.ts'
import { type FormulaVersion, schedule } from '../../core/formula/schedule.ts'
import { priceQuantity } from '../../core/invoices/billed-line.ts'
import { minorUnits } from '../../core/numbers/money.ts'
import { multiply, type Ratio, ratio, round, subtract, sum, writeFixed } from '../../core/numbers/ratio.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { Pricing } from '../../core/prices/pricing.ts'
import { writePrice } from '../../core/receipt/calculation.ts'
import { type Day, writeDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import type { StoredPriceList } from '../../storage/agreements/price-lists.ts'
import type { StoredQuantity } from '../../storage/agreements/quantities.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import { cachedListOf, pricedAgreementOf } from '../agreements/priced-agreement.ts'

/** One open period. */
interface OpenFigure {
  readonly period: string
  readonly date: string
  /** Null for the one period after a price of 0, and where the number takes long to compute. */
  readonly adjustmentPct: string | null
  readonly price: string | null
  /** What its declared quantities cost more than at the settled price; null where none are known. */
  readonly effect: string | null
  /** The sides that signed another number for it before. */
  readonly movedFor: readonly Party[]
}

export interface OpenFigures {
  readonly currency: string | null
  /** What the price is for: `t`. */
  readonly unit: string | null
  /** The settled price: before the oldest period that is open. */
  readonly priceBefore: string | null
  /** One line for each open period, by date: texts take a fraction of the memory of objects. */
  readonly lines: string
}

export const noFigures: OpenFigures = { currency: null, unit: null, priceBefore: null, lines: '' }

/** What was declared and is priced for an agreement. */
interface DeclaredSources {
  readonly quantities: readonly StoredQuantity[]
  readonly lists: readonly StoredPriceList[]
}

export function openFigures(
  snapshot: AgreementSnapshot,
  adjustments: Adjustments,
  declared: DeclaredSources,
  until: Day,
): OpenFigures {
  const { computed } = adjustments
  const [first] = computed
  if (first === undefined) return noFigures
  const { price } = adjustments.versions.at(-1)!.bound.formula.contract
  const summaries = adjustments.summaries().slice(-computed.length)
  const effects = effectsOf(snapshot, adjustments, declared, until)
  const figures = summaries.map(({ date, adjustmentPct, price: after }, i) => ({
    period: computed[i]!.period,
    date,
    adjustmentPct,
    price: after,
    effect: effects.get(computed[i]!.period) ?? null,
    movedFor: movedFor(snapshot, adjustments, computed[i]!),
  }))
  return {
    currency: price?.currency ?? null,
    unit: price?.unit || null,
    priceBefore: priceBefore(adjustments, first),
    lines: figures.map(packFigure).join('\n'),
  }
}

/** For an agreement that is too heavy to compute for a list: its labels alone, after the newest signed date. */
export function openLabels(calendar: readonly FormulaVersion[], newestSigned: string, today: Day): OpenFigures {
  const lines = schedule(calendar, today)
    .map(({ date, label }) => ({ period: label, date: writeDay(date) }))
    .filter(({ date }) => date > newestSigned)
    .map(each => packFigure({ ...each, adjustmentPct: null, price: null, effect: null, movedFor: [] }))
  return { ...noFigures, lines: lines.join('\n') }
}

function packFigure({ period, date, adjustmentPct, price, effect, movedFor: moved }: OpenFigure): string {
  return [period, date, adjustmentPct ?? '', price ?? '', effect ?? '', moved.join(' ')].join('\t')
}

/** By date. */
export function unpackFigures({ lines }: OpenFigures): readonly OpenFigure[] {
  if (lines === '') return []
  return lines.split('\n').map(line => {
    const [period, date, adjustmentPct, price, effect, moved] = line.split('\t') as [string, ...string[]]
    return {
      period,
      date: date!,
      adjustmentPct: adjustmentPct || null,
      price: price || null,
      effect: effect || null,
      movedFor: partyNames.filter(party => moved!.includes(party)),
    }
  })
}

/** What the first open period continues from: the last signed price, or that of the correction which replaced it. */
function priceBefore({ versions }: Adjustments, { carriedIn }: Adjustment): string | null {
  const then = versions.find(({ number }) => number === carriedIn.version) ?? versions[0]!
  const { contract, clause } = then.bound.formula
  const { price } = contract
  if (price === null || carriedIn.version === null) return price?.text ?? null
  const exact = multiply(price.amount, carriedIn.factor)
  const rounding = priceRounding(clause, price.round)
  return writePrice({ value: rounding === null ? exact : round(exact, rounding), rounding })
}

function movedFor({ kept }: AgreementSnapshot, adjustments: Adjustments, { period, date }: Adjustment): Party[] {
  const signed = kept.signOffs.filter(each => each.period === period)
  if (signed.length === 0) return []
  const hash = adjustments.openEntry(date)?.hash
  return partyNames.filter(
    party =>
      signed.some(each => each.party === party) &&
      !signed.some(each => each.party === party && each.receiptHash === hash),
  )
}

/** By period: what was declared for it, at its price less at the settled one. */
function effectsOf(
  snapshot: AgreementSnapshot,
  adjustments: Adjustments,
  { quantities, lists }: DeclaredSources,
  until: Day,
): ReadonlyMap<string, string> {
  const open = new Set(adjustments.computed.map(({ period }) => period))
  const byPeriod = Map.groupBy(quantities, ({ period }) => period)
  const standing = snapshot.at(null)
  const characters = lists.reduce((total, { listRows }) => total + listRows.length, 0)
  const isLong = characters > limits.usual.listCharacters
  if (standing === null || isLong || !byPeriod.keys().some(period => open.has(period))) return new Map()
  const cached = lists.map(cachedListOf)
  const pricing = new Pricing(
    pricedAgreementOf({ snapshot, standing, adjustments, lists: cached, companies: [], until, knownAt: null }),
  )
  const place = pricing.placeOn(adjustments.computed[0]!.date - 1)
  const settled = pricing.agreement.periods[place]?.period
  const currency = adjustments.versions.at(-1)!.bound.formula.contract.price?.currency
  const effects = new Map<string, string>()
  // After a renegotiation there are two periods called `start`: a label would name the wrong one.
  if (settled === undefined || pricing.agreement.periods.findIndex(each => each.period === settled) !== place)
    return effects
  for (const period of open) {
    const amounts = (byPeriod.get(period) ?? []).map(each => differenceOf(pricing, each, settled, currency))
    if (amounts.length > 0 && amounts.every(amount => amount !== null))
      effects.set(period, writeFixed(sum(amounts), minorUnits(currency!)))
  }
  return effects
}

/** Null where one of the prices is not known, or is in another currency than the contract's. */
function differenceOf(
  pricing: Pricing,
  { item, period, quantity }: StoredQuantity,
  settled: string,
  currency: string | undefined,
): Ratio | null {
  const amountIn = (label: string): Ratio | null => {
    const priced = priceQuantity(pricing, { item, period: label, quantity: ratio(quantity) })
    return 'gap' in priced || priced.currency !== currency ? null : priced.amount
  }
  const [before, after] = [amountIn(settled), amountIn(period)]
  return before === null || after === null ? null : subtract(after, before)
}
