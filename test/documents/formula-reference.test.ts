// docs/FORMULA.md is a promise: its examples give the numbers next to them, and it names every key, call and name.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { callNames } from '../../src/core/formula/expression.ts'
import { builtinNames } from '../../src/core/formula/resolve.ts'
import { allKeys } from '../../src/core/formula/schema.ts'
import { evaluateText } from '../support/agreements/evaluate-text.ts'
import { referenceExamples } from '../support/agreements/reference-examples.ts'

const text = readFileSync(new URL('../../docs/FORMULA.md', import.meta.url), 'utf8')

describe('the reference of the formula language', () => {
  test.each(referenceExamples().map(example => [example.slug, example] as const))(
    'the example %s gives the numbers beside it',
    (_, { document, figures, result }) => {
      const { adjustments, blocked } = evaluateText(document, figures)
      const rows = adjustments.map(({ period, adjustmentPct, cumulativePct, price }) =>
        [period, adjustmentPct, cumulativePct, price].join(' '),
      )
      expect(blocked).toEqual([])
      expect(rows).toEqual(result)
    },
  )

  test('names every key of a document', () => {
    const names = new Set(allKeys().map(({ path }) => path.split('.').findLast(part => part !== '*')!))
    const absent = [...names].filter(name => !new RegExp(`[\`\\s{]${name}[\`:,\\s}]`).test(text))
    expect(absent).toEqual([])
  })

  test('names every value that may be chosen', () => {
    const values = allKeys().flatMap(({ value }) => (value.kind === 'choice' ? value.choices : []))
    // The days between Monday and Sunday are shortened to their ends.
    const isDay = (value: string) => value.endsWith('DAY')
    expect(values.map(({ value }) => value).filter(value => !isDay(value) && !text.includes(value))).toEqual([])
  })

  test('names every call and every name that expressions know', () => {
    expect(callNames.filter(name => !text.includes(`${name}(`))).toEqual([])
    expect(builtinNames.filter(name => !new RegExp(`[\` ]${name}[\` ]`).test(text))).toEqual([])
  })
})
