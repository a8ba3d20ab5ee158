// What a page and the server say to each other about a file.
import { describe, expect, test } from 'vitest'
import { addressIn } from '../../web/calls.ts'
import { importQuery, isReadableName, LineReader, nothingGiven } from '../../web/pages/bring-in/said.ts'

describe('lines of an answer', () => {
  test('are given once each, and only when they are whole', () => {
    const reader = new LineReader()
    const first = '{"stage":"reading","rows":1}\n'
    expect(reader.read(first.slice(0, 10))).toEqual([])
    expect(reader.read(first)).toEqual([{ stage: 'reading', rows: 1 }])
    expect(reader.read(first)).toEqual([])
    const more = `${first}{"stage":"comparing","rows":2}\n{"stage":"publ`
    expect(reader.read(more)).toEqual([{ stage: 'comparing', rows: 2 }])
    expect(reader.read(`${more}ishing","rows":2}\n`)).toEqual([{ stage: 'publishing', rows: 2 }])
  })

  test('may say why the work stopped', () => {
    expect(new LineReader().read('{"error":"the database is away"}\n')).toEqual([{ error: 'the database is away' }])
  })
})

describe('the address of an upload', () => {
  const addressOf = (file: string, mode: 'preview' | 'import', given: typeof nothingGiven, sheet: string) =>
    addressIn('a')('/import', importQuery(file, mode, { kind: 'observations', given, sheet, layout: null }))

  test('names the file and the mode, and leaves out what is blank', () => {
    expect(addressOf('März & co.csv', 'preview', nothingGiven, ' ')).toBe(
      '/w/a/import?file=M%C3%A4rz+%26+co.csv&mode=preview&kind=observations',
    )
  })

  test('describes a series only with what belongs to one', () => {
    const given = { ...nothingGiven, series: ' scrap ', unit: 'EUR/t' }
    expect(addressOf('a.csv', 'import', given, '')).toBe(
      '/w/a/import?file=a.csv&mode=import&kind=observations&series=scrap&unit=EUR%2Ft',
    )
    expect(addressOf('a.csv', 'import', { ...given, series: '' }, '')).toBe(
      '/w/a/import?file=a.csv&mode=import&kind=observations',
    )
    expect(addressOf('a.xlsx', 'preview', nothingGiven, 'Prices')).toBe(
      '/w/a/import?file=a.xlsx&mode=preview&kind=observations&sheet=Prices',
    )
  })
})

test('a name says what cannot be read', () => {
  for (const name of ['a.csv', 'A.XLSX', 'b.c.json', 'invoice.xml']) expect(isReadableName(name), name).toBe(true)
  for (const name of ['photo.png', 'csv', 'a.xls', 'a.csv.zip', '']) expect(isReadableName(name), name).toBe(false)
})
