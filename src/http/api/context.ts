// Context of an API handler: the caller's workspace, the path's identifiers, the query, and the parts it answers from.

import type { Seal } from '../../agreements/seal.ts'
import type { KeyScope } from '../../core/people/key-scope.ts'
import type { Day } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Library } from '../../read/library.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import type { Cursors } from '../frame/cursor.ts'
import type { Parameters, Values } from '../frame/parameters.ts'
import type { SealedCursors } from '../frame/sealed-cursor.ts'
import type { HeldPolls } from '../traffic/held-polls.ts'

export interface ApiContext {
  readonly library: Library
  readonly cursors: Cursors
  readonly seal: Seal
  /** Returns when nothing that the workspace sees can still be recorded at or before the instant. */
  readonly settle: (workspaceId: string, at: Instant) => void | Promise<void>
  readonly now: () => Instant
  /** Reads of one moment, in a transaction of the workspace. */
  readonly snapshot: <T>(workspaceId: string, read: (tx: Transaction) => Promise<T>) => Promise<T>
  /** Whether nothing public can still be recorded at or before the instant. It does not wait. */
  readonly isPublicSettled: (at: Instant) => Promise<boolean>
  /** Cursors of feeds. */
  readonly sealed: SealedCursors
  /** Requests that wait for news. */
  readonly polls: HeldPolls
}

export type AnswerFormat = 'json' | 'csv'

/** A received request whose key was checked. It can be sent to a worker. */
export interface CheckedRequest {
  readonly workspaceId: string
  readonly keyId: string
  /** Scope of the key. */
  readonly scope: KeyScope
  /** Key of a cached answer: the whole address, and everything else the answer depends on. */
  readonly address: string
  /** The whole address as it came. */
  readonly url: string
  /** The query as it came. */
  readonly search: string
  /** Format from `Accept`, as an API that uses it names it. */
  readonly accepted: string
  /** The body, on a route that accepts one. */
  readonly body: Uint8Array | null
  /** Media type of the body, without parameters. */
  readonly bodyType: string | null
}

export interface ApiRequest<P extends Parameters> extends CheckedRequest {
  readonly parts: ApiContext
  /** Route with the name of its API, for counting: `/v1/series/{seriesId}/values`. */
  readonly routeName: string
  /** Identifiers in the path, in order. */
  readonly ids: readonly string[]
  /** First identifier; empty where there is none. */
  readonly id: string
  readonly query: Values<P>
  /** Path with its prefix, for links. */
  readonly path: string
  readonly now: Instant
  readonly today: Day
  /** Calls back when the client has disconnected, or was answered. */
  onGone(then: () => void): void
}
