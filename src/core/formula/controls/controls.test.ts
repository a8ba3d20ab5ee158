// One home per control: a control that is added in one file is checked, compiled, explained, narrated, advised on and read
// differently, and a key that is in no table cannot be read.
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../calculation/evaluate.ts'
import { multiply, one, ratio, subtract } from '../../numbers/ratio.ts'
import { otherReadings } from '../../prices/other-readings.ts'
import { narrate } from '../../receipt/narrative.ts'
import { buildHistory } from '../../series/vintage.ts'
import { bindFormula } from '../bind.ts'
import { checkDocument } from '../check/check.ts'
import { clauseKeys } from '../check/check-clause.ts'
import { contractKeys, correctionsKeys, documentKeys, partyKeys, resultKeys, stepKeys } from '../check/document-keys.ts'
import { inputKeys } from '../check/input-keys.ts'
import { type KeySpec, number } from '../check/keys.ts'
import { lint } from '../check/lint.ts'
import { clauseLines } from '../clause.ts'
import { nothingKnown } from '../series-habits.ts'
import type { ClauseNumber } from '../terms.ts'
import type { Control } from './control.ts'
import { controls } from './controls.ts'
import { number as inExpression } from './expressions.ts'

const rebateOf = (clause: object) => (clause as { rebate: ClauseNumber | null }).rebate

/** A rebate: part of the passed-on movement is given back. Everything about it is defined here. */
const rebate: Control<ClauseNumber | null> = {
  name: 'rebate',
  keys: [
    {
      path: 'clause.rebate',
      label: 'Rebate',
      help: 'The share of the movement that is given back.',
      value: number('fraction', true),
      otherwise: '0',
    },
  ],
  points: { rebate: 'the rebate' },
  lines: ['rebated'],
  check: ({ clause, numbers }) => numbers.read(clause, 'rebate'),
  judge: (clause, { clause: fields }) => {
    if (rebateOf(clause) !== null && clause.basis === 'CHAINED') fields.refuse('rebate', 'rebate needs FIXED_BASE')
  },
  link: {
    line: 'rebated',
    note: 'after the rebate',
    expr: (before, { clause }) => {
      const share = rebateOf(clause)
      return share === null ? before : `${before} * (1 - ${inExpression(share)})`
    },
  },
  tell: {
    shared: narrator => {
      const share = rebateOf(narrator.clause)
      if (share !== null) narrator.say(`After the rebate ${narrator.fraction(narrator.line('rebated'))} is left.`)
    },
  },
  advise: clause =>
    rebateOf(clause) === null ? [] : [{ path: 'clause.rebate', message: 'a rebate is easily mistaken for a share' }],
  readings: subject => [
    {
      id: 'rebate',
      title: 'Without the rebate',
      words: 'Nothing is given back.',
      reading:
        subject === null || rebateOf(subject.clause) === null
          ? { notApplicable: 'The clause has no rebate.' }
          : { clause: Object.fromEntries(Object.entries(subject.written).filter(([key]) => key !== 'rebate')) },
    },
  ],
}

const withRebate = [...controls.slice(0, 3), rebate, ...controls.slice(3)]

const text = (clause: string) => `
slug: rebate
contract: { start: 2020-01-01, end: 2021-12-31, frequency: ANNUAL }
inputs: { index: { series: CUSTOM/index, weight: 1, base: { value: 100 } } }
clause: ${clause}`

const data = new Map([
  [
    'CUSTOM/index',
    buildHistory(
      { reference: 'CUSTOM/index', name: 'Index', unit: '', frequency: 'ANNUAL' },
      new Map([
        [2021, [{ value: '110', tag: 'FINAL', flag: null, publishedAt: '2022-01-01T00:00:00Z', recordedAt: null }]],
      ]),
    ),
  ],
])

function check(clause: string) {
  const { formula, problems, document } = checkDocument(text(clause), withRebate)
  return { formula, problems, document }
}

