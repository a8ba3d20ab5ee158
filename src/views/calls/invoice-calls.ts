// The calls of the console about prices and invoices. Under `/console/w/:workspace`.
import Type from 'typebox'
import type { AgreementPriceRows } from '../shapes/invoices.ts'
import { answers, type Calls, closed } from './call.ts'

export const invoiceCalls = {
  /** The prices of the newest period that has some, or of the one requested by its first day. */
  'GET /formulas/:slug/prices': {
    query: Type.Object({ date: Type.Optional(Type.String()) }, closed),
    answer: answers<AgreementPriceRows>(),
  },
} satisfies Calls
