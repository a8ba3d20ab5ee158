import { describe, expect, test } from 'vitest'
import { readStrictJson } from './strict-json.ts'

const bounds = { length: 10_000, depth: 8 }
const read = (text: string) => readStrictJson(text, 'it', bounds)

describe('strict JSON', () => {
  test.each([
    '{}',
    '[]',
    ' {"a" : [1, -2, 0, true, false, null, "x"],\n"b":{"c":"\\u00e9\\n\\"\\\\"}} ',
    '"\\ud83d\\ude00"',
    '{"__proto__":{"a":1},"constructor":2}',
    '9007199254740991',
  ])('reads %s as any reader does', text => {
    expect(read(text)).toEqual(JSON.parse(text))
  })

  test('keeps __proto__ as a key of its own', () => {
    expect(Object.keys(read('{"__proto__":1}') as object)).toEqual(['__proto__'])
  })

  test.each([
    ['{"a":1,"a":1}', 'the key "a" is repeated'],
    ['{"a":1,"\\u0061":2}', 'the key "a" is repeated'],
    ['{"x":{"b":1,"b":2}}', 'the key "b" is repeated'],
    ['{} {}', 'text after its end'],
    ['1.5', 'not whole'],
    ['1e3', 'not whole'],
    ['-0', 'not a number it may hold'],
    ['9007199254740992', 'not a number it may hold'],
    ['01', 'not whole'],
    ['NaN', 'not whole'],
    ['"\\ud83d"', 'lone surrogate'],
    ['"\ude00"', 'lone surrogate'],
    ['"a', 'not closed'],
    ['"\\x"', 'unknown escape'],
    ['"a\nb"', 'control character'],
    ['[1', 'a list is not closed'],
    ['[1,]', 'a value is missing'],
    ['{"a":1,}', 'a key is missing'],
    ['{"a" 1}', 'a colon is missing'],
    ['{a:1}', 'a key is missing'],
    ['', 'a value is missing'],
    ['\ufeff{}', 'a value is missing'],
    ["{'a':1}", 'a key is missing'],
    ['[1] // all', 'text after its end'],
    [`${'['.repeat(10)}${']'.repeat(10)}`, 'nested deeper than 8'],
  ])('refuses %s', (text, why) => {
    expect(() => read(text)).toThrow(why)
  })

  test('refuses what is too long before reading it, and reads a long text', () => {
    expect(() => read(`"${'x'.repeat(10_000)}"`)).toThrow('too large')
    const long = `"${'x'.repeat(2_000_000)}\\n"`
    expect(readStrictJson(long, 'it', { length: 3_000_000, depth: 1 })).toBe(`${'x'.repeat(2_000_000)}\n`)
  })

  test('refuses more values than it may hold, of whichever kind, and counts no keys', () => {
    const bounded = (text: string) => readStrictJson(text, 'it', { ...bounds, values: 4 })
    expect(bounded('{"a":[{}],"b":"x"}')).toEqual({ a: [{}], b: 'x' })
    for (const five of ['[{},{},{},{}]', '[[[],0],\n[]]', '{"a":0,"b":1,"c":2,"d":3}', '["",null,true,1]'])
      expect(() => bounded(five)).toThrow('it holds more than 4 values (line ')
  })
})
