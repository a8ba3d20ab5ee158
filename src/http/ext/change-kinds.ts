// The kinds of changes: which keys see them, and which entries each of them is made of.
import { covers, type KeyScope } from '../../core/people/key-scope.ts'
import type { ChangeKind } from '../../storage/log/entry-kind.ts'
import { type EntryKind, kindsWhere } from '../../storage/log/entry-kinds.ts'

const needs: Readonly<Record<ChangeKind, KeyScope>> = {
  observations: 'read',
  // Names are part of receipts, and a repaired clock changes when things count as recorded.
  metadata: 'read',
  follow: 'read',
  formula: 'read',
  status: 'read',
  signoff: 'read',
  agreed: 'read',
  objection: 'read',
  'price-list': 'read',
  invoice: 'money',
  quantity: 'money',
  correction: 'read',
  note: 'money',
  waiver: 'money',
}

export const changeKinds = Object.keys(needs) as ChangeKind[]

/** Of the requested kinds, those that the key may see. */
export function visibleKinds(asked: readonly ChangeKind[] | null, scope: KeyScope): readonly ChangeKind[] {
  return (asked ?? changeKinds).filter(kind => covers(scope, needs[kind]))
}

export function entriesOf(kinds: readonly ChangeKind[]): readonly EntryKind[] {
  return kindsWhere(({ feed }) => feed?.as.some(kind => kinds.includes(kind)) === true)
}
