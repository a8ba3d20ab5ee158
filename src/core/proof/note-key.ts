// Keys of C2SP `signed-note`: the signer's name, the kind and the key, written on one line as a "vkey" that people pass on.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { Refusal } from '../refusal.ts'
import { base64Of, bytesOfBase64 } from '../text/base64.ts'

/** The types of signatures that are made and checked here, each with its byte. All have keys of Ed25519. */
const kinds = {
  ed25519: 0x01,
  /** C2SP `tlog-cosignature`: with the time at which it was made. */
  'ed25519-cosignature': 0x04,
} as const

const keyBytes = 32

export type NoteKeyKind = keyof typeof kinds

export interface NoteKey {
  /** A name without spaces and without `+`. */
  readonly name: string
  /** Eight hexadecimal digits. */
  readonly id: string
  readonly kind: NoteKeyKind
  readonly publicKey: Uint8Array
}

export function isKeyName(name: string): boolean {
  return /^[^\p{White_Space}\p{Cc}+]+$/u.test(name)
}

export function makeNoteKey(name: string, kind: NoteKeyKind, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name)) throw new Refusal('invalid', `the name of a key has no spaces and no "+", got "${name}"`)
  if (publicKey.length !== keyBytes)
    throw new Refusal('invalid', `a key of the kind ${kind} has ${keyBytes} bytes, got ${publicKey.length}`)
  const encoded = new TextEncoder().encode(`${name}\n`)
  const id = bytesToHex(sha256(Uint8Array.of(...encoded, kinds[kind], ...publicKey)).subarray(0, 4))
  return { name, id, kind, publicKey }
}

/** A vkey such as `prices.example.com+1a2b3c4d+AQ…`. */
export function formatNoteKey({ name, id, kind, publicKey }: NoteKey): string {
  return `${name}+${id}+${base64Of(Uint8Array.of(kinds[kind], ...publicKey))}`
}

export function readNoteKey(text: string): NoteKey {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? []
  const bytes = bytesOfBase64(encoded ?? '')
  if (name === undefined || bytes === null || bytes.length === 0)
    throw new Refusal('invalid', `a key is written name+8 digits+base64, got "${text}"`)
  const kind = (Object.keys(kinds) as NoteKeyKind[]).find(each => kinds[each] === bytes[0])
  if (kind === undefined)
    throw new Refusal('invalid', `the key of ${name} is of the type ${bytes[0]}, which is not read here`)
  const key = makeNoteKey(name, kind, bytes.subarray(1))
  if (key.id !== id) throw new Refusal('invalid', `the key of ${name} has the digits ${key.id}, not ${id}`)
  return key
}
