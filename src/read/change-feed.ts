// Changes of a workspace, made from its log: each entry is one change, with its subject, the periods it affects and the agreements
// whose numbers or terms it can change. Entries that a scope may not read are left out here.
import { isAbout } from '../core/index-changes/index-event.ts'
import { covers, type KeyScope } from '../core/people/key-scope.ts'
import type { Instant } from '../core/time/instant.ts'
import { formatPeriod } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import type { ChangeKind } from '../storage/log/entry-kind.ts'
import { type EntryKind, entryKinds } from '../storage/log/entry-kinds.ts'
import { publicScope, type Transaction } from '../storage/postgres/database.ts'
import {
  type ChangedCorrection,
  type ChangedInvoice,
  type ChangedRelease,
  type ChangedTerms,
  type FeedPlace,
  type LeftOut,
  loadChangedCorrections,
  loadChangedInvoices,
  loadChangedReleases,
  loadChangedTerms,
  loadPartySlugs,
  loadSignatures,
  loadStatedPeriods,
  loadTouchedPeriods,
  type SignedWith,
  type VisibleEntry,
} from '../storage/upkeep/change-feed-entries.ts'
import type { Readers } from './agreements/agreement-readers.ts'
import {
  entriesOf,
  isOfCorrection,
  isOfTerms,
  isSigning,
  kindOf,
  mayBe,
  statesPeriods,
  visibleKinds,
} from './change-kinds.ts'
import { type FeedPage, loadFeed, type MarkedPlace, placeAfter } from './feed-page.ts'
import type { Library } from './library.ts'
import type { CachedIndex } from './lists/cached-index.ts'

export interface Change {
  readonly id: string
  readonly at: string
  readonly kind: ChangeKind
  readonly subject: string
  readonly periods: readonly string[] | null
  readonly pams: readonly string[]
}

export interface ChangesRead {
  readonly changes: readonly Change[]
  readonly hasMore: boolean
  readonly place: MarkedPlace
  /** Place up to which everything was looked at; null where something has to settle first. */
  readonly newest: FeedPlace | null
}

/** Dependencies for reading changes. */
export interface ChangesContext {
  readonly library: Library
  /** Reads of one moment, in a transaction of the workspace. */
  readonly snapshot: <T>(workspaceId: string, read: (tx: Transaction) => Promise<T>) => Promise<T>
  /** Whether nothing public can still be recorded at or before the instant. It does not wait. */
  readonly isPublicSettled: (at: Instant) => Promise<boolean>
  /** Name of a place in the workspace; it does not reveal the place's number. */
  readonly nameOf: (place: string) => string
}

/** The workspace and the scope of the reader, with the wanted kinds. */
interface ChangesAsked {
  readonly workspaceId: string
  readonly scope: KeyScope
  /** Wanted kinds; null: all that the scope covers. */
  readonly kinds: readonly ChangeKind[] | null
  readonly limit: number
}

function readsMoney({ scope }: Pick<ChangesAsked, 'scope'>): boolean {
  return covers(scope, 'money')
}

/** Result of one snapshot of the workspace. Nothing else is asked for while its connection is held. */
interface ReadPage {
  readonly page: FeedPage
  readonly publications: readonly VisibleEntry[]
  readonly place: MarkedPlace
  /** End of the page where what follows is not known yet; null where it is. */
  readonly open: { readonly count: number; readonly until: VisibleEntry; readonly place: MarkedPlace } | null
  readonly facts: ChangeFacts
}

/** Wanted part of the feed. */
interface FeedQuery {
  readonly kinds: readonly EntryKind[]
  readonly limit: number
  readonly leftOut: readonly LeftOut[]
}

