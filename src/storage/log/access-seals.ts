// Seals of the access log: an HMAC under the server's secret over an entry, over the end of a log, or over a session. Access to
// the database alone is not enough to make one; access-log.ts says what they decide.
import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { type Queryable, ringIn } from '../postgres/database.ts'

/** An entry. Its seal covers all of it and the seal before it. */
export interface AccessEntry {
  readonly scope: string
  /** Number from 1, without gaps. */
  readonly number: number
  readonly kind: string
  readonly subject: string
  readonly at: Instant
  /** Facts of the row; null where the row is gone. */
  readonly content: Json
  readonly previous: Buffer
}

interface AccessEnd {
  readonly scope: string
  readonly number: number
  readonly seal: Buffer
}

/** Facts of a session that cannot be changed: its person, the password it was opened under, and its latest end. */
export interface SessionFacts {
  readonly id: string
  readonly token_hash: Buffer
  readonly person_id: string
  readonly email: string
  readonly password_hash: string | null
  readonly created_at: Instant
  readonly latest_end: Instant
  /**
   * The person's link to the provider that opened the session, and the provider's name for it; null for one by password or
   * passkey.
   */
  readonly identity_link: string | null
  readonly provider_session: string | null
}

/** The last times that the person at a session confirmed who they are. */
export interface ConfirmationFacts {
  readonly id: string
  readonly person_id: string
  readonly password_at: Instant | null
  readonly passkey_at: Instant | null
}

export class AccessSeals {
  readonly #ring: KeyRing

  constructor(ring: KeyRing) {
    this.#ring = ring
  }

  #mac(text: string): Buffer {
    return this.#ring.mac('access seals', text)
  }

  #holds(text: string, seal: Buffer | null): boolean {
    return this.#ring.holds('access seals', text, seal)
  }

  /** Seal before the first entry. */
  zero(scope: string): Buffer {
    return this.#mac(textOf('access log', scope))
  }

  isZero(scope: string, seal: Buffer): boolean {
    return this.#holds(textOf('access log', scope), seal)
  }

  entry(entry: AccessEntry): Buffer {
    return this.#mac(textOfEntry(entry))
  }

  isEntry(entry: AccessEntry, seal: Buffer | null): boolean {
    return this.#holds(textOfEntry(entry), seal)
  }

  end(end: AccessEnd): Buffer {
    return this.#mac(textOfEnd(end))
  }

  isEnd(end: AccessEnd, head: Buffer | null): boolean {
    return this.#holds(textOfEnd(end), head)
  }

  /** Digest of a token for the database: only the browser has the token. */
  token(token: string): Buffer {
    return this.#ring.mac('session tokens', token)
  }

  /** Digests that the database may still have, the current one first. */
  tokens(token: string): readonly Buffer[] {
    return this.#ring.digestsOf('session tokens', token)
  }

  isCurrent(value: Buffer): boolean {
    return this.#ring.isCurrent(value)
  }

  session(facts: SessionFacts): Buffer {
    return this.#mac(textOfSession(facts))
  }

  isSession(facts: SessionFacts, seal: Buffer | null): boolean {
    return this.#holds(textOfSession(facts), seal)
  }

  confirmation(facts: ConfirmationFacts): Buffer {
    return this.#mac(textOfConfirmation(facts))
  }

  isConfirmation(facts: ConfirmationFacts, seal: Buffer | null): boolean {
    return this.#holds(textOfConfirmation(facts), seal)
  }
}

function textOf(what: string, content: Json): string {
  return `assize ${what} 1\n${canonicalJson(content)}`
}

function textOfEntry({ scope, number, kind, subject, at, content, previous }: AccessEntry): string {
  return textOf('access entry', [scope, number, kind, subject, at, content, previous.toString('hex')])
}

function textOfEnd({ scope, number, seal }: AccessEnd): string {
  return textOf('access end', [scope, number, seal.toString('hex')])
}

function textOfSession(facts: SessionFacts): string {
  const {
    id,
    token_hash: token,
    person_id: person,
    email,
    password_hash: hash,
    created_at: from,
    latest_end: to,
    identity_link: link,
    provider_session: there,
  } = facts
  const password = hash === null ? null : createHash('sha256').update(hash).digest('hex')
  const byProvider = link === null && there === null ? [] : [link, there]
  return textOf('session', [id, token.toString('hex'), person, email, password, from, to, ...byProvider])
}

function textOfConfirmation({ id, person_id: person, password_at: password, passkey_at: passkey }: ConfirmationFacts) {
  return textOf('confirmation', [id, person, password, passkey])
}

/** Seals of the installation that the connections belong to. */
export function accessSealsOf(sql: Queryable): AccessSeals {
  return new AccessSeals(ringIn(sql))
}
