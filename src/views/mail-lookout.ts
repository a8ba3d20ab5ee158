// News for mail: periods and corrections that wait for a signature, statements of the other side, revised figures behind a
// signature, figures that are late or will not come. Read with the rights of each person, as their pages are, so nobody is told
// about anything they could not open. Mails mention names and periods, never figures.

import type { KnownPeople } from '../agreements/signable.ts'
import type { Instant } from '../core/time/instant.ts'
import { formatPeriod, periodOf } from '../core/time/period.ts'
import { changesWaiting } from '../core/true-up/change-kinds.ts'
import { mailLimits } from '../mail/mail-limits.ts'
import type { WaitsForMember } from '../mail/waiting-lines.ts'
import { unpackPeriod } from '../read/agreements/open-periods.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import { loadStatementsSince, type RecentStatement } from '../storage/agreements/objections.ts'
import {
  addNotices,
  beginLook,
  endLook,
  loadTold,
  type NewNotice,
  type NoticeFacts,
  type NoticeKey,
  toldKey,
} from '../storage/people/mail.ts'
import type { MemberState } from '../storage/people/member.ts'
import { listMemberStates } from '../storage/people/people.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import { loadOpenAlarms, type StoredAlarm } from '../storage/series/alarms.ts'
import { loadNewestChanged, loadRecentChanges, type RecentChange } from '../storage/series/recent-changes.ts'
import { loadWorkspace } from '../storage/workspaces/workspaces.ts'
import {
  currentOf,
  ListTime,
  type OpenedAgreement,
  openAgreements,
  readAgreementGlance,
  readPeople,
} from './agreements/opened-agreement.ts'
import { partyOf } from './agreements/signing-view.ts'
import { readWhatWaits, type WaitingAgreement, waitsForViewer } from './agreements/waiting-counts.ts'
import { agreementsByFigure, openDue, wordsOfAlarm } from './due.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewContext } from './sight/view-parts.ts'
import { isPartyNow, readersOf, stateFor, tenureOfViewer } from './sight/visibility.ts'

/** One search in one workspace. Returns the number of added notices. */
export async function lookAround(parts: ViewContext, workspaceId: string): Promise<number> {
  const { sql } = parts.installation
  const startedAt = parts.now()
  const since = await beginLook(sql, workspaceId, mailLimits)
  const workspace = await loadWorkspace(sql, workspaceId)
  const members = (await listMemberStates(sql, workspaceId)).filter(({ hasJoined }) => hasJoined)
  const index = await parts.library.index(workspaceId)
  const statements = await withWorkspace(sql, workspaceId, tx =>
    loadStatementsSince(tx, workspaceId, since, mailLimits.statements),
  )
  const news: News = {
    parts,
    index,
    since,
    statements,
    changes: await readRevisions(parts, workspaceId, index, since),
    alarms: await withWorkspace(sql, workspaceId, tx => loadOpenAlarms(tx, workspaceId)),
    people: await readPeople(parts, workspaceId),
  }
  let added = 0
  for (let from = 0; from < members.length; from += mailLimits.membersTogether) {
    const seats = members.slice(from, from + mailLimits.membersTogether).map(member => seatOf(workspace, member))
    added += await tellSome(news, workspaceId, seats)
  }
  await endLook(sql, workspaceId, startedAt)
  return added
}

/** Finds possible notices for everybody first; only new ones are written and added, all at once. */
async function tellSome(news: News, workspaceId: string, seats: readonly Seat[]): Promise<number> {
  const { sql } = news.parts.installation
  const found: Tellable[] = []
  for (const seat of seats) found.push(...(await newsFor(news, seat)))
  const asked = found.flatMap(({ keys }) => keys)
  if (asked.length === 0) return 0
  const told = await withWorkspace(sql, workspaceId, tx => loadTold(tx, workspaceId, asked))
  const isNew: IsNew = notice => !told.has(toldKey(notice))
  const notices: NewNotice[] = []
  for (const { keys, write } of found) if (keys.some(isNew)) notices.push(...(await write(isNew)).filter(isNew))
  return withWorkspace(sql, workspaceId, tx => addNotices(tx, workspaceId, notices))
}

/** Whether a member sees an agreement as it goes on. */
export async function seesAgreement(
  parts: ViewContext,
  workspaceId: string,
  member: MemberState,
  slug: string,
): Promise<boolean> {
  const workspace = await loadWorkspace(parts.installation.sql, workspaceId)
  const row = (await parts.library.index(workspaceId, { agreements: [slug] })).findAgreement(slug)
  return row !== undefined && isPartyNow(seatOf(workspace, member), row)
}

/** Seat of a member, with the rights of their pages. */
function seatOf(workspace: Seat['workspace'], { id, email, name, role, company, isNameable }: MemberState): Seat {
  const person = { id, email: email.toLowerCase(), name }
  return { sessionId: '', person, workspace, role, company, isNameable, isOperator: false, fromAddress: '' }
}

