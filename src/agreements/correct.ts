// Corrections of signed prices: a party or the policy proposes, both sign exactly the body they were shown, either side
// refuses with a reason, or both waive the money. Everything happens under the workspace's log's lock; nothing is
// changed or removed, and an agreement has one open proposal at a time.

import { Refusal } from '../core/refusal.ts'
import type { CorrectionBody } from '../core/true-up/correction-body.ts'
import { readCorrectionBody } from '../core/true-up/correction-parser.ts'
import { stateOfProposal } from '../core/true-up/proposal-state.ts'
import { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import { type ShownCorrection, showCorrection } from '../read/agreements/correction-view.ts'
import { supplierOfPeriods } from '../read/agreements/party-part.ts'
import {
  type BuiltCorrection,
  buildProposal,
  type ProposalKind,
  saysTheSame,
} from '../read/agreements/proposed-correction.ts'
import { sideKey, suppliersOf, tenureOfSupplier } from '../read/agreements/tenure.ts'
import type { Proposal, TrueUp } from '../read/agreements/true-up.ts'
import type { LibraryBounds } from '../read/memory/library-bounds.ts'
import { type AgreementHistory, type AgreementParties, loadAgreementHistory } from '../storage/agreements/agreements.ts'
import {
  findCorrection,
  insertCorrection,
  loadCorrections,
  loadCorrectionTexts,
  type StoredCorrection,
} from '../storage/agreements/corrections.ts'
import { appending, type OpenLog } from '../storage/log/append.ts'
import { loadClockRepairs } from '../storage/log/clock-repairs.ts'
import { appendEntry } from '../storage/log/entry-rows.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { type Actor, noteActivity } from '../storage/workspaces/activity.ts'
import { asSpeaker, noteStatement, readWords, type Spoken, type StatementRequest } from './object.ts'
import { openTrueUp } from './open-true-up.ts'
import { type Signatory, standsFor } from './parties.ts'
import { checkProposing, loadProposingPeople } from './repeated-proposals.ts'
import type { Seal } from './seal.ts'
import {
  checkRefusing,
  type GivenSignature,
  insertAct,
  type JudgedSigner,
  loadSigningPeople,
  noteSigning,
  openAct,
  type Signer,
  signaturesSinceAgreed,
  whyNotOneSide,
} from './signable.ts'
import { type Audience, whyNotCorrected } from './status-words.ts'

interface Request {
  readonly workspaceId: string
  /** Limit of computing for the numbers; the default is the limit for one agreement. */
  readonly bounds?: LibraryBounds
  readonly hearer?: Audience
}

interface ProposeRequest extends Request {
  /** Id or slug. */
  readonly agreement: string
  /** The supplier, who proposes for its own periods; by default those of any supplier. */
  readonly supplier?: Signatory | undefined
  /** Reason for a correction outside the policy; null applies the policy. */
  readonly reason: string | null
  readonly by: Actor
  /** The hash of the body that was shown before it was proposed: nothing else is put forward. */
  readonly shown?: string
  /** Signs the proposal for one side at once. */
  readonly signer?: Signer | null
}

interface Proposed {
  readonly outcome: 'proposed' | 'unchanged'
  /** The proposal that this one replaces. */
  readonly supersedes: string | null
  readonly correction: ShownCorrection
}

/**
 * Proposes a correction; while nothing has moved, the answer is the open proposal. A correction is about the periods of one
 * supplier: with several suppliers, the first for whom something new can be proposed.
 */
export function proposeCorrection(sql: Sql, seal: Seal, request: ProposeRequest): Promise<Proposed> {
  const reason = request.reason === null ? null : readWords('the reason', request.reason)
  return appending(sql, request.workspaceId, async (tx, log) => {
    const kind = { reason, isWaiver: false }
    const { by } = request
    let outcome: Proposed | Refusal | null = null
    for (const supplier of await suppliersIn(tx, request)) {
      const open = await openAgreement(tx, log, seal, request, () => supplier)
      const built = buildOrRefuse(open, kind)
      if (built instanceof Refusal) {
        outcome = outcome === null || outcome instanceof Refusal ? built : outcome
        continue
      }
      if (request.shown !== undefined && built.hash !== request.shown) {
        outcome ??= movedSinceShown(open, built)
        continue
      }
      outcome = await putForward(open, built, { waives: null, by, inTheNameOf: by.who })
      if (outcome.outcome === 'proposed' || request.shown !== undefined) break
    }
    if (outcome === null || outcome instanceof Refusal) throw outcome ?? noAgreement(request.agreement)
    const { signer = null, shown = null, workspaceId } = request
    if (signer === null) return outcome
    const { id } = outcome.correction
    const open = await openOf(tx, log, seal, { ...request, id })
    return { ...outcome, correction: await signOpen(open, { ...signer, workspaceId, id, hash: shown }) }
  })
}

function movedSinceShown({ kept }: Open, { content: { net, currency } }: BuiltCorrection): Refusal {
  const amount = net === null ? 'no amount' : `${net} ${currency}`
  return new Refusal('conflict', `${kept.slug}: what is due has moved since it was shown; it comes to ${amount} now`)
}

/** Suppliers that a correction may be proposed for, in the order in which they became the supplier. */
async function suppliersIn(tx: Transaction, request: ProposeRequest): Promise<readonly AgreementParties['supplier'][]> {
  const kept = await loadAgreementHistory(tx, request.workspaceId, request.agreement)
  if (kept === null) return []
  const all = suppliersOf(kept.states)
  const { supplier: person } = request
  if (person === undefined) return all.length === 0 ? [null] : all
  return all.filter(supplier => standsFor('supplier', person, { buyer: null, supplier }))
}

function buildOrRefuse({ trueUp }: Open, kind: ProposalKind): BuiltCorrection | Refusal {
  try {
    return buildProposal(trueUp, kind)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'conflict') return error
    throw error
  }
}

