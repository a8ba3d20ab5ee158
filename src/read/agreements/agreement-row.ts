// One agreement in a list of many: the number of one period, or the reason why there is none. Pure over the standing at an instant
// and the adjustments computed from it.

import { priceRounding } from '../../core/formula/clause.ts'
import type { ContractPrice, Formula } from '../../core/formula/formula.ts'
import { isLabelOf, lastDayOfLabel, nextDateAfter, schedule } from '../../core/formula/schedule.ts'
import { formatRounded, formatRoundedShort, multiply, parseExact, type Ratio } from '../../core/numbers/ratio.ts'
import type { PriceStatus } from '../../core/prices/agreement.ts'
import { startLabel } from '../../core/prices/price-list.ts'
import { formatPrice } from '../../core/receipt/calculation.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, formatDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Adjustments, PeriodEntry } from './adjustments.ts'
import type { AgreementSnapshot, AgreementState } from './agreement-snapshot.ts'
import { pricingUnit } from './calculation-view.ts'

/** Choice of the period: the newest with a number, the one in force on a day, or one by its label. */
export type RowChoice =
  | { readonly kind: 'latest' }
  | { readonly kind: 'date'; readonly date: Day }
  | { readonly kind: 'period'; readonly period: string }

type RowStatus = PriceStatus | 'BLOCKED'

export interface AgreementRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly period: string
  readonly adjustmentDate: string
  readonly adjustmentPct: string | null
  readonly cumulativePct: string | null
  readonly factor: string | null
  readonly price: string | null
  readonly currency: string | null
  readonly per: string | null
  readonly unit: string | null
  readonly dataVersion: string | null
  readonly formulaVersion: number
  readonly status: RowStatus
  readonly confirmed: PeriodEntry['confirmed']
  readonly receiptHash: string | null
  readonly nextDate: string | null
  readonly updatedAt: Instant
  /** Why there is no number; null where there is one. */
  readonly reason: string | null
}

interface AgreementRowRequest {
  readonly snapshot: AgreementSnapshot
  /** The agreement at the cut. */
  readonly standing: AgreementState
  readonly choice: RowChoice
  /** The last day whose date has come. */
  readonly day: Day
}

/** A due period before it is known whether it has a number. */
interface Due {
  readonly period: string
  readonly date: Day
}

/**
 * The row, or null where the list has none for this agreement. `open` computes, and is called only if a number is
 * needed.
 */
export async function makeAgreementRow(
  request: AgreementRowRequest,
  open: () => Promise<Adjustments | null>,
): Promise<AgreementRow | null> {
  const { standing, choice } = request
  const { status } = standing.state
  if (status === 'DRAFT' || status === 'ARCHIVED') return null
  const due = dueOf(request)
  if (due === 'none') return null
  if (due === 'start') return startRow(request)
  try {
    const adjustments = await open()
    if (adjustments === null) return null
    return numberRow(
      request,
      adjustments.find(choice.kind === 'period' ? choice.period : null, choice.kind === 'date' ? choice.date : null),
    )
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    return blockedRow(request, due, error.message)
  }
}

/** The requested period, by the calendar alone; `start` before the first adjustment. */
function dueOf({ standing, choice, day }: AgreementRowRequest): Due | 'start' | 'none' {
  const { versions } = standing
  const { keptLabels: signedLabels } = standing.continuesFrom
  const scheduled = (until: Day): Due[] =>
    schedule(versions, until, signedLabels).map(({ date, label }) => ({ date, period: label }))
  if (choice.kind === 'period') {
    const { period } = choice
    if (!versions.some(({ formula }) => isLabelOf(formula.contract, period))) return 'none'
    const kept = signedLabels.find(({ label }) => label === period)
    const due = scheduled(lastDayOfLabel(period)!).find(each => each.period === period)
    return due ?? (kept === undefined ? 'none' : { period, date: kept.date })
  }
  const date = choice.kind === 'date' ? choice.date : day
  const { start, end } = governing(standing, date).formula.contract
  if (date < start || (choice.kind === 'date' && end !== null && date > end)) return 'none'
  const due = scheduled(date).at(-1)
  if (due !== undefined) return due
  const signedLast = choice.kind === 'latest' ? signedLabels.at(-1) : undefined
  return signedLast === undefined ? 'start' : { period: signedLast.label, date: signedLast.date }
}

function governing({ versions }: AgreementState, date: Day): AgreementState['versions'][number] {
  return versions.findLast(({ formula }) => formula.effectiveFrom <= date) ?? versions[0]!
}

