// Invitations to a workspace: who may invite whom, the one-time link of an invitation, and sight of that link. Every invitation
// is recorded with its maker and their side.

import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { appending, type OpenLog } from '../log/append.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import type { Sql, Transaction } from '../postgres/database.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { isOutsider, needMail, type Sight, sightOfLink } from './company-people.ts'
import type { Member, MemberState } from './member.ts'
import { admit, admitting, issueLink, loadMemberStates, type Newcomer, notHere, readEmail } from './people.ts'
import { type Acting, appendPeopleEvent, loadActing, loadPeopleEvents } from './people-events.ts'

/** The person and the token of their one-time link. */
export interface Invitation {
  readonly member: MemberState
  readonly token: string
  /** Sight of the link: for its maker, or only for the person at its address. */
  readonly sight: Sight
}

/** Delivery of a link: the work in the transaction that makes it, and whether mail is set up. */
export interface LinkMail {
  readonly isOn: boolean
  readonly onLink: (tx: Transaction, invitation: Invitation) => Promise<void>
}

export const noMail: LinkMail = { isOn: false, onLink: async () => {} }

export function invite(
  sql: Sql,
  workspaceId: string,
  newcomer: Newcomer,
  expiresAt: Instant,
  by: Actor,
  mail: LinkMail = noMail,
): Promise<Invitation> {
  return admitting(sql, workspaceId, newcomer, by, async (tx, acting) => {
    const { company = null, role } = newcomer
    const known = { email: readEmail(newcomer.email), role, company, hasJoined: false }
    const sight = await sightOfLink(tx, workspaceId, acting, known, rowSealsOf(tx))
    needMail(sight, mail.isOn, known)
    const { id, email } = await admit(tx, workspaceId, newcomer, by)
    const as = company === null ? role : `${role}, of ${company}`
    const activity = { ...by, act: 'person.invite' as const, what: `invited as ${as}`, subject: email }
    const invitation = await invitationOf(tx, workspaceId, id, expiresAt, activity, sight)
    await mail.onLink(tx, invitation)
    return invitation
  })
}

/** The link of a person who was just admitted, with the activity that says so. */
export async function invitationOf(
  tx: Transaction,
  workspaceId: string,
  personId: string,
  expiresAt: Instant,
  activity: Parameters<typeof noteActivity>[2],
  sight: Sight,
): Promise<Invitation> {
  const token = await issueLink(tx, personId, expiresAt)
  await noteActivity(tx, workspaceId, activity)
  const member = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === personId)!
  return { member, token: token!, sight }
}

/** Invites somebody again who has not joined: their earlier link no longer opens. */
export function inviteAgain(
  sql: Sql,
  workspaceId: string,
  personId: string,
  expiresAt: Instant,
  by: Actor,
  mail: LinkMail = noMail,
): Promise<Invitation> {
  return appending(sql, workspaceId, async (tx, log) => {
    const member = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === personId)
    if (member === undefined) throw notHere()
    const acting = await loadActing(tx, workspaceId, by)
    checkOwnPeople(acting, member)
    const sight = await sightOfLink(tx, workspaceId, acting, member, rowSealsOf(tx))
    needMail(sight, mail.isOn, member)
    const token = await issueLink(tx, personId, expiresAt)
    if (token === null) throw new Refusal('conflict', `${member.email} has joined already and needs no link`)
    await tx`
      update member set invited_by = ${by.who}, invited_at = clock_timestamp(), invited_from = ${by.fromAddress}
      where workspace_id = ${workspaceId} and person_id = ${personId}`
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'person.link',
      what: 'given a new set-up link',
      subject: member.email,
    })
    // A link that only the person sees lets nobody else in: their admission stays as it was.
    if (sight === 'SHOWN') await noteInvitedAgain(tx, log, acting, member)
    const changed = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === personId)!
    const invitation = { member: changed, token, sight }
    await mail.onLink(tx, invitation)
    return invitation
  })
}

/** Notes the second invitation; for somebody who had joined before, it is another link for a new password. */
async function noteInvitedAgain(
  tx: Transaction,
  log: OpenLog,
  acting: Acting,
  { id: personId, email, company: party, role }: MemberState,
): Promise<void> {
  const newest = (await loadPeopleEvents(tx, log.scope, { email }, rowSealsOf(tx))).findLast(
    ({ kind }) => kind === 'INVITED' || kind === 'PASSWORD_LINK',
  )
  const kind = newest?.kind === 'PASSWORD_LINK' ? 'PASSWORD_LINK' : 'INVITED'
  await appendPeopleEvent(tx, log, acting, { kind, email, personId, party, facts: { role } })
}

/** Refuses work on other companies' people; only owners may do it. */
export function checkOwnPeople(acting: Acting, { company }: Pick<Member, 'company'>): void {
  if (!isOutsider(acting)) return
  if (company === null || company !== acting.company) throw notHere()
}
