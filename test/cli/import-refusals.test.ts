import { describe, expect, test } from 'vitest'
import { appending } from '../../src/storage/log/append.ts'
import { appendEntry } from '../../src/storage/log/entry-rows.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { createSeries, type OwnSeries } from '../../src/storage/series/own-series.ts'
import { importText, problemsOf, readKept } from '../support/files/imported.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

const house = ownHouse(openCommandHouse)

describe('what is refused', () => {
  test('one bad row refuses the file; every bad row is named with line, column and reason; nothing is imported', async () => {
    const { workspace } = await importText(house, 'series,period,value\nCUSTOM/held,2024-01,1\n')
    const { status, err, report } = await importText(
      house,
      [
        'series,period,value,version,published,flag,name,dataType',
        'CUSTOM/a,2024-01,1,,2024-02-01,,A,', // the one it is compared with below
        'CUSTOM/a,2024-13,x,MAYBE,yesterday,,,SHOE',
        'NOBODY/a,,,,,,,',
        'CUSTOM/a,2024-02,1,,2999-01-01,,,',
        'CUSTOM/a,2024-01,2,,2024-02-01,,,',
        'CUSTOM/a,2024-Q1,1,,,,,',
        'CUSTOM/held,2024,1,,,,,',
        'CUSTOM/a,2024-03,1,,,"a\tb",,',
        'CUSTOM/a,2024-04,1,,,,B,',
        'CUSTOM/a,2024-05,NaN,,,,,',
        'CUSTOM/a,2024-06',
        `CUSTOM/a,2024-07,1,,,${'f'.repeat(101)},,`,
      ].join('\n'),
      workspace,
    )
    expect(status).toBe(1)
    expect(problemsOf(err)).toEqual([
      'line 3, column period: must be a period such as 2024-03, 2024-Q1, 2024-H1, 2024, 2024-W05 or 2024-03-15, got "2024-13"',
      'line 3, column value: must be a decimal number such as 112.20, got "x"',
      'line 3, column version: must be PRELIMINARY, FINAL, REVISED, got "MAYBE"',
      'line 3, column published: must be a date or an instant with its zone, got "yesterday"',
      'line 3, column dataType: must be INDEX, PRICE, RATE, FX, WAGE, got "SHOE"',
      'line 4, column series: must be PROVIDER/code, got "NOBODY/a"',
      'line 4, column period: is empty',
      'line 4, column value: is empty',
      'line 5, column published: lies in the future: "2999-01-01"',
      'line 6, column value: CUSTOM/a 2024-01 has another value or version for this publication on line 2',
      'line 7, column period: CUSTOM/a is MONTHLY (line 2), but this period is QUARTERLY',
      'line 8, column period: CUSTOM/held is MONTHLY, but this period is ANNUAL',
      'line 9, column flag: must be one line without control characters and hidden signs, got "a\\tb"',
      'line 10, column name: is "B", but line 2 says "A"',
      'line 11, column value: must be a decimal number such as 112.20, got "NaN"',
      'line 12: 2 cells where the header has 8',
      'line 13, column flag: must have at most 100 characters, got 101',
      'nothing was imported',
    ])
    expect(report).toMatchObject({ added: 0, created: [], recordedAt: null, moreProblems: 0 })
    expect(report.problems).toHaveLength(17)
    expect(await readKept(house, workspace)).toHaveLength(1)
  })

  test('a thousand bad rows are named and the rest are counted', async () => {
    const rows = Array.from({ length: 1_500 }, (_, i) => `CUSTOM/a,${1000 + i},x`)
    const { err, report } = await importText(house, `series,period,value\n${rows.join('\n')}\n`)
    const lines = problemsOf(err)
    expect(lines).toHaveLength(1_002)
    expect(lines[999]).toContain('line 1001,')
    expect(lines[1_000]).toBe('and 500 more')
    expect(report.moreProblems).toBe(500)
  })

  test.each([
    ['an empty file', '', 'line 1: the file is empty'],
    [
      'a header nobody knows',
      'series,period,valeu\n',
      'line 1, column valeu: unknown column "valeu"; known are series, period, value, version, published, flag, name, unit, frequency, dataType',
    ],
    ['a column twice', 'series,period,value,value\n', 'line 1, column value: the column value is there twice'],
    [
      'a huge line',
      `series,period,value\nCUSTOM/a,2024,1\nCUSTOM/a,2025,${'9'.repeat(1_100_000)}`,
      'line 3: a row is longer than 1000000 characters',
    ],
    [
      'a frequency that is not the periods’',
      'series,period,value,frequency\nCUSTOM/a,2024-01,1,ANNUAL\n',
      'line 2, column period: "2024-01" is MONTHLY, but the frequency is ANNUAL',
    ],
    [
      'a code with a line end',
      'series,period,value\n"CUSTOM/a\nb",2024,1\n',
      'line 2, column series: must be one line without control characters and hidden signs, got "CUSTOM/a\\nb"',
    ],
  ])('%s', async (_, content, problem) => {
    const { status, err, workspace } = await importText(house, content)
    expect(status).toBe(1)
    expect(problemsOf(err)).toContain(problem)
    expect(await readKept(house, workspace)).toEqual([])
  })

  test('a table with only a header is valid and adds nothing', async () => {
    expect(await importText(house, 'series,period,value\n')).toMatchObject({ status: 0, report: { rows: 0, added: 0 } })
  })

  test('a code the workspace follows; another workspace may import under it', async () => {
    const { sql } = house.installation
    const workspace = await house.makeWorkspace()
    const series: OwnSeries = {
      id: makeIdentifier('ser'),
      provider: 'BLS',
      code: `followed-${makeIdentifier('ser')}`,
      name: 'followed',
      unit: '',
      dataType: 'INDEX',
      frequency: 'MONTHLY',
      description: '',
    }
    await appending(sql, publicScope, (tx, log) => createSeries(tx, log, [series]))
    await appending(sql, workspace.id, (tx, log) =>
      appendEntry(tx, log, 'follow', { subject: series.id, facts: { seriesId: series.id } }),
    )
    const content = `series,period,value\nCUSTOM/own,2024,1\nBLS/${series.code},2024-01,1\nBLS/${series.code},2024-02,1\n`
    const refused = await importText(house, content, workspace)
    expect(refused.status).toBe(1)
    expect(problemsOf(refused.err)[0]).toBe(
      `line 3, column series: the workspace follows BLS/${series.code}: its values come from the provider and cannot be imported`,
    )
    expect(await readKept(house, workspace)).toEqual([])
    expect((await importText(house, content)).status).toBe(0)
  })

  test('a file that does not exist, is a folder or has another ending', async () => {
    const { slug } = await house.makeWorkspace()
    const cases = [
      ['missing.csv', 'missing.csv cannot be read: there is no such file'],
      ['test', 'the file must be .csv, .xlsx or .json, got "test"'],
      ['table.xls', 'the file must be .csv, .xlsx or .json, got "table.xls"'],
    ] as const
    for (const [path, message] of cases)
      expect(await house.run(['import', path, '--workspace', slug])).toEqual({
        status: 1,
        out: '',
        err: `assize: ${message}\n`,
      })
    const csv = await house.write('t.csv', 'series,period,value\n')
    expect((await house.run(['import', csv, '--workspace', slug, '--sheet', 'A'])).err).toContain(
      '--sheet is for .xlsx',
    )
  })
})
