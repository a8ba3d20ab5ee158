// Stored objections to proposed numbers, each with its answers. Rows are added, never changed, and carry a seal like signatures.

import type {
  AttachedReading,
  ObjectionAnswer,
  ObjectionSubject,
  PartyObjection,
  Statement,
} from '../../core/receipt/objection.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { OpenLog } from '../log/append.ts'
import type { ClockRepairs } from '../log/clock-repairs.ts'
import { appendEntry } from '../log/entry-rows.ts'
import type { RowPlace, RowSeals, UnsealedRow } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import type { OfAgreement } from './signing.ts'

/** Record of a statement besides its text. */
export interface StoredStatement {
  /** Account; null for an address that no member has. */
  readonly personId: string | null
  readonly fromAddress: string | null
  /** Instant in the row: differs where a clock was ahead and was repaired since. */
  readonly storedAt: Instant
  readonly seq: number
  readonly seal: Buffer
}

interface StoredObjectionAnswer extends ObjectionAnswer, StoredStatement {}

export interface StoredObjection extends Omit<PartyObjection, 'answers'>, StoredStatement {
  readonly period: string
  /** Answers in the order they came. */
  readonly answers: readonly StoredObjectionAnswer[]
}

/** Objections to these agreements, in the order they came, with the instants that count. */
export async function loadObjections(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
  repairs: ClockRepairs,
): Promise<readonly OfAgreement<StoredObjection>[]> {
  const rows = await tx<Omit<OfAgreement<StoredObjection>, 'answers'>[]>`
    select agreement_id as "agreementId", id, period, receipt_hash as hash, party, about, reason, reading, said_by as by, person_id as "personId", name,
      from_address as "fromAddress", means, seq, recorded_at as at, recorded_at as "storedAt", seal
    from objection where workspace_id = ${workspaceId} and agreement_id = any(${agreementIds as string[]}::text[]) order by seq`
  if (rows.length === 0) return []
  const answers = await tx<(StoredObjectionAnswer & { objectionId: string })[]>`
    select objection_id as "objectionId", kind, party, words, said_by as by, person_id as "personId", name,
      from_address as "fromAddress", means, seq, recorded_at as at, recorded_at as "storedAt", seal
    from objection_answer where workspace_id = ${workspaceId} and objection_id = any(${rows.map(({ id }) => id)}::text[])
    order by seq`
  const counting = <T extends StoredStatement & Statement>(row: T): T => ({
    ...row,
    at: repairs.instantOf(workspaceId, row.seq, row.at),
  })
  const byObjection = Map.groupBy(answers, ({ objectionId }) => objectionId)
  return rows.map(row => ({
    ...counting(row),
    answers: (byObjection.get(row.id) ?? []).map(({ objectionId: _id, ...answer }) => counting(answer)),
  }))
}

/** The speaker of a statement, and how that is known. */
export type Speaker = Pick<StoredStatement, 'personId' | 'fromAddress'> &
  Pick<Statement, 'party' | 'by' | 'name' | 'means'>

interface NewObjection {
  readonly speaker: Speaker
  readonly period: string
  readonly hash: string
  readonly about: ObjectionSubject
  readonly reason: string
  readonly reading: AttachedReading | null
}

/** Inserts an objection while the log is open, after the receipt it is about was kept, and returns its id. */
export async function insertObjection(
  tx: Transaction,
  log: OpenLog,
  agreementId: string,
  { speaker, hash, ...said }: NewObjection,
): Promise<string> {
  const id = makeIdentifier('obj')
  await appendEntry(tx, log, 'objection', {
    subject: agreementId,
    facts: { id, receiptHash: hash, ...said, ...speaker },
  })
  return id
}

/** The statements of an agreement that do not carry this installation's seal. */
export function findUnsealedObjections(
  objections: readonly StoredObjection[],
  place: RowPlace,
  seals: RowSeals,
): readonly UnsealedRow[] {
  const check = seals.checking(place)
  for (const { answers, hash, ...row } of objections) {
    const { id, period, party, storedAt: at } = row
    const what = `the ${party}'s stored objection to ${period}`
    check.row('objection', { ...row, receiptHash: hash }, { ...row, at }, { period, what })
    for (const answer of answers) {
      const about = { period, what: `the ${answer.party}'s stored answer to an objection to ${period}` }
      check.row('objection-answer', { ...answer, objectionId: id }, { ...answer, at: answer.storedAt }, about)
    }
  }
  return check.unsealed
}

/** A recent statement about a number: an objection, an answer or a withdrawal. */
export interface RecentStatement {
  /** Number of the objection's entry. */
  readonly seq: number
  readonly agreementId: string
  readonly period: string
  readonly kind: 'OBJECTION' | ObjectionAnswer['kind']
  /** Side of the speaker. */
  readonly party: Statement['party']
  readonly by: string
}

/** Statements, oldest first. */
export function loadStatementsSince(
  tx: Transaction,
  workspaceId: string,
  since: Instant,
  most: number,
): Promise<readonly RecentStatement[]> {
  return tx<RecentStatement[]>`
    select o.seq, o.agreement_id as "agreementId", o.period, 'OBJECTION' as kind, o.party, o.said_by as by from objection o
    where o.workspace_id = ${workspaceId} and o.recorded_at >= ${since}
    union all
    select a.seq, o.agreement_id, o.period, a.kind, a.party, a.said_by
    from objection_answer a join objection o on o.workspace_id = a.workspace_id and o.id = a.objection_id
    where a.workspace_id = ${workspaceId} and a.recorded_at >= ${since}
    order by seq limit ${most}`
}
