import { describe, expect, test } from 'vitest'
import { Eraser, isErased, termsOf } from './erased-text.ts'

const erased = { email: 'sam@supplier.test', names: ['sam', 'Sam O’Hara'], instead: 'erased-3' }
const eraser = new Eraser(erased)

describe('an address', () => {
  test.each([
    ['sam@supplier.test', 'erased-3'],
    ['Sam@Supplier.TEST signed.', 'erased-3 signed.'],
    ['told by sam@supplier.test.', 'told by erased-3.'],
    ['<sam@supplier.test>,', '<erased-3>,'],
  ])('is replaced in %s', (text, expected) => expect(eraser.text(text)).toBe(expected))

  test.each([
    'balsam@supplier.test',
    'sam@supplier.test.example',
    'x.sam@supplier.test',
    'sam@supplier.tests',
    'a sample',
  ])('is not seen in %s', text => expect(eraser.text(text)).toBe(text))
})

describe('a name', () => {
  test('of two words is replaced anywhere, one of one word only as the name of that person', () => {
    expect(eraser.text('Sam O’Hara and sam agree')).toBe('erased-3 and sam agree')
    const row = '{"party": "sam", "name": "sam", "of": [{"name":"sam"}]}'
    expect(eraser.json(row, '', true)).toBe('{"party": "sam", "name": "erased-3", "of": [{"name":"erased-3"}]}')
    expect(eraser.json(row, '', false)).toBe(row)
    expect(eraser.json('"sam"', 'name', true)).toBe('"erased-3"')
    expect(termsOf(erased)).toEqual(['sam@supplier.test', 'Sam O’Hara'])
  })
})

test('numbers and spaces of JSON stay byte for byte', () => {
  const json = '{"sam@supplier.test": 1.0, "at":[1e3, 12345678901234567890], "by": "a \\"sam@supplier.test\\" b"}'
  expect(eraser.json(json, '', true)).toBe(
    '{"erased-3": 1.0, "at":[1e3, 12345678901234567890], "by": "a \\"erased-3\\" b"}',
  )
})

test('what was erased is known by its form', () => {
  expect(['erased-3', 'erased-12', 'erased-0', 'erased-', 'was erased-3'].map(isErased)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
