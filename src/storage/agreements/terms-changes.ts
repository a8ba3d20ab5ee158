// Stored changes of terms: proposals with the body that both parties sign and the formula document or the rows of the price list
// that take effect, signatures and refusals. Rows are added, never changed; the state of a proposal is worked out elsewhere.

import type { Instant } from '../../core/time/instant.ts'
import type { ChangeOfTerms } from '../../core/true-up/change-kinds.ts'
import type { OpenLog } from '../log/append.ts'
import type { ClockRepairs } from '../log/clock-repairs.ts'
import { hashText } from '../log/content.ts'
import { appendEntries } from '../log/entry-rows.ts'
import type { RowPlace, RowSeals, UnsealedRow } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { isIdentifier, makeIdentifier } from '../postgres/identifier.ts'
import { loadAnswers, type ProposalAnswers } from './proposal-answers.ts'
import type { OfAgreement, Signing } from './signing.ts'

type ChangeReason = 'EVENT' | 'SUSPECT' | 'BY_HAND'

/** Facts of a proposal beside its body and its document. */
interface ChangeHead {
  readonly kind: ChangeOfTerms
  /** Hash of the body. */
  readonly hash: string
  readonly ground: ChangeReason
  /** The formula version that it changes. */
  readonly basis: number
  /** `YYYY-MM-DD`: the first adjustment date under the new terms. */
  readonly effectiveFrom: string
  /** Series as the document names them: the one that ends, and the one that takes its place. Empty for an amendment. */
  readonly series: readonly string[]
  /** Id shared by the changes that were offered together; null for one alone. */
  readonly offer: string | null
  readonly supersedes: string | null
  /** Version whose plan it carries out: nobody has to sign it. */
  readonly plannedBy: number | null
  readonly proposedBy: string
}

/** A proposal without its texts, and its answers. */
export interface StoredChange extends ChangeHead, ProposalAnswers {
  readonly id: string
  readonly seq: number
  readonly documentHash: string
  readonly recordedAt: Instant
  readonly seal: Buffer
  /** Whether body and document are the proposed ones. */
  readonly isWhole: boolean
}

export interface ChangeTexts {
  /** Body as canonical JSON. */
  readonly body: string
  readonly document: string
}

/** Changes of these agreements, oldest first, with the instants that count. */
export async function loadChanges(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
  repairs: ClockRepairs,
): Promise<readonly OfAgreement<StoredChange>[]> {
  const rows = await tx<OfAgreement<Omit<StoredChange, keyof ProposalAnswers>>[]>`
    select agreement_id as "agreementId", id, seq, kind, hash, document_hash as "documentHash", ground, basis,
      effective_from as "effectiveFrom", series, offer, supersedes, planned_by as "plannedBy", proposed_by as "proposedBy",
      recorded_at as "recordedAt", seal,
      hash = encode(sha256(convert_to(body, 'UTF8')), 'hex')
        and document_hash = encode(sha256(convert_to(document, 'UTF8')), 'hex') as "isWhole"
    from terms_change
    where workspace_id = ${workspaceId} and agreement_id = any(${agreementIds as string[]}::text[]) order by seq`
  if (rows.length === 0) return []
  const tables = { signatures: 'terms_change_signature', refusals: 'terms_change_refusal', key: 'change_id' }
  const ids = rows.map(({ id }) => id)
  const answersOf = await loadAnswers(tx, workspaceId, tables, ids, repairs)
  return rows.map(row => ({
    ...row,
    ...answersOf(row.id),
    recordedAt: repairs.instantOf(workspaceId, row.seq, row.recordedAt),
  }))
}

/** Agreements of these proposals, by their ids; a missing one is left out. */
export async function findChanges(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter(id => isIdentifier('spl', id) || isIdentifier('amd', id))
  if (wanted.length === 0) return new Map()
  const rows = await tx<{ id: string; agreementId: string }[]>`
    select id, agreement_id as "agreementId" from terms_change where workspace_id = ${workspaceId} and id = any(${wanted}::text[])`
  return new Map(rows.map(({ id, agreementId }) => [id, agreementId]))
}

/** Signed hash of each change; a missing change is left out. */
export async function loadChangeHashes(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ id: string; hash: string }[]>`
    select id, hash from terms_change where workspace_id = ${workspaceId} and id = any(${ids as string[]}::text[])`
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

