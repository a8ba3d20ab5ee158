// Computes a receipt again from nothing but itself: its lines as written, over its own observations, continuing from the state
// that it carries in. Separately, compares today's compilation of its document.
import type { Adjustment, Blocked, BoundVersion } from '../calculation/adjustment.ts'
import { evaluateDate } from '../calculation/evaluate.ts'
import { bindFormula } from '../formula/bind.ts'
import { checkDocument } from '../formula/check/check.ts'
import { type Formula, formulaEdition } from '../formula/formula.ts'
import { labelOf } from '../formula/schedule.ts'
import type { StepSource } from '../formula/terms.ts'
import { formatExact, isSameRounded, parseRatio, type Ratio, subtract, sum } from '../numbers/ratio.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory, Vintage } from '../series/series.ts'
import { buildHistory, noCuts } from '../series/vintage.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import { formatDay } from '../time/day.ts'
import { presentAdjustment } from './calculation.ts'
import { vintageLine } from './receipt.ts'
import type { ReadBody } from './receipt-parser.ts'
import { surroundingsOf, worksheetFormula } from './worksheet.ts'

/** A receipt's formulas bound to the observations it names. */
interface Replay {
  readonly read: ReadBody
  /** The written lines, and the older versions it continues from. */
  readonly versions: readonly BoundVersion[]
  readonly adjustment: Adjustment
}

/** Refuses a receipt that cannot be computed, with the reason; first of all one of another edition. */
export function replay(read: ReadBody): Replay {
  if (read.edition !== formulaEdition)
    throw new Refusal(
      'invalid',
      `the receipt was computed by edition ${read.edition} of the rules; this program knows edition ${formulaEdition} and computes nothing by guess`,
    )
  const versions = bindVersions(read, formula => worksheetFormula(formula, read.governing, read.steps, read.rules))
  return { read, versions, adjustment: evaluateRead(read, versions) }
}

export function evaluateRead(
  { tag, governing, date, period, carriedIn }: ReadBody,
  versions: readonly BoundVersion[],
): Adjustment {
  // The receipt has exactly the observations that were used, so every window counts as over.
  const rules = { cuts: noCuts, tag, strict: tag !== null, today: null }
  const outcome: Adjustment | Blocked = evaluateDate(versions, rules, governing, { date, label: period }, carriedIn)
  if ('gap' in outcome) throw new Refusal('invalid', `the receipt's data do not suffice: ${outcome.gap.sentence}`)
  return outcome
}

/** Older versions serve only to compare definitions; only the governing version is evaluated. */
function bindVersions(read: ReadBody, governingFormula: (surroundings: Formula) => Formula): BoundVersion[] {
  const data = historiesOf(read)
  return [...read.documents].map(([number, document]) => {
    const surroundings = surroundingsOf(document, number)
    if (number !== read.governing) return { number, bound: { formula: surroundings, inputs: [] } }
    const { bound, problems } = bindFormula(governingFormula(surroundings), data)
    if (bound === null)
      throw new Refusal('invalid', `the receipt's formula ${number} does not fit its series: ${problems[0]!.message}`)
    return { number, bound }
  })
}

function historiesOf({ series, observations }: ReadBody): ReadonlyMap<string, SeriesHistory> {
  const periods = new Map(series.map(({ reference }) => [reference, new Map<number, Map<string, Vintage>>()]))
  for (const { series: reference, period, vintage } of observations) {
    const stored = periods.get(reference)
    if (stored === undefined)
      throw new Refusal('invalid', `the receipt cannot be read: ${reference} is not among its series`)
    const known = stored.get(period.ordinal) ?? new Map<string, Vintage>()
    // An observation that is used several times is one publication.
    const publication = `${vintage.publishedAt} ${vintage.recordedAt ?? ''}`
    if (!known.has(publication)) known.set(publication, vintage)
    stored.set(period.ordinal, known)
  }
  return new Map(
    series.map(header => {
      const vintages = [...periods.get(header.reference)!].map(
        ([period, known]) => [period, [...known.values()]] as const,
      )
      return [header.reference, buildHistory({ ...header, unit: '' }, new Map(vintages))]
    }),
  )
}

