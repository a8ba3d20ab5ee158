// Signing: a party confirms exactly the receipts it was shown. Periods are signed in order, once, and by one person for one side
// only; a period that both have signed keeps its number forever. Everything happens under the workspace's log's lock, so that
// nothing changes while it is decided.

import { Refusal } from '../core/refusal.ts'
import { formatDay } from '../core/time/day.ts'
import type { Adjustments, PeriodEntry } from '../read/agreements/adjustments.ts'
import { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import type { LibraryBounds } from '../read/memory/library-bounds.ts'
import { Slices } from '../read/memory/slices.ts'
import { type AgreementHistory, loadAgreementsNamed, type SignOff } from '../storage/agreements/agreements.ts'
import { insertSignings, insertSignOffs, keepReceipts, type NewReceipt } from '../storage/agreements/signed-rows.ts'
import type { Signing } from '../storage/agreements/signing.ts'
import { appending, type OpenLog } from '../storage/log/append.ts'
import type { Sql, Transaction } from '../storage/postgres/database.ts'
import { noteActivities } from '../storage/workspaces/activity.ts'
import { openAllAdjustments } from './locked-agreement.ts'
import { otherParty } from './parties.ts'
import type { Seal } from './seal.ts'
import { dueAsShown, type ShownHashes } from './shown-periods.ts'
import {
  activityOf,
  type GivenSignature,
  type JudgedSigner,
  loadSigningPeople,
  openAct,
  type Signer,
  type SigningAct,
  type SigningPeople,
  signatoryOf,
  signingOf,
  whyNotOneSide,
} from './signable.ts'
import { whyNotNow } from './status-words.ts'
import { madeOf, numberMade, whyNotAgreed, whyNotCountedYet } from './terms/consent.ts'

export interface SignRequest extends Signer {
  readonly workspaceId: string
  /** Id or slug. */
  readonly agreement: string
  readonly period: string
  readonly shown: ShownHashes
  /** Whether earlier periods that this party has not signed are signed too; a list implies it. */
  readonly through: boolean
  /** Limit of computing for the numbers; the default is the limit for one agreement. */
  readonly bounds?: LibraryBounds
}

/** A sign-off, with the number it was given for. */
interface AddedSignOff extends SignOff {
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

export interface Signed {
  /** Sign-offs that were added, in order; empty if all periods were signed before. */
  readonly added: readonly AddedSignOff[]
  readonly period: string
  readonly hash: string
  readonly confirmed: PeriodEntry['confirmed']
}

export async function signPeriod(sql: Sql, seal: Seal, request: SignRequest): Promise<Signed> {
  const [outcome] = await signEach(sql, seal, request.workspaceId, [request])
  if (outcome instanceof Refusal) throw outcome
  return outcome!
}

/**
 * Signs several agreements of a workspace, each whole or not at all: an agreement that cannot be signed has the reason in its
 * place. Everything is read once, then every agreement is checked, then everything is stored: the lock is held for as many
 * statements as for one.
 */
export async function signEach(
  sql: Sql,
  seal: Seal,
  workspaceId: string,
  requests: readonly SignRequest[],
): Promise<readonly (Signed | Refusal)[]> {
  return appending(sql, workspaceId, async (tx, log) => {
    const ground = await loadGround(tx, log, seal, requests)
    const slices = new Slices()
    const outcomes: (Checked | Refusal)[] = []
    for (const request of requests) {
      const one = checkOrRefuse(ground, request)
      const isTwice = 'kept' in one && outcomes.some(each => 'kept' in each && each.kept === one.kept)
      outcomes.push(isTwice ? new Refusal('conflict', `${one.kept.slug} is listed twice`) : one)
      // All periods are computed here: other requests are answered in between.
      await slices.rest()
    }
    const checked = outcomes.filter(each => 'kept' in each)
    const added = await store(ground, checked)
    const day = log.recordedAt.slice(0, 10)
    return outcomes.map(each => ('kept' in each ? signedOf(each, added.get(each)!, day) : each))
  })
}

function checkOrRefuse(ground: SigningContext, request: SignRequest): Checked | Refusal {
  try {
    return check(ground, request)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Facts shared by all agreements that are signed at once, read under the lock. */
interface SigningContext {
  readonly tx: Transaction
  readonly log: OpenLog
  readonly people: SigningPeople
  /** Snapshots by id and by slug. */
  readonly snapshots: ReadonlyMap<string, AgreementSnapshot>
  readonly adjustmentsOf: (snapshot: AgreementSnapshot) => Adjustments
}

async function loadGround(
  tx: Transaction,
  log: OpenLog,
  seal: Seal,
  requests: readonly SignRequest[],
): Promise<SigningContext> {
  const { scope, recordedAt } = log
  const names = requests.map(({ agreement }) => agreement)
  const kept = await loadAgreementsNamed(tx, scope, names)
  const signedBy = kept.flatMap(({ signOffs }) => signOffs.map(each => each.signedBy))
  const people = await loadSigningPeople(tx, scope, { signers: requests, signedBy }, seal.rows)
  const all = kept.map(each => new AgreementSnapshot(each, seal.rows))
  const snapshots = new Map(all.flatMap(each => [[each.id, each] as const, [each.slug, each] as const]))
  // Agreements that cannot be signed need not be readable: the reason is told when it is their turn.
  const active = all.filter(each => each.kept.states.at(-1)?.status === 'ACTIVE')
  const adjustmentsOf = await openAllAdjustments(tx, scope, active, recordedAt, requests[0]?.bounds)
  return { tx, log, people, snapshots, adjustmentsOf }
}

/** A checked agreement: every period to sign was compared with the shown one. */
interface Checked {
  readonly act: SigningAct
  readonly kept: AgreementHistory
  readonly wanted: PeriodEntry
  /** Periods to sign; empty if all of them were signed before. */
  readonly open: readonly PeriodEntry[]
  readonly together: Signing['together']
}

function check({ tx, log, people, snapshots, adjustmentsOf }: SigningContext, request: SignRequest): Checked {
  const { party, shown, through } = request
  const snapshot = snapshots.get(request.agreement)
  const state = snapshot?.kept.states.at(-1)
  if (snapshot === undefined || state === undefined)
    throw new Refusal('not-found', `there is no agreement "${request.agreement}"`)
  const { kept } = snapshot
  const whyNot = whyNotNow(kept.slug, state, request.hearer)
  if (whyNot !== null) throw new Refusal('conflict', whyNot)
  const act = openAct(tx, log, state, request, people)
  const adjustments = adjustmentsOf(snapshot)
  const wanted = adjustments.find(request.period, null)
  const due = { party, wanted, through, entries: adjustments.entries(wanted.date), kept }
  const { open, together } = dueAsShown(due, shown)
  const refused = firstRefused(act, kept, open)
  if (refused !== null) throw new Refusal('conflict', refused.why)
  return { act, kept, wanted, open, together }
}

/** The first of these periods that somebody who stands for a side does not sign, and why; null where they may sign all. */
export function firstRefused(
  judged: JudgedSigner,
  kept: AgreementHistory,
  open: readonly PeriodEntry[],
): { readonly place: number; readonly why: string } | null {
  const { party, email } = judged.signer
  const agreement = madeOf(kept)
  const whyNot = whyNotAgreed(agreement, party, signatoryOf(judged, email))
  const other = otherParty[party]
  const whyNotCounted = whyNotCountedYet(agreement, other, judged.state.parties[other])
  for (const [place, entry] of open.entries()) {
    const { period, hash } = entry
    const why =
      whyNot(numberMade(entry), period) ??
      (entry.confirmed[other] === null ? null : whyNotCounted(numberMade(entry), period)) ??
      whyNotOneSide(judged, { subject: period, hash }, signaturesUnder(kept, period))
    if (why !== null) return { place, why }
  }
  return null
}

function signedOf({ act, wanted }: Checked, added: readonly AddedSignOff[], day: string): Signed {
  const { party } = act.signer
  const confirmed = { ...wanted.confirmed, [party]: wanted.confirmed[party] ?? day }
  return { added, period: wanted.period, hash: wanted.hash, confirmed }
}

/** Signatures of any proposal for a period. */
function signaturesUnder({ signOffs }: AgreementHistory, period: string): readonly GivenSignature[] {
  return signOffs
    .filter(each => each.period === period)
    .map(({ party, signedBy, seq, receiptHash: hash, given: { personId, origin } }) => {
      return { party, signedBy, personId, origin, hash, seq }
    })
}

/** Stores receipts, acts, sign-offs and activities of all agreements, each kind at once. Returns what was added, by agreement. */
async function store(
  ground: SigningContext,
  checked: readonly Checked[],
): Promise<ReadonlyMap<Checked, readonly AddedSignOff[]>> {
  const { tx, log } = ground
  const signing = checked.filter(({ open }) => open.length > 0)
  if (signing.length === 0) return new Map(checked.map(each => [each, []]))
  const receipts = signing.flatMap(({ kept, open }) => open.map(entry => receiptOf(kept.id, entry)))
  await keepReceipts(tx, log, receipts)
  const givens = signing.map(({ act, together }) => signingOf(act, together))
  const signingIds = await insertSignings(tx, log, givens)
  const signOffs = signing.flatMap(({ act, kept, open }, i) =>
    open.map(entry => ({
      agreementId: kept.id,
      signingId: signingIds[i]!,
      signOff: {
        period: entry.period,
        receiptHash: entry.hash,
        adjustmentDate: formatDay(entry.date),
        party: act.signer.party,
        signedBy: act.signer.email,
        given: givens[i]!,
      },
    })),
  )
  const stored = await insertSignOffs(tx, log, signOffs)
  const activities = signing.flatMap(({ act, kept, open }) =>
    open.map(({ period }) => activityOf(act, `${kept.slug} ${period}`)),
  )
  await noteActivities(tx, log.scope, activities)
  let place = 0
  const addedOf = ({ open }: Checked) =>
    open.map(({ calculation: { adjustmentPct, cumulativePct, price = null } }) => ({
      ...stored[place++]!,
      adjustmentPct,
      cumulativePct,
      price,
    }))
  return new Map(checked.map(each => [each, addedOf(each)]))
}

function receiptOf(agreementId: string, { period, hash, body, carried, date }: PeriodEntry): NewReceipt {
  const receipt = JSON.stringify({ hash, body })
  return { agreementId, period, receiptHash: hash, adjustmentDate: formatDay(date), receipt, carried }
}
