// Signing: a party confirms the very receipt it was shown. In order, once, for one side only; what both have signed keeps
// its number for ever. All of it under the workspace's publication lock, so that nothing of it moves while it is decided.
import { writeDay } from '../core/day.ts'
import { Refusal } from '../core/refusal.ts'
import type { Entry } from '../read/adjustments.ts'
import { PamSnapshot } from '../read/pam-snapshot.ts'
import { noteActivity } from '../storage/activity.ts'
import type { Sql, Transaction } from '../storage/database.ts'
import {
  insertSignOff,
  type KeptPam,
  keepReceipt,
  type PamState,
  type Party,
  readPam,
  type SignOff,
} from '../storage/pams.ts'
import { findMember, type Member, type Role } from '../storage/people.ts'
import { type Publication, publishing } from '../storage/publish.ts'
import type { Seal } from './seal.ts'
import { openLedger } from './standing.ts'

export interface SignQuestion {
  readonly workspaceId: string
  /** By id or slug. */
  readonly pam: string
  readonly period: string
  readonly party: Party
  readonly email: string
  /** The hash that was seen; null signs what is there. */
  readonly hash: string | null
  /** Earlier periods that this party has not signed, too. */
  readonly through: boolean
  readonly fromAddress: string | null
}

export interface Signed {
  /** What was added, in order; empty where all of it was signed before. */
  readonly added: readonly SignOff[]
  readonly period: string
  readonly hash: string
  readonly confirmed: Entry['confirmed']
}

export async function signPeriod(sql: Sql, seal: Seal, question: SignQuestion): Promise<Signed> {
  const email = question.email.trim().toLowerCase()
  const member = await findMember(sql, question.workspaceId, email)
  return publishing(sql, question.workspaceId, async (tx, publication) => {
    const kept = await readPam(tx, question.workspaceId, question.pam)
    const state = kept?.states.at(-1)
    if (kept === null || state === undefined) throw new Refusal('not-found', `there is no formula "${question.pam}"`)
    const whyNot = whyNotNow(kept.slug, state)
    if (whyNot !== null) throw new Refusal('conflict', whyNot)
    checkParty(question.party, email, member, state)
    const ledger = await openLedger(tx, question.workspaceId, new PamSnapshot(kept, seal.rows), publication.recordedAt)
    const wanted = ledger.find(question.period, null)
    if (question.hash !== null && question.hash !== wanted.hash)
      throw new Refusal(
        'conflict',
        `the proposal for ${wanted.period} has moved: its hash is now ${wanted.hash}, not ${question.hash}`,
      )
    const due = dueEntries(ledger.entries(wanted.date), wanted, question)
    const added: SignOff[] = []
    for (const entry of due) added.push(await signEntry(tx, publication, seal, kept, entry, { ...question, email }))
    const today = publication.recordedAt.slice(0, 10)
    const confirmed = { ...wanted.confirmed, [question.party]: wanted.confirmed[question.party] ?? today }
    return { added, period: wanted.period, hash: wanted.hash, confirmed }
  })
}

const otherParty = { buyer: 'supplier', supplier: 'buyer' } as const

function checkParty(party: Party, email: string, member: Member | null, state: PamState): void {
  const why = whyNotAs(party, email, member?.role ?? null, state)
  if (why !== null) throw new Refusal('conflict', why)
}

/** Named in the document, or a member with that role; never somebody of the other side. Null for who may. */
export function whyNotAs(
  party: Party,
  email: string,
  role: Role | null,
  { parties }: Pick<PamState, 'parties'>,
): string | null {
  const other = otherParty[party]
  const named = namedOn(parties[party])
  const namedOther = namedOn(parties[other])
  const isOther = namedOther?.includes(email) === true || (namedOther === null && role === other)
  if (isOther) return `${email} stands on the ${other}'s side and cannot sign as ${party}`
  const isParty = named === null ? role === party : named.includes(email)
  if (isParty) return null
  const who = named === null ? `a member with the role ${party}` : named.join(', ')
  return `${email} cannot sign as ${party}: that is for ${who}`
}

/** The e-mail addresses on a side; null where nobody is named. A party that is named by its slug has no address here. */
function namedOn(side: PamState['parties'][Party]): readonly string[] | null {
  if (side === null) return null
  return typeof side === 'string' ? [] : side.map(each => each.toLowerCase())
}

export function whyNotNow(slug: string, { status }: Pick<PamState, 'status'>): string | null {
  return status === 'ACTIVE' ? null : `${slug} is ${status}; only what is ACTIVE can be signed`
}

/** Not yet signed by this party, and still to be. */
export function isOpenFor(party: Party, entry: Entry): boolean {
  return !entry.isSigned && entry.confirmed[party] === null
}

/** What has to be signed now, oldest first. Refuses to leave an earlier period behind. */
function dueEntries(entries: readonly Entry[], wanted: Entry, { party, through }: SignQuestion): Entry[] {
  const isOpen = (entry: Entry) => isOpenFor(party, entry)
  const earlier = entries.filter(entry => entry.date < wanted.date && isOpen(entry))
  if (earlier.length > 0 && !through && isOpen(wanted))
    throw new Refusal(
      'conflict',
      `${earlier.map(entry => entry.period).join(', ')} must be signed by the ${party} first, or all of them at once through ${wanted.period}`,
    )
  return [...(through ? earlier : []), ...(isOpen(wanted) ? [wanted] : [])]
}

async function signEntry(
  tx: Transaction,
  publication: Publication,
  seal: Seal,
  kept: KeptPam,
  entry: Entry,
  { party, email, fromAddress }: SignQuestion,
): Promise<SignOff> {
  const { period, hash, body, carried } = entry
  const adjustmentDate = writeDay(entry.date)
  const isOthers = kept.signOffs.some(
    each => each.period === period && each.receiptHash === hash && each.signedBy === email,
  )
  if (isOthers) throw new Refusal('conflict', `${email} has signed ${period} for the other side; nobody signs for both`)
  const receipt = { period, receiptHash: hash, adjustmentDate, receipt: JSON.stringify({ hash, body }), carried }
  await keepReceipt(tx, publication, kept.id, receipt, seal.rows)
  const given = { period, receiptHash: hash, party, adjustmentDate, signedBy: email }
  const signOff = await insertSignOff(tx, publication, kept.id, given, seal.rows)
  await noteActivity(tx, publication.scope, {
    who: email,
    what: `signed as ${party}`,
    subject: `${kept.slug} ${period}`,
    fromAddress,
  })
  return signOff
}
