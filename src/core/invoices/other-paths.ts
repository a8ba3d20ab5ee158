// The factor under another reading of the agreement: whole paths from the contract's start, computed from data alone, without
// signed numbers. Each path is computed on first use, once; its few requested numbers are remembered for the next check.
import type { Adjustment, BoundVersion } from '../calculation/adjustment.ts'
import { evaluate } from '../calculation/evaluate.ts'
import { bindFormula, type SeriesData } from '../formula/bind.ts'
import type { JsonObject } from '../formula/canonical.ts'
import type { Formula } from '../formula/formula.ts'
import type { Ratio } from '../numbers/ratio.ts'
import type { WorkBudget } from '../numbers/work-budget.ts'
import { leftOutReadings, type OtherReading, otherReadings } from '../prices/other-readings.ts'
import { Refusal } from '../refusal.ts'
import type { VersionTag } from '../series/series.ts'
import { civilOf, type Day } from '../time/day.ts'
import { dayOfInstant, type Instant } from '../time/instant.ts'
import { formatPeriod, type Period } from '../time/period.ts'

/** The data of a path: every formula version and every vintage of its series. */
export interface PathContext {
  readonly versions: readonly PathVersion[]
  readonly data: SeriesData
  /** The last day whose adjustment date has come. */
  readonly today: Day
  readonly work: () => WorkBudget
}

interface PathVersion {
  readonly number: number
  readonly formula: Formula
  /** The whole document, as plain JSON. */
  readonly document: JsonObject
  readonly recordedAt: Instant
}

export const vintageReadings = ['preliminary', 'first', 'newest'] as const
export type VintageReading = (typeof vintageReadings)[number]

/** The changed or left-out part of a reading: an id of other-readings, or the versions before one. */
export type PathReading =
  | 'as-written'
  | VintageReading
  | 'basis'
  | 'lag-more'
  | 'lag-less'
  | ControlLeftOut
  | { readonly before: number }

interface Path {
  /** The factor; null where the date has none on this path. */
  readonly factorAt: (date: Day) => Ratio | null
  /** `series period` with the value that was read for a date. */
  readonly observationsAt: (date: Day) => ReadonlyMap<string, { readonly period: Period; readonly value: string }>
}

type ControlLeftOut = `without-${string}`

/** Approximate bytes of a number or a list of periods with its key. */
const bytesOfAnswer = 300

/**
 * Requested numbers of an agreement's paths: one for each reading, for each period that was billed wrongly. They are true as
 * long as the data of the paths does not change.
 */
export class PathMemory {
  readonly factors = new Map<string, Ratio | null>()
  readonly differing = new Map<string, readonly Period[]>()
  controlsLeftOut: readonly ControlLeftOut[] | null = null

  get size(): number {
    return (this.factors.size + this.differing.size) * bytesOfAnswer
  }
}

export class OtherPaths {
  readonly #ground: PathContext
  readonly #memory: PathMemory
  readonly #paths = new Map<string, Path | null>()
  readonly #readings = new Map<number, ReadonlyMap<string, OtherReading>>()

  constructor(ground: PathContext, memory: PathMemory = new PathMemory()) {
    this.#ground = ground
    this.#memory = memory
  }

  /** Whether the newest version measures from the last applied adjustment. */
  get isChained(): boolean {
    return this.#ground.versions.at(-1)?.formula.clause?.basis === 'CHAINED'
  }

  /** The parts that can be left out of any version: `without-cap`, `without-cap-periodPct`, … */
  get controlsLeftOut(): readonly ControlLeftOut[] {
    this.#memory.controlsLeftOut ??= this.#findControls()
    return this.#memory.controlsLeftOut
  }

