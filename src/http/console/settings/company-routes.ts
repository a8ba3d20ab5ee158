// The routes of the console about the company a person belongs to: its people, its confirmed list, its administrators, and
// what was done about them. Everybody sees their own company and no other.
import { isToldTo, tellPeopleEvent } from '../../../core/people/people-event.ts'
import { limits } from '../../../limits.ts'
import {
  confirmPeople,
  nameAdministrator,
  readCompanyPeople,
  readConfirmedLists,
} from '../../../storage/people/company-list.ts'
import { readAdministrators } from '../../../storage/people/company-people.ts'
import { findCompany } from '../../../storage/people/parties.ts'
import { readMemberStates } from '../../../storage/people/people.ts'
import {
  markSeenEvents,
  type PeopleEvent,
  readPeopleEvents,
  readSeenEvents,
} from '../../../storage/people/people-events.ts'
import { type Transaction, withWorkspace } from '../../../storage/postgres/database.ts'
import type { CompanyPage, CompanyView, PeopleNews } from '../../../views/shapes/company.ts'
import { originOf, prove } from '../agreements/signing.ts'
import {
  actorOf,
  type ConsoleParts,
  type ConsoleRequestOf,
  type ConsoleRoute,
  route,
  type Seat,
} from '../frame/route.ts'

export function companyRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  return [
    route('GET /company', { answer: ({ seat }) => showCompany(parts, seat) }),
    route('POST /company/confirm', { answer: request => confirm(parts, request) }),
    route('POST /company/administrators', {
      async answer({ seat, body }) {
        const { id: personId, isOne } = body
        await nameAdministrator(sql, seat.workspace.id, { by: actorOf(seat), personId, isOne })
        return showCompany(parts, seat)
      },
    }),
    route('POST /company/seen', {
      async answer({ seat, body }) {
        const { workspace, person } = seat
        await withWorkspace(sql, workspace.id, tx => markSeenEvents(tx, workspace.id, person.id, body.until))
      },
    }),
    route('GET /signer', { answer: ({ seat }) => originOf(parts, seat) }),
  ]
}

async function confirm(parts: ConsoleParts, request: ConsoleRequestOf<'POST /company/confirm'>) {
  const { seat, body, origin } = request
  const { hash, passkey } = body
  const proof = await prove(parts, seat, origin, passkey, hash)
  const signer = proof.means === 'PASSKEY' ? proof.origin : await originOf(parts, seat)
  await confirmPeople(parts.installation.sql, seat.workspace.id, {
    by: actorOf(seat),
    hash,
    proof:
      proof.means === 'PASSKEY'
        ? { means: 'PASSKEY', passkey: proof.passkey, origin: signer }
        : { means: 'PASSWORD', passkey: null, origin: signer },
  })
  return showCompany(parts, seat)
}

async function showCompany(parts: ConsoleParts, seat: Seat): Promise<CompanyPage> {
  const { workspace, company: slug } = seat
  return withWorkspace(parts.installation.sql, workspace.id, async tx => {
    const company = slug === null ? null : await viewCompany(parts, tx, seat, slug)
    const { events, seen } = await readOwnEvents(parts, tx, seat)
    const news = newsSince(events, seen, seat)
    return {
      company,
      news: news.slice(0, limits.activityPage),
      history: events.map(newsOf).toReversed().slice(0, limits.activityPage),
    }
  })
}

async function viewCompany(parts: ConsoleParts, tx: Transaction, seat: Seat, slug: string): Promise<CompanyView> {
  const { workspace, person: me } = seat
  const { name } = await findCompany(tx, workspace.id, slug)
  const administrators = await readAdministrators(tx, workspace.id, slug, parts.seal.rows)
  const members = (await readMemberStates(tx, workspace.id)).filter(({ company }) => company === slug)
  const { hash } = await readCompanyPeople(tx, workspace.id, slug)
  return {
    slug,
    name,
    people: members.map(({ id, email, name: called, joinedAt }) => ({
      ...{ id, email, name: called, joinedAt },
      isAdministrator: administrators.has(id),
      isMe: id === me.id,
    })),
    hash,
    confirmed: (await readConfirmedLists(tx, workspace.id, parts.seal.rows)).get(slug) ?? null,
    isAdministrator: administrators.has(me.id),
  }
}

/** Of the company, or about somebody without one. */
async function readOwnEvents({ seal }: ConsoleParts, tx: Transaction, { workspace, person, company }: Seat) {
  const email = person.email.toLowerCase()
  const of = company === null ? { email } : { party: company }
  const events = await readPeopleEvents(tx, workspace.id, of, seal.rows)
  // What was before they came is no news.
  const joined = events.findLast(event => event.kind === 'JOINED' && event.email === email)?.seq ?? 0
  const seen = Math.max(joined, await readSeenEvents(tx, workspace.id, person.id))
  return { events, seen }
}

/** The newest first. */
function newsSince(events: readonly PeopleEvent[], seen: number, { person }: Seat): readonly PeopleNews[] {
  const email = person.email.toLowerCase()
  return events
    .filter(event => event.seq > seen && isToldTo(email, event))
    .map(newsOf)
    .toReversed()
}

function newsOf(event: PeopleEvent): PeopleNews {
  const { seq, at, email } = event
  return { seq, at, email, words: tellPeopleEvent(event) }
}

/** What somebody has not seen yet, the newest first. */
export async function readPeopleNews(parts: ConsoleParts, seat: Seat): Promise<readonly PeopleNews[]> {
  return withWorkspace(parts.installation.sql, seat.workspace.id, async tx => {
    const { events, seen } = await readOwnEvents(parts, tx, seat)
    return newsSince(events, seen, seat).slice(0, limits.overviewRows)
  })
}
