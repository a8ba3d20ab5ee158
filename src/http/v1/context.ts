// What a v1 handler is given: the caller's workspace, the path's identifier, the query, and the parts it answers from.

import type { Seal } from '../../agreements/seal.ts'
import type { Day } from '../../core/day.ts'
import type { Instant } from '../../core/instant.ts'
import type { Library } from '../../read/library.ts'
import type { Answer } from '../answer.ts'
import type { Cursors } from '../cursor.ts'
import type { Parameters, Values } from '../parameters.ts'

export interface V1Parts {
  readonly library: Library
  readonly cursors: Cursors
  readonly seal: Seal
  /** Returns when nothing that the workspace sees can still be recorded at or before the instant. */
  readonly settle: (workspaceId: string, at: Instant) => void | Promise<void>
  readonly now: () => Instant
}

export interface V1Request<P extends Parameters> {
  readonly parts: V1Parts
  readonly workspaceId: string
  /** The identifier in the path; empty where there is none. */
  readonly id: string
  readonly query: Values<P>
  /** The whole address as it came: what a kept answer is found by. */
  readonly url: string
  /** The query as it came, for keys of encoded answers and for links. */
  readonly search: string
  /** Path with its prefix, for links. */
  readonly path: string
  readonly now: Instant
  readonly today: Day
}

export type Handled = Answer | Promise<Answer>

/** Goes on at once where the value is there, else when it is. */
export function whenThere<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}
