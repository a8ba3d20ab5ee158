// The workbook that refreshes itself: what is in the file, that its functions can be read by Microsoft's parser, and what they do
// with the real server. A true Excel is not here: the functions are run by an interpreter of what they use.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorkbook, sectionFile } from '../../build/workbook.ts'
import { withAddress } from '../../src/http/docs/workbook.ts'
import { evaluateMember, parsePowerQuery, type WebAnswer, type WebRequest } from '../support/files/power-query.ts'
import { unzip } from '../support/files/unzip.ts'
import { house } from '../support/houses/house.ts'

const section = readFileSync(sectionFile, 'utf8')
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** The section document inside the part that Power Query reads, by the lengths that stand before its pieces. */
function sectionIn(part: Uint8Array): {
  readonly text: string
  readonly permissions: string
  readonly metadata: string
} {
  const xml = new TextDecoder('utf-16le').decode(part)
  const bytes = Buffer.from(/<DataMashup[^>]*>([^<]+)<\/DataMashup>/.exec(xml)![1]!, 'base64')
  const pieces: Buffer[] = []
  for (let at = 4; at < bytes.length; at += 4 + bytes.readUInt32LE(at))
    pieces.push(bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)))
  const [archive, permissions, metadata] = pieces
  const text = decode(unzip(archive!).get('Formulas/Section1.m'))
  return { text, permissions: decode(permissions), metadata: decode(metadata) }
}

test('the functions are read by the parser of Power Query without an error', async () => {
  expect((await parsePowerQuery(section)).kind).toBe('Section')
  await expect(parsePowerQuery(section.replace('each [data]', 'each [data'))).rejects.toThrow()
})

describe('the workbook', () => {
  let files: ReadonlyMap<string, Uint8Array>
  beforeAll(async () => {
    files = unzip(await makeWorkbook())
  })
  const part = (path: string) => decode(files.get(path))

  test('has the five sheets and one named cell for the address, which is empty', () => {
    const book = part('xl/workbook.xml')
    const sheets = ['Start here', 'Adjustments', 'Prices', 'Values', 'Due']
    expect([...book.matchAll(/<sheet name="([^"]+)"/g)].map(match => match[1])).toEqual(sheets)
    expect(book).toContain(`<definedName name="Assize_Address">'Start here'!$B$4</definedName>`)
    expect(part('xl/worksheets/sheet1.xml')).toContain(
      '<c r="B4" t="inlineStr"><is><t xml:space="preserve"></t></is></c>',
    )
  })

  test('contains the section document of clients/power-query, four queries that fill tables, and no key', () => {
    const { text, permissions, metadata } = sectionIn(files.get('customXml/item1.xml')!)
    expect(text.replaceAll('\r\n', '\n')).toBe(section)
    expect(permissions).toContain('<FirewallEnabled>true</FirewallEnabled>')
    const filled = [...metadata.matchAll(/<ItemPath>Section1\/(\w+)<\/ItemPath>/g)].map(match => match[1])
    expect(filled).toEqual(['Adjustments', 'Prices', 'Values', 'Due'])
    for (const [path, bytes] of files) expect(decode(bytes), path).not.toMatch(/asz_live|Password=|User ID=/i)
  })

  test('each sheet has a table whose columns are those of its query, refreshed by its connection', () => {
    for (const [at, name] of ['Adjustments', 'Prices', 'Values', 'Due'].entries()) {
      const number = at + 1
      const heads = [...part(`xl/worksheets/sheet${number + 1}.xml`).matchAll(/<t xml:space="preserve">([^<]+)</g)]
      const columns = [...part(`xl/tables/table${number}.xml`).matchAll(/<tableColumn [^>]* name="([^"]+)"/g)]
      const fields = [
        ...part(`xl/queryTables/queryTable${number}.xml`).matchAll(/<queryTableField [^>]*name="([^"]+)"/g),
      ]
      const names = heads.map(match => match[1])
      expect(names.length, name).toBeGreaterThan(6)
      expect(columns.map(match => match[1])).toEqual(names)
      expect(fields.map(match => match[1])).toEqual(names)
      expect(part(`xl/queryTables/queryTable${number}.xml`)).toContain(`connectionId="${number}"`)
      expect(part('xl/connections.xml')).toContain(`<connection id="${number}" keepAlive="1" name="Query - ${name}"`)
    }
  })

  test('every part that is named is there, and has a type', () => {
    for (const [path, bytes] of files) {
      if (!path.endsWith('.rels')) continue
      const folder = path.replace(/_rels\/[^/]+$/, '')
      for (const [, target] of decode(bytes).matchAll(/Target="([^"]+)"/g))
        expect(files.has(new URL(target!, `file:///${folder}`).pathname.slice(1)), `${path}: ${target}`).toBe(true)
    }
    for (const [, name] of part('[Content_Types].xml').matchAll(/PartName="\/([^"]+)"/g))
      expect(files.has(name!), name).toBe(true)
  })

  test('an address is written into its cell as text, and the rest stays as it is', async () => {
    const given = unzip(withAddress(new Uint8Array(await makeWorkbook()), 'https://a.example/?x="1"&y'))
    expect(decode(given.get('xl/worksheets/sheet1.xml'))).toContain('>https://a.example/?x=&quot;1&quot;&amp;y</t>')
    for (const [path, bytes] of files)
      if (path !== 'xl/worksheets/sheet1.xml') expect(given.get(path), path).toEqual(bytes)
  })
})