/** Fields that every row has. */
function frame({ snapshot, standing, day }: AgreementRowRequest, facts: readonly (Instant | undefined)[]) {
  const { state, versions } = standing
  const next = nextDateAfter(versions, day)
  const rested = [state.recordedAt, ...versions.map(({ recordedAt }) => recordedAt), ...facts]
  return {
    id: snapshot.id,
    slug: snapshot.slug,
    name: state.name,
    nextDate: next === null ? null : formatDay(next),
    updatedAt: rested
      .filter(instant => instant !== undefined)
      .sort()
      .at(-1)!,
  }
}

function numberRow(request: AgreementRowRequest, entry: PeriodEntry): AgreementRow {
  const { calculation, body, signatures, confirmed } = entry
  const recorded = calculation.observations.map(each => each.recorded)
  const corrected = entry.isSigned ? request.standing.corrected.get(entry.period) : undefined
  const { id, slug, name, nextDate, updatedAt } = frame(request, [
    ...recorded,
    ...signatures.map(({ signedAt }) => signedAt),
    corrected?.agreedAt ?? undefined,
  ])
  const version = request.standing.versions.find(({ number }) => number === calculation.formulaVersion)
  const price = version?.formula.contract.price ?? null
  const settled = corrected === undefined ? null : priceAt(version?.formula ?? null, corrected.factor)
  return {
    id,
    slug,
    name,
    period: entry.period,
    adjustmentDate: formatDay(entry.date),
    adjustmentPct: calculation.adjustmentPct,
    cumulativePct: calculation.cumulativePct,
    factor: formatFactor(corrected?.factor ?? parseExact(body.result.factor)!),
    ...money(settled ?? calculation.price ?? null, price),
    dataVersion: calculation.dataVersion,
    formulaVersion: calculation.formulaVersion,
    status: statusOf(confirmed),
    confirmed,
    receiptHash: entry.hash,
    nextDate,
    updatedAt,
    reason: null,
  }
}

/** The row before the first adjustment: nothing has moved, and nobody has to sign. */
function startRow(request: AgreementRowRequest): AgreementRow {
  const { choice, day, standing } = request
  const { number, formula } = governing(standing, choice.kind === 'date' ? choice.date : day)
  const { id, slug, name, nextDate, updatedAt } = frame(request, [])
  return {
    id,
    slug,
    name,
    period: startLabel,
    adjustmentDate: formatDay(formula.contract.start),
    adjustmentPct: '0',
    cumulativePct: '0',
    factor: '1',
    ...money(startPrice(formula), formula.contract.price),
    dataVersion: null,
    formulaVersion: number,
    status: 'AGREED',
    confirmed: nobody,
    receiptHash: null,
    nextDate,
    updatedAt,
    reason: null,
  }
}

function blockedRow(request: AgreementRowRequest, due: Due, reason: string): AgreementRow {
  const { number } = governing(request.standing, due.date)
  const { id, slug, name, nextDate, updatedAt } = frame(request, [])
  return {
    id,
    slug,
    name,
    period: due.period,
    adjustmentDate: formatDay(due.date),
    adjustmentPct: null,
    cumulativePct: null,
    factor: null,
    ...money(null, null),
    dataVersion: null,
    formulaVersion: number,
    status: 'BLOCKED',
    confirmed: nobody,
    receiptHash: null,
    nextDate,
    updatedAt,
    reason,
  }
}

const nobody: PeriodEntry['confirmed'] = { buyer: null, supplier: null }

function statusOf({ buyer, supplier }: PeriodEntry['confirmed']): PriceStatus {
  if (buyer !== null) return supplier === null ? 'SIGNED_BY_BUYER' : 'AGREED'
  return supplier === null ? 'OPEN' : 'SIGNED_BY_SUPPLIER'
}

/** The factor is shown with up to 12 decimals; prices come from the exact one. */
export function formatFactor(factor: Ratio): string {
  return formatRoundedShort(factor, { dp: 12, mode: 'HALF_UP' })
}

/** The contract's own price at a factor. */
function priceAt(formula: Formula | null, factor: Ratio): string | null {
  const price = formula?.contract.price ?? null
  if (formula === null || price === null) return null
  const rounding = priceRounding(formula.clause, price.round)
  return formatPrice({ value: multiply(price.amount, factor), rounding })
}

function startPrice({ clause, contract: { price } }: Formula): string | null {
  if (price === null) return null
  const rounding = priceRounding(clause, price.round)
  return rounding === null ? price.text : formatRounded(price.amount, rounding)
}

function money(price: string | null, terms: ContractPrice | null) {
  if (price === null || terms === null) return { price: null, currency: null, per: null, unit: null }
  const { per, unit } = pricingUnit(terms.unit)
  return { price, currency: terms.currency, per, unit }
}
