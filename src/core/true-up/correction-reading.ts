// Parses the text of a correction's receipt strictly: every key is known and present once, every value has its type.
// Whether the content follows from its figures is checked afterwards, in correction-receipt.ts.
import type { Carried } from '../calculation/adjustment.ts'
import { roundingModes } from '../numbers/ratio.ts'
import type { ReceiptBody, WrittenParties, WrittenRounding } from '../receipt/receipt.ts'
import { readCarried, readSeal, readSignature, receiptBounds } from '../receipt/receipt-reading.ts'
import { versionTags } from '../series/series.ts'
import type { Json } from '../text/canonical-json.ts'
import {
  anyMapping,
  day,
  exactNumber,
  hexHash,
  instant,
  listOf,
  type Mapping,
  mapping,
  nullable,
  oneOf,
  refuseShape,
  text,
  truth,
  wholeNumber,
} from '../text/exact-shape.ts'
import { readStrictJson } from '../text/strict-json.ts'
import {
  type CorrectedLine,
  type CorrectedPeriod,
  type CorrectedPrice,
  type CorrectionBody,
  correctionFormat,
  type LineShare,
  type WrittenCause,
} from './correction-body.ts'
import type { CorrectionReceipt } from './correction-receipt.ts'

/** It holds two receipts for each period. */
const correctionBounds = { length: 100_000_000, depth: receiptBounds.depth + 2 } as const

export function readCorrection(source: string): CorrectionReceipt {
  const json = readStrictJson(source, 'the correction', correctionBounds)
  const root = mapping(json, 'the correction', ['hash', 'body', 'receipts', 'signatures', 'seal'])
  return {
    hash: hexHash(root.hash, 'hash'),
    body: readCorrectionBody(root.body),
    // Each is read strictly when it is replayed.
    receipts: listOf(root.receipts, 'receipts', anyMapping) as unknown as readonly ReceiptBody[],
    signatures: listOf(root.signatures, 'signatures', readSignature),
    seal: nullable(root.seal, 'seal', readSeal),
  }
}

const bodyKeys = [
  'format',
  'edition',
  'installation',
  'workspace',
  'pam',
  'name',
  'parties',
  'level',
  'reason',
  'waived',
  'currency',
  'net',
  'causes',
  'periods',
  'prices',
  'lines',
  'settle',
  'parts',
  'carried',
] as const

export function readCorrectionBody(value: unknown): CorrectionBody {
  const body = mapping(value, 'body', bodyKeys, ['companies'])
  oneOf([correctionFormat])(body.format, 'body.format')
  wholeNumber(body.edition, 'body.edition')
  nullable(body.installation, 'body.installation', (each, path) => mapping(each, path, ['id', 'name']))
  nullable(body.workspace, 'body.workspace', (each, path) => mapping(each, path, ['id', 'slug', 'name']))
  for (const key of ['pam', 'name'] as const) text(body[key], `body.${key}`)
  readParties(body.parties)
  if (body.companies !== undefined)
    for (const [slug, name] of Object.entries(anyMapping(body.companies, 'body.companies')))
      text(name, `body.companies.${slug}`)
  oneOf(['HEAL', 'REBASE'])(body.level, 'body.level')
  nullable(body.reason, 'body.reason', text)
  truth(body.waived, 'body.waived')
  nullable(body.currency, 'body.currency', currency)
  nullable(body.net, 'body.net', exactNumber)
  listOf(body.causes, 'body.causes', readCause)
  listOf(body.periods, 'body.periods', readPeriod)
  listOf(body.prices, 'body.prices', readPrice)
  listOf(body.lines, 'body.lines', readLine)
  oneOf(['NOTE', 'NEXT_INVOICE', 'SPREAD'])(body.settle, 'body.settle')
  listOf(body.parts, 'body.parts', exactNumber)
  nullable(body.carried as Json, 'body.carried', (each, path) => readCarried(each, path, hasOrigins(each)))
  return body as unknown as CorrectionBody
}