function noAgreement(agreement: string): Refusal {
  return new Refusal('not-found', `there is no agreement "${agreement}"`)
}

/** An agreement under the lock, or the part of it that is one supplier's. */
interface Open {
  readonly tx: Transaction
  readonly log: OpenLog
  readonly seal: Seal
  readonly kept: AgreementHistory
  readonly trueUp: TrueUp
  /** The parties who sign: the buyer of today, and the supplier of this correction. */
  readonly parties: AgreementParties
}

async function openAgreement(
  tx: Transaction,
  log: OpenLog,
  seal: Seal,
  { workspaceId, agreement, bounds, hearer = 'insider' }: Request & { readonly agreement: string },
  supplierIn: (kept: AgreementHistory) => AgreementParties['supplier'],
): Promise<Open> {
  const kept = await loadAgreementHistory(tx, workspaceId, agreement)
  const state = kept?.states.at(-1)
  if (kept === null || state === undefined) throw noAgreement(agreement)
  const supplier = supplierIn(kept)
  const tenure = tenureOfSupplier(kept.states, supplier)
  const isFormer = hearer === 'supplier' && tenure !== null && tenure.endedAt !== null
  const why = whyNotCorrected(kept.slug, state, isFormer ? 'former supplier' : hearer)
  if (why !== null) throw new Refusal('conflict', why)
  const snapshot = new AgreementSnapshot(kept, seal.rows)
  if (snapshot.broken.length > 0) throw new Refusal('broken', snapshot.broken[0]!.reason)
  const wanted = { knownBy: log.recordedAt, tenure: tenure!, bounds }
  const trueUp = await openTrueUp(tx, workspaceId, snapshot, wanted)
  return { tx, log, seal, kept, trueUp, parties: { ...state.parties, supplier } }
}

