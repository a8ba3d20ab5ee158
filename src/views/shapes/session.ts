// Wire types of the console: who is signed in, where, and from which browsers. The files here describe the answers, which
// the web interface shares; every instant is ISO 8601 in UTC with microseconds, every decimal a text with its digits.
// The requests, and which answer each gets, are in `views/calls/…-calls.ts`.

import type { OptionalMailKind } from '../../core/people/mail-kinds.ts'
import type { WeightsTotal } from '../../core/refusal.ts'
import type { Role } from '../../core/roles.ts'
import type { AssertionRequest } from './factors.ts'

export type { Role } from '../../core/roles.ts'

/** Every answer that is not 2xx. `problems` where a document or a file was refused as a whole. */
export interface Failure {
  readonly error: string
  readonly problems?: readonly ProblemView[]
  readonly needs?: Needs
}

/** What has to be proved first: who the person is, or, with the right password, the second factor. */
export type Needs =
  | { readonly kind: 'confirmation' }
  | {
      readonly kind: 'second-factor'
      /** Whether a code of the app is accepted; a recovery code always is. */
      readonly takesCodes: boolean
      /** Null where there is none for this address. */
      readonly passkey: AssertionRequest | null
    }

export interface ProblemView {
  /** Where it is: `inputs.steel.lag`, or `line 12`. */
  readonly path: string
  readonly message: string
  /** The same without the keys of the document, for people who only read it; left out if the message is good enough. */
  readonly words?: string
  /** The line of the text it belongs to, where it is known. */
  readonly line: number | null
  /** The character of an expression, counted from 1, that the message ends with. */
  readonly at?: number
  /** What the weights come to, where that is the problem: left out otherwise. */
  readonly weights?: WeightsTotal
}

export interface SessionView {
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  /** Of the installation. */
  readonly isOperator: boolean
  /** Signed in by an identity provider: there is no password to change. */
  readonly isByProvider: boolean
  readonly workspaces: readonly WorkspaceView[]
  /** The names of providers in a table or in a sentence, by their names in the API. */
  readonly providerNames: Readonly<Record<string, string>>
}

export interface WorkspaceView {
  readonly slug: string
  readonly name: string
  readonly role: Role
}

/** What somebody with the address of a way in may know of it. */
export interface WayInView {
  readonly wayIn: string
  /** The party's name, or the workspace's. */
  readonly name: string
  /** `login.nova.example` */
  readonly host: string
  /** Whether there is no other way. */
  readonly isRequired: boolean
}

export interface SetUpLook {
  readonly email: string
  /** The name of the workspace that the link opens. Whether the address has an account is never revealed. */
  readonly workspace: string
  /** By which it is accepted; null where only a password is possible. */
  readonly wayIn: WayInView | null
}

export interface SessionRow {
  readonly id: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  readonly fromAddress: string | null
  readonly userAgent: string | null
  readonly isThis: boolean
}

/** What an unsubscribe link is about. */
export interface UnsubscribeLook {
  readonly email: string
  readonly workspace: string
  /** `all` from a digest. */
  readonly kind: OptionalMailKind | 'all'
  /** Whether it is off already. */
  readonly isOff: boolean
}

export interface SignInStart {
  /** Where the browser goes. */
  readonly url: string
}

export interface SignInAnswer {
  /** A path of ours. */
  readonly returnTo: string
  /** Null for somebody who came back to sign: their session is the one they have. */
  readonly session: SessionView | null
  /** For somebody who came back to sign: what waits for the request that signs it. */
  readonly signing?: string
}
