// The token of an unsubscribe link: it names a person, a workspace and the kind of mail not wanted from it, and only we can read
// or change it. It can do nothing else, so it may be part of an address, and it does not expire.
import { isOptionalKind, type OptionalMailKind, optionalMailKinds } from '../core/people/mail-kinds.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import { SealedText } from '../storage/keys/sealed-text.ts'

export interface Unsubscription {
  readonly workspaceId: string
  readonly email: string
  /** `all` from a digest. */
  readonly kind: OptionalMailKind | 'all'
}

const purpose = 'unsubscribe'

export class Unsubscribing {
  readonly #sealed: SealedText

  constructor(ring: KeyRing) {
    this.#sealed = new SealedText(ring, 'unsubscribing')
  }

  token({ workspaceId, email, kind }: Unsubscription): string {
    return this.#sealed.seal(purpose, JSON.stringify([workspaceId, email.toLowerCase(), kind])).toString('base64url')
  }

  /** Reads a token; null if it is not ours. */
  read(token: string): Unsubscription | null {
    const bytes = Buffer.from(token, 'base64url')
    const text = bytes.toString('base64url') === token ? this.#sealed.open(purpose, bytes) : null
    if (text === null) return null
    const [workspaceId, email, kind] = JSON.parse(text) as [string, string, string]
    return kind === 'all' || isOptionalKind(kind) ? { workspaceId, email, kind } : null
  }
}

export function kindsOf({ kind }: Pick<Unsubscription, 'kind'>): readonly OptionalMailKind[] {
  return kind === 'all' ? optionalMailKinds : [kind]
}
