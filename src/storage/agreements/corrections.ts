// Stored corrections: proposals with the body that both parties sign, signatures, refusals, and the notes by which agreed amounts
// were billed. Rows are added, never changed; the state of a proposal is worked out elsewhere.

import type { BillingSaid } from '../../core/billing/note-details.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { OpenLog } from '../log/append.ts'
import type { ClockRepairs } from '../log/clock-repairs.ts'
import { hashText } from '../log/content.ts'
import { appendEntry } from '../log/entry-rows.ts'
import type { RowPlace, RowSeals, UnsealedRow } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { isIdentifier, makeIdentifier } from '../postgres/identifier.ts'
import { loadAnswers, type ProposalAnswers } from './proposal-answers.ts'
import type { OfAgreement } from './signing.ts'

/** A proposal without its body, and its answers. */
export interface StoredCorrection extends ProposalAnswers {
  readonly id: string
  readonly seq: number
  readonly hash: string
  /** Hash of the list of receipts that is stored with the correction. */
  readonly receiptsHash: string
  /** Restated periods, by date. */
  readonly periods: readonly string[]
  readonly lineIds: readonly (string | null)[]
  readonly waived: boolean
  readonly waives: string | null
  readonly proposedBy: string
  readonly recordedAt: Instant
  readonly seal: Buffer
  /**
   * The body as canonical JSON and the receipts of restated periods as JSON, where both have signed it or it is the newest
   * of its agreement; else null: they are read by themselves.
   */
  readonly texts: CorrectionTexts | null
  readonly notes: readonly CorrectionNote[]
}

export interface CorrectionTexts {
  readonly body: string
  readonly receipts: string
}

interface CorrectionNote {
  /** Number of the part, from 1. */
  readonly part: number
  readonly number: string
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly amount: string
  readonly fileHash: string
  readonly issuedBy: string
  /** Details for this note alone. */
  readonly said: BillingSaid | null
  readonly seq: number
  readonly recordedAt: Instant
  readonly seal: Buffer
}

type CorrectionRow = Omit<StoredCorrection, keyof ProposalAnswers | 'notes' | 'texts'> & {
  readonly body: string | null
  readonly receipts: string | null
}

/** Corrections of these agreements, oldest first, with the instants that count. */
export async function loadCorrections(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
  repairs: ClockRepairs,
): Promise<readonly OfAgreement<StoredCorrection>[]> {
  const rows = await tx<OfAgreement<CorrectionRow>[]>`
    select c.agreement_id as "agreementId", c.id, c.seq, c.hash, c.receipts_hash as "receiptsHash", c.periods, c.line_ids as "lineIds", c.waived, c.waives,
      c.proposed_by as "proposedBy", c.recorded_at as "recordedAt", c.seal,
      case when held.is_held then c.body end as body, case when held.is_held then c.receipts end as receipts
    from correction c cross join lateral (
      select (select count(*) from correction_signature s
          where s.workspace_id = c.workspace_id and s.correction_id = c.id) = 2
        or not exists (select from correction n
          where n.workspace_id = c.workspace_id and n.agreement_id = c.agreement_id and n.seq > c.seq) as is_held) held
    where c.workspace_id = ${workspaceId} and c.agreement_id = any(${agreementIds as string[]}::text[]) order by c.seq`
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const at = (seq: number, instant: Instant) => repairs.instantOf(workspaceId, seq, instant)
  const tables = { signatures: 'correction_signature', refusals: 'correction_refusal', key: 'correction_id' }
  const [answersOf, notes] = await Promise.all([
    loadAnswers(tx, workspaceId, tables, ids, repairs),
    tx<(CorrectionNote & { correctionId: string })[]>`
      select correction_id as "correctionId", part, number, date, amount, file_hash as "fileHash", issued_by as "issuedBy",
        said, seq, recorded_at as "recordedAt", seal
      from correction_note where workspace_id = ${workspaceId} and correction_id = any(${ids}::text[]) order by part`,
  ])
  const notesOf = Map.groupBy(notes, ({ correctionId }) => correctionId)
  return rows.map(({ body, receipts, ...row }) => ({
    ...row,
    ...answersOf(row.id),
    texts: body === null || receipts === null ? null : { body, receipts },
    recordedAt: at(row.seq, row.recordedAt),
    notes: (notesOf.get(row.id) ?? []).map(({ correctionId: _id, ...note }) => ({
      ...note,
      recordedAt: at(note.seq, note.recordedAt),
    })),
  }))
}

/** Agreement of a correction; null where there is no such correction. */
export async function findCorrection(tx: Transaction, workspaceId: string, id: string): Promise<string | null> {
  if (!isIdentifier('cor', id)) return null
  const [row] = await tx<{ agreementId: string }[]>`
    select agreement_id as "agreementId" from correction where workspace_id = ${workspaceId} and id = ${id}`
  return row?.agreementId ?? null
}

/** Stored body and receipts of restated periods. */
export async function loadCorrectionTexts(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CorrectionTexts>> {
  const rows = await tx<(CorrectionTexts & { id: string })[]>`
    select id, body, receipts from correction
    where workspace_id = ${workspaceId} and id = any(${ids as string[]}::text[])`
  return new Map(rows.map(({ id, ...texts }) => [id, texts]))
}

export interface NewCorrection {
  readonly hash: string
  /** Body as canonical JSON. */
  readonly body: string
  /** Receipts as JSON. */
  readonly receipts: string
  readonly periods: readonly string[]
  readonly lineIds: readonly (string | null)[]
  readonly waived: boolean
  readonly waives: string | null
  readonly proposedBy: string
}

/** Inserts a correction, and returns its id. */
export async function insertCorrection(
  tx: Transaction,
  log: OpenLog,
  agreementId: string,
  { body, receipts, ...proposed }: NewCorrection,
): Promise<string> {
  const id = makeIdentifier('cor')
  await appendEntry(tx, log, 'correction', {
    subject: agreementId,
    facts: { id, receiptsHash: hashText(receipts), ...proposed },
    beside: { body, receipts },
  })
  return id
}

/** Rows of an agreement's corrections that do not carry this installation's seal, and bodies that are not the signed ones. */
export function findUnsealedCorrections(
  corrections: readonly StoredCorrection[],
  place: RowPlace,
  seals: RowSeals,
): readonly UnsealedRow[] {
  const check = seals.checking(place)
  for (const correction of corrections) {
    const { id, seq, hash, receiptsHash, recordedAt: at, texts, signatures, refusal, notes } = correction
    const named = (what: string) => ({ period: correction.periods[0] ?? '', what: `${what} ${id}` })
    check.row('correction', correction, { ...correction, at }, named('the stored correction'))
    for (const { given, ...row } of signatures) {
      const facts = { correctionId: id, hash, ...row, ...given }
      const about = named(`the ${row.party}'s stored signature of the correction`)
      check.row('correction-signature', facts, { ...row, at: row.storedAt }, about)
    }
    if (refusal !== null) {
      const about = named(`the ${refusal.party}'s stored refusal of the correction`)
      check.row('correction-refusal', { ...refusal, correctionId: id }, { ...refusal, at: refusal.storedAt }, about)
    }
    for (const row of notes) {
      const about = named('a stored note of the correction')
      check.row('correction-note', { ...row, correctionId: id }, { ...row, at: row.recordedAt }, about)
    }
    if (texts === null) continue
    if (hashText(texts.body) !== hash) check.unsealed.push({ seq, ...named('the stored body of the correction') })
    if (hashText(texts.receipts) !== receiptsHash)
      check.unsealed.push({ seq, ...named('the stored receipts of the correction') })
  }
  return check.unsealed
}
