import { describe, expect, it } from 'vitest'
import { countOf, firstMember, isObject, listOf, memberOf, parseJson, readWords, textOf } from './lossless.ts'

describe('JSON with its digits', () => {
  it('keeps the literal of a number', () => {
    const value = parseJson('{"a":1.10,"b":449206579.123456789012345,"c":1E3}')
    expect(['a', 'b', 'c'].map(name => textOf(memberOf(value, name)))).toEqual([
      '1.10',
      '449206579.123456789012345',
      '1E3',
    ])
  })

  it('takes numbers neither for objects nor for lists', () => {
    expect(isObject(parseJson('1'))).toBe(false)
    expect(listOf(parseJson('1'))).toEqual([])
    expect(textOf(parseJson('null'))).toBeNull()
    expect(textOf(parseJson('true'))).toBeNull()
  })

  it('finds own members only', () => {
    expect(memberOf(parseJson('{}'), 'constructor')).toBeUndefined()
    expect(firstMember(parseJson('{"a":null,"b":"x"}'), ['a', 'b'])).toBe('x')
  })

  it('counts with whole numbers from zero alone', () => {
    expect(['0', '12', '"7"'].map(text => countOf(parseJson(text)))).toEqual([0, 12, 7])
    expect(['-1', '1.5', '1e2', '"x"', 'null', '12345678901'].map(text => countOf(parseJson(text)))).toEqual(
      Array(6).fill(null),
    )
  })

  it('takes the English of several languages, else the first', () => {
    expect(readWords(parseJson('{"km":"x","en":"y"}'))).toBe('y')
    expect(readWords(parseJson('{"fr":"z"}'))).toBe('z')
    expect(readWords('plain')).toBe('plain')
  })
})
