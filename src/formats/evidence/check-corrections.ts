// Corrections in an evidence package: each is computed again, with its notes, from the receipts it names.

import { type CorrectionVerdict, judgeCorrection } from '../../core/true-up/correction-verdict.ts'
import { type CheckedProposal, type Content, fact, type ProposalForm, type Value } from './check-proposals.ts'
import type { CorrectionRecord } from './corrections.ts'

export type CheckedCorrection = CheckedProposal<CorrectionRecord, CorrectionVerdict>

export const correctionForm: ProposalForm<CorrectionRecord, CorrectionVerdict> = {
  noun: 'correction',
  folder: 'corrections',
  many: 'corrections',
  isRecord: ({ notes }) => Array.isArray(notes),
  judge: judgeCorrection,
  receiptOf: ({ correction }) => correction,
  isAgreed: (_, verdict) => isSignedByBoth(verdict),
  problemsOf: ({ notes }, verdict) => {
    const { parts } = verdict.correction.body
    const wrong = notes.filter(({ part, amount }) => !isSignedByBoth(verdict) || parts[part - 1] !== amount)
    return wrong.map(({ part }) => `note ${part} is not one of its parts`)
  },
  kinds: { proposal: 'correction', signature: 'correction-signature', refusal: 'correction-refusal' },
  key: 'correction',
  published: contents =>
    contents('correction-note').map(each =>
      tellNote(each.correction, each.part, each.number, each.date, each.amount, each.file),
    ),
  recorded: ({ id, notes }) =>
    notes.map(({ part, number, date, amount, fileHash }) => tellNote(id, part, number, date, amount, fileHash)),
}

function isSignedByBoth({ correction }: CorrectionVerdict): boolean {
  return correction.signatures.length === 2
}

function tellNote(id: Value, part: Value, number: Value, date: Value, amount: Value, file: Value) {
  return fact(`the note ${number} over ${amount} for the correction ${id}`, id, part, date, file)
}

function periodsOf({ periods }: Content): readonly string[] {
  return Array.isArray(periods) ? periods.map(String) : []
}

/** Whether the chain counts a correction to one of these periods. */
export function isCorrectionOf(periods: ReadonlySet<string>): (content: Content) => boolean {
  return content => periodsOf(content).some(period => periods.has(period))
}
