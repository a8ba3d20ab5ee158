// Narratives of random documents: every line with numbers in place of names computes to its own value again, every
// adjustment has a sentence, and the text comes from the receipt alone.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bindFormula } from '../../src/core/formula/bind.ts'
import { calculatingText } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { parseExpression } from '../../src/core/formula/expression.ts'
import type { Formula } from '../../src/core/formula/formula.ts'
import { resolveExpression, type StepContext } from '../../src/core/formula/resolve.ts'
import { equal, round } from '../../src/core/numbers/ratio.ts'
import { WorkBudget } from '../../src/core/numbers/work-budget.ts'
import { narrate } from '../../src/core/receipt/narrative.ts'
import { buildBody } from '../../src/core/receipt/receipt.ts'
import { readBody } from '../../src/core/receipt/receipt-parser.ts'
import { compileAgain, firstDifference, replay } from '../../src/core/receipt/replay.ts'
import { type WorkedLine, workReceipt } from '../../src/core/receipt/worked-steps.ts'
import { writeDocument } from '../oracle/document.ts'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawClauseScenario } from '../oracle/draw-clause.ts'
import { drawStepsScenario } from '../oracle/draw-steps.ts'
import { askEngine, readData } from '../oracle/engine.ts'
import type { Scenario } from '../oracle/oracle.ts'
import { surroundingsOf } from '../support/agreements/worked-receipts.ts'
import { roundsOf } from '../support/run/long-form.ts'

const nothingToAsk = new Proxy({ work: new WorkBudget() } as StepContext, {
  get: (context, name) =>
    name === 'work' || name === 'choices'
      ? context[name]
      : () => {
          throw new Error('a name was left where a number was known')
        },
})

/** How many of the lines could be computed from the text: no name left in them, and nothing cut. */
function expectNarrated(scenario: Scenario): number {
  const text = writeDocument(scenario.document)
  const { formula, document } = checkDocument(text)
  const versions = [{ number: 1, bound: bindFormula(formula!, readData(scenario.data)).bound! }]
  const documents = new Map([[1, calculatingText(document)]])
  let computed = 0
  for (const adjustment of askEngine(scenario).adjustments) {
    const body = buildBody(adjustment, versions, surroundingsOf(formula!, documents))
    const replayed = replay(readBody(body))
    expect(firstDifference(replayed)).toBeNull()
    expect(compileAgain(replayed)).toEqual({
      writesSameSteps: true,
      givesSameNumber: true,
      difference: null,
      lacksLast: false,
    })
    const worked = workReceipt(body)
    expect(worked.adjustment.period).toBe(adjustment.period)
    worked.lines.forEach(({ value }, i) => {
      expect(equal(value, adjustment.steps[i]!.value)).toBe(true)
    })
    computed += worked.lines.filter(line => computesAgain(line, formula!)).length
    const sentence = narrate(worked)
    expect(sentence).toMatch(/^\p{Lu}.*\.$/u)
    expect(sentence).not.toMatch(/undefined|NaN|\[object|[+−-]{2}|\s-\d/)
  }
  return computed
}

function computesAgain({ numbers, step, value }: WorkedLine, { tables }: Formula): boolean {
  if (numbers.includes('…')) return false
  const scope = { inputs: [], params: [], tables, steps: [], visible: 0, hasPrice: false, isCompiled: false }
  const { expression } = resolveExpression(parseExpression(numbers, false), scope)
  if (expression === null) return false
  const again = expression.evaluate(nothingToAsk)
  const carried = step.round === null ? again : round(again, step.round)
  if (!equal(carried, value))
    throw new Error(`${step.name}: ${step.expr} is told as ${numbers}, which is another number`)
  return true
}

function expectAllNarrated(draw: (draw: Draw) => Scenario, runs: number): void {
  let computed = 0
  fc.assert(
    fc.property(fc.gen(), generate => {
      computed += expectNarrated(draw(new Draw(generate)))
    }),
    hunt(runs),
  )
  expect(computed).toBeGreaterThan(runs)
}

const narratives = roundsOf('properties', 'narratives of each kind', 10, 100)

describe('narratives of random adjustments', () => {
  test(`are true for ${narratives} clauses with a fixed base`, () => {
    expectAllNarrated(draw => drawClauseScenario(draw, { basis: 'FIXED_BASE', gaps: false }), narratives)
  })

  test(`are true for ${narratives} chained clauses`, () => {
    expectAllNarrated(draw => drawClauseScenario(draw, { basis: 'CHAINED', gaps: true }), narratives)
  })

  test(`are true for ${narratives} documents written as steps`, () => {
    expectAllNarrated(draw => drawStepsScenario(draw), narratives)
  })
})
