// Which cached things a publication changes, and which it leaves as they are.

import type { PublicationKind, PublicationNotice } from '../../storage/log/publish.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { CachedIndex } from './cached-index.ts'

/** Names that receipts contain, and a series that some formula may have been missing. */
export const changesAllRows: ReadonlySet<PublicationKind> = new Set(['workspace', 'installation', 'party', 'follow'])

export type Published = Pick<PublicationNotice, 'scope' | 'kind' | 'subject'>

/**
 * Whether a workspace sees what was published. Without its lists that is not known for a public series: then the
 * answer is yes.
 */
export function isSeenBy(
  workspaceId: string,
  index: Pick<CachedIndex, 'find'> | null,
  { scope, kind, subject }: Published,
): boolean {
  if (scope !== publicScope) return scope === workspaceId
  const isOfSeries = kind === 'observations' || kind === 'metadata'
  return !isOfSeries || index === null || index.find(subject) !== undefined
}
