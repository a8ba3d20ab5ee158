// A time stamp (RFC 3161): over which bytes and when, that its signature is by the certificate that it names, and whether one that
// somebody trusts is above that. The same in a browser; the caller passes its own WebCrypto.
import { sha256 } from '@noble/hashes/sha2.js'
import {
  type Algorithm,
  type Certificate,
  findAbove,
  type HashName,
  isSignedBy,
  readCertificate,
  type StampCheck,
  signingAlgorithm,
  spaced,
  wasValid,
} from './certificate.ts'
import { algorithmIn, bodyOf, type Element, elementsIn, inside, isObject, onlyElement, tags } from './der.ts'
import { isSameHash } from './merkle-hash.ts'

export interface TimeStamp {
  /** SHA-256 of what was stamped. */
  readonly digest: Uint8Array
  /** `2026-11-18T05:07:00Z`, to the second. */
  readonly at: string
  /** Of the request that it answers; null where it repeats none. */
  readonly nonce: Uint8Array | null
  /** The bytes that are signed in the end. */
  readonly info: Uint8Array<ArrayBuffer>
  readonly signedData: readonly Element[]
}

const objects = {
  signedData: '1.2.840.113549.1.7.2',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificate2: '1.2.840.113549.1.9.16.2.47',
} as const

const digests: Readonly<Record<string, HashName>> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}

/** Null for what is no token with a stamp by SHA-256. */
export function readStamp(token: Uint8Array<ArrayBuffer>): TimeStamp | null {
  const [type, content] = inside(onlyElement(token) ?? undefined, tags.sequence) ?? []
  const signedData = inside(inside(content, tags.first)?.[0], tags.sequence)
  const [infoType, wrapped] = inside(signedData?.[2], tags.sequence) ?? []
  if (signedData === null || !isObject(type, objects.signedData) || !isObject(infoType, objects.stampInfo)) return null
  const info = bodyOf(inside(wrapped, tags.first)?.[0], tags.octets)
  const read = info === null ? null : inside(onlyElement(info) ?? undefined, tags.sequence)
  const [, , imprint, , time, ...rest] = read ?? []
  const [algorithm, digested] = inside(imprint, tags.sequence) ?? []
  const digest = bodyOf(digested, tags.octets)
  const text = new TextDecoder().decode(bodyOf(time, tags.time) ?? new Uint8Array())
  if (info === null || algorithmIn(algorithm, digests) !== 'SHA-256' || digest?.length !== 32) return null
  if (!/^\d{14}(\.\d+)?Z$/.test(text)) return null
  const nonce = rest.find(({ tag }) => tag === tags.integer)?.body ?? null
  return { digest, at: spaced(text), nonce, info, signedData }
}

/** The token in what an authority answers; null where it refuses, or it is none. */
export function tokenInAnswer(answer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  const [status, token] = inside(onlyElement(answer) ?? undefined, tags.sequence) ?? []
  return status?.tag === tags.sequence && token?.tag === tags.sequence ? token.raw : null
}

export function isStampOf({ digest }: TimeStamp, text: string): boolean {
  return isSameHash(digest, sha256(new TextEncoder().encode(text)))
}

interface CheckedStamp {
  /** As the certificate of its signer calls it. */
  readonly name: string
  /** The trusted certificate that is above it; null where nobody named any. */
  readonly under: string | null
  readonly sent: readonly Certificate[]
  readonly signer: Certificate
}

/** What is wrong with a stamp, in words. */
interface WrongStamp {
  readonly wrong: string
}

const mostCertificates = 20

