// Console calls about prices and invoices. Under `/console/w/:workspace`.

import { keptStates } from '../../core/invoices/line-state.ts'
import { Type } from '../../formats/json-schema.ts'
import { priceFormats, rowChoices } from '../../formats/price-files/price-file.ts'
import { limits } from '../../limits.ts'
import type { AgreementPriceRows, InvoiceLineList, InvoiceLineView, PriceFile } from '../shapes/invoices.ts'
import { answers, type Calls, closed, type Sent } from './call.ts'

const name = Type.Optional(Type.String({ maxLength: limits.namesLength }))
const keptQuery = Type.Object(
  {
    /** Words of a number, an item, an agreement or a supplier. */
    q: name,
    supplier: name,
    agreement: name,
    period: name,
    state: Type.Optional(Type.Enum(keptStates)),
    /** `KeptInvoices.next` of the page before. */
    after: name,
  },
  closed,
)
export type InvoiceLineListRequest = Sent<typeof keptQuery>

const priceFileQuery = Type.Object(
  {
    format: Type.Enum(priceFormats),
    only: Type.Optional(Type.Enum(rowChoices)),
    /** Slug of the agreement; left out, all. */
    agreement: name,
    /** Day of the prices; left out, every period whose date has come. */
    date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
    /** Whether prices end with their own period, instead of staying in force until the next one is signed by both. */
    periodValidity: Type.Optional(Type.Enum(['true', 'false'])),
    /** Lines `NAME=VALUE`. */
    set: Type.Optional(Type.String({ maxLength: 4000 })),
  },
  closed,
)
export type PriceFileRequest = Sent<typeof priceFileQuery>

export const invoiceCalls = {
  /** Kept lines, the newest first, each checked. A page may have few rows, or none, and others after it. */
  'GET /invoices': { query: keptQuery, answer: answers<InvoiceLineList>() },
  'GET /invoices/:id': {
    answer: answers<{ readonly line: InvoiceLineView; readonly other: InvoiceLineView | null }>(),
  },
  /** Prices in force today, or on the last day of the contract; or those of the period requested by its first day. */
  'GET /agreements/:slug/prices': {
    query: Type.Object({ date: Type.Optional(Type.String()) }, closed),
    answer: answers<AgreementPriceRows>(),
  },
  /** A file for another system, of one agreement or of all, with the list of missing prices. */
  'GET /price-file': { query: priceFileQuery, answer: answers<PriceFile>() },
} satisfies Calls
