// Built ties: documents whose exact percent, ratio, price or step lies exactly half-way between two neighbours of the
// last place, and what each rounding mode makes of it, known from the way the tie was built.
import type { ClauseModel, DocumentModel, InputModel, ObservationModel } from './document.ts'
import { compact, type Draw, scaled } from './draw.ts'
import { Fraction, type Mode, print, type RoundingText } from './numbers.ts'
import type { Scenario } from './oracle.ts'

export interface Tie {
  /** The unit of the last place, as a rounding says it. */
  readonly rounding: RoundingText
  readonly unit: Fraction
  /** The exact value is (whole + 1/2) units, away from zero by the sign. */
  readonly whole: bigint
  readonly negative: boolean
}

export function drawTie(draw: Draw, mode: Mode, mostDp: number): Tie {
  const dp = draw.int(0, mostDp)
  const whole = BigInt(draw.int(0, 9 * 10 ** Math.min(dp, 3)))
  const negative = draw.chance(40)
  if (draw.chance(80)) return { rounding: { dp, mode }, unit: new Fraction(1n, 10n ** BigInt(dp)), whole, negative }
  const multiple = draw.pick(['0.05', '0.25', '0.5', '0.02'])
  return { rounding: { multiple, mode }, unit: new Fraction(multiple), whole: whole % 100n, negative }
}

export function exactOf({ unit, whole, negative }: Tie): Fraction {
  const magnitude = new Fraction(2n * whole + 1n, 2n).mul(unit)
  return negative ? magnitude.neg() : magnitude
}

/** What the mode makes of the tie: the neighbour away from zero, or the one toward it. */
export function roundedOf({ rounding, unit, whole, negative }: Tie): Fraction {
  const up: Readonly<Record<Mode, boolean>> = {
    HALF_UP: true,
    HALF_DOWN: false,
    HALF_EVEN: whole % 2n === 1n,
    UP: true,
    DOWN: false,
    CEILING: !negative,
    FLOOR: negative,
  }
  const magnitude = new Fraction(up[rounding.mode!] ? whole + 1n : whole).mul(unit)
  return negative ? magnitude.neg() : magnitude
}

const contract = { start: '2023-12-01', end: '2024-01-01', frequency: 'MONTHLY' } as const

/**
 * A clause whose percent is the tie: weight × (current ÷ base − 1) × 100. The base is a multiple of the weight's own
 * digits, so that the current value is a finite decimal although base ÷ weight is not one in most cases.
 */
export function percentTie(draw: Draw, tie: Tie): Scenario {
  const weight = draw.pick([15_015, 100_000, 33_333, 12_500, 7, 99_999, 1])
  const still = draw.int(0, Math.min(2, 100_000 - weight))
  const base = new Fraction(BigInt(weight * draw.int(1, 9) * 1000), 1n)
  const current = base.add(base.mul(exactOf(tie)).div(100).mul(100_000).div(weight))
  const inputs: Record<string, InputModel> = {
    moving: { series: 'CUSTOM/m', weight: scaled(weight, 5), base: '2023-12' },
    ...(still === 0 ? {} : { still: { series: 'CUSTOM/s', weight: scaled(still, 5), base: '2023-12' } }),
  }
  const rest = 100_000 - weight - still
  const document = compact<DocumentModel>({
    contract,
    inputs,
    clause: compact<ClauseModel>({
      fixed: rest === 0 ? undefined : scaled(rest, 5),
      basis: draw.maybe(50, () => 'CHAINED'),
      rounding: { percent: tie.rounding },
    }),
    result: { show: { dp: 9 } },
  })
  const data: Record<string, readonly ObservationModel[]> = {
    'CUSTOM/m': rows(print(base), print(current)),
    ...(still === 0 ? {} : { 'CUSTOM/s': rows('77.7', '77.7') }),
  }
  return { document, data, asOf: null, until: '9999-12-31' }
}

function rows(first: string, second: string): ObservationModel[] {
  return [
    { period: '2023-12', value: first },
    { period: '2024-01', value: second },
  ]
}

/** A step that is the tie, as a quotient of a reading that is not a finite decimal before it is multiplied. */
export function stepTie(draw: Draw, tie: Tie): Scenario {
  const divisor = draw.pick(['3', '7', '9', '11', '13'])
  const value = exactOf(tie).mul(new Fraction(divisor))
  const quotient = { operator: '/', left: { name: 'x' }, right: { literal: divisor } } as const
  const document: DocumentModel = {
    contract,
    inputs: { x: { series: 'CUSTOM/x' } },
    steps: [
      { name: 'rounded', expr: quotient, round: tie.rounding },
      { name: 'out', expr: { operator: '+', left: { literal: '1000000' }, right: { name: 'rounded' } } },
    ],
    result: { kind: 'FACTOR', step: 'out' },
  }
  const data = { 'CUSTOM/x': [{ period: '2024-01', value: print(value) }] }
  return { document, data, asOf: null, until: '9999-12-31' }
}

/** A price that is the tie: the amount × a factor. Prices are positive. */
export function priceTie(draw: Draw, tie: Tie): Scenario {
  const amount = draw.pick(['8', '12.5', '0.4', '1000', '16'])
  const factor = exactOf({ ...tie, negative: false }).div(new Fraction(amount))
  const document: DocumentModel = {
    contract: { ...contract, price: { amount, currency: 'EUR', round: tie.rounding } },
    inputs: { x: { series: 'CUSTOM/x' } },
    steps: [{ name: 'out', expr: { name: 'x' } }],
    result: { kind: 'FACTOR', step: 'out' },
  }
  const data = { 'CUSTOM/x': [{ period: '2024-01', value: print(factor) }] }
  return { document, data, asOf: null, until: '9999-12-31' }
}