  #findControls(): readonly ControlLeftOut[] {
    const ids = this.#ground.versions.flatMap(version =>
      [...this.#readingsOf(version).values()]
        .filter(({ id, reading }) => id.startsWith('without-') && id !== 'without-fx' && isApplicable(reading))
        .map(({ id }) => id as ControlLeftOut),
    )
    return [...new Set(ids)]
  }

  /** Readings by id. Each is a document that is checked again, so they are made once. */
  #readingsOf(version: PathVersion): ReadonlyMap<string, OtherReading> {
    const known = this.#readings.get(version.number)
    if (known !== undefined) return known
    const { formula, document } = version
    const { data } = this.#ground
    const all = [...otherReadings(formula, document, data), ...leftOutReadings(formula, document, data)]
    const readings = new Map(all.map(each => [each.id, each]))
    this.#readings.set(version.number, readings)
    return readings
  }

  /**
   * The factor of a date under a reading, with the figures known at an instant, or today; null where there is no such reading,
   * or it has no number for the date.
   */
  factorAt(reading: PathReading, knownAt: Instant | null, date: Day): Ratio | null {
    const { factors } = this.#memory
    const key = `${keyOf(reading)} ${knownAt} ${date}`
    const known = factors.get(key)
    if (known !== undefined) return known
    const factor = this.#path(reading, knownAt)?.factorAt(date) ?? null
    factors.set(key, factor)
    return factor
  }

  /** The periods that today's reading takes otherwise than the document did with the figures known at an instant. */
  differingFrom(reading: VintageReading, knownAt: Instant | null, date: Day): readonly Period[] {
    const { differing } = this.#memory
    const key = `${reading} ${knownAt} ${date}`
    const known = differing.get(key)
    if (known !== undefined) return known
    const [path, agreed] = [this.#path(reading, null), this.#path('as-written', knownAt)]
    const periods = path === null || agreed === null ? [] : differingPeriods(path, agreed, date)
    differing.set(key, periods)
    return periods
  }

  #path(reading: PathReading, knownAt: Instant | null): Path | null {
    const key = `${keyOf(reading)} ${knownAt}`
    const known = this.#paths.get(key)
    if (known !== undefined) return known
    const path = this.#compute(reading, knownAt)
    this.#paths.set(key, path)
    return path
  }

  #compute(reading: PathReading, knownAt: Instant | null): Path | null {
    const { versions, data, today, work } = this.#ground
    const standing = versions.filter(({ recordedAt }) => knownAt === null || recordedAt <= knownAt)
    const read = this.#read(reading, standing)
    if (read === null || read.versions.length === 0) return null
    const bound: BoundVersion[] = []
    for (const { number, formula } of read.versions) {
      const fitting = bindFormula(formula, data).bound
      if (fitting === null) return null
      bound.push({ number, bound: fitting })
    }
    const until = knownAt === null ? today : dayOfInstant(knownAt)
    try {
      const request = { versions: bound, cuts: { asOf: null, knownAt }, tag: read.tag, until, today: until }
      return makePath(evaluate({ ...request, after: null, work: work() }).adjustments)
    } catch (error) {
      // A reading that exceeds the work budget explains nothing.
      if (error instanceof Refusal) return null
      throw error
    }
  }

  #read(reading: PathReading, versions: readonly PathVersion[]): ReadVersions | null {
    if (typeof reading !== 'string')
      return { versions: versions.filter(({ number }) => number < reading.before), tag: null }
    if (reading === 'as-written') return { versions, tag: null }
    // A document that already takes the newest values is read as it is.
    const id = reading === 'newest' ? 'latest' : reading
    let isOther = reading === 'newest'
    let tag: VersionTag | null = null
    const read = versions.map(version => {
      const other = this.#readingsOf(version).get(id)?.reading
      if (other === undefined || !isApplicable(other)) return version
      isOther = true
      tag = other.tag ?? tag
      return { number: version.number, formula: other.formula }
    })
    return isOther ? { versions: read, tag } : null
  }
}

function keyOf(reading: PathReading): string {
  return typeof reading === 'string' ? reading : `before ${reading.before}`
}

interface ReadVersions {
  readonly versions: readonly { readonly number: number; readonly formula: Formula }[]
  readonly tag: VersionTag | null
}

type Applicable = Extract<OtherReading['reading'], { readonly formula: Formula }>

function isApplicable(reading: OtherReading['reading']): reading is Applicable {
  return 'formula' in reading
}

function makePath(adjustments: readonly Adjustment[]): Path {
  const byDate = new Map(adjustments.map(adjustment => [adjustment.date, adjustment]))
  return {
    factorAt: date => byDate.get(date)?.factor ?? null,
    observationsAt: date =>
      new Map(
        byDate
          .get(date)
          ?.breakdown.observations.map(({ series, period, vintage }) => [
            `${series} ${formatPeriod(period)}`,
            { period, value: vintage.value },
          ]),
      ),
  }
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `March`, `March 2023` in another year than the date's; `2024-Q1` for a period that is not a month. */
export function formatObserved({ frequency, ordinal }: Period, date: Day): string {
  if (frequency !== 'MONTHLY') return formatPeriod({ frequency, ordinal })
  const [year, month] = [Math.floor(ordinal / 12), months[ordinal % 12]!]
  return year === civilOf(date).year ? month : `${month} ${year}`
}

/** The periods whose values differ between two paths on a date, in order. */
function differingPeriods(path: Path, other: Path, date: Day): Period[] {
  const [read, otherwise] = [path.observationsAt(date), other.observationsAt(date)]
  const differing = [...read].filter(([key, { value }]) => otherwise.get(key)?.value !== value)
  const periods = new Map(differing.map(([, { period }]) => [formatPeriod(period), period]))
  return [...periods.values()].sort((a, b) => a.ordinal - b.ordinal)
}
