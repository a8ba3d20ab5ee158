// Random readings: one input read in every way docs/FORMULA.md knows, on series of every frequency with gaps and vintages.
// The steps do little more than use the current, base, prev and last reading.
import {
  endOf,
  type Frequency,
  frequencies,
  goBack,
  isCoarser,
  move,
  moveMonths,
  startOf,
  writeDate,
  writeLabel,
} from './calendar.ts'
import type {
  ConvertModel,
  DocumentModel,
  InputModel,
  LinkModel,
  MissingModel,
  ObservationModel,
  StepModel,
  Using,
  WindowModel,
} from './document.ts'
import { weekdays } from './document.ts'
import { compact, type Draw } from './draw.ts'
import { type DrawnContract, drawContract, drawRounding, drawRoundingOrNone, drawSeries } from './draw-contract.ts'
import type { Expression } from './expression.ts'
import type { Scenario } from './oracle.ts'

const usings: readonly Using[] = ['MEAN', 'LAST', 'FIRST', 'MIN', 'MAX', 'SUM', 'COMPOUND']
const seriesFrequencies: readonly Frequency[] = [
  'MONTHLY',
  'MONTHLY',
  'MONTHLY',
  'QUARTERLY',
  'SEMIANNUAL',
  'ANNUAL',
  'WEEKLY',
  'DAILY',
]
const windows: Readonly<Record<Frequency, readonly string[]>> = {
  DAILY: ['3 days', '1 week', '2 weeks', '1 month', '1 quarter'],
  WEEKLY: ['2 weeks', '14 days', '1 month', '2 months', '1 quarter'],
  MONTHLY: ['1 month', '3 months', '12 months', '1 quarter', '2 quarters', '1 year'],
  QUARTERLY: ['1 quarter', '2 quarters', '6 months', '1 year'],
  SEMIANNUAL: ['6 months', '2 quarters', '12 months', '1 year'],
  ANNUAL: ['1 year', '12 months', '2 years', '8 quarters'],
}
const lags: Readonly<Record<Frequency, readonly string[]>> = {
  DAILY: ['1 day', '10 days', '1 week', '1 month', '0', '-3 days'],
  WEEKLY: ['1 week', '10 days', '2 weeks', '1 month', '-1 week'],
  MONTHLY: ['1 month', '2 months', '1 quarter', '3 weeks', '40 days', '1 year', '-1 month'],
  QUARTERLY: ['1 quarter', '2 months', '2 quarters', '1 year', '30 days', '-1 quarter'],
  SEMIANNUAL: ['2 quarters', '3 months', '1 year'],
  ANNUAL: ['1 year', '6 months', '1 quarter'],
}
// Not a longer one for weeks, which lie in two months, nor a range of labels for a rate longer than they: which rate is
// meant then is not written down.
const rates: Readonly<Record<Frequency, readonly Frequency[]>> = {
  DAILY: ['DAILY', 'MONTHLY'],
  WEEKLY: ['WEEKLY', 'DAILY'],
  MONTHLY: ['MONTHLY', 'QUARTERLY', 'ANNUAL'],
  QUARTERLY: ['QUARTERLY', 'MONTHLY', 'ANNUAL'],
  SEMIANNUAL: ['SEMIANNUAL', 'MONTHLY', 'ANNUAL'],
  ANNUAL: ['ANNUAL', 'MONTHLY'],
}
const firstOrLatest = ['FIRST', 'LATEST'] as const
const coarse = ['MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL', '4 months', 'ONCE']

export function drawReadingScenario(draw: Draw): Scenario {
  const frequency = draw.pick(seriesFrequencies)
  const fine = isFine(frequency)
  const drawn = fine ? drawContract(draw, ['MONTHLY'], 3) : drawContract(draw, coarse, 6)
  const maker = new ReadingMaker(draw, drawn, frequency)
  const input = maker.input()
  const asOf = draw.maybe(30, () => writeDate(drawn.start + draw.int(0, drawn.last - drawn.start + 90))) ?? null
  const document = compact<DocumentModel>({
    contract: drawn.contract,
    effectiveFrom: drawn.effectiveFrom,
    inputs: { x: input },
    steps: drawSteps(draw, input),
    result: { kind: 'FACTOR', step: 'out' },
  })
  return { document, data: maker.data, asOf, until: drawn.until }
}

function isFine(frequency: Frequency): boolean {
  return frequency === 'DAILY' || frequency === 'WEEKLY'
}

