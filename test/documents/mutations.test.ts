// Damaged documents: whatever is cut, doubled, swapped or inserted into a good one, the result is a formula or
// problems, and a resulting formula can be evaluated.
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/core/calculation/evaluate.ts'
import { bindFormula } from '../../src/core/formula/bind.ts'
import { type CheckedDocument, checkDocument } from '../../src/core/formula/check/check.ts'
import { noCuts } from '../../src/core/series/vintage.ts'
import { addMonths } from '../../src/core/time/day.ts'
import { observations, readTable } from '../support/agreements/evaluate-text.ts'
import { roundsOf } from '../support/run/long-form.ts'

const goodDocuments = [
  `slug: brackets
name: Steel brackets
status: ACTIVE
contract:
  start: 2024-01-31
  end: 2026-12-31
  frequency: QUARTERLY
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }
parties: { buyer: [ann@buyer.test], supplier: [sam@supplier.test] }
inputs:
  steel: { series: CUSTOM/steel, weight: 0.35, base: 2023-12, lag: 1 month }
  labour: { series: CUSTOM/labour, weight: 0.25, base: 2023-Q3, lag: 2 quarters, missing: LAST_KNOWN }
clause:
  fixed: 0.40
  threshold: { pct: 3, test: EXCEEDS, pays: ALL }
  passThrough: [{ upTo: 3, share: 1 }, { share: 0.5 }]
  cap: { periodPct: 5, cumulativePct: 15, carryForward: true }
  floor: { periodPct: -5 }
  rounding: { percent: { dp: 2 }, ratio: { dp: 6, mode: DOWN } }
`,
  `slug: worksheet
contract: { start: 2023-12-15, end: 2025-06-30, frequency: 4 months }
effectiveFrom: 2024-01-01
inputs:
  steel:
    series: CUSTOM/steel
    base: 2023-10..2023-12
    window: 3 months
    using: MAX
    vintage: FIRST
    convert: { fx: CUSTOM/rate, operation: DIVIDE, lag: 10 days, window: 1 month, scale: 0.45359237 }
    links: [{ series: CUSTOM/old, until: 2015-12, coefficient: 1.1276, round: { dp: 1 } }]
    missing: { yoyEstimate: { capPct: 2 } }
    round: { multiple: 0.05, mode: CEILING }
params: { peg: 1.20, rate: [{ from: 2024-01-01, value: 3 }, { from: 2025-01-01, value: 4 }] }
tables: { fuel: [{ below: 1.95, value: 0.01 }, { atMost: 2.05, value: 0.02 }, { value: 0.10 }] }
steps:
  - { name: ratio, expr: "steel / steel.base", round: { dp: 6, mode: DOWN }, note: "cut" }
  - { name: extra, expr: "if(ratio > 1 and not (month == 12), lookup(fuel, ratio), prev(extra, 0)) + rate / 100" }
  - { name: factor, expr: "clamp(0.15 + 0.85 * ratio + extra, 0.5, max(prev(factor, 1), peg))", show: { dp: 3 } }
result: { kind: FACTOR, step: factor, show: { dp: 2 } }
`,
  '{"slug":"json","contract":{"start":"2024-01-01","frequency":"ONCE","firstAdjustment":"2024-05-16"},"inputs":{"cpi":{"series":"CUSTOM/steel","interpolate":"DAILY","lag":"3 months","base":"2024-04-10"}},"steps":[{"name":"f","expr":"round(cpi / cpi.base, 5)"}],"result":{"kind":"FACTOR","step":"f"}}',
]

function months(from: number, count: number): Record<string, string> {
  const labels = Array.from({ length: count }, (_, i) => {
    const month = from * 12 + i
    return `${Math.floor(month / 12)}-${`${(month % 12) + 1}`.padStart(2, '0')}`
  })
  return Object.fromEntries(labels.map((label, i) => [label, `${100 + i}.${i}`]))
}

