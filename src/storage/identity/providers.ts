// Identity providers: one for the people of a party, one for people of the workspace who are of no party. The secret of the
// client is kept encrypted, bound to the place and the issuer it is for. Every change is in the access log, and a row that
// differs from the log is as if it did not exist.
import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import { type Role, roles } from '../../core/roles.ts'
import { isOneLine } from '../../core/text/one-line.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import type { SealedText } from '../keys/sealed-text.ts'
import { type AccessFacts, confirmAll, confirmOne, recordsAccess } from '../log/access-log.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import { checkAdmits, isOutsider, loadAdministrators } from '../people/company-people.ts'
import type { MemberState } from '../people/member.ts'
import { findCompany } from '../people/parties.ts'
import { loadMemberStates } from '../people/people.ts'
import { type Acting, loadActing } from '../people/people-events.ts'
import { lockPasswords } from '../people/sessions.ts'
import { type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'

/** Role of everybody in a group. */
export interface GroupRole {
  readonly group: string
  readonly role: Role
}

export interface IdentityProvider {
  readonly workspaceId: string
  /** Slug of the party; null: people of the workspace who are of no party. */
  readonly party: string | null
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  /** Part of the address by which people begin. */
  readonly wayIn: string
  /** People of the party have no password. */
  readonly isRequired: boolean
  /** The account that keeps one. */
  readonly exceptPerson: string | null
  /** Name of the claim with a person's groups; null: groups do not matter. */
  readonly groupsClaim: string | null
  /** Groups; the first that fits counts. */
  readonly groups: readonly GroupRole[]
  /** The group whose people join without an invitation. */
  readonly joining: GroupRole | null
  readonly setBy: string
  readonly setAt: Instant
}

export interface NewProvider {
  readonly party: string | null
  readonly issuer: string
  readonly clientId: string
  /** Secret of the client; null keeps the present one, which works for the same issuer and client alone. */
  readonly clientSecret: string | null
  readonly isRequired: boolean
  /** E-mail address of the owner who keeps a password. */
  readonly except: string | null
  readonly groupsClaim: string | null
  readonly groups: readonly GroupRole[]
  readonly joining: GroupRole | null
}

interface ProviderRow {
  readonly party: string
  readonly id: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: Buffer
  readonly way_in: string
}

const bounds = { providers: 500, issuer: 500, client: 200, secret: 1000, group: 200, groups: 50, claim: 100 } as const
const wayInLength = 20

/** The answer: the provider, and people who need a link. */
interface SetProvider {
  readonly provider: IdentityProvider
  /** People of the party who have joined and have not signed in by it: they need a link. */
  readonly unlinked: readonly string[]
}

export function setProvider(
  sql: Sql,
  workspaceId: string,
  given: NewProvider,
  secrets: SealedText,
  by: Actor,
): Promise<SetProvider> {
  const wanted = checked(given)
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    const { party } = wanted
    await checkMaySet(tx, workspaceId, by, wanted)
    const before = (await loadProviders(tx, workspaceId)).find(each => each.party === party) ?? null
    await refuseTooMany(tx, workspaceId)
    const members = await loadMemberStates(tx, workspaceId)
    const except = exceptionOf(members, wanted)
    const sealed = await sealedSecret(tx, workspaceId, wanted, before, secrets)
    // Subjects of another issuer are other people.
    const isSame = before?.issuer === wanted.issuer
    if (before !== null && !isSame) await removeRow(tx, workspaceId, before)
    const id = isSame ? before.id : makeIdentifier('idp')
    const wayIn = before?.wayIn ?? randomWord()
    await tx`
      insert into identity_provider (workspace_id, party, id, issuer, client_id, client_secret, way_in, is_required,
        except_person, groups_claim, group_roles, join_group, join_role, set_by)
      values (${workspaceId}, ${party ?? ''}, ${id}, ${wanted.issuer}, ${wanted.clientId}, ${sealed}, ${wayIn},
        ${wanted.isRequired}, ${except?.id ?? null}, ${wanted.groupsClaim}, ${JSON.stringify(wanted.groups)}::text::jsonb,
        ${wanted.joining?.group ?? null}, ${wanted.joining?.role ?? null}, ${by.who})
      on conflict (workspace_id, party) do update set client_id = excluded.client_id,
        client_secret = excluded.client_secret, is_required = excluded.is_required, except_person = excluded.except_person,
        groups_claim = excluded.groups_claim, group_roles = excluded.group_roles, join_group = excluded.join_group,
        join_role = excluded.join_role, set_by = excluded.set_by, set_at = clock_timestamp()`
    const unlinked = await closePasswords(tx, workspaceId, wanted, members, except)
    const how = wanted.isRequired ? 'required' : 'possible'
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'provider.set',
      what: `sign-in by ${wanted.issuer} ${how}`,
      subject: nameOf(party),
    })
    const provider = (await loadProviders(tx, workspaceId)).find(each => each.party === party)!
    return { provider, unlinked }
  })
}

