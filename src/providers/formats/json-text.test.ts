// Our JSON reader against JSON.parse: equal texts give equal values, except that numbers are kept as written.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { JsonNumber, readJson } from './json-text.ts'

/** The value that JSON.parse would give: literals become numbers. */
function plain(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.literal)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

function tried(read: () => unknown): unknown {
  try {
    return { read: read() }
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return 'refused'
  }
}

const marks = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '0',
  '-',
  '.',
  'e',
  'E+',
  '\\u00',
  'null',
  'tru',
  ' ',
  '\n',
  '\0',
]

describe('JSON', () => {
  test('is read as JSON.parse reads it, whatever its content and spacing', () => {
    const texts = fc.tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, 2, '\t'))
    fc.assert(
      fc.property(texts, ([value, space]) => {
        const text = JSON.stringify(value, null, space)
        expect(plain(readJson(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 1_000 },
    )
  })

  test('is refused whenever JSON.parse refuses it, after any change', () => {
    const change = fc.record({ at: fc.nat(), cut: fc.nat({ max: 3 }), put: fc.constantFrom('', ...marks) })
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.array(change, { maxLength: 3 }), (value, changes) => {
        const text = changes.reduce((before, { at, cut, put }) => {
          const place = at % (before.length + 1)
          return before.slice(0, place) + put + before.slice(place + cut)
        }, JSON.stringify(value))
        const ours = tried(() => plain(readJson(text)))
        // JSON.parse accepts a repeated name; our reader refuses it if the values differ.
        if (ours !== 'refused' || !/"([^"]*)".*"\1"/s.test(text)) expect(ours).toEqual(tried(() => JSON.parse(text)))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    '0',
    '-0',
    '-0.0',
    '1.10',
    '1e400',
    '39520274.000',
    '4.62416666666678912',
    '1E-7',
    '123456789012345678901',
  ])('keeps %s as it is', literal => {
    expect(readJson(` [${literal}] `)).toEqual([new JsonNumber(literal)])
  })

  test.each(['01', '+1', '.5', '1.', '1e', '0x1', 'NaN', '-', '--1', 'Infinity', '1_000'])('has no number %s', text => {
    expect(() => readJson(text)).toThrow(SyntaxError)
  })

  test('accepts a repeated name only with the same value', () => {
    expect(readJson('{"a":[1,{"b":null}],"a":[1,{"b":null}]}')).toEqual({ a: [new JsonNumber('1'), { b: null }] })
    for (const text of ['{"a":1,"a":1.0}', '{"a":[],"a":{}}', '{"__proto__":1,"__proto__":2}', '{"a":null,"a":0}'])
      expect(() => readJson(text), text).toThrow('occurs twice')
  })

  test('has own members only: no name reaches the prototype', () => {
    const value = readJson('{"__proto__":{"x":1},"constructor":2,"toString":3}') as Record<string, unknown>
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(value.x).toBeUndefined()
  })

  test('is refused if it is nested too deeply, however long it is', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(readJson(nested(limits.jsonDepth))).toBeInstanceOf(Array)
    expect(() => readJson(nested(limits.jsonDepth + 1))).toThrow(RangeError)
    expect(() => readJson('{"a":'.repeat(100_000))).toThrow(RangeError)
  })

  test('says what was expected and where', () => {
    expect(() => readJson('{"a":1,}')).toThrow('a name in quotes must come next, but character 7 is "}"')
    expect(() => readJson('[1')).toThrow('a comma or ] must follow an item, but character 2 is the end')
  })
})
