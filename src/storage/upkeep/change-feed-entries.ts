// Entries of the feed, in order, as a workspace sees them: its own, and those of the public series it follows from the moment it
// follows them. They have subjects and places only; the caller knows their meaning.

import type { Hash } from '../../core/proof/merkle-hash.ts'
import { readRoot } from '../../core/proof/merkle-proof.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'
import type { ChangeOfTerms } from '../../core/true-up/change-kinds.ts'
import type { InvoiceName } from '../agreements/invoices.ts'
import { loadMarks } from '../log/append.ts'
import { loadClockRepairs, vintageSource } from '../log/clock-repairs.ts'
import type { AnyEntryRule } from '../log/entry-kind.ts'
import { type EntryKind, entryKinds, kindsWhere } from '../log/entry-kinds.ts'
import { rowsOf } from '../log/entry-rows.ts'
import { loadLastLeaves } from '../log/scope-head.ts'
import { publicScope, type Queryable, type Transaction } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import { rootOfTree, type TreeEnd } from '../trees/tree-growth.ts'

/** A place in the two sequences that a workspace sees. */
export interface FeedPlace {
  readonly own: number
  readonly public: number
}

export interface VisibleEntry {
  readonly scope: string
  readonly seq: number
  readonly kind: EntryKind
  readonly subject: string
  /** Instant that counts. */
  readonly recordedAt: Instant
  /** Instant in the rows, those that belong to it too. */
  readonly storedAt: Instant
}

export interface FeedEntries {
  /** Entries by the instant they were recorded; within a scope in its order. */
  readonly publications: readonly VisibleEntry[]
  /** Newest places of both sequences. */
  readonly newest: FeedPlace
  /** Scopes with more entries than were read. */
  readonly more: ReadonlySet<string>
}

/** Entries to leave out, of kinds that may be one thing or another. */
export type LeftOut = 'proposed waiver' | 'waiver' | 'correction' | 'splice' | 'amendment'

function seqsOf(tx: Transaction, workspaceId: string, what: LeftOut) {
  if (what === 'splice' || what === 'amendment') return termsSeqs(tx, workspaceId, what)
  return correctionSeqs(tx, workspaceId, what)
}

/** Entries about a splice, or about an amendment; a price list that both sign is one. */
function termsSeqs(tx: Transaction, workspaceId: string, what: 'splice' | 'amendment') {
  const kinds = kindsWhere(({ feed }) => feed?.change !== undefined)
  return tx`
    select about.seq from (${aboutIn(tx, workspaceId, kinds, 'change')}) about
    join terms_change c on c.workspace_id = ${workspaceId} and c.id = about.about where (c.kind = 'SPLICE') = ${what === 'splice'}`
}

/** Conditions for waivers, for waivers that somebody proposed and no policy made, and for corrections that waive nothing. */
const corrected = {
  'proposed waiver': 'c.waives is not null',
  waiver: 'c.waived',
  correction: 'not c.waived',
} as const

function correctionSeqs(tx: Transaction, workspaceId: string, what: keyof typeof corrected) {
  const kinds = kindsWhere(({ feed }) => feed?.as.includes('waiver') === true)
  return tx`
    select about.seq from (${aboutIn(tx, workspaceId, kinds, 'correction')}) about
    join correction c on c.workspace_id = ${workspaceId} and c.id = about.about where ${tx.unsafe(corrected[what])}`
}

type FeedSubjects = Pick<NonNullable<AnyEntryRule['feed']>, 'period' | 'correction' | 'change'>

/** Numbers of entries, each with its period, its correction or its change of terms. */
function aboutIn(tx: Transaction, workspaceId: string, kinds: readonly EntryKind[], what: keyof FeedSubjects) {
  return kinds
    .map(
      kind => tx`
        select r.seq, ${tx.unsafe(entryKinds[kind].feed![what]!)} as about from ${rowsOf(tx, kind)}
        where r.workspace_id = ${workspaceId}`,
    )
    .reduce((all, one) => tx`${all} union all ${one}`)
}

/**
 * Reads up to `most` entries of each sequence behind a place. Inside a snapshot of the workspace. Entries that are left out take
 * no room, so that pages are full and neither the length of one nor its end reveals a waiver.
 */
