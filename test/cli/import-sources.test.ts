import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RowProblem } from '../../src/core/series/table-problems.ts'
import { csvSource } from '../../src/import/csv.ts'
import { jsonSource } from '../../src/import/json.ts'
import type { TableSource } from '../../src/import/source.ts'
import { xlsxSource } from '../../src/import/xlsx.ts'
import { formatNumber, formatPlain, formOfFormat } from '../../src/import/xlsx-number.ts'
import { limits } from '../../src/limits.ts'
import { burstingArchives } from '../support/files/bursting-archives.ts'
import { type Cell, makeWorkbook, text, zip } from '../support/files/workbook.ts'

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-sources-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(content: string | Buffer): Promise<string> {
  const path = join(folder, `${++files}`)
  await writeFile(path, content)
  return path
}

interface Reading {
  readonly rows: readonly (readonly string[])[]
  readonly lines: readonly number[]
  readonly problems: readonly RowProblem[]
  readonly notes: readonly string[]
}

async function read(source: TableSource): Promise<Reading> {
  const rows: (readonly string[])[] = []
  const lines: number[] = []
  const problems: RowProblem[] = []
  const notes: string[] = []
  const watch = {
    problem: (problem: RowProblem) => problems.push(problem),
    progress: () => {},
    note: (note: string) => notes.push(note),
  }
  for await (const batch of source(watch))
    for (const { cells, line } of batch) {
      rows.push(cells)
      lines.push(line)
    }
  return { rows, lines, problems, notes }
}

describe('CSV', () => {
  const readCsv = async (content: string | Buffer) => read(csvSource(await write(content)))

  test('a byte order mark, Windows line ends, quotes and blank lines are not part of the cells', async () => {
    const { rows, lines } = await readCsv('\uFEFFa,b\r\n"1,5","say ""so"""\r\n\r\n2,"two\nlines"\r\nlast,row')
    expect(rows).toEqual([
      ['a', 'b'],
      ['1,5', 'say "so"'],
      ['2', 'two\nlines'],
      ['last', 'row'],
    ])
    expect(lines).toEqual([1, 2, 4, 6])
  })

  test('a file larger than a chunk is read completely, wherever the chunks are cut', async () => {
    const content = `series,period,value,näme\n${Array.from({ length: 20_000 }, (_, i) => `CUSTOM/ü${i},2024,${i},"ß,${i}"`).join('\n')}`
    const { rows, problems } = await readCsv(content)
    expect(problems).toEqual([])
    expect(rows).toHaveLength(20_001)
    expect(rows[20_000]).toEqual(['CUSTOM/ü19999', '2024', '19999', 'ß,19999'])
  })

  test('text that is not UTF-8 is refused with its line', async () => {
    const { problems } = await readCsv(Buffer.from('series,name\nCUSTOM/a,L\xf6hne\n', 'latin1'))
    expect(problems).toEqual([{ line: 2, column: '', message: expect.stringContaining('not UTF-8') }])
    const cut = await readCsv(Buffer.concat([Buffer.from('a\nb\n'), Buffer.from([0xc3])]))
    expect(cut.problems).toMatchObject([{ line: 3 }])
  })

  test('a file with semicolons is refused with a hint what to do', async () => {
    const { problems } = await readCsv('series;period;value\nCUSTOM/a;2024;1,5\n')
    expect(problems).toEqual([{ line: 1, column: '', message: expect.stringContaining('separated by commas') }])
  })

  test('an endless row and an unclosed quote are refused with their line', async () => {
    const huge = await readCsv(`series,period,value\nCUSTOM/a,2024,${'1'.repeat(1_100_000)}\n`)
    expect(huge.problems).toEqual([{ line: 2, column: '', message: 'a row is longer than 1000000 characters' }])
    const open = await readCsv('a,b\n1,"2\n3,4\n')
    expect(open.problems).toEqual([{ line: 2, column: '', message: 'a quoted cell is never closed' }])
  })
})

