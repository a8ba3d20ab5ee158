// One table from what went wrong to a status and a sentence. Anything that is not a refusal of ours is a 500 that gives
// no internal details.
import { Refusal, type RefusalKind } from '../../core/refusal.ts'
import { type DatabaseTrouble, databaseTroubleOf } from '../../storage/postgres/database-errors.ts'
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

const diskFull = 'the disk is full: nothing was changed; try again when there is room'

/** What is answered where the database is the reason: a sentence, and after how many seconds to try again. */
export interface TroubleWords {
  readonly message: string
  readonly retryAfter: string
}

const troubles: Readonly<Record<DatabaseTrouble, TroubleWords>> = {
  away: { message: 'the database is not available; try again', retryAfter: '2' },
  slow: {
    message: 'a statement took the database too long and was stopped; try again, or request less at once',
    retryAfter: '5',
  },
  locked: {
    message: 'the same data is being changed at this moment and was not free in time; try again',
    retryAfter: '2',
  },
  full: { message: diskFull, retryAfter: '60' },
}

/** Of the database or of this machine; `null` for every other error. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  return (error as { code?: unknown } | null)?.code === 'ENOSPC' ? 'full' : databaseTroubleOf(error)
}

export function troubleWords(error: unknown): TroubleWords | null {
  const trouble = troubleOf(error)
  return trouble === null ? null : troubles[trouble]
}

/** Whether an operator has to know of it: all but what the caller can fix, or what is only a matter of waiting. */
export function isForTheLog(error: unknown, status: number): boolean {
  return status === 500 || troubleOf(error) !== null
}

export function answerFor(error: unknown): Answer {
  if (error instanceof Refusal) {
    const status = statuses[error.kind]
    return errorAnswer(status, error.message, status === 503 ? ['retry-after', '2'] : [])
  }
  const words = troubleWords(error)
  if (words !== null) return errorAnswer(503, words.message, ['retry-after', words.retryAfter])
  return errorAnswer(500, unexpected)
}
