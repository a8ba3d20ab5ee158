// Reads the text of a receipt strictly, by its schema: every key is known and present once, every value has its type. The hash is
// computed from the body as it was read, not taken from the file. Nothing is computed here.

import type { Carried } from '../calculation/adjustment.ts'
import type { UsedObservation } from '../calculation/series-reading.ts'
import type { StepSource } from '../formula/terms.ts'
import { Refusal } from '../refusal.ts'
import type { VersionTag } from '../series/series.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import {
  anyMapping,
  anything,
  listOf,
  mapping,
  oneOf,
  optional,
  type Read,
  readWhole,
  refuseShape,
} from '../text/exact-shape.ts'
import { sha256 } from '../text/sha256.ts'
import { readStrictJson } from '../text/strict-json.ts'
import { decodeUtf8 } from '../text/utf8.ts'
import type { Day } from '../time/day.ts'
import type { Frequency } from '../time/period.ts'
import type { PartyObjection } from './objection.ts'
import type { PartySignature } from './party-signature.ts'
import type { ReceiptBody, ReceiptResult, Signature } from './receipt.ts'
import { carriedWithoutOrigins, receipt, receiptBody, receiptFormat } from './receipt-schema.ts'

/** Far more than any receipt needs. */
export const receiptBounds = { length: 20_000_000, depth: 12 } as const

/** A file of proof before its fields are read, with its hash and its seal. */
export interface SealedFile {
  /** The hash as written, and the hash that follows from the body. */
  readonly hash: string
  readonly bodyHash: string
  readonly seal: Signature | null
  /** The hash that the seal signs, in 64 hexadecimal digits. */
  readonly sealed: string
  /** What nobody has read yet. */
  readonly written: { readonly signatures: readonly unknown[]; readonly hasObjections: boolean }
}

/** A receipt as read from a file. */
export interface WrittenReceipt extends Omit<SealedFile, 'written'> {
  readonly format: typeof receiptFormat
  readonly body: ReceiptBody
  readonly signatures: readonly PartySignature[]
  readonly objections: readonly PartyObjection[]
}

/** Refuses bytes that are not UTF-8, without replacing any: the hash would then cover something other than the file. */
export function decodeReceipt(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  if (text === null) throw new Refusal('invalid', 'the receipt cannot be read: it is not UTF-8')
  return text
}

/** Bounds for any kind of proof that a file may be. */
const looseBounds = { length: 100_000_000, depth: 64 } as const

/** The format that the body of a file names, whatever else is in it; null where it names none or is no strict JSON. */
export function formatOf(source: string): string | null {
  try {
    const { body } = readStrictJson(source, 'it', looseBounds) as { readonly body?: { readonly format?: unknown } }
    return typeof body?.format === 'string' ? body.format : null
  } catch {
    return null
  }
}

const knownFormat = oneOf([receiptFormat], 'The form of the body')

/** The mapping around a body; signatures and objections are still unread: hash and seal cover them as they stand. */
const envelope = mapping('A receipt as it is sealed.', {
  ...receipt.fields,
  signatures: listOf(anything),
  objections: optional(listOf(anything)),
})

export interface SealedReceipt extends SealedFile {
  readonly root: { readonly [key: string]: unknown }
}

export function readSealedReceipt(source: string): SealedReceipt {
  const root = anyMapping(readStrictJson(source, 'the receipt', receiptBounds), 'it')
  if (!Object.hasOwn(root, 'body')) throw new Refusal('invalid', 'this is not a receipt: it has no body')
  const { hash, body, seal, signatures, objections } = readWhole(envelope, root, 'the receipt')
  const { body: _body, seal: _seal, ...beside } = root
  const sealed = sha256(canonicalJson(beside as Json))
  const written = { signatures, hasObjections: objections !== undefined }
  return { root, hash, bodyHash: sha256(canonicalJson(body as unknown as Json)), seal, sealed, written }
}

/** Everything around the body. */
export function readWrittenReceipt({ root, written: _, ...file }: SealedReceipt): WrittenReceipt {
  const { body, signatures, objections = [] } = readWhole(receipt, root, 'the receipt')
  return { ...file, format: knownFormat.read(body.format, 'body.format'), body, signatures, objections }
}

export function readReceipt(source: string): WrittenReceipt {
  return readWrittenReceipt(readSealedReceipt(source))
}

/** The contents of a body, ready to be computed. */
export interface ReadBody {
  readonly edition: number
  readonly pam: string
  readonly period: string
  readonly date: Day
  readonly governing: number
  readonly documents: ReadonlyMap<number, string>
  readonly tag: VersionTag | null
  readonly carriedIn: Carried
  readonly series: readonly { readonly reference: string; readonly name: string; readonly frequency: Frequency }[]
  readonly observations: readonly (UsedObservation & { readonly input: string })[]
  readonly rules: ReadRules
  /** The lines as written: the steps, each with its value. */
  readonly steps: readonly (StepSource & { readonly value: string; readonly shown: string | null })[]
  readonly result: ReceiptResult
}

export type ReadRules = Read<typeof receiptBody>['rules']

export function readBody(json: unknown): ReadBody {
  const { parties, companies, steps, ...read } = receiptBody.read(json, 'body')
  if (companies !== undefined) checkCompanies(companies, [parties.buyer, parties.supplier])
  return { ...read, ...readPlace(read), steps: steps.map(step => ({ ...step, note: null })) }
}

interface WrittenPlace {
  readonly pam: string
  readonly period: string
  readonly adjustmentDate: Day
  readonly formulaVersion: number
  readonly documents: ReadonlyMap<number, string>
  readonly dataVersionAsked: VersionTag | null
}

/** Reads the fields that both formats share. */
export function readPlace(body: WrittenPlace) {
  const {
    pam: agreement,
    period,
    adjustmentDate: date,
    formulaVersion: governing,
    documents,
    dataVersionAsked: tag,
  } = body
  if (!documents.has(governing)) refuseShape('body.documents', `a mapping with formula ${governing}`)
  return { pam: agreement, period, date, governing, documents, tag }
}

/** The names of the parties on a side, and no others. */
function checkCompanies(names: ReadonlyMap<string, string>, sides: readonly unknown[]): void {
  if (names.size === 0) refuseShape('body.companies', 'a mapping with a name in it, or left out')
  for (const slug of names.keys())
    if (!sides.includes(slug)) refuseShape('body.companies', 'a mapping from the slugs that stand under parties')
}

/** Reads back what `carriedToJson` wrote; refuses anything else. */
export function carriedFromJson(json: unknown): Carried {
  return carriedWithoutOrigins.read(json, 'carried')
}