/** Rows to leave out: of two possible kinds the one not asked for; without `money`, rows that only amounts decide. */
function leftOutOf(request: ChangesAsked, wanted: readonly ChangeKind[]): readonly LeftOut[] {
  const oneOf = (...kinds: ('waiver' | 'correction' | 'splice' | 'amendment')[]) => {
    const missing = kinds.filter(kind => !wanted.includes(kind))
    return missing.length === 1 ? missing : []
  }
  const waivers: readonly LeftOut[] = readsMoney(request) ? oneOf('waiver', 'correction') : ['proposed waiver']
  return [...waivers, ...oneOf('splice', 'amendment')]
}

/** Changes after a place, or from now on, as a key of the scope sees them. */
export async function readChanges(
  ground: ChangesContext,
  request: ChangesAsked,
  start: MarkedPlace | null,
): Promise<ChangesRead> {
  const { workspaceId, scope, limit } = request
  const wanted = visibleKinds(request.kinds, scope)
  const read = await ground.snapshot(workspaceId, tx =>
    loadPage(tx, workspaceId, start, { kinds: entriesOf(wanted), limit, leftOut: leftOutOf(request, wanted) }),
  )
  const { page, publications: entries, open } = read
  const isWhole = open === null || (await ground.isPublicSettled(open.until.storedAt))
  const taken = isWhole ? entries : entries.slice(0, open.count)
  const place = isWhole ? read.place : open.place
  if (taken.length === 0) return { changes: [], hasMore: false, place, newest: isWhole ? page.newest : null }
  const changes = await describe(ground, request, page, taken, read.facts)
  const hasMore = page.publications.length > taken.length || page.more.size > 0
  const newest = isWhole && !hasMore ? page.newest : null
  return { changes: changes.filter(({ kind }) => wanted.includes(kind)), hasMore, place, newest }
}

async function loadPage(
  tx: Transaction,
  workspaceId: string,
  start: MarkedPlace | null,
  { kinds, limit, leftOut }: FeedQuery,
): Promise<ReadPage> {
  const page = await loadFeed(tx, workspaceId, start, kinds, limit + 1, leftOut)
  const entries = page.publications.slice(0, limit)
  const [place, open, facts] = await Promise.all([
    placeAfter(tx, workspaceId, page, entries.length, null),
    loadOpenEnd(tx, workspaceId, page, entries),
    loadFacts(tx, workspaceId, entries),
  ])
  return { page, publications: entries, place, open, facts }
}

/**
 * Finds an open end. A series counts from the moment it was followed: while something public can still be recorded before that
 * moment, what follows it is not known, and the page ends before it.
 */
async function loadOpenEnd(
  tx: Transaction,
  workspaceId: string,
  page: FeedPage,
  entries: readonly VisibleEntry[],
): Promise<ReadPage['open']> {
  const follows = entries.filter(each => each.kind === 'follow' && each.scope === workspaceId)
  const until = follows.at(-1)
  if (until === undefined) return null
  const count = entries.indexOf(follows[0]!)
  return { count, until, place: await placeAfter(tx, workspaceId, page, count, null) }
}

