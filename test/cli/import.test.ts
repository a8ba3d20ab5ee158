import { describe, expect, test } from 'vitest'
import { withStaging } from '../../src/storage/series/staging.ts'
import { importText, type Kept, readHashes, readKept } from '../support/files/imported.ts'
import { makeWorkbook, text } from '../support/files/workbook.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

const house = ownHouse(openCommandHouse)

describe('the three forms of a table', () => {
  const columns = ['series', 'period', 'value', 'version', 'published', 'flag', 'name', 'unit', 'dataType']
  const rows = [
    ['CUSTOM/steel', '2024-01', '112.20', 'PRELIMINARY', '2024-02-14', 'p', 'Steel, "hot"', 'Index 2015=100', 'INDEX'],
    ['CUSTOM/steel', '2024-01', '112.40', '', '2024-03-14', '', '', '', ''],
    ['CUSTOM/steel', '2024-02', '0.000000000000000000001', '', '2024-03-14', '', '', '', ''],
    ['CUSTOM/wages', '2024', '-3', 'FINAL', '2025-01-31', 'é', 'Löhne', 'EUR/h', 'WAGE'],
  ]

  test('CSV, JSON and XLSX with the same rows give the same vintages and the same hashes', async () => {
    const csv = [columns, ...rows]
      .map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(','))
      .join('\r\n')
    // JSON with numbers, XLSX with numeric cells and serial dates: their digits count, not their floats.
    const json = `{"observations":[${rows
      .map(cells => {
        const members = cells.flatMap((cell, i) => {
          if (cell === '') return []
          return [`${JSON.stringify(columns[i])}: ${columns[i] === 'value' ? cell : JSON.stringify(cell)}`]
        })
        return `{${members.join(', ')}}`
      })
      .join(',\n')}]}`
    const serials: Record<string, string> = { '2024-02-14': '45336', '2024-03-14': '45365', '2025-01-31': '45688' }
    const xlsx = makeWorkbook({
      formats: ['yyyy-mm-dd'],
      sheets: [
        {
          name: 'Observations',
          rows: [
            columns.map(text),
            ...rows.map(cells =>
              cells.map((cell, i) => {
                if (cell === '') return null
                if (columns[i] === 'value') return { v: cell === '0.000000000000000000001' ? '1E-21' : cell }
                return columns[i] === 'published' ? { s: 1, v: serials[cell]! } : text(cell)
              }),
            ),
          ],
        },
      ],
    })
    const kept: Kept[][] = []
    const hashes: string[][] = []
    for (const [name, content] of [
      ['table.csv', csv],
      ['table.json', json],
      ['table.xlsx', xlsx],
    ] as const) {
      const workspace = await house.makeWorkspace()
      const { status, err } = await house.run([
        'import',
        await house.write(name, content),
        '--workspace',
        workspace.slug,
      ])
      expect({ status, err }).toEqual({ status: 0, err: '' })
      kept.push(await readKept(house, workspace))
      hashes.push(await readHashes(house, workspace))
      const [steel, wages] = JSON.parse(
        (await house.run(['series', 'list', '--workspace', workspace.slug, '--json'])).out,
      )
      expect(steel).toMatchObject({
        series: 'CUSTOM/steel',
        name: 'Steel, "hot"',
        unit: 'Index 2015=100',
        frequency: 'MONTHLY',
        dataType: 'INDEX',
      })
      expect(wages).toMatchObject({
        name: 'Löhne',
        unit: 'EUR/h',
        frequency: 'ANNUAL',
        dataType: 'WAGE',
        lastValue: '-3',
      })
    }
    expect(kept[0]).toEqual([
      {
        series: 'CUSTOM/steel',
        period: '2024-01',
        value: '112.20',
        tag: 'PRELIMINARY',
        flag: 'p',
        published: '2024-02-14',
      },
      { series: 'CUSTOM/steel', period: '2024-01', value: '112.40', tag: 'FINAL', flag: null, published: '2024-03-14' },
      {
        series: 'CUSTOM/steel',
        period: '2024-02',
        value: '0.000000000000000000001',
        tag: 'FINAL',
        flag: null,
        published: '2024-03-14',
      },
      { series: 'CUSTOM/wages', period: '2024', value: '-3', tag: 'FINAL', flag: 'é', published: '2025-01-31' },
    ])
    expect(kept[1]).toEqual(kept[0])
    expect(kept[2]).toEqual(kept[0])
    expect(hashes[1]).toEqual(hashes[0])
    expect(hashes[2]).toEqual(hashes[0])
  })
})

