// The keys of the public log, all made from the server's secret: the one that signs checkpoints, the one after quantum
// computers, and the secret under which each scope's heads are hidden.
import { createHmac } from 'node:crypto'
import { writeNoteKey } from '../../core/proof/note-key.ts'
import type { NoteSigner } from '../../core/proof/note-signature.ts'
import { chainKeyOf, deriveKey } from '../log/secret.ts'
import { publicScope } from '../postgres/database.ts'
import { makeSigner } from './note-signer.ts'

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
    const plain = makeSigner(origin, 'ed25519', deriveKey(this.#secret, 'log checkpoint'))
    if (!this.#isQuantumSafe) return [plain]
    return [plain, makeSigner(origin, 'ml-dsa-44-cosignature', deriveKey(this.#secret, 'log checkpoint pq'))]
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
