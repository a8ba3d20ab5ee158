// What a note says besides the correction: what each side keeps, and what was said for one note alone, which counts first.
import type { PartyTexts } from './party-fields.ts'

/** A side of the agreement: its name, and what it keeps. */
interface BillingSide {
  /** Null where the agreement names people and no company. */
  readonly name: string | null
  readonly details: PartyTexts
}

export interface BillingDetails {
  readonly supplier: BillingSide
  readonly buyer: BillingSide
}

/** What was said for one note alone. */
export interface BillingSaid {
  readonly supplier: PartyTexts
  readonly buyer: PartyTexts
  readonly document: PartyTexts
}

export const nothingSaid: BillingSaid = { supplier: {}, buyer: {}, document: {} }
