// Signing what two parties agree on, a period or a correction: who may sign for which side, nobody for both, and how
// people proved who they are. It knows neither what is signed nor where it is stored; callers hold the workspace's
// publication lock.
import { canonicalJson, type Json } from '../core/canonical-json.ts'
import type { PasskeyAssertion } from '../core/party-signature.ts'
import { Refusal } from '../core/refusal.ts'
import type { SignerOrigin } from '../core/signer-origin.ts'
import { noteActivity } from '../storage/activity.ts'
import type { Transaction } from '../storage/database.ts'
import { insertSigning, type PamState, type Party, type Signing } from '../storage/pams.ts'
import { readCompanyWhen } from '../storage/parties.ts'
import { type Member, readMembers } from '../storage/people.ts'
import type { Publication } from '../storage/publish.ts'
import type { RowSeals } from '../storage/row-seals.ts'
import { readSignerOrigin } from '../storage/signers.ts'
import { otherParty, spell, whyNotAs } from './parties.ts'

/** How the signer proved who they are. The assertion was checked against the list that was shown and the origin. */
export type Proof =
  | { readonly means: 'PASSWORD' | 'OPERATOR' }
  | { readonly means: 'PASSKEY'; readonly passkey: PasskeyAssertion; readonly origin: SignerOrigin }

export interface Signer {
  readonly party: Party
  readonly email: string
  readonly proof: Proof
  readonly fromAddress: string | null
}

/** One act of signing under way. */
export interface SigningAct {
  readonly tx: Transaction
  readonly publication: Publication
  /** Who is on which side now. */
  readonly state: Pick<PamState, 'parties'>
  /** By address. */
  readonly members: ReadonlyMap<string, Member>
  readonly signer: Signer
}

/** Refuses somebody who may not sign for that side. */
export async function openAct(
  tx: Transaction,
  publication: Publication,
  state: SigningAct['state'],
  signer: Signer,
): Promise<SigningAct> {
  const members = new Map((await readMembers(tx, publication.scope)).map(member => [spell(member.email), member]))
  const act = { tx, publication, state, members, signer: { ...signer, email: spell(signer.email) } }
  const why = whyNot(act, signer.party, act.signer.email)
  if (why !== null) throw new Refusal('conflict', why)
  return act
}

function whyNot({ members, state }: SigningAct, party: Party, email: string): string | null {
  const { role = null, company = null } = members.get(email) ?? {}
  return whyNotAs(party, { email, role, company }, state)
}

/** A signature that was given for some proposal of a subject. */
export interface GivenSignature {
  readonly party: Party
  readonly signedBy: string
  readonly personId: string | null
  /** Of the body that was signed. */
  readonly hash: string
  readonly seq: number
}

/** What is signed: its name in sentences, and the hash of its body. */
export interface Signable {
  readonly subject: string
  readonly hash: string
}

/**
 * Nobody signs a subject for both sides, whatever its content was when they signed and whichever side they were on
 * then. And the other side's signature counts only while its signer is still on that side, or, for a company, was on it
 * when they signed.
 */
export async function checkOneSide(
  act: SigningAct,
  { subject, hash }: Signable,
  given: readonly GivenSignature[],
): Promise<void> {
  const { party, email } = act.signer
  const other = otherParty[party]
  const theirs = given.filter(each => each.party === other)
  const personId = act.members.get(email)?.id ?? null
  const isOwn = (each: GivenSignature) =>
    spell(each.signedBy) === email || (personId !== null && each.personId === personId)
  if (theirs.some(isOwn))
    throw new Refusal('conflict', `${email} has signed ${subject} for the other side; nobody signs for both`)
  for (const each of theirs.filter(({ hash: signed }) => signed === hash))
    if (!(await counts(act, each)))
      throw new Refusal(
        'conflict',
        `${each.signedBy} signed ${subject} as ${other} and is no longer on that side; name the ${other} under parties, which makes a new proposal for both to sign`,
      )
}

/** The people of a company change; who belonged to it when is in the chain (decision 0412). */
async function counts(act: SigningAct, { party, signedBy, seq }: GivenSignature): Promise<boolean> {
  const { tx, publication, state } = act
  const side = state.parties[party]
  if (typeof side !== 'string') return whyNot(act, party, spell(signedBy)) === null
  return (await readCompanyWhen(tx, publication.scope, spell(signedBy), seq)) === side
}

/** Stores the act, which one or several signatures then name. */
export async function insertAct(
  { tx, publication, members, signer }: SigningAct,
  together: Signing['together'],
  seals: RowSeals,
): Promise<{ readonly signingId: string; readonly given: Signing }> {
  const { email, proof, fromAddress } = signer
  const member = members.get(email)
  const origin = member === undefined ? null : await readSignerOrigin(tx, publication.scope, member.id, seals)
  if (proof.means === 'PASSKEY' && textOf(proof.origin) !== textOf(origin))
    throw new Refusal('conflict', 'what is recorded about you changed meanwhile; nothing was signed. Try again')
  const given: Signing = {
    personId: member?.id ?? null,
    name: member?.name ?? '',
    fromAddress,
    means: proof.means,
    together,
    passkey: proof.means === 'PASSKEY' ? proof.passkey : null,
    origin,
  }
  return { signingId: await insertSigning(tx, publication, given), given }
}

function textOf(origin: SignerOrigin | null): string {
  return canonicalJson(origin as unknown as Json)
}

export async function noteSigning({ tx, publication, signer }: SigningAct, subject: string): Promise<void> {
  const { fromAddress } = signer
  await noteActivity(tx, publication.scope, { ...whoAndWhat(signer), subject, fromAddress })
}

/** An operator signs under their own name, on behalf of somebody else. */
function whoAndWhat({ party, email, proof }: Signer): { readonly who: string; readonly what: string } {
  const { means } = proof
  if (means === 'OPERATOR')
    return { who: 'operator', what: `signed as ${party} by the operator, in the name of ${email}` }
  return { who: email, what: means === 'PASSKEY' ? `signed as ${party} with a passkey` : `signed as ${party}` }
}
