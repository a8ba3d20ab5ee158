// Rows from a worksheet of an .xlsx workbook, streamed one by one; only the workbook's shared texts are held. A numeric
// cell gives its digits as the file has them. It computes no formulas: the value last shown in the spreadsheet counts, and
// a cell that shows an error is a problem of its row.
import { Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { restore } from '../core/text/sheet-text.ts'
import { limits } from '../limits.ts'
import { sizeOfFile, storableCells, type TableRow, type TableSource } from './source.ts'
import { Archive, type Attributes, type UnpackBounds } from './xlsx-archive.ts'
import { formatNumber, formOfFormat, type NumberForm } from './xlsx-number.ts'

export interface XlsxOptions {
  readonly bounds: UnpackBounds | null
  /** The worksheet's name; `null`: the first one. */
  readonly sheet: string | null
}

export function xlsxSource(path: string, options: XlsxOptions): TableSource {
  const mostTexts = options.bounds?.textsBytes ?? limits.workbookTextsBytes
  return async function* (watch) {
    await sizeOfFile(path)
    let archive: Archive | null = null
    try {
      archive = await Archive.open(path, options.bounds)
      const workbook = await readWorkbook(archive)
      const { part, name } = chooseSheet(workbook, options.sheet)
      if (workbook.sheets.length > 1) watch.note(`of ${workbook.sheets.length} worksheets, "${name}" was read`)
      const look: WorkbookStyles = {
        texts: workbook.textsPart === null ? [] : await readTexts(archive, workbook.textsPart, mostTexts),
        forms: workbook.stylesPart === null ? [] : await readForms(archive, workbook.stylesPart),
        isFrom1904: workbook.isFrom1904,
      }
      const sheet = new SheetReader(look, watch.problem)
      const size = archive.sizeOf(part)
      for await (const done of archive.walk(part, sheet)) {
        yield sheet.takeRows()
        watch.progress(done, size)
      }
      yield sheet.takeRows()
    } catch (error) {
      const isBomb = options.bounds !== null && error instanceof Refusal && error.kind === 'too-large'
      if (!(error instanceof Refusal) || isBomb) throw error
      watch.problem({ line: 0, column: '', message: error.message })
    } finally {
      archive?.close()
    }
  }
}

interface Sheet {
  readonly name: string
  readonly part: string
}

interface Workbook {
  readonly sheets: readonly Sheet[]
  readonly isFrom1904: boolean
  readonly textsPart: string | null
  readonly stylesPart: string | null
}

function chooseSheet({ sheets }: Workbook, wanted: string | null): Sheet {
  const found = wanted === null ? sheets[0] : sheets.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  if (wanted === null) throw new Refusal('invalid', 'the workbook has no worksheet')
  const names = sheets.map(({ name }) => `"${name}"`).join(', ')
  throw new Refusal('not-found', `the workbook has no worksheet "${wanted}"; it has ${names}`)
}

interface Relation {
  readonly id: string
  /** The last word of its type: `worksheet`, `styles`. */
  readonly type: string
  readonly part: string
}

const nothing = () => {}

async function readRelations(archive: Archive, of: string): Promise<readonly Relation[]> {
  const slash = of.lastIndexOf('/') + 1
  const folder = of.slice(0, slash)
  const part = `${folder}_rels/${of.slice(slash)}.rels`
  const relations: Relation[] = []
  if (!archive.has(part)) return relations
  const open = (name: string, { Id = '', Type = '', Target = '' }: Attributes) => {
    if (name !== 'Relationship') return
    relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), part: resolve(folder, Target) })
  }
  await archive.walkAll(part, { open, text: nothing, close: nothing }, limits.workbookPartBytes)
  return relations
}

/** `worksheets/sheet1.xml` relative to `xl/workbook.xml`, or `/xl/worksheets/sheet1.xml` from the root. */
function resolve(folder: string, target: string): string {
  const found = URL.parse(target, `file:///${folder}`)
  if (found === null) throw new Refusal('invalid', 'the workbook names a part by an invalid address')
  return found.pathname.slice(1)
}

