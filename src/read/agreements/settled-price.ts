// The settled price of an agreement: of a period, and on a day. Agreed corrections are included, and nothing that is not signed by
// both is. Pages, lists, price tables and commands ask here and nowhere else, so that they agree. Pure over the standing at an
// instant.

import type { Adjustment } from '../../core/calculation/adjustment.ts'
import { priceRounding } from '../../core/formula/clause.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { one, parseExact, type Ratio } from '../../core/numbers/ratio.ts'
import { type PriceTerms, type SettledNumber, startNumber } from '../../core/prices/agreement.ts'
import { ownPrice } from '../../core/prices/item-prices.ts'
import { startLabel } from '../../core/prices/price-list.ts'
import type { OpenPath, StepBasis } from '../../core/prices/shown-step.ts'
import { formatPct } from '../../core/receipt/calculation.ts'
import type { ReceiptBody } from '../../core/receipt/receipt.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { CorrectedNumber } from './agreed-corrections.ts'
import type { AgreementState, AgreementVersion, SignedPeriod } from './agreement-snapshot.ts'

/** A number that both agreed, and the contract's own price at it. */
export interface SettledPrice {
  /** `start` before the first period that both signed. */
  readonly period: string
  /** First day on which it counts. */
  readonly date: Day
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly factor: Ratio
  /** Rounded as in price tables; null for a contract without a price. */
  readonly price: string | null
  /** Instant of the second signature on the period; null for `start`, which nobody has to sign. */
  readonly agreedAt: Instant | null
  /** The last agreed correction that replaced the signed number; null where the signed number stands. */
  readonly correction: AgreedReplacement | null
}

interface AgreedReplacement {
  readonly id: string
  /** Instant of the second signature. */
  readonly agreedAt: Instant
  readonly factorBefore: Ratio
  readonly priceBefore: string | null
}

/** The settled number of a period that both signed. */
export function settledNumber(standing: AgreementState, signed: SignedPeriod): SettledNumber {
  const agreedAt = standing.whole.agreedAt.get(signed) ?? null
  const corrected = correctedOf(standing, signed)
  if (corrected !== undefined) {
    const { factor, status, receiptHash, beforeCorrection, agreedAt: correctedAt } = corrected
    return { factor, status, receiptHash, agreedAt, correctedAt, beforeCorrection }
  }
  const factor = parseExact(signed.body.result.factor)!
  return { factor, status: 'AGREED', receiptHash: signed.hash, agreedAt, beforeCorrection: null }
}

/** Correction of a signed period: of a former party's own it may be newer than its view, of others' it is as of then. */
function correctedOf(standing: AgreementState, signed: SignedPeriod): CorrectedNumber | undefined {
  const { corrected } = standing.signed.includes(signed) ? standing : standing.whole
  return corrected.get(signed.period)
}

/** Receipt of the settled number: of a correction, else the one that both signed. */
export function settledBody(standing: AgreementState, signed: SignedPeriod): ReceiptBody {
  return correctedOf(standing, signed)?.body() ?? signed.body
}

/** The settled price of a period that both signed. */
export function settledOf(standing: AgreementState, signed: SignedPeriod): SettledPrice {
  const corrected = correctedOf(standing, signed)
  const { result } = settledBody(standing, signed)
  const terms = termsOfVersion(standing, result.formulaVersion)
  const factor = corrected?.factor ?? parseExact(result.factor)!
  return {
    period: signed.period,
    date: parseDay(signed.adjustmentDate)!,
    adjustmentPct: result.adjustmentPct,
    cumulativePct: result.cumulativePct,
    factor,
    price: ownPrice(terms, factor),
    agreedAt: standing.whole.agreedAt.get(signed) ?? null,
    correction: corrected === undefined ? null : replacementOf(corrected, terms),
  }
}

function replacementOf(corrected: CorrectedNumber, terms: PriceTerms): AgreedReplacement {
  const { correctionId: id, agreedAt, beforeCorrection } = corrected
  return { id, agreedAt, factorBefore: beforeCorrection, priceBefore: ownPrice(terms, beforeCorrection) }
}