describe('what an import adds', () => {
  test('an unknown series is created with the defaults; the report says what happened', async () => {
    const { report, workspace } = await importText(
      house,
      'series,period,value\nCUSTOM/a,2024-Q1,1.10\nBLS/b,2024-W05,2\n',
    )
    expect(report).toMatchObject({
      rows: 2,
      added: 2,
      created: ['CUSTOM/a', 'BLS/b'],
      described: [],
      recordedAt: expect.stringMatching(/^20.*Z$/),
      problems: [],
      dryRun: false,
      workspace: workspace.slug,
    })
    const list = JSON.parse((await house.run(['series', 'list', '--workspace', workspace.slug, '--json'])).out)
    expect(list).toEqual([
      expect.objectContaining({
        series: 'BLS/b',
        name: 'b',
        unit: '',
        dataType: 'INDEX',
        frequency: 'WEEKLY',
        firstPeriod: '2024-W05',
      }),
      expect.objectContaining({
        series: 'CUSTOM/a',
        name: 'a',
        frequency: 'QUARTERLY',
        lastPeriod: '2024-Q1',
        lastValue: '1.10',
        vintages: 1,
        followed: false,
      }),
    ])
  })

  test('the same file again adds nothing, with dates and without', async () => {
    const content =
      'series,period,value,published\nCUSTOM/a,2024-01,1,2024-02-01\nCUSTOM/a,2024-02,2,\nCUSTOM/a,2024-01,1.5,2024-03-01\n'
    const { workspace, report } = await importText(house, content)
    expect(report.added).toBe(3)
    const before = await readKept(house, workspace)
    const again = await importText(house, content, workspace)
    expect(again).toMatchObject({
      status: 0,
      report: { rows: 3, added: 0, created: [], described: [], recordedAt: null },
    })
    expect(await readKept(house, workspace)).toEqual(before)
  })

  test('tags follow the rule unless given: FINAL first, REVISED if it changes a final one', async () => {
    const { workspace } = await importText(
      house,
      'series,period,value,version\nCUSTOM/a,2024-01,1,\nCUSTOM/a,2024-02,2,PRELIMINARY\n',
    )
    await importText(house, 'series,period,value\nCUSTOM/a,2024-01,1.1\nCUSTOM/a,2024-02,2\n', workspace)
    await importText(
      house,
      'series,period,value,version\nCUSTOM/a,2024-01,1.1,\nCUSTOM/a,2024-02,2.2,\nCUSTOM/a,2024-03,3,REVISED\n',
      workspace,
    )
    const kept = (await readKept(house, workspace)).map(({ period, value, tag }) => `${period} ${value} ${tag}`)
    expect(kept).toEqual([
      '2024-01 1 FINAL',
      '2024-01 1.1 REVISED',
      '2024-02 2 PRELIMINARY',
      '2024-02 2 FINAL',
      '2024-02 2.2 REVISED',
      '2024-03 3 REVISED',
    ])
  })

  test('sixty digits are kept unchanged, sixty-one are refused', async () => {
    const long = `-${'1234567890'.repeat(4)}.${'09876543210987654321'}`
    const { workspace } = await importText(house, `series,period,value\nCUSTOM/a,2024,${long}\nCUSTOM/a,2025,+007.50\n`)
    expect((await readKept(house, workspace)).map(({ value }) => value)).toEqual([long, '007.50'])
    const { err, status } = await importText(house, `series,period,value\nCUSTOM/a,2026,${long}1\n`, workspace)
    expect(status).toBe(1)
    expect(err).toContain('line 2, column value: must be a decimal number')
  })

  test('a name, unit or data type that differs becomes a new description; without the columns nothing changes', async () => {
    const { workspace } = await importText(house, 'series,period,value,name,unit\nCUSTOM/a,2024,1,Old,EUR\n')
    const again = await importText(house, 'series,period,value,name,dataType\nCUSTOM/a,2024,1,New,PRICE\n', workspace)
    expect(again.report).toMatchObject({
      added: 0,
      created: [],
      described: ['CUSTOM/a'],
      recordedAt: expect.any(String),
    })
    await importText(house, 'series,period,value\nCUSTOM/a,2025,1\n', workspace)
    const rows = await house.installation.owner`
      select name, unit, data_type, frequency from series_metadata where owner = ${workspace.id} order by seq`
    expect([...rows]).toEqual([
      { name: 'Old', unit: 'EUR', data_type: 'INDEX', frequency: 'ANNUAL' },
      { name: 'New', unit: 'EUR', data_type: 'PRICE', frequency: 'ANNUAL' },
    ])
  })

  test('a dry run shows what would be new and publishes nothing', async () => {
    const { workspace } = await importText(house, 'series,period,value\nCUSTOM/a,2024,1\n')
    const content = 'series,period,value,name\nCUSTOM/a,2024,1,A\nCUSTOM/a,2025,2,\nCUSTOM/b,2025,2,\n'
    const dry = await importText(house, content, workspace, ['--dry-run'])
    expect(dry).toMatchObject({
      status: 0,
      report: { dryRun: true, rows: 3, added: 2, created: ['CUSTOM/b'], described: ['CUSTOM/a'], recordedAt: null },
    })
    expect(await readKept(house, workspace)).toHaveLength(1)
    const { out } = await house.run([
      'import',
      await house.write('t.csv', content),
      '--workspace',
      workspace.slug,
      '--dry-run',
    ])
    expect(out).toMatch(/3 rows, 2 new vintages, 1 new series, 1 series with new metadata would be published\n$/)
  })

  test('a period that was withdrawn comes back with a value, as a new vintage', async () => {
    const { workspace } = await importText(house, 'series,period,value,published\nCUSTOM/a,2024,1,2024-02-01\n')
    const [series] = await house.installation.owner<
      { id: string }[]
    >`select id from series where owner = ${workspace.id}`
    await withStaging(house.installation.sql, workspace.id, async staging => {
      await staging.add([
        {
          series: 0,
          period: 2024,
          value: null,
          tag: null,
          flag: null,
          publishedAt: '2024-03-01T00:00:00.000000Z',
          line: 1,
        },
      ])
      await (await staging.compare([series!.id])).appendOne()
    })
    const list = async () =>
      JSON.parse((await house.run(['series', 'list', '--workspace', workspace.slug, '--json'])).out)
    expect(await list()).toMatchObject([{ lastPeriod: null, lastValue: null, vintages: 2 }])
    const back = await importText(house, 'series,period,value,published\nCUSTOM/a,2024,1,2024-04-01\n', workspace)
    expect(back.report.added).toBe(1)
    expect(await list()).toMatchObject([{ lastPeriod: '2024', lastValue: '1', vintages: 3 }])
  })

  test('two imports of the same new series at once both succeed, and nothing is there twice', async () => {
    const workspace = await house.makeWorkspace()
    const table = (from: number) =>
      `series,period,value,published\n${Array.from({ length: 300 }, (_, i) => `CUSTOM/s${i % 3},${1900 + from + i},${from + i},2024-01-01`).join('\n')}`
    const outcomes = await Promise.all([0, 0, 150, 150].map(from => importText(house, table(from), workspace)))
    expect(outcomes.map(({ status, err }) => `${status} ${err}`)).toEqual(['0 ', '0 ', '0 ', '0 '])
    expect(outcomes.reduce((sum, { report }) => sum + report.added, 0)).toBe(450)
    expect(outcomes.reduce((sum, { report }) => sum + report.created.length, 0)).toBe(3)
    expect(await readKept(house, workspace)).toHaveLength(450)
    expect((await house.run(['verify', '--chain', '--workspace', workspace.slug])).status).toBe(0)
  })
})

describe('progress', () => {
  test('there is a progress bar on a terminal, cleared at the end, and none when piped', async () => {
    const workspace = await house.makeWorkspace()
    const rows = Array.from({ length: 20_000 }, (_, i) => `CUSTOM/s${i % 20},${1000 + Math.floor(i / 20)},${i}`)
    const path = await house.write('big.csv', `series,period,value\n${rows.join('\n')}`)
    const seen = await house.run(['import', path, '--workspace', workspace.slug], true)
    expect(seen.err).toMatch(/^\r\[#*\.*\] +\d+ % reading [\d,]+ rows/)
    expect(seen.err).toContain('\r[##############################] 100 % reading ')
    expect(seen.err).toContain('publishing 20,000 rows')
    expect(seen.err.endsWith('\r\u001b[K')).toBe(true)
    expect(seen.out).toMatch(/20,000 rows, 20,000 new vintages, 20 new series published, recorded 20\S+Z\n$/)
    const piped = await house.run(['import', path, '--workspace', workspace.slug])
    expect(piped).toMatchObject({ err: '', out: expect.stringMatching(/20,000 rows, nothing new\n$/) })
  })
})
