// The verdict on a receipt, in separate answers: does it recompute, whose key sealed it, who signed it, and what depends on
// trusting the operator of the installation. Shared by the command line and the page; it reads no file and makes no request.

import { type IssuerTrust, issuerTrustOf, type TrustedIssuers } from '../identity/issuer-trust.ts'
import { checkProviderProof, type ProviderProof, type ProviderSignature } from '../identity/provider-signature.ts'
import type { SignatureCheck } from '../identity/signature-check.ts'
import { formatSignKinds, type SignKind } from '../parties.ts'
import { type NoteKey, readNoteKey } from '../proof/note-key.ts'
import { Refusal } from '../refusal.ts'
import { bytesOfBase64url } from '../text/base64url.ts'
import { type Instant, parseInstant } from '../time/instant.ts'
import { type BroughtProofs, type EndedKey, judgeEndedSeal } from './ended-seal.ts'
import {
  batchEntry,
  challengeOf,
  hashOfBatch,
  isAcceptedKind,
  isAscending,
  type PartySignature,
  signedHashOf,
} from './party-signature.ts'
import { checkPasskey } from './passkey-check.ts'
import { hashOf, type ReceiptBody, type Signature, type SignedHead, sealedHash } from './receipt.ts'
import {
  readBody,
  readSealedReceipt,
  readWrittenReceipt,
  type SealedFile,
  type WrittenReceipt,
} from './receipt-parser.ts'
import { type CompilerView, compileAgain, type Difference, firstDifference, replay } from './replay.ts'

/** `unchecked`: WebCrypto here does not support Ed25519. */
type SealState = 'missing' | 'good' | 'bad' | 'unchecked'
/** Whether the seal's key is a trusted one, or slips show that it was when it sealed; `not-compared` where none was named. */
export type Trust = 'trusted' | 'other' | 'not-compared'

/**
 * The standing of a signature: made with the key that the signer's account registered, checked here; vouched for by the
 * company's identity provider in a token that is checked here; vouched for by the operator, who saw them sign in; made by the
 * operator in the person's name; or nobody's. None of them shows that the account is the person's: that rests on who let them
 * in (signer-origin.ts).
 */
type Whose = 'registered-key' | 'providers-token' | 'operators-word' | 'made-by-operator' | 'nobodys'

export interface JudgedSignature {
  readonly signature: PartySignature
  readonly whose: Whose
  /** The fault of a signature; null where it is valid. */
  readonly problem: string | null
  /** Given with a provider's token: whether the reader trusts its key as the issuer's. */
  readonly issuerTrust?: IssuerTrust
}

export interface Verdict {
  readonly receipt: WrittenReceipt
  readonly edition: number
  /** The first line that does not follow from the receipt's figures. */
  readonly difference: Difference | null
  readonly compiler: CompilerView | null
  readonly isHashSame: boolean
  readonly seal: SealState
  readonly trust: Trust
  /** With a key that has ended: since when, and what shows that this was sealed before. */
  readonly sealedBefore: readonly string[]
  readonly signatures: readonly JudgedSignature[]
  /** All problems, in the order of the verdict; empty if the receipt can be relied on. */
  readonly problems: readonly string[]
}

export interface Judge {
  readonly subtle: SignatureCheck | undefined
  /** Base64url public keys; null where nobody named one. */
  readonly trustedKeys: readonly string[] | null
  /** Keys of these installations that have ended: what they sealed counts with slips alone. */
  readonly endedKeys?: ReadonlyMap<string, EndedKey>
  /** Slips and kept checkpoints beside the receipt; null or left out where there are none. */
  readonly brought?: BroughtProofs | null
  /** Keys of identity providers; null or left out where nobody named any. */
  readonly trustedIssuers?: TrustedIssuers | null
}

/** A file that cannot be read or computed to its end, with the problems found before. */
export class RefusedProof extends Refusal {
  /** Problems in the order of the verdict; the last is why it could not be read or computed. */
  readonly problems: readonly string[]

  constructor(kind: Refusal['kind'], problems: readonly string[]) {
    super(kind, problems.join('; '))
    this.name = 'RefusedProof'
    this.problems = problems
  }
}

