// Console routes about the people of a workspace: members, roles, and links. Owners look after everybody, within the limits of
// companies' own rights (storage/people/company-people.ts); others after the people of their own company.

import { Refusal } from '../../../core/refusal.ts'
import { type Instant, instantOfMicros, microsOf } from '../../../core/time/instant.ts'
import { limits } from '../../../limits.ts'
import { LinkNotices } from '../../../mail/link-notices.ts'
import { loadOwnCompanies } from '../../../storage/people/company-people.ts'
import { type Invitation, invite, inviteAgain, type LinkMail } from '../../../storage/people/invitations.ts'
import type { MemberState } from '../../../storage/people/member.ts'
import { changeMember, removeMember, renewPlace } from '../../../storage/people/member-changes.ts'
import { listMemberStates } from '../../../storage/people/people.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import type { Invited, PersonRow } from '../../../views/shapes/settings.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { companyNames } from '../../../views/sight/sides.ts'
import { countByName } from '../../../views/sight/supplier-counts.ts'
import { type ConsoleParts, type ConsoleRequest, type ConsoleRoute, created, route } from '../frame/route.ts'

const lookingAfter = { roles: ['owner'], orOfCompany: true } as const

export function peopleRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { installation } = parts
  const { sql } = installation
  const links = new Links(parts)
  return [
    route('GET /people', {
      ...lookingAfter,
      async answer(request) {
        const { seat } = request
        const members = await listMemberStates(sql, seat.workspace.id)
        const isSeen = ({ company }: MemberState) => seat.role === 'owner' || company === seat.company
        return rowsOf(parts, members.filter(isSeen), request)
      },
    }),
    route('POST /people', {
      ...lookingAfter,
      async answer(request) {
        const { seat, body } = request
        const { email, name, role, party: company = null } = body
        const newcomer = { email, role, company, ...(name.trim() === '' ? {} : { name: name.trim() }) }
        const making = links.begin('invitation', seat)
        const { until, mail } = making
        const invitation = await invite(sql, seat.workspace.id, newcomer, until, actorOf(seat), mail)
        return created(await making.show(invitation, request, '/set-up'))
      },
    }),
    route('POST /people/:id/link', {
      ...lookingAfter,
      async answer(request) {
        const { seat, params } = request
        const making = links.begin('invitation', seat)
        const { until, mail } = making
        const invitation = await inviteAgain(sql, seat.workspace.id, params.id, until, actorOf(seat), mail)
        return created(await making.show(invitation, request, '/set-up'))
      },
    }),
    route('POST /people/:id/password-link', {
      ...lookingAfter,
      async answer(request) {
        const { seat, params } = request
        if (params.id === seat.person.id)
          throw new Refusal('conflict', 'you change your own password under Your sign-in')
        const making = links.begin('reset', seat)
        const { until, mail } = making
        const renewed = await renewPlace(sql, seat.workspace.id, params.id, until, actorOf(seat), mail)
        return created(await making.show(renewed, request, '/new-password'))
      },
    }),
    route('PATCH /people/:id', {
      roles: ['owner'],
      async answer(request) {
        const { seat, params, body } = request
        const change = { role: body.role, company: body.party }
        const changed = await changeMember(sql, seat.workspace.id, params.id, change, actorOf(seat))
        const [row] = await rowsOf(parts, [changed], request)
        return row!
      },
    }),
    route('DELETE /people/:id', {
      ...lookingAfter,
      async answer({ seat, params }) {
        await removeMember(sql, seat.workspace.id, params.id, actorOf(seat))
      },
    }),
  ]
}

async function rowsOf(
  { installation, library }: ConsoleParts,
  members: readonly MemberState[],
  { seat }: Pick<ConsoleRequest, 'seat'>,
): Promise<PersonRow[]> {
  const index = await library.index(seat.workspace.id, { agreements: 'all' })
  const own = await withWorkspace(installation.sql, seat.workspace.id, tx => loadOwnCompanies(tx, seat.workspace.id))
  const [nameOf, agreements] = [companyNames(index), countByName(index)]
  return members.map(({ company, isNameable, ...member }) => ({
    ...member,
    isMe: member.id === seat.person.id,
    party: company === null ? null : { slug: company, name: nameOf(company) },
    isOthers: company !== null && company !== seat.company && own.has(company),
    waitsIn: agreements.waitingFor({ email: member.email, company, isNameable }),
    sees: member.role === 'supplier' ? agreements.seenBy({ email: member.email, company, isNameable }) : null,
  }))
}

type LinkKind = 'invitation' | 'reset'

/** One-time links made from a page: they are also sent by mail, if mail is configured. */
class Links {
  readonly #parts: ConsoleParts
  readonly #notices: LinkNotices

  constructor(parts: ConsoleParts) {
    this.#parts = parts
    this.#notices = new LinkNotices(parts.installation.ring)
  }

  begin(kind: LinkKind, { workspace, person }: Seat) {
    const parts = this.#parts
    const isOn = parts.config.smtp !== null
    const until = endOfLink(parts.now())
    let whyNotMailed: string | null = null
    const mail: LinkMail = {
      isOn,
      onLink: async (tx, { member, token, sight }) => {
        if (!isOn) return
        const link = { email: member.email, token, expiresAt: until, by: person.email }
        whyNotMailed = await this.#notices.add(tx, workspace.id, kind, link)
        // A link that nobody sees or gets is useless: the old one keeps working.
        if (whyNotMailed !== null && sight === 'MAILED') throw new Refusal('conflict', whyNotMailed)
      },
    }
    /** The token comes after a `#`: a browser does not send that part, so it is in no log. */
    const show = async (
      { member, token, sight }: Invitation,
      request: Pick<ConsoleRequest, 'seat' | 'origin'>,
      page: '/set-up' | '/new-password',
    ): Promise<Invited> => {
      const [row] = await rowsOf(parts, [member], request)
      const link = sight === 'SHOWN' ? `${request.origin}${page}#${token}` : null
      return { person: row!, link, expiresAt: until, isMailed: isOn && whyNotMailed === null, whyNotMailed }
    }
    return { until, mail, show }
  }
}

function endOfLink(now: Instant): Instant {
  return instantOfMicros(microsOf(now) + limits.setUpLinkHours * 3_600_000_000)
}
