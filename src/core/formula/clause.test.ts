import { describe, expect, test } from 'vitest'
import { checkDocument } from './check/check.ts'
import { clauseLines, ratioLine } from './clause.ts'
import { controls } from './controls/controls.ts'
import { parseExpression } from './expression.ts'
import type { Formula } from './formula.ts'

function compile(clause: string, params = ''): Formula['steps'] {
  const { formula, problems } = checkDocument(`
slug: compiled
contract: { start: 2024-01-01, frequency: ANNUAL }
inputs:
  steel: { series: CUSTOM/steel, weight: 0.35, base: 2023-12 }
  labour: { series: CUSTOM/labour, weight: 0.25, base: 2023-Q4 }
${params}
clause: { fixed: 0.40, ${clause} }`)
  if (formula === null) throw new Error(JSON.stringify(problems))
  return formula.steps
}

function expressionOf(steps: Formula['steps'], name: string): string | undefined {
  return steps.find(step => step.name === name)?.expr
}

const documented = ['factor', 'movement', 'payable', 'shared', 'target', 'step', 'pct', 'applied']

const clauses = [
  '',
  'basis: CHAINED',
  'combine: RATIO_OF_SUMS',
  'adder: -0.5',
  'threshold: { pct: 3, test: EXCEEDS, pays: ALL }',
  'threshold: { pct: 3, test: REACHES, pays: EXCESS }',
  'threshold: { pct: 3, test: REACHES, pays: ALL, since: BASE }, passThrough: 0.5',
  'passThrough: [{ upTo: 3, share: 1 }, { upTo: 5, share: 0 }, { share: 0.5 }]',
  'cap: { periodPct: 5, cumulativePct: 15 }, floor: { periodPct: -5, cumulativePct: -10 }',
  'cap: { periodPct: 2.345 }, rounding: { percent: { dp: 2 } }',
  'basis: CHAINED, cap: { periodPct: 5, carryForward: true }, threshold: { pct: 1, test: EXCEEDS, pays: ALL }',
  'rounding: { ratio: { dp: 3 }, factor: { dp: 4, mode: CEILING }, percent: { multiple: 0.25 }, price: { dp: 2 } }',
]

describe('a compiled clause', () => {
  test.each(clauses)('has the documented lines in their order, each a step of the language: %s', clause => {
    const steps = compile(clause)
    const names = steps.map(({ name }) => name)
    expect(names.filter(name => documented.includes(name))).toEqual(documented)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, expr } of steps) {
      expect([...clauseLines(controls), ratioLine('steel'), ratioLine('labour')]).toContain(name)
      expect(() => parseExpression(expr)).not.toThrow()
    }
  })

  test('writes one ratio for each input, or one of weighted levels', () => {
    expect(
      compile('')
        .slice(0, 3)
        .map(({ name, expr }) => `${name} = ${expr}`),
    ).toEqual([
      'ratio_steel = steel / steel.base',
      'ratio_labour = labour / labour.base',
      'factor = 0.40 + 0.35 * ratio_steel + 0.25 * ratio_labour',
    ])
    expect(
      compile('combine: RATIO_OF_SUMS')
        .slice(0, 2)
        .map(({ name, expr }) => `${name} = ${expr}`),
    ).toEqual([
      'ratio = (0.35 * steel + 0.25 * labour) / (0.35 * steel.base + 0.25 * labour.base)',
      'factor = 0.40 + (1 - 0.40) * ratio',
    ])
  })

  test('compares with the last applied reading in a chain', () => {
    const chained = compile('basis: CHAINED')
    expect(expressionOf(chained, 'ratio_steel')).toBe('steel / steel.last')
    expect(expressionOf(chained, 'target')).toContain('prev(applied, 1)')
  })

  test('rounds where the clause says so and nowhere else', () => {
    const roundings = (clause: string) =>
      compile(clause)
        .filter(({ round }) => round !== null)
        .map(({ name }) => name)
    expect(roundings('')).toEqual([])
    expect(roundings('rounding: { ratio: { dp: 3 }, factor: { dp: 4 } }')).toEqual([
      'ratio_steel',
      'ratio_labour',
      'factor',
    ])
    expect(roundings('rounding: { percent: { dp: 2 }, total: NONE }')).toEqual(['pct'])
    expect(roundings('rounding: { total: { dp: -1 } }')).toEqual(['total'])
  })

  test('writes numbers as the document has them and params by name', () => {
    const steps = compile('adder: extra, cap: { periodPct: most }', 'params: { extra: 0.5, most: 3 }')
    expect(expressionOf(steps, 'movement')).toContain('extra / 100')
    expect(steps.some(({ expr }) => expr.includes('most / 100'))).toBe(true)
    expect(expressionOf(compile('adder: 0.25'), 'movement')).toContain('0.0025')
  })

  test('tests no threshold where only the excess is paid', () => {
    const names = compile('threshold: { pct: 3, test: EXCEEDS, pays: EXCESS }').map(({ name }) => name)
    expect(names).not.toContain('threshold_met')
  })

  test('compiles a hundred inputs with the longest names', () => {
    const name = (i: number) => `${'n'.repeat(55)}_${100 + i}`
    const inputs = Array.from(
      { length: 100 },
      (_, i) => `  ${name(i)}: { series: CUSTOM/a, weight: 0.01, base: { value: 1 } }\n`,
    )
    const text = `slug: wide\ncontract: { start: 2024-01-01, frequency: ANNUAL }\ninputs:\n${inputs.join('')}clause: {}\n`
    const { formula, problems } = checkDocument(text)
    expect(problems).toEqual([])
    expect(formula!.steps.length).toBeGreaterThan(100)
  })
})