/** The next part of a verdict: if it cannot be read or computed, the problems found before are the reason. */
export async function judgeNext<T>(problems: readonly string[], part: () => Promise<T>): Promise<T> {
  try {
    return await part()
  } catch (error) {
    if (!(error instanceof Refusal) || problems.length === 0) throw error
    throw new RefusedProof(error.kind, [...problems, error.message])
  }
}

interface SealVerdict {
  readonly seal: SealState
  readonly trust: Trust
  readonly sealedBefore: readonly string[]
  readonly problems: readonly string[]
}

/**
 * Hash and seal, which come before everything that a file says in its fields, so that a file that was changed is refused for that, by
 * every verifier (docs/RECEIPT.md, section 7). `what`: `receipt`, `correction`, `change`.
 */
export async function judgeSealed(judge: Judge, what: string, file: SealedFile): Promise<SealVerdict> {
  const { hash, bodyHash, seal: by } = file
  const seal = await checkSeal(judge.subtle, file)
  const compared = trustOf(by, judge.trustedKeys)
  const before = compared === 'other' && by !== null ? await judgeEnded(judge, file, by.publicKey) : null
  const sealedBefore = before !== null && 'lines' in before ? before.lines : []
  const trust = sealedBefore.length > 0 ? 'trusted' : compared
  const problems = hash === bodyHash ? [] : [`hash: the ${what} says ${hash}, its body gives ${bodyHash}`]
  if (seal === 'missing') problems.push('seal: it recomputes, but nobody signed it')
  if (seal === 'bad') problems.push('seal: it is not one of this receipt under the key it names')
  if (seal === 'unchecked') problems.push('seal: it cannot be checked here, where there is no WebCrypto with Ed25519')
  if (before !== null && 'why' in before) problems.push(`seal: it is by ed25519:${by!.publicKey}, ${before.why}`)
  return { seal, trust, sealedBefore, problems }
}

/** Judges a seal by a key that is not trusted now. */
async function judgeEnded({ subtle, endedKeys, brought }: Judge, { hash, written }: SealedFile, publicKey: string) {
  const ended = endedKeys?.get(publicKey)
  if (ended === undefined) return { why: 'which is not a key that you trust' }
  const words = `a key that ended at ${ended.endedAt} (${ended.file})`
  const again = 'Ask the installation for it again, under its key of now'
  if (subtle === undefined || brought == null)
    return {
      why: `${words}: that it was sealed before is not shown by the receipt alone, but by the slips of its signatures (--slip, --kept). ${again}`,
    }
  const found = await judgeEndedSeal(subtle, { hash, ...written, publicKey, ended }, brought)
  return 'why' in found ? { why: `${words}: ${found.why}. ${again}` } : { lines: [words, ...found.lines] }
}

/** Refuses a receipt that cannot be read or computed at all, with the reason. */
export async function judgeReceipt(source: string, judge: Judge): Promise<Verdict> {
  const file = readSealedReceipt(source)
  const { seal, trust, sealedBefore, problems: sealProblems } = await judgeSealed(judge, 'receipt', file)
  const problems = [...sealProblems]
  return judgeNext(problems, async () => {
    const receipt = readWrittenReceipt(file)
    const read = readBody(receipt.body)
    const signed = { bodyHash: file.bodyHash, subject: read.period, signWith: receipt.body.parties.signWith }
    const signatures = await judgeSignatures(judge, signed, receipt.signatures, seal === 'good')
    problems.push(...signatureProblems(signatures))
    const replayed = replay(read)
    const written = firstDifference(replayed)
    const compiler = written === null ? compileAgain(replayed) : null
    const difference = written ?? compiler?.difference ?? null
    if (difference !== null) problems.push(`${difference.line} does not follow from the figures in the receipt`)
    const isHashSame = receipt.hash === receipt.bodyHash
    const judged = { seal, trust, sealedBefore, signatures, problems }
    return { receipt, edition: read.edition, difference, compiler, isHashSame, ...judged }
  })
}