const series = readTable(
  observations({
    'CUSTOM/steel': months(2022, 60),
    'CUSTOM/old': months(2014, 24),
    'CUSTOM/labour': { '2023-Q3': '100', '2023-Q4': '101', '2024-Q1': '103' },
    'CUSTOM/rate': { '2023-12-29': '1.1', '2024-04-05': '1.08', '2024-08-05': '1.09' },
  }),
)

/** Its own small generator, so that a failure names the seed that reproduces it. */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

const oddities = [
  '\u0000',
  '\t',
  '\n',
  ' ',
  ':',
  '-',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '&',
  '*',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  '#',
  ',',
  '?',
  '~',
  '0',
  '9',
  '.',
  '…',
  '\ud800',
  '\ufeff',
  '---\n',
  '<<: ',
  '1e9',
  '-1',
  'null',
  'prev(',
  '((((',
  '/ 0',
]

function mutate(text: string, random: (below: number) => number): string {
  let mutated = text
  for (let rounds = 1 + random(4); rounds > 0; rounds--) {
    const at = random(mutated.length + 1)
    const to = Math.min(mutated.length, at + 1 + random(12))
    const piece = mutated.slice(at, to)
    switch (random(5)) {
      case 0:
        mutated = mutated.slice(0, at) + mutated.slice(to)
        break
      case 1:
        mutated = mutated.slice(0, to) + piece + mutated.slice(to)
        break
      case 2:
        mutated = mutated.slice(0, at) + [...piece].reverse().join('') + mutated.slice(to)
        break
      case 3:
        mutated = mutated.slice(0, at) + oddities[random(oddities.length)]! + mutated.slice(at)
        break
      default:
        mutated = mutated.slice(0, at) + String.fromCharCode(random(256)) + mutated.slice(at + 1)
    }
  }
  return mutated
}

interface Attempt {
  readonly isFormula: boolean
  /** What went wrong, or null. */
  readonly trouble: string | null
}

function attempt(text: string): Attempt {
  const checked = checkDocument(text)
  return { isFormula: checked.formula !== null, trouble: troubleOf(checked) }
}

function troubleOf({ formula, problems }: CheckedDocument): string | null {
  if ((formula === null) !== problems.length > 0) return 'neither a formula nor problems, or both'
  if (problems.some(({ message }) => /undefined|NaN|\[object|call stack/.test(message)))
    return `a message of the program: ${JSON.stringify(problems)}`
  if (formula === null) return null
  const { bound, problems: misfits } = bindFormula(formula, series)
  if ((bound === null) !== misfits.length > 0) return 'neither bound nor misfits, or both'
  if (bound === null) return null
  const until = addMonths(formula.contract.firstAdjustment, 36)
  evaluate({ versions: [{ number: 1, bound }], cuts: noCuts, tag: null, until, today: null, after: null })
  return null
}

const times = roundsOf('properties', 'damaged documents of each good one', 250, 2_500)

describe('damaged documents', () => {
  test('begin with good ones', () => {
    for (const text of goodDocuments) expect(checkDocument(text).problems).toEqual([])
  })

  test.each(goodDocuments.map((text, i) => ({ number: i + 1, text })))(
    `give a formula or problems, ${times} times over (good document $number)`,
    ({ text, number }) => {
      const formulas: number[] = []
      for (let i = 0; i < times; i++) {
        const seed = number * 1000 + i
        const mutated = mutate(text, randomFrom(seed))
        let tried: Attempt
        try {
          tried = attempt(mutated)
        } catch (error) {
          const trouble = `threw ${error instanceof Error ? error.stack : String(error)}`
          tried = { isFormula: false, trouble }
        }
        expect(tried.trouble, `seed ${seed}:\n${mutated}`).toBeNull()
        if (tried.isFormula) formulas.push(seed)
      }
      // The damage must be neither always fatal nor never.
      expect(formulas.length).toBeGreaterThan(0)
      expect(formulas.length).toBeLessThan(0.9 * times)
    },
  )

  test('give a formula or problems when cut off anywhere', () => {
    for (const text of goodDocuments)
      for (let length = 0; length < text.length; length += 3) expect(attempt(text.slice(0, length)).trouble).toBeNull()
  })
})
