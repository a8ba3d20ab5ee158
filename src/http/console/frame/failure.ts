// Failures of the console, as answers: `{ error, problems?, needs? }`. An error that is no `Refusal` gives no internal details.

import type { Failure } from '../../../views/shapes/session.ts'
import { DetailedRefusal } from '../../../views/sight/detailed-refusal.ts'
import { failureOf } from '../../frame/errors.ts'
import { blankKeys } from '../../frame/secret-words.ts'

export interface FailureAnswer {
  readonly status: number
  readonly body: Failure
  readonly headers: Readonly<Record<string, string>>
}

export function failureAnswer(error: unknown): FailureAnswer {
  const { status, message, retryAfterSeconds } = failureOf(error, 'pages')
  const { problems, needs } = error instanceof DetailedRefusal ? error : { problems: [], needs: null }
  const body: Failure = {
    error: blankKeys(message),
    ...(problems.length === 0 ? {} : { problems }),
    ...(needs === null ? {} : { needs }),
  }
  return { status, body, headers: retryAfterSeconds === null ? {} : { 'retry-after': retryAfterSeconds.toString() } }
}
