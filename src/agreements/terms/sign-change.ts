// Signatures of changes of terms, one or many: each party signs exactly the text it was shown, and with the second signature the
// same transaction writes the formula version. Of many, each agreement is signed whole or not at all.

import { randomBytes } from 'node:crypto'
import { readAmendmentBody } from '../../core/index-changes/amendment.ts'
import { batchEntry } from '../../core/receipt/party-signature.ts'
import { Refusal } from '../../core/refusal.ts'
import { changeNouns } from '../../core/true-up/change-kinds.ts'
import type { ProposalState } from '../../core/true-up/proposal-state.ts'
import { limits } from '../../limits.ts'
import { stateOfChange, whySuperseded } from '../../read/agreements/terms-state.ts'
import { versionOf } from '../../read/agreements/terms-view.ts'
import { type AgreementHistory, loadAgreementsNamed } from '../../storage/agreements/agreements.ts'
import { insertSignings } from '../../storage/agreements/signed-rows.ts'
import { insertBatch } from '../../storage/agreements/signing-batches.ts'
import {
  type ChangeTexts,
  findChanges,
  insertChangeSignatures,
  loadChangeHashes,
  loadChangeTexts,
  type StoredChange,
} from '../../storage/agreements/terms-changes.ts'
import { appending, type OpenLog } from '../../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../../storage/postgres/database.ts'
import { noteActivities } from '../../storage/workspaces/activity.ts'
import { type ApplyRequest, type JudgedDocument, judge } from '../judge.ts'
import { keepList } from '../price-list.ts'
import type { Seal } from '../seal.ts'
import {
  activityOf,
  type JudgedSigner,
  loadSigningPeople,
  openAct,
  type Signer,
  type SigningAct,
  type SigningPeople,
  signaturesSinceAgreed,
  signingOf,
  whyNotOneSide,
} from '../signable.ts'
import { writeDocuments } from '../write-version.ts'
import { agreedList } from './list-change.ts'
import { type OpenTerms, openTerms, openTurn, prepareTerms, type TermsTurn } from './open-terms.ts'
import { eachOrRefusal, notRefused } from './outcomes.ts'
import { checkUnmoved } from './splice.ts'

export interface SignChangeRequest extends Signer {
  readonly id: string
  /** The hash that was shown; null signs what is stored. */
  readonly hash: string | null
}

interface SignedChange {
  readonly id: string
  readonly hash: string
  /** Slug of the agreement. */
  readonly agreement: string
  readonly state: ProposalState
  /** The formula version that it made; null while only one side has signed. */
  readonly version: number | null
}

export async function signChange(
  sql: Sql,
  seal: Seal,
  workspaceId: string,
  request: SignChangeRequest,
): Promise<SignedChange> {
  const [outcome] = await signChanges(sql, seal, workspaceId, [request])
  if (outcome instanceof Refusal) throw outcome
  return outcome!
}

/**
 * Signs changes in the order given; one that cannot be signed has the reason in its place. Changes that one person signs at once
 * without a passkey are one list, whose hash is stored with each; a passkey has signed its list before.
 */
export async function signChanges(
  sql: Sql,
  seal: Seal,
  workspaceId: string,
  requests: readonly SignChangeRequest[],
): Promise<readonly (SignedChange | Refusal)[]> {
  const listed = await asOneList(sql, workspaceId, requests)
  const outcomes: (SignedChange | Refusal)[] = []
  // Changes are signed in pieces, so that nothing large holds the lock.
  for (let from = 0; from < listed.length; from += limits.agreementsAtOnce) {
    const piece = listed.slice(from, from + limits.agreementsAtOnce)
    outcomes.push(...(await appending(sql, workspaceId, (tx, log) => signPiece(tx, log, seal, piece))))
  }
  return outcomes
}

async function asOneList(
  sql: Sql,
  workspaceId: string,
  requests: readonly SignChangeRequest[],
): Promise<readonly SignChangeRequest[]> {
  if (requests.length > limits.batches.entries)
    throw new Refusal('invalid', `at most ${limits.batches.entries} changes are signed at once`)
  if (requests.length < 2 || requests.some(({ proof }) => proof.batch != null)) return requests
  return withWorkspace(sql, workspaceId, async tx => {
    const stored = await loadChangeHashes(
      tx,
      workspaceId,
      requests.map(({ id }) => id),
    )
    const salted = requests.map(request => {
      const hash = request.hash ?? stored.get(request.id)
      const salt = randomBytes(16).toString('hex')
      return { request, entry: hash === undefined ? null : batchEntry(hash, salt), salt }
    })
    const entries = salted.flatMap(({ entry }) => entry ?? []).sort()
    const id = await insertBatch(tx, workspaceId, {
      personId: null,
      entries,
      passkey: null,
      provider: null,
      origin: null,
    })
    return salted.map(({ request, entry, salt }) =>
      entry === null ? request : { ...request, proof: { ...request.proof, batch: { id, salt, entries } } },
    )
  })
}