async function checkSeal(
  subtle: SignatureCheck | undefined,
  { seal, sealed }: Pick<SealedFile, 'seal' | 'sealed'>,
): Promise<SealState> {
  if (seal === null) return 'missing'
  const [key, value] = [bytesOfBase64url(seal.publicKey), bytesOfBase64url(seal.value)]
  if (key?.length !== 32 || value?.length !== 64) return 'bad'
  if (subtle === undefined) return 'unchecked'
  try {
    const imported = await subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify'])
    const isGood = await subtle.verify({ name: 'Ed25519' }, imported, value, new TextEncoder().encode(sealed))
    return isGood ? 'good' : 'bad'
  } catch (error) {
    return error instanceof Error && error.name === 'NotSupportedError' ? 'unchecked' : 'bad'
  }
}

export function trustOf(seal: Signature | null, keys: readonly string[] | null): Trust {
  if (keys === null) return 'not-compared'
  return seal !== null && keys.includes(seal.publicKey) ? 'trusted' : 'other'
}

/** The part that a signature has to cover: the hash of the body, and the signed name, if the body contains one. */
interface SignedBody {
  readonly bodyHash: string
  readonly subject: string | null
  /** Whether many are signed as one list by password too (decision 0668). */
  readonly hasPlainLists?: boolean
  /** The ways in which both may sign; left out: any. */
  readonly signWith?: readonly SignKind[] | undefined
}

async function judgeSignatures(
  judge: Judge,
  of: SignedBody,
  given: readonly PartySignature[],
  isSealed: boolean,
): Promise<readonly JudgedSignature[]> {
  const signatures: JudgedSignature[] = []
  for (const signature of given) signatures.push(await judgeSignature(judge, of, signature, isSealed))
  return signatures
}

async function judgeSignature(
  { subtle, trustedIssuers = null }: Judge,
  { bodyHash, subject, hasPlainLists = false, signWith }: SignedBody,
  signature: PartySignature,
  isSealed: boolean,
): Promise<JudgedSignature> {
  const none = (problem: string): JudgedSignature => ({ signature, whose: 'nobodys', problem })
  if (signature.hash !== bodyHash) return none('it is given for another receipt')
  const isSeen = (each: { readonly period: string; readonly hash: string }) =>
    each.hash === bodyHash && (subject === null || each.period === subject)
  if (!signature.together.some(isSeen)) return none(`${subject ?? 'what it is given for'} is not among what was signed`)
  if (!isAcceptedKind(signWith, signature.means))
    return none(`what was signed is to be signed ${formatSignKinds(signWith!)}, and this is none of it`)
  if ((signature.means === 'PASSKEY') !== (signature.passkey !== null))
    return none('a signature by passkey is said, or is there, without the other')
  if ((signature.means === 'PROVIDER') !== (signature.provider !== undefined))
    return none('a signature by a provider is said, or is there, without the other')
  const { passkey, provider, origin = null } = signature
  if (passkey === null && provider === undefined && signature.batch !== undefined && !hasPlainLists)
    return none('a list that a passkey signed is there without the passkey')
  const wrong = wrongInBatch(signature)
  if (wrong !== null) return none(wrong)
  if (passkey === null && (provider === undefined || 'proof' in provider)) {
    if (!isSealed) return none('nothing vouches for it: the seal on the receipt is not valid')
    const whose = signature.means === 'OPERATOR' ? 'made-by-operator' : 'operators-word'
    return { signature, whose, problem: null }
  }
  const way = passkey === null ? 'a provider' : 'passkey'
  if (subtle === undefined) return none(`signatures by ${way} cannot be checked here`)
  const challenge = challengeOf(hashSigned(signature), origin)
  if (passkey === null) {
    const proof = provider as ProviderProof
    const problem = await checkProviderProof(subtle, proof, challenge, signature.signedAt)
    if (problem !== null) return none(problem)
    const { issuer, subject } = proof
    if (origin?.identities?.some(each => each.issuer === issuer && each.subject === subject) !== true)
      return none('who signed at the provider is not who was recorded for the signer')
    const issuerTrust = issuerTrustOf(proof, trustedIssuers)
    if (issuerTrust === 'other') return none(`it is by a key that you do not trust as one of ${issuer}`)
    return { signature, whose: 'providers-token', problem: null, issuerTrust }
  }
  const { problem } = await checkPasskey(subtle, passkey, challenge)
  if (problem !== null) return none(problem)
  if (origin?.passkeys.some(({ id }) => id === passkey.credentialId) !== true)
    return none('the key that signed is not one of those that were recorded for the signer')
  return { signature, whose: 'registered-key', problem: null }
}