async function describe(
  ground: ChangesContext,
  request: ChangesAsked,
  { newest }: FeedPage,
  taken: readonly VisibleEntry[],
  facts: ChangeFacts,
): Promise<Change[]> {
  const { workspaceId } = request
  const { library } = ground
  // Waits for the lists to include every described change.
  await library.changes.catchUpTo(
    new Map([
      [workspaceId, newest.own],
      [publicScope, newest.public],
    ]),
  )
  const index = await library.index(workspaceId)
  const { readers } = await library.readers(workspaceId, index)
  const byRelease = facts.releases.size === 0 ? new Map() : await readersByRelease(library, workspaceId, index, readers)
  const byEvent = taken.some(({ kind }) => kind === 'index-event')
    ? await readersByEvent(library, workspaceId, index, readers)
    : noEvents
  // Announcements about a release, and events of an index, concern only agreements that read one of its series.
  const seen = taken.filter(({ kind, subject }) =>
    kind === 'calendar' ? byRelease.has(subject) : kind !== 'index-event' || byEvent.has(subject),
  )
  return seen.map(log => {
    const { scope, seq, kind, subject, recordedAt } = log
    const signed = isSigning(kind) ? facts.signatures.get(seq) : undefined
    const invoice = kind === 'invoice' ? facts.invoices.get(seq) : undefined
    const correction = isOfCorrection(kind) ? facts.corrections.get(seq) : undefined
    const release = kind === 'calendar' ? facts.releases.get(seq) : undefined
    // Shown with money only: a policy waives what is below its minimum, so a waiver would reveal the amount.
    const isWaiver = correction?.waived === true && mayBe(kind, 'waiver') && readsMoney(request)
    const terms = isOfTerms(kind) ? facts.terms.get(seq) : undefined
    const plain = isWaiver ? 'waiver' : terms !== undefined && terms.kind !== 'SPLICE' ? 'amendment' : kindOf(kind)
    return {
      id: `chg_${ground.nameOf(`${scope} ${seq}`)}`,
      at: recordedAt,
      kind: signed === undefined ? plain : signed.isSecond ? 'agreed' : 'signoff',
      subject: correction?.id ?? terms?.id ?? byEvent.get(subject)?.id ?? nameOf(release, invoice) ?? subject,
      periods: periodsOf(index, log, facts),
      pams: byRelease.get(subject) ?? byEvent.get(subject)?.pams ?? slugsTouched(index, readers, log, facts),
    }
  })
}

function nameOf(release: ChangedRelease | undefined, invoice: ChangedInvoice | undefined): string | null {
  if (release !== undefined) return `${release.provider}/${release.release}`
  return invoice === undefined ? null : `${invoice.supplier}/${invoice.number}`
}

/** Slugs of the agreements that read a series of each release, by the id of the release. */
async function readersByRelease(
  library: Library,
  workspaceId: string,
  index: CachedIndex,
  readers: Readers,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = index.series.filter(({ id }) => readers.has(id))
  const ids = await library.releases.releaseIdsOf(workspaceId, read)
  const groups = Map.groupBy(
    read.filter(({ id }) => ids.has(id)),
    ({ id }) => ids.get(id)!,
  )
  return new Map(
    [...groups].map(([release, series]) => {
      const slugs = new Set(series.flatMap(({ id }) => slugsOf(readers.get(id)!)))
      return [release, [...slugs].sort()]
    }),
  )
}

const noEvents: ReadonlyMap<string, ReadEvent> = new Map()

interface ReadEvent {
  readonly id: string
  readonly pams: readonly string[]
}

/** Events about series that agreements read, by the id in the log. */
async function readersByEvent(
  library: Library,
  workspaceId: string,
  index: CachedIndex,
  readers: Readers,
): Promise<ReadonlyMap<string, ReadEvent>> {
  const read = index.series.filter(({ id }) => readers.has(id))
  const events = await library.indexEvents.all(workspaceId)
  return new Map(
    events.flatMap(event => {
      const own = read.filter(series => isAbout(event, series))
      if (own.length === 0) return []
      const slugs = new Set(own.flatMap(({ id }) => slugsOf(readers.get(id)!)))
      return [[event.eventId, { id: event.id, pams: [...slugs].sort() }] as const]
    }),
  )
}

/** Facts from the rows of some entries. The workspace's own entries are found by their number. */
interface ChangeFacts {
  readonly touched: ReadonlyMap<VisibleEntry, readonly number[] | null>
  readonly signatures: ReadonlyMap<number, SignedWith>
  readonly stated: ReadonlyMap<number, readonly string[] | null>
  readonly invoices: ReadonlyMap<number, ChangedInvoice>
  readonly corrections: ReadonlyMap<number, ChangedCorrection>
  readonly releases: ReadonlyMap<number, ChangedRelease>
  readonly terms: ReadonlyMap<number, ChangedTerms>
  /** Slugs of companies by id. */
  readonly companies: ReadonlyMap<string, string>
}

