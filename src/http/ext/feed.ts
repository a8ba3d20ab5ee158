// The position of a reader in a feed: a place in the workspace's own sequence and one in the public sequence, each with
// a mark that shows after a restore whether it is still the same history. As a cursor it is encrypted, and bound to the
// workspace and the request.

import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import type { EntryKind } from '../../storage/log/entry-kinds.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import {
  checkPlace,
  type FeedPlace,
  type LeftOut,
  readPlaceMark,
  readSeen,
  type Seen,
} from '../../storage/upkeep/changes.ts'
import type { ApiParts } from '../api/context.ts'
import { type MarkedPlace, readFeedPlace } from '../frame/feed-place.ts'
import { choiceParameter } from '../frame/parameters.ts'

export const feedFrom = choiceParameter(
  'from',
  ['start'] as const,
  'start: from the beginning; not together with cursor. Without either the feed begins now',
)

const beginning: MarkedPlace = { own: 0, public: 0, ownMark: '', publicMark: '', skipped: null }

export interface FeedRequest {
  readonly workspaceId: string
  readonly filters: string
  readonly cursor: string | null
  readonly from: 'start' | null
}

/** Null: now. */
export function startOf(
  parts: Pick<ApiParts, 'sealed'>,
  { workspaceId, filters, cursor, from }: FeedRequest,
): MarkedPlace | null {
  if (cursor === null) return from === null ? null : beginning
  if (from !== null) throw new Refusal('invalid', 'from and cursor cannot both be given')
  return readFeedPlace(parts.sealed, workspaceId, filters, cursor)
}

export function writeCursor(parts: ApiParts, { workspaceId, filters }: FeedRequest, place: MarkedPlace): string {
  const { own, ownMark, publicMark, skipped } = place
  const rest = skipped === null ? '' : ` ${skipped.scope} ${skipped.rows}`
  return parts.sealed.write(workspaceId, filters, `1 ${own} ${ownMark} ${place.public} ${publicMark}${rest}`)
}

export interface FeedPage extends Seen {
  /** Where the page began. */
  readonly after: FeedPlace
}

/** What comes after a place, at most so many of each sequence. Refuses a place of another history. */
export async function readFeed(
  tx: Transaction,
  workspaceId: string,
  place: MarkedPlace | null,
  kinds: readonly EntryKind[],
  most: number,
  leftOut: readonly LeftOut[] = [],
): Promise<FeedPage> {
  if (place === null) {
    const { newest } = await readSeen(tx, workspaceId, { own: 0, public: 0 }, [], 0)
    return { publications: [], newest, more: new Set(), after: newest }
  }
  const [seen] = await Promise.all([
    readSeen(tx, workspaceId, place, kinds, most, leftOut),
    checkPlace(tx, workspaceId, place.own, place.ownMark),
    checkPlace(tx, publicScope, place.public, place.publicMark),
  ])
  return { ...seen, after: place }
}

/**
 * The place after the part of a page that was used. In a sequence of which nothing is left it is the newest place. If
 * nothing at all was used it stays the same, so that the cursor reveals nothing about others, unless very much would
 * have to be examined again.
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
    readPlaceMark(tx, workspaceId, own),
    readPlaceMark(tx, publicScope, shared),
  ])
  return { own, public: shared, ownMark: ownMark!, publicMark: publicMark!, skipped }
}
