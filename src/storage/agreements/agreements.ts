// Stored agreements: every state and formula version with its place in the sequence, every receipt that was signed or objected
// to, every sign-off and objection. Rows are added, never changed.

import type { JsonObject } from '../../core/formula/canonical.ts'
import type { Billing, Formula, Status } from '../../core/formula/formula.ts'
import { type ContractWords, hashedText } from '../../core/formula/words/contract-words.ts'
import type { Party } from '../../core/parties.ts'
import type { RedactedName } from '../../core/receipt/party-signature.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { OpenLog } from '../log/append.ts'
import { redactedBy } from '../log/chain-contents.ts'
import { type ClockRepairs, loadClockRepairs } from '../log/clock-repairs.ts'
import { appendEntries } from '../log/entry-rows.ts'
import type { RowSeals, UnsealedRow } from '../log/row-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { enforceQuota } from '../workspaces/quotas.ts'
import { findUnsealedCorrections, loadCorrections, type StoredCorrection } from './corrections.ts'
import { findUnsealedObjections, loadObjections, type StoredObjection } from './objections.ts'
import { type ListHead, loadListHeads } from './price-lists.ts'
import type { OfAgreement, Signing } from './signing.ts'
import { batchOfSigning } from './signing-batches.ts'
import { findUnsealedChanges, loadChanges, type StoredChange } from './terms-changes.ts'

export type AgreementParties = Formula['parties']

export interface AgreementStateRow {
  readonly seq: number
  readonly name: string
  readonly description: string
  readonly status: Status
  readonly parties: AgreementParties
  readonly recordedAt: Instant
}

/** A state in full; lists of thousands do without. */
export interface StoredAgreementState extends AgreementStateRow {
  readonly billing: Billing
}

export interface FormulaVersion {
  readonly version: number
  readonly seq: number
  readonly document: JsonObject
  readonly documentText: string
  /** Hash of the contract's own words; null where the version has none. The words are long, and read by themselves: `loadWords`. */
  readonly wordsHash: string | null
  readonly createdBy: string
  /** The change of terms that both signed and that made it; null where one side applied it alone. */
  readonly proposal: string | null
  readonly recordedAt: Instant
  /** Erasure of the author's name; absent before the version is stored. */
  readonly redacted?: RedactedName | null
}

export interface SignOff {
  readonly period: string
  readonly receiptHash: string
  readonly party: Party
  readonly adjustmentDate: string
  readonly signedBy: string
  readonly signedAt: Instant
  /** Instant in the row: differs where a clock was ahead and was repaired since. */
  readonly storedAt: Instant
  readonly seq: number
  readonly given: Signing
  /** See row-seals.ts. */
  readonly seal: Buffer
}

export interface SignedReceipt {
  readonly seq: number
  readonly period: string
  readonly receiptHash: string
  readonly adjustmentDate: string
  /** The receipt as JSON text. */
  readonly receipt: string
  readonly carried: Json
  readonly recordedAt: Instant
  readonly seal: Buffer
}

/** An agreement with its whole history, oldest first in every list. */
export interface AgreementHistory {
  readonly workspaceId: string
  readonly id: string
  readonly slug: string
  readonly createdAt: Instant
  readonly states: readonly StoredAgreementState[]
  readonly versions: readonly FormulaVersion[]
  readonly signOffs: readonly SignOff[]
  /** Receipts that somebody signed or objected to. */
  readonly receipts: readonly SignedReceipt[]
  readonly objections: readonly StoredObjection[]
  readonly corrections: readonly StoredCorrection[]
  /** Changes of its terms that were proposed. */
  readonly changes: readonly StoredChange[]
  /** The versions of its price list. */
  readonly lists: readonly ListHead[]
}

export interface AgreementRecord {
  readonly id: string
  readonly slug: string
  readonly createdAt: Instant
  readonly states: readonly AgreementStateRow[]
  /** Moments of the formula versions, oldest first. */
  readonly versions: readonly { readonly seq: number; readonly recordedAt: Instant }[]
}

