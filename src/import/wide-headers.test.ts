// Headers with far too many columns, in every reader of tables: the first unknown ones are named, and that is all.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkbook, text } from '../../test/support/files/workbook.ts'
import { readHeader } from '../core/series/observation-table.ts'
import { mostHeaderProblems, mostTableProblems } from '../core/series/table-problems.ts'
import { limits } from '../limits.ts'
import { csvSource } from './csv.ts'
import { readInvoiceBytes, readInvoiceFile } from './invoice-lines.ts'
import { jsonSource } from './json.ts'
import { readPriceList, readQuantityFile, tableSource } from './price-list.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-wide-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`)
/** A longer row of a file is refused as such. */
const longestRow = `${names(120_000).join(',')}\n`
const millionColumns = `${names(1_000_000).join(',')}\n`
const bytes = (content: string) => new TextEncoder().encode(content)

interface Told {
  readonly message: string
}

/** The first hundred by name, then that there are more. */
function expectFirstHundred(problems: readonly Told[]) {
  const unknown = problems.filter(({ message }) => message.startsWith('unknown column'))
  expect(unknown).toHaveLength(mostHeaderProblems)
  expect(unknown[99]!.message).toContain('"c99"')
  expect(problems.map(({ message }) => message)).toContain(
    'more than 100 columns are wrong: only the first of them are named',
  )
  expect(problems.length).toBeLessThan(mostHeaderProblems + 3)
}

describe('a header of a million columns', () => {
  test('of invoice lines names the first hundred', async () => {
    expectFirstHundred(readInvoiceBytes('csv', bytes(millionColumns), 10).problems)
    const options = { bounds: limits.upload, sheet: null, mostLines: 10 }
    expectFirstHundred((await readInvoiceFile(await file('lines.csv', longestRow), options)).problems)
  })

  test('of price lists and quantities names the first hundred', async () => {
    const path = await file('prices.csv', longestRow)
    expectFirstHundred((await readPriceList(csvSource(path))).problems)
    expectFirstHundred((await readQuantityFile(csvSource(path))).problems)
  })

  test('of observations names the first hundred', () => {
    expectFirstHundred(readHeader(names(1_000_000), 1).problems)
  })

  test('of a workbook, as wide as one can be, names the first hundred', async () => {
    const path = await file(
      'wide.xlsx',
      makeWorkbook({ sheets: [{ name: 'Sheet', rows: [names(limits.workbookColumns).map(text)] }] }),
    )
    const options = { bounds: limits.upload, sheet: null }
    expectFirstHundred((await readPriceList(tableSource(path, options))).problems)
    expectFirstHundred((await readInvoiceFile(path, { ...options, mostLines: 10 })).problems)
  })

  test('with quotes is cut like one without', () => {
    const quoted = `${names(100_000)
      .map(name => `"${name}"`)
      .join(',')}\n`
    expectFirstHundred(readInvoiceBytes('csv', bytes(quoted), 10).problems)
  })

  test('names no column as missing that may come later, and shortens names', () => {
    const { problems } = readHeader(['x'.repeat(100_000), ...names(200), 'series', 'period', 'value'], 1)
    expect(problems.some(({ message }) => message.includes('missing'))).toBe(false)
    expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(300)
  })
})

describe('JSON with far too many fields', () => {
  const many = `{${names(100_000)
    .map(name => `"${name}": 1`)
    .join(',')}}`

  test('of a line, of many lines, or around them names the first thousand problems', () => {
    for (const written of [
      `{"lines": [${many}]}`,
      many,
      `{"lines": [${Array.from({ length: 50_000 }, () => '{}').join(',')}]}`,
    ]) {
      const { problems } = readInvoiceBytes('json', bytes(written), 100_000)
      expect(problems).toHaveLength(mostTableProblems + 1)
      expect(problems.at(-1)!.message).toBe('there are more than 1000 problems: only these are named')
    }
  })

  test('of an observation names the first hundred', async () => {
    const problems: Told[] = []
    const watch = { problem: (problem: Told) => void problems.push(problem), progress() {}, note() {} }
    const path = await file(
      'observations.json',
      `[{${names(50_000)
        .map(name => `"${name}": 1`)
        .join(',')}}]`,
    )
    for await (const _ of jsonSource(path)(watch));
    expect(problems).toHaveLength(mostHeaderProblems + 1)
  })
})

test('a table that is wrong in every row names the first thousand', async () => {
  const rows = 'a,b\n'.repeat(100_000)
  const { problems } = readInvoiceBytes('csv', bytes(`invoice,supplier\n${rows}`), 1_000_000)
  expect(problems.length).toBeLessThan(mostTableProblems + 2)
  const list = await readPriceList(csvSource(await file('rows.csv', `item,price,currency\n${'a,b\n'.repeat(100_000)}`)))
  expect(list.problems).toHaveLength(mostTableProblems + 1)
})
