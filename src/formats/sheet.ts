// Tables as files, in a browser and on the server: CSV and XLSX. Text that a spreadsheet would execute as a formula is made
// harmless; figures stay figures, digit for digit.

import { neutralise, neutraliseCsv } from '../core/text/sheet-text.ts'
import { dayOf, parseDay } from '../core/time/day.ts'
import { escapeXml } from './xml-text.ts'
import { makeZip } from './zip.ts'

/** A text, a figure written as it was published, or a day `2024-04-01`. */
export type Cell = string | { readonly figure: string } | { readonly day: string } | null

export interface Sheet {
  readonly name: string
  /** Lines above the table of a workbook, which then has a frozen head, real dates and formats of numbers. A CSV file has none. */
  readonly title?: readonly string[]
  readonly head: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A cell that claims to be a figure but is not one is written as text. */
function isFigure(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
}

type ReadCell = { readonly figure: string } | { readonly text: string }

function readCell(value: Exclude<Cell, null>): ReadCell {
  if (typeof value === 'string') return { text: value }
  if ('day' in value) return { text: value.day }
  return isFigure(value.figure) ? value : { text: value.figure }
}

export function formatCsv({ head, rows }: Sheet): string {
  const quote = (text: string) => (/[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const cell = (value: Cell) => {
    if (value === null) return ''
    const read = readCell(value)
    return 'figure' in read ? read.figure : quote(neutraliseCsv(read.text))
  }
  return [head, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

/** The prefix of the media type of a workbook. */
export const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const schemas = 'http://schemas.openxmlformats.org'
const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Styles of cells: plain, the head, the first line of the title, a day, and figures by their decimals. */
const styleOf = { head: 1, title: 2, day: 3, figures: 4 } as const
/** Figures with more decimals are shown as they are. */
const mostDecimals = 12

function stylesPart(): string {
  const decimals = Array.from({ length: mostDecimals + 1 }, (_, i) => i)
  const formats = [
    '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>',
    ...decimals.map(i => `<numFmt numFmtId="${165 + i}" formatCode="#,##0${i === 0 ? '' : `.${'0'.repeat(i)}`}"/>`),
  ]
  const cells = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
    '<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
    ...decimals.map(
      i => `<xf numFmtId="${165 + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    ),
  ]
  const font = (size: number, bold: string) => `<font>${bold}<sz val="${size}"/><name val="Calibri"/></font>`
  return `${header}<styleSheet xmlns="${schemas}/spreadsheetml/2006/main"><numFmts count="${formats.length}">${formats.join('')}</numFmts><fonts count="3">${font(11, '')}${font(11, '<b/>')}${font(14, '<b/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs></styleSheet>`
}

const firstSerial = dayOf(1899, 12, 30)

/** The parts of a workbook with one sheet. Texts are written as texts, so that a spreadsheet does not execute them. */
export function workbookParts({ name, title, head, rows }: Sheet): Readonly<Record<string, string>> {
  const isStyled = title !== undefined
  const styled = (style: number) => (isStyled ? ` s="${style}"` : '')
  const textCell = (text: string, style = '') =>
    `<c${style} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
  const cell = (value: Cell) => {
    if (value === null) return '<c/>'
    const day = typeof value === 'object' && 'day' in value ? parseDay(value.day) : null
    if (isStyled && day !== null) return `<c${styled(styleOf.day)}><v>${day - firstSerial}</v></c>`
    const read = readCell(value)
    return 'figure' in read
      ? `<c${figureStyle(read.figure)}><v>${read.figure}</v></c>`
      : textCell(neutralise(read.text))
  }
  const figureStyle = (figure: string) => {
    const decimals = figure.includes('.') ? figure.length - figure.indexOf('.') - 1 : 0
    return isStyled && decimals <= mostDecimals && !/e/i.test(figure) ? styled(styleOf.figures + decimals) : ''
  }
  const above = title?.map(
    (text, i) => `<row>${textCell(neutralise(text), i === 0 ? styled(styleOf.title) : '')}</row>`,
  )
  const names = `<row>${head.map(text => textCell(neutralise(text), styled(styleOf.head))).join('')}</row>`
  const lines = [
    ...(above === undefined || above.length === 0 ? [] : [...above, '<row/>']),
    names,
    ...rows.map(row => `<row>${row.map(cell).join('')}</row>`),
  ]
  const frozen = lines.length - rows.length
  const view = isStyled
    ? `<sheetViews><sheetView workbookViewId="0"><pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columnWidths(head, rows)}</cols>`
    : ''
  const sheetName = escapeXml(name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31) || 'Sheet')
  return {
    '[Content_Types].xml': `${header}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/>${isStyled ? `<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>` : ''}</Types>`,
    '_rels/.rels': `${header}<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${schemas}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${header}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${header}<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${schemas}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>${isStyled ? `<Relationship Id="rId2" Type="${schemas}/officeDocument/2006/relationships/styles" Target="styles.xml"/>` : ''}</Relationships>`,
    ...(isStyled ? { 'xl/styles.xml': stylesPart() } : {}),
    'xl/worksheets/sheet1.xml': `${header}<worksheet xmlns="${schemas}/spreadsheetml/2006/main">${view}<sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
}

/** Wide enough for most of the cells in a column. */
function columnWidths(head: readonly string[], rows: Sheet['rows']): string {
  const lengthOf = (value: Cell | undefined) => {
    if (value == null) return 0
    return typeof value === 'string' ? value.length : 'day' in value ? 10 : value.figure.length
  }
  const widths = head.map((text, i) =>
    Math.min(48, Math.max(8, text.length, ...rows.slice(0, 200).map(row => lengthOf(row[i])))),
  )
  return widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width + 2}" customWidth="1"/>`).join('')
}

export function writeXlsx(sheet: Sheet): Uint8Array<ArrayBuffer> {
  return makeZip(workbookParts(sheet))
}