export async function loadSeen(
  tx: Transaction,
  workspaceId: string,
  after: FeedPlace,
  kinds: readonly EntryKind[],
  most: number,
  leftOut: readonly LeftOut[] = [],
): Promise<FeedEntries> {
  const ofSeries = kindsWhere(({ about }) => about === 'series')
  const seen = leftOut
    .map(what => tx`and seq not in (${seqsOf(tx, workspaceId, what)})`)
    .reduce((all, one) => tx`${all} ${one}`, tx``)
  const [marks, own, shared, repairs] = await Promise.all([
    loadMarks(tx, workspaceId),
    tx<VisibleEntry[]>`
      select scope, seq, kind, subject, recorded_at as "storedAt" from publication
      where scope = ${workspaceId} and seq > ${after.own} and kind = any(${kinds as string[]}::text[]) ${seen}
      order by seq limit ${most}`,
    tx<VisibleEntry[]>`
      select p.scope, p.seq, p.kind, p.subject, p.recorded_at as "storedAt"
      from publication p left join follow f on f.workspace_id = ${workspaceId} and f.series_id = p.subject
      where p.scope = ${publicScope} and p.seq > ${after.public} and p.kind = any(${kinds as string[]}::text[])
        and (p.kind <> all(${ofSeries as string[]}::text[]) or p.recorded_at > f.recorded_at)
      order by p.seq limit ${most}`,
    loadClockRepairs(tx, workspaceId),
  ])
  const entries = [...own, ...shared]
    .map(each => ({ ...each, recordedAt: repairs.instantOf(each.scope, each.seq, each.storedAt) }))
    .sort((a, b) => compare(a.recordedAt, b.recordedAt) || compare(a.scope, b.scope) || a.seq - b.seq)
  // The page ends where either sequence was cut: nothing after that is in its place.
  const cut = [own, shared].filter(({ length }) => length === most).map(rows => rows.at(-1))
  const last = entries.findIndex(({ scope, seq }) => cut.some(each => each?.scope === scope && each.seq === seq))
  const read = last < 0 ? entries : entries.slice(0, last + 1)
  const more = new Set(entries.slice(read.length).map(({ scope }) => scope))
  for (const rows of cut) if (rows !== undefined) more.add(rows.scope)
  const newest = { own: marks.get(workspaceId) ?? 0, public: marks.get(publicScope) ?? 0 }
  return { publications: read, newest, more }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Mark of a place: the root that the tree had there, shortened. Empty for the beginning, null where nothing is there. */
export async function loadPlaceMark(tx: Transaction, scope: string, seq: number): Promise<string | null> {
  if (seq === 0) return ''
  const [clock] = await tx<(TreeEnd & { seq: number })[]>`
    select seq, tree_size as size, tree_edge as edge from scope_clock where scope = ${scope}`
  if (clock === undefined || seq > clock.seq) return null
  const root = seq === clock.seq ? rootOfTree(clock) : await rootAt(tx, scope, seq, seq - (clock.seq - clock.size))
  return Buffer.from(root).toString('hex').slice(0, 16)
}

/** Root of the tree of so many leaves, which ends with that entry. */
function rootAt(tx: Transaction, scope: string, seq: number, size: number): Promise<Hash> {
  const readLast = async (count: number) => {
    // A workspace sees few publications of public series themselves, and the leaves of all of them.
    if (scope !== publicScope) return loadLastLeaves(tx, scope, seq, count)
    const [row] = await tx<{ leaves: Buffer }[]>`select public_leaves(${seq}, ${count}) as leaves`
    return row!.leaves
  }
  return readRoot(size, tilesOf(tx, scope, size, readLast))
}

export const walkAgain = 'the history is another one since a backup was restored: walk everything again'

/** Refuses a place of a history that is no longer the one here. */
export async function checkPlace(tx: Transaction, scope: string, seq: number, mark: string): Promise<void> {
  if ((await loadPlaceMark(tx, scope, seq)) !== mark) throw new Refusal('conflict', walkAgain)
}

/** Running numbers of the periods that an entry of observations touched; null where they are more than `most`. */
export async function loadTouchedPeriods(
  tx: Transaction,
  entries: readonly VisibleEntry[],
  most: number,
): Promise<ReadonlyMap<VisibleEntry, readonly number[] | null>> {
  if (entries.length === 0) return new Map()
  const rows = await tx<{ place: number; periods: number[] | null }[]>`
    select asked.place::integer as place, touched.periods
    from unnest(${entries.map(({ scope }) => scope)}::text[], ${entries.map(({ subject }) => subject)}::text[],
      ${entries.map(({ seq }) => seq)}::bigint[], ${entries.map(({ storedAt }) => storedAt)}::timestamptz[])
      with ordinality as asked (owner, series_id, seq, stored_at, place)
    cross join lateral (
      select array_agg(d.period order by d.period) as periods from (
        select distinct v.period from vintage v
        where v.owner = asked.owner and v.series_id = asked.series_id and v.recorded_at = asked.stored_at
          and v.seq = asked.seq
        limit ${most + 1}) d) touched`
  return new Map(
    rows.map(({ place, periods }) => {
      const known = periods ?? []
      return [entries[place - 1]!, known.length > most ? null : known]
    }),
  )
}

/** Subject of a signature, and whether both have signed with it. */
export interface SignedWith {
  readonly period: string
  readonly isSecond: boolean
}

export async function loadSignatures(
  tx: Transaction,
  workspaceId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, SignedWith>> {
  if (seqs.length === 0) return new Map()
  const rows = await tx<(SignedWith & { seq: number })[]>`
    select s.seq, s.period, exists (
      select 1 from sign_off o where o.workspace_id = s.workspace_id and o.agreement_id = s.agreement_id and o.period = s.period
        and o.receipt_hash = s.receipt_hash and o.party <> s.party and o.seq < s.seq) as "isSecond"
    from sign_off s where s.workspace_id = ${workspaceId} and s.seq = any(${seqs as number[]}::bigint[])`
  return new Map(rows.map(row => [row.seq, row]))
}

/** Periods of objections, answers to them and declared quantities; null where they are more than `most`. */
export async function loadStatedPeriods(
  tx: Transaction,
  workspaceId: string,
  seqs: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, readonly string[] | null>> {
  if (seqs.length === 0) return new Map()
  const kinds = kindsWhere(({ feed }) => feed?.period !== undefined)
  const rows = await tx<{ seq: number; periods: string[] }[]>`
    select stated.seq, array_agg(distinct stated.about order by stated.about) as periods
    from (${aboutIn(tx, workspaceId, kinds, 'period')}) stated
    where stated.seq = any(${seqs as number[]}::bigint[]) group by stated.seq`
  return new Map(rows.map(({ seq, periods }) => [seq, periods.length > most ? null : periods]))
}

export interface ChangedInvoice extends InvoiceName {
  readonly agreementIds: readonly string[]
}

export async function loadChangedInvoices(
  tx: Transaction,
  workspaceId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, ChangedInvoice>> {
  if (seqs.length === 0) return new Map()
  const rows = await tx<(ChangedInvoice & { seq: number })[]>`
    select i.seq, i.supplier, i.number, array(
      select distinct l.agreement_id from invoice_line l where l.workspace_id = i.workspace_id and l.invoice_id = i.id) as "agreementIds"
    from invoice i where i.workspace_id = ${workspaceId} and i.seq = any(${seqs as number[]}::bigint[])`
  return new Map(rows.map(row => [row.seq, row]))
}

export interface ChangedCorrection {
  readonly id: string
  readonly periods: readonly string[]
  readonly waived: boolean
}

/** Corrections that proposals, signatures, refusals and notes are about. */
export async function loadChangedCorrections(
  tx: Transaction,
  workspaceId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, ChangedCorrection>> {
  if (seqs.length === 0) return new Map()
  const kinds = kindsWhere(({ feed }) => feed?.correction !== undefined)
  const rows = await tx<(ChangedCorrection & { seq: number })[]>`
    select about.seq, c.id, c.periods, c.waived from (${aboutIn(tx, workspaceId, kinds, 'correction')}) about
    join correction c on c.workspace_id = ${workspaceId} and c.id = about.about
    where about.seq = any(${seqs as number[]}::bigint[])`
  return new Map(rows.map(row => [row.seq, row]))
}

/** Releases that an entry about a calendar announced. */
export interface ChangedRelease {
  readonly provider: string
  readonly release: string
  /** Periods, without those that could not be read. */
  readonly periods: readonly string[]
}

export async function loadChangedReleases(
  tx: Transaction,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, ChangedRelease>> {
  if (seqs.length === 0) return new Map()
  const rows = await tx<(ChangedRelease & { seq: number })[]>`
    select seq, provider, release, coalesce(
      array_agg(distinct period order by period) filter (where period is not null), '{}') as periods
    from calendar_entry where owner = ${publicScope} and seq = any(${seqs as number[]}::bigint[])
    group by seq, provider, release`
  return new Map(rows.map(row => [row.seq, row]))
}

export interface ChangedTerms {
  readonly id: string
  readonly kind: ChangeOfTerms
}

/** Changes of terms that proposals, signatures and refusals are about. */
export async function loadChangedTerms(
  tx: Transaction,
  workspaceId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, ChangedTerms>> {
  if (seqs.length === 0) return new Map()
  const kinds = kindsWhere(({ feed }) => feed?.change !== undefined)
  const rows = await tx<(ChangedTerms & { seq: number })[]>`
    select about.seq, c.id, c.kind from (${aboutIn(tx, workspaceId, kinds, 'change')}) about
    join terms_change c on c.workspace_id = ${workspaceId} and c.id = about.about
    where about.seq = any(${seqs as number[]}::bigint[])`
  return new Map(rows.map(row => [row.seq, row]))
}

export async function loadPartySlugs(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx<{ id: string; slug: string }[]>`
    select id, slug from party where workspace_id = ${workspaceId} and id = any(${ids as string[]}::text[])`
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

export interface FeedVintage {
  readonly period: number
  readonly value: string | null
  readonly tag: string | null
  readonly flag: string | null
  readonly publishedAt: Instant
}

/** The vintages of each entry, at most `most` of each, by period and entry; `skip` of the first are left out. */
export async function loadFeedVintages(
  tx: Transaction,
  workspaceId: string,
  entries: readonly VisibleEntry[],
  skip: number,
  most: number,
): Promise<readonly (readonly FeedVintage[])[]> {
  const source = await vintageSource(tx, workspaceId)
  // The view shows other instants where a clock was repaired; the number of the entry finds them all the same.
  const atInstant = source === 'vintage' ? tx`and v.recorded_at = asked.stored_at` : tx``
  const rows = await tx<(FeedVintage & { place: number })[]>`
    select asked.place::integer as place, found.period, found.value, found.tag, found.flag,
      found.published_at as "publishedAt"
    from unnest(${entries.map(({ scope }) => scope)}::text[], ${entries.map(({ subject }) => subject)}::text[],
      ${entries.map(({ seq }) => seq)}::bigint[], ${entries.map(({ storedAt }) => storedAt)}::timestamptz[])
      with ordinality as asked (owner, series_id, seq, stored_at, place)
    cross join lateral (
      select v.period, v.value, v.tag, v.flag, v.published_at from ${tx(source)} v
      where v.owner = asked.owner and v.series_id = asked.series_id ${atInstant} and v.seq = asked.seq
      order by v.period, v.published_at
      offset (case when asked.place = 1 then ${skip}::bigint else 0 end) limit ${most}) found
    order by asked.place, found.period, found.published_at`
  const groups: FeedVintage[][] = entries.map(() => [])
  for (const { place, ...vintage } of rows) groups[place - 1]!.push(vintage)
  return groups
}

/** Whether nothing public can still be recorded at or before an instant. It does not wait. */
export async function isPublicSettled(sql: Queryable, at: Instant): Promise<boolean> {
  const [row] = await sql<{ settled: Instant | null }[]>`
    select settled from settle(${publicScope}, ${at}::timestamptz)`
  return row!.settled !== null
}

interface TouchedSeries {
  readonly id: string
  readonly at: Instant
}

/** Series of the workspace and those it follows that changed in a time, its beginning excluded and its end included. */
export async function loadTouchedSeries(
  tx: Transaction,
  workspaceId: string,
  since: Instant,
  until: Instant,
): Promise<readonly TouchedSeries[]> {
  const repairs = await loadClockRepairs(tx, workspaceId)
  // Entries of a clock that was ahead count earlier than they say.
  const upTo = repairs.isEmpty ? tx`and p.recorded_at <= ${until}` : tx``
  const rows = await tx<{ scope: string; seq: number; id: string; at: Instant }[]>`
    select p.scope, p.seq, p.subject as id, p.recorded_at as at from publication p
    where p.scope = ${workspaceId} and p.kind = 'observations' and p.recorded_at > ${since} ${upTo}
    union all
    select p.scope, p.seq, p.subject, p.recorded_at from follow f
    join publication p on p.scope = f.series_owner and p.subject = f.series_id
    where f.workspace_id = ${workspaceId} and p.kind = 'observations' and p.recorded_at > ${since} ${upTo}`
  const newest = new Map<string, Instant>()
  for (const { scope, seq, id, at } of rows) {
    const counts = repairs.instantOf(scope, seq, at)
    if (counts > since && counts <= until && counts > (newest.get(id) ?? '')) newest.set(id, counts)
  }
  return [...newest].map(([id, at]) => ({ id, at }))
}

/** Instant of the newest entry before or at a place; the earliest instant if there is none. */
export async function loadPlaceInstant(tx: Transaction, workspaceId: string, place: FeedPlace): Promise<Instant> {
  const rows = await tx<{ scope: string; seq: number; at: Instant }[]>`
    (select scope, seq, recorded_at as at from publication
     where scope = ${workspaceId} and seq <= ${place.own} order by seq desc limit 1)
    union all
    (select p.scope, p.seq, p.recorded_at from publication p
     where p.scope = ${publicScope} and p.seq <= ${place.public} order by p.seq desc limit 1)`
  const repairs = await loadClockRepairs(tx, workspaceId)
  const instants = rows.map(({ scope, seq, at }) => repairs.instantOf(scope, seq, at))
  return [instantOfMicros(0), ...instants].sort().at(-1)!
}
