// Lines of an electronic invoice from XML, piece by piece. Digits stay as they were sent; a DOCTYPE, another root, or more
// depth, attributes or text than an invoice has refuse the document. Quantities and amounts of a credit note change their
// sign, and the amount of a line is the one before its allowances and charges.
import { SaxesParser, type SaxesTagNS } from 'saxes'
import {
  type CellProblem,
  type InvoiceLine,
  type LineAllowance,
  type LineField,
  readLine,
  tooManyLines,
} from '../core/invoices/invoice-line.ts'
import { add, formatFixed, parseRatio, type Ratio, subtract } from '../core/numbers/ratio.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { limits } from '../limits.ts'
import {
  type AllowanceSlot,
  creditCodes,
  type Dialect,
  debitCodes,
  dialects,
  type HeaderSlot,
  type LineSlot,
  repeatedSlots,
} from './invoice-dialects.ts'

interface ReadXml {
  readonly lines: readonly InvoiceLine[]
  /** Problems of the form; if there are any, there are no lines. */
  readonly problems: readonly RowProblem[]
}

interface Value {
  readonly text: string
  readonly unit: string | null
  readonly currency: string | null
  /** The format code of a date. */
  readonly format: string | null
}

interface LineValues {
  readonly place: number
  readonly values: Map<LineSlot, Value>
  readonly allowances: { isCharge?: Value; amount?: Value }[]
  readonly twice: Set<LineSlot>
}

class BrokenForm extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Push pieces cut anywhere, then finish. */
export class InvoiceXml {
  readonly #parser = new SaxesParser({ xmlns: true, position: true })
  readonly #mostLines: number
  #dialect: Dialect | null = null
  readonly #header = new Map<HeaderSlot, Value>()
  readonly #lines: LineValues[] = []
  #line: LineValues | null = null
  /** The paths of the open elements, from the root, without it. */
  readonly #paths: string[] = []
  #tag: SaxesTagNS | null = null
  #text = ''
  #attributes = 0
  #sinceEvent = 0
  #broken: RowProblem | null = null

  constructor(mostLines: number) {
    this.#mostLines = mostLines
    this.#listen()
  }

