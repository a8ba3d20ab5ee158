// Notes of a correction as somebody sees them: missing details of the next one, and issued ones as files and pages.
import { keptBefore, loadKeptBilling } from '../../agreements/correction-note.ts'
import type { Language } from '../../core/billing/languages.ts'
import { nothingSaid } from '../../core/billing/note-details.ts'
import { ownSlug, partyFields } from '../../core/billing/party-fields.ts'
import { Refusal } from '../../core/refusal.ts'
import type { CorrectionBody } from '../../core/true-up/correction-body.ts'
import { acceptedDocument, type BilledNote, documentOf, formatNote } from '../../formats/notes/note-file.ts'
import { type NoteForm, noteFiles } from '../../formats/notes/note-forms.ts'
import { noteSheet } from '../../formats/notes/note-sheet.ts'
import { noteLacks } from '../../formats/notes/rules/check-note.ts'
import type { PrintedSheet } from '../../formats/print/printed-sheet.ts'
import type { FoundCorrection } from '../../read/corrections.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { NoteFile, NoteLackView } from '../shapes/billing.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'

/** Missing details of the next note of an agreed correction, or of the last; null where nothing is billed by notes. */
export async function showNoteLacks(
  { installation }: ViewContext,
  { workspace }: Seat,
  { state, body, kept, id }: Pick<FoundCorrection, 'state' | 'body' | 'kept'> & { readonly id: string },
): Promise<readonly NoteLackView[] | null> {
  if (state !== 'AGREED' || body.waived || body.parts.length === 0) return null
  const last = kept.notes.length < body.parts.length ? null : (kept.notes.at(-1) ?? null)
  const billing = await withWorkspace(installation.sql, workspace.id, tx =>
    loadKeptBilling(tx, workspace.id, body, keptBefore(last)),
  )
  const said = last?.said ?? nothingSaid
  const part = last?.part ?? 1
  // Placeholders: the issuer of the note gives it a number and a day.
  const note = { correctionId: id, number: '1', date: '2000-01-01', part, body, kept: billing, said }
  return noteLacks(documentOf(note, null)).map(lack => ({ ...lack, ...ownerOf(lack.field, body.parties) }))
}

/** Label of a field on the page, and the party that owns it. */
function ownerOf(field: string, parties: CorrectionBody['parties']): Pick<NoteLackView, 'label' | 'party'> {
  const [, side, key] = /^(?:(supplier|buyer)\.)?(.+)$/.exec(field)!
  const known = partyFields.find(each => each.key === key)
  if (known === undefined) return { label: field, party: null }
  const isBuyer = side === 'buyer' || known.side === 'buyer'
  const owner = isBuyer ? parties.buyer : parties.supplier
  return { label: known.label, party: typeof owner === 'string' ? owner : isBuyer ? ownSlug : null }
}

async function openNote(
  { installation }: ViewContext,
  { workspace }: Seat,
  { body, kept }: FoundCorrection,
  id: string,
  part: string,
): Promise<BilledNote & { readonly amount: string }> {
  const issued = kept.notes.find(each => `${each.part}` === part)
  if (issued === undefined) throw new Refusal('not-found', 'there is no such note')
  const { number, date, amount, said } = issued
  const billing = await withWorkspace(installation.sql, workspace.id, tx =>
    loadKeptBilling(tx, workspace.id, body, keptBefore(issued)),
  )
  return { correctionId: id, number, date, part: issued.part, body, amount, kept: billing, said: said ?? nothingSaid }
}

export async function showNoteFile(
  parts: ViewContext,
  seat: Seat,
  found: FoundCorrection,
  asked: { readonly id: string; readonly part: string; readonly form: NoteForm; readonly language: Language | null },
): Promise<NoteFile> {
  const note = await openNote(parts, seat, found, asked.id, asked.part)
  const { number, amount } = note
  const text = formatNote(note, asked.form, asked.language)
  return { number, amount, currency: found.body.currency!, text, ...fileOf(found.trueUp.slug, number, asked.form) }
}

export function fileOf(slug: string, number: string, form: NoteForm): Pick<NoteFile, 'fileName' | 'type'> {
  const { ending, type } = noteFiles[form]
  return { fileName: `${slug}-${number.replace(/[^\w.-]+/g, '-')}.${ending}`, type }
}

export async function showNoteSheet(
  parts: ViewContext,
  seat: Seat,
  found: FoundCorrection,
  asked: { readonly id: string; readonly part: string; readonly language: Language | null },
): Promise<PrintedSheet> {
  return noteSheet(acceptedDocument(await openNote(parts, seat, found, asked.id, asked.part), asked.language))
}
