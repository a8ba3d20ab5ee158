// How long the texts of forms may be, as the schemas of the calls take them from limits.ts. Numbers as types: pages carry
// neither the schemas nor the limits, and do not compile with another number.
import type { limits } from '../../limits.ts'
import type { webhookBounds } from '../../storage/webhooks/webhook-bounds.ts'

export interface TextBounds {
  readonly name: (typeof limits)['namesLength']
  readonly slug: (typeof limits)['slugLength']
  readonly passkeyName: (typeof limits)['passkeyNameLength']
  /** Of objections, answers and reasons. */
  readonly words: (typeof limits)['objections']['characters']
  readonly webhookAddress: (typeof webhookBounds)['urlLength']
  /** Of what one touch of a passkey signs. */
  readonly batchEntries: (typeof limits)['batches']['entries']
}
