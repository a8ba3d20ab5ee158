// The kinds of random documents that are put to the engine and the oracle: by name, how one is drawn, and that both agree.

import type { Ratio } from '../../src/core/numbers/ratio.ts'
import type { Draw } from './draw.ts'
import { drawClauseScenario } from './draw-clause.ts'
import { drawReadingScenario } from './draw-readings.ts'
import { drawStepsScenario } from './draw-steps.ts'
import { drawTie, percentTie, priceTie, roundedOf, stepTie, type Tie } from './draw-ties.ts'
import { expectAgreement, isSame } from './engine.ts'
import { type Mode, modes } from './numbers.ts'

export interface Family {
  readonly name: string
  /** Draws one and throws, with the document in the message, if the two differ. */
  readonly expect: (draw: Draw) => void
}

export const documentFamilies: readonly Family[] = [
  {
    name: 'clauses with a fixed base',
    expect: draw => void expectAgreement(drawClauseScenario(draw, { basis: 'FIXED_BASE', gaps: false })),
  },
  {
    name: 'clauses with a result of their own',
    expect: draw =>
      void expectAgreement(drawClauseScenario(draw, { basis: 'FIXED_BASE', gaps: false, ownResult: true })),
  },
  {
    name: 'chained clauses',
    expect: draw => void expectAgreement(drawClauseScenario(draw, { basis: 'CHAINED', gaps: false })),
  },
  { name: 'clauses over gaps', expect: draw => void expectAgreement(drawClauseScenario(draw, { gaps: true })) },
  { name: 'worksheets', expect: draw => void expectAgreement(drawStepsScenario(draw)) },
  { name: 'readings', expect: draw => void expectAgreement(drawReadingScenario(draw)) },
]

export function expectPercentTie(draw: Draw, mode: Mode): void {
  const tie = drawTie(draw, mode, 4)
  const { adjustments } = expectAgreement(percentTie(draw, tie))
  expectRounded(adjustments[0]!.adjustmentPct!, tie)
}

export function expectStepTie(draw: Draw, mode: Mode): void {
  const tie = drawTie(draw, mode, 6)
  const { adjustments } = expectAgreement(stepTie(draw, tie))
  expectRounded(adjustments[0]!.steps[0]!.value, tie)
}

export function expectPriceTie(draw: Draw, mode: Mode): void {
  const tie = { ...drawTie(draw, mode, 4), negative: false }
  const { adjustments } = expectAgreement(priceTie(draw, tie))
  expectRounded(adjustments[0]!.price!.value, tie)
}

/** Both may agree and be wrong: what a tie comes to is known from the way it was built. */
function expectRounded(found: Ratio, tie: Tie): void {
  const expected = roundedOf(tie)
  if (!isSame(found, expected))
    throw new Error(`${found.n}/${found.d} instead of ${expected.toFraction()} for ${JSON.stringify(tie.rounding)}`)
}

export const tieFamilies: readonly Family[] = modes.flatMap(mode => [
  { name: `percentages by ${mode}`, expect: draw => expectPercentTie(draw, mode) },
  { name: `steps by ${mode}`, expect: draw => expectStepTie(draw, mode) },
  { name: `prices by ${mode}`, expect: draw => expectPriceTie(draw, mode) },
])