describe('JSON', () => {
  const readJson = async (content: string) => read(jsonSource(await write(content)))
  const cell = (row: readonly string[]) => row[2]

  test('an array of objects and one under "observations" give the same rows, numbers with their digits', async () => {
    const elements =
      '{"series":"CUSTOM/a","period":2024,"value":112.20},\n {"series":"CUSTOM/a","period":"2025","value":"1.10","flag":null}'
    const plain = await readJson(`[${elements}]`)
    const wrapped = await readJson(`\uFEFF{ "observations" : [ ${elements} ] }\n`)
    expect(plain.problems).toEqual([])
    expect(plain.rows.map(cell)).toEqual(['value', '112.20', '1.10'])
    expect(wrapped.rows).toEqual(plain.rows)
    expect(plain.lines).toEqual([1, 1, 2])
  })

  test('an array larger than a chunk is read completely, with brackets and escapes inside texts', async () => {
    const list = Array.from({ length: 5_000 }, (_, i) => ({
      series: 'CUSTOM/a',
      period: `${1000 + i}`,
      value: `${i}`,
      name: `"]}[{\\ ${i} ${'é'.repeat(20)}`,
    }))
    const { rows, problems } = await readJson(JSON.stringify(list))
    expect(problems).toEqual([])
    expect(rows.slice(1).map(row => row[6])).toEqual(list.map(({ name }) => name))
  })

  test('an empty array has no rows and no problems; an empty file is refused', async () => {
    expect(await readJson('[ ]')).toMatchObject({ problems: [], lines: [1] })
    expect((await readJson(' ')).problems).toMatchObject([{ message: 'the file is empty' }])
  })

  test.each([
    ['an unknown column', '[{"series":"CUSTOM/a","valeu":1}]', 1, 'unknown column "valeu"'],
    ['a boolean', '[\n{"value":true}]', 2, 'must be a text or a number'],
    ['a comma too many', '[\n\n{"value":1,}]', 3, 'is not JSON'],
    ['a member twice', '[{"value":1,"value":2}]', 1, 'is not JSON'],
    ['a number for an object', '[1]', 1, 'must be an object'],
    ['no comma', '[{} {}]', 1, 'a comma is missing'],
    ['a comma at the end', '[{},]', 1, 'must be an object'],
    ['no end of the array', '[{}', 1, 'ends inside the array'],
    ['no end of a text', '[{"a":"', 1, 'ends inside the array'],
    ['something after the array', '[{}] more', 1, 'nothing may follow'],
    ['no end of the envelope', '{"observations":[]', 1, 'nothing may follow'],
    ['another envelope', '{"data":[]}', 1, 'must be an array of observations'],
    ['depth', `[${'{"a":'.repeat(50)}`, 1, 'nested more than'],
    ['length', `[{"name":"${'x'.repeat(1_200_000)}"}]`, 1, 'longer than'],
  ])('%s is refused', async (_, content, line, message) => {
    const { problems } = await readJson(content)
    expect(problems[0]).toMatchObject({ line, message: expect.stringContaining(message) })
  })
})

