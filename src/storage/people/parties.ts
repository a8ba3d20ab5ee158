// Parties as companies: the names of each, past ones too, and the addresses that belong to each. Rows are added, never changed.
// An address is in one company at most, and that counts only while a member of the workspace has it.
import { isPartySlug } from '../../core/formula/named-parties.ts'
import { SupplierNames } from '../../core/prices/line-identity.ts'
import { Refusal } from '../../core/refusal.ts'
import { readOneLine } from '../../core/text/one-line.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { confirmAll, recordsAccess } from '../log/access-log.ts'
import { appending, type OpenLog } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { appendEntry } from '../log/entry-rows.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'

/** A party that has a name and people. `buyer` and `supplier` are sides of an agreement, and it may be either. */
export interface Company {
  readonly id: string
  /** Slug that agreements use for the company. */
  readonly slug: string
  readonly name: string
  readonly createdAt: Instant
}

export interface NewCompany {
  readonly slug: string
  readonly name: string
}

/** Creates a company by an entry, because receipts name companies. Its slug, which is in agreements, stays. */
export function createCompany(sql: Sql, workspaceId: string, given: NewCompany, by: Actor): Promise<Company> {
  const { slug } = given
  if (!isPartySlug(slug))
    throw new Refusal(
      'invalid',
      `a party's slug must be 1 to ${limits.slugLength} of a-z, 0-9 and single inner hyphens, got "${slug}"`,
    )
  const name = readName(given.name)
  return appending(sql, workspaceId, async (tx, log) => {
    const stored = await loadCompanies(tx, workspaceId)
    const same = stored.find(each => each.slug === slug)
    if (same !== undefined) throw new Refusal('conflict', `there is a party "${slug}" already: ${same.name}`)
    if (stored.length >= limits.companies)
      throw new Refusal('conflict', `a workspace may have at most ${limits.companies} parties, and has`)
    const id = makeIdentifier('pty')
    const { recordedAt } = log
    await tx`
      insert into party (workspace_id, id, slug, created_at) values (${workspaceId}, ${id}, ${slug}, ${recordedAt})`
    await insertName(tx, log, { id, slug }, name)
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'party.create',
      what: 'party added',
      subject: `${name} (${slug})`,
    })
    return { id, slug, name, createdAt: recordedAt }
  })
}

/** Nothing is published where the name is the same. */
export function renameCompany(sql: Sql, workspaceId: string, slug: string, given: string, by: Actor): Promise<Company> {
  const name = readName(given)
  return appending(sql, workspaceId, async (tx, log) => {
    const company = await findCompany(tx, workspaceId, slug)
    if (company.name === name) return company
    await insertName(tx, log, company, name)
    const what = `party renamed from ${company.name}`
    await noteActivity(tx, workspaceId, { ...by, act: 'party.rename', what, subject: `${name} (${slug})` })
    return { ...company, name }
  })
}

function readName(given: string): string {
  return readOneLine(given, "a party's name", limits.namesLength)
}

async function insertName(
  tx: Transaction,
  log: OpenLog,
  { id, slug }: Pick<Company, 'id' | 'slug'>,
  name: string,
): Promise<void> {
  await appendEntry(tx, log, 'party', { subject: id, facts: { slug, name } })
}

export function listCompanies(sql: Sql, workspaceId: string): Promise<readonly Company[]> {
  return withWorkspace(sql, workspaceId, tx => loadCompanies(tx, workspaceId))
}

/** Companies by slug, each under its newest name. */
export function loadCompanies(tx: Transaction, workspaceId: string): Promise<readonly Company[]> {
  return tx<Company[]>`
    select p.id, p.slug, n.name, p.created_at as "createdAt" from party p
    cross join lateral (
      select o.name from party_name o where o.workspace_id = p.workspace_id and o.party_id = p.id
      order by o.seq desc limit 1) n
    where p.workspace_id = ${workspaceId} order by p.slug`
}