export interface Difference {
  /** The differing line: `step factor`, `adjustmentPct`, `observations`. */
  readonly line: string
  readonly written: string
  readonly recomputed: string
}

/** The first line in which a receipt and its recomputation differ, in the order a person would check them. */
export function firstDifference({ read, versions, adjustment }: Replay): Difference | null {
  const entry = presentAdjustment(adjustment)
  for (const [i, { step, value }] of adjustment.steps.entries()) {
    const written = read.steps[i]!
    const exact = formatExact(value)
    if (written.value !== exact) return { line: `step ${step.name}`, written: written.value, recomputed: exact }
    const shown = entry.steps[i]!.shown ?? null
    if (!isSameRounded(written.shown, shown, step.show))
      return { line: `step ${step.name} (shown)`, written: plain(written.shown), recomputed: plain(shown) }
  }
  const { result } = read
  const numbers: readonly (readonly [string, Json | undefined, Json | undefined])[] = [
    ['factor', result.factor, formatExact(adjustment.factor)],
    ['adjustmentPct', result.adjustmentPct, entry.adjustmentPct],
    ['cumulativePct', result.cumulativePct, entry.cumulativePct],
    ['price', result.price, samePrice(read, entry.price)],
    ['surcharge', result.surcharge, entry.surcharge],
    ['dataVersion', result.dataVersion, entry.dataVersion],
    ['period', read.period, labelled(read, versions)],
    ['period', result.period, read.period],
    ['adjustmentDate', result.adjustmentDate, entry.adjustmentDate],
    ['adjustmentDate', formatDay(read.date), entry.adjustmentDate],
    ['formulaVersion', result.formulaVersion, entry.formulaVersion],
    ['observations', formatUsed(read.observations), formatUsed(adjustment.breakdown.observations)],
  ]
  for (const [line, written, recomputed] of numbers)
    if (plain(written) !== plain(recomputed)) return apart(line, plain(written), plain(recomputed))
  return breakdownDifference(read)
}

/** The receipt's own text of a price, where both prices are equal. */
function samePrice({ result, rules }: ReadBody, recomputed: string | undefined): string | undefined {
  const isSame = isSameRounded(result.price ?? null, recomputed ?? null, rules.priceRound)
  return isSame ? result.price : recomputed
}

/** The label of the receipt's date, with its number if an earlier date has that label. */
function labelled({ period, governing, date }: ReadBody, versions: readonly BoundVersion[]): string {
  const { contract } = versions.find(({ number }) => number === governing)!.bound.formula
  const label = labelOf(contract, date)
  const number = period.startsWith(`${label}.`) ? period.slice(label.length + 1) : ''
  return /^[1-9][0-9]{0,3}$/.test(number) && number !== '1' ? period : label
}

const mostApart = 200

/** Texts from their first difference on: lists of observations are long. */
function apart(line: string, written: string, recomputed: string): Difference {
  let same = 0
  while (same < written.length && written[same] === recomputed[same]) same++
  const from = Math.max(0, same - mostApart / 2)
  const cut = (text: string) => (text.length <= mostApart ? text : `…${text.slice(from, from + mostApart)}`)
  return { line, written: cut(written), recomputed: cut(recomputed) }
}

function formatUsed(list: ReadBody['observations']): string {
  return canonicalJson(list.map(used => ({ input: used.input, ...vintageLine(used) })))
}

function plain(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing'
  return typeof value === 'string' ? value : canonicalJson(value)
}

/** The parts add up to the adjustment, to the last printed digit, whatever the lines are called. */
function breakdownDifference({ result, rules }: ReadBody): Difference | null {
  if (!rules.addsUp || result.adjustmentPct === null) return null
  const points = [...result.components.map(each => each.contribution), ...result.controls.map(each => each.points)]
  const made = sum(points.map(each => parseRatio(each) as Ratio))
  const said = parseRatio(result.adjustmentPct)
  if (said !== null && subtract(made, said).n === 0n) return null
  return { line: 'components and controls', written: formatExact(made), recomputed: result.adjustmentPct }
}