async function readWorkbook(archive: Archive): Promise<Workbook> {
  const part = (await readRelations(archive, '')).find(({ type }) => type === 'officeDocument')?.part
  if (part === undefined) throw new Refusal('invalid', 'is a ZIP archive, but not an .xlsx workbook')
  const relations = await readRelations(archive, part)
  const sheets: Sheet[] = []
  let isFrom1904 = false
  const open = (name: string, attributes: Attributes) => {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
    if (name !== 'sheet') return
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
    const relation = relations.find(one => one.id === id)
    if (relation?.type === 'worksheet') sheets.push({ name: attributes.name ?? '', part: relation.part })
  }
  await archive.walkAll(part, { open, text: nothing, close: nothing }, limits.workbookPartBytes)
  const partOf = (type: string) => relations.find(one => one.type === type)?.part ?? null
  return { sheets, isFrom1904, textsPart: partOf('sharedStrings'), stylesPart: partOf('styles') }
}

async function readTexts(archive: Archive, part: string, mostBytes: number): Promise<readonly string[]> {
  const texts: string[] = []
  const reader = new TextReader()
  let stored = 0
  const open = (name: string) => {
    if (name === 'si') reader.clear()
    reader.open(name)
  }
  const close = (name: string) => {
    reader.close(name)
    if (name !== 'si') return
    const text = reader.take()
    // An empty one takes memory as well.
    stored += text.length * 2 + bytesPerText
    if (stored > mostBytes) throw new Refusal('too-large', 'the workbook has too many texts; use CSV')
    texts.push(text)
  }
  for await (const _ of archive.walk(part, { open, text: reader.text, close }));
  return texts
}

/** Memory of a text in addition to its characters. */
const bytesPerText = 48

/** The form of each cell style, by its number. */
async function readForms(archive: Archive, part: string): Promise<readonly NumberForm[]> {
  const codes = new Map<number, string>()
  const forms: NumberForm[] = []
  let inCells = false
  const open = (name: string, { numFmtId = '0', formatCode }: Attributes) => {
    const id = Number.parseInt(numFmtId, 10)
    if (name === 'numFmt' && formatCode !== undefined) codes.set(id, formatCode)
    if (name === 'cellXfs') inCells = true
    if (name === 'xf' && inCells) forms.push(formOfFormat(id, codes.get(id)))
    if (codes.size > limits.workbookStyles || forms.length > limits.workbookStyles)
      throw new Refusal('too-large', `the workbook has more than ${limits.workbookStyles} styles`)
  }
  const close = (name: string) => {
    if (name === 'cellXfs') inCells = false
  }
  await archive.walkAll(part, { open, text: nothing, close }, limits.workbookPartBytes)
  return forms
}

/** Collects the `t` elements of a text, which may come in runs; phonetic text (`rPh`) is left out. */
class TextReader {
  #text = ''
  #inText = false
  #inPhonetic = false

