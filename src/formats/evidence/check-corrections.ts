// Corrections in an evidence package, as they are checked: each computed again from the receipts it names, with its notes.

import { type CorrectionVerdict, judgeCorrection } from '../../core/true-up/correction-verdict.ts'
import {
  because,
  type CheckedProposal,
  type Content,
  type Contents,
  fact,
  missingProposals,
  type ProposalForm,
  type Value,
} from './check-proposals.ts'
import { type CorrectionRecord, correctionsPath } from './corrections.ts'
import type { EvidenceFiles } from './manifest.ts'

export type CheckedCorrection = CheckedProposal<CorrectionRecord, CorrectionVerdict>

export const correctionForm: ProposalForm<CorrectionRecord, CorrectionVerdict> = {
  ...{ noun: 'correction', folder: 'corrections', many: 'corrections' },
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
  about: content => `of ${periodsOf(content).join(', ')}`,
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

/** Whether the chain says that it is of one of these periods. */
export function isCorrectionOf(periods: ReadonlySet<string>): (content: Content) => boolean {
  return content => periodsOf(content).some(period => periods.has(period))
}

/**
 * Why a package does not show what is settled; empty if it has its corrections, or if its chain shows that there are none.
 * Packages have had a list of corrections, which may be empty, only for some time.
 */
export function missingCorrections(
  files: EvidenceFiles,
  contents: Contents | null,
  periods: ReadonlySet<string>,
): readonly string[] {
  if (contents !== null) return missingProposals(correctionForm, files, contents, isCorrectionOf(periods))
  if (files.has(correctionsPath)) return []
  return [`it does not say whether signed prices were corrected: ${because(correctionForm)}`]
}
