// A clause for one period, straight from the formulas of docs/FORMULA.md, "The clause, and the steps it becomes". It is
// not compiled into steps: the compilation is what it checks.
import type { ClauseModel, DocumentModel, LimitModel } from './document.ts'
import { quotient } from './expression.ts'
import {
  type Fraction,
  hundred,
  isNegative,
  isZero,
  larger,
  one,
  type RoundingChoice,
  roundAs,
  smaller,
  total,
  zero,
} from './numbers.ts'

/** What a clause carries from period to period. */
export interface Carried {
  /** The applied factor. */
  readonly applied: Fraction
  /** The movement at the last applied adjustment. */
  readonly movement: Fraction
  /** What a period or year limit held back: (1 + step) / (1 + limit). */
  readonly heldBack: Fraction
}

export const atStart: Carried = { applied: one, movement: zero, heldBack: one }

export interface ClauseReadings {
  current(input: string): Fraction
  /** The base reading; with CHAINED, the reading of the last applied adjustment. */
  reference(input: string): Fraction
  /** A number as written, or a param at the adjustment date. */
  number(text: string): Fraction
  /** The factor in force when a year began. */
  factorOfYear(kind: NonNullable<LimitModel['year']>): Fraction
}

export interface ClauseOutcome {
  /** By the names docs/FORMULA.md gives the lines. */
  readonly lines: ReadonlyMap<string, Fraction>
  readonly carried: Carried
  /** Whether an adjustment was applied, even one of 0 %. */
  readonly applied: boolean
}

const sides = ['cap', 'floor'] as const
type Side = (typeof sides)[number]

export function computeClause(document: DocumentModel, readings: ClauseReadings, before: Carried): ClauseOutcome {
  const clause = document.clause!
  const lines = new Map<string, Fraction>()
  const line = (name: string, value: Fraction): Fraction => {
    lines.set(name, value)
    return value
  }
  const share = (text: string) => readings.number(text).div(hundred)
  const chained = clause.basis === 'CHAINED'
  const factor = line('factor', factorOf(document, readings, line))
  const adder = clause.adder === undefined ? zero : share(clause.adder)
  const movement = line('movement', factor.sub(one).add(adder))
  const payable = line('payable', payableOf(clause, movement, share))
  const shared = line('shared', sharedOf(clause, payable, readings))
  const inAll = (side: Side) => {
    const text = clause[side]?.cumulativePct
    return text === undefined ? undefined : share(text)
  }
  const carries = sides.some(side => clause[side]?.carryForward === true)
  const growth = one.add(shared).mul(chained && carries ? before.heldBack : one)
  const target = line('target', targetOf(clause, chained ? before.applied.mul(growth) : null, shared, inAll))
  const fromNothing = isZero(before.applied)
  const isLimitedInAll = inAll('cap') !== undefined || inAll('floor') !== undefined
  const step = line(
    'step',
    chained && !isLimitedInAll ? growth.sub(one) : fromNothing ? zero : quotient(target, before.applied).sub(one),
  )
  const asStep = (level: Fraction | undefined) =>
    level === undefined || fromNothing ? undefined : quotient(level, before.applied).sub(one)
  const limitsOf = (side: Side): Fraction[] => {
    const { periodPct, yearPct, year } = clause[side] ?? {}
    return [
      periodPct === undefined ? undefined : share(periodPct),
      yearPct === undefined ? undefined : asStep(one.add(share(yearPct)).mul(readings.factorOfYear(year!))),
    ].filter(limit => limit !== undefined)
  }
  const [caps, floors] = fromNothing && !(chained && !isLimitedInAll) ? [[], []] : [limitsOf('cap'), limitsOf('floor')]
  const held = within(
    step,
    floors.length === 0 ? undefined : floors.reduce(larger),
    caps.length === 0 ? undefined : caps.reduce(smaller),
  )
  const edges = (limits: readonly Fraction[], level: Fraction | undefined) =>
    [...limits, asStep(level === undefined ? undefined : one.add(level))].map(limit => limit?.mul(hundred))
  const pct = line(
    'pct',
    roundInside(held.mul(hundred), clause.rounding?.percent, edges(floors, inAll('floor')), edges(caps, inAll('cap'))),
  )
  const met = thresholdMet(clause, readings, { step, movement, before, fromNothing, isLimitedInAll })
  const moved = fromNothing && !(chained && !isLimitedInAll) ? target : before.applied.mul(one.add(pct.div(hundred)))
  const applied = line('applied', met ? moved : before.applied)
  const heldBack = met ? heldBackOf(clause, step, held) : before.heldBack
  return { lines, carried: { applied, movement: met ? movement : before.movement, heldBack }, applied: met }
}

function targetOf(
  clause: ClauseModel,
  chained: Fraction | null,
  shared: Fraction,
  inAll: (side: Side) => Fraction | undefined,
): Fraction {
  const [floor, cap] = [inAll('floor'), inAll('cap')]
  const level = (limit: Fraction | undefined) => (limit === undefined ? undefined : one.add(limit))
  if (chained !== null) return within(chained, level(floor), level(cap))
  const exact = within(shared, floor, cap).mul(hundred)
  const rounded = roundInside(exact, clause.rounding?.total, [floor?.mul(hundred)], [cap?.mul(hundred)])
  return one.add(rounded.div(hundred))
}

/** (1 + step) / (1 + limit), on the sides whose rest is carried. */
function heldBackOf(clause: ClauseModel, step: Fraction, held: Fraction): Fraction {
  const order = step.compare(held)
  const isKept = (order > 0 && clause.cap?.carryForward === true) || (order < 0 && clause.floor?.carryForward === true)
  return isKept ? quotient(one.add(step), one.add(held)) : one
}

