// What each input and each control contributed adds up to the adjustment: exactly, and as it is printed.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Adjustment } from '../../src/core/calculation/adjustment.ts'
import { type Ratio, ratio, sum } from '../../src/core/numbers/ratio.ts'
import { presentAdjustment } from '../../src/core/receipt/calculation.ts'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawClauseScenario } from '../oracle/draw-clause.ts'
import { askEngine, isSame } from '../oracle/engine.ts'
import { decimal, type Fraction, hundred, zero } from '../oracle/numbers.ts'
import { giveOpinion, type Scenario } from '../oracle/oracle.ts'
import { roundsOf } from '../support/run/long-form.ts'

const knownControls = [
  'adder',
  'threshold',
  'passThrough',
  'cumulativeCap',
  'cumulativeFloor',
  'yearCap',
  'yearFloor',
  'periodCap',
  'periodFloor',
  'carryForward',
  'rounding',
]

function isEqual(a: Ratio, b: Ratio): boolean {
  return a.n * b.d === b.n * a.d
}

function expectSums(adjustment: Adjustment): void {
  const { components, controls } = adjustment.breakdown
  if (adjustment.adjustmentPct === null) {
    expect(controls, 'from a price of 0 nothing adds up to a percent').toEqual([])
    return
  }
  const exact = sum([...components.map(({ contribution }) => contribution), ...controls.map(({ points }) => points)])
  expect(isEqual(exact, adjustment.adjustmentPct), `${adjustment.period}: the exact points`).toBe(true)
  const printed = presentAdjustment(adjustment)
  const shown = sum([
    ...printed.components.map(({ contribution }) => ratio(contribution)),
    ...printed.controls.map(({ points }) => ratio(points)),
  ])
  expect(isEqual(shown, ratio(printed.adjustmentPct!)), `${adjustment.period}: the printed points`).toBe(true)
  for (const { control, points } of printed.controls) {
    expect(knownControls).toContain(control)
    expect(points, `${control} is listed although it took and gave nothing`).not.toBe('0')
  }
}

/**
 * In the first period there is nothing to catch up with. Where nothing is rounded before the percent and the weights make
 * 1, what the period limits and the rounding did is the difference between two lines.
 */
function expectFirstPoints({ breakdown, period }: Adjustment, scenario: Scenario): void {
  const { rounding, cap, floor, tolerance } = scenario.document.clause!
  if (rounding?.ratio !== undefined || rounding?.factor !== undefined || tolerance !== undefined) return
  if (rounding?.total !== undefined || cap?.yearPct !== undefined || floor?.yearPct !== undefined) return
  const [high, low] = [numberOf(cap?.periodPct), numberOf(floor?.periodPct)]
  if (high === 'a param' || low === 'a param') return
  const { isApplied, lines } = giveOpinion(scenario).entries[0]!
  if (!isApplied) return
  const [step, pct] = [lines.get('step')!.mul(hundred), lines.get('pct')!]
  const expectPoints = (control: string, points: Fraction) => {
    const found = breakdown.controls.find(candidate => candidate.control === control)?.points ?? { n: 0n, d: 1n }
    expect(isSame(found, points), `${period}: ${control} has ${found.n}/${found.d}, not ${points.toFraction()}`).toBe(
      true,
    )
  }
  const isAbove = high !== null && step.compare(high) > 0
  const isBelow = low !== null && step.compare(low) < 0
  const held = isAbove ? high : isBelow ? low : step
  expectPoints('periodCap', isAbove ? high.sub(step) : zero)
  expectPoints('periodFloor', isBelow ? low.sub(step) : zero)
  expectPoints('rounding', pct.sub(held))
}

function numberOf(text: string | undefined): Fraction | 'a param' | null {
  if (text === undefined) return null
  return /^[-\d]/.test(text) ? decimal(text) : 'a param'
}

const clauses = roundsOf('properties', 'sums of contributions in each basis', 100, 1_000)

describe('contributions and controls', () => {
  test.each(['FIXED_BASE', 'CHAINED'] as const)(
    `add up to the adjustment in ${clauses} clauses with basis %s`,
    basis => {
      const property = fc.property(fc.gen(), generate => {
        const scenario = drawClauseScenario(new Draw(generate), { basis, gaps: true })
        askEngine(scenario).adjustments.forEach((adjustment, i) => {
          expectSums(adjustment)
          if (i === 0) expectFirstPoints(adjustment, scenario)
        })
      })
      fc.assert(property, hunt(clauses))
    },
  )
})