describe('with the server', () => {
  const { api, tenant } = house()
  beforeAll(async () => {
    await tenant.importValues('CUSTOM/steel', { '2023-12': '100.0', '2024-03': '106.71', '2025-09': '110.50' })
    for (const slug of ['brackets', 'castings', 'tubes'])
      await tenant.apply(`slug: ${slug}
name: Steel ${slug}
status: ACTIVE
contract:
  start: 2025-07-01
  frequency: QUARTERLY
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, lag: 1 month, missing: LAST_KNOWN }
clause: { fixed: 0, rounding: { percent: { dp: 2 } } }
parties: { supplier: [sam@supplier.test] }
`)
  })

  /** Asks as Excel does: the key as the user name of Basic. `page` makes pages small, `first` comes before what the server says. */
  function excel({ page = null, first = [] }: { page?: string | null; first?: readonly WebAnswer[] } = {}) {
    const asked: WebRequest[] = []
    const left = [...first]
    const waited: number[] = []
    const authorization = `Basic ${Buffer.from(`${tenant.key}:`).toString('base64')}`
    const ask = async (request: WebRequest): Promise<WebAnswer> => {
      asked.push(request)
      const scripted = left.shift()
      if (scripted !== undefined) return scripted
      const query = new URLSearchParams({ ...request.query, ...(page === null ? {} : { limit: page }) })
      const path = `${new URL(request.relativePath, `${request.address}/`).pathname}?${query}`
      const { status, headers, text } = await api.ask(path, { headers: { authorization, accept: 'application/json' } })
      return { status, headers: headers as Record<string, string>, text }
    }
    const cells = { Assize_Address: `${api.address}/`, Assize_Series: null }
    const run = (name: string, more: Readonly<Record<string, string | null>> = {}) =>
      evaluateMember(section, name, { cells: { ...cells, ...more }, ask, waited }) as Promise<readonly object[]>
    return { run, asked, waited }
  }

  test('every sheet is filled, with figures as figures, by a key that only reads', async () => {
    const { run } = excel()
    const [first, ...others] = await run('Adjustments')
    expect(others).toHaveLength(2)
    expect(first).toMatchObject({
      Agreement: 'brackets',
      Status: 'OPEN',
      'Price, settled or proposed': 13.7,
      'Change since the start %': 10.5,
    })
    expect(first).toHaveProperty('Buyer signed', null)
    expect(await run('Prices')).toMatchObject([{ Agreement: 'brackets', Item: 'brackets', Currency: 'EUR' }, {}, {}])
    expect((await run('Due')).length).toBeGreaterThan(2)
    const values = await run('Values')
    expect(values).toMatchObject([
      { Series: 'CUSTOM/steel', Period: '2023-12', Value: 100 },
      { Value: 106.71 },
      { Value: 110.5 },
    ])
    expect(await run('Values', { Assize_Series: ' CUSTOM/steel ,' })).toEqual(values)
    await expect(run('Values', { Assize_Series: 'CUSTOM/none' })).rejects.toThrow('Assize: ')
  })

  test('pages are followed to the last, and each row comes once', async () => {
    const { run, asked } = excel({ page: '1' })
    const rows = await run('Adjustments')
    expect(rows.map(row => Reflect.get(row, 'Agreement'))).toEqual(['brackets', 'castings', 'tubes'])
    expect(asked.map(({ relativePath, query }) => [relativePath, Object.keys(query).join()])).toEqual([
      ['ext/v1/adjustments', ''],
      ['ext/v1/adjustments', 'cursor'],
      ['ext/v1/adjustments', 'cursor'],
    ])
  })

  test('a busy server is asked again when it says so, five times; then its sentence is shown', async () => {
    const busy = { status: 429, headers: { 'retry-after': '17' }, text: '{"error":"too many"}' }
    const patient = excel({ first: [busy, { ...busy, status: 503, headers: {} }] })
    expect(await patient.run('Prices')).toHaveLength(3)
    expect(patient.waited).toEqual([17, 2])
    expect(patient.asked.map(({ isRetry }) => isRetry)).toEqual([false, true, true])
    await expect(excel({ first: Array(6).fill(busy) }).run('Prices')).rejects.toThrow('Assize: too many')
  })

  test('without an address it says where to type one', async () => {
    await expect(excel().run('Due', { Assize_Address: null })).rejects.toThrow('Type the address of your server')
  })

  test('the workbook is served to anybody, with the address by which the server was reached', async () => {
    const { status, headers, body } = await api.client.ask('/ext/v1/excel/assize.xlsx', {
      headers: { host: 'prices.example' },
    })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename="assize.xlsx"',
    })
    expect(decode(unzip(body).get('xl/worksheets/sheet1.xml'))).toContain('>http://prices.example</t>')
    expect((await api.ask('/api/ext/v1/excel/assize.xlsx')).status).toBe(200)
    expect((await api.ask('/ext/v1/excel/other.xlsx')).status).toBe(401)
    expect((await api.ask('/ext/v1/excel/assize.xlsx', { method: 'DELETE' })).status).toBe(405)
  })
})
