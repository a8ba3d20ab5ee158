// Position of a reader in a feed: a place in the workspace's own sequence and one in the public sequence, each with a mark that
// shows after a restore whether the history is still the same. As a cursor it is encrypted, and bound to the workspace and the
// request.

import { Refusal } from '../../core/refusal.ts'
import type { MarkedPlace } from '../../read/feed-page.ts'
import type { ApiContext } from '../api/context.ts'
import { formatFeedPlace, readFeedPlace } from '../frame/feed-place.ts'
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

/** Start of a feed; null: now. */
export function startOf(
  parts: Pick<ApiContext, 'sealed'>,
  { workspaceId, filters, cursor, from }: FeedRequest,
): MarkedPlace | null {
  if (cursor === null) return from === null ? null : beginning
  if (from !== null) throw new Refusal('invalid', 'from and cursor cannot both be given')
  return readFeedPlace(parts.sealed, workspaceId, filters, cursor)
}

export function formatCursor(parts: ApiContext, { workspaceId, filters }: FeedRequest, place: MarkedPlace): string {
  return formatFeedPlace(parts.sealed, workspaceId, filters, place)
}
