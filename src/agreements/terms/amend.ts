// Amendments: documents that take the place of the one that governs, from the first date that both have not signed.

import { checkDocument } from '../../core/formula/check/check.ts'
import { restate } from '../../core/formula/restatement.ts'
import { buildAmendment } from '../../core/index-changes/amendment.ts'
import { effectOfTerms } from '../../core/index-changes/terms-effect.ts'
import { Refusal } from '../../core/refusal.ts'
import { formatDay } from '../../core/time/day.ts'
import type { ApplyRequest, JudgedDocument } from '../judge.ts'
import { readWords } from '../object.ts'
import { differencesFrom, hasOtherWords } from '../write-version.ts'
import { type BuiltDocument, built } from './built-change.ts'
import { waitsForConsent } from './consent.ts'
import { bindWith, firstOpenDate, headFor, type OpenTerms } from './open-terms.ts'

interface Amending {
  readonly text: string
  /** Judged under the lock, or a moment before. */
  readonly judged: JudgedDocument
  readonly words: ApplyRequest['words']
  readonly reason: string
}

export async function amend(open: OpenTerms, { text, judged, words, reason: given }: Amending): Promise<BuiltDocument> {
  const reason = readWords('the reason', given)
  const { kept, log, basis } = open
  const { isNewFormula, isNewState } = differencesFrom(kept, judged, words)
  if (!isNewFormula && !isNewState && !waitsForConsent(kept, judged.formula.parties))
    throw new Refusal('conflict', `the document says what ${kept.slug} says already`)
  const from = firstOpenDate(open, judged.formula)
  const bound = await bindWith(open, judged.formula)
  const { after, keptLabels } = open.standing.continuesFrom
  const effect = effectOfTerms({ ...bound, after, keptLabels, from, today: open.today })
  const before = governingText(open)
  const effectiveFrom = formatDay(from)
  const body = buildAmendment({
    head: headFor(open),
    basis: basis.version,
    effectiveFrom,
    effect,
    reason,
    knownAt: log.recordedAt,
    before: { text: before, document: checkDocument(before).document },
    after: { text, document: judged.document },
    ...(hasOtherWords(basis, words) ? { words: { before: basis.wordsHash, after: words } } : {}),
  })
  const head = { kind: 'AMENDMENT' as const, document: text, ground: 'BY_HAND' as const }
  return { ...built(body, { ...head, basis: basis.version, effectiveFrom, series: [] }), judged }
}

/** The document as it stands: the text of the newest version under the descriptions of now. */
function governingText({ kept, basis }: OpenTerms): string {
  return restate(basis.documentText, kept.states.at(-1)!)
}
