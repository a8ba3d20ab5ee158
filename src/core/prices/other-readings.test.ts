import { describe, expect, test } from 'vitest'
import { bracketsDocument, bracketsTable } from '../../../test/support/agreements/brackets.ts'
import { readTable } from '../../../test/support/agreements/evaluate-text.ts'
import { checkDocument } from '../formula/check/check.ts'
import type { Formula } from '../formula/formula.ts'
import { leftOutReadings, type OtherReading, otherReadings } from './other-readings.ts'

function readings(text: string): Map<string, OtherReading> {
  const { formula, document } = checkDocument(text)
  return new Map(otherReadings(formula!, document, readTable(bracketsTable)).map(each => [each.id, each]))
}

function formulaOf(text: string, id: string): Formula {
  const { reading } = readings(text).get(id)!
  if ('notApplicable' in reading) throw new Error(reading.notApplicable)
  return reading.formula
}

function whyNot(text: string, id: string): string | null {
  const { reading } = readings(text).get(id)!
  return 'notApplicable' in reading ? reading.notApplicable : null
}

const withClause = (clause: string) => bracketsDocument({ clause })
const stepsText = `
slug: s
contract: { start: 2024-01-01, end: 2024-12-31, frequency: QUARTERLY }
inputs: { steel: { series: CUSTOM/labour, base: 2023-Q4, vintage: FIRST, lag: 3 weeks } }
steps: [{ name: f, expr: steel / steel.base }]
result: { kind: FACTOR, step: f }
`

describe('the same document read differently', () => {
  test('is measured from the other place', () => {
    expect(formulaOf(bracketsDocument(), 'basis').clause?.basis).toBe('CHAINED')
    expect(formulaOf(withClause('{ fixed: 0.40, basis: CHAINED }'), 'basis').clause?.basis).toBe('FIXED_BASE')
    expect(whyNot(withClause('{ fixed: 0.40, rounding: { total: { dp: 2 } } }'), 'basis')).toBe(
      'The clause rounds the total since the base, which a chain does not have.',
    )
    expect(whyNot(stepsText, 'basis')).toMatch(/written as steps/)
  })

  test('takes values by their tags, where there are such', () => {
    const { reading } = readings(bracketsDocument()).get('preliminary')!
    expect(reading).toMatchObject({ tag: 'PRELIMINARY' })
    expect(whyNot(stepsText, 'preliminary')).toBe('No value of the series it reads was ever published as PRELIMINARY.')
    expect(readings(stepsText).get('final')?.reading).toMatchObject({ tag: 'FINAL' })
  })

  test('takes first prints or the latest values, unless it does so already', () => {
    expect(formulaOf(bracketsDocument(), 'first').inputs.map(({ vintage }) => vintage)).toEqual(['FIRST', 'FIRST'])
    expect(whyNot(bracketsDocument(), 'latest')).toBe('The document takes the latest values already.')
    expect(whyNot(stepsText, 'first')).toBe('The document takes first prints already.')
    expect(formulaOf(stepsText, 'latest').inputs[0]?.vintage).toBe('LATEST')
  })

  test('reads a cap of each period as one since the start, and the other way round', () => {
    const cap = (text: string) => {
      const { period, cumulative } = formulaOf(text, 'cap').clause!
      return [period.cap?.text ?? null, cumulative.cap?.text ?? null]
    }
    expect(cap(bracketsDocument())).toEqual([null, '5'])
    expect(cap(withClause('{ fixed: 0.40, cap: { cumulativePct: 15 } }'))).toEqual(['15', null])
    expect(cap(withClause('{ fixed: 0.40, cap: { periodPct: 5, cumulativePct: 15 } }'))).toEqual(['15', '5'])
    const carried = '{ fixed: 0.40, basis: CHAINED, cap: { periodPct: 5, carryForward: true } }'
    expect(cap(withClause(carried))).toEqual([null, '5'])
    expect(whyNot(withClause('{ fixed: 0.40 }'), 'cap')).toBe('The clause has no cap.')
    expect(whyNot(stepsText, 'cap')).toMatch(/written as steps/)
  })

  test('says why where it does not fit the rest of the document', () => {
    const clause = '{ fixed: 0.40, cap: { cumulativePct: -1 }, floor: { periodPct: 0 } }'
    expect(whyNot(withClause(clause), 'cap')).toMatch(
      /does not allow it: clause\.cap\.periodPct: the cap lies below the floor/,
    )
  })

  test('is read one month earlier or later, counted in months', () => {
    const lags = (id: string) => formulaOf(bracketsDocument(), id).inputs.map(({ lag }) => `${lag.count} ${lag.unit}`)
    expect(lags('lag-more')).toEqual(['2 month', '7 month'])
    expect(lags('lag-less')).toEqual(['0 month', '5 month'])
    expect(whyNot(stepsText, 'lag-more')).toBe('The lag of steel is not counted in months.')
    const unlagged = bracketsDocument().replace(', lag: 1 month', '')
    expect(formulaOf(unlagged, 'lag-less').inputs[0]?.lag).toEqual({ count: -1, unit: 'month' })
    expect(formulaOf(unlagged, 'lag-more').inputs[0]?.lag).toEqual({ count: 1, unit: 'month' })
  })

  test('changes nothing else', () => {
    const plain = (formula: Formula) =>
      JSON.stringify(formula, (key, value) => (key === 'lag' || typeof value === 'bigint' ? String(value) : value))
    const { formula } = checkDocument(bracketsDocument())
    const strip = (each: Formula) =>
      plain({ ...each, inputs: each.inputs.map(input => ({ ...input, lag: { count: 0, unit: 'month' as const } })) })
    expect(strip(formulaOf(bracketsDocument(), 'lag-more'))).toBe(strip(formula!))
  })
})

