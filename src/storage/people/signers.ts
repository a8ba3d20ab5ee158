// Origin of a signer, read from records: the events about them and their company, their membership and their keys.

import type { PeopleAct, RenewedWay, SignerCompany, SignerOrigin } from '../../core/receipt/signer-origin.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { confirmOne } from '../log/access-log.ts'
import type { RowSeals } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import type { MemberState } from './member.ts'
import { listPasskeys } from './passkeys.ts'
import { loadMemberStates } from './people.ts'
import { loadPeopleEvents, type PeopleEvent } from './people-events.ts'

/** Origin of a person; null for somebody who is not a member. */
export async function loadSignerOrigin(
  tx: Transaction,
  workspaceId: string,
  personId: string,
  seals: RowSeals,
): Promise<SignerOrigin | null> {
  const member = (await loadMemberStates(tx, workspaceId)).find(({ id }) => id === personId)
  if (member === undefined) return null
  const events = await loadPeopleEvents(tx, workspaceId, { signer: member.email }, seals)
  const keys = await listPasskeys(tx, personId)
  const identities = await loadIdentities(tx, workspaceId, personId)
  const invited = events.findLast(({ kind }) => kind === 'INVITED')
  const since = invited?.seq ?? 0
  return {
    role: member.role,
    invited: invited === undefined ? letInByGroup(member) : actOf(invited),
    joinedAt: events.findLast(({ kind, seq }) => kind === 'JOINED' && seq > since)?.at ?? member.joinedAt,
    renewed: renewedOf(events.findLast(event => event.seq > since && isRenewal(event))),
    company: await companyOf(tx, workspaceId, member, events, seals),
    passkeys: keys.map(({ credentialId: id, createdAt: registeredAt }) => ({ id, registeredAt })),
    ...(identities.length === 0 ? {} : { identities: identities.map(({ providerId: _provider, ...each }) => each) }),
  }
}

/** Identity of somebody at an identity provider. */
interface LinkedIdentity {
  readonly providerId: string
  readonly issuer: string
  readonly subject: string
  readonly linkedAt: Instant
}

/** Identities that the access log confirms. */
export async function loadIdentities(
  tx: Transaction,
  workspaceId: string,
  personId: string,
): Promise<readonly LinkedIdentity[]> {
  const rows = await tx<(LinkedIdentity & { id: string })[]>`
    select l.id, l.provider_id as "providerId", i.issuer, l.subject, l.linked_at as "linkedAt" from identity_link l
    join identity_provider i on i.workspace_id = l.workspace_id and i.id = l.provider_id
    where l.workspace_id = ${workspaceId} and l.person_id = ${personId} order by l.linked_at, l.id`
  const known: LinkedIdentity[] = []
  for (const { id, ...row } of rows) {
    const said = await confirmOne(tx, 'identity', workspaceId, id)
    const isSaid = said?.subject === row.subject && said.provider_id === row.providerId && said.person_id === personId
    if (isSaid) known.push(row)
  }
  return known
}

function actOf({ by, at, from, role, company }: PeopleEvent): PeopleAct {
  return { by, at, from, role, company }
}

/** Admission by a group at an identity provider: nobody invited the person, and the provider stands in the place of one. */
function letInByGroup({ invitedBy, invitedAt }: MemberState): PeopleAct {
  return { by: invitedBy, at: invitedAt, from: null, role: null, company: null }
}

/** A password that the person did not choose at the invitation's own link. */
function isRenewal({ kind, from }: PeopleEvent): boolean {
  return kind === 'JOINED_AGAIN' || kind === 'PASSWORD_SET' || (kind === 'JOINED' && from === 'OPERATOR')
}

function renewedOf(event: PeopleEvent | undefined): RenewedWay | null {
  if (event === undefined) return null
  const { at: usedAt, facts } = event
  const link = event.kind === 'JOINED_AGAIN' ? linkOf(facts) : null
  if (link === null) return { ...actOf(event), how: event.from === 'OPERATOR' ? 'OPERATOR' : 'LINK', usedAt }
  return { ...link, how: 'LINK', usedAt }
}

/** See linkFacts in people-events.ts. */
function linkOf(facts: Json): PeopleAct | null {
  const { link = null } = (facts ?? {}) as { readonly link?: PeopleAct | null }
  return link
}

async function companyOf(
  tx: Transaction,
  workspaceId: string,
  { company: slug, email }: MemberState,
  own: readonly PeopleEvent[],
  seals: RowSeals,
): Promise<SignerCompany | null> {
  if (slug === null) return null
  const put = own.findLast(({ kind, party }) => party === slug && (kind === 'INVITED' || kind === 'MOVED_IN'))
  const events = await loadPeopleEvents(tx, workspaceId, { party: slug }, seals)
  const confirmed = newestConfirmation(events)
  return {
    slug,
    put: put === undefined ? null : actOf(put),
    confirmed:
      confirmed === null
        ? null
        : {
            by: confirmed.by,
            at: confirmed.at,
            hash: confirmed.hash,
            isListed: confirmed.people.some(each => each.email === email.toLowerCase()),
          },
  }
}

export interface Confirmation {
  readonly by: string
  readonly at: PeopleEvent['at']
  readonly hash: string
  readonly means: string
  readonly people: readonly { readonly email: string }[]
}

/** Newest confirmation among a company's events. */
export function newestConfirmation(events: readonly PeopleEvent[]): Confirmation | null {
  const event = events.findLast(({ kind }) => kind === 'CONFIRMED')
  if (event === undefined) return null
  const { hash, means, people } = event.facts as unknown as Omit<Confirmation, 'by' | 'at'>
  return { by: event.by, at: event.at, hash, means, people }
}
