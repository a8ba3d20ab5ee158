// What was done about the people of a workspace: who was invited, joined, got a new password or a passkey, was moved or
// removed, and which list of its people a company confirmed; by whom and from which side. Each is an entry under our
// seal, added and never changed, and is told at once to the people of the company. A row without our seal is not believed.

import { formatPeopleEvent, isToldTo, type PeopleEventKind } from '../../core/people/people-event.ts'
import type { ActingSide } from '../../core/receipt/signer-origin.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { OpenLog } from '../log/append.ts'
import { appendEntry } from '../log/entry-rows.ts'
import type { RowSeals } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import type { Actor } from '../workspaces/activity.ts'
import { loadJoinedOf, loadPlace } from './confirmed-people.ts'
import { addNotices } from './mail.ts'

/** Who did it, with their place in the workspace at that moment. */
export interface Acting {
  readonly by: string
  /** Null at the machine itself. */
  readonly personId: string | null
  readonly role: string | null
  /** By its slug; only of somebody who has joined. */
  readonly company: string | null
}

export interface PeopleEvent {
  readonly seq: number
  readonly kind: PeopleEventKind
  /** Whom it is about, in lower case. */
  readonly email: string
  readonly personId: string | null
  /** The slug of the company it is about. */
  readonly party: string | null
  readonly by: string
  readonly from: ActingSide
  readonly role: string | null
  readonly company: string | null
  readonly facts: Json
  readonly at: Instant
}

export interface NewPeopleEvent {
  readonly kind: PeopleEventKind
  readonly email: string
  readonly personId: string | null
  readonly party: string | null
  readonly facts?: Json
}

/** Their place is read now, not taken from the request: it may have changed meanwhile. */
export async function loadActing(tx: Transaction, workspaceId: string, by: Actor): Promise<Acting> {
  const { who, personId = null } = by
  if (personId === null) return { by: who, personId, role: null, company: null }
  const place = await loadPlace(tx, workspaceId, personId)
  return { by: who, personId, role: place?.role ?? null, company: place?.company ?? null }
}

/** From which side something was done about a company, or about somebody without one. */
export function sideOf({ personId, company }: Acting, party: string | null): ActingSide {
  if (personId === null) return 'OPERATOR'
  return party !== null && party === company ? 'COMPANY' : 'WORKSPACE'
}

/** While the log is open. Tells it to everybody whom it concerns. */
export async function appendPeopleEvent(
  tx: Transaction,
  log: OpenLog,
  acting: Acting,
  { kind, personId, party, facts = null, ...event }: NewPeopleEvent,
): Promise<void> {
  const { scope } = log
  const email = event.email.toLowerCase()
  const partyId = party === null ? null : await loadPartyId(tx, scope, party)
  const done = { by: acting.by, from: sideOf(acting, party), role: acting.role, company: acting.company }
  const seq = await appendEntry(tx, log, 'people', {
    subject: partyId ?? scope,
    facts: { kind, email, personId, ...done, facts },
    beside: { party_id: partyId },
  })
  const told = await loadTold(tx, scope, party, { kind, email, by: done.by })
  const words = formatPeopleEvent({ kind, email, ...done })
  const notice = { name: email, period: null, words, path: '/settings/company', agreement: null }
  await addNotices(
    tx,
    scope,
    told.map(each => ({ email: each, kind: 'people' as const, about: `people ${seq}`, facts: notice })),
  )
}