/** The supplier whose periods a correction is about. Refuses one of two suppliers' periods: neither signs for the other. */
function supplierOfCorrection(kept: AgreementHistory, id: string): AgreementParties['supplier'] {
  const { periods, signatures } = kept.corrections.find(each => each.id === id)!
  const signed = supplierOfPeriods(kept)
  const suppliers = new Map(periods.map(period => [sideKey(signed.get(period) ?? null), signed.get(period) ?? null]))
  if (suppliers.size > 1 && signatures.length < 2)
    throw new Refusal('conflict', `${id} is about periods of two suppliers; propose it again, which makes one for each`)
  return signed.get(periods.at(-1) ?? '') ?? kept.states.at(-1)!.parties.supplier
}

interface Proposer {
  /** The proposal whose money is waived. */
  readonly waives: string | null
  readonly by: Actor
  /** The person whose side counts: an operator may act for somebody. */
  readonly inTheNameOf: string
}

async function putForward(
  open: Open,
  built: BuiltCorrection,
  { waives, by, inTheNameOf }: Proposer,
): Promise<Proposed> {
  const { tx, log, kept, trueUp } = open
  const standing = trueUp.openProposal
  // Names do not matter for the comparison: the standing proposal keeps those that it was proposed with.
  if (standing !== null && saysTheSame(standing.kept.texts!, built)) {
    const body = readCorrectionBody(JSON.parse(standing.kept.texts!.body))
    return { outcome: 'unchanged', supersedes: null, correction: show(kept.slug, standing, body) }
  }
  const made = { what: 'corrections', made: kept.corrections, standing: standing?.kept ?? null }
  const proposers = [inTheNameOf, ...kept.corrections.map(({ proposedBy }) => proposedBy)]
  const people = await loadProposingPeople(tx, log.scope, proposers)
  checkProposing({ log, kept, people }, { ...made, by: by.who, inTheNameOf })
  const id = await insertCorrection(tx, log, kept.id, { ...built, waives, proposedBy: by.who })
  const what = waives === null ? 'correction proposed' : 'waiver proposed'
  await noteActivity(tx, log.scope, { ...by, act: 'correction.propose', what, subject: `${kept.slug} ${id}` })
  const correction = await reread(open, id, built.content)
  return { outcome: 'proposed', supersedes: standing?.kept.id ?? null, correction }
}

function show(slug: string, { kept, state }: Proposal, body: CorrectionBody): ShownCorrection {
  return showCorrection({ slug, kept, state, body })
}

/** The correction with what this transaction has added. */
async function reread({ tx, log, kept }: Open, id: string, body: CorrectionBody): Promise<ShownCorrection> {
  const repairs = await loadClockRepairs(tx, log.scope)
  const all = await loadCorrections(tx, log.scope, [kept.id], repairs)
  const now = all.find(each => each.id === id)!
  const signedBy = new Set(now.signatures.map(({ party }) => party))
  const rest = { isRefused: now.refusal !== null, isSuperseded: now !== all.at(-1), isLapsed: false }
  return show(kept.slug, { kept: now, state: stateOfProposal({ signedBy, ...rest }) }, body)
}

interface SignCorrectionRequest extends Request, Signer {
  readonly id: string
  /** The hash that was shown; null signs the current one. */
  readonly hash: string | null
}

/** Signs a correction; a party that has signed it adds nothing. */
export function signCorrection(sql: Sql, seal: Seal, request: SignCorrectionRequest): Promise<ShownCorrection> {
  return appending(sql, request.workspaceId, async (tx, log) => {
    const open = await openOf(tx, log, seal, request)
    return signOpen(open, request)
  })
}

async function openOf(tx: Transaction, log: OpenLog, seal: Seal, request: Request & { readonly id: string }) {
  const agreement = await findCorrection(tx, request.workspaceId, request.id)
  if (agreement === null) throw new Refusal('not-found', `there is no correction "${request.id}"`)
  return openAgreement(tx, log, seal, { ...request, agreement }, kept => supplierOfCorrection(kept, request.id))
}

/** Signatures on proposals since the last agreed one. */
export function signaturesBefore({ proposals }: Pick<TrueUp, 'proposals'>): readonly GivenSignature[] {
  return signaturesSinceAgreed(proposals.map(({ state, kept }) => ({ ...kept, state })))
}

