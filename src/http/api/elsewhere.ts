// Requests of the API that are answered in a worker, because they are too much work for the main thread: what is sent
// there and what comes back, encoded.
import { type Answer, bytesOf, typedAnswer } from '../answer.ts'
import { answerFor } from '../errors.ts'
import type { ApiParts, Asked } from './context.ts'
import type { ApiName } from './definition.ts'
import { LazyRequest } from './request.ts'
import type { RouteTable } from './route.ts'

export interface ApiJob {
  readonly kind: 'api'
  readonly api: ApiName
  /** The part after the prefix. */
  readonly path: string
  readonly asked: Asked
}

export interface EncodedApiAnswer extends Pick<Answer, 'status' | 'etag' | 'headers' | 'type'> {
  readonly bytes: Uint8Array
  /** What went wrong, if it is only for the log. */
  readonly failure: string | null
}

/** Inside a worker, with its own library. */
export async function answerInside(
  parts: ApiParts,
  tables: Readonly<Record<ApiName, RouteTable>>,
  { api, path, asked }: ApiJob,
): Promise<EncodedApiAnswer> {
  const { route, ids } = tables[api].find(path)!
  try {
    return encode(await route.handle(new LazyRequest(parts, asked, ids, route.parameters)), null)
  } catch (error) {
    const answer = answerFor(error)
    return encode(answer, answer.status === 500 ? ((error as Error).stack ?? String(error)) : null)
  }
}

function encode(answer: Answer, failure: string | null): EncodedApiAnswer {
  const { status, etag, headers, type } = answer
  return { status, etag, headers, type, bytes: bytesOf(answer), failure }
}

export function decodeAnswer({ status, etag, headers, type, bytes, failure }: EncodedApiAnswer): Answer {
  if (failure !== null) throw new Error(failure)
  const body = [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
  return typedAnswer(type, body, { etag, headers, status })
}
