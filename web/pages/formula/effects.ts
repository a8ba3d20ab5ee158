// What a change of a formula does to its periods, as rows that can be read: before, after and the difference.
import type { EffectRow, TodayView } from '../../../src/http/console/wire/formulas.ts'
import { differenceIfBoth, isNothing } from './decimals.ts'

export interface EffectLine {
  readonly period: string
  readonly before: string | null
  readonly after: string | null
  readonly points: string | null
  readonly priceBefore: string | null
  readonly priceAfter: string | null
  readonly money: string | null
  readonly hasChanged: boolean
}

export function effectLines(effects: readonly EffectRow[]): EffectLine[] {
  return effects.map(({ period, before, after }) => {
    const points = differenceIfBoth(before?.adjustmentPct, after?.adjustmentPct)
    const money = differenceIfBoth(before?.price, after?.price)
    const total = differenceIfBoth(before?.cumulativePct, after?.cumulativePct)
    const isSame =
      before !== null && after !== null && [points, money, total].every(each => each === null || isNothing(each))
    return {
      period,
      before: before?.adjustmentPct ?? null,
      after: after?.adjustmentPct ?? null,
      points,
      priceBefore: before?.price ?? null,
      priceAfter: after?.price ?? null,
      money,
      hasChanged: !isSame,
    }
  })
}

/** The number and the price are what was signed; only the sum since the start is not. */
export function isSameToday({ differencePoints, differenceMoney }: TodayView): boolean {
  return (
    differencePoints !== null && isNothing(differencePoints) && (differenceMoney === null || isNothing(differenceMoney))
  )
}
