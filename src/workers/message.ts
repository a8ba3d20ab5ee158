// What a pool and its threads say to each other.
import type { RefusalKind } from '../core/refusal.ts'

export type ToThread = { readonly kind: 'job'; readonly task: unknown } | { readonly kind: 'abandon' }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'done'; readonly value: unknown }
  /** `refusal` is null for what is not a refusal of ours; `code` tells a database that is away from a mistake. */
  | {
      readonly kind: 'failed'
      readonly refusal: RefusalKind | null
      readonly message: string
      readonly code: string | null
    }
