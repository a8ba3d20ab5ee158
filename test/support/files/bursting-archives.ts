// Workbooks made to exhaust memory: small on the wire, but too large for a reader that holds more than it should.
import { makeWorkbook, zip } from './workbook.ts'

export interface BurstingArchive {
  /** What in it is too much. */
  readonly name: string
  readonly make: (size: number) => Buffer
  /** What it is told where a bound of its own refuses it, whatever is left of memory; such a one needs no server to be tested. */
  readonly bound?: string
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook of one sheet, of which some parts are given as they are. */
function workbookOf(parts: Readonly<Record<string, string>>): Buffer {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const files: Record<string, string> = {
    '_rels/.rels': `<Relationships>${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'sheet.xml')}${relation('r2', 'sharedStrings', 'texts.xml')}${relation('r3', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sheet.xml':
      '<worksheet><sheetData><row><c t="inlineStr"><is><t>series</t></is></c></row></sheetData></worksheet>',
    'xl/texts.xml': '<sst/>',
    'xl/styles.xml': '<styleSheet/>',
    ...parts,
  }
  return zip(Object.entries(files).map(([name, text]) => [name, Buffer.from(declaration + text)]))
}

/** Different content in each, so that it does not compress too well. */
function numbered(count: number, piece: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => piece((i * 7_919) % 99_991)).join('')
}

export const burstingArchives: readonly BurstingArchive[] = [
  {
    name: 'elements nested in a worksheet',
    bound: 'nested more than 64 deep',
    make: size => workbookOf({ 'xl/sheet.xml': `<worksheet>${numbered(size, i => `<a${i}>`)}` }),
  },
  {
    name: 'elements nested in the shared texts',
    bound: 'nested more than 64 deep',
    make: size => workbookOf({ 'xl/texts.xml': `<sst>${numbered(size, i => `<si><r${i}>`)}` }),
  },
  {
    name: 'elements nested in the list of parts',
    bound: 'nested more than 64 deep',
    make: size => workbookOf({ '_rels/.rels': `<Relationships>${numbered(size, i => `<a${i}>`)}` }),
  },
  {
    name: 'empty shared texts',
    make: size => workbookOf({ 'xl/texts.xml': `<sst>${numbered(8 * size, i => `<si${' '.repeat(i % 7)}/>`)}</sst>` }),
  },
  {
    name: 'one shared text of many runs',
    make: size =>
      workbookOf({ 'xl/texts.xml': `<sst><si>${numbered(size, i => `<r><t>${i}${i}</t></r>`)}</si></sst>` }),
  },
  {
    name: 'an element of many attributes',
    bound: 'more than 200 attributes',
    make: size =>
      workbookOf({ 'xl/sheet.xml': `<worksheet ${numbered(size, i => `a${i}_${i % 13}x${i % 7}="1" `)}/>` }),
  },
  {
    name: 'a name that never ends',
    make: size => workbookOf({ 'xl/sheet.xml': `<${numbered(size, i => `a${i}`)}` }),
  },
  {
    name: 'a cell that never ends',
    make: size => workbookOf({ 'xl/sheet.xml': `<worksheet><sheetData><row><c><v>${numbered(size, i => `${i}`)}` }),
  },
  {
    name: 'a comment that never ends',
    make: size => workbookOf({ 'xl/sheet.xml': `<worksheet><!--${numbered(size, i => `${i}`)}` }),
  },
  {
    name: 'rows as wide as can be',
    make: size =>
      workbookOf({
        'xl/sheet.xml': `<worksheet><sheetData>${numbered(size, i => `<row><c r="XFD1" t="str"><v>${i}</v></c></row>`)}</sheetData></worksheet>`,
      }),
  },
  {
    name: 'styles without end',
    make: size =>
      workbookOf({
        'xl/styles.xml': `<styleSheet><cellXfs>${numbered(2 * size, i => `<xf numFmtId="${i}"/>`)}</cellXfs></styleSheet>`,
      }),
  },
  {
    name: 'parts without end',
    bound: 'parts',
    make: size => zip(Array.from({ length: Math.min(size, 30_000) }, (_, i) => [`p${i}`, Buffer.from('x')] as const)),
  },
  {
    name: 'a part that packs too well',
    make: size => workbookOf({ 'xl/sheet.xml': `<worksheet>${' '.repeat(60 * size)}</worksheet>` }),
  },
  {
    name: 'a DOCTYPE that grows',
    make: () =>
      makeWorkbook({
        sheets: [{ name: 'a', rows: [] }],
        prologue: '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]>',
      }),
  },
]

/** Those that only the memory of a server can tell about, and the first, which ended one once. */
export const archivesForServers = burstingArchives.filter(({ bound }, at) => bound === undefined || at === 0)
