// The coefficient of a splice: by its method, in the direction that keeps prices unless another is requested.
import type { BoundVersion } from '../calculation/adjustment.ts'
import type { BoundInput } from '../formula/bind.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory } from '../series/series.ts'
import { type Coefficient, coefficientOf, publishedCoefficient, sameLevel, usualRounding } from './coefficient.ts'
import type { Direction } from './index-event.ts'
import { reasonsForLevel } from './level.ts'
import type { Overlap, OverlapWindow } from './overlap.ts'
import type { SpliceQuestion } from './splice-question.ts'
import type { SpliceMethod } from './splice-schema.ts'
import { placeOf } from './spliced-document.ts'
import { currencyOfUnit } from './unit.ts'

export function reasonsOf({ bound: { formula } }: BoundVersion, inputs: readonly BoundInput[]): readonly string[] {
  return inputs.flatMap(({ input }) => reasonsForLevel(formula, input).map(reason => `${input.name}: ${reason}`))
}

/** OLD_TO_NEW, unless prices would move with the level of an input. */
export function directionOf(
  question: SpliceQuestion,
  governing: BoundVersion,
  inputs: readonly BoundInput[],
): Direction {
  const { direction, published, method, old } = question
  const asked = method === 'PUBLISHED' ? (published?.direction ?? null) : direction
  const valued = inputs.find(({ input }) => input.base?.kind === 'value')
  if (asked === 'OLD_TO_NEW' && valued !== undefined && method !== 'SAME_LEVEL' && method !== 'RELEVEL')
    throw new Refusal(
      'invalid',
      `the base of ${valued.input.name} is a number on the level of ${old}; use a coefficient NEW_TO_OLD, or RELEVEL with a new base`,
    )
  if (asked !== null) return asked
  const isLinked = inputs.some(({ input }) => placeOf(input, old)!.kind === 'link')
  return isLinked || reasonsOf(governing, inputs).length > 0 ? 'NEW_TO_OLD' : 'OLD_TO_NEW'
}

interface Basis {
  readonly overlap: Overlap
  readonly window: OverlapWindow | null
  readonly old: SeriesHistory
  readonly direction: Direction
}

export function spliceCoefficient(question: SpliceQuestion, basis: Basis): Coefficient | null {
  const { method, published, successor } = question
  const { window, old, direction, overlap } = basis
  const rounding = question.rounding ?? usualRounding
  if (overlap.averaged !== null && method !== 'RELEVEL')
    throw new Refusal(
      'invalid',
      `${old.reference} is ${old.frequency} and ${successor.reference} is ${successor.frequency}: a formula links series of one frequency only; RELEVEL puts the base on the level of the new series`,
    )
  if (method === 'PUBLISHED') {
    if (published === null)
      throw new Refusal('invalid', 'PUBLISHED needs the coefficient as it is printed, its direction and its source')
    return publishedCoefficient(published, published.source)
  }
  checkUnits(method, old, successor)
  if (method === 'SAME_LEVEL') return sameLevel
  if (method === 'RELEVEL') {
    const isComputed = question.base === null && window !== null && window.common.length >= overlap.leastLength
    return isComputed ? coefficientOf(window.common, 'OLD_TO_NEW', rounding) : null
  }
  return coefficientOf(window!.common, direction, rounding)
}

function checkUnits(method: SpliceMethod, old: SeriesHistory, successor: SeriesHistory): void {
  if (method === 'RELEVEL') return
  const differ = `${old.reference} is in "${old.unit}" and ${successor.reference} in "${successor.unit}"`
  if (method === 'SAME_LEVEL' && old.unit !== successor.unit)
    throw new Refusal(
      'invalid',
      `${differ}: they are not on one level; use OVERLAP, a PUBLISHED coefficient, or a formula version with a conversion`,
    )
  const [before, now] = [currencyOfUnit(old.unit), currencyOfUnit(successor.unit)]
  if (before !== now && (before !== null || now !== null))
    throw new Refusal(
      'invalid',
      `${differ}: one coefficient would freeze the exchange rate; use a formula version with a conversion, or a PUBLISHED coefficient`,
    )
}
