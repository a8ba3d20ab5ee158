// Time stamps of RFC 3161 over the text of a checkpoint: an authority says that the text existed at a time, in a form that courts
// know. An answer is kept if it is about this text and this request and says the present. Who signed it is left to who verifies,
// with OpenSSL.
import { createHash, randomBytes } from 'node:crypto'
import { isStampOf, readStamp, readStampAnswer } from '../core/proof/time-stamp.ts'
import { Refusal } from '../core/refusal.ts'
import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import type { Ask } from './bounded-request.ts'

interface Stamp {
  /** The host that was asked. */
  readonly authority: string
  readonly stampedAt: Instant
  /** The `TimeStampToken` in DER, as `openssl ts -verify -token_in` reads it. */
  readonly token: Buffer
}

/** A stamp this far from our own clock is wrong, or our clock is. */
const mostApartMs = 10 * 60_000

const nonceBytes = 16

/** Asks for a stamp over a text, now. */
export async function askForStamp(ask: Ask, url: string, text: string, now: Instant): Promise<Stamp> {
  const nonce = makeNonce()
  const body = writeStampRequest(text, nonce)
  const { host } = new URL(url)
  const { status, bytes } = await ask(url, { method: 'POST', body, type: 'application/timestamp-query' })
  if (status !== 200) throw new Refusal('unavailable', `${host} answers ${status}`)
  const { token, at } = checkAnswer(bytes, text, nonce)
  const stampedAt = instantOfMicros(Date.parse(at) * 1000)
  const apartMs = Math.abs(Number(microsOf(stampedAt) - microsOf(now)) / 1000)
  if (apartMs > mostApartMs) throw new Refusal('invalid', `the time stamp says ${stampedAt}, and it is ${now} here`)
  return { authority: host, stampedAt, token }
}

/** Positive, and without zeros at its beginning. */
function makeNonce(): Buffer {
  const nonce = randomBytes(nonceBytes)
  nonce[0] = (nonce[0]! & 0x3f) | 0x40
  return nonce
}

/** Bytes as ASN.1 writes them, in DER; no part of a request is longer than 127. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag, content.length), content])
}

function writeStampRequest(text: string, nonce: Buffer): Buffer {
  const sha256 = der(0x06, Buffer.from('608648016503040201', 'hex'))
  const imprint = der(0x30, der(0x30, sha256, der(0x05)), der(0x04, createHash('sha256').update(text).digest()))
  const isWithCertificates = der(0x01, Buffer.of(0xff))
  return der(0x30, der(0x02, Buffer.of(1)), imprint, der(0x02, nonce), isWithCertificates)
}

function refuse(why: string): never {
  throw new Refusal('invalid', `the time stamp is not valid: ${why}`)
}

function checkAnswer(answer: Buffer, text: string, nonce: Buffer): { readonly token: Buffer; readonly at: string } {
  const { status, token } = readStampAnswer(Uint8Array.from(answer))
  if (token === null) refuse(status === null ? 'it cannot be read' : `the authority refused with status ${status}`)
  const read = readStamp(token)
  if (read === null) refuse('it cannot be read')
  if (!isStampOf(read, text)) refuse('it is over another text')
  if (read.nonce === null || !nonce.equals(read.nonce)) refuse('it does not answer this request')
  return { token: Buffer.from(token), at: read.at }
}
