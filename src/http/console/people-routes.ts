// The routes of the console about the people of a workspace: who is in it, in which role, and how they get in. For owners.
import { type Instant, instantOfMicros, microsOf } from '../../core/instant.ts'
import { limits } from '../../limits.ts'
import {
  changeRole,
  type Invitation,
  invite,
  inviteAgain,
  listMemberStates,
  type MemberState,
  removeMember,
} from '../../storage/people.ts'
import { actorOf, type ConsoleParts, type ConsoleRoute, created, done, ok, type Question, route } from './route.ts'
import type { Invited, PersonRow } from './wire/settings.ts'

export function peopleRoutes({ installation, now }: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = installation
  const roles = ['owner'] as const
  return [
    route('GET /people', {
      roles,
      async answer(question) {
        const members = await listMemberStates(sql, question.seat.workspace.id)
        return ok(members.map(member => rowOf(member, question)))
      },
    }),
    route('POST /people', {
      roles,
      async answer(question) {
        const { seat, body } = question
        const { email, name, role } = body
        const newcomer = { email, role, ...(name.trim() === '' ? {} : { name: name.trim() }) }
        const until = endOfLink(now())
        const invitation = await invite(sql, seat.workspace.id, newcomer, until, actorOf(seat))
        return created(invitedOf(invitation, until, question))
      },
    }),
    route('POST /people/:id/link', {
      roles,
      async answer(question) {
        const { seat, params } = question
        const until = endOfLink(now())
        const invitation = await inviteAgain(sql, seat.workspace.id, params.id, until, actorOf(seat))
        return created(invitedOf(invitation, until, question))
      },
    }),
    route('PATCH /people/:id', {
      roles,
      async answer(question) {
        const { seat, params, body } = question
        return ok(rowOf(await changeRole(sql, seat.workspace.id, params.id, body.role, actorOf(seat)), question))
      },
    }),
    route('DELETE /people/:id', {
      roles,
      async answer({ seat, params }) {
        await removeMember(sql, seat.workspace.id, params.id, actorOf(seat))
        return done
      },
    }),
  ]
}

function rowOf(member: MemberState, { seat }: Pick<Question, 'seat'>): PersonRow {
  return { ...member, isMe: member.id === seat.person.id }
}

function endOfLink(now: Instant): Instant {
  return instantOfMicros(microsOf(now) + limits.setUpLinkHours * 3_600_000_000)
}

/** The token stands behind a `#`: a browser keeps that part to itself, so it is in no log on the way. */
function invitedOf(
  { member, token }: Invitation,
  expiresAt: Instant,
  question: Pick<Question, 'seat' | 'origin'>,
): Invited {
  return { person: rowOf(member, question), link: `${question.origin}/set-up#${token}`, expiresAt }
}