/** News in a workspace, for any member. */
interface News {
  readonly parts: ViewContext
  readonly index: CachedIndex
  readonly since: Instant
  readonly statements: readonly RecentStatement[]
  readonly changes: readonly RecentChange[]
  /** Figures that agreements of the workspace wait for and that are late or will not come. */
  readonly alarms: readonly StoredAlarm[]
  readonly people: KnownPeople
}

type IsNew = (notice: NoticeKey) => boolean

/** Possible notices for somebody: their keys, and the writing of new ones, which takes work. */
interface Tellable {
  readonly keys: readonly NoticeKey[]
  readonly write: (isNew: IsNew) => Promise<readonly NewNotice[]>
}

function written(notices: readonly NewNotice[]): Tellable {
  return { keys: notices, write: async () => notices }
}

async function newsFor(news: News, seat: Seat): Promise<readonly Tellable[]> {
  const glance = await glanceAtAll(news, seat)
  const signs = glance.rows.filter(row => isSigner(seat, row))
  const { rows } = await readWhatWaits(seat, glance)
  return [
    written(periodsFor(seat, rows)),
    written(correctionsFor(seat, rows)),
    written(changesFor(seat, rows)),
    written(statementsFor(news, seat)),
    ...(signs.length === 0 ? [] : [revisionsFor(news, seat, signs)]),
    written(await lateFor(news, seat, glance)),
  ]
}

/** A complete glance: pages are sent without digests under computation, but here nobody waits. */
async function glanceAtAll(
  { parts, index, people }: Pick<News, 'parts' | 'index' | 'people'>,
  seat: Seat,
): Promise<Glance> {
  for (let turn = 1; ; turn++) {
    const glance = await readAgreementGlance(parts, seat, index, async () => people)
    if (glance.pending === 0 || turn === mailLimits.glances) return currentOf(glance)
  }
}

function isSigner(seat: Seat, row: AgreementRecord): boolean {
  const state = stateFor(seat, row)
  return state?.status === 'ACTIVE' && partyOf(seat, state) !== null
}

type Glance = Awaited<ReturnType<typeof readAgreementGlance>>

/** One notice for each newest period that waits, however often an agreement's numbers move before they are signed. */
function periodsFor(seat: Seat, rows: readonly WaitingAgreement[]): NewNotice[] {
  const { email } = seat.person
  return rows.flatMap(({ agreement, state, periods }) => {
    const newest = periods.mine.at(-1)
    if (newest === undefined) return []
    const about = `${agreement.id} ${unpackPeriod(newest).date}`
    const words = 'has periods that wait for your signature'
    return [{ email, kind: 'signature' as const, about, facts: ofAgreement(agreement.slug, state.name, words) }]
  })
}

/** One notice for each correction; a new proposal is another correction. */
function correctionsFor(seat: Seat, rows: readonly WaitingAgreement[]): NewNotice[] {
  const { email } = seat.person
  return rows.flatMap(({ agreement, state, corrections }) =>
    corrections.mine.map(({ id }) => {
      const facts = ofAgreement(agreement.slug, state.name, 'has a correction that waits for your signature')
      return { email, kind: 'correction' as const, about: id, facts }
    }),
  )
}

/** One notice for each change of terms, among the corrections: both are read before they are signed. */
function changesFor(seat: Seat, rows: readonly WaitingAgreement[]): NewNotice[] {
  const { email } = seat.person
  return rows.flatMap(({ agreement, state, changes }) =>
    changes.mine.map(({ id, kind }) => {
      const words = `has ${changesWaiting[kind]} that waits for your signature`
      return { email, kind: 'correction' as const, about: id, facts: ofAgreement(agreement.slug, state.name, words) }
    }),
  )
}

function ofAgreement(slug: string, name: string, words: string): NoticeFacts {
  return { name, period: null, words, path: `/agreements/${slug}`, agreement: slug }
}

/** Open signatures of a member at this moment; null while they are being computed. */
export async function waitsForMember(
  parts: ViewContext,
  workspaceId: string,
  member: MemberState,
): Promise<readonly WaitsForMember[] | null> {
  const seat = seatOf(await loadWorkspace(parts.installation.sql, workspaceId), member)
  const people = await readPeople(parts, workspaceId)
  const glance = await glanceAtAll({ parts, index: await parts.library.index(workspaceId), people }, seat)
  if (glance.pending > 0) return null
  const { rows } = await readWhatWaits(seat, glance)
  return rows.filter(waitsForViewer).map(({ agreement: { slug }, state: { name }, periods, corrections, changes }) => ({
    slug,
    name,
    periods: periods.mine.length,
    corrections: corrections.mine.map(({ id, periods: count }) => ({ id, periods: count })),
    changes: changes.mine.map(({ id, kind }) => ({ id, kind })),
  }))
}

function ofPeriod(slug: string, name: string, period: string, words: string): NoticeFacts {
  return { name, period, words, path: `/agreements/${slug}/periods/${period}`, agreement: slug }
}

const saidWords: Readonly<Record<RecentStatement['kind'], (party: string) => string>> = {
  OBJECTION: party => `was objected to by the ${party}`,
  ANSWER: party => `has an answer of the ${party} to an objection`,
  WITHDRAWAL: party => `has an objection that the ${party} withdrew`,
}

