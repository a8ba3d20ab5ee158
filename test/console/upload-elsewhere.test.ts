// Files that people have from elsewhere: what they seem to be is detected and shown, what they do not say is asked, and
// the answer is remembered.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TableLayout } from '../../src/core/series/table-layout.ts'
import type { UploadLine } from '../../src/views/shapes/series.ts'
import { makeWorkbook, text } from '../support/files/workbook.ts'
import { linesOf, makeSeats, type Seats } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { UploadHouse } from '../support/houses/upload-house.ts'

let seats: Seats
const house = ownHouse(() => UploadHouse.open())
beforeAll(() => {
  seats = house.seats
})
afterEach(async () => {
  expect(await house.keptFiles()).toEqual([])
})

describe('a file from elsewhere', () => {
  const german = `Preise für Stahl;;
Datum;Stahlträger HEB;Schrott E3
31.01.2024;1.112,50;351,2
29.02.2024;1.115,00;.
31.03.2024;1.120,75;348,9
`

  const inWords = (layout: TableLayout | null) =>
    layout === null ? '' : `&layout=${encodeURIComponent(JSON.stringify(layout))}`
  const look = (file: string, content: string | Buffer, mode: string, layout: TableLayout | null = null) =>
    house.look(file, content, mode, inWords(layout))
  const done = (file: string, content: string | Buffer, mode: string, layout: TableLayout | null = null) =>
    house.result(file, content, mode, inWords(layout))

  test('is inspected first: what it seems to be, and what it does not say', async () => {
    for (const content of [german, Buffer.from(german, 'latin1')]) {
      const { layout, open, isRemembered, rows: found } = await look('stahl.csv', content, 'preview')
      expect(layout).toEqual({
        separator: ';',
        encoding: content === german ? 'utf-8' : 'windows-1252',
        headerLine: 2,
        shape: 'COLUMNS',
        decimal: 'COMMA',
        dateOrder: 'DMY',
        dates: 'MONTHLY',
        columns: ['period', '=CUSTOM/stahltrager-heb', '=CUSTOM/schrott-e3'],
      })
      expect([open, isRemembered]).toEqual([['dates'], false])
      expect(found[1]).toEqual({ line: 2, cells: ['Datum', 'Stahlträger HEB', 'Schrott E3'] })
    }
    expect(await house.row('stahltrager-heb')).toBeUndefined()
  })

  test('is read as the person said, and the next one with its header in the same way', async () => {
    const { layout } = await look('stahl.csv', german, 'preview')
    const shown = await done('stahl.csv', german, 'preview', layout)
    expect(
      shown.series.map(({ code, name, sample }) => [code, name, sample.map(each => `${each.period} ${each.value}`)]),
    ).toEqual([
      ['stahltrager-heb', 'Stahlträger HEB', ['2024-01 1112.50', '2024-02 1115.00', '2024-03 1120.75']],
      ['schrott-e3', 'Schrott E3', ['2024-01 351.2', '2024-03 348.9']],
    ])
    expect(shown.notes).toEqual(['1 cell without a value was left out'])
    expect((await done('stahl.csv', german, 'import', layout)).totals).toEqual({
      added: 5,
      revised: 0,
      unchanged: 0,
      created: 2,
    })
    expect(await house.row('stahltrager-heb')).toMatchObject({
      frequency: 'MONTHLY',
      last: { period: '2024-03', value: '1120.75' },
    })

    const next = `${german.replace('351,2', '352,0')}30.04.2024;1.130,00;350\n`
    const again = await done('april.csv', next, 'preview')
    expect(again.layout).toEqual(layout)
    expect(again.totals).toEqual({ added: 2, revised: 1, unchanged: 4, created: 0 })
    expect(again.changes).toMatchObject([{ code: 'schrott-e3', period: '2024-01', before: '351.2', after: '352.0' }])
    expect(await look('april.csv', next, 'look')).toMatchObject({ isRemembered: true, open: [], layout })
    const other = await makeSeats(house.console.api)
    const theirs = await other.as.editor.upload('/series/upload?file=a.csv&mode=preview', next)
    expect(linesOf<UploadLine>(theirs).at(-1)).toMatchObject({ stage: 'look', isRemembered: false })
  })

  test('shows the contracts it affects before anything is published', async () => {
    await seats.tenant.apply(`
slug: heb
name: Beams
status: ACTIVE
contract: { start: 2024-02-01, end: 2024-04-30, frequency: MONTHLY, price: { amount: 100, currency: EUR, unit: t, round: { dp: 2 } } }
inputs: { heb: { series: CUSTOM/stahltrager-heb, weight: 1, base: 2024-01 } }
clause: { rounding: { total: { dp: 2 } } }
`)
    const file = 'series,period,value\nCUSTOM/stahltrager-heb,2024-03,1223.75\nCUSTOM/schrott-e3,2024-03,349\n'
    const { effects } = await done('new.csv', file, 'preview')
    expect(effects).toMatchObject({
      rows: [
        {
          kind: 'OPEN_MOVED',
          agreement: 'heb',
          name: 'Beams',
          period: '2024-03',
          points: '9.26',
          priceBefore: '100.74',
          priceAfter: '110.00',
          currency: 'EUR',
          unit: 't',
          amount: null,
        },
      ],
      count: 1,
      agreements: 1,
      kinds: { OPEN_MOVED: 1 },
      money: [],
      readers: 1,
      notComputed: 0,
    })
    expect((await house.row('stahltrager-heb'))?.last?.value).toBe('1120.75')
  })

  test('may be a workbook whose dates are asked about', async () => {
    const serials = ['45322', '45351', '45382']
    const book = makeWorkbook({
      formats: [14],
      sheets: [
        {
          name: 'Zink',
          rows: [[text('Monat'), text('Zinkpreis')], ...serials.map((v, i) => [{ v, s: 1 }, { v: `${2400 + i}.5` }])],
        },
      ],
    })
    const { layout, open } = await look('zink.xlsx', book, 'preview')
    expect([open, layout.columns]).toEqual([['dates'], ['period', '=CUSTOM/zinkpreis']])
    const days = await done('zink.xlsx', book, 'preview', { ...layout, dates: 'DAILY' })
    expect(days.series[0]!.sample.map(({ period }) => period)).toEqual(['2024-01-31', '2024-02-29', '2024-03-31'])
    const months = await done('zink.xlsx', book, 'preview', { ...layout, dates: 'MONTHLY' })
    expect(months.series[0]!.sample.map(({ period, value }) => `${period} ${value}`)).toEqual([
      '2024-01 2400.5',
      '2024-02 2401.5',
      '2024-03 2402.5',
    ])
  })

  test('is refused as a whole with every cell that cannot be read', async () => {
    const { layout } = await look('stahl.csv', german, 'look')
    const bad = german.replace('1.112,50', '1112.5').replace('348,9', 'viel').replace('31.03.2024', '31.02.2024')
    const { problems, problemCount } = await done('stahl.csv', bad, 'import', layout)
    expect(problems).toEqual([
      { line: 3, message: 'Stahlträger HEB: must be a number with a decimal comma, got "1112.5"' },
      { line: 5, message: 'Datum: must be a period or a date, got "31.02.2024"' },
      { line: 5, message: 'Schrott E3: must be a number with a decimal comma, got "viel"' },
    ])
    expect(problemCount).toBe(3)
    const refusal = async (value: unknown) => {
      const at = `/series/upload?file=a.csv&mode=preview&layout=${encodeURIComponent(JSON.stringify(value))}`
      const { status, json } = await seats.as.editor.upload(at, german)
      return [status, (json as { error: string }).error]
    }
    expect(await refusal({ columns: [] })).toEqual([422, 'layout is not the layout of a table'])
    expect(await refusal({ ...layout, columns: ['=CUSTOM/a', '=CUSTOM/a'] })).toEqual([
      422,
      'layout: no column is the period; two columns are the series CUSTOM/a',
    ])
  })
})
