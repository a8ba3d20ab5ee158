// A note in the requested form. Everything that its receiver would refuse is named at once, before anything is written; only
// the table for people who book by hand needs no details.

import type { Language } from '../../core/billing/languages.ts'
import type { BillingDetails, BillingSaid } from '../../core/billing/note-details.ts'
import { printedHtml } from '../print/printed-html.ts'
import { billingProfile } from './billing-profile.ts'
import { formatNoteCii } from './note-cii.ts'
import { formatNoteCsv } from './note-csv.ts'
import { type NoteDocument, noteDocument } from './note-document.ts'
import type { NoteForm } from './note-forms.ts'
import type { Note } from './note-lines.ts'
import { noteSheet } from './note-sheet.ts'
import { formatNoteUbl } from './note-ubl.ts'
import { noteLacks, refuseLacks } from './rules/check-note.ts'

export interface BilledNote extends Note {
  readonly kept: BillingDetails
  readonly said: BillingSaid
}

export function formatNote(note: BilledNote, form: NoteForm, language: Language | null): string {
  if (form === 'csv') return formatNoteCsv(note)
  const document = acceptedDocument(note, language)
  if (form === 'ubl') return formatNoteUbl(document)
  return form === 'cii' ? formatNoteCii(document) : printedHtml(noteSheet(document))
}

/** Refuses what breaks a rule. */
export function acceptedDocument(note: BilledNote, language: Language | null): NoteDocument {
  const document = documentOf(note, language)
  refuseLacks(noteLacks(document))
  return document
}

export function documentOf(note: BilledNote, language: Language | null): NoteDocument {
  return noteDocument(note, billingProfile(note.kept, note.said, language))
}
