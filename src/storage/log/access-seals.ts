// Seals on who has access: an HMAC under the server's secret over an entry of the access log, over the end of a log, or
// over a session. Access to the database alone is not enough to make one; see access-log.ts for what they decide.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { chainKeyIn, type Queryable } from '../postgres/database.ts'

/** An entry of a log. Its seal covers all of it and the seal before it. */
export interface AccessEntry {
  readonly scope: string
  /** From 1, without gaps. */
  readonly number: number
  readonly kind: string
  readonly subject: string
  readonly at: Instant
  /** Null where the row is gone. */
  readonly content: Json
  readonly previous: Buffer
}

/** Where a log ends. */
interface AccessEnd {
  readonly scope: string
  readonly number: number
  readonly seal: Buffer
}

/** What cannot be changed about a session: whose it is, under which password it was opened, and until when it may last. */
export interface SessionFacts {
  readonly id: string
  readonly token_hash: Buffer
  readonly person_id: string
  readonly email: string
  readonly password_hash: string | null
  readonly created_at: Instant
  readonly latest_end: Instant
  /** Who they are at the provider that opened it, and its own name for the session; null for one by password or passkey. */
  readonly identity_link: string | null
  readonly provider_session: string | null
}

/** When the person at a session last showed again who they are. */
export interface ConfirmationFacts {
  readonly id: string
  readonly person_id: string
  readonly password_at: Instant | null
  readonly passkey_at: Instant | null
}

export class AccessSeals {
  readonly #key: Buffer

  /** From the key of the chains, as hexadecimal digits; theirs and this one open nothing of each other. */
  constructor(chainKey: string) {
    this.#key = createHmac('sha256', Buffer.from(chainKey, 'hex')).update('access seals').digest()
  }

  #mac(what: string, content: Json): Buffer {
    return createHmac('sha256', this.#key)
      .update(`assize ${what} 1\n${canonicalJson(content)}`)
      .digest()
  }

  /** What stands before the first entry. */
  zero(scope: string): Buffer {
    return this.#mac('access log', scope)
  }

  entry({ scope, number, kind, subject, at, content, previous }: AccessEntry): Buffer {
    return this.#mac('access entry', [scope, number, kind, subject, at, content, previous.toString('hex')])
  }

  end({ scope, number, seal }: AccessEnd): Buffer {
    return this.#mac('access end', [scope, number, seal.toString('hex')])
  }

  /** As the database keeps it: only the browser has the token. */
  token(token: string): Buffer {
    return this.#mac('session token', token)
  }

  session(facts: SessionFacts): Buffer {
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
    return this.#mac('session', [id, token.toString('hex'), person, email, password, from, to, ...byProvider])
  }

  confirmation({ id, person_id: person, password_at: password, passkey_at: passkey }: ConfirmationFacts): Buffer {
    return this.#mac('confirmation', [id, person, password, passkey])
  }
}

export function isSame(made: Buffer, found: Buffer | null): boolean {
  return found?.length === made.length && timingSafeEqual(found, made)
}

/** Those of the installation that the connections belong to. */
export function accessSealsOf(sql: Queryable): AccessSeals {
  return new AccessSeals(chainKeyIn(sql))
}
