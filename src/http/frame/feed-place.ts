// Position of a reader in a feed, in its cursor, and the moment it stands for: routes and commands accept such a cursor as a time.
import type { Instant } from '../../core/time/instant.ts'
import type { MarkedPlace } from '../../read/feed-page.ts'
import { publicScope, type Transaction } from '../../storage/postgres/database.ts'
import { checkPlace, loadPlaceInstant } from '../../storage/upkeep/change-feed-entries.ts'
import type { SealedCursors } from './sealed-cursor.ts'
import { refused } from './sealed-cursor.ts'

/** Binding of the cursors of `/changes` without kinds. */
export const allChanges = 'ext changes all'

export function readFeedPlace(
  sealed: SealedCursors,
  workspaceId: string,
  filters: string,
  cursor: string,
): MarkedPlace {
  const text = sealed.read(workspaceId, filters, cursor)
  const match = /^1 (\d{1,15}) ([0-9a-f]*) (\d{1,15}) ([0-9a-f]*)(?: (own|public) (\d{1,9}))?$/.exec(text)
  if (match === null) throw refused()
  const [, own, ownMark, shared, publicMark, scope, rows] = match
  const skipped = scope === undefined ? null : { scope: scope as 'own' | 'public', rows: Number.parseInt(rows!, 10) }
  return {
    own: Number.parseInt(own!, 10),
    ownMark: ownMark!,
    public: Number.parseInt(shared!, 10),
    publicMark: publicMark!,
    skipped,
  }
}

export function formatFeedPlace(
  sealed: SealedCursors,
  workspaceId: string,
  filters: string,
  { own, ownMark, public: shared, publicMark, skipped }: MarkedPlace,
): string {
  const rest = skipped === null ? '' : ` ${skipped.scope} ${skipped.rows}`
  return sealed.write(workspaceId, filters, `1 ${own} ${ownMark} ${shared} ${publicMark}${rest}`)
}

/** Instant up to which a cursor of `/changes` has seen everything. Refuses one of another history. In a snapshot. */
export async function momentOfPlace(tx: Transaction, workspaceId: string, place: MarkedPlace): Promise<Instant> {
  await checkPlace(tx, workspaceId, place.own, place.ownMark)
  await checkPlace(tx, publicScope, place.public, place.publicMark)
  return loadPlaceInstant(tx, workspaceId, place)
}
