// What a time stamp says (RFC 3161): over which bytes, and when. Read from the token strictly, without checking who signed it: that
// needs the certificates of the authority, and is done where stamps are asked for.
import { sha256 } from '@noble/hashes/sha2.js'
import { isSameHash } from './merkle-hash.ts'

export interface StampInfo {
  /** SHA-256 of what was stamped. */
  readonly digest: Uint8Array
  /** `2026-11-18T05:07:00Z`, to the second. */
  readonly at: string
}

interface Element {
  readonly tag: number
  readonly body: Uint8Array
}

const tags = { sequence: 0x30, octets: 0x04, object: 0x06, time: 0x18, explicit: 0xa0 } as const

/** DER elements that follow each other; null for bytes that are none. */
function elementsIn(bytes: Uint8Array): Element[] | null {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!
    let length = bytes[at + 1] ?? 0xff
    let start = at + 2
    if (length >= 0x80) {
      const count = length - 0x80
      if (count === 0 || count > 4 || start + count > bytes.length) return null
      length = bytes.subarray(start, start + count).reduce((total, byte) => total * 256 + byte, 0)
      start += count
    }
    if (start + length > bytes.length) return null
    found.push({ tag, body: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}

function inside(element: Element | undefined, tag: number): Element[] | null {
  return element?.tag === tag ? elementsIn(element.body) : null
}

/** 1.2.840.113549.1.7.2, 1.2.840.113549.1.9.16.1.4 and 2.16.840.1.101.3.4.2.1. */
const objects = {
  signedData: '2a864886f70d010702',
  stampInfo: '2a864886f70d0109100104',
  sha256: '608648016503040201',
} as const

function isObject(element: Element | undefined, digits: string): boolean {
  if (element?.tag !== tags.object) return false
  return Array.from(element.body, byte => byte.toString(16).padStart(2, '0')).join('') === digits
}

/** Null for what is no answer of an authority (`TimeStampResp`) with a stamp by SHA-256. */
export function readStamp(response: Uint8Array): StampInfo | null {
  const [, token] = inside(elementsIn(response)?.[0], tags.sequence) ?? []
  const [type, content] = inside(token, tags.sequence) ?? []
  if (!isObject(type, objects.signedData)) return null
  const signedData = inside(inside(content, tags.explicit)?.[0], tags.sequence)
  const [infoType, wrapped] = inside(signedData?.[2], tags.sequence) ?? []
  if (!isObject(infoType, objects.stampInfo)) return null
  const octets = inside(wrapped, tags.explicit)?.[0]
  if (octets?.tag !== tags.octets) return null
  const [, , imprint, , time] = inside(elementsIn(octets.body)?.[0], tags.sequence) ?? []
  const [algorithm, digest] = inside(imprint, tags.sequence) ?? []
  if (!isObject(inside(algorithm, tags.sequence)?.[0], objects.sha256) || digest?.tag !== tags.octets) return null
  const at = time?.tag === tags.time ? readTime(new TextDecoder().decode(time.body)) : null
  return at === null || digest.body.length !== 32 ? null : { digest: digest.body, at }
}

function readTime(text: string): string | null {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(text) ?? []
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
}

export function isStampOf({ digest }: StampInfo, text: string): boolean {
  return isSameHash(digest, sha256(new TextEncoder().encode(text)))
}
