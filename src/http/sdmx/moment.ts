// The moment of an answer: it is pinned to the newest entry, so that everything in it is of one moment however long it takes to
// send. The entry stays inside: the key may have to know nothing of it. The time of a message and its tag come only from the
// content of the message.

import { createHash } from 'node:crypto'
import type { Day } from '../../core/time/day.ts'
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { ApiRequest } from '../api/context.ts'
import { Catalogue } from './catalogue.ts'

export interface Moment {
  /** Newest record that counts. */
  readonly knownAt: Instant
  /** Requested instant; null for present knowledge. */
  readonly asked: Instant | null
  /** The last day whose date has come. */
  readonly day: Day
  readonly index: CachedIndex
  readonly catalogue: Catalogue
  /** Tag of an answer in one form, made of this content. */
  tag(form: string, content: string): string
}

type MomentRequest = Pick<ApiRequest<Record<string, never>>, 'parts' | 'workspaceId' | 'today' | 'url'>

/** `asked` is a past instant, or null for present knowledge. */
export async function momentOf(request: MomentRequest, asked: Instant | null): Promise<Moment> {
  const { parts, workspaceId, today, url } = request
  const { newest } = await parts.library.moments.of(workspaceId)
  const knownAt = asked ?? newest
  const day = asked === null ? today : Math.min(today, dayOfInstant(asked))
  await parts.settle(workspaceId, knownAt)
  const index = await parts.library.index(workspaceId)
  const agreements = await parts.library.prices.active(workspaceId, { knownAt })
  return {
    knownAt,
    asked,
    day,
    index,
    catalogue: new Catalogue(index, agreements, knownAt),
    tag: (form, content) => `"${digestOf([form, url, content]).slice(0, 22)}"`,
  }
}

/** Digest of short texts, each of which counts. */
export function digestOf(texts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('base64url')
}
