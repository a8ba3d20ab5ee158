// The kinds of changes, as data: which publications each of them is made of, and which keys see it.
import { covers, type KeyScope } from '../../core/people/key-scope.ts'
import type { PublicationKind } from '../../storage/log/publish.ts'

interface ChangeRule {
  readonly needs: KeyScope
  readonly publications: readonly PublicationKind[]
}

const rules = {
  observations: { needs: 'read', publications: ['observations'] },
  // Names are part of receipts, and a repaired clock changes when things count as recorded.
  metadata: { needs: 'read', publications: ['metadata', 'party', 'workspace', 'installation', 'clock'] },
  follow: { needs: 'read', publications: ['follow'] },
  formula: { needs: 'read', publications: ['formula'] },
  status: { needs: 'read', publications: ['pam'] },
  // Which of the two a signature is depends on whether the other party has signed.
  signoff: { needs: 'read', publications: ['sign-off', 'signature'] },
  agreed: { needs: 'read', publications: ['sign-off', 'signature'] },
  objection: { needs: 'read', publications: ['objection', 'objection-answer'] },
  'price-list': { needs: 'read', publications: ['price-list'] },
  invoice: { needs: 'money', publications: ['invoice'] },
  quantity: { needs: 'money', publications: ['quantity'] },
  // Which of the two a proposal, its signatures and its refusal are depends on whether it waives the money.
  correction: { needs: 'read', publications: ['correction', 'correction-signature', 'correction-refusal'] },
  note: { needs: 'money', publications: ['correction-note'] },
  waiver: { needs: 'money', publications: ['correction', 'correction-signature', 'correction-refusal'] },
} satisfies Readonly<Record<string, ChangeRule>>

export type ChangeKind = keyof typeof rules
export const changeKinds = Object.keys(rules) as ChangeKind[]

/** Of the requested kinds, those that the key may see. */
export function visibleKinds(asked: readonly ChangeKind[] | null, scope: KeyScope): readonly ChangeKind[] {
  return (asked ?? changeKinds).filter(kind => covers(scope, rules[kind].needs))
}

export function publicationsOf(kinds: readonly ChangeKind[]): readonly PublicationKind[] {
  return [...new Set(kinds.flatMap((kind): readonly PublicationKind[] => rules[kind].publications))]
}

const isSignature: ReadonlySet<PublicationKind> = new Set(['sign-off', 'signature'])

export function isSigning(kind: PublicationKind): boolean {
  return isSignature.has(kind)
}

const ofCorrections: ReadonlySet<PublicationKind> = new Set([
  'correction',
  'correction-signature',
  'correction-refusal',
  'correction-note',
])

export function isOfCorrection(kind: PublicationKind): boolean {
  return ofCorrections.has(kind)
}

const aboutPeriods: ReadonlySet<PublicationKind> = new Set(['objection', 'objection-answer', 'quantity'])

/** Whether its rows name the periods of the agreement that it is about. */
export function statesPeriods(kind: PublicationKind): boolean {
  return aboutPeriods.has(kind)
}

/** The kind of a publication that is not a signature. */
export function kindOf(publication: PublicationKind): ChangeKind {
  const found = changeKinds.find(kind => (rules[kind].publications as readonly string[]).includes(publication))
  if (found === undefined) throw new Error(`no kind of change is made of ${publication}`)
  return found
}
