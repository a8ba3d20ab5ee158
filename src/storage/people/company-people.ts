// Admission of people to a company, and sight of links with which somebody acts for it. A company that ever had a member who
// joined admits its own people from then on, also after all of them have left: nobody else of the workspace invites to it, moves
// anybody into it or opens a link of its people. The operator's command line may, and is marked everywhere.
import { ownKinds } from '../../core/people/people-event.ts'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import type { RowSeals } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { loadJoinedOf } from './confirmed-people.ts'
import type { Member, MemberState } from './member.ts'
import { type Acting, loadPeopleEvents, type PeopleEvent, sideOf } from './people-events.ts'

async function isOwnCompany(tx: Transaction, workspaceId: string, slug: string): Promise<boolean> {
  return (await loadOwnCompanies(tx, workspaceId)).has(slug)
}

/**
 * Slugs of companies that admit their own people: also where the access log alone says that somebody of theirs had joined,
 * because it is a right that must not be lost with a row.
 */
export async function loadOwnCompanies(tx: Transaction, workspaceId: string): Promise<ReadonlySet<string>> {
  const rows = await tx<{ slug: string }[]>`
    with place as (
      select subject as email, content ->> 'party' as slug, content -> 'belongs' = 'true' as belongs, number as since,
        lead(number) over (partition by subject order by number) as until
      from access_entry where scope = ${workspaceId} and kind = 'company'),
    joined as (
      select lower(content ->> 'email') as email, content ? 'joined_at' as joined, number as since,
        lead(number) over (partition by subject order by number) as until
      from access_entry where scope = ${workspaceId} and kind = 'member')
    select p.slug from place p join joined j on j.email = p.email
    where p.belongs and j.joined and p.since < coalesce(j.until, p.since + 1) and j.since < coalesce(p.until, j.since + 1)
    union
    select c.slug from member m join person p on p.id = m.person_id
    join company_of_address c on c.workspace_id = m.workspace_id and c.email = lower(p.email)
    where m.workspace_id = ${workspaceId} and m.joined_at is not null
    union
    select p.slug from people_event e join party p on p.workspace_id = e.workspace_id and p.id = e.party_id
    where e.workspace_id = ${workspaceId} and e.kind = any(${[...ownKinds]}::text[])`
  return new Set(rows.map(({ slug }) => slug))
}

/** Refuses a person who may not admit anybody to the company. */
export async function checkAdmits(
  tx: Transaction,
  workspaceId: string,
  acting: Acting,
  slug: string | null,
): Promise<void> {
  if (slug === null || sideOf(acting, slug) !== 'WORKSPACE') return
  if (await isOwnCompany(tx, workspaceId, slug))
    throw new Refusal(
      'forbidden',
      `${slug} admits its own people: somebody of ${slug} who has joined does this, or the operator of this server by command`,
    )
}

/**
 * Checks an inviter: people who are not owners invite to their own company only, with a role like their own, and not without end.
 */