describe('workbooks', () => {
  const unbounded = { bounds: null, sheet: null }
  const readXlsx = async (content: Buffer, options = unbounded as Parameters<typeof xlsxSource>[1]) =>
    read(xlsxSource(await write(content), options))
  const oneSheet = (rows: readonly (readonly (Cell | null)[])[], more = {}) =>
    makeWorkbook({ sheets: [{ name: 'Data', rows }], ...more })

  test('a number has the digits of the XML, an exponent only moves the point', async () => {
    const values = ['112.20', '0.30000000000000004', '1.5E-5', '1E+3', '-2.5e1', '12345678901234567890.10']
    const { rows } = await readXlsx(oneSheet(values.map(v => [{ v }])))
    expect(rows.flat()).toEqual(['112.20', '0.30000000000000004', '0.000015', '1000', '-25', '12345678901234567890.10'])
  })

  test('shared, rich, inline and computed texts are read; phonetic text is not', async () => {
    const sharedStrings = [
      '<t>plain</t>',
      '<r><t>rich </t></r><r><rPr><b/></rPr><t xml:space="preserve">text</t></r><rPh sb="0" eb="1"><t>sound</t></rPh>',
      '<t>two_x000A_lines</t>',
    ]
    const cells: Cell[] = [
      { t: 's', v: '0' },
      { t: 's', v: '1' },
      { t: 's', v: '2' },
      text('in <place> & "so"'),
      { t: 'str', xml: '<f>A1&amp;"x"</f><v>computed</v>' },
    ]
    const { rows } = await readXlsx(oneSheet([cells], { sharedStrings }))
    expect(rows).toEqual([['plain', 'rich text', 'two\nlines', 'in <place> & "so"', 'computed']])
  })

  test('rows keep their numbers, empty rows are left out, missing cells are empty', async () => {
    const { rows, lines } = await readXlsx(
      oneSheet([[text('a'), text('b'), text('c')], [], [null, { v: '1' }], [{ s: 1 }, text(' ')], [{ v: '2' }]]),
    )
    expect(rows).toEqual([
      ['a', 'b', 'c'],
      ['', '1', ''],
      ['2', '', ''],
    ])
    expect(lines).toEqual([1, 3, 5])
  })

  test('serial numbers under a date format are the date people see', async () => {
    const formats = [14, 17, 'yyyy', 'dd/mm/yyyy hh:mm', '0.00', '[Red]yyyy\\-mm\\-dd;@', '#,##0 "days"']
    const cells = [
      { s: 1, v: '45393' },
      { s: 2, v: '45352' },
      { s: 3, v: '45292' },
      { s: 4, v: '45393.520833333333' },
      { s: 5, v: '45393' },
      { s: 6, v: '1' },
      { s: 6, v: '61' },
      { s: 7, v: '45393' },
      { t: 'd', v: '2024-04-11T00:00:00' },
    ]
    const { rows } = await readXlsx(oneSheet([cells], { formats }))
    expect(rows).toEqual([
      [
        '2024-04-11',
        '2024-03',
        '2024',
        '2024-04-11 12:30:00',
        '45393',
        '1900-01-01',
        '1900-03-01',
        '45393',
        '2024-04-11',
      ],
    ])
    const from1904 = await readXlsx(oneSheet([[{ s: 1, v: '43931' }]], { formats: [14], date1904: true }))
    expect(from1904.rows).toEqual([['2024-04-11']])
  })

  test('an error in a cell, and a date that does not exist, are problems of their row', async () => {
    const { rows, problems } = await readXlsx(
      oneSheet(
        [
          [text('series'), text('value')],
          [text('x'), { t: 'e', v: '#N/A' }],
          [text('y'), { s: 1, v: '60' }],
          [{ t: 'b', v: '1' }],
        ],
        {
          formats: [14],
        },
      ),
    )
    expect(problems).toEqual([
      { line: 2, column: 'value', message: 'the cell shows the error #N/A' },
      { line: 3, column: 'value', message: 'the cell is formatted as a date, but 60 is not a date' },
    ])
    expect(rows).toEqual([
      ['series', 'value'],
      ['TRUE', ''],
    ])
  })

  test('of several worksheets the first is read, with a note; another one is read by its name', async () => {
    const workbook = makeWorkbook({
      sheets: [
        { name: 'First', rows: [[text('one')]] },
        { name: 'Other & more', rows: [[text('two')]] },
      ],
    })
    expect(await readXlsx(workbook)).toMatchObject({ rows: [['one']], notes: ['of 2 worksheets, "First" was read'] })
    expect(await readXlsx(workbook, { bounds: null, sheet: 'Other & more' })).toMatchObject({ rows: [['two']] })
    const { problems } = await readXlsx(workbook, { bounds: null, sheet: 'Third' })
    expect(problems).toMatchObject([{ message: expect.stringContaining('it has "First", "Other & more"') }])
  })

  test('a DOCTYPE, broken XML, another archive and no archive are refused', async () => {
    const rows = [[text('a')]]
    const cases: [Buffer, string][] = [
      [oneSheet(rows, { prologue: '<!DOCTYPE x [<!ENTITY e "eee">]>' }), 'contains a DOCTYPE'],
      [oneSheet(rows, { prologue: '<open>' }), 'not well-formed'],
      [zip([['readme.txt', Buffer.from('no workbook')]]), 'not an .xlsx workbook'],
      [Buffer.from('series,period,value\n'), 'is not an .xlsx workbook'],
      [oneSheet(rows).subarray(0, 900), 'is not an .xlsx workbook'],
    ]
    for (const [content, message] of cases)
      expect((await readXlsx(content)).problems).toMatchObject([{ message: expect.stringContaining(message) }])
  })

  test.each(
    burstingArchives.flatMap(({ name, make, bound }) => (bound === undefined ? [] : [[name, make, bound] as const])),
  )('%s are refused by their own bound, for uploads and operators alike', async (_, make, message) => {
    const reading = readXlsx(make(11_000)).then(({ problems }) => problems[0]?.message ?? '')
    expect(await reading.catch((error: Error) => error.message)).toContain(message)
  })

  test('an upload that unpacks to far more than its size is refused; the operator can read the same file', async () => {
    const bomb = oneSheet([[text('a')]], { prologue: `<!--${'x'.repeat(3_000_000)}-->` })
    expect(bomb.length).toBeLessThan(10_000)
    const dense = readXlsx(bomb, { bounds: limits.upload, sheet: null })
    await expect(dense).rejects.toThrow('more than 100 times its size')
    const roomy = { unpackedBytes: 2_000_000, ratio: 10_000, textsBytes: 2_000_000 }
    const large = readXlsx(bomb, { bounds: roomy, sheet: null })
    await expect(large).rejects.toThrow('the workbook unpacks to more than 2000000 bytes')
    expect(await readXlsx(bomb)).toMatchObject({ rows: [['a']], problems: [] })
  })
})

