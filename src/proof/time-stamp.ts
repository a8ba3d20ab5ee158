// Time stamps of RFC 3161 over the text of a checkpoint: an authority says that the text existed at a time, in a form that courts
// know. What it answers is checked before it is kept: that it is about this text and this request, by whom it is signed, and
// that the certificates were valid then. Whether the authority itself is trusted is left to who verifies.
import { createHash, type KeyObject, randomBytes, verify, X509Certificate } from 'node:crypto'
import { ASN1Obj, RFC3161Timestamp } from '@sigstore/core'
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

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: ['1.2.840.113549.1.9.16.2.12', '1.2.840.113549.1.9.16.2.47'],
  timeStamping: '1.3.6.1.5.5.7.3.8',
} as const

/** Asks for a stamp over a text, now. */
export async function askForStamp(ask: Ask, url: string, text: string, now: Instant): Promise<Stamp> {
  const nonce = makeNonce()
  const body = writeStampRequest(text, nonce)
  const { status, bytes } = await ask(url, { method: 'POST', body, type: 'application/timestamp-query' })
  if (status !== 200) throw new Refusal('unavailable', `${new URL(url).host} answers ${status}`)
  const stamp = checkStamp(tokenIn(bytes), text, nonce)
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
  const imprint = der(0x30, der(0x30, sha256, der(0x05)), der(0x04, hash('sha256', Buffer.from(text))))
  const isWithCertificates = der(0x01, Buffer.of(0xff))
  return der(0x30, der(0x02, Buffer.of(1)), imprint, der(0x02, nonce), isWithCertificates)
}

function hash(algorithm: string, bytes: Uint8Array): Buffer {
  return createHash(algorithm).update(bytes).digest()
}

function refuse(why: string): never {
  throw new Refusal('invalid', `the time stamp is not valid: ${why}`)
}

/** The parser and its getters throw for anything that is not where the standard has it. */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) throw error
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

/** Of the answer of an authority. */
function tokenIn(response: Buffer): Buffer {
  return reading(() => {
    const answer = RFC3161Timestamp.parse(Buffer.from(response))
    if (answer.status !== 0n && answer.status !== 1n) refuse(`the authority refused with status ${answer.status}`)
    return answer.root.subs[1]!.toDER()
  })
}

/** `nonce`: of the request, where it was made just now. */
export function checkStamp(token: Buffer, text: string, nonce: Buffer | null = null): Stamp {
  return reading(() => {
    // The package reads whole answers: the token after the status "granted".
    const [status, content] = [der(0x30, der(0x02, Buffer.of(0))), ASN1Obj.parseBuffer(Buffer.from(token))]
    const root = new ASN1Obj(content.tag, Buffer.alloc(0), [ASN1Obj.parseBuffer(Buffer.from(status)), content])
    return checkParsed(new RFC3161Timestamp(root), token, text, nonce)
  })
}

function checkParsed(stamp: RFC3161Timestamp, token: Buffer, text: string, nonce: Buffer | null): Stamp {
  const { tstInfo, signingTime } = stamp
  if (tstInfo.messageImprintHashAlgorithm !== 'sha256') refuse('it is not over a SHA-256')
  const stamped = tstInfo.root.subs.slice(5).find(({ tag }) => tag.isUniversal() && tag.number === 0x02)
  if (nonce !== null && stamped?.value.equals(nonce) !== true) refuse('it does not answer this request')
  const certificates = certificatesOf(stamp)
  const signer = signerOf(stamp, certificates)
  verifySignature(stamp, Buffer.from(text), signer.publicKey)
  checkChain(signer, certificates, signingTime)
  const stampedAt = instantOfMicros(signingTime.getTime() * 1000)
  return { authority: nameOf(signer), stampedAt, token }
}

function signedData({ root }: RFC3161Timestamp): ASN1Obj {
  return root.subs[1]!.subs[1]!.subs[0]!
}

function certificatesOf(stamp: RFC3161Timestamp): X509Certificate[] {
  const set = signedData(stamp).subs.find(({ tag }) => tag.isContextSpecific(0))
  return (set?.subs ?? []).map(certificate => new X509Certificate(certificate.toDER()))
}

/** The signed attributes of the one signer. */
function attributesOf(stamp: RFC3161Timestamp): ASN1Obj {
  return signedData(stamp)
    .subs.at(-1)!
    .subs[0]!.subs.find(({ tag }) => tag.isContextSpecific(0))!
}

function attribute(stamp: RFC3161Timestamp, wanted: readonly string[]): ASN1Obj | undefined {
  return attributesOf(stamp).subs.find(({ subs }) => wanted.includes(subs[0]!.toOID()))?.subs[1]
}

/** The certificate that the signature itself names by its hash. */
function signerOf(stamp: RFC3161Timestamp, certificates: readonly X509Certificate[]): X509Certificate {
  const named = attribute(stamp, oids.signingCertificate)?.toDER()
  if (named === undefined) refuse('its signature does not name a certificate')
  const isNamed = ({ raw }: X509Certificate) =>
    ['sha1', 'sha256', 'sha384', 'sha512'].some(algorithm => named.includes(hash(algorithm, raw)))
  const signer = certificates.find(isNamed)
  if (signer === undefined) refuse('the certificate of its signer is missing')
  if (signer.keyUsage?.includes(oids.timeStamping) !== true)
    refuse('the certificate of its signer is for something else')
  return signer
}

function verifySignature(stamp: RFC3161Timestamp, data: Buffer, key: KeyObject): void {
  // The package knows signatures by elliptic curves alone, and most authorities sign with RSA.
  if (key.asymmetricKeyType === 'ec') stamp.verify(data, key)
  else verifyRsa(stamp, data, key)
}

function verifyRsa(stamp: RFC3161Timestamp, data: Buffer, key: KeyObject): void {
  const { tstInfo, signerDigestAlgorithm } = stamp
  if (stamp.contentType !== oids.signedData || stamp.eContentType !== oids.stampInfo) refuse('it is not a time stamp')
  tstInfo.verify(data)
  const digest = attribute(stamp, [oids.messageDigest])?.subs[0]?.value
  if (digest?.equals(hash(signerDigestAlgorithm, tstInfo.raw)) !== true) refuse('its signature is of another stamp')
  const attributes = attributesOf(stamp).toDER()
  // They are signed as a set, and stand there under another tag.
  attributes[0] = 0x31
  if (!verify(signerDigestAlgorithm, attributes, key, stamp.signatureValue)) refuse('its signature does not hold')
}

/** Upwards as far as the authority sent certificates: each valid at that time and issued by the next. */
function checkChain(signer: X509Certificate, certificates: readonly X509Certificate[], at: Date): void {
  let current: X509Certificate | undefined = signer
  for (const seen = new Set<X509Certificate>(); current !== undefined && !seen.has(current); ) {
    if (at < current.validFromDate || at > current.validToDate)
      refuse(`the certificate ${nameOf(current)} was not valid on ${at.toISOString()}`)
    seen.add(current)
    const below: X509Certificate = current
    const above = certificates.find(each => each !== below && below.checkIssued(each))
    if (above !== undefined && !(above.ca && below.verify(above.publicKey)))
      refuse(`the certificate ${nameOf(below)} was not issued by ${nameOf(above)}`)
    current = above
  }
}

function nameOf({ subject }: X509Certificate): string {
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}
