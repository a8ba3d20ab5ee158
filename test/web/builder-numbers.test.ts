import { describe, expect, test } from 'vitest'
import type { Preview, PreviewEntry } from '../../src/views/shapes/agreements.ts'
import { formatNumbersInWords, hasChoice, numbersOf } from '../../web/pages/agreements/builder/result/numbers.ts'

const entry = (adjustmentPct: string): PreviewEntry => ({
  period: '2024-Q2',
  adjustmentDate: '2024-04-01',
  adjustmentPct,
  cumulativePct: adjustmentPct,
  factor: '1',
  price: null,
  dataVersion: 'FINAL',
  controls: [],
})
const preview = (inForce: Preview['inForce']): Preview => ({
  problems: [],
  warnings: [],
  entries: [entry('1')],
  blocked: [],
  steps: [],
  before: [entry('2')],
  inForce,
  inputs: [],
})

describe('the numbers a result shows', () => {
  test('are those in force if something is stored, and the whole history on request', () => {
    const kept = preview({ before: [entry('3')], after: [entry('4')], signed: 2, reach: null })
    expect(numbersOf(kept, 'in-force')).toMatchObject({ entries: [entry('4')], before: [entry('3')] })
    expect(numbersOf(kept, 'history')).toBe(kept)
    expect(hasChoice(kept)).toBe(true)
    expect(formatNumbersInWords(kept, 'in-force')).toContain('2 signed periods stay as signed')
  })

  test('are the history if nothing is stored or the document cannot be computed', () => {
    const fresh = preview(null)
    const broken = preview({ before: [entry('3')], after: null, signed: 0, reach: null })
    for (const each of [fresh, broken]) {
      expect(numbersOf(each, 'in-force')).toBe(each)
      expect(hasChoice(each)).toBe(false)
    }
  })
})
