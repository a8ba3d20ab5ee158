// What the caller can fix: a Refusal is thrown for one thing, a list of Problems is returned for many. Core knows no
// HTTP status; http/frame/errors.ts turns kinds into statuses.

export type RefusalKind =
  | 'invalid'
  | 'not-found'
  | 'forbidden'
  | 'conflict'
  | 'too-large'
  | 'division-by-zero'
  | 'not-computable'
  | 'unavailable'
  | 'broken'

export class Refusal extends Error {
  readonly kind: RefusalKind
  /** Whether the call itself is wrong: an option of a command, not what it names. */
  readonly isMisuse: boolean

  constructor(kind: RefusalKind, message: string, isMisuse = false) {
    super(message)
    this.name = 'Refusal'
    this.kind = kind
    this.isMisuse = isMisuse
  }
}

/** One thing that is wrong, or doubtful, in a document: where it is and what to write instead. */
export interface Problem {
  /** Such as `inputs.steel.lag`; empty for the document as a whole. */
  readonly path: string
  readonly message: string
  /** The same for people who read a formula and do not write it: without the keys of the document. */
  readonly words?: string
  /** The line of a text that cannot be read, and so has no paths yet. */
  readonly line?: number
  /** The character of an expression, counted from 1, that the message ends with. */
  readonly at?: number
}
