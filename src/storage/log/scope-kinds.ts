// Entries about a scope and its people: companies, the names of workspace and installation, redactions, and repairs of a clock.
import type { PartyTexts } from '../../core/billing/party-fields.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { publicScope } from '../postgres/database.ts'
import { column, entryKind, json, number, sql, text, textOrNull, truth } from './entry-kind.ts'

export const scopeKinds = {
  /** Name of a company. */
  party: entryKind({
    about: 'company',
    names: false,
    table: 'party_name',
    subject: 'party_id',
    columns: { slug: sql<string>('p.slug'), name: text },
    join: 'join party p on p.workspace_id = r.workspace_id and p.id = r.party_id',
    content: ({ slug, name }) => ({ slug, name }),
    seal: null,
    // Receipts name companies, and the names say to whom lines belong.
    stale: { lists: 'scope', rows: 'scope', trueUps: 'scope' },
    feed: { as: ['metadata'] },
  }),
  'party-member': entryKind({
    about: 'company',
    names: true,
    table: 'party_member',
    subject: 'party_id',
    columns: { email: text, belongs: truth },
    content: ({ email, belongs }) => ({ email, belongs }),
    seal: null,
    stale: {},
    feed: null,
  }),
  /**
   * Billing details of a company, or of the workspace itself, for notes: addresses, tax identifiers, accounts, and a contact, who
   * may be a person.
   */
  'party-billing': entryKind({
    about: 'company',
    names: true,
    table: 'party_billing',
    subject: sql('coalesce(r.party_id, r.workspace_id)'),
    columns: { details: json<PartyTexts>(), setBy: text },
    beside: ['party_id'],
    content: ({ details, setBy }) => ({ details, setBy }),
    seal: { as: 'party-billing', coversNumber: true },
    stale: {},
    feed: null,
  }),
  /** An event about a person of a company, or of the workspace itself; see people-events.ts. */
  people: entryKind({
    about: 'company',
    names: true,
    table: 'people_event',
    subject: sql('coalesce(r.party_id, r.workspace_id)'),
    columns: {
      kind: text,
      email: text,
      personId: textOrNull,
      by: column<string>('done_by'),
      from: column<string>('done_from'),
      role: column<string | null>('done_role'),
      company: column<string | null>('done_company'),
      facts: json<Json>(),
    },
    beside: ['party_id'],
    content: ({ kind, email, personId, by, from, role, company, facts }) => {
      return { kind, email, personId, by, from, role, company, facts }
    },
    seal: { as: 'people', coversNumber: true },
    stale: {},
    feed: null,
  }),
  workspace: entryKind({
    about: 'scope',
    names: false,
    table: 'workspace_name',
    subject: 'workspace_id',
    columns: { name: text, nameBefore: text },
    content: ({ name, nameBefore }) => ({ name, nameBefore }),
    seal: null,
    // Receipts name their workspace.
    stale: { lists: 'scope', rows: 'scope', digests: 'scope' },
    feed: { as: ['metadata'] },
  }),
  /** Name of the installation, which gets one once. */
  installation: entryKind({
    about: 'scope',
    names: false,
    table: 'installation',
    source: 'installation_identity()',
    scope: sql(`'${publicScope}'`),
    seq: 'named_seq',
    at: 'named_at',
    subject: 'id',
    columns: { name: text },
    where: 'r.named_seq is not null',
    content: ({ name }) => ({ name }),
    seal: null,
    stale: { lists: 'scope', rows: 'scope', digests: 'scope' },
    feed: { as: ['metadata'] },
  }),
  /** A redaction: the part of an entry about a person was replaced, with the hash of its content since (decision 0701). */
  redaction: entryKind({
    about: 'any',
    names: false,
    table: 'redaction',
    scope: 'scope',
    subject: 'subject',
    columns: {
      entry: number,
      kind: column<string>('entry_kind'),
      /** The hash of its content before and since, as hexadecimal digits. */
      was: text,
      is: column<string>('becomes'),
      /** Text in the place of the person's name. */
      instead: text,
      reason: text,
      by: column<string>('done_by'),
    },
    content: ({ entry, kind, was, is, instead, reason, by }) => ({ entry, kind, was, is, instead, reason, by }),
    seal: null,
    stale: { lists: 'scope', rows: 'scope', digests: 'scope', trueUps: 'scope' },
    feed: null,
  }),
  /** Repair of a clock that was ahead: it changes the instants that count. */
  clock: entryKind({
    about: 'scope',
    names: false,
    table: 'clock_repair',
    scope: 'scope',
    subject: 'scope',
    columns: { firstSeq: number, lastSeq: number, countsAs: column<Instant>('counts_as') },
    content: ({ firstSeq, lastSeq, countsAs }) => ({ firstSeq, lastSeq, countsAs }),
    seal: null,
    stale: { lists: 'scope', rows: 'scope', digests: 'scope', trueUps: 'scope' },
    feed: { as: ['metadata'] },
  }),
}
