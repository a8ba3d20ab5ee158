// Objections: a party objects to the number it was shown for a period, either side answers, and the party that objected may
// withdraw. Everything is added under the lock of the workspace's log; nothing is changed or removed.

import type { Party } from '../core/parties.ts'
import type { Act } from '../core/people/acts.ts'
import {
  type AttachedReading,
  type ObjectionSubject,
  type StatementMeans,
  whyNoSubject,
} from '../core/receipt/objection.ts'
import { Refusal } from '../core/refusal.ts'
import { hasControls } from '../core/text/one-line.ts'
import { formatDay } from '../core/time/day.ts'
import type { Instant } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import { isWithin, tenureOf } from '../read/agreements/tenure.ts'
import type { LibraryBounds } from '../read/memory/library-bounds.ts'
import { type AgreementHistory, type AgreementParties, loadAgreementHistory } from '../storage/agreements/agreements.ts'
import { insertObjection, type Speaker, type StoredObjection } from '../storage/agreements/objections.ts'
import { keepReceipts } from '../storage/agreements/signed-rows.ts'
import { appending, type OpenLog } from '../storage/log/append.ts'
import { appendEntry } from '../storage/log/entry-rows.ts'
import { loadMembers } from '../storage/people/people.ts'
import type { Sql, Transaction } from '../storage/postgres/database.ts'
import { noteActivity } from '../storage/workspaces/activity.ts'
import { openAdjustments } from './locked-agreement.ts'
import { spell, standsFor, whyNotAs } from './parties.ts'
import { dayBefore } from './repeated-proposals.ts'
import type { Seal } from './seal.ts'
import { movedWords } from './shown-periods.ts'
import { type Audience, whyNotNow } from './status-words.ts'

export interface StatementRequest {
  readonly workspaceId: string
  /** Id or slug. */
  readonly agreement: string
  readonly party: Party
  readonly email: string
  readonly means: StatementMeans
  readonly fromAddress: string | null
  readonly hearer?: Audience
}

interface ObjectQuestion extends StatementRequest {
  readonly period: string
  /** Hash of the receipt that was shown; null objects to the current one. */
  readonly hash: string | null
  readonly about: ObjectionSubject
  readonly reason: string
  readonly reading: AttachedReading | null
  /** Limit of computing for the numbers; the default is the limit for one agreement. */
  readonly bounds?: LibraryBounds
}

interface Objected {
  readonly id: string
  readonly period: string
  readonly hash: string
}

export function objectToPeriod(sql: Sql, seal: Seal, question: ObjectQuestion): Promise<Objected> {
  return asSpeaker(sql, question, async ({ tx, log, kept, speaker }) => {
    const { party } = question
    const reason = readWords('the reason', question.reason)
    const whyNot = whyNotNow(kept.slug, kept.states.at(-1)!, question.hearer)
    if (whyNot !== null) throw new Refusal('conflict', whyNot)
    const snapshot = new AgreementSnapshot(kept, seal.rows)
    const adjustments = await openAdjustments(tx, question.workspaceId, snapshot, log.recordedAt, question.bounds)
    const entry = adjustments.find(question.period, null)
    const { period, hash, body, carried } = entry
    if (entry.isSigned)
      throw new Refusal('conflict', `buyer and supplier have both signed ${period}: its number stands`)
    if (question.hash !== null && question.hash !== hash)
      throw new Refusal('conflict', movedWords({ kept }, entry, question.hash))
    if (entry.confirmed[party] !== null)
      throw new Refusal('conflict', `the ${party} has signed this number of ${period} and cannot object to it`)
    const whyNone = whyNoSubject(question.about, body)
    if (whyNone !== null) throw new Refusal('invalid', whyNone)
    checkObjecting(kept, party, period, log.recordedAt)
    const receipt = JSON.stringify({ hash, body })
    const adjustmentDate = formatDay(entry.date)
    const shown = { agreementId: kept.id, period, receiptHash: hash, adjustmentDate, receipt, carried }
    await keepReceipts(tx, log, [shown])
    const { about, reading } = question
    const id = await insertObjection(tx, log, kept.id, { speaker, period, hash, about, reason, reading })
    await noteStatement(tx, question, { act: 'objection.say', did: 'objected to' }, `${kept.slug} ${period}`)
    return { id, period, hash }
  })
}

/** Bounds for one side: the other can still object. */
function checkObjecting({ objections, slug }: AgreementHistory, party: Party, period: string, at: Instant): void {
  const { ofPeriod, ofSidePerDay } = limits.objections
  const own = objections.filter(each => each.party === party)
  if (own.filter(each => each.period === period).length >= ofPeriod)
    throw new Refusal('conflict', `the ${party} has made ${ofPeriod} objections to ${period}, the most there can be`)
  if (own.filter(each => each.at > dayBefore(at)).length >= ofSidePerDay)
    throw new Refusal(
      'conflict',
      `the ${party} has made ${ofSidePerDay} objections to ${slug} within 24 hours, the most there can be; object again later`,
    )
}

function checkAnswering(
  { objections, slug }: AgreementHistory,
  party: Party,
  objection: StoredObjection,
  at: Instant,
): void {
  const { answers, answersOfSidePerDay } = limits.objections
  const own = (some: readonly StoredObjection[]) =>
    some.flatMap(each => each.answers).filter(each => each.party === party)
  if (own([objection]).length >= answers)
    throw new Refusal('conflict', `the ${party} has given ${answers} answers to this objection, the most there can be`)
  if (own(objections).filter(each => each.at > dayBefore(at)).length >= answersOfSidePerDay)
    throw new Refusal(
      'conflict',
      `the ${party} has given ${answersOfSidePerDay} answers about ${slug} within 24 hours, the most there can be; answer again later`,
    )
}

