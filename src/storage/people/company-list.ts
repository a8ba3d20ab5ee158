// A company's own list of its people: confirmed by one of its administrators, with the hash of exactly the list that was shown,
// and its administrators. All of them are told of both.
import { type CompanyPeople, hashOfPeople } from '../../core/people/company-people.ts'
import type { PasskeyAssertion } from '../../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'
import { Refusal } from '../../core/refusal.ts'
import { appending, type OpenLog } from '../log/append.ts'
import { type RowSeals, rowSealsOf } from '../log/row-seals.ts'
import type { Sql, Transaction } from '../postgres/database.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { loadAdministrators } from './company-people.ts'
import type { MemberState } from './member.ts'
import { loadMemberStates, notHere } from './people.ts'
import { type Acting, appendPeopleEvent, loadActing, loadPeopleEvents } from './people-events.ts'
import { type Confirmation, newestConfirmation } from './signers.ts'

export async function loadCompanyPeople(
  tx: Transaction,
  workspaceId: string,
  party: string,
): Promise<CompanyPeople & { readonly hash: string }> {
  return listOf(await loadMemberStates(tx, workspaceId), workspaceId, party)
}

function listOf(members: readonly MemberState[], workspace: string, party: string) {
  const people = members
    .filter(({ company }) => company === party)
    .map(({ email, name, joinedAt }) => ({ email: email.toLowerCase(), name, joinedAt }))
  const list = { workspace, party, people }
  return { ...list, hash: hashOfPeople(list) }
}

interface ListState extends Pick<Confirmation, 'by' | 'at' | 'hash'> {
  /** Whether the list is still the same. */
  readonly isCurrent: boolean
}

/** Last confirmed list of each company, by slug. */
export async function loadConfirmedLists(
  tx: Transaction,
  workspaceId: string,
  seals: RowSeals,
): Promise<ReadonlyMap<string, ListState>> {
  const events = await loadPeopleEvents(tx, workspaceId, { kind: 'CONFIRMED' }, seals)
  const members = events.length === 0 ? [] : await loadMemberStates(tx, workspaceId)
  const states = new Map<string, ListState>()
  for (const [party, own] of Map.groupBy(events, each => each.party!)) {
    const { by, at, hash } = newestConfirmation(own)!
    states.set(party, { by, at, hash, isCurrent: listOf(members, workspaceId, party).hash === hash })
  }
  return states
}

interface ListProof {
  readonly means: 'PASSWORD' | 'PASSKEY'
  readonly passkey: PasskeyAssertion | null
  /** Recorded origin of the administrator, which a passkey signs with the hash. */
  readonly origin: SignerOrigin
}

/** Confirms a list; refuses one that is not the shown one. */
export function confirmPeople(
  sql: Sql,
  workspaceId: string,
  { by, hash, proof }: { readonly by: Actor; readonly hash: string; readonly proof: ListProof },
): Promise<void> {
  return asAdministrator(sql, workspaceId, by, async ({ tx, log, acting, party }) => {
    const list = await loadCompanyPeople(tx, workspaceId, party)
    if (list.hash !== hash)
      throw new Refusal('conflict', `the people of ${party} changed meanwhile; nothing was confirmed. Look again`)
    const { people } = list
    const facts = JSON.parse(JSON.stringify({ hash, people, ...proof }))
    const event = { kind: 'CONFIRMED', email: by.who, personId: acting.personId, party, facts } as const
    await appendPeopleEvent(tx, log, acting, event)
    const what = `confirmed the people of ${party}, ${people.length} in all`
    await noteActivity(tx, workspaceId, { ...by, act: 'party.people.confirm', what, subject: hash })
  })
}

export function nameAdministrator(
  sql: Sql,
  workspaceId: string,
  { by, personId, isOne }: { readonly by: Actor; readonly personId: string; readonly isOne: boolean },
): Promise<void> {
  return asAdministrator(sql, workspaceId, by, async ({ tx, log, acting, party }) => {
    const member = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === personId)
    if (member === undefined || member.company !== party) throw notHere()
    if (!member.hasJoined) throw new Refusal('conflict', `${member.email} has not joined yet`)
    if (personId === acting.personId && !isOne)
      throw new Refusal('conflict', 'you stay an administrator until another one takes it from you')
    const { email } = member
    const event = { kind: 'ADMINISTRATOR', email, personId, party, facts: { isOne } } as const
    await appendPeopleEvent(tx, log, acting, event)
    const what = isOne ? `named an administrator of ${party}` : `no longer an administrator of ${party}`
    await noteActivity(tx, workspaceId, {
      ...by,
      act: isOne ? 'party.administrator' : 'party.administrator.remove',
      what,
      subject: email,
    })
  })
}

interface Administering {
  readonly tx: Transaction
  readonly log: OpenLog
  readonly acting: Acting
  readonly party: string
}

function asAdministrator(
  sql: Sql,
  workspaceId: string,
  by: Actor,
  work: (administering: Administering) => Promise<void>,
): Promise<void> {
  return appending(sql, workspaceId, async (tx, log) => {
    const acting = await loadActing(tx, workspaceId, by)
    const party = acting.company
    if (party === null) throw new Refusal('forbidden', 'you belong to no company in this workspace')
    const administrators = await loadAdministrators(tx, workspaceId, party, rowSealsOf(tx))
    if (!administrators.has(acting.personId ?? ''))
      throw new Refusal('forbidden', `only an administrator of ${party} does this`)
    await work({ tx, log, acting, party })
  })
}
