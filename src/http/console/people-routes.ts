// The routes of the console about the people of a workspace: who is in it, in which role, and how they get in. For owners.
import Type, { type Static } from 'typebox'
import { type Instant, instantOfMicros, microsOf } from '../../core/instant.ts'
import { limits } from '../../limits.ts'
import {
  roles as allRoles,
  changeRole,
  type Invitation,
  invite,
  inviteAgain,
  listMemberStates,
  type MemberState,
  removeMember,
} from '../../storage/people.ts'
import { actorOf, type ConsoleParts, type ConsoleRoute, created, done, ok, type Question } from './route.ts'
import type { Invited, PersonRow } from './wire/settings.ts'

const closed = { additionalProperties: false }
const role = Type.Union(allRoles.map(each => Type.Literal(each)))
const inviteBody = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: limits.emailLength }),
    name: Type.String({ maxLength: limits.namesLength }),
    role,
  },
  closed,
)
const roleBody = Type.Object({ role }, closed)

export function peopleRoutes({ installation, now }: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = installation
  const roles = ['owner'] as const
  return [
    {
      method: 'GET',
      path: '/people',
      roles,
      async answer(question) {
        const members = await listMemberStates(sql, question.seat.workspace.id)
        return ok(members.map(member => rowOf(member, question)))
      },
    },
    {
      method: 'POST',
      path: '/people',
      roles,
      body: inviteBody,
      async answer(question) {
        const { email, name, role: as } = question.body as Static<typeof inviteBody>
        const newcomer = { email, role: as, ...(name.trim() === '' ? {} : { name: name.trim() }) }
        const until = endOfLink(now())
        const { seat } = question
        const invitation = await invite(sql, seat.workspace.id, newcomer, until, actorOf(seat))
        return created(invitedOf(invitation, until, question))
      },
    },
    {
      method: 'POST',
      path: '/people/:id/link',
      roles,
      async answer(question) {
        const { seat, params } = question
        const until = endOfLink(now())
        const invitation = await inviteAgain(sql, seat.workspace.id, params.id!, until, actorOf(seat))
        return created(invitedOf(invitation, until, question))
      },
    },
    {
      method: 'PATCH',
      path: '/people/:id',
      roles,
      body: roleBody,
      async answer(question) {
        const { seat, params, body } = question
        const { role: becomes } = body as Static<typeof roleBody>
        return ok(rowOf(await changeRole(sql, seat.workspace.id, params.id!, becomes, actorOf(seat)), question))
      },
    },
    {
      method: 'DELETE',
      path: '/people/:id',
      roles,
      async answer({ seat, params }) {
        await removeMember(sql, seat.workspace.id, params.id!, actorOf(seat))
        return done
      },
    },
  ]
}

function rowOf({ role: as, ...member }: MemberState, { seat }: Question): PersonRow {
  return { ...member, role: as, isMe: member.id === seat.person.id }
}

function endOfLink(now: Instant): Instant {
  return instantOfMicros(microsOf(now) + limits.setUpLinkHours * 3_600_000_000)
}

/** The token stands behind a `#`: a browser keeps that part to itself, so it is in no log on the way. */
function invitedOf({ member, token }: Invitation, expiresAt: Instant, question: Question): Invited {
  return { person: rowOf(member, question), link: `${question.origin}/set-up#${token}`, expiresAt }
}