/** Facts shared by all changes that are signed at once, read under the lock. */
interface SigningTurn extends TermsTurn {
  readonly people: SigningPeople
  readonly agreements: ReadonlyMap<string, AgreementHistory>
  readonly agreementOf: ReadonlyMap<string, string>
  readonly texts: ReadonlyMap<string, ChangeTexts>
}

async function signPiece(
  tx: Transaction,
  log: OpenLog,
  seal: Seal,
  requests: readonly SignChangeRequest[],
): Promise<readonly (SignedChange | Refusal)[]> {
  const turn = await loadTurn(tx, log, seal, requests)
  const seen = new Set<string>()
  const opened = await eachOrRefusal(requests, request => {
    const agreement = turn.agreementOf.get(request.id) ?? request.id
    if (seen.has(agreement)) throw new Refusal('conflict', `${request.id} is of an agreement that is listed twice`)
    seen.add(agreement)
    return openOf(turn, request)
  })
  const all = notRefused(opened)
  await prepareTerms(
    turn,
    all.map(({ open }) => open),
    all.flatMap(({ change }) => change.series),
  )
  const outcomes = await eachOrRefusal(opened, (each, i) => check(turn, requests[i]!, each))
  const checked = outcomes.filter(each => 'act' in each)
  const signed = await store(turn, checked)
  return outcomes.map(each => ('act' in each ? signed.get(each)! : each))
}

async function loadTurn(
  tx: Transaction,
  log: OpenLog,
  seal: Seal,
  requests: readonly SignChangeRequest[],
): Promise<SigningTurn> {
  const ids = requests.map(({ id }) => id)
  const agreementOf = await findChanges(tx, log.scope, ids)
  const kept = await loadAgreementsNamed(tx, log.scope, [...new Set(agreementOf.values())])
  const signedBy = kept.flatMap(({ changes }) =>
    changes.flatMap(({ signatures }) => signatures.map(each => each.signedBy)),
  )
  const people = await loadSigningPeople(tx, log.scope, { signers: requests, signedBy }, seal.rows)
  const texts = await loadChangeTexts(tx, log.scope, ids)
  return {
    ...(await openTurn(tx, log)),
    people,
    agreements: new Map(kept.map(each => [each.id, each])),
    agreementOf,
    texts,
  }
}

/** A checked change: everything was compared with the shown texts. */
interface Checked {
  readonly act: SigningAct
  readonly kept: AgreementHistory
  readonly change: StoredChange
  readonly texts: ChangeTexts
  /** The document as judged now, if this signature is the second of one; else null. */
  readonly judged: JudgedDocument | null
  readonly isAgreed: boolean
}

interface OpenedChange {
  readonly open: OpenTerms
  readonly change: StoredChange
}

function openOf(turn: SigningTurn, { id, hearer }: SignChangeRequest): OpenedChange {
  const kept = turn.agreements.get(turn.agreementOf.get(id) ?? '')
  const change = kept?.changes.find(each => each.id === id)
  if (kept === undefined || change === undefined) throw noSuchChange(id)
  return { open: openTerms(turn, kept, hearer), change }
}

async function check(
  { tx, log, people, texts }: SigningTurn,
  request: SignChangeRequest,
  { open, change }: OpenedChange,
): Promise<Checked | SignedChange> {
  const { id, party } = request
  const {
    kept,
    standing: {
      state: { parties },
    },
  } = open
  const act = openAct(tx, log, { parties }, request, people)
  if (request.hash !== null && request.hash !== change.hash)
    throw new Refusal('conflict', `${id} has the hash ${change.hash}, not ${request.hash}: look at it again`)
  const state = stateOfChange(kept, change)
  const hasSigned = change.signatures.some(each => each.party === party)
  if (state === 'AGREED') return asSigned(kept, change, state)
  refuseClosed(kept, change)
  if (hasSigned) return asSigned(kept, change, state)
  const why = whyNotChange(act, kept, change)
  if (why !== null) throw new Refusal('conflict', why)
  const own = texts.get(id)!
  // An amendment is the document that was written, and a price list its rows; the figures of a splice may have been revised.
  if (change.kind === 'SPLICE') await checkUnmoved(open, id, own.body)
  const isAgreed = change.signatures.length > 0
  const judged = isAgreed && change.kind !== 'PRICE_LIST' ? await judgeAgain(open, change, own) : null
  return { act, kept, change, texts: own, judged, isAgreed }
}

/** Why somebody who stands for a side does not sign an open change of terms; null where they may. */
export function whyNotChange(judged: JudgedSigner, kept: AgreementHistory, change: StoredChange): string | null {
  const answered = kept.changes.map(each => ({ ...each, state: stateOfChange(kept, each) }))
  const subject = `the ${changeNouns[change.kind]} ${change.id}`
  return whyNotOneSide(judged, { subject, hash: change.hash }, signaturesSinceAgreed(answered))
}

function asSigned(kept: AgreementHistory, change: StoredChange, state: ProposalState): SignedChange {
  const { id, hash } = change
  return { id, hash, agreement: kept.slug, state, version: versionOf(kept, change) }
}

