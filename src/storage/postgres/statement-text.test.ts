// Templates become text and parameters, and no value becomes text.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Assignments, formatStatement, JsonValue, Names, Rows, type Template } from './statement-text.ts'

class Part {
  readonly template: Template

  constructor(template: Template) {
    this.template = template
  }
}

const templateOf = (value: unknown) => (value instanceof Part ? value.template : null)
const write = ({ raw }: TemplateStringsArray, ...values: readonly unknown[]) => {
  const { text, parameters } = formatStatement({ strings: raw, values }, templateOf)
  return [text, parameters]
}
const part = ({ raw }: TemplateStringsArray, ...values: readonly unknown[]) => new Part({ strings: raw, values })

test('values become parameters in their order, through all parts', () => {
  const inner = part`b = ${2} ${part`or c = ${'three'}`}`
  expect(write`select where a = ${'one'} and (${inner}) limit ${4}${part``}`).toEqual([
    'select where a = $1 and (b = $2 or c = $3) limit $4',
    ['one', '2', 'three', '4'],
  ])
})

test('what the server could not tell from text says what it is', () => {
  const bytes = new Uint8Array([1, 2])
  expect(write`${true} ${null} ${2n ** 60n} ${bytes} ${new JsonValue('x')} ${new JsonValue([1])}`).toEqual([
    '$1::boolean $2 $3::bigint $4::bytea $5::jsonb $6::jsonb',
    ['true', null, '1152921504606846976', Buffer.from(bytes), '"x"', '[1]'],
  ])
})

test('names are quoted, and a point separates them', () => {
  expect(write`${new Names(['a.b', 'c"; drop'])}`).toEqual(['"a"."b", "c""; drop"', []])
})

test('rows give their columns and values, a change its columns', () => {
  expect(
    write`insert into t ${new Rows([
      { a: 1, 'b"': null },
      { 'b"': 'x', a: 2 },
    ])}`,
  ).toEqual(['insert into t ("a", "b""") values ($1,$2),($3,$4)', ['1', null, '2', 'x']])
  expect(write`update t set ${new Assignments({ a: 1, b: new JsonValue({}) })}`).toEqual([
    'update t set "a" = $1, "b" = $2::jsonb',
    ['1', '{}'],
  ])
})

test('an array is one parameter, each of its elements in quotes', () => {
  expect(write`${[1, null, 'a"\\', [true], Buffer.from([255])]}`).toEqual([
    '$1',
    ['{"1",null,"a\\"\\\\",{"true"},"\\\\xff"}'],
  ])
})

test('the same text has the same name, and one that depends on the number of rows has none', () => {
  const nameOf = (...values: unknown[]) => formatStatement({ strings: ['a ', ' b'], values }, templateOf).name
  expect(nameOf('x')).toBe(nameOf('y'))
  expect(nameOf('x')).not.toBe(nameOf(true))
  expect(nameOf(new Rows([{ a: 1 }]))).toBeNull()
})

test('what the database has no form for is refused, also inside rows and arrays', () => {
  for (const value of [
    undefined,
    Symbol('x'),
    () => 1,
    { a: 1 },
    new Date(0),
    new Rows([{ a: undefined }]),
    [undefined],
  ])
    expect(() => write`${value}`).toThrow(/the database/)
  const many = Array.from({ length: 65_536 }, () => ({ a: 1 }))
  expect(() => write`${new Rows(many)}`).toThrow('at most 65535 parameters')
})

test('no value gets into the text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.array(fc.string()), fc.integer())), values => {
      const strings = ['', ...values.map(() => ' ')]
      const { text, parameters } = formatStatement({ strings, values }, templateOf)
      expect(text).toBe(values.map((_, i) => `$${i + 1} `).join(''))
      expect(parameters).toHaveLength(values.length)
    }),
  )
})
