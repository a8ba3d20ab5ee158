// Causes of a difference between a signed number and today's: the figures that changed since, a newer version of the formula,
// and earlier signed periods, each with its part. The parts add up to the whole difference, because each is the step from one
// calculation to the next: as signed, as the data alone gave it then, one changed figure after the other in the order they were
// recorded, and last the newer versions.
import type { Adjustment, BoundVersion } from '../calculation/adjustment.ts'
import { evaluate } from '../calculation/evaluate.ts'
import { bindFormula, type SeriesData } from '../formula/bind.ts'
import type { Formula } from '../formula/formula.ts'
import { decimalDifference } from '../numbers/decimal-difference.ts'
import { formatRoundedShort } from '../numbers/ratio.ts'
import type { WorkBudget } from '../numbers/work-budget.ts'
import { formatPct, formatPrice } from '../receipt/calculation.ts'
import type { SeriesHistory, Vintage } from '../series/series.ts'
import { type Cuts, isBy, isSameValue, newest, selectVintage, vintagesInside } from '../series/vintage.ts'
import type { Day } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'

export interface Reported {
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

/** The part of the difference that one cause explains. */
export interface Share {
  /** Percentage points; null if one of the two numbers is missing or has no percent. */
  readonly points: string | null
  /** The part in the price's currency; null without a price. */
  readonly money: string | null
}

/** A figure that was read and has another value now. */
export interface ChangedFigure {
  readonly series: string
  /** The period's running number. */
  readonly ordinal: number
  /** The vintage before; null where there was none. */
  readonly before: Vintage | null
  /** A vintage without a value if the figure was withdrawn. */
  readonly after: Vintage
}

export interface Causes {
  /**
   * The part that comes from earlier signed periods: the signed number continues from them, so data alone gave another
   * number even then.
   */
  readonly earlier: Share | null
  readonly figures: readonly (ChangedFigure & Share)[]
  /** The changed figures beyond those listed. */
  readonly more: (Share & { readonly count: number }) | null
  /** Versions that came after it was signed. */
  readonly versions: Share | null
}

interface NumberedFormula {
  readonly number: number
  readonly formula: Formula
}

interface CausesRequest {
  readonly date: Day
  readonly signed: Reported
  readonly signedAt: Instant
  /** Versions known when it was signed, and versions known now. */
  readonly versionsThen: readonly NumberedFormula[]
  readonly versionsNow: readonly NumberedFormula[]
  readonly data: SeriesData
  readonly cuts: Cuts
  readonly today: Day
  /** The number of figures listed one by one. */
  readonly most: number
  readonly work: () => WorkBudget
}

/** The causes; null where the number cannot be computed from data alone, now or then. */
export function findCauses(request: CausesRequest): Causes | null {
  const { signed, signedAt, versionsThen, versionsNow, data, most } = request
  const then = compute(request, versionsThen, dataBy(data, signedAt, new Set()))
  const allFigures = compute(request, versionsThen, data)
  const now = compute(request, versionsNow, data)
  if (then === null || allFigures === null || now === null) return null
  const changed = changedFigures(data, signedAt, [...then.used, ...allFigures.used, ...now.used], request.cuts)
  const letIn = new Set<string>()
  const figures: (ChangedFigure & Share)[] = []
  let last = then.reported
  for (const figure of changed.slice(0, most)) {
    letIn.add(keyOf(figure.series, figure.ordinal))
    const next = compute(request, versionsThen, dataBy(data, signedAt, letIn))?.reported ?? null
    figures.push({ ...figure, ...shareOf(last, next) })
    last = next ?? last
  }
  const rest = shareOf(last, allFigures.reported)
  const count = changed.length - figures.length
  return {
    earlier: orNull(shareOf(signed, then.reported)),
    figures,
    more: count > 0 || orNull(rest) !== null ? { ...rest, count } : null,
    versions: versionsNow.length === versionsThen.length ? null : orNull(shareOf(allFigures.reported, now.reported)),
  }
}

function keyOf(series: string, ordinal: number): string {
  return `${series} ${ordinal}`
}

/** The data known then, with the changed figures that are already included. */
function dataBy(data: SeriesData, knownAt: Instant, letIn: ReadonlySet<string>): SeriesData {
  return new Map([...data].map(([reference, history]) => [reference, historyBy(reference, history, knownAt, letIn)]))
}

function historyBy(
  reference: string,
  history: SeriesHistory,
  knownAt: Instant,
  letIn: ReadonlySet<string>,
): SeriesHistory {
  const isKnown = ({ recordedAt }: Vintage) => recordedAt === null || isBy(recordedAt, knownAt)
  const periods = new Map<number, readonly Vintage[]>()
  for (const [ordinal, vintages] of history.periods) {
    const all = letIn.has(keyOf(reference, ordinal))
    const known = all || vintages.every(isKnown) ? vintages : vintages.filter(isKnown)
    if (known.length > 0) periods.set(ordinal, known)
  }
  return { ...history, periods, ordinals: [...periods.keys()] }
}

interface Computed {
  readonly reported: Reported
  /** The figures read for this period and the periods before it. */
  readonly used: readonly string[]
}

function compute(
  { date, cuts, today, work }: CausesRequest,
  formulas: readonly NumberedFormula[],
  data: SeriesData,
): Computed | null {
  const versions: BoundVersion[] = []
  for (const { number, formula } of formulas) {
    const { bound } = bindFormula(formula, data)
    if (bound === null) return null
    versions.push({ number, bound })
  }
  const { adjustments } = evaluate({ versions, cuts, tag: null, until: date, today, after: null, work: work() })
  const found = adjustments.at(-1)
  if (found === undefined || found.date !== date) return null
  return { reported: reportedOf(found), used: adjustments.flatMap(usedBy) }
}

function usedBy({ breakdown }: Adjustment): string[] {
  return breakdown.observations.map(({ series, period }) => keyOf(series, period.ordinal))
}

export function reportedOf({ adjustmentPct, cumulativePct, show, price }: Adjustment): Reported {
  return {
    adjustmentPct: formatPct(adjustmentPct, show),
    cumulativePct: formatRoundedShort(cumulativePct, show),
    price: price === null ? null : formatPrice(price),
  }
}

/** Changed figures in the order in which they were recorded. */
function changedFigures(data: SeriesData, since: Instant, used: readonly string[], cuts: Cuts): ChangedFigure[] {
  const wanted = new Set(used)
  const found: ChangedFigure[] = []
  for (const [series, { periods }] of data)
    for (const [ordinal, vintages] of periods) {
      if (!wanted.has(keyOf(series, ordinal))) continue
      const inside = vintagesInside(vintages, cuts)
      const before = inside.findLast(({ recordedAt }) => recordedAt === null || isBy(recordedAt, since)) ?? null
      const after = inside.at(-1)
      if (after === undefined || after === before) continue
      const [old, current] = [
        before === null ? undefined : selectVintage([before], newest),
        selectVintage(inside, newest),
      ]
      if (!isSameValue(old?.value ?? null, current?.value ?? null)) found.push({ series, ordinal, before, after })
    }
  return found.sort((a, b) => ((a.after.recordedAt ?? '') < (b.after.recordedAt ?? '') ? -1 : 1))
}

function shareOf(before: Reported | null, after: Reported | null): Share {
  if (before === null || after === null) return { points: null, money: null }
  const difference = (a: string | null, b: string | null) => (a === null || b === null ? null : decimalDifference(a, b))
  return {
    points: difference(before.adjustmentPct, after.adjustmentPct),
    money: difference(before.price, after.price),
  }
}

/** The share; null where it explains nothing. */
function orNull(share: Share): Share | null {
  const isNothing = (text: string | null) => text === null || /^-?0(\.0*)?$/.test(text)
  return isNothing(share.points) && isNothing(share.money) ? null : share
}
