// Wire types of the console: what companies keep for notes, what a note lacks, and notes as files.
import type { PartyTexts } from '../../core/billing/party-fields.ts'

export interface PartyBilling {
  readonly slug: string
  readonly name: string
  /** By the name of the field; what is left out is not kept. */
  readonly details: PartyTexts
  /** Who changed them last, and when; null where nothing is kept. */
  readonly changed: { readonly by: string; readonly at: string } | null
  /** Why the person who asks may not change them; null where they may. */
  readonly whyNot: string | null
}

/** Something that a receiver would refuse a note for. */
export interface NoteLackView {
  /** As in `billing.yaml`: `supplier.vat`. */
  readonly field: string
  /** What the page calls it. */
  readonly label: string
  readonly needs: string
  /** The numbers of its rules. */
  readonly rules: readonly string[]
  /** Whose detail it is, by slug; null where the side has no company, or it is no detail. */
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
