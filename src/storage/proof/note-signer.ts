// Signers of notes from a seed of 32 bytes.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { makeNoteKey, type NoteKeyKind } from '../../core/proof/note-key.ts'
import type { NoteSigner } from '../../core/proof/note-signature.ts'

/** The first bytes of an Ed25519 private key in PKCS #8, before its seed. */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export function makeSigner(name: string, kind: NoteKeyKind, seed: Uint8Array): NoteSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  // The public key is the end of SubjectPublicKeyInfo.
  return { key: makeNoteKey(name, kind, spki.subarray(-32)), sign: message => sign(null, message, privateKey) }
}
