// The routes of the console about the people of a workspace: who is in it, in which role, and how they get in. For owners.
import { type Instant, instantOfMicros, microsOf } from '../../core/instant.ts'
import { limits } from '../../limits.ts'
import { changeMember, removeMember } from '../../storage/member-changes.ts'
import { type Invitation, invite, inviteAgain, listMemberStates, type MemberState } from '../../storage/people.ts'
import { actorOf, type ConsoleParts, type ConsoleRoute, created, done, ok, type Question, route } from './route.ts'
import { countByName } from './seen-by.ts'
import { companyNames } from './sides.ts'
import type { Invited, PersonRow } from './wire/settings.ts'

export function peopleRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { installation, now } = parts
  const { sql } = installation
  const roles = ['owner'] as const
  return [
    route('GET /people', {
      roles,
      async answer(question) {
        const members = await listMemberStates(sql, question.seat.workspace.id)
        return ok(await rowsOf(parts, members, question))
      },
    }),
    route('POST /people', {
      roles,
      async answer(question) {
        const { seat, body } = question
        const { email, name, role, party: company = null } = body
        const newcomer = { email, role, company, ...(name.trim() === '' ? {} : { name: name.trim() }) }
        const until = endOfLink(now())
        const invitation = await invite(sql, seat.workspace.id, newcomer, until, actorOf(seat))
        return created(await invitedOf(parts, invitation, until, question))
      },
    }),
    route('POST /people/:id/link', {
      roles,
      async answer(question) {
        const { seat, params } = question
        const until = endOfLink(now())
        const invitation = await inviteAgain(sql, seat.workspace.id, params.id, until, actorOf(seat))
        return created(await invitedOf(parts, invitation, until, question))
      },
    }),
    route('PATCH /people/:id', {
      roles,
      async answer(question) {
        const { seat, params, body } = question
        const change = { role: body.role, company: body.party }
        const changed = await changeMember(sql, seat.workspace.id, params.id, change, actorOf(seat))
        const [row] = await rowsOf(parts, [changed], question)
        return ok(row!)
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

async function rowsOf(
  { library }: ConsoleParts,
  members: readonly MemberState[],
  { seat }: Pick<Question, 'seat'>,
): Promise<PersonRow[]> {
  const index = await library.index(seat.workspace.id)
  const [nameOf, formulas] = [companyNames(index), countByName(index)]
  return members.map(({ company, ...member }) => ({
    ...member,
    isMe: member.id === seat.person.id,
    party: company === null ? null : { slug: company, name: nameOf(company) },
    sees: member.role === 'supplier' ? formulas.seenBy({ email: member.email, company }) : null,
  }))
}

function endOfLink(now: Instant): Instant {
  return instantOfMicros(microsOf(now) + limits.setUpLinkHours * 3_600_000_000)
}

/** The token stands behind a `#`: a browser keeps that part to itself, so it is in no log on the way. */
async function invitedOf(
  parts: ConsoleParts,
  { member, token }: Invitation,
  expiresAt: Instant,
  question: Pick<Question, 'seat' | 'origin'>,
): Promise<Invited> {
  const [person] = await rowsOf(parts, [member], question)
  return { person: person!, link: `${question.origin}/set-up#${token}`, expiresAt }
}