describe('a document with something left out', () => {
  function leftOut(text: string): Map<string, OtherReading['reading']> {
    const { formula, document } = checkDocument(text)
    return new Map(leftOutReadings(formula!, document, new Map()).map(({ id, reading }) => [id, reading]))
  }
  const clauseOf = (text: string, id: string) => {
    const reading = leftOut(text).get(id)
    if (reading === undefined || 'notApplicable' in reading) throw new Error(reading?.notApplicable ?? `no ${id}`)
    return reading.formula.clause!
  }
  const several =
    '{ fixed: 0.40, threshold: { pct: 3, test: EXCEEDS, pays: ALL }, floor: { periodPct: -5 }, ' +
    'cap: { periodPct: 5, yearPct: 8, year: ROLLING, cumulativePct: 15, carryForward: true } }'

  test('lacks one control at a time, and keeps the others', () => {
    const text = withClause(several)
    const parts = (id: string) => {
      const { threshold, period, year, cumulative } = clauseOf(text, id)
      return [threshold, period.cap, year.cap, cumulative.cap, period.floor]
        .map(each => (each === null ? 0 : 1))
        .join('')
    }
    expect(parts('without-threshold')).toBe('01111')
    expect(parts('without-cap')).toBe('10001')
    expect(parts('without-floor')).toBe('11110')
    expect(parts('without-cap-periodPct')).toBe('10111')
    expect(parts('without-cap-yearPct')).toBe('11011')
    expect(parts('without-cap-cumulativePct')).toBe('11101')
    expect([...leftOut(text).keys()]).not.toContain('without-floor-periodPct')
  })

  test('carries nothing forward where nothing holds back any more', () => {
    const clause = '{ fixed: 0.40, cap: { periodPct: 5, cumulativePct: 15, carryForward: true } }'
    expect(clauseOf(withClause(clause), 'without-cap-periodPct').carryForward.cap).toBe(false)
    expect(clauseOf(withClause(clause), 'without-cap-cumulativePct').carryForward.cap).toBe(true)
  })

  test('says why there is nothing to leave out', () => {
    const plain = leftOut(withClause('{ fixed: 0.40 }'))
    expect([...plain].map(([id, reading]) => [id, 'notApplicable' in reading && reading.notApplicable])).toEqual([
      ['without-cap', 'The clause has no cap.'],
      ['without-floor', 'The clause has no floor.'],
      ['without-threshold', 'The clause has no threshold.'],
      ['without-fx', 'No input converts a currency.'],
    ])
    expect(leftOut(stepsText).get('without-cap')).toEqual({ notApplicable: expect.stringMatching(/written as steps/) })
  })

  test('converts no currency, and still scales', () => {
    const converts = (convert: string) =>
      leftOut(bracketsDocument().replace('lag: 1 month', `lag: 1 month, convert: ${convert}`)).get('without-fx')
    const convertOf = (convert: string) => {
      const reading = converts(convert)
      return reading !== undefined && 'formula' in reading ? reading.formula.inputs[0]!.convert : undefined
    }
    expect(convertOf('{ fx: ECB/EXR/M.USD.EUR.SP00.A, operation: DIVIDE, lag: 2 months }')).toBeNull()
    expect(convertOf('{ fx: ECB/EXR/M.USD.EUR.SP00.A, operation: DIVIDE, each: true, scale: 0.5 }')).toMatchObject({
      fx: null,
      scale: { n: 5n, d: 10n },
    })
  })
})
