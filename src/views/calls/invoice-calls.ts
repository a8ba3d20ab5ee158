// The calls of the console about prices and invoices. Under `/console/w/:workspace`.
import Type from 'typebox'
import { limits } from '../../limits.ts'
import { type AgreementPriceRows, type KeptInvoiceLine, type KeptInvoices, keptStates } from '../shapes/invoices.ts'
import { answers, type Calls, closed, type Sent } from './call.ts'

const name = Type.Optional(Type.String({ maxLength: limits.namesLength }))
const keptQuery = Type.Object(
  {
    /** A number, an item, an agreement or a supplier. */
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
export type KeptInvoicesRequest = Sent<typeof keptQuery>

export const invoiceCalls = {
  /** Kept lines, the newest first, each checked. A page may have few rows, or none, and others after it. */
  'GET /invoices': { query: keptQuery, answer: answers<KeptInvoices>() },
  'GET /invoices/:id': {
    answer: answers<{ readonly line: KeptInvoiceLine; readonly other: KeptInvoiceLine | null }>(),
  },
  /** The prices of the newest period that has some, or of the one requested by its first day. */
  'GET /formulas/:slug/prices': {
    query: Type.Object({ date: Type.Optional(Type.String()) }, closed),
    answer: answers<AgreementPriceRows>(),
  },
} satisfies Calls