export async function checkInviter(
  tx: Transaction,
  workspaceId: string,
  acting: Acting,
  { email, role, company }: { readonly email: string; readonly role: string; readonly company: string | null },
): Promise<void> {
  if (!isOutsider(acting)) return
  if (acting.company === null || company !== acting.company)
    throw new Refusal('forbidden', 'only owners of this workspace invite people who are not of their own company')
  if (role !== acting.role)
    throw new Refusal(
      'forbidden',
      `you are here as ${acting.role ?? 'nobody'}, and invite people of ${company} as that`,
    )
  if (await isNamed(tx, workspaceId, email)) throw ownersInvite(email)
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from member m join person p on p.id = m.person_id
    join company_of_address c on c.workspace_id = m.workspace_id and c.email = lower(p.email)
    where m.workspace_id = ${workspaceId} and c.slug = ${company}`
  if (row!.count >= limits.companyPeople)
    throw new Refusal(
      'conflict',
      `${company} has ${limits.companyPeople} people here, the most it may invite itself; an owner of the workspace invites more`,
    )
}

/** Somebody who looks after their own company alone. */
export function isOutsider({ personId, role }: Acting): boolean {
  return personId !== null && role !== 'owner'
}

/** Refusal for somebody who is here already or is a party by their address: a company learns nothing of other people. */
export function ownersInvite(email: string): Refusal {
  return new Refusal('conflict', `${email} is invited by an owner of the workspace; ask one of them`)
}

/** Sight of a one-time link: by its maker, or only by the person at its address. */
export type Sight = 'SHOWN' | 'MAILED'

type LinkedPerson = Pick<Member, 'email' | 'role' | 'company'> & { readonly hasJoined: boolean }

/**
 * Sight of a link for somebody who is in the workspace, or was. Refuses an invitation that nobody of the company has made: its
 * address may be anybody's.
 */
export async function sightOfLink(
  tx: Transaction,
  workspaceId: string,
  acting: Acting,
  person: LinkedPerson,
  seals: RowSeals,
): Promise<Sight> {
  const { email, company, hasJoined } = person
  const side = sideOf(acting, company)
  if (side !== 'WORKSPACE') return 'SHOWN'
  if (company !== null && (await isOwnCompany(tx, workspaceId, company))) {
    if (!hasJoined && !isAdmitted(await loadAdmission(tx, workspaceId, email, company, seals)))
      await checkAdmits(tx, workspaceId, acting, company)
    return 'MAILED'
  }
  return (await isPartyByAddress(tx, workspaceId, person)) ? 'MAILED' : 'SHOWN'
}

/** Refuses a link that may only be mailed where there is no mail. */
export function needMail(sight: Sight, isMailOn: boolean, { email, company }: Pick<Member, 'email' | 'company'>): void {
  if (sight === 'SHOWN' || isMailOn) return
  const who = company === null ? '' : `somebody of ${company} makes it, or `
  throw new Refusal(
    'forbidden',
    `a link for ${email}, who signs for a party of their own, goes only to their address by mail, and mail is not set up here; ${who}the operator of this server gives them a password with assize user password`,
  )
}

/** The last admission of an address to a company; undefined for one that is being invited. */
async function loadAdmission(
  tx: Transaction,
  workspaceId: string,
  email: string,
  company: string,
  seals: RowSeals,
): Promise<PeopleEvent | undefined> {
  const events = await loadPeopleEvents(tx, workspaceId, { email }, seals)
  return events.findLast(
    ({ kind, party }) => party === company && (kind === 'INVITED' || kind === 'MOVED_IN' || kind === 'PASSWORD_LINK'),
  )
}

/** Whether the company, the operator, or an earlier joining admitted the person. */
function isAdmitted(admission: PeopleEvent | undefined): boolean {
  return admission !== undefined && (admission.kind === 'PASSWORD_LINK' || admission.from !== 'WORKSPACE')
}

/**
 * Checks the use of a link: an invitation from outside counts only until the company has people of its own. A person who joins by
 * it later is admitted by nobody of the company.
 */
export async function checkJoining(
  tx: Transaction,
  workspaceId: string,
  { email, company }: Pick<MemberState, 'email' | 'company'>,
  seals: RowSeals,
): Promise<PeopleEvent | undefined> {
  if (company === null) return (await loadPeopleEvents(tx, workspaceId, { email }, seals)).findLast(isInvitation)
  const admission = await loadAdmission(tx, workspaceId, email, company, seals)
  if (isAdmitted(admission) || !(await isOwnCompany(tx, workspaceId, company))) return admission
  throw new Refusal(
    'forbidden',
    `${company} has people of its own by now, and admits others itself: ask one of them for a new invitation`,
  )
}

function isInvitation({ kind }: PeopleEvent): boolean {
  return kind === 'INVITED' || kind === 'PASSWORD_LINK'
}

/**
 * Whether somebody is, or was, a party by themselves: they have joined at some time, and are here as a supplier or some
 * version of a formula ever named their address. Removing and inviting them again changes nothing about it.
 */
async function isPartyByAddress(
  tx: Transaction,
  workspaceId: string,
  { email, role }: Pick<LinkedPerson, 'email' | 'role'>,
): Promise<boolean> {
  const address = email.toLowerCase()
  const [joined] = await tx`
    select 1 from member m join person p on p.id = m.person_id
    where m.workspace_id = ${workspaceId} and lower(p.email) = ${address} and m.joined_at is not null
    union all
    select 1 from people_event e
    where e.workspace_id = ${workspaceId} and e.email = ${address} and e.kind = any(${[...ownKinds]}::text[])
    union all
    select 1 from access_entry a where a.scope = ${workspaceId} and a.kind = 'member'
      and lower(a.content ->> 'email') = ${address} and a.content ? 'joined_at' limit 1`
  if (joined === undefined) return false
  return role === 'supplier' || (await isNamed(tx, workspaceId, address))
}

/**
 * Accounts that confirm a company's list of people, name other administrators and remove people: the named ones, and the ones
 * that joined first. There is always one while somebody of the company is here.
 */
export async function loadAdministrators(
  tx: Transaction,
  workspaceId: string,
  slug: string,
  seals: RowSeals,
): Promise<ReadonlySet<string>> {
  const members = await loadJoinedOf(tx, workspaceId, slug)
  const events = await loadPeopleEvents(tx, workspaceId, { party: slug }, seals)
  const named = new Map(
    events.filter(({ kind }) => kind === 'ADMINISTRATOR').map(({ email, facts }) => [email, isNamedOne(facts)]),
  )
  // A new password makes a new membership; when somebody first came is in the events.
  const firsts = events.filter(isArrival).map(({ email }) => email)
  const place = ({ email }: { readonly email: string }) => firsts.indexOf(email)
  const [first] = members.toSorted((a, b) => place(a) - place(b))
  const found = members.filter(each => named.get(each.email) ?? each === first)
  return new Set((found.length === 0 && first !== undefined ? [first] : found).map(({ id }) => id))
}

function isArrival({ kind, facts }: PeopleEvent): boolean {
  const { hasJoined = false } = (facts ?? {}) as { readonly hasJoined?: boolean }
  return kind === 'JOINED' || (kind === 'MOVED_IN' && hasJoined)
}

function isNamedOne(facts: PeopleEvent['facts']): boolean {
  return (facts as { readonly isOne?: unknown } | null)?.isOne === true
}

/** Whether some version of a formula names the address as a party. */
export async function isNamed(tx: Transaction, workspaceId: string, address: string): Promise<boolean> {
  const [named] = await tx`
    select 1 from agreement_state s cross join lateral jsonb_each(s.parties) side
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(side.value) when 'array' then side.value else '[]'::jsonb end) as listed (address)
    where s.workspace_id = ${workspaceId} and lower(trim(listed.address)) = ${address.toLowerCase()} limit 1`
  return named !== undefined
}
