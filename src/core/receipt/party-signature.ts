// The signature of a party under a receipt: signer, signed hash, time and means. Plain data that a receipt can carry next to
// its body, with the signer's origin, and the hashes that are signed. It checks no signature itself.

import type { PartySide } from '../formula/formula.ts'
import { formatProvider, type ProviderProof, providerSignature, shownAt } from '../identity/provider-signature.ts'
import type { SignKind } from '../parties.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import { counted } from '../text/counts.ts'
import {
  hexHash,
  instant,
  listOf,
  mapping,
  oneOf,
  optional,
  orNull,
  type Shape,
  text,
  type Written,
} from '../text/exact-shape.ts'
import { sha256 } from '../text/sha256.ts'
import type { Instant } from '../time/instant.ts'
import { labelForm } from './period-form.ts'
import { formatSignerOrigin, type SignerOrigin, signerOrigin } from './signer-origin.ts'

/**
 * The proof of identity in a signature. `PROVIDER`: by their company's identity provider. `OPERATOR`: the installation's
 * operator signed by command, in the person's name.
 */
export const signatureMeans = ['PASSKEY', 'PROVIDER', 'PASSWORD', 'OPERATOR'] as const
export type SignatureMeans = (typeof signatureMeans)[number]

const kindOfMeans: Readonly<Partial<Record<SignatureMeans, SignKind>>> = {
  PASSKEY: 'passkey',
  PROVIDER: 'provider',
  PASSWORD: 'password',
}

/**
 * Whether a contract that names the ways to sign accepts this one; an act of the operator in somebody's name is none of them.
 */
export function isAcceptedKind(signWith: readonly SignKind[] | undefined, means: SignatureMeans): boolean {
  const kind = kindOfMeans[means]
  return signWith === undefined || (kind !== undefined && signWith.includes(kind))
}

/** One period and the hash of the receipt that was shown for it. */
export interface SeenPeriod {
  readonly period: string
  /** 64 hexadecimal digits. */
  readonly hash: string
}

