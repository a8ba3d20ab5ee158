// What a garbled answer has for names is kept and shown like any other: the database takes every text that is made of it.
import { expect, test } from 'vitest'
import { formOf } from '../../src/ingest/drift/form.ts'
import { seriesShapeOf } from '../../src/ingest/drift/series-signs.ts'

const cleaned = (value: unknown) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value))

test('names with a NUL or half a character are kept without', () => {
  const table = `per\u0000iod,va\ud800lue\n2024-01,1\n`
  const json = '{"na\\u0000me":"x\\u0000y","\\ud83d":1,"unit":"\\udfff"}'
  for (const body of [table, json]) {
    const seen = formOf({ body, contentType: 'text/\u0000csv' }, {})
    expect(cleaned(seen)).toBe(true)
  }
  expect(formOf({ body: table, contentType: null }, {}).form.columns).toEqual(['per\ufffdiod', 'va\ufffdlue'])
  const parsed = { name: 'a\u0000', unit: '\ud800', frequency: 'MONTHLY', observations: [] } as never
  expect(cleaned(seriesShapeOf(parsed, {}, null))).toBe(true)
})
