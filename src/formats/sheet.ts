// Tables as files: CSV and XLSX, the same in a browser and on the server. Text that a spreadsheet would run as a formula is
// made harmless; figures stay figures, digit for digit.
import { neutralise, neutraliseCsv } from '../core/sheet-text.ts'
import { escapeXml } from './xml-text.ts'
import { zipStored } from './zip-stored.ts'

/** A text, or a figure written as it was published. */
export type Cell = string | { readonly figure: string } | null

export interface Sheet {
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A cell that claims to be a figure but is not one is written as text. */
function isFigure(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
}

function readCell(value: Exclude<Cell, null>): { readonly figure: string } | { readonly text: string } {
  if (typeof value === 'string') return { text: value }
  return isFigure(value.figure) ? value : { text: value.figure }
}

export function writeCsv({ head, rows }: Sheet): string {
  const quote = (text: string) => (/[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const cell = (value: Cell) => {
    if (value === null) return ''
    const read = readCell(value)
    return 'figure' in read ? read.figure : quote(neutraliseCsv(read.text))
  }
  return [head, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

/** The media type of a workbook begins so. */
export const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const schemas = 'http://schemas.openxmlformats.org'
const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** The parts of a workbook with one sheet. Texts are written as texts, so that nothing in them is run. */
export function workbookParts({ name, head, rows }: Sheet): Readonly<Record<string, string>> {
  const textCell = (text: string) => `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
  const cell = (value: Cell) => {
    if (value === null) return '<c/>'
    const read = readCell(value)
    return 'figure' in read ? `<c><v>${read.figure}</v></c>` : textCell(neutralise(read.text))
  }
  const lines = [head, ...rows].map(row => `<row>${row.map(cell).join('')}</row>`)
  const sheetName = escapeXml(name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31) || 'Sheet')
  return {
    '[Content_Types].xml': `${header}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/></Types>`,
    '_rels/.rels': `${header}<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${schemas}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${header}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${header}<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${schemas}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${header}<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
}

export function writeXlsx(sheet: Sheet): Uint8Array<ArrayBuffer> {
  return zipStored(workbookParts(sheet))
}
