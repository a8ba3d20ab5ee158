// The coefficient of a splice by its method and direction: exact, and as written in the document. A coefficient of the other
// direction is computed from the figures again, and never as the inverse of a rounded number.
import { divide, formatExact, formatRounded, one, type Ratio, type Rounding, ratio } from '../numbers/ratio.ts'
import { type WrittenRounding, writeRounding } from '../receipt/receipt.ts'
import { Refusal } from '../refusal.ts'
import { mean } from './closeness.ts'
import type { Direction, PublishedCoefficient } from './index-event.ts'
import type { CommonPeriod } from './overlap.ts'

/** The rounding unless another is agreed. */
export const usualRounding: Rounding = { dp: 6, mode: 'HALF_UP' }

export interface Coefficient {
  readonly direction: Direction
  readonly exact: Ratio
  /** The digits in the document. */
  readonly written: string
  readonly rounding: Rounding | null
  readonly source: string | null
}

/** The ratio of the means over the common periods; of one period, the ratio of its values. */
export function coefficientOf(
  common: readonly Pick<CommonPeriod, 'oldValue' | 'newValue'>[],
  direction: Direction,
  rounding: Rounding,
): Coefficient {
  const old = mean(common.map(each => each.oldValue))
  const successor = mean(common.map(each => each.newValue))
  const exact = direction === 'OLD_TO_NEW' ? divide(successor, old) : divide(old, successor)
  const written = formatRounded(exact, rounding)
  if (ratio(written).n <= 0n)
    throw new Refusal(
      'invalid',
      `the coefficient is ${formatExact(exact)}, which rounds to ${written}; agree more decimals`,
    )
  return { direction, exact, written, rounding, source: null }
}

/** The coefficient as the office prints it. */
export function publishedCoefficient({ direction, digits }: PublishedCoefficient, source: string): Coefficient {
  const exact = /^\d+(\.\d+)?$/.test(digits) ? ratio(digits) : null
  if (exact === null || exact.n <= 0n)
    throw new Refusal('invalid', `a published coefficient is written as it is printed, such as 1.0274, got "${digits}"`)
  return { direction, exact, written: digits, rounding: null, source }
}

export const sameLevel: Coefficient = {
  direction: 'OLD_TO_NEW',
  exact: one,
  written: '1',
  rounding: null,
  source: null,
}

/** The factor that puts an old value on the level of the new series, to compare. */
export function toNewLevel({ direction, written }: Pick<Coefficient, 'direction' | 'written'>): Ratio {
  return direction === 'OLD_TO_NEW' ? ratio(written) : divide(one, ratio(written))
}

interface WrittenCoefficient {
  readonly direction: Direction
  readonly exact: string
  readonly written: string
  readonly rounding: WrittenRounding | null
  readonly source: string | null
}

export function writeCoefficient({ exact, rounding, ...rest }: Coefficient): WrittenCoefficient {
  return { ...rest, exact: formatExact(exact), rounding: writeRounding(rounding) }
}