/** Objections and answers of the other side. */
function statementsFor({ index, statements }: News, seat: Seat): NewNotice[] {
  const { email } = seat.person
  return statements.flatMap(({ seq, agreementId, period, kind, party, by }) => {
    const row = index.findAgreement(agreementId)
    const state = row === undefined || !isOfTheirTime(seat, row, seq) ? undefined : stateFor(seat, row)
    const side = state === undefined ? null : partyOf(seat, state)
    if (state === undefined || side === null || side === party || by.toLowerCase() === email) return []
    const facts = ofPeriod(row!.slug, state.name, period, saidWords[kind](party))
    return [{ email, kind: 'objection' as const, about: `${agreementId} ${seq}`, facts }]
  })
}

/** Whether a statement is of their time as a party, by the number of its entry. */
function isOfTheirTime(seat: Seat, { states }: AgreementRecord, seq: number): boolean {
  if (seat.role !== 'supplier') return true
  const tenure = tenureOfViewer(seat, states)
  return tenure?.endedAt === null && seq >= tenure.spans.at(-1)!.fromSeq
}

/** Values that replaced others, in series that agreements read. */
async function readRevisions(
  parts: ViewContext,
  workspaceId: string,
  index: CachedIndex,
  since: Instant,
): Promise<readonly RecentChange[]> {
  const { sql } = parts.installation
  const { readers } = await parts.library.readers(workspaceId, index)
  const series = [...readers.keys()].flatMap(id => index.find(id) ?? [])
  const request = { since, most: mailLimits.changes }
  const newest = await loadNewestChanged(sql, { ...request, series })
  if (newest.length === 0) return []
  const changes = await withWorkspace(sql, workspaceId, tx =>
    loadRecentChanges(tx, { ...request, series: newest, mostTogether: mailLimits.changes }),
  )
  return changes.filter(({ before, value }) => before !== null && before !== value)
}

/** Revisions used for a number of an agreement that this person signs. */
function revisionsFor({ parts, index, changes }: News, seat: Seat, signs: readonly AgreementRecord[]): Tellable {
  const { email } = seat.person
  const keyOf = ({ seriesId, period, publishedAt }: RecentChange) => ({
    kind: 'revision' as const,
    email,
    about: `${seriesId} ${period} ${publishedAt}`,
  })
  return {
    keys: changes.map(keyOf),
    async write(isNew) {
      const fresh = changes.filter(change => isNew(keyOf(change)))
      const readers = await readersOf(seat, parts.library, index)
      const signed = new Set(signs.map(({ id }) => id))
      const reading = new Set(
        fresh.flatMap(({ seriesId }) => readers.get(seriesId) ?? []).filter(({ id }) => signed.has(id)),
      )
      const opened = await openAgreements(parts, seat, [...reading], new ListTime(parts))
      return fresh.flatMap(change => {
        const series = index.find(change.seriesId)
        if (series === undefined) return []
        const { name, frequency } = series.metadata.at(-1)!
        const period = formatPeriod(periodOf(frequency, change.period))
        const reference = `${series.provider}/${series.code}`.toLowerCase()
        const reader = opened.find(at => reads(at, reference, period))
        if (reader === undefined) return []
        const { slug } = reader.snapshot
        const words = `was revised: ${reader.standing.state.name} reads it`
        return [{ ...keyOf(change), facts: { name, period, words, path: `/agreements/${slug}`, agreement: slug } }]
      })
    },
  }
}

function reads({ adjustments, today }: OpenedAgreement, reference: string, period: string): boolean {
  const entries = adjustments?.entries(today) ?? []
  return entries.some(({ body }) =>
    body.observations.some(each => each.series.toLowerCase() === reference && each.period === period),
  )
}

/** Whether a person is responsible for an agreement: as signer or as editor. */
function looksAfter(seat: Seat, row: AgreementRecord): boolean {
  return seat.role === 'owner' || seat.role === 'editor' || isSigner(seat, row)
}

/** Alarms about figures their agreements wait for: one notice each, however many agreements wait and for however long. */
async function lateFor({ parts, alarms }: News, seat: Seat, glance: Glance): Promise<NewNotice[]> {
  if (alarms.length === 0) return []
  const { email } = seat.person
  const due = await openDue(parts, seat, glance)
  const waiting = await agreementsByFigure(due, parts.now())
  return alarms.flatMap(({ id, seriesId, period, cause }) => {
    const agreements = waiting.get(`${seriesId} ${period}`) ?? new Set()
    const row = agreements.values().find(each => looksAfter(seat, each))
    const series = glance.index.find(seriesId)
    if (row === undefined || series === undefined) return []
    const said = wordsOfAlarm(due, series, { period, cause })
    const words = `${said}; ${stateFor(seat, row)!.name} waits for it`
    const { name } = series.metadata.at(-1)!
    const facts = { name, period, words, path: `/agreements/${row.slug}`, agreement: row.slug }
    return [{ email, kind: 'late' as const, about: id, facts }]
  })
}