interface AnswerQuestion extends StatementRequest {
  readonly objectionId: string
  readonly words: string
}

/** Answers an objection, by either side. */
export function answerObjection(sql: Sql, question: AnswerQuestion): Promise<void> {
  return asSpeaker(sql, question, async spoken => {
    const { tx, log, kept, speaker } = spoken
    const objection = findOpen(spoken, question)
    const words = readWords('the answer', question.words)
    checkAnswering(kept, speaker.party, objection, log.recordedAt)
    const facts = { ...speaker, objectionId: objection.id, kind: 'ANSWER', words }
    await appendEntry(tx, log, 'objection-answer', { subject: kept.id, facts })
    await noteStatement(
      tx,
      question,
      { act: 'objection.answer', did: 'answered an objection to' },
      `${kept.slug} ${objection.period}`,
    )
  })
}

/** Only the side that objected may withdraw; it may say why. */
export function withdrawObjection(sql: Sql, question: AnswerQuestion): Promise<void> {
  return asSpeaker(sql, question, async spoken => {
    const { tx, log, kept, speaker } = spoken
    const objection = findOpen(spoken, question)
    if (objection.party !== question.party)
      throw new Refusal('conflict', `the ${objection.party} objected; only the ${objection.party} withdraws it`)
    const words = question.words.trim() === '' ? '' : readWords('the answer', question.words)
    const facts = { ...speaker, objectionId: objection.id, kind: 'WITHDRAWAL', words }
    await appendEntry(tx, log, 'objection-answer', { subject: kept.id, facts })
    await noteStatement(
      tx,
      question,
      { act: 'objection.answer', did: 'withdrew an objection to' },
      `${kept.slug} ${objection.period}`,
    )
  })
}

/** A supplier speaks about what was said while it was one; for the next one it is not there. */
function findOpen({ kept, isTheirs }: Spoken, { objectionId }: AnswerQuestion): StoredObjection {
  const found = kept.objections.find(({ id, at }) => id === objectionId && isTheirs(at))
  if (found === undefined) throw new Refusal('not-found', 'there is no such objection')
  if (found.answers.some(({ kind }) => kind === 'WITHDRAWAL'))
    throw new Refusal('conflict', 'this objection was withdrawn; a new one can be made')
  return found
}

export interface Spoken {
  readonly tx: Transaction
  readonly log: OpenLog
  readonly kept: AgreementHistory
  readonly speaker: Speaker
  /** Whether a statement was made while the speaker was on this side; always true for the buyer, who has seen all of it. */
  readonly isTheirs: (at: Instant) => boolean
}

/** Runs `work` while the log is open, for somebody on the side they speak for: of the parties of today, or of those given. */
export function asSpeaker<T>(
  sql: Sql,
  question: StatementRequest,
  work: (spoken: Spoken) => Promise<T>,
  partiesIn: (kept: AgreementHistory) => AgreementParties | undefined = ({ states }) => states.at(-1)?.parties,
): Promise<T> {
  const { workspaceId, agreement, party, means, fromAddress } = question
  const email = spell(question.email)
  return appending(sql, workspaceId, async (tx, log) => {
    const member = (await loadMembers(tx, workspaceId)).find(each => spell(each.email) === email)
    const kept = await loadAgreementHistory(tx, workspaceId, agreement)
    const parties = kept === null ? undefined : partiesIn(kept)
    if (kept === null || parties === undefined) throw new Refusal('not-found', `there is no agreement "${agreement}"`)
    const { id: personId = null, name = '', role = null, company = null, isNameable = true } = member ?? {}
    const person = { email, role, company, isNameable }
    const whyNot = whyNotAs(party, person, { parties }, 'speak', question.hearer ?? 'insider')
    if (whyNot !== null) throw new Refusal('conflict', whyNot)
    const tenure = tenureOf(kept.states, each => standsFor(party, person, each))
    const isTheirs = (at: Instant) => party === 'buyer' || (tenure !== null && isWithin(tenure, at))
    const speaker = { party, by: email, personId, name, fromAddress, means }
    return work({ tx, log, kept, speaker, isTheirs })
  })
}

/** An operator speaks under their own name, on behalf of somebody else. */
export function noteStatement(
  tx: Transaction,
  question: StatementRequest,
  { act, did }: { readonly act: Act; readonly did: string },
  subject: string,
): Promise<void> {
  const { workspaceId, party, means, fromAddress } = question
  const email = spell(question.email)
  const said =
    means === 'OPERATOR'
      ? { who: 'operator', what: `${did} as ${party}, in the name of ${email}` }
      : { who: email, what: `${did} as ${party}` }
  return noteActivity(tx, workspaceId, { ...said, act, subject, fromAddress })
}

export function readWords(what: string, text: string): string {
  const words = text.trim()
  const most = limits.objections.characters
  if (words === '') throw new Refusal('invalid', `${what} is missing`)
  if (words.length > most)
    throw new Refusal('invalid', `${what} has ${words.length} characters, and may have at most ${most}`)
  if (hasControls(words)) throw new Refusal('invalid', `${what} must not hold control characters`)
  return words
}