async function loadFacts(tx: Transaction, workspaceId: string, taken: readonly VisibleEntry[]): Promise<ChangeFacts> {
  const of = (wanted: (kind: EntryKind) => boolean) => taken.filter(({ kind }) => wanted(kind))
  const seqsOf = (wanted: (kind: EntryKind) => boolean) => of(wanted).map(({ seq }) => seq)
  const most = limits.ext.changedPeriods
  const parties = of(kind => kind === 'party').map(({ subject }) => subject)
  const observations = of(kind => kind === 'observations')
  const invoiceSeqs = seqsOf(kind => kind === 'invoice')
  // Sent together: somebody is waiting for the answer.
  const [touched, signatures, stated, invoices, corrections, releases, terms, companies] = await Promise.all([
    loadTouchedPeriods(tx, observations, most),
    loadSignatures(tx, workspaceId, seqsOf(isSigning)),
    loadStatedPeriods(tx, workspaceId, seqsOf(statesPeriods), most),
    loadChangedInvoices(tx, workspaceId, invoiceSeqs),
    loadChangedCorrections(tx, workspaceId, seqsOf(isOfCorrection)),
    loadChangedReleases(
      tx,
      seqsOf(kind => kind === 'calendar'),
    ),
    loadChangedTerms(tx, workspaceId, seqsOf(isOfTerms)),
    loadPartySlugs(tx, workspaceId, parties),
  ])
  return { touched, signatures, stated, invoices, corrections, releases, terms, companies }
}

/** Labels of the periods it affects; null for all of them, or very many. */
function periodsOf(index: CachedIndex, log: VisibleEntry, facts: ChangeFacts): readonly string[] | null {
  const { seq, kind, subject } = log
  if (isSigning(kind)) return labelsOf(facts.signatures.get(seq))
  if (statesPeriods(kind)) return facts.stated.get(seq) ?? null
  if (kind === 'index-event') return null
  if (kind === 'calendar') return cut(facts.releases.get(seq)?.periods ?? null)
  if (isOfCorrection(kind)) return cut(facts.corrections.get(seq)?.periods ?? null)
  const ordinals = facts.touched.get(log) ?? null
  const series = index.find(subject)
  if (series === undefined || ordinals === null) return null
  const { frequency } = series.metadata.at(-1)!
  return ordinals.map(ordinal => formatPeriod({ frequency, ordinal }))
}

function cut(periods: readonly string[] | null): readonly string[] | null {
  return periods === null || periods.length > limits.ext.changedPeriods ? null : periods
}

function labelsOf(signed: SignedWith | undefined): readonly string[] | null {
  return signed === undefined ? null : [signed.period]
}

/** The agreements whose numbers or terms it can change, by slug. */
function slugsTouched(
  index: CachedIndex,
  readers: Readers,
  { kind, subject, seq }: VisibleEntry,
  { companies, invoices }: ChangeFacts,
): readonly string[] {
  const { about } = entryKinds[kind]
  if (about === 'series') return slugsOf(readers.get(subject) ?? [])
  if (about === 'invoice')
    return slugsOf((invoices.get(seq)?.agreementIds ?? []).flatMap(id => index.findAgreement(id) ?? []))
  if (about === 'company') return namingParty(index, companies.get(subject))
  const own = index.findAgreement(subject)
  // Names and clocks concern every agreement.
  return own === undefined ? index.pamsBySlug.map(({ slug }) => slug) : [own.slug]
}

function slugsOf(agreements: readonly AgreementRecord[]): readonly string[] {
  return agreements.map(({ slug }) => slug).sort()
}

function namingParty(index: CachedIndex, company: string | undefined): readonly string[] {
  if (company === undefined) return []
  return index.pamsBySlug
    .filter(({ states }) => states.some(({ parties }) => parties.buyer === company || parties.supplier === company))
    .map(({ slug }) => slug)
}