/** A period with the figures that are shown to the person who signs. */
export interface PeriodToSign extends SeenPeriod {
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

/** The answer of an authenticator, so that anybody can check it again offline. */
const passkeyAssertion = mapping('A WebAuthn assertion; binary values are base64url.', {
  credentialId: text('Of the credential'),
  publicKey: text('The credential’s public key, SubjectPublicKeyInfo'),
  algorithm: oneOf(['ES256', 'EdDSA', 'RS256'], 'Of the key'),
  rpId: text('The site it was made for'),
  authenticatorData: text('As the authenticator wrote it'),
  clientDataJSON: text(
    'As the browser wrote it; its challenge is the hash of what was signed (or of `batch`) and of `origin`',
  ),
  signature: text('Over both'),
})

export type PasskeyAssertion = Written<typeof passkeyAssertion>

/**
 * One act for several agreements, such as a touch of a passkey. Each entry hides its agreement from people who signed nothing
 * of it.
 */
const signedBatch = mapping('The list that was signed by one act, of which this is one entry.', {
  salt: text('What makes this entry unguessable, 32 hexadecimal digits', { pattern: '^[0-9a-f]{32}$' }),
  entries: listOf(
    hexHash('Of the format’s name, the hash that was signed of one agreement, and its salt'),
    'Every entry of the act, ascending',
  ),
})

export type SignedBatch = Written<typeof signedBatch>

/** The record that somebody's name and address were replaced where they stood. */
const redactedName = mapping('The name and address of the signer were redacted.', {
  at: instant('When'),
  by: text('E-mail address, or `operator`'),
  reason: text('Why'),
})

export type RedactedName = Written<typeof redactedName>

/** `redacted on 2026-11-18 by the operator: asked for it`. */
export function formatRedacted({ at, by, reason }: RedactedName): string {
  return `redacted on ${at.slice(0, 10)} by ${by === 'operator' ? 'the operator' : by}: ${reason}`
}

/** `one`: the shape of each thing that is signed in one list. */
function signatureOn(hashWords: string, one: Shape<{ readonly period: string; readonly hash: string }>, all: string) {
  return mapping('A party’s signature on exactly this hash.', {
    party: oneOf(['buyer', 'supplier'], 'For which side'),
    signedBy: text('E-mail address'),
    name: text('As the workspace names the person; empty where it does not'),
    signedAt: instant('When'),
    hash: hexHash(hashWords),
    means: oneOf(signatureMeans, 'How it was known who signs'),
    together: listOf(one, all),
    passkey: orNull(passkeyAssertion, 'With PASSKEY: what the authenticator signed, to be checked by anybody'),
    // Given with PROVIDER alone.
    provider: optional(providerSignature),
    // Left out where the operator signs for an address that no member has.
    origin: optional(signerOrigin),
    // Given only where one act signed several agreements.
    batch: optional(signedBatch),
    // Given only for a signer who was erased since: the name and address here then stand for theirs.
    redacted: optional(redactedName),
  })
}

export const partySignature = signatureOn(
  'The receipt’s hash',
  mapping('A period.', {
    period: text('Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3', labelForm),
    hash: hexHash('Of its receipt'),
  }),
  'Every period that was signed in the same act, this one included, by adjustment date',
)

/** A signature on a correction, whose id has the place of a period. */
export const correctionSignature = signatureOn(
  'The correction’s hash',
  mapping('A correction.', {
    period: text('The id of the correction', { pattern: '^cor_[0-9a-z]{26}$' }),
    hash: hexHash('Of the correction'),
  }),
  'Every correction that was signed in the same act, this one included',
)

export type PartySignature = Written<typeof partySignature>

/** The signature as it may be shown at an instant: with the token of a provider once that has expired. */
export function signatureShownAt(signature: PartySignature, now: Instant): PartySignature {
  const { provider } = signature
  return provider === undefined ? signature : { ...signature, provider: shownAt(provider as ProviderProof, now) }
}

/** Whether some of them will show more later than now. */
export function isProofPending(signatures: readonly PartySignature[]): boolean {
  return signatures.some(({ provider }) => provider !== undefined && 'proof' in provider)
}

/** The signer's origin, in phrases. */
export function formatSigner(
  signature: PartySignature,
  parties: Readonly<Record<PartySignature['party'], PartySide>> | undefined,
): string[] {
  const { party, passkey, provider, origin, batch, redacted } = signature
  const facts = { origin, credentialId: passkey?.credentialId ?? null, side: parties?.[party] }
  const told = [
    ...(redacted === undefined ? [] : [`who signed was ${formatRedacted(redacted)}`]),
    ...(provider === undefined ? [] : formatProvider(provider)),
    ...formatSignerOrigin(facts),
  ]
  if (batch === undefined || batch.entries.length < 2) return told
  const act = passkey === null ? (provider === undefined ? 'in one list' : 'by one sign-in') : 'by one touch'
  return [...told, `signed ${act} together with ${counted(batch.entries.length - 1, 'other')}`]
}

/** The hash of several periods signed at once: of their list, in the order of their dates. */
export function hashOfPeriods(periods: readonly SeenPeriod[]): string {
  return sha256(canonicalJson(periods.map(({ period, hash }) => ({ period, hash }))))
}

/** The hash to sign, in 64 hexadecimal digits: that of the one receipt, or that of the list. */
export function signedHashOf(periods: readonly SeenPeriod[]): string {
  return periods.length === 1 ? periods[0]!.hash : hashOfPeriods(periods)
}

/** One entry of a batch: the hash to sign for one agreement, hidden by a salt of its own. */
export function batchEntry(signedHash: string, salt: string): string {
  return sha256(canonicalJson({ format: 'assize-batch-entry/1', hash: signedHash, salt }))
}

/** The hash of a batch, from its ascending entries. It can be taken for no receipt and no list of periods. */
export function hashOfBatch(entries: readonly string[]): string {
  return sha256(canonicalJson({ format: 'assize-batch/1', entries: [...entries] }))
}

/** Whether every entry is greater than the one before. */
export function isAscending(entries: readonly string[]): boolean {
  return entries.every((each, i) => i === 0 || entries[i - 1]! < each)
}

/** The challenge for a passkey: the hash together with the signer's origin, so that neither can be replaced. */
export function challengeOf(hash: string, origin: SignerOrigin | null): string {
  return sha256(canonicalJson({ format: 'assize-signature/2', hash, signer: origin as unknown as Json }))
}
