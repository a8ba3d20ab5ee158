// A page of the log as a workspace sees it, behind a place in its own sequence and in the public one, and the place after it.
import { limits } from '../limits.ts'
import type { EntryKind } from '../storage/log/entry-kinds.ts'
import { publicScope, type Transaction } from '../storage/postgres/database.ts'
import {
  checkPlace,
  type FeedEntries,
  type FeedPlace,
  type LeftOut,
  loadPlaceMark,
  loadSeen,
} from '../storage/upkeep/change-feed-entries.ts'

/** A place with a mark of each sequence, which shows after a restore whether the history is still the same. */
export interface MarkedPlace extends FeedPlace {
  readonly ownMark: string
  readonly publicMark: string
  /** Number of rows of this scope's next entry that were already returned. */
  readonly skipped: { readonly scope: 'own' | 'public'; readonly rows: number } | null
}

export interface FeedPage extends FeedEntries {
  /** Place at which the page began. */
  readonly after: FeedPlace
}

/** Entries after a place, at most so many of each sequence. Refuses a place of another history. */
export async function loadFeed(
  tx: Transaction,
  workspaceId: string,
  place: MarkedPlace | null,
  kinds: readonly EntryKind[],
  most: number,
  leftOut: readonly LeftOut[] = [],
): Promise<FeedPage> {
  if (place === null) {
    const { newest } = await loadSeen(tx, workspaceId, { own: 0, public: 0 }, [], 0)
    return { publications: [], newest, more: new Set(), after: newest }
  }
  const [seen] = await Promise.all([
    loadSeen(tx, workspaceId, place, kinds, most, leftOut),
    checkPlace(tx, workspaceId, place.own, place.ownMark),
    checkPlace(tx, publicScope, place.public, place.publicMark),
  ])
  return { ...seen, after: place }
}

/**
 * The place after the used part of a page. A sequence with nothing left gets its newest place. If nothing at all was used the place
 * stays, so that the cursor reveals nothing about others, unless very much would have to be examined again.
 */
export async function placeAfter(
  tx: Transaction,
  workspaceId: string,
  { publications: entries, newest, more, after }: FeedPage,
  taken: number,
  skipped: MarkedPlace['skipped'],
): Promise<MarkedPlace> {
  const left = entries.slice(taken)
  const passed = newest.own - after.own + newest.public - after.public
  const stays = taken === 0 && (left.length > 0 || more.size > 0 || passed < limits.ext.passedUnseen)
  const reached = (scope: string, before: number, last: number) => {
    if (stays) return before
    if (!more.has(scope) && !left.some(each => each.scope === scope)) return last
    return entries.slice(0, taken).findLast(each => each.scope === scope)?.seq ?? before
  }
  const own = reached(workspaceId, after.own, newest.own)
  const shared = reached(publicScope, after.public, newest.public)
  const [ownMark, publicMark] = await Promise.all([
    loadPlaceMark(tx, workspaceId, own),
    loadPlaceMark(tx, publicScope, shared),
  ])
  return { own, public: shared, ownMark: ownMark!, publicMark: publicMark!, skipped }
}
