// Signatures on notes, both with Ed25519: plain ones of C2SP `signed-note`, and the cosignatures of `tlog-cosignature` with
// their time. They are made with a function that the caller passes and checked with the caller's WebCrypto, so no key is ever
// held here.
import type { NoteKey } from './note-key.ts'
import type { NoteSignature, SignedNote } from './signed-note.ts'

/** The part of WebCrypto that is needed: `crypto.subtle`. */
export type NoteCheck = Pick<SubtleCrypto, 'importKey' | 'verify'>

export interface NoteSigner {
  readonly key: NoteKey
  sign(message: Uint8Array): Uint8Array
}

const timeBytes = 8

function bigEndian(number: number): Uint8Array {
  const bytes = new Uint8Array(timeBytes)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number))
  return bytes
}

/** The signed bytes; `time` in seconds since 1970, for cosignatures. */
function messageOf({ kind }: NoteKey, text: string, time: number): Uint8Array {
  return new TextEncoder().encode(kind === 'ed25519' ? text : `cosignature/v1\ntime ${time}\n${text}`)
}

/** `seconds` since 1970 are part of a cosignature; a plain signature has no time. */
export function signNote({ key, sign }: NoteSigner, text: string, seconds: number): NoteSignature {
  const signature = sign(messageOf(key, text, seconds))
  const bytes = key.kind === 'ed25519' ? signature : Uint8Array.of(...bigEndian(seconds), ...signature)
  return { name: key.name, keyId: key.id, bytes }
}

interface CheckedSignature {
  readonly key: NoteKey
  /** `unchecked`: this WebCrypto has no Ed25519. */
  readonly verdict: 'holds' | 'fails' | 'unchecked'
  /** The time of a cosignature, in seconds since 1970; null for a plain signature. */
  readonly seconds: number | null
}

/** The signatures by known keys, in the order of the note. Signatures by other keys say nothing and are left out. */
export async function checkNote(
  subtle: NoteCheck,
  { text, signatures }: SignedNote,
  keys: readonly NoteKey[],
): Promise<CheckedSignature[]> {
  const checked: CheckedSignature[] = []
  for (const signature of signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.keyId)
    if (key !== undefined) checked.push(await checkSignature(subtle, key, text, signature.bytes))
  }
  return checked
}

async function checkSignature(
  subtle: NoteCheck,
  key: NoteKey,
  text: string,
  bytes: Uint8Array,
): Promise<CheckedSignature> {
  const isTimed = key.kind !== 'ed25519'
  const seconds = isTimed ? readTime(bytes) : null
  if (isTimed && seconds === null) return { key, verdict: 'fails', seconds }
  const message = messageOf(key, text, seconds ?? 0)
  const verdict = await verify(subtle, key, message, isTimed ? bytes.subarray(timeBytes) : bytes)
  return { key, verdict, seconds }
}

/** The time; null for none, or one that no clock will show. */
function readTime(bytes: Uint8Array): number | null {
  if (bytes.length < timeBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const seconds = view.getUint32(0) * 2 ** 32 + view.getUint32(4)
  return Number.isSafeInteger(seconds) ? seconds : null
}

async function verify(subtle: NoteCheck, { publicKey }: NoteKey, message: Uint8Array, signature: Uint8Array) {
  try {
    const key = await subtle.importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify'])
    const holds = await subtle.verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(message))
    return holds ? 'holds' : 'fails'
  } catch (error) {
    // Raised where WebCrypto has no Ed25519, and for bytes that are no key.
    const isUnknown = error instanceof Error && error.name === 'NotSupportedError'
    return isUnknown ? 'unchecked' : 'fails'
  }
}
