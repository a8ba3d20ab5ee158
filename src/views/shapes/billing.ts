// Wire types of the console: companies' details for notes, missing details of a note, and notes as files.
import type { PartyTexts } from '../../core/billing/party-fields.ts'

export interface PartyBilling {
  readonly slug: string
  readonly name: string
  /** Texts by field name; a field left out is not stored. */
  readonly details: PartyTexts
  /** Person and time of the last change; null where no details are stored. */
  readonly changed: { readonly by: string; readonly at: string } | null
  /** Why the person who asks may not change them; null where they may. */
  readonly whyNot: string | null
}

/** A fault for which a receiver would refuse a note. */
export interface NoteLackView {
  /** Field name in `billing.yaml`: `supplier.vat`. */
  readonly field: string
  /** Name on the page. */
  readonly label: string
  readonly needs: string
  /** Numbers of the receiver's rules. */
  readonly rules: readonly string[]
  /** Slug of the party that owns the detail; null where the side has no company, or it is no detail. */
  readonly party: string | null
}

export interface NoteFile {
  readonly number: string
  readonly amount: string
  readonly currency: string
  readonly fileName: string
  readonly type: string
  readonly text: string
}
