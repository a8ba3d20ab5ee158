// Signers of notes from a seed of 32 bytes.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { makeNoteKey, type NoteKeyKind } from '../../core/proof/note-key.ts'
import type { NoteSigner } from '../../core/proof/note-signature.ts'

/** What a private key made of a seed begins with in PKCS #8. */
const ed25519 = '302e020100300506032b657004220420'
const prefixes: Readonly<Record<NoteKeyKind, string>> = {
  ed25519,
  'ed25519-cosignature': ed25519,
  'ml-dsa-44-cosignature': '3034020100300b060960864801650304031104228020',
}

/** A public key stands at the end of its form, SubjectPublicKeyInfo. */
const publicBytes: Readonly<Record<NoteKeyKind, number>> = {
  ed25519: 32,
  'ed25519-cosignature': 32,
  'ml-dsa-44-cosignature': 1312,
}

export function makeSigner(name: string, kind: NoteKeyKind, seed: Uint8Array): NoteSigner {
  const privateKey = privateKeyOf(kind, seed)
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return {
    key: makeNoteKey(name, kind, spki.subarray(-publicBytes[kind])),
    sign: message => sign(null, message, privateKey),
  }
}

function privateKeyOf(kind: NoteKeyKind, seed: Uint8Array): KeyObject {
  const key = Buffer.concat([Buffer.from(prefixes[kind], 'hex'), seed])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}
