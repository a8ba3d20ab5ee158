// Certificates (RFC 5280) of authorities that stamp: what they say, whom they may vouch for, and which one that somebody trusts is above
// which other. The same in a browser; the caller passes its own WebCrypto.
import { Refusal } from '../refusal.ts'
import { bytesOfBase64 } from '../text/base64.ts'
import { algorithmIn, bodyOf, type Element, elementsIn, hexOf, inside, isObject, onlyElement, tags } from './der.ts'
import { isSameHash } from './merkle-hash.ts'

/** The part of WebCrypto that is needed: `crypto.subtle`. */
export type StampCheck = Pick<SubtleCrypto, 'digest' | 'importKey' | 'verify'>

export interface Certificate {
  readonly raw: Uint8Array<ArrayBuffer>
  readonly name: string
  /** A SubjectPublicKeyInfo. */
  readonly key: Element
  /** Both to the second, `2026-11-18T05:07:00Z`. */
  readonly validFrom: string
  readonly validTo: string
  readonly isForStamps: boolean
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly mayIssue: boolean
  /** How many certificates may stand between this one and the last. */
  readonly most: number
  readonly signed: Signed
}

export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512'

interface Signed {
  readonly message: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
  readonly by: Algorithm | null
}

export interface Algorithm {
  readonly kind: 'RSA' | 'EC'
  readonly hash: HashName
}

