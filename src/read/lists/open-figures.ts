// What lists show of the numbers that wait for a signature: the label, the change and the price of each, the settled price
// before all of them, and what the difference makes of the quantities that were billed or declared. Kept with the digest of an agreement, so that
// a list opens no agreement. No receipt is built but for periods that somebody has signed.

import type { Adjustment } from '../../core/calculation/adjustment.ts'
import { priceRounding } from '../../core/formula/clause.ts'
import { type FormulaVersion, schedule } from '../../core/formula/schedule.ts'
import { multiply, round } from '../../core/numbers/ratio.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { writePrice } from '../../core/receipt/calculation.ts'
import { type Day, writeDay } from '../../core/time/day.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'

/** One open period. */
interface OpenFigure {
  readonly period: string
  readonly date: string
  /** Null for the one period after a price of 0, and where the number takes long to compute. */
  readonly adjustmentPct: string | null
  readonly price: string | null
  /** What was bought costs more than at the settled price; null where none are known. */
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

/** `effects` are by period. */
export function openFigures(
  snapshot: AgreementSnapshot,
  adjustments: Adjustments,
  effects: ReadonlyMap<string, string>,
): OpenFigures {
  const { computed } = adjustments
  const [first] = computed
  if (first === undefined) return noFigures
  const { price } = adjustments.versions.at(-1)!.bound.formula.contract
  const summaries = adjustments.summaries().slice(-computed.length)
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
