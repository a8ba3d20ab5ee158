// The routes of the console about parties as companies: which exist, their names, and who belongs to them. A
// supplier sees none.
import { insiders, writers } from '../../../core/roles.ts'
import { readConfirmedLists } from '../../../storage/people/company-list.ts'
import { readOwnCompanies } from '../../../storage/people/company-people.ts'
import { type Company, createCompany, readCompanies, renameCompany } from '../../../storage/people/parties.ts'
import { readMembers } from '../../../storage/people/people.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import type { PartyRow } from '../../../views/shapes/parties.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { countByName } from '../../../views/sight/seen-by.ts'
import { type ConsoleParts, type ConsoleRoute, created, route } from '../frame/route.ts'

/** People who write agreements decide which companies there are; owners decide who belongs to one. */
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
  ]
}

async function rowOf(parts: ConsoleParts, seat: Seat, { slug }: Company): Promise<PartyRow> {
  return (await listParties(parts, seat)).find(each => each.slug === slug)!
}

async function listParties(parts: ConsoleParts, { workspace }: Seat): Promise<PartyRow[]> {
  const { installation, library } = parts
  const { companies, members, own, confirmed } = await withWorkspace(installation.sql, workspace.id, async tx => ({
    companies: await readCompanies(tx, workspace.id),
    members: await readMembers(tx, workspace.id),
    own: await readOwnCompanies(tx, workspace.id),
    confirmed: await readConfirmedLists(tx, workspace.id, parts.seal.rows),
  }))
  const formulas = countByName(await library.index(workspace.id, { formulas: 'all' }))
  const rows = companies.map(({ slug, name: called, createdAt }) => ({
    slug,
    name: called,
    createdAt,
    isOwn: own.has(slug),
    confirmed: confirmed.get(slug) ?? null,
    people: members.filter(({ company }) => company === slug).map(member => member.name),
    formulas: { buyer: formulas.naming(slug, 'buyer'), supplier: formulas.naming(slug, 'supplier') },
  }))
  return rows.sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
