// Wire types of the console: proofs of a person's identity. Passkeys, one-time codes, recovery codes, and the password asked for
// again.

export interface FactorsView {
  readonly passkeys: readonly PasskeyView[]
  /** Why this browser's address cannot have passkeys, in a sentence. */
  readonly whyNoPasskeys: string | null
  /** Instant from which one-time codes are required; null where they are not. */
  readonly codesSince: string | null
  /** True where sign-in requires a passkey; the password alone, or with a code, is not enough. */
  readonly wantsPasskey: boolean
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number
  /** Instants until which the password, or a passkey, need not be given again in this browser. */
  readonly passwordUntil: string | null
  readonly passkeyUntil: string | null
}

export interface PasskeyView {
  /** Id of the credential, base64url. */
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** Whether it can be used under the address of this browser. */
  readonly isUsableHere: boolean
  readonly transports: readonly string[]
}

/** The options of `navigator.credentials.get`, as JSON. */
export interface AssertionRequest {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: 'required' | 'preferred'
  readonly allowCredentials: readonly { readonly id: string; readonly type: 'public-key' }[]
}

/** The options of `navigator.credentials.create`, as JSON. */
export interface RegistrationRequest {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
}

/** Secret for an app. */
export interface CodeSecretView {
  readonly secret: string
  /** `otpauth://…`, for a QR code. */
  readonly uri: string
}

/** Shown once. Empty where no codes were made. */
export interface RecoveryCodesView {
  readonly recoveryCodes: readonly string[]
}
