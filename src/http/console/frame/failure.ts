// What goes wrong in the console, as an answer: `{ error, problems? }`. Anything that is not a refusal of ours gives no
// internal details.
import { Refusal, type RefusalKind } from '../../../core/refusal.ts'
import type { Failure, Needs, ProblemView } from '../../../views/shapes/session.ts'
import { troubleWords, unexpected } from '../../frame/errors.ts'
import { blankKeys } from '../../frame/secret-words.ts'
import type { ConsoleAnswer } from './route.ts'

/** A refusal with its own status: thrown by the console itself, not by a route. */
export class ConsoleFailure extends Error {
  readonly status: number
  readonly problems: readonly ProblemView[]
  readonly headers: Readonly<Record<string, string>>
  readonly needs: Needs | null

  constructor(
    status: number,
    message: string,
    more: {
      readonly problems?: readonly ProblemView[]
      readonly headers?: Readonly<Record<string, string>>
      /** What the person has to present to continue. */
      readonly needs?: Needs
    } = {},
  ) {
    super(message)
    this.name = 'ConsoleFailure'
    this.status = status
    this.problems = more.problems ?? []
    this.headers = more.headers ?? {}
    this.needs = more.needs ?? null
  }
}

/** There is no place at this moment. */
export function comeAgain(status: number, message: string, seconds = 5): ConsoleFailure {
  return new ConsoleFailure(status, message, { headers: { 'retry-after': seconds.toString() } })
}

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 422,
  'not-found': 404,
  forbidden: 403,
  conflict: 409,
  'too-large': 413,
  'division-by-zero': 422,
  'not-computable': 422,
  unavailable: 503,
  broken: 500,
}

const soon = { 'retry-after': '2' }

export function failureAnswer(error: unknown): ConsoleAnswer {
  if (error instanceof ConsoleFailure) {
    const { status, message, problems, headers, needs } = error
    return answer(status, message, problems, headers, needs)
  }
  if (error instanceof Refusal) {
    const status = statuses[error.kind]
    return answer(status, error.message, [], status === 503 ? soon : {})
  }
  const words = troubleWords(error)
  if (words !== null) return answer(503, words.message, [], { 'retry-after': words.retryAfter })
  return answer(500, unexpected, [], {})
}

function answer(
  status: number,
  message: string,
  problems: readonly ProblemView[],
  headers: Readonly<Record<string, string>>,
  needs: Needs | null = null,
): ConsoleAnswer {
  const body: Failure = {
    error: blankKeys(message),
    ...(problems.length === 0 ? {} : { problems }),
    ...(needs === null ? {} : { needs }),
  }
  return { status, body, headers }
}