/** Removes a provider: its people sign in with a link for a password from then on. */
export function removeProvider(sql: Sql, workspaceId: string, party: string | null, by: Actor): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    await checkMaySet(tx, workspaceId, by, { party })
    const provider = (await loadProviders(tx, workspaceId)).find(each => each.party === party)
    if (provider === undefined) throw noProvider(party)
    await removeRow(tx, workspaceId, provider)
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'provider.remove',
      what: `sign-in by ${provider.issuer} removed`,
      subject: nameOf(party),
    })
  })
}

async function removeRow(tx: Transaction, workspaceId: string, { id }: IdentityProvider): Promise<void> {
  await tx`select end_identity_sessions(${[id]}::text[], null, null)`
  await tx`delete from identity_provider where workspace_id = ${workspaceId} and id = ${id}`
}

function noProvider(party: string | null): Refusal {
  return new Refusal('not-found', `no identity provider is set for ${nameOf(party)}`)
}

/** Name of the people it is for, in activities and refusals. */
export function nameOf(party: string | null): string {
  return party ?? 'people of the workspace'
}

/** Providers in the order of their parties, the workspace's own first. */
export async function loadProviders(tx: Transaction, workspaceId: string): Promise<readonly IdentityProvider[]> {
  const rows = await tx<ProviderRow[]>`
    select party, id, issuer, client_id, client_secret, way_in from identity_provider
    where workspace_id = ${workspaceId} order by party`
  const parties = rows.map(({ party }) => party)
  const said = await confirmAll(tx, 'provider', workspaceId, parties)
  return rows.flatMap(row => providerOf(workspaceId, row, said.get(row.party) ?? null) ?? [])
}

export function listProviders(sql: Sql, workspaceId: string): Promise<readonly IdentityProvider[]> {
  return withWorkspace(sql, workspaceId, tx => loadProviders(tx, workspaceId))
}

/** A provider that was found before its workspace was known, with what a stranger at its way in may be told. */
export interface FoundProvider extends IdentityProvider {
  readonly workspaceSlug: string
  readonly workspaceName: string
  readonly partyName: string | null
  readonly clientSecret: string
}

interface ProviderMatchRow extends ProviderRow {
  readonly workspace_id: string
  readonly workspace_slug: string
  readonly workspace_name: string
  readonly party_name: string | null
}

/** Finds a provider by its way in or its id; null if there is none, or if it was changed with SQL alone. */
export async function findProvider(sql: Queryable, wanted: string, secrets: SealedText): Promise<FoundProvider | null> {
  const [row] = await sql<ProviderMatchRow[]>`select * from find_identity_provider(${wanted})`
  if (row === undefined) return null
  const workspaceId = row.workspace_id
  const provider = providerOf(workspaceId, row, await confirmOne(sql, 'provider', workspaceId, row.party))
  const clientSecret = provider === null ? null : secrets.open(boundToClient(workspaceId, provider), row.client_secret)
  if (provider === null || clientSecret === null) return null
  const { workspace_slug: workspaceSlug, workspace_name: workspaceName, party_name: partyName } = row
  return { ...provider, workspaceSlug, workspaceName, partyName, clientSecret }
}