/** Moment of the newest formula version or state, up to a place in the sequence. */
export function updatedAt({ createdAt, states, versions }: AgreementRecord, seq = Number.POSITIVE_INFINITY): Instant {
  const times = [...states, ...versions].filter(each => each.seq <= seq).map(({ recordedAt }) => recordedAt)
  return [createdAt, ...times].sort().at(-1)!
}

/** A receipt that both parties have signed, with the moment of the second signature. */
interface FullySigned {
  readonly agreementId: string
  readonly period: string
  readonly receiptHash: string
  readonly adjustmentDate: string
}

/** The wanted signatures: all of some agreements, and of others those of some spans. */
export interface SignedWanted {
  readonly ids: readonly string[]
  /** Spans by numbers of entries: from one on, before another. */
  readonly spans: readonly { readonly agreementId: string; readonly fromSeq: number; readonly toSeq: number | null }[]
}

/** Periods that both have signed, the newest first: of all agreements of a workspace, or of some. */
export function loadNewestSigned(
  tx: Transaction,
  workspaceId: string,
  { wanted, most }: { readonly wanted: SignedWanted | null; readonly most: number },
): Promise<readonly FullySigned[]> {
  return tx<FullySigned[]>`
    select s.agreement_id as "agreementId", s.period, s.receipt_hash as "receiptHash", s.adjustment_date as "adjustmentDate"
    from sign_off s
    where s.workspace_id = ${workspaceId} ${wanted === null ? tx`` : tx`and (${isWanted(tx, wanted)})`}
      and exists (
        select 1 from sign_off o where o.workspace_id = s.workspace_id and o.agreement_id = s.agreement_id and o.period = s.period
          and o.receipt_hash = s.receipt_hash and o.party <> s.party and o.seq < s.seq)
    order by s.seq desc limit ${most}`
}

function isWanted(tx: Transaction, { ids, spans }: SignedWanted) {
  return tx`
    s.agreement_id = any(${ids as string[]}::text[]) or exists (
      select 1 from unnest(${spans.map(({ agreementId }) => agreementId)}::text[], ${spans.map(({ fromSeq }) => fromSeq)}::bigint[],
        ${spans.map(({ toSeq }) => toSeq ?? Number.MAX_SAFE_INTEGER)}::bigint[]) as own (agreement_id, from_seq, to_seq)
      where own.agreement_id = s.agreement_id and s.seq >= own.from_seq and s.seq < own.to_seq)`
}

interface AgreementName {
  readonly id: string
  readonly slug: string
  readonly createdAt: Instant
}

export async function findAgreement(
  tx: Transaction,
  workspaceId: string,
  idOrSlug: string,
): Promise<AgreementName | null> {
  const [row] = await tx<AgreementName[]>`
    select id, slug, created_at as "createdAt" from agreement
    where workspace_id = ${workspaceId} and (id = ${idOrSlug} or slug = ${idOrSlug})`
  return row ?? null
}

export async function loadAgreementHistory(
  tx: Transaction,
  workspaceId: string,
  idOrSlug: string,
): Promise<AgreementHistory | null> {
  const [agreement, repairs] = await Promise.all([
    findAgreement(tx, workspaceId, idOrSlug),
    loadClockRepairs(tx, workspaceId),
  ])
  return agreement === null ? null : (await loadHistories(tx, workspaceId, [agreement], repairs))[0]!
}

/** Reads agreements by their ids or slugs; a missing one is left out. */
export async function loadAgreementsNamed(
  tx: Transaction,
  workspaceId: string,
  names: readonly string[],
): Promise<readonly AgreementHistory[]> {
  const rows = await tx<{ id: string }[]>`
    select id from agreement
    where workspace_id = ${workspaceId} and (id = any(${names as string[]}::text[]) or slug = any(${names as string[]}::text[]))
    order by id`
  return loadAgreementHistories(
    tx,
    workspaceId,
    rows.map(({ id }) => id),
  )
}

