// The budget of work: a document written to be slow ends with a sentence, the same on every machine, and ordinary
// documents are nowhere near it.
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/core/calculation/evaluate.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { WorkBudget } from '../../src/core/numbers/work-budget.ts'
import { noCuts } from '../../src/core/series/vintage.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { bindText } from '../support/agreements/evaluate-text.ts'
import { slowDocuments } from '../support/agreements/slow-documents.ts'

const until = parseDay('2026-01-01')!

function run(text: string, work = new WorkBudget({ units: 5_000_000, receiptUnits: 5_000_000 })) {
  const versions = [{ number: 1, bound: bindText(text, new Map()) }]
  return evaluate({ versions, cuts: noCuts, tag: null, until, today: null, after: null, work })
}

const tooMuch = /more work than the 30 million operations that one formula may take; round a value that is carried on/

describe('the budget of work', () => {
  test.each(slowDocuments().map(document => [document.name, document.text]))(
    'ends %s with a sentence',
    (_name, text) => {
      expect(checkDocument(text).problems).toEqual([])
      const { blocked } = run(text)
      expect(blocked.at(-1)!.gap).toMatchObject({ kind: 'work', sentence: expect.stringMatching(tooMuch) })
    },
    20_000,
  )

  test('blocks the same periods each time', () => {
    const text = slowDocuments({ steps: 20 })[0]!.text
    const periods = () =>
      run(text, new WorkBudget({ units: 1_000_000, receiptUnits: 1_000_000 })).blocked.map(({ period }) => period)
    expect(periods()).toEqual(periods())
    expect(periods().length).toBeGreaterThan(0)
  })

  test('passes on the error of its owner when that is not a refusal', () => {
    class GivenUp extends Error {}
    const work = new WorkBudget({ units: 10_000, receiptUnits: 10_000 }, () => new GivenUp())
    expect(() => run(slowDocuments()[0]!.text, work)).toThrow(GivenUp)
  })

  test('leaves a long contract with a chain of unrounded factors alone', () => {
    const text = `slug: chain
contract: { start: 2000-01-01, frequency: MONTHLY }
params: { growth: [{ from: 2000-01-01, value: 1.0023 }, { from: 2010-01-01, value: 0.9987 }] }
steps:
  - { name: factor, expr: "prev(factor, 1) * growth / 1.001" }
result: { kind: FACTOR, step: factor }
`
    expect(run(text).blocked).toEqual([])
  })
})
