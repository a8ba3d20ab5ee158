// An agreement whose terms are to change, under the lock: its present terms, what both have signed of it, and the first date that
// other terms can touch.

import type { BoundVersion } from '../../core/calculation/adjustment.ts'
import { seriesOf } from '../../core/formula/check/check-inputs.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { nextDateAfter } from '../../core/formula/schedule.ts'
import { headOf, type Issuer, type SignedHead } from '../../core/receipt/receipt.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { dayOfInstant } from '../../core/time/instant.ts'
import { AgreementSnapshot, type AgreementState } from '../../read/agreements/agreement-snapshot.ts'
import { bindVersions } from '../../read/agreements/governing-versions.ts'
import type { AgreementHistory, FormulaVersion } from '../../storage/agreements/agreements.ts'
import type { OpenLog } from '../../storage/log/append.ts'
import { rowSealsOf } from '../../storage/log/row-seals.ts'
import { loadIdentity } from '../../storage/people/issuer-names.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import { DocumentContext } from '../judge.ts'
import { type Audience, whyNotNow } from '../status-words.ts'

/** One transaction under the lock, for one agreement or many: each series is read once. */
export interface TermsTurn {
  readonly tx: Transaction
  readonly log: OpenLog
  readonly ground: DocumentContext
  readonly issuer: Issuer
  readonly today: Day
}

export async function openTurn(tx: Transaction, log: OpenLog): Promise<TermsTurn> {
  const issuer = (await loadIdentity(tx, log.scope)).issuerAt(null)
  return { tx, log, ground: new DocumentContext(tx, log.scope), issuer, today: dayOfInstant(log.recordedAt) }
}

export interface OpenTerms extends TermsTurn {
  readonly kept: AgreementHistory
  readonly snapshot: AgreementSnapshot
  readonly standing: AgreementState
  /** The version that a change is made from: the newest. */
  readonly basis: FormulaVersion
}

/** Refuses an agreement that is not in force, or of which a stored row was changed. */
export function openTerms(turn: TermsTurn, kept: AgreementHistory, hearer: Audience = 'insider'): OpenTerms {
  const [state, basis] = [kept.states.at(-1), kept.versions.at(-1)]
  if (state === undefined || basis === undefined) throw noSuchAgreement(kept.slug)
  const why = whyNotNow(kept.slug, state, hearer)
  if (why !== null) throw new Refusal('conflict', why)
  const snapshot = new AgreementSnapshot(kept, rowSealsOf(turn.tx))
  if (snapshot.broken.length > 0) throw new Refusal('broken', snapshot.broken[0]!.reason)
  return { ...turn, kept, snapshot, standing: snapshot.at(null)!, basis }
}

/** Prepares a change of many agreements: the series of all are read at once, and `more`; and no agreement is read again. */
export async function prepareTerms(
  { ground }: TermsTurn,
  opened: readonly OpenTerms[],
  more: readonly string[],
): Promise<void> {
  const references = opened.flatMap(({ snapshot }) => snapshot.references)
  await ground.prepare(
    opened.map(({ kept }) => kept),
    [...references, ...more],
  )
}

export function noSuchAgreement(agreement: string): Refusal {
  return new Refusal('not-found', `there is no agreement "${agreement}"`)
}

/**
 * The first adjustment date that both have not signed, by the calendar of the versions and of the one that is to come, and
 * not before that one begins; where that one ends the contract sooner, the first date that it takes away. Refuses where no
 * date is left.
 */
export function firstOpenDate({ standing, snapshot, basis }: OpenTerms, newer: Formula): Day {
  const calendar = [...standing.versions, { number: basis.version + 1, formula: newer }]
  const last = standing.signed.at(-1)
  const lastDate = last === undefined ? null : parseDay(last.adjustmentDate)!
  const after = Math.max(newer.effectiveFrom - 1, lastDate ?? newer.effectiveFrom - 1)
  const date = nextDateAfter(calendar, after) ?? nextDateAfter(standing.versions, after)
  if (date !== null) return date
  const why =
    after === lastDate
      ? `buyer and supplier have both signed ${last!.period}, the last adjustment date of ${snapshot.slug}: other terms could touch none, unless they end later`
      : `${snapshot.slug} has no adjustment date from ${formatDay(newer.effectiveFrom)} on that other terms could touch`
  throw new Refusal('conflict', why)
}

/** The names under which it is signed. */
export function headFor({ issuer, kept, standing }: OpenTerms): SignedHead {
  const { name, parties } = standing.state
  return headOf(issuer, { pam: kept.slug, name, parties })
}

/** The versions that govern, and the one that is to come, with the figures they read. */
export async function bindWith(
  { ground, snapshot, standing, basis }: OpenTerms,
  newer: Formula,
): Promise<{ readonly versions: readonly BoundVersion[]; readonly newer: BoundVersion }> {
  const references = [...snapshot.references, ...seriesOf(newer.inputs).map(({ series }) => series)]
  const data = await ground.data([...new Set(references)])
  const [bound] = bindVersions([{ number: basis.version + 1, formula: newer }], data)
  return { versions: bindVersions(standing.versions, data), newer: bound! }
}

/** Whether both have signed a number of the agreement: before, there is nothing that both agreed on. */
export function isSigned({ signed }: Pick<AgreementState, 'signed'>): boolean {
  return signed.length > 0
}
