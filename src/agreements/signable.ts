// Signing of a period, a correction or a change of terms: who may sign for which side, nobody for both, and how people proved who
// they are. It does not know the content that is signed nor where that is stored; callers hold the lock of the workspace's log.

import type { ProviderProof } from '../core/identity/provider-signature.ts'
import type { Party } from '../core/parties.ts'
import type { PasskeyAssertion } from '../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../core/receipt/signer-origin.ts'
import { Refusal } from '../core/refusal.ts'
import { canonicalJson, type Json } from '../core/text/canonical-json.ts'
import type { ProposalState } from '../core/true-up/proposal-state.ts'
import type { AgreementStateRow } from '../storage/agreements/agreements.ts'
import type { ProposalSignature } from '../storage/agreements/proposal-answers.ts'
import { insertSignings } from '../storage/agreements/signed-rows.ts'
import type { Signing, SigningOfBatch } from '../storage/agreements/signing.ts'
import { isOnePerson, loadTraces, type Traces, tracesOfSigner } from '../storage/identity/person-match.ts'
import type { OpenLog } from '../storage/log/append.ts'
import type { RowSeals } from '../storage/log/row-seals.ts'
import type { Member } from '../storage/people/member.ts'
import { loadCompanyHistories } from '../storage/people/parties.ts'
import { loadMembers } from '../storage/people/people.ts'
import { loadSignerOrigin } from '../storage/people/signers.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { type Activity, noteActivity } from '../storage/workspaces/activity.ts'
import { otherParty, type Signatory, sideOf, spell, whyNotAs, whyNotByKind } from './parties.ts'
import type { Audience } from './status-words.ts'

/** Proof of the signer's identity. Assertion and token were checked against the list that was shown and the origin. */
export type SignerProof =
  | {
      readonly means: 'PASSWORD' | 'OPERATOR'
      /** The list of one act that signs several changes of terms, and the salt that hides this one in it. */
      readonly batch?: SigningOfBatch
    }
  | {
      readonly means: 'PASSKEY'
      readonly passkey: PasskeyAssertion
      readonly origin: SignerOrigin
      /** The list of one touch that signs several agreements, and the salt that hides this one in it. */
      readonly batch: SigningOfBatch | null
    }
  | {
      readonly means: 'PROVIDER'
      readonly provider: ProviderProof
      readonly origin: SignerOrigin
      readonly batch: SigningOfBatch | null
    }

export interface Signer {
  readonly party: Party
  readonly email: string
  readonly proof: SignerProof
  readonly fromAddress: string | null
  /** The audience of a refusal; an insider by default. */
  readonly hearer?: Audience
}

/** Somebody who would sign for a side. */
export interface JudgedSigner extends SigningPeople {
  readonly state: Pick<AgreementStateRow, 'parties'>
  /** The address in one spelling. */
  readonly signer: Pick<Signer, 'party' | 'email' | 'hearer'>
}

export interface SigningAct extends JudgedSigner {
  readonly tx: Transaction
  readonly log: OpenLog
  readonly signer: Signer
  /** Membership of the signer; undefined where the operator signs in the name of somebody who is no member. */
  readonly own: Member | undefined
}

/** The people of a workspace, as far as signing asks about them. */
export interface SigningPeople {
  readonly members: ReadonlyMap<string, Member>
  /** The company that an address was of at a place in the sequence. */
  readonly companyWhen: (email: string, seq: number) => string | null
  /** Origins of the signers, by address. */
  readonly origins: ReadonlyMap<string, SignerOrigin | null>
  /** Traces that show who the signers are, by address. */
  readonly traces: ReadonlyMap<string, Traces>
  /** Colleagues of each signer, and other accounts of the same person, by address. */
  readonly related: ReadonlyMap<string, readonly Member[]>
}

/** Everybody in a workspace, and what shows who they are. */
export interface KnownPeople {
  readonly members: SigningPeople['members']
  readonly traces: ReadonlyMap<string, Traces>
}

export async function loadKnownPeople(tx: Transaction, workspaceId: string): Promise<KnownPeople> {
  const members = new Map((await loadMembers(tx, workspaceId)).map(member => [spell(member.email), member]))
  return { members, traces: await loadTraces(tx, workspaceId) }
}

interface SignerQuery {
  /** Everybody who signs now. */
  readonly signers: readonly Pick<Signer, 'email'>[]
  /** Everybody whose earlier signature may matter. */
  readonly signedBy: readonly string[]
}

