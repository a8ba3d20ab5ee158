// The messages between a pool and its threads.
import type { RefusalKind } from '../core/refusal.ts'
import type { TraceCarrier } from '../tracing/spans.ts'

/** Messages to a thread. `trace`: the trace of the job. */
export type ToThread =
  | { readonly kind: 'job'; readonly task: unknown; readonly trace: TraceCarrier | null }
  | { readonly kind: 'abandon' }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly failure: ThreadFailure }

/** An error on its way to the caller of the job. */
export interface ThreadFailure {
  /** Kind of a refusal; null for other errors. */
  readonly refusal: RefusalKind | null
  readonly name: string
  readonly message: string
  readonly stack: string | null
  readonly code: string | null
  /** Trouble that the job recognised: an unavailable database, say. */
  readonly trouble: string | null
}