const signingAlgorithms: Readonly<Record<string, Algorithm>> = {
  '1.2.840.113549.1.1.11': { kind: 'RSA', hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { kind: 'RSA', hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { kind: 'RSA', hash: 'SHA-512' },
  '1.2.840.10045.4.3.2': { kind: 'EC', hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { kind: 'EC', hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { kind: 'EC', hash: 'SHA-512' },
}

/** Null for what cannot be checked here. */
export function signingAlgorithm(element: Element | undefined): Algorithm | null {
  return algorithmIn(element, signingAlgorithms)
}

export function readCertificate(bytes: Uint8Array<ArrayBuffer>): Certificate | null {
  const [facts, algorithm, signature] = inside(onlyElement(bytes) ?? undefined, tags.sequence) ?? []
  const value = bodyOf(signature, tags.bits)
  const read = inside(facts, tags.sequence)
  if (facts === undefined || algorithm === undefined || read === null || value?.[0] !== 0) return null
  const [serial, own, issuer, validity, subject, key, ...rest] = read[0]?.tag === tags.first ? read.slice(1) : read
  const [from, to] = (inside(validity, tags.sequence) ?? []).map(readTime)
  const listed = rest.find(({ tag }) => tag === tags.fourth)
  const extensions = listed === undefined ? [] : readExtensions(listed)
  const usage = extensions === null ? null : readUsage(extensions)
  if (serial?.tag !== tags.integer || own === undefined || !isSameHash(own.raw, algorithm.raw)) return null
  if (issuer === undefined || subject === undefined || key === undefined || !from || !to || usage === null) return null
  return {
    ...{ raw: bytes, name: nameIn(subject), key, validFrom: from, validTo: to, ...usage },
    ...{ issuer: issuer.raw, subject: subject.raw },
    signed: { message: facts.raw, signature: value.subarray(1), by: signingAlgorithm(algorithm) },
  }
}

/** `2026-11-18T05:07:00Z`. */
function readTime({ tag, body }: Element): string | null {
  const text = new TextDecoder().decode(body)
  if (tag === tags.time && /^\d{14}Z$/.test(text)) return spaced(text)
  if (tag === tags.shortTime && /^\d{12}Z$/.test(text)) return spaced(`${text < '5' ? '20' : '19'}${text}`)
  return null
}

/** From the digits of a time, to the second. */
export function spaced(digits: string): string {
  return digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3T$4:$5:$6Z')
}

interface Extension {
  readonly id: Element
  readonly isCritical: boolean
  readonly value: Element | null
}

function readExtensions(listed: Element): readonly Extension[] | null {
  const all = inside(elementsIn(listed.body)?.[0], tags.sequence)?.map((each): Extension | null => {
    const [id, ...parts] = inside(each, tags.sequence) ?? []
    const isCritical = bodyOf(parts[0], tags.boolean)?.[0] === 0xff
    const value = bodyOf(parts.at(-1), tags.octets)
    return id?.tag !== tags.object || value === null ? null : { id, isCritical, value: onlyElement(value) }
  })
  if (all === undefined || all.includes(null)) return null
  const found = all.filter(each => each !== null)
  return new Set(found.map(({ id }) => hexOf(id.body))).size === found.length ? found : null
}

const extensionIds = { constraints: '2.5.29.19', usage: '2.5.29.15', purposes: '2.5.29.37', policies: '2.5.29.32' }
const purposes = { stamps: '1.3.6.1.5.5.7.3.8', any: '2.5.29.37.0' }
/** Bits of a key usage, in its first byte. */
const usageBits = { signing: 0x80 | 0x40, certificates: 0x04 }

/** What the key may be used for; null where it cannot be read. */
function readUsage(extensions: readonly Extension[]) {
  const of = (id: string) => extensions.find(each => isObject(each.id, id))
  const bits = readBits(of(extensionIds.usage))
  const wanted = readPurposes(of(extensionIds.purposes))
  const constraints = readConstraints(of(extensionIds.constraints))
  if (bits === undefined || wanted === undefined || constraints === undefined) return null
  const known = Object.values(extensionIds)
  const isKnown = extensions.every(({ id, isCritical }) => !isCritical || known.some(each => isObject(id, each)))
  const isAllowed = (bit: number) => isKnown && (bits === null || (bits & bit) !== 0)
  const isOnlyForStamps =
    of(extensionIds.purposes)?.isCritical === true && wanted?.length === 1 && isObject(wanted[0], purposes.stamps)
  const mayVouch =
    wanted === null || wanted.some(each => isObject(each, purposes.stamps) || isObject(each, purposes.any))
  return {
    isForStamps: isOnlyForStamps && isAllowed(usageBits.signing),
    mayIssue: constraints.isCa && mayVouch && isAllowed(usageBits.certificates),
    most: constraints.most,
  }
}

/** Null where there is none, undefined where it cannot be read; so are the other two. */
function readBits(extension: Extension | undefined): number | null | undefined {
  if (extension === undefined) return null
  const body = bodyOf(extension.value ?? undefined, tags.bits)
  return body === null || body.length > 3 ? undefined : (body[1] ?? 0)
}

function readPurposes(extension: Extension | undefined): readonly Element[] | null | undefined {
  return extension === undefined ? null : (inside(extension.value ?? undefined, tags.sequence) ?? undefined)
}

function readConstraints(extension: Extension | undefined) {
  if (extension === undefined) return { isCa: false, most: 0 }
  const parts = inside(extension.value ?? undefined, tags.sequence)
  if (parts === null) return
  const isCa = bodyOf(parts[0], tags.boolean)?.[0] === 0xff
  const length = bodyOf(parts[isCa ? 1 : 0], tags.integer)
  if (length !== null && (length.length !== 1 || length[0]! > 127)) return
  return { isCa, most: length?.[0] ?? Number.POSITIVE_INFINITY }
}

const nameTags: readonly number[] = [tags.utf8, tags.printable, tags.ia5]

/** Its first common name. */
function nameIn(subject: Element): string {
  const parts = inside(subject, tags.sequence)?.flatMap(each => inside(each, tags.set) ?? []) ?? []
  const named = parts.map(each => inside(each, tags.sequence) ?? []).find(([id]) => isObject(id, '2.5.4.3'))
  const value = named?.[1]
  if (value === undefined || !nameTags.includes(value.tag)) return nameless
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value.body)
    const isPlain = !/[\p{Cc}]/u.test(text) && [...text].length <= 200 && text !== ''
    return isPlain ? text : nameless
  } catch {
    return nameless
  }
}

const nameless = 'without a name'

const pem = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g

/** Those of a file of somebody who trusts them. */
export function readCertificates(source: string): readonly Certificate[] {
  const found = [...source.matchAll(pem)].map(([, text], at) => {
    const bytes = bytesOfBase64(text!.replaceAll(/\s/g, ''))
    const certificate = bytes === null ? null : readCertificate(bytes)
    if (certificate === null) throw new Refusal('invalid', `certificate ${at + 1} in it cannot be read`)
    return certificate
  })
  if (found.length === 0) throw new Refusal('invalid', 'it has no certificate in PEM')
  return found
}

export function wasValid({ validFrom, validTo }: Certificate, at: string): boolean {
  return validFrom <= at && at <= validTo
}

const mostSteps = 8

/** The first of the trusted ones that is the signer's or above it, going up step by step; null where none is. */
export async function findAbove(
  subtle: StampCheck,
  signer: Certificate,
  { trusted, sent }: { readonly trusted: readonly Certificate[]; readonly sent: readonly Certificate[] },
  at: string,
): Promise<Certificate | null> {
  const isSame = (one: Certificate) => (other: Certificate) => isSameHash(one.raw, other.raw)
  const own = trusted.find(isSame(signer))
  if (own !== undefined) return own
  const reached = [signer]
  let last: readonly Certificate[] = [signer]
  for (let between = 0; between < mostSteps; between++) {
    const next: Certificate[] = []
    for (const below of last)
      for (const above of [...trusted, ...sent]) {
        if (reached.some(isSame(above)) || !mayBeAbove(above, below, between, at)) continue
        if (!(await isSignedBy(subtle, above.key, below.signed))) continue
        if (trusted.includes(above)) return above
        reached.push(above)
        next.push(above)
      }
    last = next
  }
  return null
}

function mayBeAbove(above: Certificate, below: Certificate, between: number, at: string): boolean {
  return isSameHash(above.subject, below.issuer) && above.mayIssue && between <= above.most && wasValid(above, at)
}

/** The algorithms of public keys, in DER, and how many bytes a number of a curve has. */
const keyKinds = {
  '06092a864886f70d0101010500': { kind: 'RSA' },
  '06072a8648ce3d020106082a8648ce3d030107': { kind: 'EC', namedCurve: 'P-256', size: 32 },
  '06072a8648ce3d020106052b81040022': { kind: 'EC', namedCurve: 'P-384', size: 48 },
} as const

/** Whether the key of a SubjectPublicKeyInfo made a signature. */
export async function isSignedBy(subtle: StampCheck, key: Element, { by, message, signature }: Signed) {
  const [algorithm, bits] = inside(key, tags.sequence) ?? []
  const known = Object.entries(keyKinds).find(([hex]) => algorithm !== undefined && hexOf(algorithm.body) === hex)?.[1]
  const point = bodyOf(bits, tags.bits)
  if (by === null || known?.kind !== by.kind || point?.[0] !== 0) return false
  if (known.kind === 'RSA') {
    if (!isUsualRsa(point.subarray(1))) return false
    return checked(subtle, key, { name: 'RSASSA-PKCS1-v1_5', hash: by.hash }, signature, message)
  }
  const { namedCurve, size } = known
  const flat = flatSignature(signature, size)
  if (flat === null || point.length !== 2 * size + 2 || point[1] !== 4) return false
  return checked(subtle, key, { name: 'ECDSA', namedCurve, hash: by.hash }, flat, message)
}

async function checked(
  subtle: StampCheck,
  key: Element,
  algorithm: { readonly name: string; readonly hash: HashName; readonly namedCurve?: string },
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const imported = await subtle.importKey('spki', key.raw, algorithm, false, ['verify'])
    return await subtle.verify(algorithm, imported, signature, message)
  } catch {
    // Bytes that are no key of that kind.
    return false
  }
}

function isUsualRsa(bytes: Uint8Array<ArrayBuffer>): boolean {
  const [modulus, exponent] = (inside(onlyElement(bytes) ?? undefined, tags.sequence) ?? []).map(numberIn)
  if (modulus == null || exponent == null) return false
  const isOdd = (exponent.at(-1)! & 1) === 1 && hexOf(exponent) !== '01'
  return modulus.length >= 256 && modulus.length <= 1024 && exponent.length <= 4 && isOdd
}

/** A positive whole number in its one spelling, without the zero in front. */
function numberIn(element: Element): Uint8Array<ArrayBuffer> | null {
  const body = bodyOf(element, tags.integer)
  if (body === null || body.length === 0 || body[0]! > 127) return null
  const isPadded = body[0] === 0
  return isPadded && !(body[1]! > 127) ? null : body.subarray(isPadded ? 1 : 0)
}

/** WebCrypto reads the two numbers side by side. */
function flatSignature(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> | null {
  const numbers = (inside(onlyElement(bytes) ?? undefined, tags.sequence) ?? []).map(numberIn)
  if (numbers.length !== 2) return null
  const flat = new Uint8Array(2 * size)
  for (const [at, number] of numbers.entries()) {
    if (number === null || number.length > size) return null
    flat.set(number, (at + 1) * size - number.length)
  }
  return flat
}
