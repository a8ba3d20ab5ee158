// Bound on the wait for an answer of the database: a server that is frozen accepts statements and answers none, and its own
// timeouts stand still with it.
import { ConnectionError } from './connection-error.ts'

/** Bounds: a question before an answer waits as long as a statement may take; a heartbeat must not be older than its content. */
export const answerMs = { question: 10_000, heartbeat: 3_000 } as const

export async function answerWithin<T>(ms: number, asked: PromiseLike<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(ConnectionError.of('NO_ANSWER')), ms)
  try {
    return await Promise.race([asked, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
