import { describe, expect, test } from 'vitest'
import type { Answer } from '../provider.ts'
import { askedFor, askedSpelling, query, withParameter } from './address.ts'

const answer = (body: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: [],
  body,
  ...more,
})

describe('addresses', () => {
  test('encode values, leave out missing ones, and change a single parameter', () => {
    const path = `/p${query([
      ['a', 'x y'],
      ['b', null],
      ['c', '1'],
    ])}`
    expect(path).toBe('/p?a=x%20y&c=1')
    expect(withParameter(path, 'c', '2')).toBe('/p?a=x%20y&c=2')
    expect(withParameter('/p', 'c', '2')).toBe('/p?c=2')
  })

  test('encode half a character that a provider sent', () => {
    expect(query([['uri', '/a\uD800']])).toBe('?uri=%2Fa%EF%BF%BD')
    expect(withParameter('/p', 'c', '\uDC00')).toBe('/p?c=%EF%BF%BD')
  })

  test('show what was requested', () => {
    expect(askedFor(answer('', { url: 'https://h/p?date=2010%3A2023' }), 'date')).toBe('2010:2023')
    expect(askedFor(answer('', { url: 'not an address' }), 'date')).toBeNull()
    expect(askedSpelling(answer('', { codes: ['md10/X'] }), ['MD10/X'])).toBe('md10/X')
    expect(askedSpelling(answer(''), ['MD10/X'])).toBe('MD10/X')
  })
})