/** `trusted`: certificates of somebody who verifies; null where they named none. */
export async function checkStamp(
  subtle: StampCheck,
  stamp: TimeStamp,
  trusted: readonly Certificate[] | null,
): Promise<CheckedStamp | WrongStamp> {
  const sent = certificatesIn(stamp)
  const signer = readSigner(stamp)
  if (sent === null || signer === null) return { wrong: 'it cannot be read' }
  const { attributes, digest } = signer
  if (digest === null) return { wrong: 'its digest is none of SHA-256, SHA-384 and SHA-512' }
  const said = bodyOf(attribute(attributes, objects.messageDigest), tags.octets)
  const isOfThis = said !== null && isSameHash(said, await digestOf(subtle, digest, stamp.info))
  if (!isOfThis || !isObject(attribute(attributes, objects.contentType), objects.stampInfo))
    return { wrong: 'its signature is of something else' }
  const certificate = await namedCertificate(subtle, attributes, sent)
  if (certificate === null) return { wrong: 'the certificate that its signature names is not in it' }
  // They are signed as a set, and stand there under another tag.
  const message = Uint8Array.of(tags.set, ...attributes.raw.subarray(1))
  const by = algorithmOf(signer.algorithm, digest, certificate)
  if (!(await isSignedBy(subtle, certificate.key, { message, signature: signer.signature, by })))
    return { wrong: 'it is not signed by the certificate that it names' }
  const { name, isForStamps } = certificate
  if (!isForStamps) return { wrong: `the certificate ${name} is not made for time stamps` }
  if (!wasValid(certificate, stamp.at)) return { wrong: `the certificate ${name} was not valid on ${stamp.at}` }
  const above = trusted === null ? null : await findAbove(subtle, certificate, { trusted, sent }, stamp.at)
  if (trusted !== null && above === null) return { wrong: `no certificate that you trust is above ${name}` }
  return { name, under: above?.name ?? null, sent, signer: certificate }
}

/** Whose word a stamp is. */
export function tellStampTrust({ under }: Pick<CheckedStamp, 'under'>): string {
  return under === null
    ? 'its signature fits, and who made it was not compared with a certificate that you trust (--trust-tsa)'
    : `signed under ${under}, which you trust`
}

async function digestOf(subtle: StampCheck, name: HashName | 'SHA-1', bytes: Uint8Array<ArrayBuffer>) {
  return new Uint8Array(await subtle.digest(name, bytes))
}

function certificatesIn({ signedData }: TimeStamp): readonly Certificate[] | null {
  const listed = inside(signedData[3], tags.first)?.filter(({ tag }) => tag === tags.sequence) ?? []
  const read = listed.map(({ raw }) => readCertificate(raw)).filter(each => each !== null)
  return read.length === listed.length && read.length > 0 && read.length <= mostCertificates ? read : null
}

interface Signer {
  readonly attributes: Element
  readonly digest: HashName | null
  readonly algorithm: Element
  readonly signature: Uint8Array<ArrayBuffer>
}

function readSigner({ signedData }: TimeStamp): Signer | null {
  const signers = inside(signedData.at(-1), tags.set)
  const [, , digest, attributes, algorithm, signature] = inside(signers?.[0], tags.sequence) ?? []
  const value = bodyOf(signature, tags.octets)
  if (signers?.length !== 1 || attributes?.tag !== tags.first || algorithm?.tag !== tags.sequence || value === null)
    return null
  return { attributes, digest: algorithmIn(digest, digests), algorithm, signature: value }
}

/** The first value of an attribute. */
function attribute(attributes: Element, id: string): Element | undefined {
  const found = elementsIn(attributes.body)?.map(each => inside(each, tags.sequence) ?? [])
  return inside(found?.find(([object]) => isObject(object, id))?.[1], tags.set)?.[0]
}

/** The certificate that the signature itself names by its hash. */
async function namedCertificate(subtle: StampCheck, attributes: Element, sent: readonly Certificate[]) {
  const newer = attribute(attributes, objects.signingCertificate2)
  const listed = inside(newer ?? attribute(attributes, objects.signingCertificate), tags.sequence)
  const [first, second] = inside(inside(listed?.[0], tags.sequence)?.[0], tags.sequence) ?? []
  const isPlain = first?.tag === tags.octets
  const name = newer === undefined ? 'SHA-1' : isPlain ? 'SHA-256' : algorithmIn(first, digests)
  const hash = bodyOf(isPlain ? first : newer === undefined ? undefined : second, tags.octets)
  if (name === null || hash === null) return null
  for (const each of sent) if (isSameHash(hash, await digestOf(subtle, name, each.raw))) return each
  return null
}

const bareKeys = { RSA: '1.2.840.113549.1.1.1', EC: '1.2.840.10045.2.1' } as const

/** Algorithms of a signer may leave the digest to the one beside them. */
function algorithmOf(element: Element, hash: HashName, { key }: Certificate): Algorithm | null {
  const named = signingAlgorithm(element)
  if (named !== null) return named.hash === hash ? named : null
  const [object] = inside(element, tags.sequence) ?? []
  const [own] = inside(inside(key, tags.sequence)?.[0], tags.sequence) ?? []
  const kinds = ['RSA', 'EC'] as const
  const kind = kinds.find(each => isObject(object, bareKeys[each]) && isObject(own, bareKeys[each]))
  return kind === undefined ? null : { kind, hash }
}
