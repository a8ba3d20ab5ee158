// Effects of an entry on cached things, according to its kind.

import type { EntryNotice } from '../../storage/log/append.ts'
import { type EntryKind, entryKinds, kindsWhere } from '../../storage/log/entry-kinds.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { CachedIndex } from './cached-index.ts'

/** Kinds that change all rows: names in receipts, and a series that some agreement may have been missing. */
export const changesAllRows: ReadonlySet<EntryKind> = new Set(kindsWhere(({ stale }) => stale.rows === 'scope'))

export type NoticedEntry = Pick<EntryNotice, 'scope' | 'kind' | 'subject'>

/** Whether a workspace sees a published entry; true where its lists are missing and the series is public. */
export function isSeenBy(
  workspaceId: string,
  index: Pick<CachedIndex, 'find'> | null,
  { scope, kind, subject }: NoticedEntry,
): boolean {
  if (scope !== publicScope) return scope === workspaceId
  // A process of a newer version may publish kinds unknown here.
  return entryKinds[kind]?.about !== 'series' || index === null || index.find(subject) !== undefined
}
