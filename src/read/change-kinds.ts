// Kinds of changes: the scope a key needs to see each, and the entries each is made of.
import { covers, type KeyScope } from '../core/people/key-scope.ts'
import type { ChangeKind } from '../storage/log/entry-kind.ts'
import { allEntryKinds, type EntryKind, entryKinds } from '../storage/log/entry-kinds.ts'

const needs: Readonly<Record<ChangeKind, KeyScope>> = {
  observations: 'read',
  // Names are part of receipts, and a repaired clock changes when things count as recorded.
  metadata: 'read',
  // Public; shown where an agreement reads a series of the release.
  calendar: 'read',
  // Public; shown where an agreement reads a series of the index.
  'index-event': 'read',
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
  splice: 'read',
  amendment: 'read',
}

export const changeKinds = Object.keys(needs) as ChangeKind[]

/** The requested kinds that the key may see. */
export function visibleKinds(asked: readonly ChangeKind[] | null, scope: KeyScope): readonly ChangeKind[] {
  return (asked ?? changeKinds).filter(kind => covers(scope, needs[kind]))
}

/** The least scope that sees all of these kinds. */
export function scopeFor(kinds: readonly ChangeKind[]): KeyScope {
  return kinds.some(kind => needs[kind] === 'money') ? 'money' : 'read'
}

export function entriesOf(kinds: readonly ChangeKind[]): readonly EntryKind[] {
  return allEntryKinds.filter(entry => kinds.some(kind => mayBe(entry, kind)))
}

/** The kind of an entry about which nothing else is known. Entries without a kind are never read for a feed. */
export function kindOf(entry: EntryKind): ChangeKind {
  return entryKinds[entry].feed!.as[0]
}

export function mayBe(entry: EntryKind, kind: ChangeKind): boolean {
  return entryKinds[entry].feed?.as.includes(kind) === true
}

export function isSigning(entry: EntryKind): boolean {
  return mayBe(entry, 'agreed')
}

export function isOfCorrection(entry: EntryKind): boolean {
  return entryKinds[entry].feed?.correction !== undefined
}

export function isOfTerms(entry: EntryKind): boolean {
  return entryKinds[entry].feed?.change !== undefined
}

/** Whether an entry's rows name the periods of its agreement. */
export function statesPeriods(entry: EntryKind): boolean {
  return entryKinds[entry].feed?.period !== undefined
}