function factorOf(
  { inputs, clause }: DocumentModel,
  readings: ClauseReadings,
  line: (name: string, value: Fraction) => Fraction,
): Fraction {
  const { combine, fixed: fixedText, rounding } = clause!
  const fixed = fixedText === undefined ? zero : readings.number(fixedText)
  const weighted = Object.entries(inputs).filter(([, input]) => input.weight !== undefined)
  if (combine === 'RATIO_OF_SUMS') {
    const sumOf = (level: (input: string) => Fraction) =>
      total(weighted.map(([name, input]) => readings.number(input.weight!).mul(level(name))))
    const ratio = roundAs(quotient(sumOf(readings.current), sumOf(readings.reference)), rounding?.ratio)
    return roundAs(fixed.add(one.sub(fixed).mul(ratio)), rounding?.factor)
  }
  const moved = weighted.map(([name, input]) => {
    const ratio = quotient(readings.current(name), readings.reference(name))
    return readings.number(input.weight!).mul(line(`ratio_${name}`, roundAs(ratio, rounding?.ratio)))
  })
  return roundAs(fixed.add(total(moved)), rounding?.factor)
}

/** The movement; with `pays: EXCESS` what exceeds the band, with `inside: RETURN` nothing inside it. */
function payableOf(clause: ClauseModel, movement: Fraction, share: (text: string) => Fraction): Fraction {
  const { threshold } = clause
  if (threshold === undefined) return movement
  const band = share(threshold.pct)
  if (threshold.inside === 'RETURN') return isOutside(movement, band, threshold.test) ? movement : zero
  if (threshold.pays === 'ALL') return movement
  const excess = movement.abs().sub(band)
  if (isNegative(excess) || isZero(excess)) return zero
  return isNegative(movement) ? zero.sub(excess) : excess
}

function isOutside(value: Fraction, band: Fraction, test: 'EXCEEDS' | 'REACHES'): boolean {
  const order = value.abs().compare(band)
  return test === 'REACHES' ? order >= 0 : order > 0
}

/** A share, or bands by absolute value with the sign put back. */
function sharedOf({ passThrough }: ClauseModel, payable: Fraction, readings: ClauseReadings): Fraction {
  if (passThrough === undefined) return payable
  if (typeof passThrough === 'string') return payable.mul(readings.number(passThrough))
  const amount = payable.abs()
  let from = zero
  let paid = zero
  for (const band of passThrough) {
    const to = band.upTo === undefined ? amount : smaller(amount, readings.number(band.upTo).div(hundred))
    if (to.compare(from) > 0) {
      paid = paid.add(to.sub(from).mul(readings.number(band.share)))
      from = to
    }
  }
  return isNegative(payable) ? zero.sub(paid) : paid
}

/** Where the two cross each other the cap wins. */
function within(value: Fraction, floor: Fraction | undefined, cap: Fraction | undefined): Fraction {
  const lifted = floor === undefined ? value : larger(value, floor)
  return cap === undefined ? lifted : smaller(lifted, cap)
}

/** Rounded as written, but to the inside where that would cross a limit the exact percent keeps. */
function roundInside(
  exact: Fraction,
  rounding: RoundingChoice | undefined,
  floors: readonly (Fraction | undefined)[],
  caps: readonly (Fraction | undefined)[],
): Fraction {
  const rounded = roundAs(exact, rounding)
  const crossesCap = caps.some(cap => cap !== undefined && exact.compare(cap) <= 0 && rounded.compare(cap) > 0)
  if (crossesCap) return roundAs(exact, rounding, 'FLOOR')
  const crossesFloor = floors.some(
    floor => floor !== undefined && exact.compare(floor) >= 0 && rounded.compare(floor) < 0,
  )
  return crossesFloor ? roundAs(exact, rounding, 'CEILING') : rounded
}

interface Tested {
  readonly step: Fraction
  readonly movement: Fraction
  readonly before: Carried
  readonly fromNothing: boolean
  readonly isLimitedInAll: boolean
}

function thresholdMet(clause: ClauseModel, readings: ClauseReadings, at: Tested): boolean {
  const { threshold, basis } = clause
  if (threshold === undefined || threshold.inside === 'RETURN') return true
  const chained = basis === 'CHAINED'
  const band = readings.number(threshold.pct).div(hundred)
  if (threshold.pays === 'EXCESS') return !chained || isOutside(at.movement, band, threshold.test)
  if (isRest(clause, at)) return true
  if (threshold.since === 'BASE') return isOutside(at.movement, band, threshold.test)
  const { passThrough } = clause
  const shares = typeof passThrough === 'string' ? [passThrough] : (passThrough ?? []).map(each => each.share)
  if (shares.every(share => readings.number(share).equals(one))) {
    // From a price of 0 every distance is long enough.
    if (at.fromNothing && (!chained || at.isLimitedInAll)) return true
    return isOutside(at.step, band, threshold.test)
  }
  if (chained) return isOutside(at.movement, band, threshold.test)
  const then = one.add(at.before.movement)
  if (isZero(then)) {
    const now = one.add(at.movement)
    return threshold.test === 'REACHES' || !isZero(now)
  }
  return isOutside(one.add(at.movement).div(then).sub(one), band, threshold.test)
}

/** What a limit held back continues in its direction: with a fixed base the threshold is not tested again for it. */
function isRest(clause: ClauseModel, { step, before }: Tested): boolean {
  if (clause.basis === 'CHAINED') return false
  const order = before.heldBack.compare(one)
  if (order > 0) return clause.cap?.carryForward === true && step.compare(zero) > 0
  return order < 0 && clause.floor?.carryForward === true && step.compare(zero) < 0
}
