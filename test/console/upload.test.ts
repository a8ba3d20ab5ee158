// Files that come from a page: what a preview says, what an import does, everything that is wrong named by its line, and
// what is refused before it is read.
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { placeLimits } from '../../src/http/traffic/place-limits.ts'
import type { UploadLine, UploadResult } from '../../src/views/shapes/series.ts'
import { makeWorkbook, text } from '../support/files/workbook.ts'
import { eventually, follow } from '../support/houses/api.ts'
import { linesOf, makeSeats, type Seats } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { UploadHouse } from '../support/houses/upload-house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'

let seats: Seats
const house = ownHouse(() => UploadHouse.open())
beforeAll(() => {
  seats = house.seats
})
afterEach(async () => {
  expect(await house.keptFiles()).toEqual([])
})

describe('a good file', () => {
  const table = `series,period,value,version,published,name
CUSTOM/oil,2024-01,80.10,FINAL,2024-02-01,Crude oil
CUSTOM/oil,2024-02,81.20,PRELIMINARY,2024-03-01,Crude oil
CUSTOM/gas,2024-Q1,30.00,,,
`

  test('is shown as it was understood, and nothing of it is published', async () => {
    expect(await house.result('prices.csv', table, 'preview')).toEqual({
      stage: 'done',
      mode: 'preview',
      rows: 3,
      series: [
        {
          provider: 'CUSTOM',
          code: 'oil',
          name: 'Crude oil',
          id: null,
          isNew: true,
          rows: 2,
          added: 2,
          revised: 0,
          unchanged: 0,
          firstPeriod: '2024-01',
          lastPeriod: '2024-02',
          sample: [
            { period: '2024-01', value: '80.10', tag: 'FINAL', publishedAt: '2024-02-01T00:00:00.000000Z' },
            { period: '2024-02', value: '81.20', tag: 'PRELIMINARY', publishedAt: '2024-03-01T00:00:00.000000Z' },
          ],
        },
        expect.objectContaining({
          code: 'gas',
          name: 'gas',
          sample: [{ period: '2024-Q1', value: '30.00', tag: null, publishedAt: null }],
        }),
      ],
      seriesCount: 2,
      problems: [],
      problemCount: 0,
      notes: [],
      totals: { added: 3, revised: 0, unchanged: 0, created: 2 },
      changes: [],
      changeCount: 0,
      effects: { rows: [], count: 0, agreements: 0, kinds: {}, money: [], readers: 0, notComputed: 0 },
      lacksSeries: false,
      layout: null,
    })
    expect(await house.rows()).toEqual([])
    expect(await house.activities()).toEqual([])
  })

  test('is imported, is there at once, and who did it is recorded', async () => {
    const { series, mode } = await house.result('prices.csv', table)
    expect(mode).toBe('import')
    const oil = await house.row('oil')
    expect(oil).toMatchObject({ name: 'Crude oil', last: { period: '2024-02', value: '81.20', tag: 'PRELIMINARY' } })
    expect(series.map(({ code, id, added }) => [code, id, added])).toEqual([
      ['oil', oil!.id, 2],
      ['gas', (await house.row('gas'))!.id, 1],
    ])
    expect(await house.activities()).toEqual([
      { who: 'eva@editor.test', subject: 'prices.csv: 3 new values, 2 series', from: '127.0.0.1' },
    ])
  })

  test('adds nothing when it is sent again, and nothing is recorded', async () => {
    const before = await house.row('oil')
    const { series } = await house.result('prices.csv', table)
    expect(series.map(({ isNew, added, revised, unchanged }) => [isNew, added, revised, unchanged])).toEqual([
      [false, 0, 0, 2],
      [false, 0, 0, 1],
    ])
    expect(await house.row('oil')).toEqual(before)
    expect(await house.activities()).toHaveLength(1)
  })

  test('says what is new and what changes stored values', async () => {
    const next =
      'series,period,value,version,published\nCUSTOM/oil,2024-02,81.50,FINAL,2024-04-01\nCUSTOM/oil,2024-03,82,,2024-04-01\n'
    for (const mode of ['preview', 'import'] as const) {
      const { series, changes, changeCount } = await house.result('next.csv', next, mode)
      expect(series).toMatchObject([
        { code: 'oil', id: expect.stringMatching(/^ser_/), isNew: false, rows: 2, added: 1, revised: 1, unchanged: 0 },
      ])
      expect(changes).toMatchObject([{ code: 'oil', period: '2024-02', before: '81.20', after: '81.50' }])
      expect(changeCount).toBe(1)
    }
  })

  test('may be a workbook or JSON', async () => {
    const cells = [
      [text('series'), text('period'), text('value')],
      [text('CUSTOM/book'), text('2024-01'), { v: '1.50' }],
    ]
    const workbook = makeWorkbook({
      sheets: [
        { name: 'Prices', rows: cells },
        { name: 'Notes', rows: [] },
      ],
    })
    const book = await house.result('Prices 2024.XLSX', workbook)
    expect(book).toMatchObject({ series: [{ code: 'book', added: 1 }], notes: ['of 2 worksheets, "Prices" was read'] })
    expect((await house.row('book'))?.last?.value).toBe('1.50')
    expect((await house.result('b.xlsx', workbook, 'preview', '&sheet=Nowhere')).problems).toEqual([
      { line: null, message: 'the workbook has no worksheet "Nowhere"; it has "Prices", "Notes"' },
    ])
    const json = '{"observations": [{"series": "CUSTOM/json", "period": "2024-01", "value": 1.50}]}'
    expect((await house.result('a.json', json)).series).toMatchObject([{ code: 'json', added: 1 }])
    expect((await house.row('json'))?.last?.value).toBe('1.50')
  })

  test('reports its progress while it is read, as a stream of lines', async () => {
    const rows = Array.from(
      { length: 63_000 },
      (_, i) => `CUSTOM/many-${i % 21_000},${2024 + Math.floor(i / 21_000)},${i}.5\n`,
    )
    const reply = await house.send('many.csv', `series,period,value\n${rows.join('')}`, 'preview')
    expect(reply.headers['content-type']).toBe('application/x-ndjson')
    const lines = linesOf<UploadLine>(reply)
    const reading = lines.flatMap(line => (line.stage === 'reading' ? [line.rows] : []))
    expect(reading.length).toBeGreaterThanOrEqual(3)
    expect(reading).toEqual([...reading].sort((a, b) => a - b))
    expect(lines.map(({ stage }) => stage).slice(-2)).toEqual(['comparing', 'done'])
    const done = lines.at(-1) as UploadResult
    expect([done.rows, done.series.length, done.seriesCount]).toEqual([63_000, 20_000, 21_000])
    expect(done.totals).toEqual({ added: 63_000, revised: 0, unchanged: 0, created: 21_000 })
  })
})

