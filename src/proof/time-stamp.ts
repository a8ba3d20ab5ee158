// Time stamps of RFC 3161 over the text of a checkpoint: an authority says that the text existed at a time, in a form that courts
// know. What it answers is checked before it is kept: that it is about this text and this request, by whom it is signed, and
// that the certificates were valid then. Whether the authority itself is trusted is left to who verifies.
import { createHash, randomBytes } from 'node:crypto'
import { findAbove } from '../core/proof/certificate.ts'
import { elementsIn, inside, tags } from '../core/proof/der.ts'
import { checkStamp, isStampOf, readStamp, type TimeStamp, tokenInAnswer } from '../core/proof/time-stamp.ts'
import { Refusal } from '../core/refusal.ts'
import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import type { Ask } from './bounded-request.ts'

interface Stamp {
  /** As its certificate calls it. */
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
  const { status, bytes } = await ask(url, { method: 'POST', body, type: 'application/timestamp-query' })
  if (status !== 200) throw new Refusal('unavailable', `${new URL(url).host} answers ${status}`)
  const stamp = await checkAnswer(bytes, text, nonce)
  const apartMs = Math.abs(Number(microsOf(stamp.stampedAt) - microsOf(now)) / 1000)
  if (apartMs > mostApartMs)
    throw new Refusal('invalid', `the time stamp says ${stamp.stampedAt}, and it is ${now} here`)
  return stamp
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

async function checkAnswer(answer: Buffer, text: string, nonce: Buffer): Promise<Stamp> {
  const bytes = Uint8Array.from(answer)
  const token = tokenInAnswer(bytes)
  if (token === null) refuse(statusIn(bytes))
  const read = readStamp(token)
  if (read === null) refuse('it cannot be read')
  if (!isStampOf(read, text)) refuse('it is over another text')
  if (read.nonce === null || !nonce.equals(read.nonce)) refuse('it does not answer this request')
  return { ...(await whoStamped(read)), token: Buffer.from(token) }
}

/** Why there is no token. */
function statusIn(answer: Uint8Array<ArrayBuffer>): string {
  const [info] = inside(elementsIn(answer)?.[0], tags.sequence) ?? []
  const status = inside(info, tags.sequence)?.[0]?.body[0]
  return status === undefined ? 'it cannot be read' : `the authority refused with status ${status}`
}

/** What verifiers will say: one that they could not check is not kept. */
async function whoStamped(stamp: TimeStamp): Promise<Pick<Stamp, 'authority' | 'stampedAt'>> {
  const { subtle } = globalThis.crypto
  const checked = await checkStamp(subtle, stamp, null)
  if ('wrong' in checked) refuse(checked.wrong)
  const { name, signer, sent } = checked
  const others = sent.filter(each => each !== signer)
  // Which root is trusted is not ours to say; but what is sent with it has to fit.
  if (others.length > 0 && (await findAbove(subtle, signer, { trusted: others, sent: [] }, stamp.at)) === null)
    refuse(`no certificate that was sent with it is above ${name}`)
  return { authority: name, stampedAt: instantOfMicros(Date.parse(stamp.at) * 1000) }
}
