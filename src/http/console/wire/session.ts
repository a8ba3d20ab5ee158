// The wire of the console: who is signed in, where, and from which browsers. Types alone, shared with the web interface;
// every instant is ISO 8601 in UTC with microseconds, every decimal a text with its digits.

import type { AssertionRequest, AssertionView } from './factors.ts'

export type Role = 'owner' | 'editor' | 'buyer' | 'supplier' | 'viewer'

/** Every answer that is not 2xx. `problems` where a document or a file was refused as a whole. */
export interface Failure {
  readonly error: string
  readonly problems?: readonly ProblemView[]
  readonly needs?: Needs
}

/** What has to be shown before it can be done: who is at the browser, or, with the right password, the second factor. */
export type Needs =
  | { readonly kind: 'confirmation' }
  | {
      readonly kind: 'second-factor'
      /** A code of the app will do; a recovery code always does. */
      readonly takesCodes: boolean
      /** Null where there is none for this address. */
      readonly passkey: AssertionRequest | null
    }

export interface ProblemView {
  /** Where it is: `inputs.steel.lag`, or `line 12`. */
  readonly path: string
  readonly message: string
  /** The line of the text it belongs to, where it is known. */
  readonly line: number | null
}

/** `GET /console/session`, and what `POST /console/sign-in` and `POST /console/set-up` answer. 401 where nobody is. */
export interface SessionView {
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  /** Of the installation. */
  readonly isOperator: boolean
  readonly workspaces: readonly WorkspaceView[]
  /** What providers are called in a table or in a sentence, by their names of the wire. */
  readonly providerNames: Readonly<Record<string, string>>
}

export interface WorkspaceView {
  readonly slug: string
  readonly name: string
  readonly role: Role
}

/**
 * `POST /console/sign-in`. 401 where it is wrong, and where a second factor is missing: then `needs` says which, and all is
 * sent again with a code or a passkey.
 */
export interface SignInQuestion {
  readonly email: string
  readonly password: string
  readonly code?: string
  readonly passkey?: AssertionView
}

/** `POST /console/sign-in/passkey`, after `POST /console/sign-in/passkey/begin` (an `AssertionRequest`). */
export interface PasskeySignInQuestion {
  readonly passkey: AssertionView
}

/** `POST /console/set-up/look`: whose link it is. 404 where it is unknown, used or too old. */
export interface SetUpLookQuestion {
  readonly token: string
}

export interface SetUpLook {
  readonly email: string
  /** The name of the workspace it lets into. Whether the address has an account is told to nobody. */
  readonly workspace: string
}

/** `POST /console/set-up`: joins the workspace, by the password of an account one has or with a new account that gets it. */
export interface SetUpQuestion {
  readonly token: string
  readonly password: string
  /** They say that they have an account: then it is refused where none with this address has this password. */
  readonly isMember?: boolean
}

/** `POST /console/password`: 204; every other session of this person ends. */
export interface PasswordQuestion {
  readonly current: string
  readonly next: string
}

/** `GET /console/sessions`; `DELETE /console/sessions/:id` ends one, `DELETE /console/sessions` all others. */
export interface SessionRow {
  readonly id: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  readonly fromAddress: string | null
  readonly userAgent: string | null
  readonly isThis: boolean
}