describe('a file of one series', () => {
  const about = '&series=labour&name=Labour%20cost&unit=2020%20%3D%20100&frequency=QUARTERLY&dataType=WAGE'

  test('needs no column for it: its description comes with the file', async () => {
    await house.result('labour.csv', 'period,value\n2024-Q1,101.5\n2024-Q2,102.5\n', 'import', about)
    expect(await house.row('labour')).toMatchObject({
      provider: 'CUSTOM',
      name: 'Labour cost',
      unit: '2020 = 100',
      dataType: 'WAGE',
      frequency: 'QUARTERLY',
      last: { period: '2024-Q2', value: '102.5' },
    })
    const json = await house.result('labour.json', '[{"period":"2024-Q3","value":"103.5"}]', 'import', about)
    expect(json.series).toMatchObject([{ code: 'labour', isNew: false, added: 1 }])
  })

  test('is refused where a cell says something else', async () => {
    const table = 'series,period,value,unit\nCUSTOM/labour,2024-Q3,1,\nCUSTOM/other,2024-Q4,1,t\n2025-Q1\n'
    const { problems, problemCount } = await house.result('labour.csv', table, 'import', about)
    expect(problems).toEqual([
      { line: 3, message: 'series: is "CUSTOM/other", but "CUSTOM/labour" is given for the whole file' },
      { line: 3, message: 'unit: is "t", but "2020 = 100" is given for the whole file' },
      { line: 4, message: '1 cell where the header has 4' },
    ])
    expect(problemCount).toBe(3)
  })

  test('accepts PROVIDER/code, and no value that is not a choice', async () => {
    const lci = await house.result('a.csv', 'period,value\n2024-Q1,1\n', 'preview', '&series=EUROSTAT/lci/Q.FR')
    expect(lci.series).toMatchObject([{ provider: 'EUROSTAT', code: 'lci/Q.FR' }])
    const refused = async (more: string) => {
      const { status, json } = await house.send('a.csv', 'period,value\n2024-Q1,1\n', 'preview', more)
      return [status, (json as { error: string }).error]
    }
    expect(await refused('&name=Alone')).toEqual([
      422,
      'name, unit, frequency and dataType are for a file of one series: write series too',
    ])
    expect(await refused('&series=x&frequency=HOURLY')).toEqual([
      422,
      expect.stringContaining('frequency must be DAILY'),
    ])
    expect(await refused('&series=x&dataType=THING')).toEqual([422, expect.stringContaining('dataType must be INDEX')])
    expect(await refused(`&series=x&name=${'n'.repeat(201)}`)).toEqual([422, expect.stringContaining('at most 200')])
    expect(await refused('&sheet=Prices')).toEqual([422, 'sheet is for .xlsx workbooks only'])
  })
})

