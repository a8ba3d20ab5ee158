// The calls of the console about prices and invoices. Under `/console/w/:workspace`.
import Type from 'typebox'
import type { AgreementPriceRows, InvoiceCheck } from '../shapes/invoices.ts'
import { answers, type Calls, closed } from './call.ts'

/** The file itself is sent as `application/octet-stream`. */
const checkQuery = Type.Object(
  {
    file: Type.String({ pattern: '[^\\s/]', description: 'the name of the file, such as invoices.csv' }),
    sheet: Type.Optional(Type.String()),
  },
  closed,
)

export const invoiceCalls = {
  /** Nothing is stored. 200 with problems where the file cannot be read. */
  'POST /invoices/check': { query: checkQuery, answer: answers<InvoiceCheck>() },
  /** The prices of the newest period that has some, or of the one requested by its first day. */
  'GET /formulas/:slug/prices': {
    query: Type.Object({ date: Type.Optional(Type.String()) }, closed),
    answer: answers<AgreementPriceRows>(),
  },
} satisfies Calls