/** Finds the provider by which somebody may accept their one-time link; null where their party has none. */
export async function findProviderForLink(
  sql: Sql,
  { workspaceId, personId }: { readonly workspaceId: string; readonly personId: string },
  secrets: SealedText,
): Promise<FoundProvider | null> {
  const found = await withWorkspace(sql, workspaceId, async tx => {
    const member = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === personId)
    return (await loadProviders(tx, workspaceId)).find(({ party }) => member !== undefined && party === member.company)
  })
  return found === undefined ? null : findProvider(sql, found.id, secrets)
}

export async function findProviderOf(
  sql: Sql,
  workspaceId: string,
  party: string | null,
  secrets: SealedText,
): Promise<FoundProvider> {
  const provider = (await listProviders(sql, workspaceId)).find(each => each.party === party)
  const found = provider === undefined ? null : await findProvider(sql, provider.id, secrets)
  if (found === null) throw noProvider(party)
  return found
}

export async function findProvidersOfClient(
  sql: Queryable,
  issuer: string,
  clientId: string,
): Promise<readonly string[]> {
  const rows = await sql<{ workspace_id: string; party: string; id: string }[]>`
    select * from identity_providers_of(${issuer}, ${clientId})`
  const found = rows.map(async ({ workspace_id: scope, party, id }) => {
    const said = await confirmOne(sql, 'provider', scope, party)
    return said?.id === id ? [id] : []
  })
  return (await Promise.all(found)).flat()
}

function providerOf(
  workspaceId: string,
  row: ProviderRow,
  said: AccessFacts['provider'] | null,
): IdentityProvider | null {
  const secret = createHash('sha256').update(row.client_secret).digest('hex')
  if (said === null || said.id !== row.id || said.client_secret !== secret) return null
  return {
    workspaceId,
    party: row.party === '' ? null : row.party,
    id: said.id,
    issuer: said.issuer,
    clientId: said.client_id,
    wayIn: said.way_in,
    isRequired: said.is_required,
    exceptPerson: said.except_person ?? null,
    groupsClaim: said.groups_claim ?? null,
    groups: said.group_roles as readonly GroupRole[],
    joining: said.join_group === undefined ? null : { group: said.join_group, role: said.join_role as Role },
    setBy: said.set_by,
    setAt: parseInstant(said.set_at)!,
  }
}

/** A secret that is moved to another place or issuer cannot be read there. */
/** Context that a client's secret is bound to. */
export function boundToClient(
  workspaceId: string,
  { party, issuer, clientId }: Pick<NewProvider, 'party' | 'issuer' | 'clientId'>,
) {
  return JSON.stringify([workspaceId, party, issuer, clientId])
}

async function sealedSecret(
  tx: Transaction,
  workspaceId: string,
  wanted: NewProvider,
  before: IdentityProvider | null,
  secrets: SealedText,
): Promise<Buffer> {
  if (wanted.clientSecret !== null) return secrets.seal(boundToClient(workspaceId, wanted), wanted.clientSecret)
  if (before?.issuer !== wanted.issuer || before.clientId !== wanted.clientId)
    throw new Refusal(
      'invalid',
      'the secret of the client is needed: another issuer or client never gets the one before',
    )
  const [row] = await tx<{ client_secret: Buffer }[]>`
    select client_secret from identity_provider where workspace_id = ${workspaceId} and id = ${before.id}`
  return row!.client_secret
}

/**
 * A company that has people of its own sets its own provider; until then, and for people of no party, owners do. People join with
 * the role of its administrator or a lesser one, whichever way they come: no group of theirs makes an owner.
 */
async function checkMaySet(
  tx: Transaction,
  workspaceId: string,
  by: Actor,
  { party, groups = [], joining = null }: Pick<NewProvider, 'party'> & Partial<NewProvider>,
): Promise<void> {
  const acting: Acting = await loadActing(tx, workspaceId, by)
  if (party !== null) await findCompany(tx, workspaceId, party)
  await checkAdmits(tx, workspaceId, acting, party)
  if (!isOutsider(acting)) return
  const isTheirs = party !== null && party === acting.company
  if (isTheirs && (await loadAdministrators(tx, workspaceId, party, rowSealsOf(tx))).has(acting.personId!)) {
    const other = [...groups, ...(joining === null ? [] : [joining])].find(({ role }) => !mayGive(acting.role, role))
    if (other === undefined) return
    throw new Refusal(
      'forbidden',
      `you are here as ${acting.role ?? 'nobody'}, and people of ${party} come as that; only an owner of the workspace makes somebody ${other.role}`,
    )
  }
  throw new Refusal(
    'forbidden',
    'only owners of the workspace, and administrators of a company for its people, set how they sign in',
  )
}

