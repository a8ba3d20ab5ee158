// The words of pages about a checked evidence package, for the page inside it and the one on the server.
import { basisOf } from '../../core/index-changes/change-receipt.ts'
import { formatSigner } from '../../core/receipt/party-signature.ts'
import { formatBetween } from '../../core/receipt/party-words.ts'
import type { WrittenParties } from '../../core/receipt/receipt.ts'
import type { JudgedSignature } from '../../core/receipt/verdict.ts'
import type { CheckedPackage } from './check.ts'
import type { CheckedChange } from './check-terms-changes.ts'
import { currencyOf, formatSettled } from './settled-periods.ts'
import { formatTerms } from './terms-changes.ts'

/** The heading never says "changed" of a package that merely could not be checked. */
export function packageHeading({ isGood, isChecked }: Pick<CheckedPackage, 'isGood' | 'isChecked'>): string {
  if (isGood) return 'Everything verifies'
  return isChecked ? 'Something was changed' : 'This cannot be verified'
}

/** More problems are not listed: one is enough. */
const mostProblems = 50

export function problemsToShow(packages: readonly (CheckedPackage | null)[]): readonly string[] {
  const all = packages.flatMap(each => each?.parts.flatMap(({ problems }) => problems) ?? [])
  return [...new Set(all)].slice(0, mostProblems)
}

const whoseWords = {
  'registered-key': 'with a passkey',
  'providers-token': 'by the identity provider of their company',
  'operators-word': 'recorded by the server that issued it',
  'made-by-operator': 'made by the operator',
  nobodys: 'does not hold',
} as const

/**
 * Signatures with the recorded facts about their signers: a good signature is of a key, and whose key it is rests on who let them in.
 */
export function signedWords(signatures: readonly JudgedSignature[], parties: WrittenParties | undefined): string[] {
  if (signatures.length === 0) return ['nobody']
  return signatures.map(({ signature, whose }) => {
    // Statements about the signer in an invalid signature are nobody's word.
    const told = whose === 'nobodys' ? [] : formatSigner(signature, parties)
    return `${signature.party}, ${signature.signedBy}: ${[whoseWords[whose], ...told].join('; ')}`
  })
}

/** The settled number of each period, the newest last. */
export function settledWords(
  { settled, receipts }: Pick<CheckedPackage, 'settled' | 'receipts'>,
  formatDay: (instant: string) => string,
): readonly string[] {
  const verdicts = new Map(receipts.map(({ name, verdict }) => [name, verdict]))
  return settled.map(each => {
    const verdict = verdicts.get(each.receipt)!
    return formatSettled(each, currencyOf({ name: each.receipt, receipt: verdict!.receipt }), formatDay)
  })
}

/** The outcome of a change of terms, in one sentence without its end. */
export function changeWords({ id, record, verdict }: CheckedChange, formatDay: (instant: string) => string): string {
  if (record === null || verdict === null) return id
  const { body, signatures } = verdict.change
  const terms = `${formatTerms(body)}, from ${body.effectiveFrom} on`
  const { state, version, plannedBy } = record
  if (state !== 'AGREED') return `change of formula ${basisOf(body)}, ${formatState(state)}: ${terms}`
  const what = version === null ? `change of formula ${basisOf(body)}` : `formula ${version}`
  if (plannedBy !== null) return `${what} agreed by the plan of formula ${plannedBy}: ${terms}`
  const last = signatures.map(({ signedAt }) => signedAt).sort()
  return `${what} agreed by both on ${formatDay(last.at(-1)!)}: ${terms}`
}

/** The parties to a change of terms, by its signed body; null for one that cannot be read. */
export function betweenWords({ record, verdict }: CheckedChange): string | null {
  if (record === null || verdict === null) return null
  return `${record.state === 'AGREED' ? 'agreed' : 'proposed'} between ${formatBetween(verdict.change.body)}`
}

/** Parties and outcome of a change of terms, as a page says them. */
export function changeSentences(change: CheckedChange, formatDay: (instant: string) => string): string {
  const between = betweenWords(change)
  return [changeWords(change, formatDay), ...(between === null ? [] : [between])].map(asSentence).join(' ')
}

export function formatState(state: string): string {
  return state.toLowerCase().replaceAll('_', ' ')
}

/** A sentence of a list as it stands by itself. */
export function asSentence(words: string): string {
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`
}
