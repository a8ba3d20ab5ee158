// The notice that carries a one-time link: an invitation, or the link for a new password. The token is stored encrypted, and
// only until the mail is sent.
import { createHash } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import type { Transaction } from '../storage/database.ts'
import { addNotices } from '../storage/mail.ts'
import { deriveKey } from '../storage/secret.ts'
import { SealedText } from './sealed-text.ts'

export interface OneTimeLink {
  readonly email: string
  readonly token: string
  readonly expiresAt: Instant
  /** Who gave it. */
  readonly by: string
}

export class LinkNotices {
  readonly #sealed: SealedText

  constructor(secret: string) {
    this.#sealed = new SealedText(deriveKey(secret, 'mail links'))
  }

  /** In the transaction that makes the link. */
  async add(
    tx: Transaction,
    workspaceId: string,
    kind: 'invitation' | 'reset',
    { email, token, expiresAt, by }: OneTimeLink,
  ): Promise<void> {
    const address = email.toLowerCase()
    const about = createHash('sha256').update(`notice ${token}`).digest('hex')
    const facts = { name: by, period: null, words: expiresAt, path: null, formula: null }
    const sealedLink = this.#sealed.seal(boundTo(workspaceId, address, about), token)
    await addNotices(tx, workspaceId, [{ email: address, kind, about, facts, sealedLink }])
  }

  /** Null if it no longer exists, or was tampered with. */
  open(workspaceId: string, email: string, about: string, sealedLink: Buffer | null): string | null {
    return sealedLink === null ? null : this.#sealed.open(boundTo(workspaceId, email, about), sealedLink)
  }
}

function boundTo(workspaceId: string, email: string, about: string): string {
  return `${workspaceId} ${email} ${about}`
}
