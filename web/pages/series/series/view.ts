// View of a series and the series beside it, for a chart and its table: the days, the reading of each, and the day as of which
// they stand. Everything follows from the address and the histories.
import { addMonths, type Day, formatDay, parseDay } from '../../../../src/core/time/day.ts'
import { firstAtLeast, firstDayOf, ordinalAt, parsePeriod } from '../../../../src/core/time/period.ts'
import type { OriginView } from '../../../../src/views/shapes/series.ts'
import { lineHeights, type Mode, modes, type Reading } from '../../../components/figures/exact-figures.ts'
import { type AsOf, type Cut, cutAt, type History, placesWithin } from './vintages.ts'

export interface Subject {
  readonly id: string
  readonly name: string
  readonly unit: string
  readonly history: History
  /** Origin of a value recorded at that instant. */
  readonly originOf: (recordedAt: string) => OriginView
}

export interface SeriesLine extends Subject {
  readonly cut: Cut
  readonly reading: Reading
  /** The first visible position, and the end of the visible ones. */
  readonly first: number
  readonly end: number
  readonly heights: Float64Array
}

export interface Span {
  readonly fromDay: Day
  readonly toDay: Day
}

interface ViewOptions {
  readonly asOf: AsOf | null
  readonly mode: Mode
  readonly from: string | undefined
  readonly to: string | undefined
  readonly base: string | undefined
}

export interface View {
  readonly asOf: AsOf | null
  /** Mode as requested, or rebased if the units leave no other way. */
  readonly mode: Mode
  readonly isForced: boolean
  readonly span: Span
  /** The first day of the base period; null if nothing is or can be rebased. */
  readonly baseDay: Day | null
  /** Fault of the requested base, in words. */
  readonly baseTrouble: string | null
  /** Lines, the series itself first. */
  readonly lines: readonly SeriesLine[]
  /** The series as known today, if it is shown as it stood on an earlier day. */
  readonly today: SeriesLine | null
}

export function readMode(text: string | undefined): Mode {
  return modes.find(mode => mode === text) ?? 'level'
}

/** The days the series covers: the other series are shown within them. */
export function coverOf({ firstDays }: History): Span {
  return { fromDay: firstDays[0] ?? 0, toDay: firstDays.at(-1) ?? 1 }
}

/** Half a year on either side of a single period. */
const aroundDays = 183

export function spanOf(cover: Span, from: string | undefined, to: string | undefined): Span {
  const [wantedFrom, wantedTo] = [from, to].map(text => (text === undefined ? null : parseDay(text)))
  const fromDay = Math.max(cover.fromDay, wantedFrom ?? cover.fromDay)
  const toDay = Math.min(cover.toDay, wantedTo ?? cover.toDay)
  if (fromDay < toDay) return { fromDay, toDay }
  if (cover.fromDay < cover.toDay) return cover
  return { fromDay: cover.fromDay - aroundDays, toDay: cover.toDay + aroundDays }
}

/** The range of the last years, counted back from the newest period. */
export function yearsBack(cover: Span, years: number): string {
  return formatDay(addMonths(cover.toDay, -12 * years))
}

export function buildView(main: Subject, others: readonly Subject[], options: ViewOptions): View {
  const subjects = [main, ...others]
  const isForced = options.mode === 'level' && others.some(({ unit }) => unit !== main.unit)
  const mode = isForced ? 'rebased' : options.mode
  const histories = subjects.map(({ history }) => history)
  const span = spanOf(coverOf(main.history), options.from, options.to)
  const cuts = histories.map(history => cutAt(history, options.asOf))
  const base = mode === 'rebased' ? chooseBase(histories, cuts, span, options.base) : noBase
  const draw = (subject: Subject, cut: Cut): SeriesLine => {
    const { history } = subject
    const [first, end] = placesWithin(history, span.fromDay, span.toDay)
    const reading = { mode, base: base.day === null ? -1 : basePlace(history, cut, base.day) }
    return { ...subject, cut, reading, first, end, heights: lineHeights(history, cut, reading, first, end) }
  }
  return {
    asOf: options.asOf,
    mode,
    isForced,
    span,
    baseDay: base.day,
    baseTrouble: base.trouble,
    lines: subjects.map((subject, i) => draw(subject, cuts[i]!)),
    today: options.asOf === null ? null : draw(main, cutAt(main.history, null)),
  }
}

interface Base {
  readonly day: Day | null
  readonly trouble: string | null
}

const noBase: Base = { day: null, trouble: null }

/** The requested period, or the first visible one from which every series has a value above zero. */
function chooseBase(histories: readonly History[], cuts: readonly Cut[], span: Span, asked: string | undefined): Base {
  const starts = histories.flatMap((history, i) => {
    const [first, end] = placesWithin(history, span.fromDay, span.toDay)
    const place = firstBase(history, cuts[i]!, first, end)
    return place < 0 ? [] : [history.firstDays[place]!]
  })
  const usual = starts.length === 0 ? null : Math.max(...starts)
  if (asked === undefined) return { day: usual, trouble: null }
  const period = parsePeriod(asked)
  if (period === null)
    return { day: usual, trouble: `“${asked}” is not a period. Write one such as ${example(histories)}.` }
  const day = firstDayOf(period)
  if (basePlace(histories[0]!, cuts[0]!, day) >= 0) return { day, trouble: null }
  return { day: usual, trouble: `The series has no value above zero for ${asked}.` }
}

function canBeBase({ heights }: History, cut: Cut, place: number): boolean {
  return cut[place]! >= 0 && heights[cut[place]!]! > 0
}

function firstBase(history: History, cut: Cut, from: number, end: number): number {
  for (let i = from; i < end; i++) if (canBeBase(history, cut, i)) return i
  return -1
}

function example([main]: readonly History[]): string {
  return main?.labels.at(-1) ?? '2024-01'
}

/** The index of the period that contains a day; -1 if there is none. */
export function labelPlaceAt({ frequency, ordinals }: History, day: Day): number {
  const ordinal = ordinalAt(frequency, day)
  const place = firstAtLeast(ordinals, ordinal)
  return ordinals[place] === ordinal ? place : -1
}

function basePlace(history: History, cut: Cut, day: Day): number {
  const place = labelPlaceAt(history, day)
  return place >= 0 && canBeBase(history, cut, place) ? place : -1
}
