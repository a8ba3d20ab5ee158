// The company of a person: its people, its confirmed list, its administrators, and its history.
import { asLanguage } from '../core/billing/languages.ts'
import { ownSlug } from '../core/billing/party-fields.ts'
import { formatPeopleEvent, isToldTo } from '../core/people/people-event.ts'
import { limits } from '../limits.ts'
import { loadBillingDetails } from '../storage/agreements/billing-details.ts'
import { loadCompanyPeople, loadConfirmedLists } from '../storage/people/company-list.ts'
import { loadAdministrators } from '../storage/people/company-people.ts'
import { findCompany } from '../storage/people/parties.ts'
import { loadMemberStates } from '../storage/people/people.ts'
import { loadPeopleEvents, loadSeenEvents, type PeopleEvent } from '../storage/people/people-events.ts'
import { type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import type { CompanyPage, CompanyView, PeopleNews } from './shapes/company.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewContext } from './sight/view-parts.ts'

export async function showCompany(parts: ViewContext, seat: Seat): Promise<CompanyPage> {
  const { workspace, company: slug } = seat
  return withWorkspace(parts.installation.sql, workspace.id, async tx => {
    const company = slug === null ? null : await viewCompany(parts, tx, seat, slug)
    const { events, seen } = await readOwnEvents(parts, tx, seat)
    const news = newsSince(events, seen, seat)
    const { details = {} } = (await loadBillingDetails(tx, workspace.id)).get(slug ?? ownSlug) ?? {}
    return {
      company,
      language: asLanguage(details.language) ?? 'en',
      news: news.slice(0, limits.activityPage),
      history: events.map(newsOf).toReversed().slice(0, limits.activityPage),
    }
  })
}

async function viewCompany(parts: ViewContext, tx: Transaction, seat: Seat, slug: string): Promise<CompanyView> {
  const { workspace, person: me } = seat
  const { name } = await findCompany(tx, workspace.id, slug)
  const administrators = await loadAdministrators(tx, workspace.id, slug, parts.seal.rows)
  const members = (await loadMemberStates(tx, workspace.id)).filter(({ company }) => company === slug)
  const { hash } = await loadCompanyPeople(tx, workspace.id, slug)
  return {
    slug,
    name,
    people: members.map(({ id, email, name: called, joinedAt }) => ({
      id,
      email,
      name: called,
      joinedAt,
      isAdministrator: administrators.has(id),
      isMe: id === me.id,
    })),
    hash,
    confirmed: (await loadConfirmedLists(tx, workspace.id, parts.seal.rows)).get(slug) ?? null,
    isAdministrator: administrators.has(me.id),
  }
}

/** Events of the company, or about somebody without one. */
async function readOwnEvents({ seal }: ViewContext, tx: Transaction, { workspace, person, company }: Seat) {
  const email = person.email.toLowerCase()
  const of = company === null ? { email } : { party: company }
  const events = await loadPeopleEvents(tx, workspace.id, of, seal.rows)
  // Events from before they came are no news.
  const joined = events.findLast(event => event.kind === 'JOINED' && event.email === email)?.seq ?? 0
  const seen = Math.max(joined, await loadSeenEvents(tx, workspace.id, person.id))
  return { events, seen }
}

/** News, the newest first. */
function newsSince(events: readonly PeopleEvent[], seen: number, { person }: Seat): readonly PeopleNews[] {
  const email = person.email.toLowerCase()
  return events
    .filter(event => event.seq > seen && isToldTo(email, event))
    .map(newsOf)
    .toReversed()
}

function newsOf(event: PeopleEvent): PeopleNews {
  const { seq, at, email } = event
  return { seq, at, email, words: formatPeopleEvent(event) }
}

/** News that somebody has not seen yet, the newest first. */
export async function readPeopleNews(parts: ViewContext, seat: Seat): Promise<readonly PeopleNews[]> {
  return withWorkspace(parts.installation.sql, seat.workspace.id, async tx => {
    const { events, seen } = await readOwnEvents(parts, tx, seat)
    return newsSince(events, seen, seat).slice(0, limits.overviewRows)
  })
}
