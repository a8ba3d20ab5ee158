import { describe, expect, test } from 'vitest'
import { formatCarried } from '../numbers/ratio.ts'
import { type Expression, ExpressionProblem, parseExpression } from './expression.ts'

/** The tree with all its brackets written out. */
function shape(tree: Expression): string {
  switch (tree.kind) {
    case 'number':
      return formatCarried(tree.value)
    case 'name':
      return tree.part === null ? tree.name : `${tree.name}.${tree.part}`
    case 'negate':
      return `(-${shape(tree.of)})`
    case 'not':
      return `(not ${shape(tree.of)})`
    case 'binary':
      return `(${shape(tree.left)} ${tree.operator} ${shape(tree.right)})`
    case 'call':
      return `${tree.name}(${tree.arguments.map(shape).join(', ')})`
  }
}

function problemOf(source: string): ExpressionProblem {
  try {
    parseExpression(source)
  } catch (error) {
    if (error instanceof ExpressionProblem) return error
    throw error
  }
  throw new Error(`${source} was read`)
}

describe('precedence', () => {
  test.each([
    ['1 + 2 * 3', '(1 + (2 * 3))'],
    ['1 * 2 + 3', '((1 * 2) + 3)'],
    ['1 - 2 - 3', '((1 - 2) - 3)'],
    ['8 / 4 / 2', '((8 / 4) / 2)'],
    ['8 / 4 * 2', '((8 / 4) * 2)'],
    ['(1 + 2) * 3', '((1 + 2) * 3)'],
    ['-a * b', '((-a) * b)'],
    ['a - -b', '(a - (-b))'],
    ['--a', '(-(-a))'],
    ['-(a + b)', '(-(a + b))'],
    ['a + b < c * d', '((a + b) < (c * d))'],
    ['a < b and c >= d', '((a < b) and (c >= d))'],
    ['a < b or c < d and e < f', '((a < b) or ((c < d) and (e < f)))'],
    ['not a < b', '(not (a < b))'],
    ['not a < b and c < d', '((not (a < b)) and (c < d))'],
    ['not (a < b or c < d)', '(not ((a < b) or (c < d)))'],
    ['not not a == b', '(not (not (a == b)))'],
    ['a <= b', '(a <= b)'],
    ['a != b', '(a != b)'],
    ['a<-b', '(a < (-b))'],
    ['min(a, b + 1, -c)', 'min(a, (b + 1), (-c))'],
    ['if(a > 1, b, c) * 2', '(if((a > 1), b, c) * 2)'],
    ['steel.base/steel', '(steel.base / steel)'],
    ['  1\n+\t2 ', '(1 + 2)'],
    ['f()', 'f()'],
  ])('reads %s as %s', (source, expected) => {
    expect(shape(parseExpression(source))).toBe(expected)
  })
})

describe('numbers and names', () => {
  test('keeps the digits of a number', () => {
    expect(parseExpression('0.150150')).toMatchObject({ kind: 'number', text: '0.150150', value: { n: 150_150n } })
  })

  test('accepts letters of any script, digits after them, and underscores', () => {
    expect(shape(parseExpression('Stähle_2 + 鋼 + _x'))).toBe('((Stähle_2 + 鋼) + _x)')
  })

  test('keeps the place of each part', () => {
    expect(parseExpression('a + steel.base')).toMatchObject({ at: 2, right: { at: 4 } })
  })
})

describe('problems', () => {
  test.each([
    ['', 1],
    ['1 +', 4],
    ['1 + + 2', 5],
    ['(1', 3],
    ['1)', 2],
    ['a b', 3],
    ['a = b', 3],
    ['1 2', 3],
    ['min(1,)', 7],
    ['a < b < c', 7],
    ['  @', 3],
    ['1e5', 1],
    ['and', 1],
    ['1 + not a', 5],
  ])('gives the place of what is wrong in "%s": character %i', (source, at) => {
    expect(problemOf(source).at).toBe(at)
  })

  test('limits depth, parts, digits and length, and accepts what is just inside', () => {
    expect(() => parseExpression(`${'('.repeat(32)}1${')'.repeat(32)}`)).not.toThrow()
    expect(problemOf(`${'('.repeat(33)}1${')'.repeat(33)}`).message).toContain('32')
    expect(problemOf('-'.repeat(2000)).message).toContain('32')
    expect(problemOf('not '.repeat(40)).message).toContain('32')
    expect(problemOf('min('.repeat(2000)).message).toContain('32')
    expect(() => parseExpression(`1${' + 1'.repeat(249)}`)).not.toThrow()
    expect(problemOf(`1${' + 1'.repeat(250)}`).message).toContain('500')
    expect(() => parseExpression('1'.repeat(60))).not.toThrow()
    expect(problemOf('1'.repeat(61)).message).toContain('60')
    expect(() => parseExpression(`1${' '.repeat(7999)}`)).not.toThrow()
    expect(problemOf(`1${' '.repeat(8000)}`).message).toContain('8000')
  })

  test('limits the depth of mixed brackets and calls', () => {
    expect(problemOf(`${'-(abs('.repeat(11)}1${'))'.repeat(11)}`).message).toContain('32')
    expect(() => parseExpression(`${'-(abs('.repeat(10)}1${'))'.repeat(10)}`)).not.toThrow()
  })
})