/**
 * The settled price in force on a day: of the newest period that both signed, else the contract's, also where the price was
 * renegotiated since. Null before the contract, where the price in force was agreed with another supplier, and from a broken record
 * on.
 */
export function settledOn(standing: AgreementState, day: Day): SettledPrice | null {
  const { whole, broken } = standing
  const written = formatDay(day)
  if (broken !== null && broken.adjustmentDate <= written) return null
  const signed = whole.signed.findLast(({ adjustmentDate }) => adjustmentDate <= written)
  const [start] = startsOf(whole.versions, day)
  const date = signed === undefined ? start!.date : parseDay(signed.adjustmentDate)!
  if (date > day || !standing.owns(date)) return null
  return signed === undefined ? startPrice(start!) : settledOf(standing, signed)
}

type Numbered = Pick<AgreementVersion, 'number' | 'formula'>

interface PriceStart<V extends Numbered> {
  readonly date: Day
  readonly version: V
}

/** Dates on which factors begin at 1: the contract's start, and every day from which the price was renegotiated. */
export function startsOf<V extends Numbered>(versions: readonly V[], until: Day): readonly PriceStart<V>[] {
  const first = versions[0]!
  const renegotiated = versions.filter(({ formula: { contract, effectiveFrom } }, i) => {
    const isOvertaken = versions.slice(i + 1).some(later => later.formula.effectiveFrom <= effectiveFrom)
    return i > 0 && contract.restart && effectiveFrom <= until && !isOvertaken
  })
  return [
    { date: first.formula.contract.start, version: first },
    ...renegotiated.map(version => ({ date: version.formula.effectiveFrom, version })),
  ]
}

function startPrice({ date, version: { formula } }: PriceStart<Numbered>): SettledPrice {
  const price = ownPrice(termsOf(formula), startNumber.factor)
  const nothing = { adjustmentPct: '0', cumulativePct: '0', agreedAt: null, correction: null }
  return { period: startLabel, date, factor: one, price, ...nothing }
}

export function termsOf({ contract, clause }: Formula): PriceTerms {
  return { price: contract.price, rounding: priceRounding(clause, contract.price?.round ?? null) }
}

/** Terms that make a price of a number of a version. */
export function termsOfVersion({ whole }: AgreementState, version: number): PriceTerms {
  const { formula } = whole.versions.find(({ number }) => number === version) ?? whole.versions[0]!
  return termsOf(formula)
}

/** Steps of the numbers that are not signed by both. */
export function openPath(standing: AgreementState, computed: readonly Adjustment[]): OpenPath {
  const [first] = computed
  if (first === undefined) return { settled: null, goesOnFrom: null, steps: [] }
  const { version, factor } = first.carriedIn
  const path = priceAt(standing, version ?? first.formulaVersion, factor)
  const before = version === null ? undefined : standing.whole.signed.at(-1)
  return {
    ...stepBasis(standing, before, path),
    steps: computed.map(({ period, date, adjustmentPct, show, formulaVersion, factor, carriedIn }, i) => ({
      period,
      date: formatDay(date),
      adjustmentPct: formatPct(adjustmentPct, show),
      price: priceAt(standing, formulaVersion, factor),
      begins: i > 0 && carriedIn.version === null ? priceAt(standing, formulaVersion, one) : null,
    })),
  }
}

export function priceAt(standing: AgreementState, version: number, factor: Ratio): string | null {
  return ownPrice(termsOfVersion(standing, version), factor)
}

/** Basis of a step. Another supplier's settled price is not shown, only the price that the path goes on from. */
export function stepBasis(standing: AgreementState, before: SignedPeriod | undefined, path: string | null): StepBasis {
  if (before === undefined || !standing.owns(parseDay(before.adjustmentDate)!))
    return { settled: path, goesOnFrom: null }
  const { price, correction } = settledOf(standing, before)
  if (price === null || path === null || price === path) return { settled: path, goesOnFrom: null }
  const level = standing.corrections.find(({ id }) => id === correction?.id)?.body.level
  return { settled: price, goesOnFrom: { price: path, isHeal: level === 'HEAL' } }
}
