// A moment in a request: a day, an instant, or a cursor of `/changes` from then.

import { Refusal } from '../../core/refusal.ts'
import { parseDay } from '../../core/time/day.ts'
import { endOfDay, type Instant, parseInstant } from '../../core/time/instant.ts'
import type { ApiRequest } from '../api/context.ts'
import { allChanges, momentOfPlace, readFeedPlace } from '../frame/feed-place.ts'
import type { MomentText } from './query.ts'

/** The moment; null if none is named. Refuses a moment that is not over yet, and a cursor of another history. */
export async function momentOf(
  { parts, workspaceId, now }: Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId' | 'now'>,
  named: MomentText | null,
): Promise<Instant | null> {
  if (named === null) return null
  const day = parseDay(named.text)
  const instant = day === null ? parseInstant(named.text) : endOfDay(day)
  if (instant !== null) {
    if (instant <= now) return instant
    throw new Refusal('invalid', `${named.name} must be an instant that is past or a day that is over in UTC`)
  }
  const place = readFeedPlace(parts.sealed, workspaceId, allChanges, named.text)
  return parts.snapshot(workspaceId, tx => momentOfPlace(tx, workspaceId, place))
}