describe('numbers of workbooks', () => {
  test('moving the point loses no digit', () => {
    const cases = {
      '1E0': '1',
      '1.25E+1': '12.5',
      '1.25E2': '125',
      '1.25E3': '1250',
      '-1.25E-3': '-0.00125',
      '0.5E1': '5',
      x: 'x',
    }
    for (const [written, plain] of Object.entries(cases)) expect(formatPlain(written)).toBe(plain)
  })

  test('formats are dates, months, years, times or numbers', () => {
    const forms = [
      'General',
      '0.00',
      'yyyy-mm-dd',
      'mmm yy',
      'yyyy',
      'hh:mm AM/PM',
      '"day" 0',
      'd. mmmm',
      '[$-407]mmmm\\ yyyy',
    ]
    expect(forms.map(code => formOfFormat(164, code))).toEqual([
      'number',
      'number',
      'day',
      'month',
      'year',
      'time',
      'number',
      'day',
      'month',
    ])
  })

  test('every day of the calendar that a serial number can name is the right one', () => {
    // 1 March 1900 is 61; the year 10000 is beyond what a period can be.
    expect(formatNumber('61', 'day', false)).toBe('1900-03-01')
    expect(formatNumber('2958465', 'day', false)).toBe('9999-12-31')
    expect(formatNumber('2958466', 'day', false)).toBeNull()
    expect(formatNumber('0', 'day', false)).toBeNull()
    expect(formatNumber('-1', 'day', false)).toBeNull()
    expect(formatNumber('45366', 'month', false)).toBe('2024-03-15')
  })
})
