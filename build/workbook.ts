// The workbook that refreshes itself: five sheets, four tables and the section document of clients/power-query/Assize.pq. The
// part that Power Query reads comes from Microsoft's own library, which knows one query in one sheet; the sheets, and that there
// are four queries, are written here. It contains no key and nothing of any workspace, and the same sources give the same bytes.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { readZipDirectory } from '../src/formats/evidence/zip-directory.ts'
import { makeZip } from '../src/formats/zip.ts'
import { writeMashup } from './workbook-mashup.ts'
import { writeFrame, writeSheets } from './workbook-parts.ts'

export const sectionFile = join(import.meta.dirname, '..', 'clients', 'power-query', 'Assize.pq')
const sheetNames = ['Adjustments', 'Prices', 'Values', 'Due'] as const

/** The bytes of the workbook, with an empty cell for the address. */
export async function makeWorkbook(section = readFileSync(sectionFile, 'utf8')): Promise<Uint8Array> {
  const sheets = sheetNames.map(name => ({ name, headings: headingsOf(section, name) }))
  const made = await makeSingleQueryWorkbook(sheets[0]!.name)
  const kept = ['customXml/_rels/item1.xml.rels', 'customXml/itemProps1.xml', 'xl/theme/theme1.xml', 'xl/styles.xml']
  return makeZip({
    ...writeFrame(sheets),
    ...Object.fromEntries(kept.map(path => [path, made.get(path)!])),
    ...writeSheets(sheets),
    'customXml/item1.xml': writeMashup(made.get('customXml/item1.xml')!, section, sheets),
  })
}

/** The columns that a function of the section document gives its table. */
function headingsOf(section: string, name: string): readonly string[] {
  const [, from = ''] = section.split(`shared Assize_${name} = `)
  const [body = ''] = from.split('\nshared ')
  const headings = [...body.matchAll(/\{"[\w.]+", "([^"]+)", "\w+"\}/g)].map(match => match[1]!)
  if (headings.length === 0) throw new Error(`Assize_${name} has no columns`)
  return headings
}

interface WorkbookLibrary {
  readonly workbookManager: {
    generateSingleQueryWorkbook(query: {
      queryName: string
      queryMashup: string
      refreshOnOpen: boolean
    }): Promise<Blob>
  }
}

/** What the library makes, unpacked. It is a module of the older kind. */
async function makeSingleQueryWorkbook(queryName: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const load = createRequire(import.meta.url)
  const { workbookManager } = load('@microsoft/connected-workbooks') as WorkbookLibrary
  const query = { queryName, queryMashup: '0', refreshOnOpen: false }
  const blob = await workbookManager.generateSingleQueryWorkbook(query)
  const files = readZipDirectory(new Uint8Array(await blob.arrayBuffer()))
  return new Map(files.map(({ path, packed, isDeflated }) => [path, isDeflated ? inflateRawSync(packed) : packed]))
}