/** The hash that the passkey was given: of what was signed here, or of the list of several agreements that contains it. */
function hashSigned({ together, batch }: PartySignature): string {
  return batch === undefined ? signedHashOf(together) : hashOfBatch(batch.entries)
}

/** The fault of a list of several agreements that does not contain this signature; null where it does, or there is none. */
function wrongInBatch({ together, batch, passkey, provider }: PartySignature): string | null {
  if (batch === undefined) return null
  const list = `the list that ${passkey === null ? (provider === undefined ? 'was' : 'the provider') : 'the passkey'} signed`
  if (!isAscending(batch.entries)) return `${list} is not in ascending order`
  if (batch.entries.includes(batchEntry(signedHashOf(together), batch.salt))) return null
  return `it is not in ${list}`
}

/** A signed proposal with its receipt: a correction, or a change of terms. */
interface SealedProposal {
  readonly hash: string
  readonly body: object
  readonly signatures: readonly unknown[]
  readonly seal: Signature | null
}

export interface ProposalVerdict extends Pick<Verdict, 'seal' | 'trust' | 'sealedBefore' | 'signatures' | 'problems'> {
  readonly bodyHash: string
}

/** The kind of a proposal, and how its fields are read once its hash and its seal are known. */
interface ProposalReading<T> {
  readonly what: 'correction' | 'change'
  /** Whether many are signed as one list by password too (decision 0668). */
  readonly hasPlainLists: boolean
  readonly read: () => T
  /** Faults against its own figures. */
  readonly check: (read: T) => readonly string[]
}

/** Judges hash, seal, signatures and figures of a proposal, in this order. */
export async function judgeProposal<
  T extends { readonly body: object; readonly signatures: readonly PartySignature[] },
>(
  judge: Judge,
  { hash, body, signatures: given, seal: by }: SealedProposal,
  { what, hasPlainLists, read, check }: ProposalReading<T>,
): Promise<ProposalVerdict & { readonly proposal: T; readonly differences: readonly string[] }> {
  const bodyHash = hashOf(body)
  const sealed = sealedHash({ hash, signatures: given as readonly PartySignature[] })
  const written = { signatures: given, hasObjections: false }
  const file = { hash, bodyHash, seal: by, sealed, written }
  const { seal, trust, sealedBefore, problems: sealProblems } = await judgeSealed(judge, what, file)
  const problems = [...sealProblems]
  return judgeNext(problems, async () => {
    const proposal = read()
    const { signWith } = (proposal.body as Pick<SignedHead, 'parties'>).parties
    const signed = { bodyHash, subject: null, hasPlainLists, signWith }
    const signatures = await judgeSignatures(judge, signed, proposal.signatures, seal === 'good')
    problems.push(...signatureProblems(signatures))
    const differences = check(proposal)
    problems.push(...differences)
    return { bodyHash, seal, trust, sealedBefore, signatures, proposal, differences, problems }
  })
}

function signatureProblems(signatures: readonly JudgedSignature[]): readonly string[] {
  const problems: string[] = []
  for (const { signature, problem } of signatures)
    if (problem !== null) problems.push(`the ${signature.party}'s signature (${signature.signedBy}): ${problem}`)
  const parties = new Set(signatures.map(({ signature }) => signature.party))
  if (parties.size < signatures.length) problems.push('signatures: one party has signed twice')
  const people = new Set(signatures.map(({ signature }) => signature.signedBy))
  if (people.size < signatures.length) problems.push('signatures: one person has signed for both parties')
  return problems
}

/** The part of a receipt that rests on the operator's word, in sentences. */
export function formatTrust({ receipt, compiler, signatures }: Verdict): string[] {
  const shares = `how the change of ${receipt.body.period} is shared among its parts, which add up: it is the first under other terms`
  return [
    ...formatFigures(receipt.body.observations ?? []),
    ...(compiler?.lacksLast === true ? [shares] : []),
    ...formatSigners(signatures),
  ]
}

