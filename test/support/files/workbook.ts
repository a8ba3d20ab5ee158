// Workbooks for tests: a ZIP archive of the few parts a spreadsheet program needs, with cells as they are in the XML.
import { crc32, deflateRawSync } from 'node:zlib'

/** A cell as XML attributes and content: `{ v: '112.20' }` is a number, `{ t: 's', v: '0' }` a shared text. */
export interface Cell {
  readonly t?: string
  readonly s?: number
  readonly v?: string
  readonly xml?: string
}

export interface WorkbookParts {
  readonly sheets: readonly { readonly name: string; readonly rows: readonly (readonly (Cell | null)[])[] }[]
  readonly sharedStrings?: readonly string[]
  /** The number format of each cell style, by id or as a code. */
  readonly formats?: readonly (number | string)[]
  readonly date1904?: boolean
  /** Comes before the worksheet's own element. */
  readonly prologue?: string
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageTypes = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'

export function text(content: string): Cell {
  return { t: 'inlineStr', xml: `<is><t>${escapeXml(content)}</t></is>` }
}

export function makeWorkbook(parts: WorkbookParts): Buffer {
  const { sheets, sharedStrings = [], formats = [], date1904 = false, prologue = '' } = parts
  const files = new Map<string, string>()
  files.set('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]))
  files.set(
    'xl/workbook.xml',
    `<workbook ${main} xmlns:r="${types}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(({ name }, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
  )
  files.set(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', '/xl/styles.xml'],
    ]),
  )
  files.set('xl/sharedStrings.xml', `<sst ${main}>${sharedStrings.map(item => `<si>${item}</si>`).join('')}</sst>`)
  files.set('xl/styles.xml', styles(formats))
  for (const [i, { rows }] of sheets.entries()) files.set(`xl/worksheets/sheet${i + 1}.xml`, prologue + sheetXml(rows))
  return zip([...files].map(([name, content]) => [name, Buffer.from(declaration + content)]))
}

function relations(list: readonly (readonly [string, string])[]): string {
  const items = list.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${types}/${type}" Target="${target}"/>`,
  )
  return `<Relationships ${packageTypes}>${items.join('')}</Relationships>`
}

function styles(formats: readonly (number | string)[]): string {
  const own = formats.flatMap((format, i) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${200 + i}" formatCode="${escapeXml(format)}"/>`] : [],
  )
  const cells = formats.map((format, i) => `<xf numFmtId="${typeof format === 'string' ? 200 + i : format}"/>`)
  return `<styleSheet ${main}><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${cells.join('')}</cellXfs></styleSheet>`
}

function sheetXml(rows: readonly (readonly (Cell | null)[])[]): string {
  const lines = rows.map((cells, r) => {
    const items = cells.map((cell, c) => {
      if (cell === null) return ''
      const { t, s, v, xml } = cell
      const attributes = `r="${columnName(c)}${r + 1}"${t === undefined ? '' : ` t="${t}"`}${s === undefined ? '' : ` s="${s}"`}`
      return `<c ${attributes}>${xml ?? (v === undefined ? '' : `<v>${v}</v>`)}</c>`
    })
    return `<row r="${r + 1}">${items.join('')}</row>`
  })
  return `<worksheet ${main}><sheetData>${lines.join('')}</sheetData></worksheet>`
}

function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26)
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Every file deflated, without extras. */
export function zip(files: readonly (readonly [string, Buffer])[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of files) {
    const packed = deflateRawSync(content)
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, packed)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, entry, nameBytes)
    offset += 30 + nameBytes.length + packed.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(listing.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, listing, Buffer.from('PK\x05\x06', 'latin1'), end])
}
