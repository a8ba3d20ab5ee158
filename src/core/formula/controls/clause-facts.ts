// Facts that follow from the terms of a clause alone, for every control that asks: controls import facts, never each other.
import { add, compare, multiply, one, type Ratio } from '../../numbers/ratio.ts'
import { type Band, type ClauseNumber, type ClauseTerms, type LimitSide, limitSides, type Param } from '../terms.ts'

/** The sides on which a held-back part is carried and makes a difference. */
export function carriedSides({ carryForward: carries, period, year }: ClauseTerms): readonly LimitSide[] {
  return limitSides.filter(side => carries[side] && (period[side] !== null || year[side] !== null))
}

/** Whether a held-back part is kept: with a fixed base and no threshold in the way, the price catches up by itself. */
export function keepsHeldBack(clause: ClauseTerms): boolean {
  return carriedSides(clause).length > 0 && (clause.basis === 'CHAINED' || mayStayStill(clause))
}

/** Whether a period may pass without anything being applied. */
export function mayStayStill({ threshold: part, basis }: ClauseTerms): boolean {
  if (part === null || part.inside === 'RETURN') return false
  return part.pays === 'ALL' || basis === 'CHAINED'
}

/** The condition under which something is applied; null if that is always the case. */
export function movingCondition(clause: ClauseTerms): string | null {
  if (!mayStayStill(clause)) return null
  return 'threshold_met == 1'
}

/** Whether the lines of a period show that something was applied. */
export function isMoving(lines: ReadonlyMap<string, Ratio>): boolean {
  return lines.get('threshold_met')?.n !== 0n
}

/** Whether sharing is in bands, not one share. */
export function isBands(part: ClauseNumber | readonly Band[]): part is readonly Band[] {
  return Array.isArray(part)
}

export function sharesOf(part: ClauseTerms['sharing']): readonly ClauseNumber[] {
  return part === null ? [] : isBands(part) ? part.map(band => band.share) : [part]
}

/** Whether the whole movement is passed on: known now, or an expression where a dated param decides. */
export function wholeIsPaid(part: ClauseTerms['sharing'], params: readonly Param[]): boolean | string {
  const conditions: string[] = []
  for (const { value, param } of sharesOf(part)) {
    const values =
      value !== null ? [value] : (params.find(each => each.name === param)?.values.map(each => each.value) ?? [])
    if (values.every(each => compare(each, one) !== 0)) return false
    if (values.some(each => compare(each, one) !== 0)) conditions.push(`${param} == 1`)
  }
  return conditions.length === 0 ? true : conditions.join(' and ')
}

/** The target before the percent since the base is rounded. */
export function limitedTarget(at: (line: string) => Ratio, { rounding }: ClauseTerms): Ratio {
  if (rounding.total === null) return at('target')
  return add(one, multiply(at('total_held'), { n: 1n, d: 100n }))
}

/**
 * Whether the applied factor may reach 0, without fixed share and floor. A step from 0 has no percentage: lines that would
 * divide by it are written without a division.
 */
export function mayReachZero({ fixed, period, year, cumulative }: ClauseTerms): boolean {
  const hasFixedShare = fixed.value !== null && fixed.value.n > 0n
  return !hasFixedShare && period.floor === null && year.floor === null && cumulative.floor === null
}

/**
 * Whether the step is computed back from the target. If no control changes a chained target, the step is the shared movement
 * itself: an equal number without dividing one long chain by another.
 */
export function isWorkedBack({ basis, cumulative }: ClauseTerms): boolean {
  return basis === 'FIXED_BASE' || cumulative.cap !== null || cumulative.floor !== null
}
