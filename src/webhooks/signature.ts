// The signature of Standard Webhooks: an HMAC of id, time and body under each secret that signs at the moment.
import { createHmac } from 'node:crypto'

interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

export function signatureHeaders(secrets: readonly string[], { id, timestamp, body }: Signed): Record<string, string> {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
