// Which cached things an entry changes, and which it leaves as they are: as its kind says.

import type { EntryNotice } from '../../storage/log/append.ts'
import { type EntryKind, entryKinds, kindsWhere } from '../../storage/log/entry-kinds.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { CachedIndex } from './cached-index.ts'

/** Names that receipts contain, and a series that some agreement may have been missing. */
export const changesAllRows: ReadonlySet<EntryKind> = new Set(kindsWhere(({ stale }) => stale.rows === 'scope'))

export type NoticedEntry = Pick<EntryNotice, 'scope' | 'kind' | 'subject'>

/**
 * Whether a workspace sees what was published. Without its lists that is not known for a public series: then the
 * answer is yes.
 */
export function isSeenBy(
  workspaceId: string,
  index: Pick<CachedIndex, 'find'> | null,
  { scope, kind, subject }: NoticedEntry,
): boolean {
  if (scope !== publicScope) return scope === workspaceId
  // A process of a newer version may publish kinds that are not known here.
  return entryKinds[kind]?.about !== 'series' || index === null || index.find(subject) !== undefined
}
