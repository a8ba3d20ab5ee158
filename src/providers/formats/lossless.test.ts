import { describe, expect, test } from 'vitest'
import {
  countOf,
  firstMember,
  isRecord,
  itemsOf,
  literalOf,
  member,
  parseJson,
  readWords,
  textOf,
  wholeOf,
  wordsOf,
} from './lossless.ts'

describe('JSON with its digits', () => {
  test('keeps the literal of a number', () => {
    const value = parseJson('{"a":1.10,"b":449206579.123456789012345,"c":1E3}')
    expect(['a', 'b', 'c'].map(name => textOf(member(value, name)))).toEqual([
      '1.10',
      '449206579.123456789012345',
      '1E3',
    ])
  })

  test('does not treat numbers as objects or lists', () => {
    expect(isRecord(parseJson('1'))).toBe(false)
    expect(itemsOf(parseJson('1'))).toEqual([])
    expect(textOf(parseJson('null'))).toBeNull()
    expect(textOf(parseJson('true'))).toBeNull()
  })

  test('finds own members only', () => {
    expect(member(parseJson('{}'), 'constructor')).toBeUndefined()
    expect(firstMember(parseJson('{"a":null,"b":"x"}'), ['a', 'b'])).toBe('x')
  })

  test('accepts only whole numbers from zero up', () => {
    expect(['0', '12', '"7"'].map(text => countOf(parseJson(text)))).toEqual([0, 12, 7])
    expect(['-1', '1.5', '1e2', '"x"', 'null', '12345678901'].map(text => countOf(parseJson(text)))).toEqual(
      Array(6).fill(null),
    )
  })

  test('prefers English among several languages, else takes the first', () => {
    expect(readWords(parseJson('{"km":"x","en":"y"}'))).toBe('y')
    expect(readWords(parseJson('{"fr":"z"}'))).toBe('z')
    expect(readWords('plain')).toBe('plain')
  })

  test('keeps the literal of every number, however long', () => {
    const value = parseJson('{"a": 2.0, "b": 1.10, "c": 12345678901234567890}')
    expect(['a', 'b', 'c'].map(name => literalOf(member(value, name)))).toEqual(['2.0', '1.10', '12345678901234567890'])
  })

  test('shows only members of their own', () => {
    const value = parseJson('{"__proto__": {"seen": 1}, "a": null}')
    expect(member(value, 'seen')).toBeUndefined()
    expect(member(value, 'toString')).toBeUndefined()
    expect(member(value, 'a')).toBeNull()
    expect(member([1], 'length')).toBeUndefined()
  })

  test('reads words and whole numbers from strings and numbers alike', () => {
    expect([wordsOf(' a '), wordsOf(''), wordsOf(null), wordsOf({})]).toEqual(['a', null, null, null])
    expect([wholeOf('6949'), wholeOf('1.5'), wholeOf(undefined)]).toEqual([6949, null, null])
  })
})