/** The state that unsigned periods continue from, if the receipt has one. */
export function carriedOfCorrection({ carried }: Pick<CorrectionBody, 'carried'>): Carried | null {
  return carried === null ? null : readCarried(carried, 'body.carried', hasOrigins(carried))
}

/** A state is written with the origins of what it read, or without any. */
function hasOrigins(carried: unknown): boolean {
  return JSON.stringify(carried).includes('"origin":{')
}

function currency(value: unknown, path: string): string {
  const code = text(value, path)
  return /^[A-Z]{3}$/.test(code) ? code : refuseShape(path, 'three capital letters')
}

function readParties(value: unknown): void {
  const parties = mapping(value, 'body.parties', ['buyer', 'supplier'] satisfies (keyof WrittenParties)[])
  for (const [side, named] of Object.entries(parties))
    if (named !== null && typeof named !== 'string') listOf(named, `body.parties.${side}`, text)
}

type Reader = (value: unknown, path: string) => unknown
type Shape<T> = Readonly<Record<keyof T & string, Reader>>

/** Every key of a shape, each read by its own reader. */
function readShape<T>(value: unknown, path: string, shape: Shape<T>): Mapping {
  const found = mapping(value, path, Object.keys(shape))
  for (const [key, read] of Object.entries<Reader>(shape)) read(found[key], `${path}.${key}`)
  return found
}

const orNull =
  (read: Reader): Reader =>
  (value, path) =>
    nullable(value, path, read)

const readVintageLine: Reader = (value, path) =>
  readShape<WrittenCause['after']>(value, path, {
    series: text,
    period: text,
    value: exactNumber,
    version: oneOf(versionTags),
    flag: orNull(text),
    published: instant,
    recorded: orNull(instant),
  })

const readCause: Reader = (value, path) =>
  readShape<WrittenCause>(value, path, {
    series: text,
    period: text,
    before: orNull(readVintageLine),
    after: readVintageLine,
  })

const readPeriod: Reader = (value, path) =>
  readShape<CorrectedPeriod>(value, path, {
    period: text,
    adjustmentDate: day,
    factorBefore: exactNumber,
    factorAfter: exactNumber,
    priceBefore: orNull(exactNumber),
    priceAfter: orNull(exactNumber),
    amount: orNull(exactNumber),
    receiptBefore: orNull(hexHash),
    receiptAfter: orNull(hexHash),
  })

const positive: Reader = (value, path) =>
  exactNumber(value, path).n > 0n ? value : refuseShape(path, 'a number above 0')

const readRounding: Reader = (value, path) => {
  const isDecimals = Object.hasOwn(anyMapping(value, path), 'dp')
  const mode = oneOf(roundingModes)
  if (isDecimals) return readShape<Extract<WrittenRounding, { dp: number }>>(value, path, { dp: wholeNumber, mode })
  return readShape<Extract<WrittenRounding, { multiple: string }>>(value, path, { multiple: positive, mode })
}

const readPrice: Reader = (value, path) =>
  readShape<CorrectedPrice>(value, path, {
    period: text,
    item: text,
    fromQuantity: exactNumber,
    price: exactNumber,
    per: positive,
    share: exactNumber,
    base: text,
    rounding: readRounding,
    movementBefore: exactNumber,
    movementAfter: exactNumber,
    before: exactNumber,
    after: exactNumber,
  })

const readShare: Reader = (value, path) =>
  readShape<LineShare>(value, path, {
    period: text,
    days: (days, at) => (wholeNumber(days, at) > 0 ? days : refuseShape(at, 'at least one day')),
    per: positive,
    priceBefore: exactNumber,
    priceAfter: exactNumber,
  })

const readLine: Reader = (value, path) =>
  readShape<CorrectedLine>(value, path, {
    supplier: orNull(text),
    invoice: orNull(text),
    line: orNull(text),
    item: text,
    period: text,
    quantity: exactNumber,
    shares: (shares, at) =>
      listOf(shares, at, readShare).length > 0 ? shares : refuseShape(at, 'a list with at least one share'),
    amountBefore: exactNumber,
    amountAfter: exactNumber,
    amount: exactNumber,
  })
