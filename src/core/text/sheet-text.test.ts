import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { neutralise, neutraliseCsv, restore, restoreCsv } from './sheet-text.ts'

describe('text in a cell', () => {
  test('is neutralised where a spreadsheet would execute it, and only there', () => {
    expect(['=1+1', '+1', '-x', '@a', '\tx', '＝1', 'plain', '1-2', "it's", "'quoted'", ''].map(neutralise)).toEqual([
      "'=1+1",
      "'+1",
      "'-x",
      "'@a",
      "'\tx",
      "'＝1",
      'plain',
      '1-2',
      "it's",
      "'quoted'",
      '',
    ])
  })

  test('is neutralised after a semicolon, in CSV only', () => {
    expect(neutraliseCsv('Steel;=1+1;-2; plain')).toBe("Steel;'=1+1;'-2; plain")
    expect(neutralise('Steel;=1+1')).toBe('Steel;=1+1')
  })

  test('that has an apostrophe before a mark gets another one, so that both are restored', () => {
    expect(neutralise("'=1")).toBe("''=1")
    expect(restore("''=1")).toBe("'=1")
    expect(restore("'=1")).toBe('=1')
  })

  test('is restored exactly, whatever it is', () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '=', '-', '+', '@', '\t', ';', 'a', '1', '＝', ' '),
      maxLength: 8,
    })
    fc.assert(
      fc.property(text, written => {
        expect(restore(neutralise(written))).toBe(written)
        expect(restoreCsv(neutraliseCsv(written))).toBe(written)
        expect(neutralise(written)).not.toMatch(/^[=+\-@\t]/)
      }),
    )
  })

  test('that was not neutralised stays as it is', () => {
    for (const text of ["it's", "'quoted'", "'", '', '-5', '=1', "a;b'c"]) expect(restoreCsv(text)).toBe(text)
  })
})
