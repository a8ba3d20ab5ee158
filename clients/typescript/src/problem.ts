// What can go wrong, as one error with a name to decide by. The sentence is for people; the request id finds the request in the
// server's log.

/** What went wrong, by its name. */
export type Problem =
  /** 400: a parameter or a body that the server does not take; the sentence says which. */
  | 'invalid'
  /** 401: the key is missing, wrong, expired or revoked. */
  | 'unauthorized'
  /** 404: it does not exist, is another workspace's, needs another scope, or has no number yet. */
  | 'not-found'
  /** 409: a backup was restored, so that a cursor belongs to another history. */
  | 'history-replaced'
  /** 413: more lines or bytes than one request takes. */
  | 'too-large'
  /** 415: a body of a type that is not read. */
  | 'wrong-type'
  /** 429, still so after every attempt. */
  | 'too-often'
  /** 503, still so after every attempt. */
  | 'unavailable'
  /** Any other 5xx. */
  | 'server-error'
  /** The connection failed, or broke off, every time. */
  | 'network'
  /** No answer in time, every time. */
  | 'timeout'
  /** Something answered that is not this API: a gateway, a redirect, a sign-in page. */
  | 'unreadable'
  /** Any other status. */
  | 'refused'

interface ProblemFacts {
  readonly method: string
  /** The path and query, without the key. */
  readonly path: string
  /** Null where nothing was answered. */
  readonly status: number | null
  readonly requestId: string
  /** What the last answer asked for. */
  readonly retryAfterSeconds: number | null
  readonly attempts: number
}

export class AssizeError extends Error {
  override readonly name = 'AssizeError'
  readonly problem: Problem
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly requestId: string
  readonly retryAfterSeconds: number | null
  readonly attempts: number

  constructor(problem: Problem, sentence: string, facts: ProblemFacts, cause?: unknown) {
    super(`${facts.method} ${facts.path}: ${sentence}`, cause === undefined ? {} : { cause })
    this.problem = problem
    this.method = facts.method
    this.path = facts.path
    this.status = facts.status
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.attempts = facts.attempts
  }
}

const byStatus: Readonly<Record<number, Problem>> = {
  400: 'invalid',
  401: 'unauthorized',
  404: 'not-found',
  409: 'history-replaced',
  413: 'too-large',
  415: 'wrong-type',
  429: 'too-often',
  503: 'unavailable',
}

export function problemOf(status: number): Problem {
  return byStatus[status] ?? (status >= 500 ? 'server-error' : status >= 400 ? 'refused' : 'unreadable')
}
