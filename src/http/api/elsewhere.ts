// Requests of the API for a worker, because they are too much work for the main thread: their encoding on the way there and back.
import { type Answer, bytesOf, gathered, typedAnswer } from '../frame/answer.ts'
import { answerFor, isForTheLog } from '../frame/errors.ts'
import type { ApiContext, CheckedRequest } from './context.ts'
import type { ApiName } from './definition.ts'
import { LazyRequest } from './request.ts'
import type { Routes } from './route.ts'

export interface ApiJob {
  readonly kind: 'api'
  readonly api: ApiName
  /** The part after the prefix. */
  readonly path: string
  readonly asked: CheckedRequest
}

export interface EncodedApiAnswer extends Pick<Answer, 'status' | 'etag' | 'headers' | 'type'> {
  readonly bytes: Uint8Array
}

/** Answers inside a worker, with its own library. */
export async function answerInside(
  parts: ApiContext,
  tables: Readonly<Record<ApiName, Routes>>,
  { api, path, asked }: ApiJob,
): Promise<EncodedApiAnswer> {
  const found = tables[api].find(path)!
  try {
    return encode(await gathered(await found.route.handle(new LazyRequest(parts, asked, found))))
  } catch (error) {
    const answer = answerFor(error)
    // An error for the log goes back as it is, to where the request is known.
    if (isForTheLog(error, answer.status)) throw error
    return encode(answer)
  }
}

function encode(answer: Answer): EncodedApiAnswer {
  const { status, etag, headers, type } = answer
  return { status, etag, headers, type, bytes: bytesOf(answer) }
}

export function decodeAnswer({ status, etag, headers, type, bytes }: EncodedApiAnswer): Answer {
  const body = [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
  return typedAnswer(type, body, { etag, headers, status })
}
