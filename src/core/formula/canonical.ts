// The document as it is stored: plain JSON in which every scalar is text. Parts that do not affect the calculation (name,
// description, status, parties, and how invoices find the contract) are stored separately, because they may change without a
// new formula version.
import type { Json } from '../text/canonical-json.ts'
import { isRawList, isRawMap, type Raw } from './raw.ts'

export type JsonObject = { readonly [key: string]: Json }

export function rawToJson(raw: Raw): Json {
  if (raw === null || typeof raw === 'string') return raw
  if (isRawList(raw)) return raw.map(rawToJson)
  return isRawMap(raw) ? Object.fromEntries([...raw].map(([key, value]) => [key, rawToJson(value)])) : null
}

const descriptiveKeys: readonly string[] = ['name', 'description', 'status', 'parties']

/** Keys of the contract that decide which price an invoice line gets, and never how high a price is. */
const billingKeys: readonly string[] = ['references', 'priceDate', 'prorate']

/** The calculating part as text, in the document's own order. */
export function calculatingText(document: JsonObject): string {
  return JSON.stringify(calculatingPart(document))
}

/** The part of a document that makes a formula version. */
export function calculatingPart(document: JsonObject): JsonObject {
  const { contract } = document
  const calculating = isObject(contract) ? { ...document, contract: without(contract, billingKeys) } : document
  return without(calculating, descriptiveKeys)
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function without(map: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)))
}
