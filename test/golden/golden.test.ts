// Receipts that were issued once must say "same" forever, whatever today's compiler writes.
import { describe, expect, test } from 'vitest'
import { hashOf, type Receipt, type ReceiptBody } from '../../src/core/receipt/receipt.ts'
import { judge } from '../support/agreements/judged.ts'
import { goldenCases } from './cases.ts'
import { readGolden } from './files.ts'
import { goldenSeal, makeGolden } from './make.ts'

const golden = readGolden()
const current = goldenCases.map(({ name }) => name)

describe('the golden receipts', () => {
  test('exist, one for each case, and nothing else', () => {
    expect([...golden.keys()]).toEqual(current.toSorted())
  })

  test.each(current)('%s is the same', async name => {
    const { problems, compiler } = await judge(golden.get(name)!, [goldenSeal.publicKey])
    expect(problems).toEqual([])
    expect(compiler!.givesSameNumber).not.toBe(false)
  })

  test('have the numbers that are computed today', () => {
    for (const each of goldenCases) {
      const { body } = JSON.parse(golden.get(each.name)!) as Receipt
      expect(makeGolden(each).body.result, each.name).toEqual(body.result)
    }
  })
})

type Wording = (body: ReceiptBody) => ReceiptBody

const inExpressions = (body: ReceiptBody, change: (expr: string) => string): ReceiptBody => ({
  ...body,
  steps: body.steps.map(step => ({ ...step, expr: change(step.expr) })),
})

/** The lines as another compiler would write them: the same numbers in other words. */
const wordings: Readonly<Record<string, Wording>> = {
  'with redundant parentheses': body => inExpressions(body, expr => `((${expr}) + 0)`),
  'with steps of other names': body => {
    const own = new Set(body.steps.map(({ name }) => name))
    const rename = (text: string) =>
      text.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, name => (own.has(name) ? `line_${name}` : name))
    const carried = JSON.stringify(body.carriedIn, (key, value) =>
      key === 'steps' ? Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), each])) : value,
    )
    return {
      ...inExpressions(body, rename),
      steps: body.steps.map(step => ({ ...step, name: rename(step.name), expr: rename(step.expr) })),
      rules: { ...body.rules, step: rename(body.rules.step) },
      carriedIn: JSON.parse(carried),
    }
  },
  'with terms in another order': body =>
    inExpressions(body, expr =>
      /^[^(),]+ \+ [^(),]+$/.test(expr) ? expr.split(' + ').toReversed().join(' + ') : expr,
    ),
}

describe.each(Object.entries(wordings))('a receipt of a compiler that writes %s', (_, reword) => {
  test.each(current)('says the same about %s', async name => {
    const body = reword((JSON.parse(golden.get(name)!) as Receipt).body)
    const receipt = goldenSeal.issue({ hash: hashOf(body), body, signatures: [] })
    const { problems, compiler } = await judge(receipt)
    expect(problems).toEqual([])
    expect(compiler!.givesSameNumber).not.toBe(false)
  })
})

test('today’s compiler is distinguished from the one that wrote the receipt', async () => {
  const body = wordings['with redundant parentheses']!((JSON.parse(golden.get('clause-bands')!) as Receipt).body)
  const { compiler } = await judge(goldenSeal.issue({ hash: hashOf(body), body, signatures: [] }))
  expect(compiler).toEqual({ writesSameSteps: false, givesSameNumber: true, difference: null, lacksLast: false })
})
