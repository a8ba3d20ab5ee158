// A period of an agreement on the pages: the signed or proposed number, its signatures, the settled price, and the number with
// today's figures.

import type { Blocked } from '../../core/calculation/adjustment.ts'
import { decimalDifference } from '../../core/numbers/decimal-difference.ts'
import { formatShort, parseExact, type Ratio } from '../../core/numbers/ratio.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { stateOfObjection } from '../../core/receipt/objection.ts'
import { formatSigner, type PartySignature } from '../../core/receipt/party-signature.ts'
import type { WrittenParties } from '../../core/receipt/receipt.ts'
import type { VersionTag } from '../../core/series/series.ts'
import { formatDay } from '../../core/time/day.ts'
import type { EntrySummary, PeriodEntry } from '../../read/agreements/adjustments.ts'
import type { SettledPrice } from '../../read/agreements/settled-price.ts'
import type { ShownSteps } from '../../read/price-steps.ts'
import type { SignOff } from '../../storage/agreements/agreements.ts'
import type { BlockedRow, PeriodRow, SettledView, TodayView } from '../shapes/agreements.ts'
import type { Signatures, SignatureView, Signers } from '../shapes/signatures.ts'

/** Context of an entry's row. */
export interface RowSurroundings {
  readonly signOffs: readonly SignOff[]
  /** Names of people by address. */
  readonly names: ReadonlyMap<string, string>
  /** Today's numbers by date; empty where nothing is signed. */
  readonly todays: ReadonlyMap<string, EntrySummary>
  readonly steps: ShownSteps
}

export function entryRow(entry: PeriodEntry, surroundings: RowSurroundings): PeriodRow {
  const { calculation, hash, isSigned, body } = entry
  const adjustmentDate = formatDay(entry.date)
  return {
    period: entry.period,
    adjustmentDate,
    adjustmentPct: calculation.adjustmentPct,
    cumulativePct: calculation.cumulativePct,
    factor: formatShortFactor(parseExact(body.result.factor)!),
    price: entry.ownPrice,
    dataVersion: calculation.dataVersion as VersionTag,
    formulaVersion: calculation.formulaVersion,
    hash,
    isSigned,
    signatures: signaturesOf(entry, surroundings),
    disputedBy: disputedBy(entry),
    settled: settledView(entry.settled),
    ...surroundings.steps.of(entry),
    today: todayView(entry, surroundings.todays.get(adjustmentDate)),
  }
}

export function settledView(settled: SettledPrice | null): SettledView | null {
  if (settled === null) return null
  const { period, date, adjustmentPct, cumulativePct, factor, price, correction } = settled
  return {
    period,
    date: formatDay(date),
    adjustmentPct,
    cumulativePct,
    factor: formatShortFactor(factor),
    price,
    correction:
      correction === null ? null : { ...correction, factorBefore: formatShortFactor(correction.factorBefore) },
  }
}

const factorDecimals = 12

function formatShortFactor(exact: Ratio): string {
  return formatShort(exact, factorDecimals, 'DOWN')
}

function signaturesOf({ period, hash }: PeriodEntry, { signOffs, names }: RowSurroundings): Signatures {
  const of = (party: Party) => {
    const found = signOffs.find(each => each.party === party && each.period === period && each.receiptHash === hash)
    return found === undefined ? null : signatureView(found, names)
  }
  return { buyer: of('buyer'), supplier: of('supplier') }
}

export function signatureView(
  { signedBy, signedAt, given }: Pick<SignOff, 'signedBy' | 'signedAt' | 'given'>,
  names: ReadonlyMap<string, string>,
): SignatureView {
  const name = given.name === '' ? (names.get(signedBy) ?? signedBy) : given.name
  return { email: signedBy, name, signedAt, means: given.means }
}

/** Origins of the signers, in phrases. */
export function signersOf(signatures: readonly PartySignature[], parties: WrittenParties): Signers {
  const of = (party: Party) =>
    signatures.filter(each => each.party === party).flatMap(each => formatSigner(each, parties))
  return { buyer: of('buyer'), supplier: of('supplier') }
}

/** Sides with an open objection to exactly this number. */
function disputedBy(entry: PeriodEntry): Party[] {
  const open = entry.objections.filter(each => stateOfObjection(each, entry) === 'open')
  return partyNames.filter(party => open.some(each => each.party === party))
}

export function blockedRow({ period, gap }: Blocked): BlockedRow {
  return { period, reason: gap.sentence }
}

/** Parties that have not signed exactly this receipt. */
export function partiesToSign({ isSigned, confirmed }: PeriodEntry): Party[] {
  return isSigned ? [] : partyNames.filter(party => confirmed[party] === null)
}

/** Today's number beside the settled one: null where they are equal, and where nobody signed. */
function todayView({ settled }: PeriodEntry, today: EntrySummary | undefined): TodayView | null {
  if (settled === null || today === undefined) return null
  const { adjustmentPct, cumulativePct, price } = settled
  if (today.adjustmentPct === adjustmentPct && today.cumulativePct === cumulativePct && today.ownPrice === price)
    return null
  const hasPrices = price !== null && today.ownPrice !== null
  return {
    adjustmentPct: today.adjustmentPct,
    cumulativePct: today.cumulativePct,
    price: today.ownPrice,
    differencePoints:
      adjustmentPct === null || today.adjustmentPct === null
        ? null
        : decimalDifference(adjustmentPct, today.adjustmentPct),
    differenceMoney: hasPrices ? decimalDifference(price, today.ownPrice!) : null,
    because: null,
  }
}