function drawSteps(draw: Draw, input: InputModel): StepModel[] {
  const x: Expression = { name: 'x' }
  const reading = (name: string): StepModel[] => [{ name: `read_${name}`, expr: { name: `x.${name}` } }]
  const asked: Expression = draw.chance(15)
    ? {
        call: 'if',
        arguments: [{ operator: '>', left: { name: 'month' }, right: { literal: '6' } }, x, { literal: '101' }],
      }
    : x
  // The factor changes in some periods only, so that the last applied date and the previous one differ.
  const moved: Expression = {
    call: 'if',
    arguments: [
      { operator: '>', left: { name: 'r' }, right: { literal: draw.pick(['100', '0', '105']) } },
      { literal: '0.01' },
      { literal: '0' },
    ],
  }
  const out: Expression = {
    operator: '+',
    left: { call: 'prev', arguments: [{ name: 'out' }, { literal: '1' }] },
    right: moved,
  }
  const more = input.base === undefined ? [] : ['base', 'prev', 'last'].filter(() => draw.chance(50))
  return [{ name: 'r', expr: asked }, ...more.flatMap(reading), { name: 'out', expr: out }]
}

class ReadingMaker {
  readonly #draw: Draw
  readonly #start: number
  readonly #last: number
  readonly #frequency: Frequency
  readonly data: Record<string, readonly ObservationModel[]> = {}
  /** How often the exchange rate is published. */
  #rate: Frequency = 'MONTHLY'

  constructor(draw: Draw, { start, last }: DrawnContract, frequency: Frequency) {
    this.#draw = draw
    this.#start = start
    this.#last = last
    this.#frequency = frequency
  }