  readonly text = (text: string): void => {
    if (this.#inText) this.#text += text
    if (this.#text.length > limits.workbookTextLength) throw tooLong()
  }

  open(name: string): void {
    if (name === 't') this.#inText = !this.#inPhonetic
    else if (name === 'rPh') this.#inPhonetic = true
  }

  close(name: string): void {
    if (name === 't') this.#inText = false
    else if (name === 'rPh') this.#inPhonetic = false
  }

  clear(): void {
    this.#text = ''
  }

  /** Control characters are written as `_x000D_`. */
  take(): string {
    const text = this.#text
    this.#text = ''
    if (!text.includes('_x')) return text
    return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

function tooLong(): Refusal {
  return new Refusal('too-large', `a cell of the workbook has more than ${limits.workbookTextLength} characters`)
}

interface WorkbookStyles {
  readonly texts: readonly string[]
  readonly forms: readonly NumberForm[]
  readonly isFrom1904: boolean
}

/** Turns the XML of a worksheet into rows of text cells. Rows without any text are left out. */
class SheetReader {
  readonly #look: WorkbookStyles
  readonly #report: (problem: RowProblem) => void
  readonly #inline = new TextReader()
  #rows: TableRow[] = []
  /** Cells of the rows that were not fetched yet. */
  #stored = 0
  #header: readonly string[] | null = null
  #line = 0
  #cells: string[] = []
  #problems: RowProblem[] = []
  #column = 0
  #kind = 'n'
  #style = 0
  #value = ''
  #inValue = false

  constructor(look: WorkbookStyles, report: (problem: RowProblem) => void) {
    this.#look = look
    this.#report = report
  }

  takeRows(): readonly TableRow[] {
    const rows = this.#rows
    this.#rows = []
    this.#stored = 0
    return rows
  }

  readonly open = (name: string, attributes: Attributes): void => {
    if (name === 'row') this.#openRow(attributes.r)
    else if (name === 'c') this.#openCell(attributes)
    else if (name === 'v') this.#inValue = true
    else this.#inline.open(name)
  }

  readonly text = (text: string): void => {
    if (!this.#inValue) {
      this.#inline.text(text)
      return
    }
    this.#value += text
    if (this.#value.length > limits.workbookTextLength) throw tooLong()
  }

  readonly close = (name: string): void => {
    if (name === 'v') this.#inValue = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
    else this.#inline.close(name)
  }

  #openRow(number: string | undefined): void {
    this.#line = number === undefined ? this.#line + 1 : Number.parseInt(number, 10)
    this.#cells = []
    this.#problems = []
    this.#column = 0
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    if (r !== undefined) this.#column = columnOf(r)
    if (this.#column >= limits.workbookColumns)
      throw new Refusal('invalid', `row ${this.#line} has more than ${limits.workbookColumns} columns`)
    this.#kind = t
    this.#style = Number.parseInt(s, 10)
    this.#value = ''
    this.#inline.clear()
  }

  #closeCell(): void {
    const column = this.#column++
    const text =
      this.#kind === 'inlineStr' ? restore(this.#inline.take()) : this.#value === '' ? '' : this.#read(column)
    if (text === '') return
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells[column] = text
  }

  #read(column: number): string {
    const { texts, forms, isFrom1904 } = this.#look
    const value = this.#value
    if (this.#kind === 's') {
      const text = texts[Number.parseInt(value, 10)]
      return text === undefined ? this.#refuse(column, 'refers to a text that does not exist') : restore(text)
    }
    if (this.#kind === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (this.#kind === 'e') return this.#refuse(column, `the cell shows the error ${value}`)
    if (this.#kind === 'd') return value.replace(/T00:00:00(?:\.0+)?$/, '')
    if (this.#kind === 'str') return value
    const text = formatNumber(value.trim(), forms[this.#style] ?? 'number', isFrom1904)
    return text ?? this.#refuse(column, `the cell is formatted as a date, but ${value} is not a date`)
  }

  #refuse(column: number, message: string): string {
    this.#problems.push({ line: this.#line, column: this.#header?.[column] ?? '', message })
    return ''
  }

  #closeRow(): void {
    if (this.#problems.length > 0) for (const problem of this.#problems) this.#report(problem)
    else if (this.#cells.some(cell => cell.trim() !== '')) this.#giveRow()
  }

  #giveRow(): void {
    const cells = [...storableCells(this.#cells, this.#line, this.#report)]
    while (cells.at(-1)?.trim() === '') cells.pop()
    if (this.#header === null) this.#header = cells
    while (cells.length < this.#header.length) cells.push('')
    this.#stored += cells.length
    if (this.#stored > limits.workbookCellsKept)
      throw new Refusal('too-large', `the worksheet's rows about row ${this.#line} are too wide`)
    this.#rows.push({ line: this.#line, cells })
  }
}

/** `C7` is column 2. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  if (column === 0) throw new Refusal('invalid', `the worksheet has a cell "${reference}"`)
  return column - 1
}
