// A line of an invoice as somebody billed it: its fields, the form of each cell, and its faults. A bad cell does not affect its
// neighbours: the line keeps its problems, and the check reports it as unknown.

import { type Ratio, ratio } from '../numbers/ratio.ts'
import { normalForm } from '../prices/line-identity.ts'
import { isDecimal } from '../series/observation-table.ts'
import { columnOf } from '../text/sheet-text.ts'
import { type Day, parseDay } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'

export const lineFields = [
  'invoice',
  'line',
  'supplier',
  'agreement',
  'contractRef',
  'item',
  'quantity',
  'unit',
  'unitPrice',
  'per',
  'amount',
  'currency',
  'date',
  'serviceFrom',
  'serviceTo',
  'orderDate',
  'kind',
] as const
export type LineField = (typeof lineFields)[number]

export const requiredFields = ['invoice', 'line'] as const

export const lineKinds = ['INVOICE', 'CREDIT_NOTE', 'DEBIT_NOTE', 'CORRECTION'] as const
export type LineKind = (typeof lineKinds)[number]

/** Texts of the cells; null or left out for empty ones. */
export type LineTexts = Readonly<Partial<Record<LineField, string | null>>>

export interface CellProblem {
  readonly field: LineField
  readonly message: string
}

/** A reduction of a line, or something on top of it: shown, and not judged. */
export interface LineAllowance {
  readonly isCharge: boolean
  readonly amount: string
}

export interface InvoiceLine {
  /** The line of the file on which it begins, or its place in the list, from 1. */
  readonly place: number
  readonly invoice: string | null
  readonly line: string | null
  readonly supplier: string | null
  readonly agreement: string | null
  readonly contractRef: string | null
  /** The keys it may have: the first that a price list knows counts. */
  readonly items: readonly string[]
  readonly quantity: Ratio | null
  readonly unit: string | null
  readonly unitPrice: Ratio | null
  /** The `per` as written, or 1. */
  readonly per: Ratio
  readonly amount: Ratio | null
  readonly currency: string | null
  readonly date: Day | null
  readonly serviceFrom: Day | null
  readonly serviceTo: Day | null
  readonly orderDate: Day | null
  readonly kind: LineKind
  /** The time of import of a stored line. */
  readonly keptAt?: Instant
  readonly texts: LineTexts
  readonly allowances: readonly LineAllowance[]
  readonly problems: readonly CellProblem[]
}

export type LineNames = Pick<InvoiceLine, 'agreement' | 'contractRef' | 'items'>

/** Lines in the order of their file. Lines of a long file are read anew each time they are gone through. */
export interface LineSequence extends Iterable<InvoiceLine> {
  readonly length: number
  /** Given where reading only the names is less work than reading the lines. */
  readonly names?: () => Iterable<LineNames>
}

export const lineColumns: readonly string[] = lineFields.map(columnOf)

/** Longer texts cannot be keys, numbers or units of an invoice. */
const mostCharacters = 200

/** The refusal of a file with more lines. */
export function tooManyLines(most: number): string {
  return `there are more than ${most} lines`
}

const dayFields = ['date', 'serviceFrom', 'serviceTo', 'orderDate'] as const

interface LineExtras {
  /** Keys in addition to the one in `item`. */
  readonly items?: readonly string[]
  readonly allowances?: readonly LineAllowance[]
  /** Problems that its source found. */
  readonly problems?: readonly CellProblem[]
}

const one: Ratio = { n: 1n, d: 1n }
const nothing: readonly never[] = []

function writtenIn(cells: LineTexts, field: LineField): string | null {
  const found = cells[field]
  return found === undefined || found === null ? null : found.trim() || null
}

function isText(written: string): boolean {
  return written.length <= mostCharacters && !/\p{Cc}/u.test(written) && written.isWellFormed()
}

/** The names by which a line finds its agreement, without reading the rest of it. */
export function readNames(cells: LineTexts): LineNames {
  const name = (field: LineField): string | null => {
    const found = writtenIn(cells, field)
    return found !== null && isText(found) ? found : null
  }
  const item = name('item')
  return { agreement: name('agreement'), contractRef: name('contractRef'), items: item === null ? nothing : [item] }
}

export function readLine(place: number, cells: LineTexts, extras: LineExtras = {}): InvoiceLine {
  const problems: CellProblem[] = [...(extras.problems ?? nothing)]
  const text = (field: LineField): string | null => {
    const found = writtenIn(cells, field)
    if (found === null || isText(found)) return found
    refuse(field, `${columnOf(field)} must be a text of at most ${mostCharacters} characters`)
    return null
  }
  const refuse = (field: LineField, message: string) => void problems.push({ field, message })
  const decimal = (field: LineField): Ratio | null => {
    const written = text(field)
    if (written === null) return null
    if (isDecimal(written)) return ratio(written)
    refuse(field, `${columnOf(field)} must be a decimal number such as 12.40, got "${written}"`)
    return null
  }
  const day = (field: LineField): Day | null => {
    const written = text(field)
    const found = written === null ? null : parseDay(written)
    if (written !== null && found === null)
      refuse(field, `${columnOf(field)} must be a day such as 2024-05-10, got "${written}"`)
    return found
  }
  const [invoice, line] = [text('invoice'), text('line')]
  // A number of nothing but invisible characters would be no number to its reader.
  for (const field of requiredFields)
    if (normalForm(writtenIn(cells, field) ?? '') === '') refuse(field, `${field} is empty`)
  const item = text('item')
  const [quantity, unitPrice, per, amount] = [
    decimal('quantity'),
    decimal('unitPrice'),
    decimal('per'),
    decimal('amount'),
  ]
  if (per !== null && per.n <= 0n) refuse('per', `per must be more than 0, got "${text('per')}"`)
  if (writtenIn(cells, 'unitPrice') === null && writtenIn(cells, 'amount') === null)
    refuse('unitPrice', 'nothing is billed: write unit_price or amount')
  const [date, serviceFrom, serviceTo, orderDate] = dayFields.map(day) as [
    Day | null,
    Day | null,
    Day | null,
    Day | null,
  ]
  if (serviceFrom !== null && serviceTo !== null && serviceTo < serviceFrom)
    refuse('serviceTo', `service_to ${text('serviceTo')} lies before service_from ${text('serviceFrom')}`)
  const currency = text('currency')
  const isCurrency = currency !== null && /^[A-Z]{3}$/.test(currency)
  if (currency !== null && !isCurrency)
    refuse('currency', `currency must be three capital letters such as EUR, got "${currency}"`)
  const kindText = text('kind')
  const kind = kindText === null ? 'INVOICE' : lineKinds.find(known => known === kindText)
  if (kind === undefined) refuse('kind', `kind must be ${lineKinds.join(', ')}, got "${kindText}"`)
  return {
    place,
    invoice,
    line,
    supplier: text('supplier'),
    agreement: text('agreement'),
    contractRef: text('contractRef'),
    items: extras.items ?? (item === null ? nothing : [item]),
    quantity,
    unit: text('unit'),
    unitPrice,
    per: per === null || per.n <= 0n ? one : per,
    amount,
    currency: isCurrency ? currency : null,
    date,
    serviceFrom,
    serviceTo,
    orderDate,
    kind: kind ?? 'INVOICE',
    texts: cells,
    allowances: extras.allowances ?? nothing,
    problems: problems.length === 0 ? nothing : problems,
  }
}
