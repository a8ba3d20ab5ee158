// Signing: a party confirms exactly the receipts it was shown. In order, once, for one side only; what both have signed
// keeps its number forever. Everything happens under the workspace's publication lock, so that nothing changes while it
// is decided.
import { writeDay } from '../core/day.ts'
import { Refusal } from '../core/refusal.ts'
import type { Entry } from '../read/adjustments.ts'
import type { LibraryBounds } from '../read/library-bounds.ts'
import { PamSnapshot } from '../read/pam-snapshot.ts'
import type { Sql, Transaction } from '../storage/database.ts'
import {
  insertSignOff,
  type KeptPam,
  keepReceipt,
  type PamState,
  readPam,
  type Signing,
  type SignOff,
} from '../storage/pams.ts'
import { type Publication, publishing } from '../storage/publish.ts'
import type { Seal } from './seal.ts'
import { dueAsShown, type Shown } from './shown.ts'
import {
  checkOneSide,
  type GivenSignature,
  insertAct,
  noteSigning,
  openAct,
  type Signer,
  type SigningAct,
} from './signable.ts'
import { openAdjustments } from './standing.ts'

export interface SignRequest extends Signer {
  readonly workspaceId: string
  /** By id or slug. */
  readonly pam: string
  readonly period: string
  readonly shown: Shown
  /** Also signs earlier periods that this party has not signed; a list implies it. */
  readonly through: boolean
  /** How much computing the numbers may take; left out, as much as one formula may. */
  readonly bounds?: LibraryBounds
}

/** A sign-off, with the number it was given for. */
export interface AddedSignOff extends SignOff {
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

export interface Signed {
  /** What was added, in order; empty if all of it was signed before. */
  readonly added: readonly AddedSignOff[]
  readonly period: string
  readonly hash: string
  readonly confirmed: Entry['confirmed']
}

export async function signPeriod(sql: Sql, seal: Seal, request: SignRequest): Promise<Signed> {
  const [signed] = await signPeriods(sql, seal, request.workspaceId, [request])
  return signed!
}

/** Several agreements of a workspace, all of them or none. A refusal names its agreement. */
export async function signPeriods(
  sql: Sql,
  seal: Seal,
  workspaceId: string,
  requests: readonly SignRequest[],
): Promise<readonly Signed[]> {
  return publishing(sql, workspaceId, async (tx, publication) => {
    const signed: Signed[] = []
    for (const request of requests) {
      const one = signOne(tx, publication, seal, request)
      signed.push(await (requests.length === 1 ? one : one.catch(error => refuseNamed(error, request))))
    }
    return signed
  })
}

function refuseNamed(error: unknown, { pam }: SignRequest): never {
  if (error instanceof Refusal) throw new Refusal(error.kind, `${pam}: ${error.message}; nothing was signed`)
  throw error
}

async function signOne(tx: Transaction, publication: Publication, seal: Seal, request: SignRequest): Promise<Signed> {
  const { workspaceId, party, shown, through } = request
  const kept = await readPam(tx, workspaceId, request.pam)
  const state = kept?.states.at(-1)
  if (kept === null || state === undefined) throw new Refusal('not-found', `there is no formula "${request.pam}"`)
  const whyNot = whyNotNow(kept.slug, state)
  if (whyNot !== null) throw new Refusal('conflict', whyNot)
  const act = { ...(await openAct(tx, publication, state, request)), seal, kept }
  const snapshot = new PamSnapshot(kept, seal.rows)
  const adjustments = await openAdjustments(tx, workspaceId, snapshot, publication.recordedAt, request.bounds)
  const wanted = adjustments.find(request.period, null)
  const due = { party, wanted, through, entries: adjustments.entries(wanted.date), kept }
  const { open, together } = dueAsShown(due, shown)
  for (const { period, hash } of open) await checkOneSide(act, { subject: period, hash }, signaturesUnder(kept, period))
  const added = open.length === 0 ? [] : await signAll(act, open, together)
  const day = publication.recordedAt.slice(0, 10)
  const confirmed = { ...wanted.confirmed, [party]: wanted.confirmed[party] ?? day }
  return { added, period: wanted.period, hash: wanted.hash, confirmed }
}

interface Act extends SigningAct {
  readonly seal: Seal
  readonly kept: KeptPam
}

/** Those of any proposal for a period. */
function signaturesUnder({ signOffs }: KeptPam, period: string): readonly GivenSignature[] {
  return signOffs
    .filter(each => each.period === period)
    .map(({ party, signedBy, seq, receiptHash: hash, given: { personId } }) => ({
      party,
      signedBy,
      personId,
      hash,
      seq,
    }))
}

export function whyNotNow(slug: string, { status }: Pick<PamState, 'status'>): string | null {
  return status === 'ACTIVE' ? null : `${slug} is ${status}; only what is ACTIVE can be signed`
}

async function signAll(act: Act, open: readonly Entry[], together: Signing['together']): Promise<AddedSignOff[]> {
  const { signingId, given } = await insertAct(act, together, act.seal.rows)
  const added: AddedSignOff[] = []
  for (const entry of open) {
    const { adjustmentPct, cumulativePct, price = null } = entry.calculation
    const signOff = await signEntry(act, entry, signingId, given)
    added.push({ ...signOff, adjustmentPct, cumulativePct, price })
    await noteSigning(act, `${act.kept.slug} ${entry.period}`)
  }
  return added
}

async function signEntry(act: Act, entry: Entry, signingId: string, given: Signing): Promise<SignOff> {
  const { tx, publication, seal, kept, signer } = act
  const { period, hash, body, carried } = entry
  const adjustmentDate = writeDay(entry.date)
  const receipt = { period, receiptHash: hash, adjustmentDate, receipt: JSON.stringify({ hash, body }), carried }
  await keepReceipt(tx, publication, kept.id, receipt, seal.rows)
  const { party, email: signedBy } = signer
  const signOff = { period, receiptHash: hash, party, adjustmentDate, signedBy, given }
  return insertSignOff(tx, publication, kept.id, { signingId, signOff }, seal.rows)
}
