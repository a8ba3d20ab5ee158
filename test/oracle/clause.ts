// A clause for one period, straight from the formulas of formula.md, "The clause, and the steps it becomes". It is not
// compiled into steps: that is what it is there to judge.
import type { ClauseModel, DocumentModel } from './document.ts'
import { quotient } from './expression.ts'
import {
  decimal,
  type Fraction,
  hundred,
  isNegative,
  isZero,
  larger,
  one,
  type RoundingText,
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
  /** What a period cap held back: (1 + step) / (1 + cap). */
  readonly heldBack: Fraction
}

export const atStart: Carried = { applied: one, movement: zero, heldBack: one }

export interface ClauseReadings {
  current(input: string): Fraction
  /** The base reading; with CHAINED, the reading of the last applied adjustment. */
  reference(input: string): Fraction
  /** A number as written, or a param at the adjustment date. */
  number(text: string): Fraction
}

export interface ClauseOutcome {
  /** By the names formula.md gives the lines. */
  readonly lines: ReadonlyMap<string, Fraction>
  readonly carried: Carried
  /** Whether an adjustment was applied, be it of 0 %. */
  readonly applied: boolean
}

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
  const wanted = chained ? before.applied.mul(one.add(shared)).mul(before.heldBack) : one.add(shared)
  const [cumulativeFloor, cumulativeCap] = [clause.floor?.cumulativePct, clause.cap?.cumulativePct].map(text =>
    text === undefined ? undefined : one.add(share(text)),
  )
  const target = line('target', within(wanted, cumulativeFloor, cumulativeCap))
  const step = line('step', quotient(target, before.applied).sub(one))
  const [periodFloor, periodCap] = [clause.floor?.periodPct, clause.cap?.periodPct].map(text =>
    text === undefined ? undefined : share(text),
  )
  const bounded = within(step, periodFloor, periodCap)
  const asStep = (limit: Fraction | undefined) =>
    limit === undefined ? undefined : quotient(limit, before.applied).sub(one)
  const pct = line(
    'pct',
    roundInside(
      bounded.mul(hundred),
      clause.rounding?.percent ?? { dp: 4 },
      [periodFloor, asStep(cumulativeFloor)].map(limit => limit?.mul(hundred)),
      [periodCap, asStep(cumulativeCap)].map(limit => limit?.mul(hundred)),
    ),
  )
  const met = thresholdMet(clause, readings, { step, movement, since: before.movement })
  const applied = line('applied', met ? before.applied.mul(one.add(pct.div(hundred))) : before.applied)
  if (!met) return { lines, carried: before, applied: false }
  const held =
    clause.cap?.carryForward === true && periodCap !== undefined && step.compare(periodCap) > 0
      ? quotient(one.add(step), one.add(periodCap))
      : one
  return { lines, carried: { applied, movement, heldBack: held }, applied: true }
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
      total(weighted.map(([name, input]) => decimal(input.weight!).mul(level(name))))
    const ratio = roundAs(quotient(sumOf(readings.current), sumOf(readings.reference)), rounding?.ratio)
    return roundAs(fixed.add(one.sub(fixed).mul(ratio)), rounding?.factor)
  }
  const moved = weighted.map(([name, input]) => {
    const ratio = quotient(readings.current(name), readings.reference(name))
    return decimal(input.weight!).mul(line(`ratio_${name}`, roundAs(ratio, rounding?.ratio)))
  })
  return roundAs(fixed.add(total(moved)), rounding?.factor)
}

/** The movement, or with `pays: EXCESS` what exceeds the band. */
function payableOf(clause: ClauseModel, movement: Fraction, share: (text: string) => Fraction): Fraction {
  if (clause.threshold?.pays !== 'EXCESS') return movement
  const excess = movement.abs().sub(share(clause.threshold.pct))
  if (isNegative(excess) || isZero(excess)) return zero
  return isNegative(movement) ? zero.sub(excess) : excess
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

function within(value: Fraction, floor: Fraction | undefined, cap: Fraction | undefined): Fraction {
  const capped = cap === undefined ? value : smaller(value, cap)
  return floor === undefined ? capped : larger(capped, floor)
}

/** Rounded as written, but to the inside where that would cross a limit the exact percent keeps. */
function roundInside(
  exact: Fraction,
  rounding: RoundingText,
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

function thresholdMet(
  { threshold, basis, passThrough }: ClauseModel,
  readings: ClauseReadings,
  { step, movement, since }: { step: Fraction; movement: Fraction; since: Fraction },
): boolean {
  if (threshold === undefined || threshold.pays === 'EXCESS') return true
  const shares = typeof passThrough === 'string' ? [passThrough] : (passThrough ?? []).map(band => band.share)
  const sharesAll = shares.every(share => readings.number(share).equals(one))
  const tested = () => {
    if (threshold.since === 'BASE') return movement
    if (sharesAll) return step
    return basis === 'CHAINED' ? movement : quotient(one.add(movement), one.add(since)).sub(one)
  }
  const order = tested().abs().compare(readings.number(threshold.pct).div(hundred))
  return threshold.test === 'REACHES' ? order >= 0 : order > 0
}
