// The moment that an answer shows: it is pinned to the newest entry, so that everything in it is of one moment however long
// it takes to send, and an answer in which nothing changed keeps its tag.

import { createHash } from 'node:crypto'
import type { Day } from '../../core/time/day.ts'
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { ApiRequest } from '../api/context.ts'
import { Catalogue } from './catalogue.ts'

export interface Moment {
  /** Nothing that was recorded later counts. */
  readonly knownAt: Instant
  /** The last day whose date has come. */
  readonly day: Day
  readonly index: CachedIndex
  readonly catalogue: Catalogue
  /** Identifies what can be told of it in one form. */
  tag(form: string): string
}

type MomentRequest = Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId' | 'today' | 'url'>

/** `asked` is an instant that is past, or null for what is known now. */
export async function momentOf(request: MomentRequest, asked: Instant | null): Promise<Moment> {
  const { parts, workspaceId, today, url } = request
  const { newest } = await parts.library.moments.of(workspaceId)
  const knownAt = asked ?? newest
  const day = asked === null ? today : Math.min(today, dayOfInstant(asked))
  await parts.settle(workspaceId, knownAt)
  // After the moment: a series that came between the two is in the lists, and in the tag.
  const index = await parts.library.index(workspaceId)
  const agreements = await parts.library.prices.active(workspaceId, { knownAt })
  const { own, public: shared } = index.newestOfSeries
  const facts = [url, knownAt, day, own, shared, index.newestOfFormulas]
  return {
    knownAt,
    day,
    index,
    catalogue: new Catalogue(index, agreements, knownAt),
    tag: form =>
      `"${createHash('sha256')
        .update(JSON.stringify([form, ...facts]))
        .digest('base64url')
        .slice(0, 22)}"`,
  }
}
