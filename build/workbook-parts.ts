// The parts of the workbook that every spreadsheet program reads: its sheets, their tables, the named cells, and which query
// fills which table.
import { escapeXml } from '../src/formats/xml-text.ts'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const sheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** A sheet that a query fills. */
export interface QuerySheet {
  readonly name: string
  readonly headings: readonly string[]
}

type Files = Readonly<Record<string, string>>

const startName = 'Start here'
/** What stands in the first sheet; the two cells beside their names are named, and filled by whoever uses the workbook. */
const startRows: readonly (readonly string[])[] = [
  ['Assize in this workbook'],
  ['Your agreements, prices, index values and due dates, refreshed from your own server. It only reads.'],
  [],
  ['Address of the server', ''],
  ['Series for the sheet Values', ''],
  [],
  ['1. Check the address above. It is like https://assize.example'],
  ['2. Data, Refresh All. Excel asks how to sign in: choose Basic, your API key as the user name, no password.'],
  [
    '    Make the key in Assize under Settings, API keys; the scope "read" is enough. Excel keeps it on this machine, not in this file.',
  ],
  ['3. If Excel asks for privacy levels, choose Organizational for both.'],
  [
    '4. Series are names as formulas use them, with commas between them (BLS/WPU101, CUSTOM/steel). Empty: the first 50.',
  ],
  [],
  ['Status AGREED: both have signed, and the price is settled. With any other status it is proposed.'],
  ['Excel computes with 15 digits. What counts are the figures in Assize and in its receipts.'],
  [
    'The functions (Assize_Adjustments, Assize_Prices, Assize_Values, Assize_Due) are under Data, Queries & Connections.',
  ],
]
const namedCells = { Assize_Address: 'B4', Assize_Series: 'B5' } as const

