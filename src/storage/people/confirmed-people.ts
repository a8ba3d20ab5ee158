// Accounts, places and links of people that count: those whose rows equal the access log. All others are left out, as if they did
// not exist.
import { createHash } from 'node:crypto'
import type { PeopleEventKind } from '../../core/people/people-event.ts'
import type { ActingSide } from '../../core/receipt/signer-origin.ts'
import type { Role } from '../../core/roles.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { type AccessFacts, accountsScope, confirmAccess, confirmAll, confirmOne } from '../log/access-log.ts'
import { type RowSeals, rowSealsOf } from '../log/row-seals.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'
import type { Member, MemberState, Membership, SignIn } from './member.ts'
import { loadCompaniesOf } from './parties.ts'

/** Accounts whose password is the one that was recorded for that account and address. */
export async function confirmSignIns(sql: Queryable, accounts: readonly SignIn[]): Promise<readonly SignIn[]> {
  // The log is asked where there is no account too: from outside, nothing is quicker about an unknown address.
  const ids = accounts.length === 0 ? [''] : accounts.map(({ id }) => id)
  const said = await confirmAll(sql, 'password', accountsScope, ids)
  return accounts.filter(account => isSaidOf(account, said.get(account.id) ?? null))
}

/** Whether the log's entry about a password is about this one. */
export function isSaidOf({ email, passwordHash }: SignIn, facts: AccessFacts['password'] | null): boolean {
  return facts?.email === email && facts.hash === createHash('sha256').update(passwordHash).digest('hex')
}

/** Memberships of one person that they have joined. */
export async function confirmMemberships(
  sql: Queryable,
  personId: string,
  rows: readonly Membership[],
): Promise<readonly Membership[]> {
  const said = await confirmAccess(
    sql,
    rows.map(({ workspaceId }) => ({ kind: 'member', scope: workspaceId, subject: personId })),
  )
  return rows.flatMap((row, i) => {
    const facts = said[i] ?? null
    return facts?.joined_at === undefined ? [] : [{ ...row, role: facts.role as Role }]
  })
}

/** Members with the party of each. */
export async function confirmMembers<T extends Pick<MemberState, 'id' | 'email'>>(
  tx: Transaction,
  workspaceId: string,
  rows: readonly T[],
): Promise<readonly (T & Pick<MemberState, 'name' | 'role' | 'company' | 'isNameable'>)[]> {
  const [ids, emails] = [rows.map(({ id }) => id), rows.map(({ email }) => email)]
  const members = await confirmAll(tx, 'member', workspaceId, ids)
  const companies = await loadCompaniesOf(tx, workspaceId, emails)
  const letInByCompany = await loadLetInByCompany(tx, workspaceId, companies)
  return rows.flatMap(row => {
    const said = members.get(row.id)
    if (said === undefined || said.email !== row.email) return []
    const { name, role } = said
    const address = row.email.toLowerCase()
    const company = companies.get(address) ?? null
    return [{ ...row, name, role: role as Role, company, isNameable: !letInByCompany.has(address) }]
  })
}

/** People of one party who have joined, in the order of joining, by their addresses in lower case. */
export async function loadJoinedOf(
  tx: Transaction,
  workspaceId: string,
  party: string | null,
): Promise<readonly Member[]> {
  if (party === null) return []
  const rows = await tx<{ id: string; email: string }[]>`
    select p.id, p.email from member m join person p on p.id = m.person_id
    join company_of_address c on c.workspace_id = m.workspace_id and c.email = lower(p.email)
    where m.workspace_id = ${workspaceId} and c.slug = ${party} and m.joined_at is not null order by m.joined_at, p.id`
  const members = await confirmMembers(tx, workspaceId, rows)
  return members
    .filter(({ company }) => company === party)
    .map(member => ({ ...member, email: member.email.toLowerCase() }))
}

/** Place of one person who has joined. */
export async function loadPlace(tx: Transaction, workspaceId: string, personId: string): Promise<Member | null> {
  const said = await confirmOne(tx, 'member', workspaceId, personId)
  if (said?.joined_at === undefined) return null
  const [place] = await confirmMembers(tx, workspaceId, [{ id: personId, email: said.email }])
  return place ?? null
}

/** A one-time link that was found by its hash. */
interface FoundLink {
  readonly hash: Buffer
  readonly personId: string
  readonly workspaceId: string
  readonly email: string
  readonly now: Instant
}

/** Whether it was made for that person, who has not joined yet, and is neither used nor too old. */
export async function isOpenLink(sql: Queryable, found: FoundLink): Promise<boolean> {
  const { hash, personId, workspaceId, email, now } = found
  const link = await confirmOne(sql, 'link', workspaceId, hash.toString('hex'))
  const member = await confirmOne(sql, 'member', workspaceId, personId)
  if (link?.person_id !== personId || member?.email !== email) return false
  const isUnused = link.used_at === undefined && member.joined_at === undefined
  return isUnused && (parseInstant(link.expires_at) ?? '') > now
}

/**
 * Admission of somebody to their company, as `admission_of` answers. An address in a document means a person whom the workspace
 * knows: somebody whom a company admitted under it by itself may be anybody (T49). An entry without our seal admits nobody.
 */
export interface AdmissionRow {
  readonly seq: number
  readonly kind: PeopleEventKind
  readonly email: string
  readonly person_id: string | null
  readonly done_by: string
  readonly done_from: ActingSide
  readonly done_role: string | null
  readonly done_company: string | null
  readonly facts: Json
  readonly recorded_at: Instant
  readonly party_id: string
  readonly seal: Buffer
}

/** Whether the workspace let them in; null: nobody did. Owners are of the workspace, whatever company they are of. */
export function isByWorkspace(seals: RowSeals, workspaceId: string, row: AdmissionRow | null): boolean {
  if (row === null) return false
  const { seq, seal, recorded_at: at, kind, email, person_id: personId, facts } = row
  const done = { by: row.done_by, from: row.done_from, role: row.done_role, company: row.done_company }
  const place = { scope: workspaceId, subject: row.party_id }
  if (!seals.holds('people', place, { kind, email, personId, ...done, facts }, { seq, at, seal })) return false
  return done.from !== 'COMPANY' || done.role === 'owner'
}

/** People whom their company admitted by itself, by address in lower case. */
async function loadLetInByCompany(
  tx: Transaction,
  workspaceId: string,
  companies: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  if (companies.size === 0) return new Set()
  const rows = await tx<AdmissionRow[]>`
    select a.* from unnest(${[...companies.keys()]}::text[], ${[...companies.values()]}::text[]) as w (email, party)
    cross join lateral admission_of(${workspaceId}, w.email, w.party) a`
  const seals = rowSealsOf(tx)
  return new Set(rows.filter(row => !isByWorkspace(seals, workspaceId, row)).map(({ email }) => email))
}
