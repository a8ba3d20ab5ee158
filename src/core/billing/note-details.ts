// The details of a note besides the correction: stored details of each party, and details given for one note alone, which count
// first.
import type { PartyTexts } from './party-fields.ts'

/** A side of the agreement: its name and stored details. */
interface BillingSide {
  /** The company's name; null where the agreement names people and no company. */
  readonly name: string | null
  readonly details: PartyTexts
}

export interface BillingDetails {
  readonly supplier: BillingSide
  readonly buyer: BillingSide
}

/** Details given for one note alone. */
export interface BillingSaid {
  readonly supplier: PartyTexts
  readonly buyer: PartyTexts
  readonly document: PartyTexts
}

export const nothingSaid: BillingSaid = { supplier: {}, buyer: {}, document: {} }