/** Content types, relations, properties, the workbook itself and its connections. */
export function writeFrame(sheets: readonly QuerySheet[]): Files {
  return {
    '[Content_Types].xml': writeTypes(sheets),
    '_rels/.rels': relations([
      [`${office}/officeDocument`, 'xl/workbook.xml'],
      [`${packages}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    ]),
    'docProps/core.xml': `${declaration}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Assize</dc:title></cp:coreProperties>`,
    'xl/workbook.xml': writeBook(sheets),
    'xl/_rels/workbook.xml.rels': relations([
      ...[startName, ...sheets.map(({ name }) => name)].map(
        (_, at) => [`${office}/worksheet`, `worksheets/sheet${at + 1}.xml`] as const,
      ),
      [`${office}/theme`, 'theme/theme1.xml'],
      [`${office}/styles`, 'styles.xml'],
      [`${office}/connections`, 'connections.xml'],
      [`${office}/customXml`, '../customXml/item1.xml'],
    ]),
    'xl/connections.xml': writeConnections(sheets),
  }
}

function writeTypes(sheets: readonly QuerySheet[]): string {
  const numbers = sheets.map((_, at) => at + 1)
  const parts: readonly (readonly [string, string])[] = [
    ['/xl/workbook.xml', `${sheetTypes}.sheet.main+xml`],
    ...[0, ...numbers].map(at => [`/xl/worksheets/sheet${at + 1}.xml`, `${sheetTypes}.worksheet+xml`] as const),
    ...numbers.map(at => [`/xl/tables/table${at}.xml`, `${sheetTypes}.table+xml`] as const),
    ...numbers.map(at => [`/xl/queryTables/queryTable${at}.xml`, `${sheetTypes}.queryTable+xml`] as const),
    ['/xl/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml'],
    ['/xl/styles.xml', `${sheetTypes}.styles+xml`],
    ['/xl/connections.xml', `${sheetTypes}.connections+xml`],
    ['/customXml/itemProps1.xml', 'application/vnd.openxmlformats-officedocument.customXmlProperties+xml'],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
  ]
  const written = parts.map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`)
  return `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${written.join('')}</Types>`
}

function relations(list: readonly (readonly [type: string, target: string])[]): string {
  const written = list.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`,
  )
  return `${declaration}<Relationships xmlns="${packages}/relationships">${written.join('')}</Relationships>`
}

function writeBook(sheets: readonly QuerySheet[]): string {
  const names = [startName, ...sheets.map(({ name }) => name)]
  const listed = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  const named = Object.entries(namedCells).map(([name, cell]) => {
    return `<definedName name="${name}">'${startName}'!$${cell[0]}$${cell.slice(1)}</definedName>`
  })
  // What a query has filled, as Excel itself remembers it.
  const filled = sheets.map(({ name, headings }, at) => {
    const last = columnName(headings.length - 1)
    return `<definedName name="ExternalData_1" localSheetId="${at + 1}" hidden="1">${name}!$A$1:$${last}$2</definedName>`
  })
  return `${declaration}<workbook ${main} xmlns:r="${office}"><sheets>${listed.join('')}</sheets><definedNames>${[...named, ...filled].join('')}</definedNames><calcPr calcId="191029"/></workbook>`
}

function writeConnections(sheets: readonly QuerySheet[]): string {
  const written = sheets.map(({ name }, at) => {
    const source = `Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=${name};Extended Properties=""`
    return `<connection id="${at + 1}" keepAlive="1" name="Query - ${name}" description="Connection to the '${name}' query in the workbook." type="5" refreshedVersion="7" background="1" saveData="1"><dbPr connection="${escapeXml(source)}" command="SELECT * FROM [${name}]"/></connection>`
  })
  return `${declaration}<connections ${main}>${written.join('')}</connections>`
}

/** The sheet to begin with, and for each query a sheet, its table and what refreshes it. */
export function writeSheets(sheets: readonly QuerySheet[]): Files {
  const files: Record<string, string> = { 'xl/worksheets/sheet1.xml': writeStart() }
  sheets.forEach(({ name, headings }, at) => {
    const number = at + 1
    files[`xl/worksheets/sheet${number + 1}.xml`] = writeQuerySheet(headings)
    files[`xl/worksheets/_rels/sheet${number + 1}.xml.rels`] = relations([
      [`${office}/table`, `../tables/table${number}.xml`],
    ])
    files[`xl/tables/table${number}.xml`] = writeTable(name, headings, number)
    files[`xl/tables/_rels/table${number}.xml.rels`] = relations([
      [`${office}/queryTable`, `../queryTables/queryTable${number}.xml`],
    ])
    files[`xl/queryTables/queryTable${number}.xml`] = writeQueryTable(headings, number)
  })
  return files
}

function writeStart(): string {
  const rows = startRows.map((cells, row) => {
    const written = cells.map((text, column) => textCell(`${columnName(column)}${row + 1}`, text))
    return `<row r="${row + 1}">${written.join('')}</row>`
  })
  const columns =
    '<cols><col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols>'
  return `${declaration}<worksheet ${main}>${columns}<sheetData>${rows.join('')}</sheetData></worksheet>`
}

function writeQuerySheet(headings: readonly string[]): string {
  const cells = headings.map((heading, at) => textCell(`${columnName(at)}1`, heading))
  const pane =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
  const columns = `<cols><col min="1" max="${headings.length}" width="18" customWidth="1"/></cols>`
  return `${declaration}<worksheet ${main} xmlns:r="${office}">${pane}${columns}<sheetData><row r="1">${cells.join('')}</row></sheetData><tableParts count="1"><tablePart r:id="rId1"/></tableParts></worksheet>`
}

function writeTable(name: string, headings: readonly string[], id: number): string {
  const place = `A1:${columnName(headings.length - 1)}2`
  const columns = headings.map((heading, at) => {
    return `<tableColumn id="${at + 1}" uniqueName="${at + 1}" name="${escapeXml(heading)}" queryTableFieldId="${at + 1}"/>`
  })
  return `${declaration}<table ${main} id="${id}" name="${name}" displayName="${name}" ref="${place}" tableType="queryTable" totalsRowShown="0"><autoFilter ref="${place}"/><tableColumns count="${headings.length}">${columns.join('')}</tableColumns><tableStyleInfo name="TableStyleMedium7" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>`
}

function writeQueryTable(headings: readonly string[], connection: number): string {
  const fields = headings.map((heading, at) => {
    return `<queryTableField id="${at + 1}" name="${escapeXml(heading)}" tableColumnId="${at + 1}"/>`
  })
  return `${declaration}<queryTable ${main} name="ExternalData_1" connectionId="${connection}" autoFormatId="16" applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" applyAlignmentFormats="0" applyWidthHeightFormats="0"><queryTableRefresh nextId="${headings.length + 1}"><queryTableFields count="${headings.length}">${fields.join('')}</queryTableFields></queryTableRefresh></queryTable>`
}

function textCell(place: string, text: string): string {
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

/** `A` for the first. None of our tables has more than 26. */
function columnName(at: number): string {
  return String.fromCharCode(65 + at)
}