export async function loadSigningPeople(
  tx: Transaction,
  workspaceId: string,
  { signers, signedBy }: SignerQuery,
  seals: RowSeals,
): Promise<SigningPeople> {
  const known = await loadKnownPeople(tx, workspaceId)
  const companyWhen = await loadCompanyHistories(tx, workspaceId, [...new Set(signedBy.map(spell))])
  const emails = [...new Set(signers.map(signer => spell(signer.email)))]
  const origins = new Map<string, SignerOrigin | null>()
  for (const email of emails) {
    const id = known.members.get(email)?.id
    if (id !== undefined) origins.set(email, await loadSignerOrigin(tx, workspaceId, id, seals))
  }
  const traces = new Map(emails.map(email => [email, tracesOf(known, email)]))
  const related = new Map(emails.map(email => [email, relatedTo(known, email)]))
  return { members: known.members, companyWhen, origins, traces, related }
}

function tracesOf({ members, traces }: KnownPeople, email: string): Traces {
  return traces.get(members.get(email)?.id ?? '') ?? tracesOfSigner({ signedBy: email, personId: null, origin: null })
}

/** Colleagues of a person, and other accounts of the same person. */
export function relatedTo(known: KnownPeople, address: string): readonly Member[] {
  const email = spell(address)
  const [own, traces] = [known.members.get(email), tracesOf(known, email)]
  const isRelated = (other: Member) =>
    isOfCompany(own, other.company) || isOnePerson(traces, tracesOf(known, spell(other.email)))
  return [...known.members.values()].filter(other => other !== own && isRelated(other))
}

/** Refuses somebody who may not sign for that side. */
export function openAct(
  tx: Transaction,
  log: OpenLog,
  state: SigningAct['state'],
  signer: Signer,
  people: SigningPeople,
): SigningAct {
  const email = spell(signer.email)
  const act = { tx, log, state, ...people, own: people.members.get(email), signer: { ...signer, email } }
  const why = whyNotForSide(act) ?? whyNotByKind(state.parties.signWith, signer.proof.means)
  if (why !== null) throw new Refusal('conflict', why)
  return act
}

/** Why somebody does not sign for a side, whatever it is; null where they may. */
export function whyNotForSide(judged: JudgedSigner): string | null {
  const { party, email } = judged.signer
  const apart = whyNotApart(party, signatoryOf(judged, email), judged.state, judged.related.get(email)!)
  return whyNot(judged, party, email) ?? apart
}

/**
 * Why somebody does not sign for a party: no person and no company stands on both sides. Null where nobody like them is across.
 */
export function whyNotApart(
  party: Party,
  { email, company }: Signatory,
  state: SigningAct['state'],
  related: readonly Signatory[],
): string | null {
  const other = otherParty[party]
  const across = related.find(member => sideOf(member, state) === other)
  if (across === undefined) return null
  const why =
    company !== null && across.company === company
      ? `both of ${company}`
      : 'one person, by their passkey or their identity provider'
  return `${email} and ${across.email} are ${why}, and ${across.email} stands for the ${other}; nobody signs for both sides`
}

function isOfCompany(own: Member | undefined, company: string | null): boolean {
  return company !== null && own?.company === company
}

function whyNot(judged: JudgedSigner, party: Party, email: string): string | null {
  return whyNotAs(party, signatoryOf(judged, email), judged.state, 'sign', judged.signer.hearer ?? 'insider')
}

/** Somebody as the workspace knows them. */
export function signatoryOf({ members }: Pick<SigningPeople, 'members'>, email: string): Signatory {
  const { role = null, company = null, isNameable = true } = members.get(email) ?? {}
  return { email, role, company, isNameable }
}

/** A signature that was given for some proposal of a subject. */
export interface GivenSignature {
  readonly party: Party
  readonly signedBy: string
  readonly personId: string | null
  readonly origin: SignerOrigin | null
  /** Hash of the body that was signed. */
  readonly hash: string
  readonly seq: number
}

/** A proposal that both have to sign, with the answers to it. */
interface AnsweredProposal {
  readonly id: string
  readonly hash: string
  readonly state: ProposalState
  readonly signatures: readonly ProposalSignature[]
}

/** Signatures on any proposal after the last agreed one, oldest first: nobody may be on both sides of them. */
export function signaturesSinceAgreed(proposals: readonly AnsweredProposal[]): readonly GivenSignature[] {
  const from = proposals.findLastIndex(({ state }) => state === 'AGREED') + 1
  return proposals.slice(from).flatMap(({ hash, signatures }) =>
    signatures.map(({ party, signedBy, seq, given: { personId, origin } }) => {
      return { party, signedBy, personId, origin, hash, seq }
    }),
  )
}

