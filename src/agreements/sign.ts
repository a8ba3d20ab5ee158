// Signing: a party confirms the very receipts it was shown. In order, once, for one side only; what both have signed keeps
// its number forever. All of it under the workspace's publication lock, so that nothing of it moves while it is decided.
import { writeDay } from '../core/day.ts'
import type { PasskeyAssertion } from '../core/party-signature.ts'
import { Refusal } from '../core/refusal.ts'
import type { Entry } from '../read/adjustments.ts'
import type { LibraryBounds } from '../read/library-bounds.ts'
import { PamSnapshot } from '../read/pam-snapshot.ts'
import { noteActivity } from '../storage/activity.ts'
import type { Sql, Transaction } from '../storage/database.ts'
import {
  insertSigning,
  insertSignOff,
  type KeptPam,
  keepReceipt,
  type PamState,
  type Party,
  readPam,
  type Signing,
  type SignOff,
} from '../storage/pams.ts'
import { readCompanyWhen } from '../storage/parties.ts'
import { type Member, readMembers } from '../storage/people.ts'
import { type Publication, publishing } from '../storage/publish.ts'
import { otherParty, spell, whyNotAs } from './parties.ts'
import type { Seal } from './seal.ts'
import { dueAsShown, type Shown } from './shown.ts'
import { openLedger } from './standing.ts'

export interface SignRequest {
  readonly workspaceId: string
  /** By id or slug. */
  readonly pam: string
  readonly period: string
  readonly party: Party
  readonly email: string
  readonly shown: Shown
  /** Earlier periods that this party has not signed, too; a list says it by itself. */
  readonly through: boolean
  readonly proof: Proof
  readonly fromAddress: string | null
  /** How much computing the numbers may take; left out, as much as one formula may. */
  readonly bounds?: LibraryBounds
}

/** How it is known who signs. The assertion was checked against the list that was shown. */
export type Proof =
  | { readonly means: 'PASSWORD' | 'OPERATOR' }
  | { readonly means: 'PASSKEY'; readonly passkey: PasskeyAssertion }