function run(clause: string) {
  const { formula } = check(clause)
  const { bound } = bindFormula(formula!, data)
  const request = { cuts: { asOf: null, knownAt: null }, tag: null, until: 99_999, today: null, after: null }
  const { adjustments } = evaluate({ versions: [{ number: 1, bound: bound! }], ...request })
  return { formula: formula!, adjustment: adjustments[0]! }
}

describe('a control that is added in one file', () => {
  test('is checked: its key, its number, what it can be combined with', () => {
    expect(checkDocument(text('{ rebate: 0.2 }')).problems.map(({ message }) => message)).toEqual([
      'unknown key "rebate"',
    ])
    expect(check('{ rebate: 0.2 }').problems).toEqual([])
    expect(check('{ rebate: much }').problems.map(({ path }) => path)).toEqual(['clause.rebate'])
    expect(check('{ rebate: 0.2, basis: CHAINED }').problems[0]?.message).toBe('rebate needs FIXED_BASE')
  })

  test('is compiled, in its place', () => {
    const names = run('{ rebate: 0.2, passThrough: 0.5 }').formula.steps.map(({ name, expr }) => `${name} = ${expr}`)
    const at = names.indexOf('shared = 0.5 * payable')
    expect(names.slice(at + 1, at + 3)).toEqual(['rebated = shared * (1 - 0.2)', 'target = 1 + rebated'])
  })

  test('appears in the breakdown with its points', () => {
    const { adjustment } = run('{ rebate: 0.2, passThrough: 0.5 }')
    const points = adjustment.breakdown.controls.map(
      ({ control, points: { n, d } }) => `${control} ${Number(n) / Number(d)}`,
    )
    expect(points).toEqual(['passThrough -5', 'rebate -1'])
    expect(multiply(subtract(adjustment.factor, one), ratio('100')).n).toBeGreaterThan(0n)
  })

  test('appears in the narrative', () => {
    expect(narrate(run('{ rebate: 0.2 }'))).toBe(
      'Index rose 10.00 %. After the rebate +8.00 % is left. That is applied.',
    )
  })

  test('is advised on, and read differently', () => {
    const { formula, document } = check('{ rebate: 0.2 }')
    expect(lint(formula!, { data, today: null, habits: nothingKnown }).map(({ path }) => path)).toContain(
      'clause.rebate',
    )
    const reading = otherReadings(formula!, document, data).find(({ id }) => id === 'rebate')
    expect(reading?.title).toBe('Without the rebate')
    expect('formula' in reading!.reading).toBe(true)
  })

  test('takes a name that no step may have', () => {
    expect(clauseLines(withRebate)).toContain('rebated')
    const { problems } = checkDocument(`${text('{ rebate: 0.2 }')}\nsteps: [{ name: rebated, expr: "1" }]`, withRebate)
    expect(problems[0]?.message).toContain('already the name of a line of the clause')
  })

  test('has its key where forms and completion look for it', () => {
    expect(clauseKeys(withRebate).map(({ path }) => path)).toContain('clause.rebate')
  })
})

describe('keys', () => {
  test('without a home cannot be read', () => {
    const homeless: Control = { ...rebate, keys: [] }
    expect(() => checkDocument(text('{}'), [...controls, homeless])).toThrow('"rebate" of clause is in no table')
  })

  test.each([
    ['clause', clauseKeys()],
    ['inputs', inputKeys],
    ['contract', contractKeys],
    ['document', [...documentKeys, ...partyKeys, ...stepKeys, ...resultKeys, ...correctionsKeys]],
  ])('of the %s are each there once, named and explained', (_part, specs: readonly KeySpec[]) => {
    const paths = specs.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const { path, label, help, value } of specs) {
      expect(label, path).not.toBe('')
      expect(help.length, path).toBeGreaterThan(8)
      if (value.kind === 'choice') expect(value.choices.length, path).toBeGreaterThan(1)
    }
  })
})
