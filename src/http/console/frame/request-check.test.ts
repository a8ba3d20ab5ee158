import { parse } from 'node:querystring'
import Type, { type TObject } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type Checked, checkBody, checkQuery, type Parameters } from './request-check.ts'

const closed = { additionalProperties: false }
const query = Type.Object(
  {
    q: Type.String({ pattern: '\\S', maxLength: 5 }),
    status: Type.Optional(Type.Enum(['OPEN', 'DONE'])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    file: Type.Optional(Type.String({ pattern: '[^/]', description: 'the name of a file' })),
  },
  closed,
)
const body = Type.Object(
  {
    password: Type.String({ minLength: 1, maxLength: 3 }),
    note: Type.Optional(Type.String({ maxLength: 3 })),
    hours: Type.Optional(Type.Integer({ minimum: 0 })),
    periods: Type.Optional(
      Type.Array(Type.Object({ hash: Type.String({ pattern: '^[0-9a-f]+$', description: 'hexadecimal' }) }, closed), {
        minItems: 1,
        maxItems: 2,
      }),
    ),
  },
  closed,
)

/** The value, or the problems with their places after the sentence for all of them. */
function outcomeOf(checked: Checked): unknown[] {
  if ('value' in checked) return [checked.value, null]
  const { kind, message, problems } = checked.error
  return [kind, message, ...problems.map(({ path, message }) => `${path}: ${message}`)]
}
const ask = (text: string, schema: TObject = query) => outcomeOf(checkQuery(schema, parse(text) as Parameters))
const send = (value: unknown) => outcomeOf(checkBody(body, value))
const none = Type.Object({}, closed)

describe('the parameters of an address', () => {
  test('come as they are declared, whole numbers as numbers', () => {
    expect(ask('q=a+b&limit=200&status=OPEN')[0]).toEqual({ q: 'a b', limit: 200, status: 'OPEN' })
    expect(ask('', none)[0]).toEqual({})
  })

  test.each([
    ['', 'q is missing'],
    ['q=+', 'q must have 1 to 5 characters, got " "'],
    ['q=abcdef', 'q must have 1 to 5 characters, got "abcdef"'],
    ['q=a&limit=0', 'limit must be a whole number from 1 to 200'],
    ['q=a&limit=x', 'limit must be a whole number, got "x"'],
    ['q=a&limit=1.5', 'limit must be a whole number, got "1.5"'],
    ['q=a&limit=-1', 'limit must be a whole number, got "-1"'],
    ['q=a&limit=9999999999999999', 'limit must be a whole number, got "9999999999999999"'],
    ['q=a&status=GONE', 'status must be OPEN or DONE, got "GONE"'],
    ['q=a&file=/', 'file must be the name of a file, got "/"'],
    ['q=a&other=1', 'other is not known here'],
    ['q=a&__proto__=1', '__proto__ is not known here'],
    ['q=a&q=b', 'q is given more than once'],
    ['q=a&limit=1&limit=1', 'limit is given more than once'],
  ])('%s: %s', (text, message) => {
    expect(ask(text).slice(0, 2)).toEqual(['invalid', message])
  })

  test('have all their problems named together', () => {
    expect(ask('limit=0&status=x&other=1')).toEqual([
      'invalid',
      '4 things in the request are wrong',
      'q: is missing',
      'other: is not known here',
      'status: must be OPEN or DONE, got "x"',
      'limit: must be a whole number from 1 to 200',
    ])
  })

  test('are refused where none is declared', () => {
    expect(ask('a=1', none)).toEqual(['invalid', 'a is not known here', 'a: is not known here'])
  })

  test('are shortened in messages if they are long', () => {
    const [, message] = ask(`q=${'x'.repeat(5_000)}`)
    expect(String(message).length).toBeLessThan(150)
  })
})

describe('a body', () => {
  test('comes as it was sent where it is as declared', () => {
    const good = { password: 'abc', hours: 0, periods: [{ hash: 'ff' }] }
    expect(send(good)[0]).toBe(good)
  })

  test.each([
    [{ password: '' }, 'password must have 1 to 3 characters'],
    [{ password: 'secret' }, 'password must have 1 to 3 characters'],
    [{ password: 7 }, 'password must be a text'],
    [{ password: 'a', note: 'long' }, 'note must have at most 3 characters'],
    [{ password: 'a', hours: -1 }, 'hours must be a whole number of at least 0'],
    [{ password: 'a', hours: 1.5 }, 'hours must be a whole number'],
    [{ password: 'a', periods: [] }, 'periods must have 1 to 2 items'],
    [{ password: 'a', periods: [{ hash: 'xyz' }] }, 'periods.0.hash must be hexadecimal'],
    [{ password: 'a', periods: [{}] }, 'periods.0.hash is missing'],
    [null, 'the request must be an object'],
    [[], 'the request must be an object'],
  ])('%j: %s', (value, message) => {
    expect(send(value).slice(0, 2)).toEqual(['invalid', message])
  })

  test('is not repeated in messages about it', () => {
    expect(JSON.stringify(send({ password: 'my-very-secret', note: 'my-very-secret' }))).not.toContain('secret')
  })
})
