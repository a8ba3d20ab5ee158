// Bad documents: every problem is named at once, each with its path, in words a person can act on; nothing throws.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import type { Problem } from '../../src/core/refusal.ts'
import { clauseText, expressionText, stepsText } from '../support/agreements/document-text.ts'
import { type BadDocument, badContracts, badInputs, badTexts } from './bad-documents.ts'
import { badExpressions } from './bad-expressions.ts'
import { badClauses, badNumbers, badSteps } from './bad-formulas.ts'
import { halfWritten } from './half-written.ts'

/** What no message may contain, with the reason. */
const slips: readonly (readonly [RegExp, string])[] = [
  [/undefined|NaN|\[object|Infinity/, 'a value of the program'],
  [/\n|\r|\bat .*\.ts:\d|Error:|call stack/, 'a stack trace or a line end'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is tested
  [/[\u0000-\u001f\u007f]/, 'a control character'],
  [/\b(\w+) \1\b/i, 'a word twice'],
  [/ {2}|\s[,;:]|\s\.(?:\s|$)|\s$/, 'a blank too many'],
  [/\b1 (?:arguments|steps|inputs|params|tables|rows|links|characters|entries|weights|days|months)\b/, 'one of many'],
  [/\ba [aeio]|\ban (?:[bcdfgjkpqtvwxyz]|(?!hour)h)/, 'a or an'],
  [/\b(?:must|needs|takes|is)\s*$/, 'a sentence without its end'],
]

function slipsOf({ path, message }: Problem): string[] {
  const said = message.replace(/"[^"]*"/g, '"…"')
  const found = slips.filter(([pattern], i) => pattern.test(i < 3 ? message : said)).map(([, what]) => what)
  return found.map(what => `${path}: ${message} (${what})`)
}

/** The text as a whole may be unreadable in several places; every other path stands for one mistake. */
function pathsOf(problems: readonly { readonly path: string }[]): string[] {
  const whole = problems.some(({ path }) => path === '') ? [''] : []
  return [...whole, ...problems.map(({ path }) => path).filter(path => path !== '')].sort()
}

function expectProblems({ text, problems }: BadDocument): void {
  const checked = checkDocument(text)
  expect(checked.formula).toBeNull()
  const listed = checked.problems.map(({ path, message }) => `${path}: ${message}`)
  expect(pathsOf(checked.problems), listed.slice(0, 20).join('\n')).toEqual(
    pathsOf(problems.map(([path]) => ({ path }))),
  )
  for (const [path, words] of problems)
    expect(
      checked.problems.some(problem => problem.path === path && problem.message.includes(words)),
      `${words} at "${path}" in\n${listed.slice(0, 20).join('\n')}`,
    ).toBe(true)
  expect(checked.problems.flatMap(slipsOf)).toEqual([])
}

describe.each([
  ['the text', badTexts],
  ['the contract', badContracts],
  ['the inputs', badInputs],
  ['the clause', badClauses],
  ['params and tables', badNumbers],
  ['steps, names and the result', badSteps],
  ['keys without a value', halfWritten],
  ['expressions', badExpressions],
])('problems of %s', (_part, documents) => {
  test.each(documents.map(document => ({ ...document })))('names $name', document => {
    expectProblems(document)
  })
})

describe('several problems at once', () => {
  test('names all of them, wherever they are', () => {
    expectProblems({
      name: 'many',
      text: `
slug: Bad Slug
status: LIVE
colour: red
contract: { start: 2024-13-01, end: never, frequency: SOMETIMES, price: { amount: free } }
effectiveFrom: soon
parties: { buyer: Nobody }
inputs:
  steel: { series: steel, weight: 0.5, base: then, lag: later, round: { dp: many } }
  labour: { series: CUSTOM/labour, weight: 50, base: 2023-Q4, vintage: BEST }
params: { rate: high }
tables: { fuel: none }
steps:
  - { name: factor, expr: "stel + 1", note: { a: b } }
  - { name: factor, expr: "1 +" }
result: { kind: FACTOR, step: nothing }
`,
      problems: [
        ['slug', 'lower-case'],
        ['status', 'ACTIVE'],
        ['colour', 'unknown key'],
        ['contract.start', 'date'],
        ['contract.end', 'date'],
        ['contract.frequency', 'QUARTERLY'],
        ['contract.price.amount', '"free"'],
        ['contract.price.currency', 'missing'],
        ['effectiveFrom', 'date'],
        ['parties.buyer', 'list'],
        ['inputs.steel.series', 'PROVIDER/code'],
        ['inputs.steel.base', '"then"'],
        ['inputs.steel.lag', '"later"'],
        ['inputs.steel.round.dp', '"many"'],
        ['inputs.labour.weight', 'fraction of 1'],
        ['inputs.labour.vintage', 'FINAL'],
        ['params.rate', '"high"'],
        ['tables.fuel', 'rows'],
        ['steps[0].expr', 'did you mean "steel"?'],
        ['steps[0].note', 'got a mapping'],
        ['steps[1].name', 'already'],
        ['steps[1].expr', 'ends too soon'],
        ['result.step', '"nothing"'],
      ],
    })
  })

  test('names every alias of a bomb and expands none', () => {
    const levels = Array.from({ length: 12 }, (_, i) => i)
    const text = levels
      .map(i => `l${i}: &l${i} [${i === 0 ? 'boom' : Array.from({ length: 9 }, () => `*l${i - 1}`).join(', ')}]\n`)
      .join('')
    const paths = levels.slice(1).flatMap(i => Array.from({ length: 9 }, (_, j) => `l${i}[${j}]`))
    expectProblems({ name: 'bomb', text, problems: paths.map(path => [path, 'aliases'] as const) })
  })

  test('keeps a problem to one line even if the written value has several', () => {
    for (const text of [
      clauseText({ slug: '"two\\nlines"' }),
      clauseText({ status: '"tab\\there"' }),
      `${clauseText()}"a\\nkey": 1\n`,
      expressionText('nothing\n+ here'),
    ])
      for (const { path, message } of checkDocument(text).problems) expect(`${path}: ${message}`).not.toMatch(/[\n\t]/)
  })
})

describe('documents that only look wrong', () => {
  test.each([
    ['the good document with a clause', clauseText()],
    ['the good document with steps', stepsText()],
    [
      'prev in a circle',
      stepsText({
        steps:
          '[{ name: egg, expr: "prev(hen, 1) + 1" }, { name: hen, expr: "prev(egg, 1) * 2" }, { name: factor, expr: "egg" }]',
      }),
    ],
    ['prev of the step itself', expressionText('prev(factor, steel.base) + 1')],
    [
      'JSON',
      '{"slug":"a","contract":{"start":"2024-01-01","frequency":"ANNUAL"},"steps":[{"name":"f","expr":"1"}],"result":{"kind":"FACTOR","step":"f"}}',
    ],
    [
      'numbers with a sign',
      clauseText({ clause: '{ adder: +1, cap: { periodPct: +5.5 }, floor: { periodPct: -5.5 } }' }),
    ],
    [
      'weights and shares with a sign',
      clauseText({
        inputs: '{ steel: { series: CUSTOM/steel, weight: +0.6, base: 2023 } }',
        clause: '{ fixed: +0.4, combine: RATIO_OF_SUMS }',
      }),
    ],
    [
      'names in other scripts',
      stepsText({
        inputs: '{ Stähle_2: { series: CUSTOM/a, base: 2023 } }',
        steps: '[{ name: 係数, expr: "Stähle_2 / Stähle_2.base" }]',
        result: '{ kind: FACTOR, step: 係数 }',
      }),
    ],
    [
      'a series by its id',
      stepsText({ inputs: '{ steel: { series: ser_0190163d8694739b9f2d2a4a6d5f1a2b, base: 2023 } }' }),
    ],
    ['32 brackets', expressionText(`${'('.repeat(32)}1${')'.repeat(32)}`)],
    ['500 parts', expressionText(`-(1${' + 1'.repeat(249)})`)],
    ['a comment, blank lines and Windows line ends', `# a formula\r\n\r\n${clauseText().replaceAll('\n', '\r\n')}`],
    ['a byte order mark', `\ufeff${clauseText()}`],
  ])('accepts %s', (_name, text) => {
    const { formula, problems } = checkDocument(text)
    expect(problems).toEqual([])
    expect(formula).not.toBeNull()
  })
})
