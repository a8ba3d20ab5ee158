// Cache of encoded answers by address, beside the things they were made from.
import { createHash } from 'node:crypto'
import type { CachedAgreement } from '../../read/lists/cached-agreement.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { CachedMoment } from '../../read/lists/cached-moment.ts'
import type { CachedSeries } from '../../read/series/cached-series.ts'
import { type Answer, inFewPieces, ownBytes } from '../frame/answer.ts'
import type { Parameters } from '../frame/parameters.ts'
import type { ApiRequest } from './context.ts'

/** Approximate memory of an answer without its body: the objects around it and its entry in the cache. */
const answerBytes = 600

/** A cached answer with its route, which counting needs without another look-up. */
export interface EncodedAnswer {
  readonly answer: Answer
  readonly routeName: string
}

export function keepAnswer(
  { parts, address, routeName }: Pick<ApiRequest<Parameters>, 'parts' | 'address' | 'routeName'>,
  index: CachedIndex,
  from: CachedIndex | CachedSeries | CachedAgreement | CachedMoment,
  answer: Answer,
  day: string | null = null,
): Answer {
  const kept = inFewPieces(answer)
  const size = answerBytes + 2 * address.length + ownBytes(kept)
  const made: EncodedAnswer = { answer: kept, routeName }
  parts.library.keepAnswer(index, from, { address, answer: made, size, day })
  return kept
}

/** Strong tag made from the bytes. */
export function contentTag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}
