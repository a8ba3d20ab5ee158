// Changes of membership, role and company in a workspace, each noted in the transaction that makes it. The last owner stays.

import { Refusal } from '../../core/refusal.ts'
import type { Role } from '../../core/roles.ts'
import type { Instant } from '../../core/time/instant.ts'
import { appending, type OpenLog } from '../log/append.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { checkAdmits, isOutsider, loadAdministrators, needMail, sightOfLink } from './company-people.ts'
import { checkOwnPeople, type Invitation, invitationOf, type LinkMail, noMail } from './invitations.ts'
import type { MemberState } from './member.ts'
import { type EndedSecrets, endSecretsOf } from './membership-end.ts'
import { findCompany, putIntoCompany } from './parties.ts'
import { admit, loadMemberStates, notHere } from './people.ts'
import { type Acting, appendPeopleEvent, loadActing } from './people-events.ts'

/** A change of a member; absent values stay. */
interface MemberChange {
  readonly role?: Role | undefined
  /** Slug of the company; null takes them out of theirs. */
  readonly company?: string | null | undefined
}

/** Makes all of the change or nothing; nothing is noted where nothing changes. The company of a person is an entry. */
export function changeMember(
  sql: Sql,
  workspaceId: string,
  personId: string,
  change: MemberChange,
  by: Actor,
): Promise<MemberState> {
  const { role, company } = change
  if (company === undefined)
    return withWorkspace(sql, workspaceId, tx => changeRole(tx, workspaceId, personId, role, by))
  return appending(sql, workspaceId, async (tx, log) => {
    const member = await changeRole(tx, workspaceId, personId, role, by)
    return changeCompany(tx, log, member, company, by)
  })
}

async function changeRole(
  tx: Transaction,
  workspaceId: string,
  personId: string,
  role: Role | undefined,
  by: Actor,
): Promise<MemberState> {
  const { member, isLastOwner } = await lockMember(tx, workspaceId, personId)
  if (role === undefined || member.role === role) return member
  if (isLastOwner) throw lastOwner(member)
  await tx`update member set role = ${role} where workspace_id = ${workspaceId} and person_id = ${personId}`
  const what = `role changed from ${member.role} to ${role}`
  await noteActivity(tx, workspaceId, { ...by, act: 'role.change', what, subject: member.email })
  return { ...member, role }
}

async function changeCompany(
  tx: Transaction,
  log: OpenLog,
  member: MemberState,
  company: string | null,
  by: Actor,
): Promise<MemberState> {
  const { email, company: before } = member
  if (before === company) return member
  if (company !== null) await findCompany(tx, log.scope, company)
  const acting = await loadActing(tx, log.scope, by)
  await checkAdmits(tx, log.scope, acting, before)
  await checkAdmits(tx, log.scope, acting, company)
  const { id: personId, hasJoined } = member
  const about = { email, personId }
  const left = { kind: hasJoined ? 'MOVED_OUT' : 'WITHDRAWN', ...about, party: before } as const
  if (before !== null) await appendPeopleEvent(tx, log, acting, left)
  await putIntoCompany(tx, log, email, company)
  const entered = { kind: 'MOVED_IN', ...about, party: company, facts: { hasJoined } } as const
  if (company !== null) await appendPeopleEvent(tx, log, acting, entered)
  const what = `party changed from ${before ?? 'none'} to ${company ?? 'none'}`
  await noteActivity(tx, log.scope, { ...by, act: 'party.change', what, subject: email })
  return { ...member, company }
}

/**
 * Removes a member at once: with their place end their own feeds, and every key, feed and link that they made. Their sign-offs
 * and everything else they did stay. If it was their last place, their account ends with it, and all its sessions; otherwise
 * these no longer open this workspace. The people of their company and they themselves are told, and the company stays its own,
 * also where it was the last of them.
 */
