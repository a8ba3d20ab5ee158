// Sending of due deliveries: one request for each, signed at that moment, and the meaning of its answer. A delivery has arrived
// when the receiver answers 2xx; 410 ends the webhook; everything else is tried again with growing pauses, and not before the
// receiver asked for.

import type { IncomingMessage } from 'node:http'
import { microsOf } from '../core/time/instant.ts'
import { AddressRefused } from '../outbound/address.ts'
import { AnswerRefused, checkedAddress, discard } from '../outbound/guarded-request.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import {
  type Attempt,
  type ClaimedDelivery,
  returnClaim,
  saveAttempt,
  type WebhookName,
} from '../storage/webhooks/deliveries.ts'
import { disableByItself, type SendingWebhook } from '../storage/webhooks/webhooks.ts'
import { type DeliveryParts, later } from './delivery-parts.ts'
import { isSealed } from './event-body.ts'
import { signatureHeaders } from './signature.ts'
import { webhookLimits } from './webhook-limits.ts'

interface Answered {
  readonly status: number | null
  readonly trouble: string | null
  readonly retryAfterMs: number | null
}

interface Sending {
  readonly name: WebhookName
  readonly webhook: SendingWebhook
  readonly delivery: ClaimedDelivery
  /** Aborted when the server stops. */
  readonly ending: AbortSignal
}

/** Makes one attempt and stores its result. Never rejects because of the receiver. */
export async function sendOne(parts: DeliveryParts, { name, webhook, delivery, ending }: Sending): Promise<void> {
  const { sql, log, now } = parts
  const facts = { webhook: name.webhookId, event: delivery.id, type: delivery.type, attempts: delivery.attempts }
  if (!isSealed({ ring: parts.ring, workspaceId: name.workspaceId }, name.webhookId, delivery)) {
    log.warn(facts, 'a delivery that was changed in the database is not sent')
    const trouble = 'it was changed in the database itself and is not sent'
    return saveAttempt(sql, name, delivery.id, { status: null, trouble, againAt: null, pausedUntil: null }, now())
  }
  const answered = await post(parts, webhook, delivery, ending)
  if (answered.status === null && ending.aborted) return returnClaim(sql, name, delivery.id, now())
  const attempt = attemptOf(parts, delivery.attempts, answered)
  await saveAttempt(sql, name, delivery.id, attempt, now())
  const { status, trouble } = answered
  if (trouble === null) return log.info({ ...facts, status }, 'webhook delivered')
  log.warn({ ...facts, status, trouble, againAt: attempt.againAt }, 'a webhook was not delivered')
  if (status === 410 && (await disableByItself(parts, name.workspaceId, name.webhookId, 'GONE')))
    log.warn({ webhook: name.webhookId }, 'a webhook was disabled: its receiver answered 410')
}

async function post(
  parts: DeliveryParts,
  { url, signedWith }: SendingWebhook,
  delivery: ClaimedDelivery,
  ending: AbortSignal,
): Promise<Answered> {
  const answerMs = parts.answerMs ?? webhookLimits.answerMs
  const deadline = AbortSignal.timeout(answerMs)
  const timestamp = Math.floor(microsOf(parts.now()) / 1_000_000)
  try {
    const response = await parts.ask(checkedAddress(url, parts.privateHosts), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: '*/*',
        ...signatureHeaders(signedWith, { id: delivery.id, timestamp, body: delivery.body }),
      },
      body: Buffer.from(delivery.body),
      signal: AbortSignal.any([deadline, ending]),
    })
    const answered = readAnswer(response, microsOf(parts.now()) / 1000)
    await discard(response, webhookLimits.answerBytes)
    return answered
  } catch (error) {
    return { status: null, trouble: troubleOf(error, deadline, answerMs), retryAfterMs: null }
  }
}

function readAnswer({ statusCode: status = 0, headers }: IncomingMessage, nowMs: number): Answered {
  if (status >= 200 && status < 300) return { status, trouble: null, retryAfterMs: null }
  const isToWait = status === 429 || status === 503
  const retryAfterMs = isToWait ? readRetryAfter(headers['retry-after'], nowMs) : null
  return { status, trouble: `it answered ${status}`, retryAfterMs }
}

/** Words that name no address inside the house but the one that was given. */
function troubleOf(error: unknown, deadline: AbortSignal, answerMs: number): string {
  if (deadline.aborted) return `it did not answer within ${answerMs / 1000} s`
  if (error instanceof AddressRefused || error instanceof AnswerRefused) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  return `it cannot be reached: ${code ?? message}`
}

/** `attempts` with the one that was just made. */
function attemptOf(
  { now, random }: DeliveryParts,
  attempts: number,
  { status, trouble, retryAfterMs }: Answered,
): Attempt {
  const at = now()
  const pauseMs = webhookLimits.retriesMs[attempts - 1]
  const isOver = trouble === null || status === 410 || pauseMs === undefined
  if (isOver) return { status, trouble, againAt: null, pausedUntil: null }
  const { jitter } = webhookLimits
  const ownMs = pauseMs * (1 - jitter + 2 * jitter * random())
  const askedMs = retryAfterMs === null ? 0 : Math.min(retryAfterMs, webhookLimits.retryAfterMs)
  return {
    status,
    trouble,
    againAt: later(at, Math.max(ownMs, askedMs)),
    pausedUntil: askedMs === 0 ? null : later(at, askedMs),
  }
}