/** The origin of figures rests on the operator's word alone. */
export function formatFigures(observations: ReceiptBody['observations']): string[] {
  const told: string[] = []
  const origins = observations.map(({ origin }) => origin)
  const providers = [...new Set(origins.flatMap(origin => ('provider' in origin ? [origin.provider] : [])))].sort()
  if (providers.length > 0) told.push(`that the figures of ${providers.join(', ')} were read there as they stand here`)
  const uploaders = [...new Set(origins.flatMap(origin => ('provider' in origin ? [] : [origin.uploadedBy])))]
  for (const by of uploaders)
    told.push(
      by === null
        ? 'where imported figures come from: it was not recorded'
        : `that ${by} imported the files whose hashes are shown beside the figures`,
    )
  return told
}

export function formatSigners(signatures: readonly JudgedSignature[]): string[] {
  return signatures.flatMap(({ signature: { signedBy, party, provider }, whose, issuerTrust }) => {
    if (whose === 'providers-token') return formatProvidersWord(signedBy, provider!, issuerTrust)
    if (whose === 'operators-word') return [`that ${signedBy} signed as ${party}, and how they came to be let in`]
    if (whose === 'registered-key')
      return [
        `that the key with which was signed as ${party} was registered by ${signedBy}, and how they came to be let in`,
      ]
    if (whose !== 'made-by-operator') return []
    return [`that ${signedBy} agreed: the operator signed as ${party} in their name`]
  })
}

/** The provider's word in place of the operator's, once its key is known to be its own. */
function formatProvidersWord(
  signedBy: string,
  { issuer, subject }: ProviderSignature,
  trust: IssuerTrust | undefined,
): string[] {
  const linked = `that subject ${subject} at ${issuer} is ${signedBy}`
  return trust === 'trusted' ? [linked] : [`that the key in the proof is one of ${issuer}`, linked]
}

/** `ed25519:` and 43 characters, or null. */
export function readKeyName(written: string): string | null {
  const key = /^ed25519:([A-Za-z0-9_-]{43})$/.exec(written)?.[1] ?? null
  return key !== null && bytesOfBase64url(key)?.length === 32 ? key : null
}

interface PublishedKey {
  readonly algorithm: 'Ed25519'
  readonly publicKey: string
  /** The instant from which another key seals; left out for the present one. */
  readonly endedAt?: Instant
}

/** Keys that count, and keys that have ended. */
interface TrustedKeys {
  readonly keys: readonly string[]
  readonly ended: ReadonlyMap<string, Instant>
  /** Current keys of the public log. */
  readonly logKeys: readonly NoteKey[]
}

/** The public keys that an installation publishes at `/.well-known/assize-keys.json`. */
export interface PublishedKeys {
  readonly installation: { readonly id: string; readonly name: string | null }
  readonly keys: readonly PublishedKey[]
  /** Keys of the public log, as C2SP `signed-note` writes them: they sign its checkpoints. */
  readonly logKeys?: readonly string[]
}

export function readPublishedKeys(source: string): TrustedKeys {
  let json: unknown
  try {
    json = JSON.parse(source)
  } catch {
    throw new Refusal('invalid', 'it is not JSON')
  }
  const { keys, logKeys = [] } = (json ?? {}) as Partial<PublishedKeys>
  const found = Array.isArray(keys) ? keys.map(({ publicKey }) => readKeyName(`ed25519:${publicKey}`)) : []
  if (found.length === 0 || found.includes(null)) throw new Refusal('invalid', 'it has no list of public keys')
  const ended = keys!.flatMap(({ publicKey, endedAt }) =>
    endedAt === undefined ? [] : [[publicKey, instantOf(endedAt)] as const],
  )
  const endedKeys = new Map(ended)
  if (!Array.isArray(logKeys) || !logKeys.every(key => typeof key === 'string'))
    throw new Refusal('invalid', 'its logKeys are not a list of keys')
  const trusted = (found as string[]).filter(key => !endedKeys.has(key))
  return { keys: trusted, ended: endedKeys, logKeys: logKeys.map(readNoteKey) }
}

function instantOf(text: unknown): Instant {
  const instant = typeof text === 'string' ? parseInstant(text) : null
  if (instant === null) throw new Refusal('invalid', 'endedAt of a key must be an instant in UTC')
  return instant
}
