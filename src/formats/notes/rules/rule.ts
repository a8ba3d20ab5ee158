// A rule of EN 16931 or of Peppol as it is checked here: its number, the field that breaks it as people name it, and its
// requirement.
import type { NoteDocument } from '../note-document.ts'

export interface NoteRule {
  /** `BR-S-02`, `PEPPOL-EN16931-R003`. */
  readonly id: string
  /** The field's name in `billing.yaml`, such as `supplier.vat`; where several would do, the first that people have. */
  readonly field: string
  /** The requirement, after the name of the field. */
  readonly needs: string
  readonly isBroken: (document: NoteDocument) => boolean
}

export function rule(id: string, field: string, needs: string, isBroken: NoteRule['isBroken']): NoteRule {
  return { id, field, needs, isBroken }
}

export function isEmpty(text: string | null | undefined): boolean {
  return text == null || text.trim() === ''
}