  push(text: string): void {
    this.#guard(() => {
      for (let at = 0; at < text.length; at += limits.fileChunkBytes) {
        const piece = text.slice(at, at + limits.fileChunkBytes)
        this.#sinceEvent += piece.length
        if (this.#sinceEvent > limits.invoicePieceLength) this.#refuse('a name, a text or a comment is too long')
        this.#parser.write(piece)
      }
    })
  }

  finish(): ReadXml {
    this.#guard(() => {
      this.#parser.close()
      if (this.#dialect === null) this.#refuse('is empty')
      if (!this.#header.has('invoice')) this.#refuse('has no invoice number')
      if (this.#lines.length === 0) this.#refuse('has no lines')
    })
    if (this.#broken !== null) return { lines: [], problems: [this.#broken] }
    const whole = new WholeDocument(this.#dialect!, this.#header)
    return { lines: this.#lines.map(line => whole.read(line)), problems: [] }
  }

  #guard(work: () => void): void {
    if (this.#broken !== null) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof BrokenForm)) throw error
      this.#broken = { line: error.line, column: '', message: error.message }
    }
  }

  #refuse(why: string): never {
    throw new BrokenForm(this.#parser.line, why)
  }

  #listen(): void {
    const parser = this.#parser
    parser.on('doctype', () => this.#refuse('XML with a DOCTYPE is refused'))
    parser.on('error', error => this.#refuse(`is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '')}`))
    parser.on('attribute', () => {
      if (++this.#attributes > limits.invoiceAttributes)
        this.#refuse(`an element has more than ${limits.invoiceAttributes} attributes`)
    })
    const note = () => {
      this.#sinceEvent = 0
    }
    parser.on('comment', note)
    parser.on('processinginstruction', note)
    parser.on('opentag', tag => this.#open(tag))
    parser.on('text', piece => this.#take(piece))
    parser.on('cdata', piece => this.#take(piece))
    parser.on('closetag', () => this.#close())
  }

  #take(piece: string): void {
    this.#sinceEvent = 0
    // Text of elements without child elements alone, and none longer than a description.
    if (this.#tag !== null && this.#text.length <= limits.invoiceTextLength) this.#text += piece
  }

  #open(tag: SaxesTagNS): void {
    this.#sinceEvent = 0
    this.#attributes = 0
    this.#text = ''
    this.#tag = tag
    if (this.#dialect === null) {
      this.#dialect = dialects.get(`${tag.uri} ${tag.local}`) ?? null
      if (this.#dialect === null)
        this.#refuse(`must be a UBL 2.1 Invoice or CreditNote or a CII invoice, got <${tag.name.slice(0, 60)}>`)
      return
    }
    const parent = this.#paths.at(-1)
    const path = parent === undefined ? tag.local : `${parent}/${tag.local}`
    if (this.#paths.push(path) > limits.invoiceDepth)
      this.#refuse(`elements are nested more than ${limits.invoiceDepth} deep`)
    if (path === this.#dialect.line) this.#openLine()
    else if (this.#line !== null && path === `${this.#dialect.line}/${this.#dialect.allowance}`)
      this.#line.allowances.push({})
  }

  #openLine(): void {
    if (this.#lines.length >= this.#mostLines) this.#refuse(tooManyLines(this.#mostLines))
    this.#line = { place: this.#parser.line, values: new Map(), allowances: [], twice: new Set() }
    this.#lines.push(this.#line)
  }

  #close(): void {
    this.#sinceEvent = 0
    const path = this.#paths.pop()
    const tag = this.#tag
    this.#tag = null
    if (path === undefined) return
    const { line } = this.#dialect!
    if (path === line) this.#line = null
    // An element with child elements has no text of its own.
    if (tag === null) return
    if (path.startsWith(`${line}/`)) this.#keepInLine(path.slice(line.length + 1), tag)
    else this.#keepInHeader(path, tag)
  }

  #value({ attributes }: SaxesTagNS): Value {
    const attribute = (name: string) => attributes[name]?.value ?? null
    return {
      text: this.#text.trim(),
      unit: attribute('unitCode'),
      currency: attribute('currencyID'),
      format: attribute('format'),
    }
  }

  #keepInHeader(path: string, tag: SaxesTagNS): void {
    const slot = this.#dialect!.header.get(path)
    if (slot === undefined) return
    if (!this.#header.has(slot)) this.#header.set(slot, this.#value(tag))
    else if (!repeatedSlots.includes(slot)) this.#refuse(`<${tag.local}> occurs twice`)
  }

  #keepInLine(path: string, tag: SaxesTagNS): void {
    const { inLine, allowance, inAllowance } = this.#dialect!
    const [line, slot] = [this.#line!, inLine.get(path)]
    if (slot !== undefined) {
      if (!line.values.has(slot)) line.values.set(slot, this.#value(tag))
      else if (!repeatedSlots.includes(slot)) line.twice.add(slot)
      return
    }
    if (!path.startsWith(`${allowance}/`)) return
    const part: AllowanceSlot | undefined = inAllowance.get(path.slice(allowance.length + 1))
    if (part !== undefined) line.allowances.at(-1)![part] = this.#value(tag)
  }
}

const fieldOf: Readonly<Record<LineSlot, LineField>> = {
  line: 'line',
  quantity: 'quantity',
  amount: 'amount',
  unitPrice: 'unitPrice',
  per: 'per',
  serviceFrom: 'serviceFrom',
  serviceTo: 'serviceTo',
  sellerItem: 'item',
  buyerItem: 'item',
}

/** The values that hold for all lines of the document; in CII they come after the lines. */
class WholeDocument {
  readonly #dialect: Dialect
  readonly #header: ReadonlyMap<HeaderSlot, Value>
  readonly #isTurned: boolean
  readonly #kind: string
  readonly #currency: string | null

  constructor(dialect: Dialect, header: ReadonlyMap<HeaderSlot, Value>) {
    this.#dialect = dialect
    this.#header = header
    const code = header.get('typeCode')?.text ?? ''
    this.#isTurned = dialect.isCredit || creditCodes.includes(code)
    this.#kind = this.#isTurned ? 'CREDIT_NOTE' : debitCodes.includes(code) ? 'DEBIT_NOTE' : 'INVOICE'
    this.#currency = header.get('currency')?.text || null
  }

  read({ place, values, allowances, twice }: LineValues): InvoiceLine {
    const problems: CellProblem[] = [...twice].map(slot => ({
      field: fieldOf[slot],
      message: `${fieldOf[slot]} occurs twice in this line`,
    }))
    const [quantity, per] = [values.get('quantity'), values.get('per')]
    if (per?.unit != null && quantity?.unit != null && per.unit !== quantity.unit)
      problems.push({
        field: 'per',
        message: `the quantity is in ${quantity.unit}, but the price is for a quantity in ${per.unit}`,
      })
    const currencies = [values.get('amount'), values.get('unitPrice')].flatMap(value => value?.currency ?? [])
    const other = currencies.find(currency => this.#currency !== null && currency !== this.#currency)
    if (other !== undefined)
      problems.push({ field: 'currency', message: `the invoice is in ${this.#currency}, but the line in ${other}` })
    const said = allowances.map(readAllowance)
    if (said.includes(null))
      problems.push({ field: 'amount', message: 'an allowance or charge of the line cannot be read' })
    const known = said.filter(each => each !== null)
    const service = values.has('serviceFrom') || values.has('serviceTo') ? values : this.#header
    const texts = {
      invoice: this.#header.get('invoice')!.text,
      line: values.get('line')?.text ?? null,
      contractRef: this.#header.get('contract')?.text || this.#header.get('order')?.text || null,
      quantity: this.#turned(quantity?.text),
      unit: quantity?.unit ?? null,
      unitPrice: decimal(values.get('unitPrice')?.text),
      per: decimal(per?.text),
      amount: this.#turned(beforeAllowances(values.get('amount')?.text, known)),
      currency: this.#currency ?? currencies[0] ?? null,
      date: this.#day(this.#header.get('date')),
      serviceFrom: this.#day(service.get('serviceFrom')),
      serviceTo: this.#day(service.get('serviceTo')),
      orderDate: this.#day(this.#header.get('orderDate')),
      kind: this.#kind,
    }
    const items = [values.get('sellerItem')?.text, values.get('buyerItem')?.text].filter(
      key => key !== undefined && key !== '',
    )
    return readLine(
      place,
      { ...texts, item: items[0] ?? null },
      { items: items as string[], allowances: known, problems },
    )
  }

  /** Changes the sign in the digits alone: amounts of a credit note are the other way round. */
  #turned(text: string | undefined): string | null {
    const plain = decimal(text)
    if (!this.#isTurned || plain === null || /^[+-]?[0.]*$/.test(plain)) return plain
    return plain.startsWith('-') ? plain.slice(1) : `-${plain.replace(/^\+/, '')}`
  }

  /** A date in XML may have a time zone, which does not matter here; CII writes 20240510 under format 102. */
  #day(value: Value | undefined): string | null {
    if (value === undefined || value.text === '') return null
    if (!this.#dialect.hasDateFormats) return value.text.replace(/(?<=^\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})$/, '')
    const match = value.format === '102' ? /^(\d{4})(\d{2})(\d{2})$/.exec(value.text) : null
    return match === null ? value.text : match.slice(1).join('-')
  }
}

/** XML also allows `.5` and `5.`; anything that is not a decimal is left to the reader of the cell. */
function decimal(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  if (/^[+-]?\d+\.$/.test(text)) return text.slice(0, -1)
  return /^[+-]?\.\d+$/.test(text) ? text.replace('.', '0.') : text
}

function readAllowance({ isCharge, amount }: LineValues['allowances'][number]): LineAllowance | null {
  const plain = decimal(amount?.text)
  if (plain === null || parseRatio(plain) === null) return null
  if (isCharge?.text === 'true' || isCharge?.text === '1') return { isCharge: true, amount: plain }
  return isCharge?.text === 'false' || isCharge?.text === '0' ? { isCharge: false, amount: plain } : null
}

/** The amount of quantity and price alone, with the digits it is written with. */
function beforeAllowances(text: string | undefined, allowances: readonly LineAllowance[]): string | undefined {
  const plain = decimal(text)
  const amount = plain === null ? null : parseRatio(plain)
  if (amount === null || allowances.length === 0) return text
  const texts = [plain!, ...allowances.map(each => each.amount)]
  const decimals = Math.max(...texts.map(each => each.split('.')[1]?.length ?? 0))
  const before = allowances.reduce<Ratio>((sum, { isCharge, amount: part }) => {
    const value = parseRatio(part)!
    return isCharge ? subtract(sum, value) : add(sum, value)
  }, amount)
  return formatFixed(before, decimals)
}