/** Reads agreements by their ids, in that order; a missing one is left out. */
export async function loadAgreementHistories(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<AgreementHistory[]> {
  const [agreements, repairs] = await Promise.all([
    tx<AgreementName[]>`
      select id, slug, created_at as "createdAt" from agreement
      where workspace_id = ${workspaceId} and id = any(${ids as string[]}::text[])`,
    loadClockRepairs(tx, workspaceId),
  ])
  const byId = new Map(agreements.map(agreement => [agreement.id, agreement]))
  const ordered = ids.map(id => byId.get(id)).filter(agreement => agreement !== undefined)
  return loadHistories(tx, workspaceId, ordered, repairs)
}

async function loadHistories(
  tx: Transaction,
  workspaceId: string,
  agreements: readonly AgreementName[],
  repairs: ClockRepairs,
): Promise<AgreementHistory[]> {
  const ids = agreements.map(({ id }) => id)
  const wanted = tx`workspace_id = ${workspaceId} and agreement_id = any(${ids}::text[])`
  // The queries are sent together: the round trip is most of the time it takes.
  const [states, versions, signOffs, receipts, objections, corrections, changes, lists] = await Promise.all([
    tx<OfAgreement<StoredAgreementState>[]>`
      select agreement_id as "agreementId", seq, name, description, status, parties, billing, recorded_at as "recordedAt"
      from agreement_state where ${wanted} order by seq`,
    tx<OfAgreement<FormulaVersion>[]>`
      select agreement_id as "agreementId", version, seq, document, document_text as "documentText",
        encode(sha256(convert_to(words, 'UTF8')), 'hex') as "wordsHash", created_by as "createdBy", proposal,
        recorded_at as "recordedAt", ${redactedBy(tx, workspaceId, 'formula.seq')} as redacted
      from formula where ${wanted} order by version`,
    loadSignOffs(tx, workspaceId, ids),
    tx<OfAgreement<SignedReceipt>[]>`
      select agreement_id as "agreementId", seq, period, receipt_hash as "receiptHash", adjustment_date as "adjustmentDate", receipt,
        carried, recorded_at as "recordedAt", seal
      from signed_receipt where ${wanted} order by seq`,
    loadObjections(tx, workspaceId, ids, repairs),
    loadCorrections(tx, workspaceId, ids, repairs),
    loadChanges(tx, workspaceId, ids, repairs),
    loadListHeads(tx, workspaceId, ids),
  ])
  const statesOf = groupByAgreement(states)
  const versionsOf = groupByAgreement(versions)
  const signOffsOf = groupByAgreement(signOffs)
  const receiptsOf = groupByAgreement(receipts)
  const objectionsOf = groupByAgreement(objections)
  const correctionsOf = groupByAgreement(corrections)
  const changesOf = groupByAgreement(changes)
  const listsOf = groupByAgreement(lists)
  return agreements.map(agreement => ({
    ...agreement,
    workspaceId,
    states: counted(repairs, workspaceId, statesOf(agreement)),
    versions: counted(repairs, workspaceId, versionsOf(agreement)),
    signOffs: signOffsOf(agreement).map(each => ({
      ...each,
      signedAt: repairs.instantOf(workspaceId, each.seq, each.signedAt),
    })),
    receipts: counted(repairs, workspaceId, receiptsOf(agreement)),
    objections: objectionsOf(agreement),
    corrections: correctionsOf(agreement),
    changes: changesOf(agreement),
    lists: counted(repairs, workspaceId, listsOf(agreement)),
  }))
}

/** The rows of each agreement, without its id. */
function groupByAgreement<T extends object>(
  rows: readonly OfAgreement<T>[],
): (agreement: AgreementName) => Omit<OfAgreement<T>, 'agreementId'>[] {
  const groups = Map.groupBy(rows, ({ agreementId }) => agreementId)
  return ({ id }) => (groups.get(id) ?? []).map(({ agreementId: _id, ...row }) => row)
}

/** Applies clock repairs, so that rows have the instants that count. */
function counted<T extends { readonly seq: number; readonly recordedAt: Instant }>(
  repairs: ClockRepairs,
  workspaceId: string,
  rows: readonly T[],
): readonly T[] {
  if (repairs.isEmpty) return rows
  return rows.map(row => ({ ...row, recordedAt: repairs.instantOf(workspaceId, row.seq, row.recordedAt) }))
}

async function loadSignOffs(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
): Promise<OfAgreement<SignOff>[]> {
  const wanted = tx`workspace_id = ${workspaceId} and agreement_id = any(${agreementIds as string[]}::text[])`
  const [rows, acts] = await Promise.all([
    tx<(Omit<OfAgreement<SignOff>, 'given'> & { signingId: string; redacted: RedactedName | null })[]>`
      select agreement_id as "agreementId", period, receipt_hash as "receiptHash", party, adjustment_date as "adjustmentDate",
        signed_by as "signedBy", signed_at as "signedAt", signed_at as "storedAt", seq, seal, signing_id as "signingId",
        ${redactedBy(tx, workspaceId, 'sign_off.seq')} as redacted
      from sign_off where ${wanted} order by seq`,
    tx<(Signing & { id: string })[]>`
      select g.id, g.person_id as "personId", g.name, g.from_address as "fromAddress", g.means, g.periods as together,
        g.passkey, g.provider, g.origin, ${batchOfSigning(tx)} as batch
      from signing g left join signing_batch b on b.workspace_id = g.workspace_id and b.id = g.batch_id
      where g.workspace_id = ${workspaceId} and g.id in (select signing_id from sign_off where ${wanted})`,
  ])
  const byId = new Map(acts.map(({ id, ...given }) => [id, given]))
  return rows.map(({ signingId, redacted, ...row }) => {
    const given = byId.get(signingId)!
    return { ...row, given: redacted === null ? given : { ...given, redacted } }
  })
}

export async function insertAgreement(tx: Transaction, { scope, recordedAt }: OpenLog, slug: string): Promise<string> {
  const id = makeIdentifier('pam')
  await tx`insert into agreement (workspace_id, id, slug, created_at) values (${scope}, ${id}, ${slug}, ${recordedAt})`
  await enforceQuota(tx, scope, 'agreements')
  return id
}

type NewState = OfAgreement<Pick<Formula, 'slug' | 'name' | 'description' | 'status' | 'parties' | 'billing'>>

/** Inserts states, each of a different agreement. */
export async function insertAgreementStates(tx: Transaction, log: OpenLog, states: readonly NewState[]): Promise<void> {
  if (states.length === 0) return
  const entries = states.map(({ agreementId, slug, name, description, status, ...state }) => {
    const { buyer, supplier, signWith } = state.parties
    const { references, priceDate, prorate } = state.billing
    const parties = { buyer, supplier, ...(signWith === undefined ? {} : { signWith: [...signWith] }) }
    const billing = { references, priceDate, prorate }
    return { subject: agreementId, facts: { slug, name, description, status, parties, billing } }
  })
  await appendEntries(tx, log, 'agreement', entries)
}

type NewFormula = OfAgreement<Omit<FormulaVersion, 'seq' | 'recordedAt' | 'wordsHash'>> & {
  readonly effectiveFrom: string
  readonly words: ContractWords | null
}

/** Inserts versions, each of a different agreement. */
export async function insertFormulaVersions(
  tx: Transaction,
  log: OpenLog,
  versions: readonly NewFormula[],
): Promise<void> {
  if (versions.length === 0) return
  if (versions.some(({ version }) => version > limits.formulaVersions))
    throw new Refusal(
      'conflict',
      `an agreement has at most ${limits.formulaVersions} versions; begin a new agreement under another slug`,
    )
  const entries = versions.map(({ agreementId, words, ...facts }) => ({
    subject: agreementId,
    facts: { ...facts, words: words === null ? null : hashedText(words), wordsFile: words?.file ?? null },
  }))
  await appendEntries(tx, log, 'formula', entries)
}

interface StoredWords {
  readonly agreementId: string
  readonly version: number
  readonly words: ContractWords
}

/** The contract's own words of formula versions; one without any is left out. */
export async function loadWords(
  tx: Transaction,
  workspaceId: string,
  versions: readonly Pick<StoredWords, 'agreementId' | 'version'>[],
): Promise<readonly StoredWords[]> {
  if (versions.length === 0) return []
  const ids = versions.map(({ agreementId }) => agreementId)
  const numbers = versions.map(({ version }) => version)
  const rows = await tx<
    (Pick<StoredWords, 'agreementId' | 'version'> & { words: string; file: ContractWords['file'] })[]
  >`
    select f.agreement_id as "agreementId", f.version, f.words, f.words_file as file
    from formula f join unnest(${ids}::text[], ${numbers}::int[]) as w (agreement_id, version) using (agreement_id, version)
    where f.workspace_id = ${workspaceId} and f.words is not null order by f.agreement_id, f.version`
  return rows.map(({ words, file, ...place }) => {
    const { sentences, links } = JSON.parse(words) as Pick<ContractWords, 'sentences' | 'links'>
    return { ...place, words: { sentences, links, file } }
  })
}

/** Receipts, sign-offs, objections, corrections and changes of an agreement that do not carry this installation's seal. */
export function findUnsealed(kept: AgreementHistory, seals: RowSeals): readonly UnsealedRow[] {
  const place = { scope: kept.workspaceId, subject: kept.id }
  const check = seals.checking(place)
  for (const row of kept.receipts) {
    const { period, recordedAt: at } = row
    check.row('receipt', row, { ...row, at }, { period, what: `the stored receipt of ${period}` })
  }
  for (const { given, ...row } of kept.signOffs) {
    const { period, party, storedAt: at } = row
    const about = { period, what: `the ${party}'s stored signature of ${period}` }
    check.row('signature', { ...row, ...given }, { ...row, at }, about)
  }
  return [
    ...check.unsealed,
    ...findUnsealedObjections(kept.objections, place, seals),
    ...findUnsealedCorrections(kept.corrections, place, seals),
    ...findUnsealedChanges(kept.changes, place, seals),
  ]
}

/** Finds the first row of a workspace without its seal. */
export async function findUnsealedRow(
  tx: Transaction,
  workspaceId: string,
  seals: RowSeals,
): Promise<{ readonly seq: number; readonly message: string } | null> {
  let after = ''
  for (;;) {
    const ids = await tx<{ id: string }[]>`
      select id from agreement where workspace_id = ${workspaceId} and id > ${after} order by id
      limit ${limits.agreementsVerified}`
    if (ids.length === 0) return null
    const agreements = await loadAgreementHistories(
      tx,
      workspaceId,
      ids.map(({ id }) => id),
    )
    for (const kept of agreements) {
      const [unsealed] = readUnsealed(kept, seals)
      if (unsealed === undefined) continue
      return { seq: unsealed.seq, message: `${unsealed.what} (${kept.slug}) does not carry this installation's seal` }
    }
    after = ids.at(-1)!.id
  }
}

/** Unsealed rows; one that cannot be read was sealed by nobody. */
function readUnsealed(kept: AgreementHistory, seals: RowSeals): readonly UnsealedRow[] {
  try {
    return findUnsealed(kept, seals)
  } catch {
    return [{ seq: 0, period: '', what: 'a stored row that cannot be read' }]
  }
}
