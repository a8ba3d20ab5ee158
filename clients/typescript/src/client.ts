// What the package offers.

export { Assize, type InvoiceLines as Lines } from './assize.ts'
export type { CallOptions } from './calls.ts'
export type { Clock } from './clock.ts'
export { type Day, type Decimal, decimal, type Instant } from './decimal.ts'
export { type EtagStore, type KeptAnswer, MemoryStore } from './etag-store.ts'
export type { Batch, FollowOptions } from './follow.ts'
export { AssizeError, type Problem } from './problem.ts'
export { type ReceiptVerdict, type VerifyOptions, verifyReceipt } from './receipt.ts'
export type { Copy } from './sync.ts'
export type { Answer, Options, Request } from './transport.ts'
export type { Walk } from './walk.ts'
export {
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
  WebhookRefused,
} from './webhook.ts'
export type * from './wire.ts'