/** Why somebody who stands for a side does not sign an open correction; null where they may. */
export function whyNotCorrection(
  judged: JudgedSigner,
  trueUp: Pick<TrueUp, 'proposals'>,
  { kept: { id, hash } }: Pick<Proposal, 'kept'>,
): string | null {
  return whyNotOneSide(judged, { subject: `the correction ${id}`, hash }, signaturesBefore(trueUp))
}

async function signOpen(open: Open, request: SignCorrectionRequest): Promise<ShownCorrection> {
  const { tx, log, seal, kept, trueUp, parties } = open
  const { id, party, hash: shown } = request
  const proposal = trueUp.proposals.find(each => each.kept.id === id)!
  const body = await loadBody(tx, log.scope, proposal.kept)
  const signedBy = signaturesBefore(trueUp).map(each => each.signedBy)
  const people = await loadSigningPeople(tx, log.scope, { signers: [request], signedBy }, seal.rows)
  const act = openAct(tx, log, { parties }, request, people)
  if (shown !== null && shown !== proposal.kept.hash) throw new Refusal('conflict', movedWords(open, proposal, body))
  const hasSigned = proposal.kept.signatures.some(each => each.party === party)
  if (proposal.state === 'AGREED') return show(kept.slug, proposal, body)
  refuseClosed(open, proposal, body)
  if (hasSigned) return show(kept.slug, proposal, body)
  const { hash } = proposal.kept
  const why = whyNotCorrection(act, trueUp, proposal)
  if (why !== null) throw new Refusal('conflict', why)
  const { signingId, given } = await insertAct(act, [{ period: id, hash }])
  const facts = { correctionId: id, hash, party, signedBy: act.signer.email, ...given }
  const beside = { signing_id: signingId }
  await appendEntry(tx, log, 'correction-signature', { subject: kept.id, facts, beside })
  await noteSigning(act, `${kept.slug} ${id}`)
  return reread(open, id, body)
}

/** Refuses a proposal that is not open: one that no longer follows from the facts of this moment is superseded. */
function refuseClosed(open: Open, proposal: Proposal, body: CorrectionBody): void {
  const { id, refusal } = proposal.kept
  if (refusal !== null)
    throw new Refusal('conflict', `the ${refusal.party} refused it: ${refusal.reason}; it can be proposed again`)
  if (proposal.state === 'LAPSED')
    throw new Refusal('conflict', `${id} has lapsed: the contract corrects nothing that old`)
  if (proposal.state === 'SUPERSEDED') throw new Refusal('conflict', movedWords(open, proposal, body))
}