/** Refuses a change that is not open. */
function refuseClosed(kept: AgreementHistory, change: StoredChange): void {
  const { id, refusal } = change
  if (refusal !== null)
    throw new Refusal('conflict', `the ${refusal.party} refused it: ${refusal.reason}; another can be proposed`)
  const why = whySuperseded(kept, change)
  if (why !== null) throw new Refusal('conflict', `${id} cannot be signed any more: ${why}`)
}

/** Judges again before anything is stored: a document that cannot become a version is not signed. */
async function judgeAgain(
  { ground, kept, today, log }: OpenTerms,
  { id, kind }: StoredChange,
  { body, document: text }: ChangeTexts,
): Promise<JudgedDocument> {
  if (kept.versions.length >= limits.formulaVersions)
    throw new Refusal('conflict', `${kept.slug} has ${limits.formulaVersions} versions, the most there can be`)
  const judged = await judge(ground, { workspaceId: log.scope, text, words: wordsIn(kind, body), by: '', today })
  if (judged.outcome === 'good') return judged
  const { path, message } = judged.problems[0]!
  throw new Refusal('conflict', `${id} cannot become a formula version any more: ${path}: ${message}`)
}

export function noSuchChange(id: string): Refusal {
  return new Refusal('not-found', `there is no change of terms "${id}"`)
}

/** Stores acts, signatures and activities of all changes, each kind at once; then the versions that they make. */
async function store(turn: SigningTurn, checked: readonly Checked[]): Promise<ReadonlyMap<Checked, SignedChange>> {
  const { tx, log } = turn
  if (checked.length === 0) return new Map()
  const givens = checked.map(({ act, change: { id, hash } }) => signingOf(act, [{ period: id, hash }]))
  const signingIds = await insertSignings(tx, log, givens)
  const signatures = checked.map(({ act, kept, change: { id, hash } }, i) => ({
    agreementId: kept.id,
    changeId: id,
    hash,
    party: act.signer.party,
    signedBy: act.signer.email,
    signingId: signingIds[i]!,
    given: givens[i]!,
  }))
  await insertChangeSignatures(tx, log, signatures)
  await noteActivities(
    tx,
    log.scope,
    checked.map(({ act, kept, change: { id } }) => activityOf(act, `${kept.slug} ${id}`)),
  )
  const versions = await takeEffect(turn, checked)
  return new Map(
    checked.map(each => {
      const { act, kept, change } = each
      const half = act.signer.party === 'buyer' ? 'SIGNED_BY_BUYER' : 'SIGNED_BY_SUPPLIER'
      const state = versions.has(each) ? 'AGREED' : half
      const { id, hash } = change
      return [each, { id, hash, agreement: kept.slug, state, version: versions.get(each) ?? null }]
    }),
  )
}

/** Writes the effect of agreed changes: a formula version each, or a version of the price list. */
async function takeEffect(
  { tx, log }: SigningTurn,
  checked: readonly Checked[],
): Promise<ReadonlyMap<Checked, number | null>> {
  const documents = checked.flatMap(each =>
    each.judged === null ? [] : [{ each, ...each, judged: each.judged, ...each.texts }],
  )
  const written = await writeAgreed(tx, log, documents)
  const versions = new Map<Checked, number | null>(documents.map(({ each }, i) => [each, written[i]!]))
  for (const each of checked) {
    const { kept, change, texts, isAgreed } = each
    if (!isAgreed || change.kind !== 'PRICE_LIST') continue
    const by = { who: change.proposedBy, fromAddress: null }
    const { rows, start } = agreedList(texts)
    versions.set(each, (await keepList(tx, log, { agreement: kept, rows, start, by, proposal: change.id })).version)
  }
  return versions
}

interface Agreed extends ChangeTexts {
  readonly kept: AgreementHistory
  readonly change: Pick<StoredChange, 'id' | 'kind' | 'proposedBy'>
  readonly judged: JudgedDocument
}

/** The contract's own words by an agreed change; undefined where the present ones stay. */
function wordsIn(kind: StoredChange['kind'], body: string): ApplyRequest['words'] {
  return kind === 'AMENDMENT' ? readAmendmentBody(JSON.parse(body)).words?.after : undefined
}

/**
 * Writes the version that each agreed change makes, and the descriptions of an amendment. Null where only descriptions differ.
 */
export async function writeAgreed(
  tx: Transaction,
  log: OpenLog,
  agreed: readonly Agreed[],
): Promise<readonly (number | null)[]> {
  const writings = agreed.map(({ kept, change: { id, kind, proposedBy }, body, document, judged }) => {
    const words = wordsIn(kind, body)
    return { kept, judged, text: document, words, by: proposedBy, proposal: id, formulaOnly: kind === 'SPLICE' }
  })
  const written = await writeDocuments(tx, log, writings)
  return written.map(({ outcome, version }) => (outcome === 'new version' ? version : null))
}
