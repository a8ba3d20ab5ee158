// The keys of the public log: the one that signs checkpoints, made from the secret that the log names, and the secret under which each
// scope's heads are hidden, which a rotation does not change.
import { createHmac } from 'node:crypto'
import { formatNoteKey } from '../../core/proof/note-key.ts'
import type { NoteSigner } from '../../core/proof/note-signature.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { publicScope } from '../postgres/database.ts'
import { makeSigner } from './note-signer.ts'

export class LogKeys {
  readonly ring: KeyRing

  constructor(ring: KeyRing) {
    this.ring = ring
  }

  /** Signer under the origin's own name, so that nothing signed for one origin is valid for another. */
  signerOf(origin: string, secretId: string = this.ring.currentId): NoteSigner {
    return makeSigner(origin, 'ed25519', this.ring.key('log checkpoint', secretId))
  }

  /** The key that checkpoints are signed with, as people pass it on. */
  vkeyOf(origin: string, secretId: string = this.ring.currentId): string {
    return formatNoteKey(this.signerOf(origin, secretId).key)
  }

  /** Known to the members of the scope; that of the public series to everybody. */
  scopeSecret(scope: string): Buffer {
    if (scope === publicScope) return Buffer.alloc(32)
    return createHmac('sha256', Buffer.from(this.ring.lasting.scopes, 'base64url')).update(scope).digest()
  }
}
