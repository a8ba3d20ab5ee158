import { describe, expect, test } from 'vitest'
import { bracketsDocument } from '../../../test/support/agreements/brackets.ts'
import { checkDocument } from './check/check.ts'
import { documentDifferences } from './document-differences.ts'

const read = (text: string) => checkDocument(text).document
const steps = (list: string) => `
slug: s
contract: { start: 2024-01-01, frequency: QUARTERLY }
inputs: { a: { series: CUSTOM/a, base: 2023-12 } }
steps: [${list}]
result: { kind: FACTOR, step: f }
`

describe('what changed between two documents', () => {
  test('is listed by path, with what was written before and after', () => {
    const before = bracketsDocument()
    const after = bracketsDocument({
      name: 'Steel brackets, new',
      clause:
        '{ fixed: 0.40, threshold: { pct: 2, test: EXCEEDS, pays: ALL }, floor: { periodPct: -5 }, rounding: { percent: { dp: 2 } } }',
    })
    expect(documentDifferences(read(before), read(after))).toEqual([
      { path: 'name', before: 'Steel brackets', after: 'Steel brackets, new' },
      { path: 'clause.threshold.pct', before: '3', after: '2' },
      { path: 'clause.floor', before: null, after: '{ periodPct: -5 }' },
      { path: 'clause.cap', before: '{ periodPct: 5 }', after: null },
    ])
  })

  test('is nothing between a document and itself, whatever its layout', () => {
    const text = bracketsDocument()
    expect(documentDifferences(read(text), read(JSON.stringify(read(text))))).toEqual([])
  })

  test('distinguishes digits that are equal as numbers', () => {
    expect(documentDifferences(read(bracketsDocument()), read(bracketsDocument().replace('12.40', '12.4')))).toEqual([
      { path: 'contract.price.amount', before: '12.40', after: '12.4' },
    ])
  })

  test('compares steps by name, not by position', () => {
    const before = steps('{ name: r, expr: a / a.base }, { name: f, expr: r }')
    const after = steps(
      '{ name: k, expr: 1 + 1 }, { name: r, expr: a / a.base, round: { dp: 3 } }, { name: f, expr: r * k }',
    )
    expect(documentDifferences(read(before), read(after))).toEqual([
      { path: 'steps.k', before: null, after: '{ name: k, expr: 1 + 1 }' },
      { path: 'steps.r.round', before: null, after: '{ dp: 3 }' },
      { path: 'steps.f.expr', before: 'r', after: 'r * k' },
    ])
    const turned = steps('{ name: g, expr: 1 + 1 }, { name: r, expr: a / a.base }, { name: f, expr: r }')
    const swapped = steps('{ name: r, expr: a / a.base }, { name: g, expr: 1 + 1 }, { name: f, expr: r }')
    expect(documentDifferences(read(turned), read(swapped))).toEqual([
      { path: 'steps', before: 'g, r, f', after: 'r, g, f' },
    ])
  })

  test('compares lists without names by position', () => {
    const table = (rows: string) => `${steps('{ name: f, expr: "lookup(t, a)" }')}tables: { t: [${rows}] }\n`
    const before = table('{ below: 3, value: 20 }, { value: 21 }')
    const after = table('{ below: 3, value: 19 }, { below: 4, value: 20 }, { value: 21 }')
    expect(documentDifferences(read(before), read(after))).toEqual([
      { path: 'tables.t[0].value', before: '20', after: '19' },
      { path: 'tables.t[1].below', before: null, after: '4' },
      { path: 'tables.t[1].value', before: '21', after: '20' },
      { path: 'tables.t[2]', before: null, after: '{ value: 21 }' },
    ])
  })
})