describe('a bad file', () => {
  test('is refused as a whole with every bad line named, whatever is wrong with it', async () => {
    const bad = `series,period,value,version,published
CUSTOM/good,2024-01,1.5,,
CUSTOM/good,2024-13,1.5,,
CUSTOM/good,2024-02,1.234.5,,
CUSTOM/good,2024-Q1,7,,
CUSTOM/good,2024-03,1.5,MAYBE,
CUSTOM/good,2024-04,1.5
CUSTOM/good,2024-05,1.5,FINAL,2024-06-01
CUSTOM/good,2024-05,1.6,FINAL,2024-06-01
nobody,2024-01,1.5,,
CUSTOM/good,2024-06,1.5,,2999-01-01
`
    for (const mode of ['preview', 'import'] as const) {
      const { problems, problemCount, series } = await house.result('bad.csv', bad, mode)
      expect(problems).toEqual([
        { line: 3, message: expect.stringMatching(/^period: must be a period such as .*, got "2024-13"$/) },
        { line: 4, message: 'value: must be a decimal number such as 112.20, got "1.234.5"' },
        { line: 5, message: 'period: CUSTOM/good is MONTHLY (line 2), but this period is QUARTERLY' },
        { line: 6, message: 'version: must be PRELIMINARY, FINAL, REVISED, got "MAYBE"' },
        { line: 7, message: '3 cells where the header has 5' },
        { line: 9, message: expect.stringContaining('has another value or version for this publication on line 8') },
        { line: 10, message: 'series: must be PROVIDER/code, got "nobody"' },
        { line: 11, message: 'published: lies in the future: "2999-01-01"' },
      ])
      expect([problemCount, series.map(({ code, id }) => [code, id])]).toEqual([8, [['good', null]]])
    }
    expect(await house.row('good')).toBeUndefined()
  })

  test('has at most 200 of its problems listed, and all of them counted', async () => {
    const table = `series,period,value\n${'CUSTOM/x,2024-01,none\n'.repeat(2_500)}`
    const { problems, problemCount } = await house.result('bad.csv', table)
    expect([problems.length, problemCount, problems.at(-1)?.line]).toEqual([200, 2_500, 201])
  })

  test('says what is wrong with its header, its separators and its encoding', async () => {
    const message = async (content: string | Buffer) =>
      (await house.result('a.csv', content)).problems.map(each => each.message)
    expect(await message('date,price\n2024-01,1\n')).toEqual([
      expect.stringContaining('date: unknown column "date"'),
      expect.stringContaining('price: unknown column "price"'),
      'series: the column series is missing',
      'period: the column period is missing',
      'value: the column value is missing',
    ])
    expect(await house.result('a.csv', 'period,value\n2024-01,1\n')).toMatchObject({ lacksSeries: true })
    expect(await house.result('a.csv', 'series,period,value\nnobody,2024-01,1\n')).toMatchObject({ lacksSeries: false })
    expect(await message('series;period;value\nCUSTOM/x;2024-01;1,5\n')).toEqual([
      'cells must be separated by commas, and decimals written with a point',
    ])
    const latin = Buffer.from('series,period,value,name\nCUSTOM/x,2024-01,1.5,K\xf6ln\n', 'latin1')
    expect(await message(latin)).toEqual(['the text is not UTF-8; save the file as UTF-8 and import it again'])
  })

  test('cannot bring values of a series that the workspace follows', async () => {
    const id = await makeSeries(house.console.api.sql, 'public', 'watched')
    await publishRows(house.console.api.sql, 'public', id, [{ period: 24_288, value: '1' }])
    await follow(house.console.api.sql, seats.tenant.id, id)
    const { problems } = await house.result('a.csv', 'series,period,value\nCUSTOM/watched,2024-02,2\n')
    expect(problems).toEqual([
      {
        line: 2,
        message:
          'series: the workspace follows CUSTOM/watched: its values come from the provider and cannot be imported',
      },
    ])
  })

  test('of another kind than its name says is refused before it is read', async () => {
    const csv = 'series,period,value\n'
    const workbook = makeWorkbook({ sheets: [{ name: 'A', rows: [] }] })
    const refused = async (name: string, content: string | Buffer) => {
      const { status, json } = await house.send(name, content)
      return [status, (json as { error: string }).error]
    }
    const png = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n\x1a\n')])
    expect(await refused('a.csv', png)).toEqual([422, '"a.csv" is a picture: save the table itself as .csv or .xlsx'])
    expect(await refused('a.csv', workbook)).toEqual([422, expect.stringContaining('is a workbook or an archive')])
    expect(await refused('a.xlsx', csv)).toEqual([422, '"a.xlsx" is not an .xlsx workbook, despite its name'])
    expect(await refused('a.json', csv)).toEqual([422, expect.stringContaining('is no JSON')])
    expect(await refused('a.csv', '<html></html>')).toEqual([422, expect.stringContaining('is a web page or XML')])
    expect(await refused('a.csv', Buffer.from([0x61, 0, 0x62]))).toEqual([
      422,
      expect.stringContaining('contains no text'),
    ])
    expect(await refused('a.csv', Buffer.from('\ufeffa,b', 'utf16le'))).toEqual([
      422,
      expect.stringContaining('UTF-16'),
    ])
    expect(await refused('a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toEqual([
      422,
      expect.stringContaining('.xls'),
    ])
    expect(await refused('a.pdf', '%PDF-1.7')).toEqual([422, expect.stringContaining('a PDF document')])
    expect(await refused('notes.txt', csv)).toEqual([
      422,
      expect.stringContaining('the file must be .csv, .xlsx or .json'),
    ])
    expect(await refused('a.csv', '')).toEqual([422, 'the file is empty'])
    expect(await refused('', csv)).toEqual([422, expect.stringContaining('file must be the name')])
  })

  test('that unpacks to far more than its size, or contains a DOCTYPE, is refused with a sentence', async () => {
    const sheets = [{ name: 'A', rows: [[text('series')]] }]
    const bomb = makeWorkbook({ sheets, prologue: `<!--${'x'.repeat(3_000_000)}-->` })
    expect(bomb.length).toBeLessThan(10_000)
    const burst = await house.send('bomb.xlsx', bomb)
    expect([burst.status, burst.text]).toEqual([
      413,
      expect.stringContaining('unpacks to more than 100 times its size'),
    ])
    const entity = makeWorkbook({ sheets, prologue: '<!DOCTYPE x [<!ENTITY a "b">]>' })
    expect((await house.result('entity.xlsx', entity)).problems).toEqual([
      { line: null, message: expect.stringContaining('contains a DOCTYPE') },
    ])
  })

  test('with more than a million rows is refused', async () => {
    const { problems, problemCount } = await house.result('long.csv', `series,period,value\n${'x\n'.repeat(1_000_001)}`)
    expect(problems[0]).toEqual({
      line: null,
      message: 'the file has more than 1000000 rows; split it, or use the command assize import',
    })
    expect([problems.length, problemCount]).toEqual([200, 1_000_001])
  })
})