/** A viewer sees all agreements, which a supplier does not. */
function mayGive(own: string | null, role: Role): boolean {
  return role === own || (role === 'viewer' && own !== 'supplier')
}

async function refuseTooMany(tx: Transaction, workspaceId: string): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from identity_provider where workspace_id = ${workspaceId}`
  if (row!.count > bounds.providers)
    throw new Refusal('conflict', `a workspace may have ${bounds.providers} identity providers at most`)
}

/** The owner who keeps a password. Somebody has to, where otherwise no owner could get in without the provider. */
function exceptionOf(members: readonly MemberState[], { party, isRequired, except }: NewProvider): MemberState | null {
  const owners = members.filter(({ role, hasJoined }) => role === 'owner' && hasJoined)
  if (except === null) {
    if (isRequired && owners.every(({ company }) => company === party))
      throw new Refusal(
        'invalid',
        'name an owner who keeps a password (--except): without one, a broken provider would keep everybody out',
      )
    return null
  }
  if (!isRequired) throw new Refusal('invalid', 'an exception is for a provider that is required')
  const found = owners.find(({ email }) => email.toLowerCase() === except.trim().toLowerCase())
  if (found === undefined || found.company !== party)
    throw new Refusal('invalid', `${except} is not an owner of the workspace who signs in by this provider`)
  return found
}

/** People who have not signed in by the provider yet, by their addresses; where it is required they lose their password. */
async function closePasswords(
  tx: Transaction,
  workspaceId: string,
  { party, isRequired }: NewProvider,
  members: readonly MemberState[],
  except: MemberState | null,
): Promise<readonly string[]> {
  const theirs = members.filter(each => each.company === party && each.hasJoined && each.id !== except?.id)
  const ids = theirs.map(({ id }) => id)
  const linked = await tx<{ id: string }[]>`
    select person_id as id from identity_link where workspace_id = ${workspaceId} and person_id = any(${ids}::text[])`
  if (isRequired) await lockPasswords(tx, ids)
  return theirs.filter(({ id }) => !linked.some(each => each.id === id)).map(({ email }) => email)
}

function checked(given: NewProvider): NewProvider {
  const issuer = given.issuer.trim()
  const url = URL.parse(issuer)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Refusal(
      'invalid',
      `an issuer is an address such as https://login.nova.example, got ${JSON.stringify(issuer)}`,
    )
  needText(issuer, 'an issuer', bounds.issuer)
  needText(given.clientId, 'a client id', bounds.client)
  if (given.clientSecret !== null) needText(given.clientSecret, 'the secret of a client', bounds.secret)
  const { groupsClaim, groups, joining } = given
  if (groups.length > bounds.groups) throw new Refusal('invalid', `at most ${bounds.groups} groups have roles`)
  for (const { group, role } of [...groups, ...(joining === null ? [] : [joining])]) {
    needText(group, 'the name of a group', bounds.group)
    if (!roles.includes(role)) throw new Refusal('invalid', `a role is one of ${roles.join(', ')}, got "${role}"`)
  }
  const needsClaim = groups.length > 0 || joining !== null
  if (groupsClaim !== null) needText(groupsClaim, 'the claim with groups', bounds.claim)
  if (needsClaim !== (groupsClaim !== null))
    throw new Refusal('invalid', 'say in which claim groups are (often "groups"), and which group has which role')
  if (joining !== null && joining.role !== 'viewer' && joining.role !== 'supplier')
    throw new Refusal('invalid', 'without an invitation people join as viewer or supplier; an owner gives them more')
  return { ...given, issuer }
}

function needText(text: string, what: string, most: number): void {
  if (text === '' || text.length > most || !isOneLine(text))
    throw new Refusal('invalid', `${what} has 1 to ${most} characters and no line breaks`)
}

/** A random word of 100 bits. */
function randomWord(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  return [...randomBytes(wayInLength)].map(byte => alphabet[byte & 31]).join('')
}