/** Checks a refusal: a party refuses an open proposal that it has not signed itself. */
export function checkRefusing({ id, state, signatures }: Omit<AnsweredProposal, 'hash'>, party: Party): void {
  if (state === 'AGREED') throw new Refusal('conflict', `buyer and supplier have both signed ${id}: it stands`)
  if (state === 'REFUSED') throw new Refusal('conflict', `${id} was refused already`)
  if (signatures.some(each => each.party === party))
    throw new Refusal('conflict', `the ${party} has signed ${id} and cannot refuse it`)
}

/** The subject of a signature: its name in sentences, and the hash of its body. */
interface Signable {
  readonly subject: string
  readonly hash: string
}

/**
 * Nobody signs a subject for both sides, whatever its content was when they signed and whichever side they were on
 * then. And the other side's signature counts only while its signer is still on that side, or, for a company, was on it
 * when they signed.
 */
export function whyNotOneSide(
  judged: JudgedSigner,
  { subject, hash }: Signable,
  given: readonly GivenSignature[],
): string | null {
  const { party, email } = judged.signer
  const other = otherParty[party]
  const theirs = given.filter(each => each.party === other)
  const traces = judged.traces.get(email)!
  if (theirs.some(each => isOnePerson(traces, tracesOfSigner(each))))
    return `${email} has signed ${subject} for the other side; nobody signs for both`
  const own = judged.members.get(email)
  const colleague = theirs.find(each => isOfCompany(own, judged.companyWhen(spell(each.signedBy), each.seq)))
  if (colleague !== undefined)
    return `${colleague.signedBy} of ${own!.company} has signed ${subject} for the other side; no company signs for both`
  const gone = theirs.find(each => each.hash === hash && !counts(judged, each))
  return gone === undefined
    ? null
    : `${gone.signedBy} signed ${subject} as ${other} and is no longer on that side; name the ${other} under parties, which makes a new proposal for both to sign`
}

/** The people of a company change; the log says who belonged to it when (decision 0412). */
function counts(judged: JudgedSigner, { party, signedBy, seq }: GivenSignature): boolean {
  const side = judged.state.parties[party]
  if (typeof side !== 'string') return whyNot(judged, party, spell(signedBy)) === null
  return judged.companyWhen(spell(signedBy), seq) === side
}

/** Stores the act, which one or several signatures then name. */
export async function insertAct(
  act: SigningAct,
  together: Signing['together'],
): Promise<{ readonly signingId: string; readonly given: Signing }> {
  const given = signingOf(act, together)
  const [signingId] = await insertSignings(act.tx, act.log, [given])
  return { signingId: signingId!, given }
}

/** The act as it is stored. */
export function signingOf(act: SigningAct, together: Signing['together']): Signing {
  const { email, proof, fromAddress } = act.signer
  const member = act.members.get(email)
  const origin = act.origins.get(email) ?? null
  if ('origin' in proof && textOf(proof.origin) !== textOf(origin))
    throw new Refusal('conflict', 'what is recorded about you changed meanwhile; nothing was signed. Try again')
  return {
    personId: member?.id ?? null,
    name: member?.name ?? '',
    fromAddress,
    means: proof.means,
    together,
    passkey: proof.means === 'PASSKEY' ? proof.passkey : null,
    provider: proof.means === 'PROVIDER' ? proof.provider : null,
    origin,
    batch: proof.batch ?? null,
  }
}

function textOf(origin: SignerOrigin | null): string {
  return canonicalJson(origin as unknown as Json)
}

export async function noteSigning(act: SigningAct, subject: string): Promise<void> {
  await noteActivity(act.tx, act.log.scope, activityOf(act, subject))
}

export function activityOf({ signer }: SigningAct, subject: string): Activity {
  return { ...whoAndWhat(signer), act: 'signature.give', subject, fromAddress: signer.fromAddress }
}

/** An operator signs under their own name, on behalf of somebody else. */
function whoAndWhat({ party, email, proof }: Signer): { readonly who: string; readonly what: string } {
  const { means } = proof
  if (means === 'OPERATOR')
    return { who: 'operator', what: `signed as ${party} by the operator, in the name of ${email}` }
  const how = { PASSKEY: ' with a passkey', PROVIDER: ' by the identity provider', PASSWORD: '' }[means]
  return { who: email, what: `signed as ${party}${how}` }
}
