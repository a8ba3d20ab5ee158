// Faults that the caller can fix: a Refusal is thrown for one, a list of Problems is returned for many. One table gives the
// statuses of each kind, so that none of its readers can forget a new one: the APIs, the console and the commands derive from
// it (decision 0453). Nothing else in core knows a status.

interface Outside {
  /** The HTTP status of v1 and /ext/v1, which give each of a few statuses one meaning. */
  readonly api: number
  /** The HTTP status of the console, which the pages read. */
  readonly pages: number
  /** The exit status of a command. */
  readonly exit: 1 | 2
}

export const refusalKinds = {
  invalid: { api: 400, pages: 422, exit: 1 },
  /** The request cannot be read at all. */
  unreadable: { api: 400, pages: 400, exit: 1 },
  /** A command was called incorrectly and has done nothing. */
  misuse: { api: 400, pages: 422, exit: 2 },
  'not-signed-in': { api: 401, pages: 401, exit: 1 },
  forbidden: { api: 403, pages: 403, exit: 1 },
  'not-found': { api: 404, pages: 404, exit: 1 },
  conflict: { api: 409, pages: 409, exit: 1 },
  'too-large': { api: 400, pages: 413, exit: 1 },
  'wrong-type': { api: 415, pages: 415, exit: 1 },
  'division-by-zero': { api: 404, pages: 422, exit: 1 },
  'not-computable': { api: 404, pages: 422, exit: 1 },
  'too-often': { api: 429, pages: 429, exit: 1 },
  /** Each part of a request can be read, but together they have no meaning. */
  contradictory: { api: 422, pages: 422, exit: 1 },
  /** No form in which it can be answered is accepted. */
  'not-acceptable': { api: 406, pages: 406, exit: 1 },
  /** The answer would be longer than answers are. */
  'answer-too-large': { api: 413, pages: 413, exit: 1 },
  /** A standard has it; the program does not. */
  'not-implemented': { api: 501, pages: 501, exit: 1 },
  unavailable: { api: 503, pages: 503, exit: 1 },
  /** Stored data was changed from outside: trying again does not help, and none of it is passed on. */
  broken: { api: 500, pages: 500, exit: 1 },
} as const satisfies Readonly<Record<string, Outside>>

export type RefusalKind = keyof typeof refusalKinds

export class Refusal extends Error {
  readonly kind: RefusalKind
  /** The delay before another try, if it is known. */
  readonly retryAfterSeconds: number | null

  constructor(kind: RefusalKind, message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.name = 'Refusal'
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Shares of 1 as decimals; they may end with `…`. */
export interface WeightsTotal {
  readonly moving: string
  readonly fixed: string
  readonly total: string
  /** The first day with this sum; null: from the beginning. */
  readonly from: string | null
}

/** One error or doubt in a document: its place and a better way to write it. */
export interface Problem {
  /** A path such as `inputs.steel.lag`; empty for the document as a whole. */
  readonly path: string
  readonly message: string
  /** The message for people who read a formula and do not write it: without the keys of the document. */
  readonly words?: string
  /** The line of a text that cannot be read, and so has no paths yet. */
  readonly line?: number
  /** The character of an expression, counted from 1, that the message ends with. */
  readonly at?: number
  /** The sum of the weights, where that is the problem: for the page that writes shares as percentages. */
  readonly weights?: WeightsTotal
}
