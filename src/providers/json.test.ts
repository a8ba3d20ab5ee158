import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  askedFor,
  askedSpelling,
  blankKeys,
  failureOf,
  joinReadings,
  kindOfStatus,
  literalOf,
  member,
  openBody,
  parseXml,
  plainDecimal,
  query,
  sentence,
  wholeOf,
  withKeys,
  withoutKeys,
  withParameter,
  wordsOf,
} from './json.ts'
import type { Answer } from './provider.ts'

const answer = (body: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: [],
  body,
  ...more,
})
const failure = (body: string, status = 200) => {
  const came = answer(body, { status })
  return failureOf(came, openBody(came), withoutKeys).problems[0]!
}

describe('a figure as a plain decimal', () => {
  test.each([
    ['333.020', '333.020'],
    ['-0.0', '-0.0'],
    ['.11326150549', '0.11326150549'],
    ['-.5', '-0.5'],
    ['3.9520274E7', '39520274'],
    ['1.50E1', '15.0'],
    ['1e-5', '0.00001'],
    ['2.5e-05', '0.000025'],
    ['1E3', '1000'],
    ['0.00123E2', '0.123'],
    ['+7', '7'],
    ['5.', '5'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is %s, with no digit changed', (literal, plain) => expect(plainDecimal(literal)).toBe(plain))

  test.each(['NaN', 'Infinity', '-Infinity', '', '.', '-', '1,234', '1 000', '0x1F', '1e', '1e400', '12abc', '½'])(
    '%s is no figure',
    literal => expect(plainDecimal(literal)).toBeNull(),
  )

  test('agrees with exact arithmetic for any digits and exponent', () => {
    const digits = fc.stringMatching(/^\d{1,12}$/)
    fc.assert(
      fc.property(digits, digits, fc.integer({ min: -20, max: 20 }), (whole, part, exponent) => {
        const plain = plainDecimal(`${whole}.${part}E${exponent}`)!
        const [left, right = ''] = plain.split('.') as [string, string?]
        const scale = 10n ** 40n
        const value = (BigInt(left + right) * scale) / 10n ** BigInt(right.length)
        const expected = (BigInt(whole + part) * scale * 10n ** BigInt(exponent + 20)) / 10n ** BigInt(part.length + 20)
        return value === expected
      }),
    )
  })
})

describe('bodies', () => {
  test('are told apart by their first characters, whatever the content type says', () => {
    expect(openBody(answer('\uFEFF [1]')).form).toBe('json')
    expect(openBody(answer('<?xml version="1.0"?><error code="400"/>')).form).toBe('xml')
    expect(openBody(answer('<!DOCTYPE html><html><title>Down</title></html>')).form).toBe('html')
    expect(openBody(answer('dataset not found')).form).toBe('text')
    expect(openBody(answer('{"cut": [1, 2')).form).toBe('broken')
    expect(openBody(answer(' \n')).form).toBe('empty')
  })

  test('that are nested past all measure are broken, not a crash', () => {
    expect(openBody(answer('['.repeat(200_000))).form).toBe('broken')
  })

  test('keep the literal of every number', () => {
    const body = openBody(answer('{"a": 2.0, "b": 1.10, "c": 12345678901234567890}'))
    const value = body.form === 'json' ? body.value : null
    expect(['a', 'b', 'c'].map(name => literalOf(member(value, name)))).toEqual(['2.0', '1.10', '12345678901234567890'])
  })

  test('show only members of their own', () => {
    const body = openBody(answer('{"__proto__": {"seen": 1}, "a": null}'))
    const value = body.form === 'json' ? body.value : null
    expect(member(value, 'seen')).toBeUndefined()
    expect(member(value, 'toString')).toBeUndefined()
    expect(member(value, 'a')).toBeNull()
    expect(member([1], 'length')).toBeUndefined()
  })

  test('in XML lose their prefixes; a DOCTYPE is refused', () => {
    expect(parseXml('<w:e xmlns:w="x"><w:m id="1">a &amp; b</w:m></w:e>')?.[0]).toEqual({
      name: 'm',
      attributes: { id: '1' },
      text: 'a & b',
    })
    expect(parseXml('<!DOCTYPE e [<!ENTITY x "y">]><e>&x;</e>')).toBeNull()
    expect(parseXml('<e><open></e>')).toBeNull()
  })

  test('give words and whole numbers from texts and numbers alike', () => {
    expect([wordsOf(' a '), wordsOf(''), wordsOf(null), wordsOf({})]).toEqual(['a', null, null, null])
    expect([wholeOf('6949'), wholeOf('1.5'), wholeOf(undefined)]).toEqual([6949, null, null])
  })
})

describe('a failure', () => {
  test.each([
    ['<html><head><title>Service Unavailable</title></head></html>', 200, 'provider-error'],
    ['<html><head><title>404 Page not found</title></head></html>', 200, 'unknown-series'],
    ['<html><head><title>Access Denied</title></head></html>', 403, 'provider-error'],
    ['dataset not found', 200, 'unknown-series'],
    ['Too Many Requests', 429, 'rate-limited'],
    ['what is this', 200, 'unreadable'],
    ['{"cut', 200, 'unreadable'],
    ['{"cut', 503, 'provider-error'],
    ['', 200, 'provider-error'],
    ['', 429, 'rate-limited'],
  ])('%s with status %i is %s', (body, status, kind) => expect(failure(body, status).kind).toBe(kind))

  test('has a kind by its status where that tells', () => {
    const kinds = [200, 400, 403, 404, 406, 409, 413, 422, 429, 500].map(status => kindOfStatus(status, withKeys))
    expect(kinds).toEqual([
      null,
      'bad-request',
      'bad-key',
      'unknown-series',
      'bad-request',
      'provider-error',
      'too-large',
      'bad-request',
      'rate-limited',
      'provider-error',
    ])
  })

  test('told twice in the same words is told once', () => {
    const one = { series: [], problems: [{ kind: 'unreadable', message: 'a' }] } as const
    expect(joinReadings([one, one]).problems).toHaveLength(1)
  })
})

describe('messages', () => {
  test.each([
    ['The key:INVALID provided by the User is invalid.', 'The key:*** provided by the User is invalid.'],
    ['We could not recognize your API key: test_key. Please', 'We could not recognize your API key: ***. Please'],
    ['the user with registration key 0a1b2c has been reached', 'the user with registration key *** has been reached'],
    ['User 0a1b2c has exceeded the number of requests', 'User *** has exceeded the number of requests'],
    ['GET /data/?api_key=abc123&frequency=monthly', 'GET /data/?api_key=***&frequency=monthly'],
    ['{"params":{"api_key":"abc123"}}', '{"params":{"api_key":"***"}}'],
    ['No api_key was supplied.', 'No api_key was supplied.'],
  ])('lose their keys: %s', (text, blanked) => expect(blankKeys(text)).toBe(blanked))

  test('are one line of bounded length', () => {
    expect(sentence('a\r\n\u0007b\u2028c')).toBe('a b c')
    expect(sentence('x'.repeat(1000))).toHaveLength(300)
  })
})

describe('addresses', () => {
  test('encode values, leave out what is not given, and change one parameter alone', () => {
    const path = `/p${query([
      ['a', 'x y'],
      ['b', null],
      ['c', '1'],
    ])}`
    expect(path).toBe('/p?a=x%20y&c=1')
    expect(withParameter(path, 'c', '2')).toBe('/p?a=x%20y&c=2')
    expect(withParameter('/p', 'c', '2')).toBe('/p?c=2')
  })

  test('hold half a character that a provider sent', () => {
    expect(query([['uri', '/a\uD800']])).toBe('?uri=%2Fa%EF%BF%BD')
    expect(withParameter('/p', 'c', '\uDC00')).toBe('/p?c=%EF%BF%BD')
  })

  test('tell what was asked for', () => {
    expect(askedFor(answer('', { url: 'https://h/p?date=2010%3A2023' }), 'date')).toBe('2010:2023')
    expect(askedFor(answer('', { url: 'not an address' }), 'date')).toBeNull()
    expect(askedSpelling(answer('', { codes: ['md10/X'] }), ['MD10/X'])).toBe('md10/X')
    expect(askedSpelling(answer(''), ['MD10/X'])).toBe('MD10/X')
  })
})
