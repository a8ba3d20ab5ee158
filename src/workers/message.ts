// The messages between a pool and its threads.
import type { RefusalKind } from '../core/refusal.ts'

export type ToThread = { readonly kind: 'job'; readonly task: unknown } | { readonly kind: 'abandon' }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'done'; readonly value: unknown }
  /** `refusal` is null for other errors; `code` tells an unavailable database from a bug. */
  | {
      readonly kind: 'failed'
      readonly refusal: RefusalKind | null
      readonly message: string
      readonly code: string | null
    }
