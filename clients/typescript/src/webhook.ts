// Whether a delivered event is from the server that knows the secret: Standard Webhooks 1.0, scheme v1. Works on the bytes as
// they were received; a body that was parsed and written again has another signature.

export interface WebhookEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly workspace: string
    readonly subject: string
    readonly periods: readonly string[] | null
    readonly url: string
    readonly cursor: string
  }
}

export interface VerifiedWebhook {
  /** The same for all attempts to deliver it: one that was dealt with before is left alone. */
  readonly id: string
  readonly event: WebhookEvent
}

/** A delivery is refused: do not act on it, and answer with 400. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

interface HeaderGetter {
  get(name: string): string | null
}

/** Headers as Node, Express and the like have them, or as `fetch` has them. */
export type WebhookHeaders = HeaderGetter | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookOptions {
  /** By how many seconds clocks may differ: 300. */
  readonly toleranceSeconds?: number
  /** Milliseconds since 1970, for tests. */
  readonly now?: number
}

/** `secrets`: the one, or during a rotation both; each begins with `whsec_`. */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): Promise<VerifiedWebhook> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures)
    throw new WebhookRefused('webhook-id, webhook-timestamp and webhook-signature are needed')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is not a number of seconds')
  const age = Math.floor(now / 1000) - Number.parseInt(timestamp, 10)
  if (Math.abs(age) > toleranceSeconds)
    throw new WebhookRefused(`webhook-timestamp is ${age > 0 ? 'too old' : 'in the future'}: it may be a repetition`)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const given = signatures.split(' ').flatMap(each => (each.startsWith('v1,') ? bytesOf(each.slice(3)) : []))
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets)
    if (await isSignedWith(secret, given, signed)) return { id, event: eventIn(bytes) }
  throw new WebhookRefused('no signature fits the secret')
}

/** WebCrypto compares in constant time. */
async function isSignedWith(
  secret: string,
  given: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const [raw] = bytesOf(secret.replace(/^whsec_/, ''))
  if (raw === undefined || raw.length === 0) throw new TypeError('a secret is whsec_ and Base64')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const signature of given) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  return false
}

function eventIn(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent
  } catch (cause) {
    throw new WebhookRefused('the body is not JSON', { cause })
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as HeaderGetter).get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : (found?.[0] ?? null)
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

/** None if it is not Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), character => character.charCodeAt(0))]
  } catch {
    return []
  }
}
