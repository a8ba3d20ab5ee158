// Looks for what people should be told by mail: what waits for their signature, what the other side said, a figure they sign
// on that was revised, a series that is late. It looks with the rights of each person, as their pages do, so nobody is
// told about anything they could not open. It mentions names and periods, never figures.
import { type Instant, instantOfMicros, microsOf } from '../../core/instant.ts'
import type { MailKind } from '../../core/mail-kinds.ts'
import { periodOf, writePeriod } from '../../core/period.ts'
import { mailLimits } from '../../mail/mail-limits.ts'
import type { CachedIndex } from '../../read/cached-index.ts'
import { publicScope, withWorkspace } from '../../storage/database.ts'
import {
  addNotices,
  beginLook,
  endLook,
  type NewNotice,
  type NoticeFacts,
  readTold,
  toldKey,
} from '../../storage/mail.ts'
import { type RecentStatement, readStatementsSince } from '../../storage/objections.ts'
import type { PamRow } from '../../storage/pams.ts'
import { listMemberStates, type MemberState } from '../../storage/people.ts'
import { type RecentChange, readNewestChanged, readRecentChanges } from '../../storage/recent-changes.ts'
import { readStates } from '../../storage/series-state.ts'
import { readWorkspace } from '../../storage/workspaces.ts'
import { type FormulaStanding, glanceAtFormulas, ListTime, openFormulas, readNames } from './formula-standing.ts'
import { lateAfterMinutes } from './lateness.ts'
import { missingIn } from './overview.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { waitingRows, whatWaits } from './sign-offs.ts'
import { partyOf } from './signing.ts'
import { isPartyNow, readersOf, stateFor, tenureOfViewer } from './visibility.ts'

/** The notices that one look finds. */
const lookedFor: readonly MailKind[] = ['signature', 'objection', 'revision', 'late']

/** One look at one workspace. Returns how many notices it added. */
export async function lookAround(parts: ConsoleParts, workspaceId: string): Promise<number> {
  const { sql } = parts.installation
  const startedAt = parts.now()
  const since = await beginLook(sql, workspaceId, mailLimits)
  const workspace = await readWorkspace(sql, workspaceId)
  const members = (await listMemberStates(sql, workspaceId)).filter(({ hasJoined }) => hasJoined)
  const index = await parts.library.index(workspaceId)
  const [told, statements] = await withWorkspace(sql, workspaceId, async tx => [
    await readTold(tx, workspaceId, lookedFor),
    await readStatementsSince(tx, workspaceId, since, mailLimits.statements),
  ])
  const news: News = {
    parts,
    index,
    since,
    statements,
    changes: await readRevisions(parts, workspaceId, index, since),
    late: await readLate(parts, workspaceId, index),
  }
  const notices: NewNotice[] = []
  const isNew = (notice: Pick<NewNotice, 'kind' | 'email' | 'about'>) => !told.has(toldKey(notice))
  for (const member of members) notices.push(...(await newsFor(news, seatOf(workspace, member), isNew)))
  const added = await withWorkspace(sql, workspaceId, tx => addNotices(tx, workspaceId, notices.filter(isNew)))
  await endLook(sql, workspaceId, startedAt)
  return added
}

/** Whether a member sees a formula as it goes on. */
export async function seesFormula(
  parts: ConsoleParts,
  workspaceId: string,
  member: MemberState,
  slug: string,
): Promise<boolean> {
  const workspace = await readWorkspace(parts.installation.sql, workspaceId)
  const row = (await parts.library.index(workspaceId, { formulas: [slug] })).findPam(slug)
  return row !== undefined && isPartyNow(seatOf(workspace, member), row)
}

/** A member as they would look at the pages. */
function seatOf(workspace: Seat['workspace'], { id, email, name, role, company }: MemberState): Seat {
  const person = { id, email: email.toLowerCase(), name }
  return { sessionId: '', person, workspace, role, company, isOperator: false, fromAddress: '' }
}

/** What is new in a workspace, for any member. */
interface News {
  readonly parts: ConsoleParts
  readonly index: CachedIndex
  readonly since: Instant
  readonly statements: readonly RecentStatement[]
  readonly changes: readonly RecentChange[]
  /** By the id of a series, since when it has not been answered in full. */
  readonly late: ReadonlyMap<string, Instant>
}

type IsNew = (notice: Pick<NewNotice, 'kind' | 'email' | 'about'>) => boolean

