// Console routes about parties as companies: list, names, people, and details for notes. A supplier sees none but its own.
import { Refusal } from '../../../core/refusal.ts'
import { insiders, writers } from '../../../core/roles.ts'
import {
  findBillingParty,
  keepBillingDetails,
  loadBillingDetails,
  whyNotKeep,
} from '../../../storage/agreements/billing-details.ts'
import { loadConfirmedLists } from '../../../storage/people/company-list.ts'
import { loadOwnCompanies } from '../../../storage/people/company-people.ts'
import { type Company, createCompany, loadCompanies, renameCompany } from '../../../storage/people/parties.ts'
import { loadMembers } from '../../../storage/people/people.ts'
import { loadActing } from '../../../storage/people/people-events.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import type { PartyBilling } from '../../../views/shapes/billing.ts'
import type { PartyRow } from '../../../views/shapes/parties.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { countByName } from '../../../views/sight/supplier-counts.ts'
import { type ConsoleParts, type ConsoleRoute, created, route } from '../frame/route.ts'

/** Rights: people who write agreements decide which companies there are; owners decide who belongs to one. */
export function partyRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  return [
    route('GET /parties', {
      roles: insiders,
      answer: ({ seat }) => listParties(parts, seat),
    }),
    route('POST /parties', {
      roles: writers,
      async answer({ seat, body }) {
        const made = await createCompany(sql, seat.workspace.id, body, actorOf(seat))
        await parts.catchUp()
        return created(await rowOf(parts, seat, made))
      },
    }),
    route('PATCH /parties/:slug', {
      roles: writers,
      async answer({ seat, params, body }) {
        const renamed = await renameCompany(sql, seat.workspace.id, params.slug, body.name, actorOf(seat))
        await parts.catchUp()
        return rowOf(parts, seat, renamed)
      },
    }),
    route('GET /parties/:slug/billing', {
      answer: ({ seat, params }) => showBilling(parts, seat, params.slug),
    }),
    route('POST /parties/:slug/billing', {
      async answer({ seat, params, body }) {
        refuseOthers(seat, params.slug)
        await keepBillingDetails(sql, seat.workspace.id, params.slug, () => body.details, actorOf(seat))
        return showBilling(parts, seat, params.slug)
      },
    }),
  ]
}

/** A supplier sees its own company and no other. */
function refuseOthers({ role, company }: Seat, slug: string): void {
  if (role === 'supplier' && company !== slug) throw new Refusal('not-found', 'there is no such party')
}

function showBilling({ installation }: ConsoleParts, seat: Seat, slug: string): Promise<PartyBilling> {
  refuseOthers(seat, slug)
  const { id } = seat.workspace
  return withWorkspace(installation.sql, id, async tx => {
    const { name } = await findBillingParty(tx, id, slug)
    const kept = (await loadBillingDetails(tx, id)).get(slug)
    const acting = await loadActing(tx, id, actorOf(seat))
    const whyNot = whyNotKeep(acting, slug, (await loadOwnCompanies(tx, id)).has(slug))
    const changed = kept === undefined ? null : { by: kept.setBy, at: kept.recordedAt }
    return { slug, name, details: kept?.details ?? {}, changed, whyNot }
  })
}

async function rowOf(parts: ConsoleParts, seat: Seat, { slug }: Company): Promise<PartyRow> {
  return (await listParties(parts, seat)).find(each => each.slug === slug)!
}

async function listParties(parts: ConsoleParts, { workspace }: Seat): Promise<PartyRow[]> {
  const { installation, library } = parts
  const { companies, members, own, confirmed, billing } = await withWorkspace(
    installation.sql,
    workspace.id,
    async tx => ({
      companies: await loadCompanies(tx, workspace.id),
      members: await loadMembers(tx, workspace.id),
      own: await loadOwnCompanies(tx, workspace.id),
      confirmed: await loadConfirmedLists(tx, workspace.id, parts.seal.rows),
      billing: await loadBillingDetails(tx, workspace.id),
    }),
  )
  const agreements = countByName(await library.index(workspace.id, { agreements: 'all' }))
  const rows = companies.map(({ slug, name: called, createdAt }) => ({
    slug,
    name: called,
    createdAt,
    isOwn: own.has(slug),
    confirmed: confirmed.get(slug) ?? null,
    hasBilling: Object.keys(billing.get(slug)?.details ?? {}).length > 0,
    people: members.filter(({ company }) => company === slug).map(member => member.name),
    waiting: members.filter(each => each.company === slug && agreements.waitingFor(each) > 0).map(({ email }) => email),
    agreements: { buyer: agreements.naming(slug, 'buyer'), supplier: agreements.naming(slug, 'supplier') },
  }))
  return rows.sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
