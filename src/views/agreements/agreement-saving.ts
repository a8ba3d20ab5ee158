// Saving a document: refused with all its problems, or after another save meanwhile; otherwise stored forever.

import { applyDocument } from '../../agreements/apply.ts'
import type { ApplyRequest } from '../../agreements/judge.ts'
import type { SaveRequest } from '../calls/agreement-calls.ts'
import type { Saved } from '../shapes/agreements.ts'
import { DetailedRefusal } from '../sight/detailed-refusal.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { todayOf } from './opened-agreement.ts'
import { problemViews } from './problem-view.ts'

export async function saveFormula(
  parts: ViewContext,
  seat: Seat,
  { text, basedOn, revision, words }: SaveRequest,
): Promise<Saved> {
  const applied = await applyDocument(parts.installation.sql, {
    workspaceId: seat.workspace.id,
    text,
    by: seat.person.email,
    today: todayOf(parts),
    basedOn: { version: basedOn, revision: revision ?? null },
    fromAddress: seat.fromAddress,
    words: pastedWords(words),
  })
  if (applied.outcome === 'refused') {
    const { problems, lines } = applied
    const message =
      problems.length === 1 ? 'the document has one problem' : `the document has ${problems.length} problems`
    throw new DetailedRefusal('invalid', message, { problems: problemViews(problems, lines) })
  }
  await parts.catchUp()
  const { outcome, slug, version, proposal } = applied
  return { outcome, slug, version, proposal }
}

/** Pasted words: a page sends no file. */
export function pastedWords(words: SaveRequest['words']): ApplyRequest['words'] {
  return words == null ? words : { ...words, file: null }
}
