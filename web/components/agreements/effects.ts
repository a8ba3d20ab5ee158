// The effect of a change to a formula on its periods, as readable rows: before, after and the difference.
import type { TodayView } from '../../../src/views/shapes/agreements.ts'
import type { EffectRow } from '../../../src/views/shapes/versions.ts'
import { differenceIfBoth, isNothing } from '../figures/decimals.ts'

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

/** Whether the number and the price are what was signed; the change since the start may still differ. */
export function isSameToday({ differencePoints, differenceMoney }: TodayView): boolean {
  return (
    differencePoints !== null && isNothing(differencePoints) && (differenceMoney === null || isNothing(differenceMoney))
  )
}
