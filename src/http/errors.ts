// One table from what went wrong to a status and a sentence. Anything that is not a refusal of ours is a 500 that gives
// no internal details.
import { Refusal, type RefusalKind } from '../core/refusal.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { blankKeys } from './secret-words.ts'

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  'not-found': 404,
  forbidden: 403,
  conflict: 409,
  'too-large': 400,
  'division-by-zero': 404,
  'not-computable': 404,
  unavailable: 503,
  // Stored data was changed from outside: trying again does not help, and none of it is passed on.
  broken: 500,
}

/** Exactly `{"error": "…"}`. */
export function errorAnswer(status: number, message: string, headers: readonly string[] = []): Answer {
  return jsonAnswer(JSON.stringify({ error: blankKeys(message) }), null, headers, status)
}

export const unauthorized = 'a valid API key is needed: Authorization: Bearer <key>'
export const notFound = 'there is nothing at this address'
export const unexpected = 'something went wrong on our side; try again with exponential backoff'

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08003',
])

/** The database cannot be reached, or is too busy to answer in time. */
export function isDatabaseAway(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (connectionCodes.has(code) || code === '57014' || code === '55P03')
}

export const diskFull = 'the disk is full: nothing was changed; try again when there is room'

/** Of the database, or of this machine. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '53100' || code === 'ENOSPC'
}

export function answerFor(error: unknown): Answer {
  if (error instanceof Refusal) {
    const status = statuses[error.kind]
    return errorAnswer(status, error.message, status === 503 ? ['retry-after', '2'] : [])
  }
  if (isDatabaseAway(error)) return errorAnswer(503, 'the database is not available; try again', ['retry-after', '2'])
  if (isDiskFull(error)) return errorAnswer(503, diskFull, ['retry-after', '60'])
  return errorAnswer(500, unexpected)
}