export async function findCompany(tx: Transaction, workspaceId: string, slug: string): Promise<Company> {
  const companies = await loadCompanies(tx, workspaceId)
  const found = companies.find(each => each.slug === slug)
  if (found !== undefined) return found
  const known = companies.length === 0 ? 'there is none yet' : `known are ${nameSome(companies)}`
  throw new Refusal('not-found', `there is no party "${slug}" in this workspace; ${known}`)
}

const mostNamed = 20

function nameSome(companies: readonly Company[]): string {
  const more = companies.length - mostNamed
  const names = companies.slice(0, mostNamed).map(({ slug }) => slug)
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

/** A name a company had from an instant on. */
export interface CompanyName {
  readonly slug: string
  readonly name: string
  readonly recordedAt: Instant
}

/** Names of all companies, oldest first, by the instants that count. */
export async function loadCompanyNames(tx: Transaction, workspaceId: string): Promise<readonly CompanyName[]> {
  const rows = await tx<(CompanyName & { seq: number })[]>`
    select n.seq, p.slug, n.name, n.recorded_at as "recordedAt"
    from party_name n join party p on p.workspace_id = n.workspace_id and p.id = n.party_id
    where n.workspace_id = ${workspaceId} order by n.seq`
  const repairs = await loadClockRepairs(tx, workspaceId)
  return rows.map(row => ({ ...row, recordedAt: repairs.instantOf(workspaceId, row.seq, row.recordedAt) }))
}

/** Companies by all their names, past ones too. */
export async function loadSupplierNames(tx: Transaction, workspaceId: string): Promise<SupplierNames> {
  const names = Map.groupBy(await loadCompanyNames(tx, workspaceId), ({ slug }) => slug)
  return new SupplierNames([...names].map(([slug, own]) => ({ slug, names: own.map(({ name }) => name).toReversed() })))
}

/** The company of an address, whether a member has it or not; null for none. */
export async function loadCompanyOf(tx: Transaction, workspaceId: string, email: string): Promise<string | null> {
  return (await loadCompaniesOf(tx, workspaceId, [email])).get(email.toLowerCase()) ?? null
}

/** Companies of many addresses, by the address in lower case; as the access log says. */
export async function loadCompaniesOf(
  tx: Transaction,
  workspaceId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const addresses = [...new Set(emails.map(email => email.toLowerCase()))]
  const said = await confirmAll(tx, 'company', workspaceId, addresses)
  return new Map([...said].flatMap(([email, { party, belongs }]) => (belongs ? [[email, party] as const] : [])))
}

/** Finds the company of an address at a place in the sequence; the history of all addresses is read at once. */
export async function loadCompanyHistories(
  tx: Transaction,
  workspaceId: string,
  emails: readonly string[],
): Promise<(email: string, seq: number) => string | null> {
  const rows = await tx<{ email: string; seq: number; slug: string; belongs: boolean }[]>`
    select m.email, m.seq, p.slug, m.belongs
    from party_member m join party p on p.workspace_id = m.workspace_id and p.id = m.party_id
    where m.workspace_id = ${workspaceId} and m.email = any(${emails.map(each => each.toLowerCase())}::text[])
    order by m.seq`
  const histories = Map.groupBy(rows, row => row.email)
  return (email, seq) => {
    const last = histories.get(email.toLowerCase())?.findLast(row => row.seq < seq)
    return last?.belongs === true ? last.slug : null
  }
}

/** Puts an address into a company, out of its old one; null takes it out. Says whether anything changed. */
export async function putIntoCompany(
  tx: Transaction,
  log: OpenLog,
  email: string,
  slug: string | null,
): Promise<boolean> {
  const { scope } = log
  const before = await loadCompanyOf(tx, scope, email)
  if (before === slug) return false
  recordsAccess(tx)
  const company = await findCompany(tx, scope, slug ?? before!)
  const facts = { email: email.toLowerCase(), belongs: slug !== null }
  await appendEntry(tx, log, 'party-member', { subject: company.id, facts })
  return true
}