export function removeMember(sql: Sql, workspaceId: string, personId: string, by: Actor): Promise<EndedSecrets> {
  return appending(sql, workspaceId, async (tx, log) => {
    const { member, isLastOwner } = await lockMember(tx, workspaceId, personId)
    const acting = await loadActing(tx, workspaceId, by)
    checkOwnPeople(acting, member)
    await checkRemover(tx, workspaceId, acting, member)
    if (isLastOwner) throw lastOwner(member)
    const { email, company: party, hasJoined } = member
    const event = { kind: hasJoined ? 'REMOVED' : 'WITHDRAWN', email, personId, party } as const
    await appendPeopleEvent(tx, log, acting, event)
    await tx`delete from member where workspace_id = ${workspaceId} and person_id = ${personId}`
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'person.remove',
      what: 'taken out of the workspace',
      subject: member.email,
    })
    return endSecretsOf(tx, workspaceId, email, by)
  })
}

/**
 * Renews the place of somebody who has joined and forgot their password: the same place, role, name and party, for an account
 * that nobody has used yet, with a one-time link. The account they had no longer opens this workspace, unless they give its
 * password at the link; in others nothing changes, and nothing tells whether there are any (decision 0410). If it has no other
 * place, it ends when somebody has joined by the link.
 */
export function renewPlace(
  sql: Sql,
  workspaceId: string,
  personId: string,
  expiresAt: Instant,
  by: Actor,
  mail: LinkMail = noMail,
): Promise<Invitation> {
  return appending(sql, workspaceId, async (tx, log) => {
    const { member, isLastOwner } = await lockMember(tx, workspaceId, personId)
    const { email, name, role, company, hasJoined } = member
    const acting = await loadActing(tx, workspaceId, by)
    checkOwnPeople(acting, member)
    if (!hasJoined) throw new Refusal('conflict', `${email} has not joined yet; give them a new invitation link`)
    if (isLastOwner) throw lastOwner(member)
    const sight = await sightOfLink(tx, workspaceId, acting, member, rowSealsOf(tx))
    needMail(sight, mail.isOn, member)
    const event = { kind: 'PASSWORD_LINK', email, personId, party: company } as const
    await appendPeopleEvent(tx, log, acting, event)
    await tx`delete from member where workspace_id = ${workspaceId} and person_id = ${personId}`
    const { id } = await admit(tx, workspaceId, { email, name, role, company }, by)
    await tx`update member set replaces = ${personId} where workspace_id = ${workspaceId} and person_id = ${id}`
    const activity = { ...by, act: 'password.reset' as const, what: 'given a link for a new password', subject: email }
    const invitation = await invitationOf(tx, workspaceId, id, expiresAt, activity, sight)
    await mail.onLink(tx, invitation)
    return invitation
  })
}

/** Checks that an administrator of the company removes its people, unless an owner does. */
async function checkRemover(tx: Transaction, workspaceId: string, acting: Acting, member: MemberState): Promise<void> {
  if (!isOutsider(acting) || member.id === acting.personId) return
  const administrators = await loadAdministrators(tx, workspaceId, acting.company!, rowSealsOf(tx))
  if (!administrators.has(acting.personId!))
    throw new Refusal('forbidden', `only an administrator of ${acting.company} removes its people`)
}

interface LockedMember {
  readonly member: MemberState
  readonly isLastOwner: boolean
}

/**
 * The member about to be changed. All owners are locked first, so that of two who step down at the same moment the second
 * sees that the first has gone. Only an owner who has joined can look after the workspace.
 */
async function lockMember(tx: Transaction, workspaceId: string, personId: string): Promise<LockedMember> {
  await tx`
    select 1 from member where workspace_id = ${workspaceId} and role = 'owner' and joined_at is not null
    order by person_id for update`
  const members = await loadMemberStates(tx, workspaceId)
  const owners = members.filter(({ role, hasJoined }) => role === 'owner' && hasJoined)
  const member = members.find(({ id }) => id === personId)
  if (member === undefined) throw notHere()
  return { member, isLastOwner: owners.length === 1 && owners[0]!.id === personId }
}

function lastOwner({ email }: MemberState): Refusal {
  return new Refusal(
    'conflict',
    `${email} is the last owner of this workspace and stays one; make somebody else an owner first`,
  )
}