/** An upload on a connection of its own, which a test can cut. */
function begin(content: string, length: number): ClientRequest {
  const { editor } = seats.as
  const sending = request({
    host: '127.0.0.1',
    port: house.console.api.client.port,
    agent: false,
    method: 'POST',
    path: `/console/w/${seats.slug}/series/upload?file=a.csv&mode=import`,
    headers: {
      host: editor.host,
      ...editor.origin,
      cookie: editor.cookie!,
      'content-type': 'application/octet-stream',
      'content-length': length,
    },
  })
  sending.on('error', () => {})
  sending.write(content)
  return sending
}

describe('a file whose sender disconnects', () => {
  test('is readable by this user only while it arrives, and is gone when it breaks off', async () => {
    const before = await house.rows()
    const sending = begin('series,period,value\nCUSTOM/broken,2024-01,1\n', 1_000_000)
    const [name] = await eventually(
      () => house.keptFiles(),
      names => names.length === 1,
    )
    const modes = [join(house.folder, 'uploads'), join(house.folder, 'uploads', name!)].map(
      async path => (await stat(path)).mode,
    )
    expect((await Promise.all(modes)).map(mode => (mode & 0o777).toString(8))).toEqual(['700', '600'])
    sending.destroy()
    expect(
      await eventually(
        () => house.keptFiles(),
        names => names.length === 0,
      ),
    ).toEqual([])
    expect(await house.rows()).toEqual(before)
  })

  test('occupies no place of those that are read while it arrives; a person sends a few at once', async () => {
    const sending = Array.from({ length: placeLimits.arrivingFiles.perPerson }, () =>
      begin('series,period,value\n', 1_000_000),
    )
    await eventually(
      () => house.keptFiles(),
      names => names.length === sending.length,
    )
    const at = '/series/upload?file=more.csv&mode=preview'
    expect((await seats.as.owner.upload(at, 'series\n')).status).toBe(200)
    const { status, headers, json } = await seats.as.editor.upload(at, 'series\n')
    expect([status, headers['retry-after'], json]).toEqual([
      409,
      '5',
      { error: expect.stringContaining('as many files as one person may at the same time') },
    ])
    const neighbour = await makeSeats(house.console.api)
    expect((await neighbour.as.editor.upload('/series/upload?file=theirs.csv&mode=preview', 'series\n')).status).toBe(
      200,
    )
    for (const each of sending) each.destroy()
    expect(
      await eventually(
        () => house.keptFiles(),
        names => names.length === 0,
      ),
    ).toEqual([])
  })

  test('is not imported when nobody waits for the result', async () => {
    const months = Array.from(
      { length: 200_000 },
      (_, i) => `CUSTOM/left-${i % 1000},${1000 + Math.floor(i / 1000)},${i}\n`,
    )
    const content = `series,period,value\n${months.join('')}`
    const sending = begin(content, content.length)
    await once(sending, 'response')
    sending.destroy()
    expect(
      await eventually(
        () => house.keptFiles(),
        names => names.length === 0,
        20_000,
      ),
    ).toEqual([])
    expect(await house.row('left-0')).toBeUndefined()
  })
})