/** A sign-off, with the number it was given for. */
export interface AddedSignOff extends SignOff {
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

export interface Signed {
  /** What was added, in order; empty where all of it was signed before. */
  readonly added: readonly AddedSignOff[]
  readonly period: string
  readonly hash: string
  readonly confirmed: Entry['confirmed']
}

export async function signPeriod(sql: Sql, seal: Seal, request: SignRequest): Promise<Signed> {
  const { workspaceId, party, shown, through } = request
  return publishing(sql, workspaceId, async (tx, publication) => {
    const members = new Map((await readMembers(tx, workspaceId)).map(member => [spell(member.email), member]))
    const kept = await readPam(tx, workspaceId, request.pam)
    const state = kept?.states.at(-1)
    if (kept === null || state === undefined) throw new Refusal('not-found', `there is no formula "${request.pam}"`)
    const whyNot = whyNotNow(kept.slug, state)
    if (whyNot !== null) throw new Refusal('conflict', whyNot)
    const act = { tx, publication, seal, kept, state, members, request: { ...request, email: spell(request.email) } }
    checkSigner(act)
    const snapshot = new PamSnapshot(kept, seal.rows)
    const ledger = await openLedger(tx, workspaceId, snapshot, publication.recordedAt, request.bounds)
    const wanted = ledger.find(request.period, null)
    const due = { party, wanted, through, entries: ledger.entries(wanted.date), kept }
    const { open, together } = dueAsShown(due, shown)
    for (const entry of open) await checkOneSide(act, entry)
    const added = open.length === 0 ? [] : await signAll(act, open, together)
    const day = publication.recordedAt.slice(0, 10)
    const confirmed = { ...wanted.confirmed, [party]: wanted.confirmed[party] ?? day }
    return { added, period: wanted.period, hash: wanted.hash, confirmed }
  })
}

/** One act of signing under way. */
interface Act {
  readonly tx: Transaction
  readonly publication: Publication
  readonly seal: Seal
  readonly kept: KeptPam
  readonly state: PamState
  /** By address. */
  readonly members: ReadonlyMap<string, Member>
  readonly request: SignRequest
}

function whyNot({ members, state }: Act, party: Party, email: string): string | null {
  const { role = null, company = null } = members.get(email) ?? {}
  return whyNotAs(party, { email, role, company }, state)
}

function checkSigner(act: Act): void {
  const why = whyNot(act, act.request.party, act.request.email)
  if (why !== null) throw new Refusal('conflict', why)
}

/**
 * Nobody signs a period for both sides, whatever it was when they signed and whichever side they were on then. And what
 * the other side has signed counts only while its signer is still on it, or for a company was on it when they signed.
 */
async function checkOneSide(act: Act, { period, hash }: Entry): Promise<void> {
  const { kept, members, request } = act
  const { party, email } = request
  const other = otherParty[party]
  const theirs = kept.signOffs.filter(each => each.period === period && each.party === other)
  const personId = members.get(email)?.id ?? null
  const isOwn = (each: SignOff) =>
    spell(each.signedBy) === email || (personId !== null && each.given.personId === personId)
  if (theirs.some(isOwn))
    throw new Refusal('conflict', `${email} has signed ${period} for the other side; nobody signs for both`)
  for (const given of theirs.filter(each => each.receiptHash === hash))
    if (!(await counts(act, given)))
      throw new Refusal(
        'conflict',
        `${given.signedBy} signed ${period} as ${other} and no longer stands on that side; name the ${other} under parties, which makes a new proposal for both to sign`,
      )
}

/** The people of a company change; who belonged to it when is in the chain (decision 0412). */
async function counts(act: Act, { party, signedBy, seq }: SignOff): Promise<boolean> {
  const { tx, publication, state } = act
  const side = state.parties[party]
  if (typeof side !== 'string') return whyNot(act, party, spell(signedBy)) === null
  return (await readCompanyWhen(tx, publication.scope, spell(signedBy), seq)) === side
}

export function whyNotNow(slug: string, { status }: Pick<PamState, 'status'>): string | null {
  return status === 'ACTIVE' ? null : `${slug} is ${status}; only what is ACTIVE can be signed`
}

async function signAll(act: Act, open: readonly Entry[], together: Signing['together']): Promise<AddedSignOff[]> {
  const { tx, publication, kept, members, request } = act
  const { party, email, fromAddress, proof } = request
  const member = members.get(email)
  const given: Signing = {
    personId: member?.id ?? null,
    name: member?.name ?? '',
    fromAddress,
    means: proof.means,
    together,
    passkey: proof.means === 'PASSKEY' ? proof.passkey : null,
  }
  const signingId = await insertSigning(tx, publication, given)
  const added: AddedSignOff[] = []
  for (const entry of open) {
    const { adjustmentPct, cumulativePct, price = null } = entry.calculation
    const signOff = await signEntry(act, entry, signingId, given)
    added.push({ ...signOff, adjustmentPct, cumulativePct, price })
    await noteActivity(tx, publication.scope, {
      ...whoAndWhat(party, email, proof),
      subject: `${kept.slug} ${entry.period}`,
      fromAddress,
    })
  }
  return added
}

/** An operator signs under their own name, in that of somebody else. */
function whoAndWhat(party: Party, email: string, { means }: Proof): { readonly who: string; readonly what: string } {
  if (means === 'OPERATOR')
    return { who: 'operator', what: `signed as ${party} by the operator, in the name of ${email}` }
  return { who: email, what: means === 'PASSKEY' ? `signed as ${party} with a passkey` : `signed as ${party}` }
}

async function signEntry(act: Act, entry: Entry, signingId: string, given: Signing): Promise<SignOff> {
  const { tx, publication, seal, kept, request } = act
  const { period, hash, body, carried } = entry
  const adjustmentDate = writeDay(entry.date)
  const receipt = { period, receiptHash: hash, adjustmentDate, receipt: JSON.stringify({ hash, body }), carried }
  await keepReceipt(tx, publication, kept.id, receipt, seal.rows)
  const { party, email: signedBy } = request
  const signOff = { period, receiptHash: hash, party, adjustmentDate, signedBy, given }
  return insertSignOff(tx, publication, kept.id, { signingId, signOff }, seal.rows)
}