/** The correction that would be proposed now for the same reason. */
function current({ trueUp }: Open, { kept }: Proposal, { reason }: CorrectionBody): BuiltCorrection | null {
  try {
    return buildProposal(trueUp, kindOf(kept, reason))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function kindOf({ waives }: StoredCorrection, reason: string | null): ProposalKind {
  return { reason, isWaiver: waives !== null }
}

function movedWords(open: Open, proposal: Proposal, body: CorrectionBody): string {
  const now = current(open, proposal, body)
  if (now === null) return 'the proposal has moved: nothing is due any more'
  const { net, currency } = now.content
  const amount = net === null ? 'not known' : `${net} ${currency}`
  const last = open.trueUp.openProposal?.kept ?? null
  const isStored = last !== null && last.id !== proposal.kept.id && saysTheSame(last.texts!, now)
  const [hash, where] = isStored ? [last.hash, `, as ${last.id}`] : [now.hash, '']
  return `the proposal has moved: its net is now ${amount}, hash ${hash}${where}`
}

/** Signs exactly what is stored under its hash. */
async function loadBody(tx: Transaction, workspaceId: string, { id }: StoredCorrection): Promise<CorrectionBody> {
  const { body } = (await loadCorrectionTexts(tx, workspaceId, [id])).get(id)!
  return readCorrectionBody(JSON.parse(body))
}

interface RefuseRequest extends Omit<StatementRequest, 'agreement'> {
  readonly id: string
  /** The hash that was shown; null refuses the current one. */
  readonly hash: string | null
  readonly reason: string
}

/** Refuses a correction. It stays on record, and the same correction may be proposed again. */
export async function refuseCorrection(sql: Sql, seal: Seal, request: RefuseRequest): Promise<ShownCorrection> {
  const { id, hash: shown, workspaceId } = request
  const reason = readWords('the reason', request.reason)
  // A correction never changes its agreement.
  const agreement = await withWorkspace(sql, workspaceId, tx => findCorrection(tx, workspaceId, id))
  if (agreement === null) throw new Refusal('not-found', `there is no correction "${id}"`)
  const question = { ...request, agreement }
  const supplierIn = (kept: AgreementHistory) => supplierOfCorrection(kept, id)
  const refuse = async ({ tx, log, speaker }: Spoken) => {
    const { hearer = 'insider' } = request
    const open = await openAgreement(tx, log, seal, { workspaceId, agreement, hearer }, supplierIn)
    const { kept, trueUp } = open
    const proposal = trueUp.proposals.find(each => each.kept.id === id)!
    const body = await loadBody(tx, workspaceId, proposal.kept)
    if (proposal.state === 'SUPERSEDED' || (shown !== null && shown !== proposal.kept.hash))
      throw new Refusal('conflict', movedWords(open, proposal, body))
    checkRefusing({ ...proposal.kept, state: proposal.state }, speaker.party)
    const facts = { ...speaker, correctionId: id, reason }
    await appendEntry(tx, log, 'correction-refusal', { subject: kept.id, facts })
    await noteStatement(tx, question, { act: 'correction.refuse', did: 'refused' }, `${kept.slug} ${id}`)
    return reread(open, id, body)
  }
  return asSpeaker(sql, question, refuse, kept => ({
    buyer: kept.states.at(-1)!.parties.buyer,
    supplier: supplierIn(kept),
  }))
}

interface WaiveRequest extends Request {
  /** The proposal whose money is waived. */
  readonly id: string
  readonly by: Actor
  /** Signs the waiver for one side at once. */
  readonly signer: (Signer & { readonly hash: string | null }) | null
}

/**
 * Replaces an open proposal with a waiver: the same numbers, and the money is waived once both have signed. A second
 * call for the same proposal returns the existing waiver.
 */
export function waiveCorrection(sql: Sql, seal: Seal, request: WaiveRequest): Promise<ShownCorrection> {
  return appending(sql, request.workspaceId, async (tx, log) => {
    const open = await openOf(tx, log, seal, request)
    const { trueUp } = open
    const last = trueUp.openProposal
    const { correction } =
      last !== null && last.kept.waives === request.id
        ? { correction: show(open.kept.slug, last, await loadBody(tx, log.scope, last.kept)) }
        : await proposeWaiver(open, request)
    if (request.signer === null) return correction
    const after = await openOf(tx, log, seal, { ...request, id: correction.id })
    return signOpen(after, { ...request.signer, workspaceId: request.workspaceId, id: correction.id })
  })
}

async function proposeWaiver(open: Open, { id, by, signer }: WaiveRequest): Promise<Proposed> {
  const proposal = open.trueUp.proposals.find(each => each.kept.id === id)!
  const body = await loadBody(open.tx, open.log.scope, proposal.kept)
  if (proposal.state === 'AGREED')
    throw new Refusal('conflict', `buyer and supplier have both signed ${id}: what was agreed is settled by notes`)
  refuseClosed(open, proposal, body)
  if (body.waived) throw new Refusal('conflict', `${id} waives its amount already; it only has to be signed`)
  const built = buildProposal(open.trueUp, { reason: body.reason, isWaiver: true })
  return putForward(open, built, { waives: id, by, inTheNameOf: signer?.email ?? by.who })
}