async function loadPartyId(tx: Transaction, workspaceId: string, slug: string): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from party where workspace_id = ${workspaceId} and slug = ${slug}`
  return row!.id
}

/** Those of the company who have joined, and the person it is about, who may have left; not who did it. */
async function loadTold(
  tx: Transaction,
  workspaceId: string,
  party: string | null,
  { kind, email, by }: Pick<PeopleEvent, 'kind' | 'email' | 'by'>,
): Promise<readonly string[]> {
  const rows = await loadJoinedOf(tx, workspaceId, party)
  // Who gets a link is told by the link itself.
  const isByLink = kind === 'INVITED' || kind === 'PASSWORD_LINK'
  const isForThem = !isByLink && kind !== 'WITHDRAWN' && (party !== null || kind !== 'REMOVED')
  const told = new Set([...rows.map(each => each.email), ...(isForThem ? [email] : [])])
  if (isByLink) told.delete(email)
  return [...told].filter(each => isToldTo(each, { kind, by })).sort()
}

interface EventRow extends PeopleEvent {
  readonly subject: string
  readonly seal: Buffer
  /** Whether it was published; what was put into the database itself was not. */
  readonly isPublished: boolean
}

/**
 * Of a company, about an address, or of one kind. For a signer, events about people without a company are looked at as well, so
 * that none is hidden by being made to be about somebody else.
 */
type EventFilter =
  | { readonly party: string }
  | { readonly email: string }
  | { readonly signer: string }
  | { readonly kind: PeopleEventKind }

function filterOf(tx: Transaction, of: EventFilter) {
  if ('party' in of) return tx`p.slug = ${of.party}`
  if ('signer' in of) return tx`(e.email = ${of.signer.toLowerCase()} or e.party_id is null)`
  return 'email' in of ? tx`e.email = ${of.email.toLowerCase()}` : tx`e.kind = ${of.kind}`
}

/**
 * The oldest first. Inside a transaction of the workspace. Refuses where an event was changed or taken out with SQL alone: what
 * it said about somebody would be missing from what they sign.
 */
export async function loadPeopleEvents(
  tx: Transaction,
  workspaceId: string,
  of: EventFilter,
  seals: RowSeals,
): Promise<readonly PeopleEvent[]> {
  const rows = await tx<EventRow[]>`
    select e.seq, e.kind, e.email, e.person_id as "personId", p.slug as party, e.done_by as by, e.done_from as from,
      e.done_role as role, e.done_company as company, e.facts, e.recorded_at as at,
      coalesce(e.party_id, e.workspace_id) as subject, e.seal, exists (
        select 1 from publication o where o.scope = e.workspace_id and o.seq = e.seq and o.kind = 'people') as "isPublished"
    from people_event e left join party p on p.workspace_id = e.workspace_id and p.id = e.party_id
    where e.workspace_id = ${workspaceId} and ${filterOf(tx, of)} order by e.seq`
  const [gone] = await tx`
    select 1 from publication o where o.scope = ${workspaceId} and o.kind = 'people'
      and not exists (select 1 from people_event e where e.workspace_id = o.scope and e.seq = o.seq) limit 1`
  const sealed = rows.filter(row => seals.holds('people', { scope: workspaceId, subject: row.subject }, row, row))
  if (gone !== undefined || rows.some(row => row.isPublished && !sealed.includes(row))) throw changedEvents()
  const events = sealed.map(({ subject: _subject, seal: _seal, isPublished: _isPublished, ...event }) => event)
  return 'signer' in of ? events.filter(({ email }) => email === of.signer.toLowerCase()) : events
}

function changedEvents(): Refusal {
  return new Refusal(
    'conflict',
    'what was recorded about people was changed in the database itself: run assize verify --chain; nobody signs or is let in until it is restored',
  )
}

/** Of who uses a link: who made it. */
export function linkFacts({ by, at, from, role, company }: PeopleEvent): { readonly link: Json } {
  return { link: { by, at, from, role, company } }
}

/** Up to which event a person has looked; 0 where they have not. */
export async function loadSeenEvents(tx: Transaction, workspaceId: string, personId: string): Promise<number> {
  const [row] = await tx<{ seq: number }[]>`
    select seen_seq as seq from people_seen where workspace_id = ${workspaceId} and person_id = ${personId}`
  return row?.seq ?? 0
}

export async function markSeenEvents(
  tx: Transaction,
  workspaceId: string,
  personId: string,
  until: number,
): Promise<void> {
  await tx`
    insert into people_seen as s (workspace_id, person_id, seen_seq) values (${workspaceId}, ${personId}, ${until})
    on conflict (workspace_id, person_id) do update set seen_seq = greatest(s.seen_seq, excluded.seen_seq)`
}
