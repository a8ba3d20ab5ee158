// The calendar that is read from a stored document alone is that of the whole formula.
import { describe, expect, test } from 'vitest'
import { calendarOf } from '../../src/core/formula/calendar.ts'
import { calculatingPart } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { goldenCases } from '../golden/cases.ts'

const contracts = [
  '{ start: 2023-01-31, frequency: MONTHLY }',
  '{ start: 2024-01-01, end: 2026-12-31, frequency: 4 months, firstAdjustment: 2024-02-29 }',
  '{ start: 2024-01-01, frequency: ONCE, firstAdjustment: 2024-06-15 }',
  '{ start: 2024-01-01, dates: [2024-03-15, 2024-09-01] }',
  '{ start: 2024-01-01, frequency: DAILY, price: { amount: 12.40, currency: EUR, unit: t, round: { dp: 2 } }, restart: true }',
]
const written = contracts.flatMap(contract =>
  ['', 'effectiveFrom: 2024-05-01\n'].map(
    more =>
      `slug: calendar\ncontract: ${contract}\n${more}steps: [{ name: f, expr: "1" }]\nresult: { kind: FACTOR, step: f }\n`,
  ),
)

describe('the calendar of a stored document', () => {
  test.each([...written, ...goldenCases.flatMap(({ documents }) => documents)])('is that of its formula: %s', text => {
    const { formula, document, problems } = checkDocument(text)
    expect(problems).toEqual([])
    const { contract, effectiveFrom } = formula!
    // As it comes back from the database: plain JSON, in another order.
    const kept = JSON.parse(JSON.stringify(calculatingPart(document)))
    expect(calendarOf(kept)).toEqual({ contract, effectiveFrom })
  })

  test('is an error if the contract cannot be read', () => {
    expect(() => calendarOf({ slug: 'x' })).toThrow('a stored contract cannot be read')
  })
})
