// The engine against the same formulas written by hand with decimal.js: how many periods a second, and at what memory.
// The rival rounds in every division; the engine is exact.
import { Decimal } from 'decimal.js'
import { evaluate } from '../src/core/calculation/evaluate.ts'
import { type BoundFormula, bindFormula } from '../src/core/formula/bind.ts'
import { checkDocument } from '../src/core/formula/check/check.ts'
import { presentCalculation } from '../src/core/receipt/calculation.ts'
import { gatherHistories, type ObservationRow } from '../src/core/series/observation-table.ts'
import { parseDay } from '../src/core/time/day.ts'
import { formatPeriod, parsePeriod, shift } from '../src/core/time/period.ts'
import { printTable } from './table.ts'

const inputs = ['steel', 'labour', 'energy', 'freight', 'paper'] as const
const weights = ['0.25', '0.20', '0.15', '0.15', '0.10'] as const

/** A level that varies without repeating, from whole numbers only. */
function level(series: number, month: number): string {
  const points = 100_000 + series * 7_321 + month * 173 + ((month * (series + 3) * 7_919) % 1_999)
  return `${Math.floor(points / 1000)}.${(points % 1000).toString().padStart(3, '0')}`
}

function rows(months: number, count: number): ObservationRow[] {
  const first = parsePeriod('1995-01')!
  return inputs.slice(0, count).flatMap((name, s) =>
    Array.from({ length: months }, (_, m) => ({
      line: 0,
      series: `CUSTOM/${name}`,
      period: shift(first, m),
      value: level(s, m),
      version: null,
      published: null,
      flag: null,
      name: null,
      unit: null,
      frequency: null,
      dataType: null,
    })),
  )
}

function bind(document: string, months: number, count: number): BoundFormula {
  const { formula, problems } = checkDocument(document)
  if (formula === null) throw new Error(JSON.stringify(problems))
  const { bound } = bindFormula(formula, gatherHistories(rows(months, count)).series)
  return bound!
}

const quarterly = `
slug: five
contract: { start: 1995-04-01, end: 2005-04-01, frequency: QUARTERLY }
inputs:
${inputs.map((name, i) => `  ${name}: { series: CUSTOM/${name}, weight: ${weights[i]}, base: 1995-03, lag: 1 month }`).join('\n')}
clause:
  fixed: 0.15
  threshold: { pct: 1, test: EXCEEDS, pays: ALL }
  cap: { periodPct: 5, cumulativePct: 60 }
  floor: { periodPct: -5 }
  rounding: { percent: { dp: 2 } }
`

const chained = `
slug: chained
contract: { start: 1995-04-01, end: 2025-04-01, frequency: MONTHLY }
inputs:
  steel: { series: CUSTOM/steel, weight: 1, base: 1995-03, lag: 1 month }
clause: { basis: CHAINED, floor: { periodPct: 0 }, rounding: { percent: { dp: 4 } } }
`

function run(bound: BoundFormula): number {
  const until = parseDay('2030-01-01')!
  const versions = [{ number: 1, bound }]
  return evaluate({ versions, cuts: { asOf: null, knownAt: null }, tag: null, until, today: null, after: null })
    .adjustments.length
}

function runPrinted(bound: BoundFormula): number {
  const until = parseDay('2030-01-01')!
  const versions = [{ number: 1, bound }]
  const { adjustments, blocked } = evaluate({
    versions,
    cuts: { asOf: null, knownAt: null },
    tag: null,
    until,
    today: null,
    after: null,
  })
  return JSON.stringify(presentCalculation('five', 1, adjustments, blocked)).length > 0 ? adjustments.length : 0
}

/** The quarterly clause as one would write it for this contract only. */
function rivalQuarterly(values: ReadonlyMap<string, string>): number {
  const fixed = new Decimal('0.15')
  let applied = new Decimal(1)
  let periods = 0
  for (let q = 0; q < 40; q++) {
    const month = 5 + q * 3
    const label = formatPeriod(shift(parsePeriod('1995-01')!, month))
    let factor = fixed
    inputs.forEach((name, i) => {
      const ratio = new Decimal(values.get(`${name} ${label}`)!).div(new Decimal(values.get(`${name} 1995-03`)!))
      factor = factor.plus(new Decimal(weights[i]!).times(ratio))
    })
    const movement = factor.minus(1)
    const target = Decimal.min(movement, '0.60').plus(1)
    const step = target.div(applied).minus(1)
    if (step.abs().gt('0.01')) {
      const pct = Decimal.max(Decimal.min(step, '0.05'), '-0.05').times(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
      applied = applied.times(pct.div(100).plus(1))
    }
    periods += applied.isZero() ? 0 : 1
  }
  return periods
}

function rivalChained(values: ReadonlyMap<string, string>): number {
  let applied = new Decimal(1)
  let last = new Decimal(values.get('steel 1995-03')!)
  let periods = 0
  for (let m = 0; m < 360; m++) {
    const now = new Decimal(values.get(`steel ${formatPeriod(shift(parsePeriod('1995-04')!, m))}`)!)
    const pct = Decimal.max(now.div(last).minus(1), 0).times(100).toDecimalPlaces(4, Decimal.ROUND_HALF_UP)
    applied = applied.times(pct.div(100).plus(1))
    last = now
    periods += applied.isZero() ? 0 : 1
  }
  return periods
}

const turns = 15
const warmUpSeconds = 0.5
const turnSeconds = 0.15

/** Seconds of the processor: other programs on the machine do not count. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Periods a second. */
function stretch(work: () => number, seconds: number): number {
  const from = processorSeconds()
  let periods = 0
  while (processorSeconds() - from < seconds) periods += work()
  return periods / (processorSeconds() - from)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

interface Compared {
  readonly name: string
  readonly ours: number
  readonly theirs: number
  readonly timesSlower: number
}

/** Side by side, turn by turn: what slows the machine down slows both. */
function compare(name: string, ours: () => number, theirs: () => number): Compared {
  for (const work of [ours, theirs]) stretch(work, warmUpSeconds)
  const rates = Array.from({ length: turns }, () => [stretch(ours, turnSeconds), stretch(theirs, turnSeconds)] as const)
  return {
    name,
    ours: median(rates.map(([own]) => own)),
    theirs: median(rates.map(([, other]) => other)),
    timesSlower: median(rates.map(([own, other]) => other / own)),
  }
}

export function benchEngine(): void {
  const five = bind(quarterly, 140, 5)
  const one = bind(chained, 380, 1)
  const values = new Map(rows(380, 5).map(row => [`${row.series.slice(7)} ${formatPeriod(row.period)}`, row.value]))
  const quarters = () => rivalQuarterly(values)
  const lines = [
    compare('5 components, 40 quarters', () => run(five), quarters),
    compare('the same, printed as JSON', () => runPrinted(five), quarters),
    compare(
      'chained, 360 months',
      () => run(one),
      () => rivalChained(values),
    ),
  ]
  const peak = process.resourceUsage().maxRSS
  printTable(
    ['engine', 'periods/s', 'decimal.js by hand', 'times slower'],
    lines.map(({ name, ours, theirs, timesSlower }) => [name, whole(ours), whole(theirs), timesSlower.toFixed(2)]),
  )
  process.stdout.write(`peak memory ${Math.floor(peak / 1024)} MB\n`)
}

function whole(value: number): string {
  return Math.floor(value).toLocaleString('en-US')
}
