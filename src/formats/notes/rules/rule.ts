// A rule of EN 16931 or of Peppol as we check it: its number, the field that breaks it as people name it, and what it asks for.
import type { NoteDocument } from '../note-document.ts'

export interface NoteRule {
  /** `BR-S-02`, `PEPPOL-EN16931-R003`. */
  readonly id: string
  /** As in `billing.yaml`: `supplier.vat`; where several would do, the first that people have. */
  readonly field: string
  /** What is needed, after the name of the field. */
  readonly needs: string
  readonly isBroken: (document: NoteDocument) => boolean
}

export function rule(id: string, field: string, needs: string, isBroken: NoteRule['isBroken']): NoteRule {
  return { id, field, needs, isBroken }
}

export function isEmpty(text: string | null | undefined): boolean {
  return text == null || text.trim() === ''
}
