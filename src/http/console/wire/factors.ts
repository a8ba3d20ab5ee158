// The wire of the console: how a person shows who they are. Passkeys, one-time codes, recovery codes, and the password
// asked for again. All paths are behind `/console`, all of them about the person who is signed in.

/** `GET /factors` */
export interface FactorsView {
  readonly passkeys: readonly PasskeyView[]
  /** Why this browser's address can have none, in a sentence. */
  readonly whyNoPasskeys: string | null
  /** Since when one-time codes are asked for; null where they are not. */
  readonly codesSince: string | null
  /** Signing in takes a passkey; the password alone, or with a code, does not do. */
  readonly wantsPasskey: boolean
  /** Not used yet. */
  readonly recoveryCodes: number
  /** Until when the password, or a passkey, need not be given again in this browser. */
  readonly passwordUntil: string | null
  readonly passkeyUntil: string | null
}

export interface PasskeyView {
  /** Of the credential, base64url. */
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** Whether it can be used under the address of this browser. */
  readonly isUsableHere: boolean
  readonly transports: readonly string[]
}

/**
 * `POST /confirm`: the password again. 204; 401 where it is wrong. With `POST /confirm/passkey/begin` (an
 * `AssertionRequest`) and `POST /confirm/passkey` a passkey does the same.
 */
export interface ConfirmQuestion {
  readonly password: string
}

/** The options of `navigator.credentials.get`, as JSON. */
export interface AssertionRequest {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: 'required' | 'preferred'
  readonly allowCredentials: readonly { readonly id: string; readonly type: 'public-key' }[]
}

/** What an authenticator answered, as JSON. Binary values are base64url. */
export interface AssertionView {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly authenticatorData: string
    readonly clientDataJSON: string
    readonly signature: string
    readonly userHandle?: string
  }
}

/** The options of `navigator.credentials.create`, as JSON. */
export interface RegistrationRequest {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
}

export interface RegistrationView {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly attestationObject: string
    readonly clientDataJSON: string
    readonly transports?: readonly string[]
  }
}

/** `POST /passkeys`, after `POST /passkeys/begin` (a `RegistrationRequest`): 201. `DELETE /passkeys/:id` removes one. */
export interface NewPasskeyQuestion {
  readonly name: string
  readonly registration: RegistrationView
}

/** `POST /codes/begin`: to be entered into an app. */
export interface CodeSecretView {
  readonly secret: string
  /** `otpauth://…`, for a QR code. */
  readonly uri: string
}

/** `POST /codes`: the app's first code; from then on codes are asked for. `DELETE /codes` ends it. */
export interface BeginCodesQuestion {
  readonly code: string
}

/** Shown once: what `POST /codes`, `POST /recovery-codes` and `POST /passkey-only` answer. Empty where none were made. */
export interface RecoveryCodesView {
  readonly recoveryCodes: readonly string[]
}

/** `POST /passkey-only` */
export interface PasskeyOnlyQuestion {
  readonly isWanted: boolean
}