  /** Where the series begin. */
  get #begin(): number {
    const back = isFine(this.#frequency) ? 4 : this.#frequency === 'MONTHLY' ? 26 : 50
    return startOf(this.#frequency, moveMonths(this.#start, -back))
  }

  #add(reference: string, frequency: Frequency, least: number, most: number): string {
    const draw = this.#draw
    this.data[reference] = drawSeries(draw, {
      from: this.#begin,
      to: draw.chance(70) ? endOf(frequency, startOf(frequency, this.#last)) : moveMonths(this.#last, -3),
      frequency,
      value: each => each.decimal(least, most, each.pick([1, 2])),
      gaps: draw.pick([0, 0, 5, 25]),
      vintages: draw.pick([0, 0, 10, 40]),
    })
    return reference
  }

  input(): InputModel {
    const draw = this.#draw
    const frequency = this.#frequency
    const expand = isCoarser(frequency, 'MONTHLY') && draw.chance(35) ? 'MONTHLY' : undefined
    const read = expand ?? frequency
    const interpolate = read === 'MONTHLY' && draw.chance(25) ? 'DAILY' : undefined
    const published = interpolate === undefined && draw.chance(15)
    const links = published ? undefined : draw.maybe(15, () => this.#links())
    const window = interpolate === undefined ? draw.maybe(45, () => this.#window(read, published)) : undefined
    const convert = draw.maybe(25, () => this.#convert(window))
    const isRateCoarser = convert?.fx !== undefined && isCoarser(this.#rate, read)
    return compact<InputModel>({
      series: this.#add('CUSTOM/x', frequency, 500, 3000),
      base: draw.maybe(85, () => this.#base(interpolate === 'DAILY', isRateCoarser, read)),
      lag: draw.maybe(70, () => draw.pick(lags[read])),
      window,
      expand,
      week: frequency === 'WEEKLY' ? draw.maybe(60, () => draw.pick(weekdays)) : undefined,
      using: draw.maybe(60, () => draw.pick(usings)),
      interpolate,
      pick: published ? 'LATEST_PUBLISHED' : undefined,
      // Whether a period counts as published when only its preliminary value is, is not written down for FINAL.
      vintage: draw.maybe(35, () =>
        draw.pick(published ? firstOrLatest : [...firstOrLatest, 'FINAL' as const, 'AT_DATE' as const]),
      ),
      missing: draw.maybe(60, () => this.#missing()),
      convert,
      links,
      round: draw.maybe(20, () => drawRoundingOrNone(draw, [0, 1, 3, -1])),
    })
  }

  // With LATEST_PUBLISHED a window counts periods: which calendar unit would hold its day is not written down.
  #window(frequency: Frequency, published: boolean): WindowModel {
    const draw = this.#draw
    if (draw.chance(20)) {
      const last = draw.int(1, 6)
      return compact({ last, least: draw.maybe(40, () => draw.int(1, last)) })
    }
    if (isFine(frequency) && !published && draw.chance(30))
      return compact({ from: draw.int(1, 31), to: draw.int(1, 31), least: draw.maybe(40, () => draw.int(1, 12)) })
    return draw.pick(published ? windows[frequency].slice(0, 1) : windows[frequency])
  }

  #base(dateBase: boolean, isRateCoarser: boolean, read: Frequency): NonNullable<InputModel['base']> {
    const draw = this.#draw
    if (draw.chance(10)) return { value: draw.decimal(500, 3000, 2) }
    const day = goBack(this.#start, { count: draw.int(0, isFine(this.#frequency) ? 2 : 9), unit: 'month' })
    if (dateBase && draw.chance(60)) return writeDate(day + draw.int(0, 20))
    const coarser = frequencies.filter(
      other => isCoarser(other, read) && !(isFine(read) && isLong(other)) && (other !== 'WEEKLY' || !isRateCoarser),
    )
    const label = draw.chance(40) && coarser.length > 0 ? draw.pick(coarser) : read
    const from = startOf(label, day)
    const to = move(label, from, draw.int(1, 3))
    const isRange = !isRateCoarser && draw.chance(20) && label !== 'DAILY'
    return isRange ? `${writeLabel(label, from)}..${writeLabel(label, to)}` : writeLabel(label, from)
  }

  #missing(): MissingModel {
    const draw = this.#draw
    const kind = draw.int(0, isFine(this.#frequency) ? 3 : 7)
    if (kind === 0) return 'BLOCK'
    if (kind === 1) return 'LAST_KNOWN'
    if (kind === 2) return { fallback: this.#add('CUSTOM/other', this.#frequency, 500, 3000) }
    if (kind >= 6) return { trend: { over: draw.pick(windows[this.#frequency]), dp: draw.pick(['0', '1', '3', '8']) } }
    if (kind >= 4) return { yoyEstimate: compact({ capPct: draw.maybe(70, () => draw.pick(['2', '0', '10', '0.5'])) }) }
    const agreed: Record<string, string> = {}
    for (let i = 0; i < 8; i++) {
      const start = startOf(this.#frequency, this.#begin + draw.int(0, this.#last - this.#begin))
      agreed[writeLabel(this.#frequency, start)] = draw.decimal(500, 3000, 2)
    }
    return { agreed }
  }

  #convert(own: WindowModel | undefined): ConvertModel {
    const draw = this.#draw
    const scale = draw.maybe(50, () => draw.pick(['0.45359237', '2', '1.5']))
    if (scale !== undefined && draw.chance(40)) return { scale }
    this.#rate = draw.pick(rates[this.#frequency])
    const frequency = this.#rate
    const each = draw.chance(30)
    const mustSay = !fitsRate(own, frequency)
    return compact<ConvertModel>({
      fx: this.#add('CUSTOM/fx', frequency, 80, 130),
      operation: draw.pick(['MULTIPLY', 'DIVIDE']),
      lag: each ? undefined : draw.maybe(30, () => draw.pick(lags[frequency])),
      window: each ? undefined : draw.maybe(mustSay ? 100 : 30, () => draw.pick(windows[frequency])),
      using: draw.maybe(40, () => draw.pick(usings)),
      each: each ? true : undefined,
      scale,
    })
  }

  #links(): LinkModel[] {
    const draw = this.#draw
    const edge = () => {
      const day = this.#begin + draw.int(0, this.#last - this.#begin)
      return writeLabel(this.#frequency, startOf(this.#frequency, day))
    }
    const link = (reference: string, which: 'until' | 'from', period: string): LinkModel =>
      compact<LinkModel>({
        series: this.#add(reference, this.#frequency, 500, 3000),
        [which]: period,
        coefficient: draw.pick(['1.1276', '0.9', '2']),
        round: draw.maybe(50, () => drawRounding(draw, [1, 0])),
      } as LinkModel)
    const [first, second] = [edge(), edge()].sort() as [string, string]
    const kind = draw.int(0, 2)
    if (kind === 0) return [link('CUSTOM/old', 'until', first)]
    if (kind === 1) return [link('CUSTOM/new', 'from', first)]
    return first === second
      ? [link('CUSTOM/old', 'until', first)]
      : [link('CUSTOM/old', 'until', first), link('CUSTOM/new', 'from', second)]
  }
}

const unitOrder = ['day', 'week', 'month', 'quarter', 'half-year', 'year']
const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

/** Whether the input's own window can be that of its rate: it is when it comes to whole periods. */
function fitsRate(window: WindowModel | undefined, rate: Frequency): boolean {
  if (window === undefined) return true
  if (typeof window !== 'string') return 'last' in window || isFine(rate)
  const [count, unit] = window.replace(/s$/, '').split(' ') as [string, string]
  if (unitOrder.indexOf(unit) >= frequencies.indexOf(rate)) return true
  if (rate === 'WEEKLY') return Number(count) % 7 === 0
  const length = { MONTHLY: 1, QUARTERLY: 3, SEMIANNUAL: 6, ANNUAL: 12 }[rate as 'MONTHLY']
  return monthsOf[unit] !== undefined && (Number(count) * monthsOf[unit]!) % length === 0
}

function isLong(frequency: Frequency): boolean {
  return frequency === 'SEMIANNUAL' || frequency === 'ANNUAL'
}
