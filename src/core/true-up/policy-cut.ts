// The published figures that count for a signed period under the contract's correction policy, and the cut behind them. A
// period is never read from older vintages than its receipt was.
import type { BoundVersion, InputObservation } from '../calculation/adjustment.ts'
import type { CountingRule } from '../calculation/series-reading.ts'
import type { Corrections, Formula } from '../formula/formula.ts'
import type { Vintage } from '../series/series.ts'
import { compareVintages, isBy } from '../series/vintage.ts'
import { civilOf, type Day, dayOf } from '../time/day.ts'
import { endOfDay, type Instant } from '../time/instant.ts'

/** Days after the contract's end by which figures count with END. */
const endPatienceDays = 60

/** Earlier than every instant: no figure published since then counts yet. */
const nothingYet: Instant = ''

/** The version that governs a date now, whichever was signed: its policy for revisions counts. */
export function governingVersion(versions: readonly BoundVersion[], date: Day): BoundVersion {
  const governing = versions
    .filter(({ bound }) => bound.formula.effectiveFrom <= date)
    .reduce<BoundVersion | null>((best, each) => (best === null || each.number > best.number ? each : best), null)
  return governing ?? versions[0]!
}

/** The vintages that count for a restated period. */
export interface PolicyCut {
  /** Figures known here by then; null: all. */
  readonly knownAt: Instant | null
  /** Figures published by then; null: all. */
  readonly publishedBy: Instant | null
  /** Whether a vintage tagged FINAL is preferred to any newer one. */
  readonly prefersFinal: boolean
}

/** The cut by the contract's policy, on a day whose end has not come. */
export function policyCut(
  { corrections, contract }: Pick<Formula, 'corrections' | 'contract'>,
  knownAt: Instant | null,
  today: Day,
): PolicyCut {
  const cut = { knownAt, publishedBy: null, prefersFinal: corrections?.when === 'FINAL' }
  if (corrections?.when === 'YEARLY') return { ...cut, publishedBy: endOfDay(lastYearly(corrections.day!, today)) }
  if (corrections?.when === 'END') {
    const day = contract.end === null ? null : contract.end + endPatienceDays
    return { ...cut, publishedBy: day === null || day >= today ? nothingYet : endOfDay(day) }
  }
  return cut
}

/**
 * The cut for the knowledge of people when they signed: the newest figures of an instant, of which FINAL reads only what it
 * would read. A day of the policy does not count: published figures were known, though they had no effect yet.
 */
export function boundaryCut({ corrections }: Pick<Formula, 'corrections'>, knownAt: Instant): PolicyCut {
  return { knownAt, publishedBy: null, prefersFinal: corrections?.when === 'FINAL' }
}

/** The last yearly day that is over. */
function lastYearly(monthAndDay: NonNullable<Corrections['day']>, today: Day): Day {
  const [month, day] = monthAndDay.split('-').map(part => Number.parseInt(part, 10)) as [number, number]
  const { year } = civilOf(today)
  const thisYear = dayOf(year, month, day)
  return thisYear < today ? thisYear : dayOf(year - 1, month, day)
}

/** The rule for a period whose receipt used these. Its own readings count in any case; older vintages never do. */
export function countingFrom(used: readonly InputObservation[], cut: PolicyCut): CountingRule {
  const byOrdinal = Map.groupBy(used, ({ period }) => period.ordinal)
  const floorOf = (input: string, series: string, ordinal: number): Vintage | undefined => {
    let newest: Vintage | undefined
    for (const each of byOrdinal.get(ordinal) ?? []) {
      if (each.input !== input || each.series !== series) continue
      if (newest === undefined || compareVintages(newest, each.vintage) < 0) newest = each.vintage
    }
    return newest
  }
  return (input, series, ordinal, vintages) => {
    const floor = floorOf(input, series, ordinal)
    const counted = vintages.filter(vintage => counts(vintage, floor, cut))
    return cut.prefersFinal ? upToFinal(counted) : counted
  }
}

function counts(vintage: Vintage, floor: Vintage | undefined, { knownAt, publishedBy }: PolicyCut): boolean {
  if (floor !== undefined) {
    const order = compareVintages(vintage, floor)
    if (order <= 0) return order === 0
  }
  const isKnown = vintage.recordedAt === null || isBy(vintage.recordedAt, knownAt)
  return isKnown && isBy(vintage.publishedAt, publishedBy)
}

/** A withdrawal outranks every figure before it. */
function upToFinal(vintages: readonly Vintage[]): readonly Vintage[] {
  if (vintages.at(-1)?.value == null) return vintages
  const final = vintages.findLastIndex(({ tag, value }) => tag === 'FINAL' && value !== null)
  return final < 0 ? vintages : vintages.slice(0, final + 1)
}

/** Exactly these vintages count. */
export function countingOnly(used: readonly InputObservation[]): CountingRule {
  return (input, series, ordinal, vintages) =>
    vintages.filter(vintage =>
      used.some(
        each =>
          each.input === input &&
          each.series === series &&
          each.period.ordinal === ordinal &&
          compareVintages(each.vintage, vintage) === 0,
      ),
    )
}
