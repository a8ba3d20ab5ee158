// The keys of the public log, all made from the server's secret: the one that signs checkpoints, the one after quantum
// computers, and the secret under which each scope's heads are hidden.
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { makeNoteKey, type NoteKey, type NoteKeyKind, writeNoteKey } from '../../core/proof/note-key.ts'
import type { NoteSigner } from '../../core/proof/note-signature.ts'
import { chainKeyOf, deriveKey } from '../log/secret.ts'
import { publicScope } from '../postgres/database.ts'

/** What a private key of 32 bytes begins with in PKCS #8, and how long a public key is at the end of its form. */
const forms = {
  ed25519: { prefix: '302e020100300506032b657004220420', publicBytes: 32 },
  'ml-dsa-44-cosignature': { prefix: '3034020100300b060960864801650304031104228020', publicBytes: 1312 },
} as const

export class LogKeys {
  readonly chainKey: string
  readonly #secret: string
  readonly #isQuantumSafe: boolean

  constructor(secret: string, { isQuantumSafe = false }: { readonly isQuantumSafe?: boolean } = {}) {
    this.#secret = secret
    this.chainKey = chainKeyOf(secret)
    this.#isQuantumSafe = isQuantumSafe
  }

  /** They sign under the origin's own name, so that nothing signed for one origin is valid for another. */
  signersOf(origin: string): readonly NoteSigner[] {
    const plain = signerOf(origin, 'ed25519', deriveKey(this.#secret, 'log checkpoint'))
    if (!this.#isQuantumSafe) return [plain]
    return [plain, signerOf(origin, 'ml-dsa-44-cosignature', deriveKey(this.#secret, 'log checkpoint pq'))]
  }

  /** As people pass them on; the first is the one that every checkpoint is signed with. */
  vkeysOf(origin: string): readonly string[] {
    return this.signersOf(origin).map(({ key }) => writeNoteKey(key))
  }

  /** Known to the members of the scope; that of the public series to everybody. */
  scopeSecret(scope: string): Buffer {
    if (scope === publicScope) return Buffer.alloc(32)
    return createHmac('sha256', deriveKey(this.#secret, 'log scopes')).update(scope).digest()
  }
}

function signerOf(name: string, kind: keyof typeof forms & NoteKeyKind, seed: Buffer): NoteSigner {
  const privateKey = privateKeyOf(kind, seed)
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const key: NoteKey = makeNoteKey(name, kind, spki.subarray(-forms[kind].publicBytes))
  return { key, sign: message => sign(null, message, privateKey) }
}

function privateKeyOf(kind: keyof typeof forms, seed: Buffer): KeyObject {
  const key = Buffer.concat([Buffer.from(forms[kind].prefix, 'hex'), seed])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}
