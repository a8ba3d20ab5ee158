// Which accounts, places and links of people count: those that the log of who has access knows as the rows have them. The
// rest is left out, as if it did not exist.
import { createHash } from 'node:crypto'
import type { Role } from '../../core/roles.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { type AccessFacts, accountsScope, confirmAccess, confirmAll, confirmOne } from '../log/access-log.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'
import type { MemberState, Membership, SignIn } from './member.ts'
import { readCompaniesOf, readCompanyOf } from './parties.ts'

/** Those whose password is the one that was recorded for that account and address. */
export async function confirmSignIns(sql: Queryable, accounts: readonly SignIn[]): Promise<readonly SignIn[]> {
  // Asked where there is no account too: from outside, nothing is quicker about an unknown address.
  const ids = accounts.length === 0 ? [''] : accounts.map(({ id }) => id)
  const said = await confirmAll(sql, 'password', accountsScope, ids)
  return accounts.filter(account => isSaidOf(account, said.get(account.id) ?? null))
}

/** Whether what the log says about a password is said of this one. */
export function isSaidOf({ email, passwordHash }: SignIn, facts: AccessFacts['password'] | null): boolean {
  return facts?.email === email && facts.hash === createHash('sha256').update(passwordHash).digest('hex')
}

/** Of one person, those they have joined. */
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

/** With the party of each. Inside a transaction of the workspace. */
export async function confirmMembers<T extends Pick<MemberState, 'id' | 'email'>>(
  tx: Transaction,
  workspaceId: string,
  rows: readonly T[],
): Promise<readonly (T & Pick<MemberState, 'name' | 'role' | 'company'>)[]> {
  const [ids, emails] = [rows.map(({ id }) => id), rows.map(({ email }) => email)]
  const members = await confirmAll(tx, 'member', workspaceId, ids)
  const companies = await readCompaniesOf(tx, workspaceId, emails)
  return rows.flatMap(row => {
    const said = members.get(row.id)
    if (said === undefined || said.email !== row.email) return []
    const { name, role } = said
    return [{ ...row, name, role: role as Role, company: companies.get(row.email.toLowerCase()) ?? null }]
  })
}

type JoinedMember = Pick<MemberState, 'id' | 'email' | 'name' | 'role' | 'company'>

/** Of one party, those who have joined, the first to come first, by their addresses in lower case. Inside a transaction of the workspace. */
export async function readJoinedOf(
  tx: Transaction,
  workspaceId: string,
  party: string | null,
): Promise<readonly JoinedMember[]> {
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

/** The place of one person who has joined; null where they have none. Inside a transaction of the workspace. */
export async function readPlace(tx: Transaction, workspaceId: string, personId: string): Promise<JoinedMember | null> {
  const said = await confirmOne(tx, 'member', workspaceId, personId)
  if (said?.joined_at === undefined) return null
  const { email, name, role } = said
  return { id: personId, email, name, role: role as Role, company: await readCompanyOf(tx, workspaceId, email) }
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
