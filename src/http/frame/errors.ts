// Errors as a status and a sentence: refusals by their table, trouble of the database by its own. Anything else is a 500 that gives
// no internal details.
import type { FastifyError } from 'fastify'
import { Refusal, refusalKinds } from '../../core/refusal.ts'
import { type DatabaseTrouble, databaseTroubleOf } from '../../storage/postgres/database-errors.ts'
import { troubleTable } from '../../storage/postgres/trouble-table.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { blankKeys } from './secret-words.ts'

/** Exactly `{"error": "…"}`. */
export function errorAnswer(status: number, message: string, headers: readonly string[] = []): Answer {
  return jsonAnswer(JSON.stringify({ error: blankKeys(message) }), null, headers, status)
}

export const unauthorized = 'a valid API key is needed: Authorization: Bearer <key>'
export const unauthorizedAsUser = `${unauthorized}, or Basic with the key as the user name and an empty password`
export const notFound = 'there is nothing at this address'
const unexpected = 'something went wrong on our side; try again with exponential backoff'

/** Trouble of the database or of this machine; `null` for every other error. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  return (error as { code?: unknown } | null)?.code === 'ENOSPC' ? 'full' : databaseTroubleOf(error)
}

/** Whether an operator has to know of it: not if the caller can fix it, or if it is only a matter of waiting. */
export function isForTheLog(error: unknown, status: number): boolean {
  return status === 500 || troubleOf(error) !== null
}

/** Answer to an error: a status, a sentence, and the time of another try if that helps. */
interface Failure {
  readonly status: number
  readonly message: string
  readonly retryAfterSeconds: number | null
}

/** Default wait. */
const soonSeconds = 2

export function failureOf(error: unknown, of: 'api' | 'pages'): Failure {
  if (error instanceof Refusal) {
    const { kind, message } = error
    const retryAfterSeconds = error.retryAfterSeconds ?? (kind === 'unavailable' ? soonSeconds : null)
    return { status: refusalKinds[kind][of], message, retryAfterSeconds }
  }
  const trouble = troubleOf(error)
  if (trouble !== null) {
    const { answer: message, retryAfterSeconds } = troubleTable[trouble]
    return { status: 503, message, retryAfterSeconds }
  }
  const refused = frameworkRefusal(error)
  return { ...(refused ?? { status: 500, message: unexpected }), retryAfterSeconds: null }
}

/** Refusals of the framework itself: a body of a type that nobody reads, for example. */
function frameworkRefusal(error: unknown): Pick<Failure, 'status' | 'message'> | null {
  const { code, statusCode = 500, message = '' } = (error ?? {}) as Partial<FastifyError>
  if (typeof code !== 'string' || !code.startsWith('FST_') || statusCode >= 500) return null
  return { status: statusCode, message }
}

export function answerFor(error: unknown): Answer {
  const { status, message, retryAfterSeconds } = failureOf(error, 'api')
  return errorAnswer(status, message, retryAfterSeconds === null ? [] : ['retry-after', retryAfterSeconds.toString()])
}
