// Notices that carry a one-time link: an invitation, or the link for a new password. The token is stored encrypted, and only
// until the mail is sent.
import { createHash } from 'node:crypto'
import type { Instant } from '../core/time/instant.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import { SealedText } from '../storage/keys/sealed-text.ts'
import { addLinkNotice, type LinkMailBound } from '../storage/people/mail.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { mailLimits } from './mail-limits.ts'

interface OneTimeLink {
  readonly email: string
  readonly token: string
  readonly expiresAt: Instant
  readonly by: string
}

export class LinkNotices {
  readonly #sealed: SealedText

  constructor(ring: KeyRing) {
    this.#sealed = new SealedText(ring, 'mail links')
  }

  /** Adds the notice in the transaction that makes the link. Returns the reason why there is no mail, or null. */
  async add(
    tx: Transaction,
    workspaceId: string,
    kind: 'invitation' | 'reset',
    { email, token, expiresAt, by }: OneTimeLink,
  ): Promise<string | null> {
    const address = email.toLowerCase()
    const about = createHash('sha256').update(`notice ${token}`).digest('hex')
    const facts = { name: by, period: null, words: expiresAt, path: null, agreement: null }
    const sealedLink = this.#sealed.seal(boundTo(workspaceId, address, about), token)
    const notice = { email: address, kind, about, facts, sealedLink }
    return boundWords(await addLinkNotice(tx, workspaceId, notice, mailLimits.links), address)
  }

  /** Opens the token; null if it no longer exists, or was tampered with. */
  open(workspaceId: string, email: string, about: string, sealedLink: Buffer | null): string | null {
    return sealedLink === null ? null : this.#sealed.open(boundTo(workspaceId, email, about), sealedLink)
  }
}

function boundWords(bound: LinkMailBound, email: string): string | null {
  const { apartSeconds, mostADay } = mailLimits.links
  if (bound === 'TOO_SOON')
    return `no mail was sent: ${email} got one like it less than ${apartSeconds / 60} minutes ago`
  if (bound === 'TOO_MANY') return `no mail was sent: ${email} got ${mostADay} in the last 24 hours`
  return null
}

function boundTo(workspaceId: string, email: string, about: string): string {
  return `${workspaceId} ${email} ${about}`
}
