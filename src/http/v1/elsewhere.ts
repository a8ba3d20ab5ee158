// Requests of v1 that are answered in a worker, because they are more than is done where everybody waits: what is sent there
// and what comes back, encoded.
import { type Answer, bytesOf, jsonAnswer } from '../answer.ts'
import { answerFor } from '../errors.ts'
import type { V1Parts } from './context.ts'
import { LazyRequest } from './request.ts'
import { findRoute } from './routes.ts'

export interface ApiJob {
  readonly kind: 'v1'
  readonly workspaceId: string
  readonly url: string
  /** Behind the prefix. */
  readonly path: string
  readonly search: string
}

export interface EncodedApiAnswer extends Pick<Answer, 'status' | 'etag' | 'headers'> {
  readonly bytes: Uint8Array
  /** What went wrong, where it is for the log alone. */
  readonly failure: string | null
}

/** Inside a worker, over what it holds itself. */
export async function answerInside(
  parts: V1Parts,
  { workspaceId, url, path, search }: ApiJob,
): Promise<EncodedApiAnswer> {
  const { route, id } = findRoute(path)!
  try {
    return encode(await route.handle(new LazyRequest(parts, workspaceId, id, url, search, route.parameters)), null)
  } catch (error) {
    const answer = answerFor(error)
    return encode(answer, answer.status === 500 ? ((error as Error).stack ?? String(error)) : null)
  }
}

function encode(answer: Answer, failure: string | null): EncodedApiAnswer {
  const { status, etag, headers } = answer
  return { status, etag, headers, bytes: bytesOf(answer), failure }
}

export function decodeAnswer({ status, etag, headers, bytes, failure }: EncodedApiAnswer): Answer {
  if (failure !== null) throw new Error(failure)
  return jsonAnswer([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)], etag, headers, status)
}
