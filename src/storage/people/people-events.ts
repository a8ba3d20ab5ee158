// Events about the people of a workspace: invitations, joinings, new passwords and passkeys, moves, removals, and confirmed lists
// of a company's people; with the person who did it and their side. Each is an entry under our seal, added and never changed, and
// is told at once to the people of the company. A row without our seal is not believed.

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

/** The person who did it, with their place in the workspace at that moment. */
export interface Acting {
  readonly by: string
  /** Account; null at the machine itself. */
  readonly personId: string | null
  readonly role: string | null
  /** Slug of the company; only for somebody who has joined. */
  readonly company: string | null
}

export interface PeopleEvent {
  readonly seq: number
  readonly kind: PeopleEventKind
  /** Address of its person, in lower case. */
  readonly email: string
  readonly personId: string | null
  /** Slug of its company. */
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

/** Reads the acting person's place now, and does not take it from the request: it may have changed meanwhile. */
export async function loadActing(tx: Transaction, workspaceId: string, by: Actor): Promise<Acting> {
  const { who, personId = null } = by
  if (personId === null) return { by: who, personId, role: null, company: null }
  const place = await loadPlace(tx, workspaceId, personId)
  return { by: who, personId, role: place?.role ?? null, company: place?.company ?? null }
}

/** Side from which something was done about a company, or about somebody without one. */
export function sideOf({ personId, company }: Acting, party: string | null): ActingSide {
  if (personId === null) return 'OPERATOR'
  return party !== null && party === company ? 'COMPANY' : 'WORKSPACE'
}

/** Appends an event, and tells it to everybody whom it concerns. */
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

/**
 * Readers of an event: joined people of the company, and the person it is about, who may have left; not the person who did it.
 */
async function loadTold(
  tx: Transaction,
  workspaceId: string,
  party: string | null,
  { kind, email, by }: Pick<PeopleEvent, 'kind' | 'email' | 'by'>,
): Promise<readonly string[]> {
  const rows = await loadJoinedOf(tx, workspaceId, party)
  // The link itself tells the person who gets it.
  const isByLink = kind === 'INVITED' || kind === 'PASSWORD_LINK'
  const isForThem = !isByLink && kind !== 'WITHDRAWN' && (party !== null || kind !== 'REMOVED')
  const told = new Set([...rows.map(each => each.email), ...(isForThem ? [email] : [])])
  if (isByLink) told.delete(email)
  return [...told].filter(each => isToldTo(each, { kind, by })).sort()
}

interface EventRow extends PeopleEvent {
  readonly subject: string
  readonly seal: Buffer
  /** Whether it was published; a row put into the database itself was not. */
  readonly isPublished: boolean
}

/**
 * Filter of events: of a company, about an address, or of one kind. For a signer, events about people without a company are
 * looked at as well, so that none is hidden by being made to be about somebody else.
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
 * Events, oldest first. Refuses where one was changed or taken out with SQL alone: its facts would be missing from the person's
 * signatures.
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

/** Facts for the person who uses a link: its maker. */
export function linkFacts({ by, at, from, role, company }: PeopleEvent): { readonly link: Json } {
  return { link: { by, at, from, role, company } }
}

/** Number of the last event that a person has seen; 0 where there is none. */
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