async function newsFor(news: News, seat: Seat, isNew: IsNew): Promise<readonly NewNotice[]> {
  const glance = await glanceAtAll(news, seat)
  const signs = glance.rows.filter(row => isSigner(seat, row))
  return [
    ...(await waitingFor(news, seat, glance, isNew)),
    ...statementsFor(news, seat),
    ...(signs.length === 0 ? [] : await revisionsFor(news, seat, signs, isNew)),
    ...missingFor(news, seat, glance),
    ...(await lateFor(news, seat, signs)),
  ]
}

/** Pages are sent without what is still being computed; here nobody waits, so everything is computed. */
async function glanceAtAll({ parts, index }: News, seat: Seat): Promise<Glance> {
  for (let turn = 1; ; turn++) {
    const glance = await glanceAtFormulas(parts, seat, index)
    if (glance.pending === 0 || turn === mailLimits.glances) return glance
  }
}

function isSigner(seat: Seat, row: PamRow): boolean {
  const state = stateFor(seat, row)
  return state?.status === 'ACTIVE' && partyOf(seat, state) !== null
}

type Glance = Awaited<ReturnType<typeof glanceAtFormulas>>

/** Each period once, however often its number moves before it is signed. */
async function waitingFor(news: News, seat: Seat, glance: Glance, isNew: IsNew): Promise<NewNotice[]> {
  const { parts } = news
  const { email } = seat.person
  const { mine } = await whatWaits(seat, glance, mailLimits.waiting)
  const about = (pamId: string, date: string) => `${pamId} ${date}`
  const fresh = mine.first.filter(({ pam, date }) => isNew({ kind: 'signature', email, about: about(pam.id, date) }))
  if (fresh.length === 0) return []
  const listing = { names: await readNames(parts, seat), time: new ListTime(parts) }
  const idOf = new Map(fresh.map(({ pam }) => [pam.slug, pam.id]))
  const rows = await waitingRows(parts, seat, fresh, listing)
  return rows.map(({ slug, name, entry: { period, adjustmentDate } }) => ({
    email,
    kind: 'signature',
    about: about(idOf.get(slug)!, adjustmentDate),
    facts: ofPeriod(slug, name, period, 'waits for your signature'),
  }))
}

function ofPeriod(slug: string, name: string, period: string, words: string): NoticeFacts {
  return { name, period, words, path: `/formulas/${slug}/periods/${period}`, formula: slug }
}

const saidWords: Readonly<Record<RecentStatement['kind'], (party: string) => string>> = {
  OBJECTION: party => `was objected to by the ${party}`,
  ANSWER: party => `has an answer of the ${party} to an objection`,
  WITHDRAWAL: party => `has an objection that the ${party} withdrew`,
}

/** Objections and answers of the other side. */
function statementsFor({ index, statements }: News, seat: Seat): NewNotice[] {
  const { email } = seat.person
  return statements.flatMap(({ seq, pamId, period, kind, party, by }) => {
    const row = index.findPam(pamId)
    const state = row === undefined || !isOfTheirTime(seat, row, seq) ? undefined : stateFor(seat, row)
    const side = state === undefined ? null : partyOf(seat, state)
    if (state === undefined || side === null || side === party || by.toLowerCase() === email) return []
    const facts = ofPeriod(row!.slug, state.name, period, saidWords[kind](party))
    return [{ email, kind: 'objection' as const, about: `${pamId} ${seq}`, facts }]
  })
}

/** Whether something was said while they were a party, by the number of its publication. */
function isOfTheirTime(seat: Seat, { states }: PamRow, seq: number): boolean {
  if (seat.role !== 'supplier') return true
  const tenure = tenureOfViewer(seat, states)
  return tenure?.endedAt === null && seq >= tenure.spans.at(-1)!.fromSeq
}

/** Values that replaced others, of series that formulas read. */
async function readRevisions(
  parts: ConsoleParts,
  workspaceId: string,
  index: CachedIndex,
  since: Instant,
): Promise<readonly RecentChange[]> {
  const { sql } = parts.installation
  const { readers } = await parts.library.readers(workspaceId, index)
  const series = [...readers.keys()].flatMap(id => index.find(id) ?? [])
  const request = { since, most: mailLimits.changes }
  const newest = await readNewestChanged(sql, { ...request, series })
  if (newest.length === 0) return []
  const changes = await withWorkspace(sql, workspaceId, tx =>
    readRecentChanges(tx, { ...request, series: newest, mostTogether: mailLimits.changes }),
  )
  return changes.filter(({ before, value }) => before !== null && before !== value)
}