/** Today's compilation of the receipt's document, compared with the receipt. */
export interface CompilerView {
  readonly writesSameSteps: boolean
  /** Whether its steps give the receipt's number; null where they cannot be computed. */
  readonly givesSameNumber: boolean | null
  /** The first part of the breakdown that it explains differently, where the steps agree. */
  readonly difference: Difference | null
  /** Whether the figures do not suffice to share the change among its parts: then only that they add up is checked. */
  readonly lacksLast: boolean
}

export function compileAgain({ read, adjustment }: Replay): CompilerView {
  const { formula } = checkDocument(read.documents.get(read.governing)!)
  if (formula === null) return { writesSameSteps: false, givesSameNumber: null, difference: null, lacksLast: false }
  const writesSameSteps = hasLinesOf(read, formula)
  if (!writesSameSteps)
    return {
      writesSameSteps,
      givesSameNumber: givesSameNumber(read, formula, adjustment),
      difference: null,
      lacksLast: false,
    }
  const evaluated = evaluateRead(
    read,
    bindVersions(read, () => formula),
  )
  const again = presentAdjustment(evaluated)
  const common = { writesSameSteps, givesSameNumber: true, lacksLast: evaluated.breakdown.lacksLast }
  for (const line of ['components', 'controls'] as const) {
    const [written, recomputed] = [read.result, again].map(each => plain(comparable(each[line], evaluated)))
    if (written !== recomputed) return { ...common, difference: apart(line, written!, recomputed!) }
  }
  return { ...common, difference: null }
}

/**
 * After other terms for an input, such as a splice, contributions count from its reading by those terms at the last adjustment.
 * Receipts name no such figures: then only that the parts add up is checked.
 */
function comparable(list: readonly object[], { breakdown }: Adjustment): Json {
  const lines = list as readonly { readonly [key: string]: Json }[]
  if (!breakdown.lacksLast) return lines
  return lines.flatMap(({ contribution, ...rest }) => (contribution === undefined ? [] : [rest]))
}

function hasLinesOf(read: ReadBody, formula: Formula): boolean {
  return canonicalJson(writeSources(formula.steps)) === canonicalJson(writeSources(read.steps))
}

/**
 * Binds a receipt for its narrative: with the clause of its document where that still compiles to its lines, else the bare
 * lines.
 */
export function bindToTell(read: ReadBody): BoundVersion[] {
  const { formula } = checkDocument(read.documents.get(read.governing)!)
  if (formula !== null && hasLinesOf(read, formula)) return bindVersions(read, () => formula)
  return bindVersions(read, each => worksheetFormula(each, read.governing, read.steps, read.rules))
}

function nameOf({ name }: StepSource): string {
  return name
}

function writeSources(steps: readonly StepSource[]): Json {
  const rounding = (each: StepSource['round']): Json =>
    each === null ? null : 'dp' in each ? { ...each } : { mode: each.mode, multiple: formatExact(each.multiple) }
  return steps.map(({ name, expr, round, show }) => ({ name, expr, round: rounding(round), show: rounding(show) }))
}

function givesSameNumber(read: ReadBody, formula: Formula, written: Adjustment): boolean | null {
  // Values carried under names that today's compiler does not write cannot be continued.
  const known = new Set(
    [...read.documents.values()].flatMap(each => checkDocument(each).formula?.steps ?? []).map(nameOf),
  )
  if ([...read.carriedIn.steps.keys()].some(name => !known.has(name))) return null
  const rules = { ...read.rules, step: formula.steps[formula.result.step]!.name }
  try {
    const plainSteps = (surroundings: Formula) => worksheetFormula(surroundings, read.governing, formula.steps, rules)
    const again = evaluateRead(read, bindVersions(read, plainSteps))
    return formatExact(again.factor) === formatExact(written.factor)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
