// Longest texts of forms, as the schemas of the calls take them from limits.ts. Numbers as types: pages carry neither the schemas
// nor the limits, and do not compile with another number.
import type { limits } from '../../limits.ts'
import type { webhookBounds } from '../../storage/webhooks/webhook-bounds.ts'

export interface TextBounds {
  readonly name: (typeof limits)['namesLength']
  readonly slug: (typeof limits)['slugLength']
  readonly passkeyName: (typeof limits)['passkeyNameLength']
  /** For objections, answers and reasons. */
  readonly words: (typeof limits)['objections']['characters']
  readonly webhookAddress: (typeof webhookBounds)['urlLength']
  /** Most entries that one touch of a passkey signs. */
  readonly batchEntries: (typeof limits)['batches']['entries']
}
