// A time stamp (RFC 3161): the bytes that it is over and its time. The check of its signer, and of somebody trusted above that,
// is left to OpenSSL, whose command is written here: until it was run a stamp proves nothing.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { microsOf, parseInstant } from '../time/instant.ts'
import { isSameHash } from './merkle-hash.ts'

export interface TimeStamp {
  /** SHA-256 of the stamped bytes. */
  readonly digest: Uint8Array
  /** `2026-11-18T05:07:00Z`, to the second. */
  readonly at: string
  /** The nonce of the request; null where the answer repeats none. */
  readonly nonce: Uint8Array | null
}

interface Element {
  readonly tag: number
  readonly body: Uint8Array<ArrayBuffer>
  /** The bytes with tag and length. */
  readonly raw: Uint8Array<ArrayBuffer>
}

const tags = { integer: 0x02, octets: 0x04, object: 0x06, time: 0x18, sequence: 0x30, first: 0xa0 } as const

/** The content of OBJECT IDENTIFIERs, in hexadecimal. */
const objects = {
  signedData: '2a864886f70d010702',
  stampInfo: '2a864886f70d0109100104',
  sha256: '608648016503040201',
} as const

/** The elements of DER that follow each other; null for bytes that are none. Strict: a length has one spelling. */
function elementsIn(bytes: Uint8Array<ArrayBuffer>): Element[] | null {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at + 1)
    if (length === null || length.end + length.value > bytes.length) return null
    const end = length.end + length.value
    found.push({ tag: bytes[at]!, body: bytes.subarray(length.end, end), raw: bytes.subarray(at, end) })
    at = end
  }
  return found
}

function lengthAt(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x80) return { value: first, end: at + 1 }
  const count = first - 0x80
  const digits = bytes.subarray(at + 1, at + 1 + count)
  if (count === 0 || count > 4 || digits.length < count || digits[0] === 0) return null
  const value = digits.reduce((total, byte) => total * 256 + byte, 0)
  return value < 0x80 ? null : { value, end: at + 1 + count }
}

/** The elements in an element of that tag; none in any other. */
function inside(element: Element | undefined, tag: number): readonly Element[] {
  return (element?.tag === tag ? elementsIn(element.body) : null) ?? []
}

/** The elements of the one SEQUENCE that bytes are. */
function sequenceIn(bytes: Uint8Array<ArrayBuffer>): readonly Element[] {
  const found = elementsIn(bytes)
  return found?.length === 1 ? inside(found[0], tags.sequence) : []
}

function isObject(element: Element | undefined, content: string): boolean {
  return element?.tag === tags.object && bytesToHex(element.body) === content
}

/** The stamp; null for anything but a token with a stamp by SHA-256. */
export function readStamp(token: Uint8Array<ArrayBuffer>): TimeStamp | null {
  const [type, content] = sequenceIn(token)
  const [, , stamped] = inside(inside(content, tags.first)[0], tags.sequence)
  const [infoType, wrapped] = inside(stamped, tags.sequence)
  const [info] = inside(wrapped, tags.first)
  if (!isObject(type, objects.signedData) || !isObject(infoType, objects.stampInfo)) return null
  if (info?.tag !== tags.octets) return null
  const [, , imprint, , time, ...rest] = sequenceIn(info.body)
  const [algorithm, digest] = inside(imprint, tags.sequence)
  const isSha256 = isObject(inside(algorithm, tags.sequence)[0], objects.sha256)
  if (!isSha256 || digest?.tag !== tags.octets || digest.body.length !== 32) return null
  const at = time?.tag === tags.time ? readTime(new TextDecoder().decode(time.body)) : null
  if (at === null) return null
  const nonce = rest.find(({ tag }) => tag === tags.integer)?.body ?? null
  return { digest: digest.body, at, nonce }
}

/** `20261118050700.25Z` to the second; null for anything but a time from 1970 to 2199. */
function readTime(text: string): string | null {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:\.\d+)?Z$/.exec(text) ?? []
  if (year === undefined || year < '1970' || year > '2199') return null
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
  return parseInstant(at) === null ? null : at
}

interface StampAnswer {
  /** The status, 0 and 1: granted. Null where it cannot be read. */
  readonly status: number | null
  readonly token: Uint8Array<ArrayBuffer> | null
}

export function readStampAnswer(answer: Uint8Array<ArrayBuffer>): StampAnswer {
  const [info, token] = sequenceIn(answer)
  const status = inside(info, tags.sequence)[0]?.body[0] ?? null
  const isToken = info?.tag === tags.sequence && token?.tag === tags.sequence
  return { status, token: isToken ? token.raw : null }
}

export function isStampOf({ digest }: TimeStamp, text: string): boolean {
  return isSameHash(digest, sha256(new TextEncoder().encode(text)))
}

/** `token`: a file with the token alone; `answer`: a file with the authority's whole answer. */
type StampFileKind = 'token' | 'answer'

/**
 * The command that checks the signer of a stamp, as of the stamp's time. `root.pem` has the certificate of the authority's
 * root, which the person who runs the command gets from the authority.
 */
export function opensslCommand({ digest, at }: TimeStamp, path: string, kind: StampFileKind): string {
  const seconds = Math.floor(microsOf(parseInstant(at)!) / 1_000_000)
  const given = kind === 'token' ? `-token_in -in ${shellWord(path)}` : `-in ${shellWord(path)}`
  return `openssl ts -verify -digest ${bytesToHex(digest)} -attime ${seconds} ${given} -CAfile root.pem`
}

/** Quotes a text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`
}