/** Those that were used for a number of a formula that this person signs. */
async function revisionsFor(
  { parts, index, changes }: News,
  seat: Seat,
  signs: readonly PamRow[],
  isNew: IsNew,
): Promise<NewNotice[]> {
  const { email } = seat.person
  const about = ({ seriesId, period, publishedAt }: RecentChange) => `${seriesId} ${period} ${publishedAt}`
  const fresh = changes.filter(change => isNew({ kind: 'revision', email, about: about(change) }))
  if (fresh.length === 0) return []
  const readers = await readersOf(seat, parts.library, index)
  const signed = new Set(signs.map(({ id }) => id))
  const reading = new Set(
    fresh.flatMap(({ seriesId }) => readers.get(seriesId) ?? []).filter(({ id }) => signed.has(id)),
  )
  const opened = await openFormulas(parts, seat, [...reading], new ListTime(parts))
  return fresh.flatMap(change => {
    const series = index.find(change.seriesId)
    if (series === undefined) return []
    const { name, frequency } = series.metadata.at(-1)!
    const period = writePeriod(periodOf(frequency, change.period))
    const reference = `${series.provider}/${series.code}`.toLowerCase()
    const reader = opened.find(at => reads(at, reference, period))
    if (reader === undefined) return []
    const { slug } = reader.snapshot
    const words = `was revised: ${reader.standing.state.name} reads it`
    const path = `/formulas/${slug}`
    return [
      { email, kind: 'revision' as const, about: about(change), facts: { name, period, words, path, formula: slug } },
    ]
  })
}

function reads({ adjustments, today }: FormulaStanding, reference: string, period: string): boolean {
  const entries = adjustments?.entries(today) ?? []
  return entries.some(({ body }) =>
    body.observations.some(each => each.series.toLowerCase() === reference && each.period === period),
  )
}

/** The people responsible for a formula: its signers, and those who may change it. */
function looksAfter(seat: Seat, row: PamRow): boolean {
  return seat.role === 'owner' || seat.role === 'editor' || isSigner(seat, row)
}

/** A value that a formula in force waits for; once, however many formulas do. */
function missingFor({ index }: News, seat: Seat, { rows, digests }: Glance): NewNotice[] {
  const { email } = seat.person
  const found = new Map<string, NewNotice>()
  for (const row of rows) {
    const state = stateFor(seat, row)
    const trouble = state?.status === 'ACTIVE' ? digests.get(row.id)?.trouble : null
    const missing = trouble == null || !looksAfter(seat, row) ? null : missingIn(trouble)
    if (missing === null || found.has(missing.key)) continue
    const name = index.findByReference(missing.reference)?.metadata.at(-1)?.name ?? missing.reference
    const words = `has no value yet: ${state!.name} waits for it`
    const facts = { name, period: missing.period, words, path: `/formulas/${row.slug}`, formula: row.slug }
    found.set(missing.key, { email, kind: 'late', about: missing.key, facts })
  }
  return [...found.values()]
}

async function readLate(
  { installation, now }: ConsoleParts,
  workspaceId: string,
  index: CachedIndex,
): Promise<ReadonlyMap<string, Instant>> {
  const states = await withWorkspace(installation.sql, workspaceId, tx => readStates(tx, workspaceId))
  const late = new Map<string, Instant>()
  for (const [id, { lastAnsweredAt, troubleSince }] of states) {
    const series = index.find(id)
    const minutes = series?.owner === publicScope ? lateAfterMinutes.get(series.provider) : undefined
    const since = lastAnsweredAt ?? troubleSince
    if (minutes === undefined || since === null) continue
    if (since < instantOfMicros(microsOf(now()) - minutes * 60_000_000)) late.set(id, since)
  }
  return late
}

/** A series whose provider does not answer; told again only if it has answered in between. */
async function lateFor({ parts, index, late }: News, seat: Seat, signs: readonly PamRow[]): Promise<NewNotice[]> {
  if (late.size === 0) return []
  const { email } = seat.person
  const readers = await readersOf(seat, parts.library, index)
  const signed = new Set(signs.map(({ id }) => id))
  const isManager = seat.role === 'owner' || seat.role === 'editor'
  return [...late].flatMap(([id, since]) => {
    const reader = (readers.get(id) ?? []).find(row => isManager || signed.has(row.id))
    const series = index.find(id)
    if (series === undefined || (reader === undefined && !isManager)) return []
    const facts = {
      name: series.metadata.at(-1)!.name,
      period: null,
      words: `is late: ${series.provider} has not answered since ${since.slice(0, 10)}`,
      path: `/series/${id}`,
      formula: reader?.slug ?? null,
    }
    return [{ email, kind: 'late' as const, about: `${id} ${since}`, facts }]
  })
}
