// Random contracts and series: month ends, every frequency, prices with and without rounding, and values that make
// exact thresholds and ties likely.
import { type Frequency, move, moveMonths, parseDate, parts, startOf, writeDate, writeLabel } from './calendar.ts'
import type { ContractModel, ObservationModel, Tag } from './document.ts'
import { compact, type Draw } from './draw.ts'
import { modes, type RoundingChoice, type RoundingText } from './numbers.ts'

const contractFrequencies = [
  'QUARTERLY',
  'MONTHLY',
  'SEMIANNUAL',
  'ANNUAL',
  '4 months',
  '5 months',
  'ONCE',
  'WEEKLY',
  '3 weeks',
  'DAILY',
  'DATES',
]
const months: Readonly<Record<string, number>> = { MONTHLY: 1, QUARTERLY: 3, SEMIANNUAL: 6, ANNUAL: 12, ONCE: 12 }
const days: Readonly<Record<string, number>> = { DAILY: 1, WEEKLY: 7, '2 weeks': 14, '3 weeks': 21 }

export interface DrawnContract {
  readonly contract: ContractModel
  readonly effectiveFrom: string | undefined
  /** For an open contract; it has no meaning for one with an end. */
  readonly until: string
  readonly start: number
  /** The last day an adjustment may fall on. */
  readonly last: number
}

export function drawContract(
  draw: Draw,
  frequencies: readonly string[] = contractFrequencies,
  mostPeriods = 8,
): DrawnContract {
  const frequency = draw.pick(frequencies)
  if (frequency === 'DATES' || days[frequency] !== undefined) return drawDays(draw, frequency, mostPeriods)
  const day = draw.pick([1, 1, 15, 28, 29, 30, 31])
  const year = draw.int(2019, 2024)
  const start = moveMonths(parseDate(`${year}-01-01`), draw.int(0, 11), day)
  const length = months[frequency] ?? Number.parseInt(frequency, 10)
  const firstAdjustment =
    frequency === 'ONCE' || draw.chance(30)
      ? Math.max(start, moveMonths(start, draw.int(0, 4), draw.pick([parts(start).day, 31, 30, 17])))
      : undefined
  const periods = draw.int(2, mostPeriods)
  const from = firstAdjustment ?? moveMonths(start, length)
  const last = moveMonths(from, (periods - 1) * length, draw.pick([parts(from).day, 31]))
  const effectiveFrom = draw.maybe(10, () => Math.min(moveMonths(start, draw.int(0, 8)), last))
  const open = draw.chance(25)
  return {
    contract: compact<ContractModel>({
      start: writeDate(start),
      end: open ? undefined : writeDate(last),
      frequency,
      firstAdjustment: firstAdjustment === undefined ? undefined : writeDate(firstAdjustment),
      price: drawPrice(draw),
      restart: effectiveFrom !== undefined && draw.chance(50) ? true : undefined,
    }),
    effectiveFrom: effectiveFrom === undefined ? undefined : writeDate(effectiveFrom),
    until: open ? writeDate(last) : '9999-12-31',
    start,
    last,
  }
}

function drawPrice(draw: Draw): ContractModel['price'] {
  return draw.maybe(50, () =>
    compact<NonNullable<ContractModel['price']>>({
      amount: draw.decimal(1, 99_999, 2),
      currency: 'EUR',
      round: draw.maybe(60, () => drawRoundingOrNone(draw, [0, 2, 3, -1])),
    }),
  )
}

/** Contracts that count days, and those that list their dates. */
function drawDays(draw: Draw, frequency: string, mostPeriods: number): DrawnContract {
  const start = parseDate(`${draw.int(2019, 2024)}-01-01`) + draw.int(0, 364)
  const periods = draw.int(2, mostPeriods)
  const apart = () => days[frequency] ?? draw.int(1, 100)
  const firstAdjustment = frequency !== 'DATES' && draw.chance(30) ? start + draw.int(0, 40) : undefined
  const dates = [firstAdjustment ?? start + apart()]
  while (dates.length < periods) dates.push(dates.at(-1)! + apart())
  const last = dates.at(-1)! + draw.pick([0, 0, 3])
  const open = draw.chance(25)
  return {
    contract: compact<ContractModel>({
      start: writeDate(start),
      end: open ? undefined : writeDate(last),
      frequency: frequency === 'DATES' ? undefined : frequency,
      dates: frequency === 'DATES' ? dates.map(writeDate) : undefined,
      firstAdjustment: firstAdjustment === undefined ? undefined : writeDate(firstAdjustment),
      price: drawPrice(draw),
    }),
    effectiveFrom: undefined,
    until: open ? writeDate(last) : '9999-12-31',
    start,
    last,
  }
}

/** Or `NONE`: states that nothing is rounded. */
export function drawRoundingOrNone(draw: Draw, places: readonly number[]): RoundingChoice {
  return draw.chance(8) ? 'NONE' : drawRounding(draw, places)
}

export function drawRounding(draw: Draw, places: readonly number[]): RoundingText {
  const mode = draw.maybe(70, () => draw.pick(modes))
  if (draw.chance(85)) return compact<RoundingText>({ dp: draw.pick(places), mode })
  return compact<RoundingText>({ multiple: draw.pick(['0.05', '0.25', '0.01', '0.5', '0.003']), mode })
}

export interface DrawnSeries {
  readonly frequency: Frequency
  readonly rows: ObservationModel[]
}

export interface SeriesWish {
  readonly from: number
  readonly to: number
  readonly frequency: Frequency
  value(draw: Draw): string
  /** Percent of the periods that are lacking. */
  readonly gaps: number
  /** Percent of the periods with several vintages, or with a tag or a date of their own. */
  readonly vintages: number
}

/** A series over all periods from the one that holds `from` to the one that holds `to`. */
export function drawSeries(single: Draw, wish: SeriesWish): ObservationModel[] {
  const draw = single.many()
  const rows: ObservationModel[] = []
  const { frequency } = wish
  const last = startOf(frequency, wish.to)
  for (let start = startOf(frequency, wish.from), i = 0; start <= last; start = move(frequency, start, 1), i++) {
    // The first period is always there: a series without any value is refused.
    if (i > 0 && wish.gaps > 0 && draw.chance(wish.gaps)) continue
    const period = writeLabel(frequency, start)
    if (wish.vintages === 0 || !draw.chance(wish.vintages)) rows.push({ period, value: wish.value(draw) })
    else rows.push(...drawVintages(draw, period, move(frequency, start, 1), () => wish.value(draw)))
  }
  return rows
}

const tags: readonly Tag[] = ['FINAL', 'PRELIMINARY', 'REVISED']

function drawVintages(draw: Draw, period: string, end: number, value: () => string): ObservationModel[] {
  const count = draw.int(1, 3)
  let published = end + draw.int(-1, 20)
  let latest = value()
  return Array.from({ length: count }, (_, i) => {
    // A value may be published again unchanged.
    if (i > 0 && draw.chance(75)) latest = value()
    const row = compact<ObservationModel>({
      period,
      value: latest,
      version: draw.maybe(60, () => draw.pick(tags)),
      published: draw.chance(70) ? writeDate(published) : `${writeDate(published)}T12:30:00Z`,
    })
    published += draw.int(1, 40)
    return row
  })
}
