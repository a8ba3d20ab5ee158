// The routes of the console about the people of a workspace: who is in it, in which role, and how they get in. For owners.
import { type Instant, instantOfMicros, microsOf } from '../../core/instant.ts'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { LinkNotices } from '../../mail/link-notices.ts'
import { changeMember, removeMember, renewPlace } from '../../storage/member-changes.ts'
import {
  type Invitation,
  invite,
  inviteAgain,
  listMemberStates,
  type MemberState,
  type OnLink,
} from '../../storage/people.ts'
import {
  actorOf,
  type ConsoleParts,
  type ConsoleRequest,
  type ConsoleRoute,
  created,
  done,
  ok,
  route,
  type Seat,
} from './route.ts'
import { countByName } from './seen-by.ts'
import { companyNames } from './sides.ts'
import type { Invited, PersonRow } from './wire/settings.ts'

export function peopleRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { installation, now } = parts
  const { sql } = installation
  const roles = ['owner'] as const
  const links = new LinkNotices(installation.secret)
  /** The link is also sent by mail, if mail is configured. */
  const mailed = (kind: 'invitation' | 'reset', { workspace, person }: Seat, expiresAt: Instant): OnLink =>
    isMailed(parts)
      ? (tx, { member, token }) =>
          links.add(tx, workspace.id, kind, { email: member.email, token, expiresAt, by: person.email })
      : async () => {}
  return [
    route('GET /people', {
      roles,
      async answer(request) {
        const members = await listMemberStates(sql, request.seat.workspace.id)
        return ok(await rowsOf(parts, members, request))
      },
    }),
    route('POST /people', {
      roles,
      async answer(request) {
        const { seat, body } = request
        const { email, name, role, party: company = null } = body
        const newcomer = { email, role, company, ...(name.trim() === '' ? {} : { name: name.trim() }) }
        const until = endOfLink(now())
        const invitation = await invite(
          ...([sql, seat.workspace.id, newcomer, until, actorOf(seat)] as const),
          mailed('invitation', seat, until),
        )
        return created(await invitedOf(parts, invitation, until, request))
      },
    }),
    route('POST /people/:id/link', {
      roles,
      async answer(request) {
        const { seat, params } = request
        const until = endOfLink(now())
        const invitation = await inviteAgain(
          ...([sql, seat.workspace.id, params.id, until, actorOf(seat)] as const),
          mailed('invitation', seat, until),
        )
        return created(await invitedOf(parts, invitation, until, request))
      },
    }),
    route('POST /people/:id/password-link', {
      roles,
      async answer(request) {
        const { seat, params } = request
        if (params.id === seat.person.id)
          throw new Refusal('conflict', 'you change your own password under Sign-in and security')
        const until = endOfLink(now())
        const renewed = await renewPlace(
          ...([sql, seat.workspace.id, params.id, until, actorOf(seat)] as const),
          mailed('reset', seat, until),
        )
        return created(await invitedOf(parts, renewed, until, request, '/new-password'))
      },
    }),
    route('PATCH /people/:id', {
      roles,
      async answer(request) {
        const { seat, params, body } = request
        const change = { role: body.role, company: body.party }
        const changed = await changeMember(sql, seat.workspace.id, params.id, change, actorOf(seat))
        const [row] = await rowsOf(parts, [changed], request)
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
  { seat }: Pick<ConsoleRequest, 'seat'>,
): Promise<PersonRow[]> {
  const index = await library.index(seat.workspace.id, { formulas: 'all' })
  const [nameOf, formulas] = [companyNames(index), countByName(index)]
  return members.map(({ company, ...member }) => ({
    ...member,
    isMe: member.id === seat.person.id,
    party: company === null ? null : { slug: company, name: nameOf(company) },
    sees: member.role === 'supplier' ? formulas.seenBy({ email: member.email, company }) : null,
  }))
}

function isMailed({ config }: ConsoleParts): boolean {
  return config.smtp !== null
}

function endOfLink(now: Instant): Instant {
  return instantOfMicros(microsOf(now) + limits.setUpLinkHours * 3_600_000_000)
}

/** The token comes after a `#`: a browser does not send that part, so it is in no log. */
async function invitedOf(
  parts: ConsoleParts,
  { member, token }: Invitation,
  expiresAt: Instant,
  request: Pick<ConsoleRequest, 'seat' | 'origin'>,
  page: '/set-up' | '/new-password' = '/set-up',
): Promise<Invited> {
  const [person] = await rowsOf(parts, [member], request)
  return { person: person!, link: `${request.origin}${page}#${token}`, expiresAt, isMailed: isMailed(parts) }
}
