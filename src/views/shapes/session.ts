// Wire types of the console: the signed-in person, their workspaces and browsers. The files here describe the answers, which the
// web interface shares; every instant is ISO 8601 in UTC with microseconds, every decimal a text with its digits. The requests, and
// the answer of each, are in `views/calls/…-calls.ts`.

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

/** Missing proof: of the person or, with the right password, of the second factor. */
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
  /** Place of the problem: `inputs.steel.lag`, or `line 12`. */
  readonly path: string
  readonly message: string
  /** The message without the document's keys, for people who only read it; left out if the message is good enough. */
  readonly words?: string
  /** The line of the text it belongs to, where it is known. */
  readonly line: number | null
  /** Character of an expression, counted from 1, at which the message ends. */
  readonly at?: number
  /** Sum of the weights, where that is the problem; otherwise left out. */
  readonly weights?: WeightsTotal
}

export interface SessionView {
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  /** Whether they operate the installation. */
  readonly isOperator: boolean
  /** Whether an identity provider signed them in: there is no password to change. */
  readonly isByProvider: boolean
  readonly workspaces: readonly WorkspaceView[]
  /** Names of providers in a table or in a sentence, by their names in the API. */
  readonly providerNames: Readonly<Record<string, string>>
}

export interface WorkspaceView {
  readonly slug: string
  readonly name: string
  readonly role: Role
}

/** Public facts of a way in, for everybody with its address. */
export interface WayInView {
  readonly wayIn: string
  /** Name of the party or the workspace. */
  readonly name: string
  /** `login.nova.example` */
  readonly host: string
  /** Whether it is the only way. */
  readonly isRequired: boolean
}

export interface SetUpLook {
  readonly email: string
  /** Name of the workspace that the link opens. Whether the address has an account is never revealed. */
  readonly workspace: string
  /** Way in that accepts it; null where only a password is possible. */
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

/** Subject of an unsubscribe link. */
export interface UnsubscribeLook {
  readonly email: string
  readonly workspace: string
  /** `all` from a digest. */
  readonly kind: OptionalMailKind | 'all'
  /** Whether it is off already. */
  readonly isOff: boolean
}

export interface SignInStart {
  /** Address where the browser goes. */
  readonly url: string
}

export interface SignInAnswer {
  /** Path of this site. */
  readonly returnTo: string
  /** Null for somebody who came back to sign: their session is the one they have. */
  readonly session: SessionView | null
  /** For somebody who came back to sign: id of the visit that waits for the signing request. */
  readonly signing?: string
}