/** Ids of the changes offered together, in their order. */
export async function findOffered(tx: Transaction, workspaceId: string, offer: string): Promise<readonly string[]> {
  if (!isIdentifier('off', offer)) return []
  const rows = await tx<{ id: string }[]>`
    select id from terms_change where workspace_id = ${workspaceId} and offer = ${offer} order by seq`
  return rows.map(({ id }) => id)
}

/** Filter of listed changes: the newest first, before a number, of some agreements and of one series. */
interface ListedWanted {
  readonly before: number | null
  /** Ids of agreements; null for all. */
  readonly agreementIds: readonly string[] | null
  /** Series as documents name it; null for any. */
  readonly series: string | null
  readonly most: number
}

interface ListedChange {
  readonly id: string
  readonly seq: number
  readonly agreementId: string
}

export async function listChanges(
  tx: Transaction,
  workspaceId: string,
  { before, agreementIds, series, most }: ListedWanted,
): Promise<readonly ListedChange[]> {
  const older = before === null ? tx`` : tx`and seq < ${before}`
  const of = agreementIds === null ? tx`` : tx`and agreement_id = any(${agreementIds as string[]}::text[])`
  const reading = series === null ? tx`` : tx`and lower(${series}) = any(select lower(each) from unnest(series) each)`
  return tx<ListedChange[]>`
    select id, seq, agreement_id as "agreementId" from terms_change
    where workspace_id = ${workspaceId} ${older} ${of} ${reading} order by seq desc limit ${most}`
}

export async function loadChangeTexts(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChangeTexts>> {
  if (ids.length === 0) return new Map()
  const rows = await tx<(ChangeTexts & { id: string })[]>`
    select id, body, document from terms_change
    where workspace_id = ${workspaceId} and id = any(${ids as string[]}::text[])`
  return new Map(rows.map(({ id, ...texts }) => [id, texts]))
}

export interface NewChange extends ChangeHead, ChangeTexts {}

const prefixOf = { SPLICE: 'spl', AMENDMENT: 'amd', PRICE_LIST: 'amd' } as const

export function makeOfferId(): string {
  return makeIdentifier('off')
}

/** Inserts changes, and returns their ids. */
export async function insertChanges(
  tx: Transaction,
  log: OpenLog,
  changes: readonly OfAgreement<NewChange>[],
): Promise<readonly string[]> {
  if (changes.length === 0) return []
  const entries = changes.map(({ agreementId, body, document, ...head }) => ({
    subject: agreementId,
    facts: { id: makeIdentifier(prefixOf[head.kind]), documentHash: hashText(document), ...head },
    beside: { body, document },
  }))
  await appendEntries(tx, log, 'terms-change', entries)
  return entries.map(({ facts }) => facts.id)
}

/** A signature of one change, with the act that it belongs to. */
interface GivenChange {
  readonly changeId: string
  readonly hash: string
  readonly party: string
  readonly signedBy: string
  readonly signingId: string
  readonly given: Signing
}

export async function insertChangeSignatures(
  tx: Transaction,
  log: OpenLog,
  signatures: readonly OfAgreement<GivenChange>[],
): Promise<void> {
  if (signatures.length === 0) return
  const entries = signatures.map(({ agreementId, signingId, given, ...row }) => ({
    subject: agreementId,
    facts: { ...row, ...given },
    beside: { signing_id: signingId },
  }))
  await appendEntries(tx, log, 'terms-signature', entries)
}

/** Rows of an agreement's changes that do not carry this installation's seal, and texts that are not the proposed ones. */
export function findUnsealedChanges(
  changes: readonly StoredChange[],
  place: RowPlace,
  seals: RowSeals,
): readonly UnsealedRow[] {
  const check = seals.checking(place)
  for (const change of changes) {
    const { id, seq, hash, recordedAt: at, signatures, refusal, isWhole } = change
    const named = (what: string) => ({ period: '', what: `${what} ${id}` })
    check.row('terms-change', change, { ...change, at }, named('the stored change of terms'))
    for (const { given, ...row } of signatures) {
      const facts = { changeId: id, hash, ...row, ...given }
      const about = named(`the ${row.party}'s stored signature of the change of terms`)
      check.row('terms-signature', facts, { ...row, at: row.storedAt }, about)
    }
    if (refusal !== null) {
      const about = named(`the ${refusal.party}'s stored refusal of the change of terms`)
      check.row('terms-refusal', { ...refusal, changeId: id }, { ...refusal, at: refusal.storedAt }, about)
    }
    if (!isWhole) check.unsealed.push({ seq, ...named('the stored text of the change of terms') })
  }
  return check.unsealed
}
