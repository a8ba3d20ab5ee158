// One series in memory: every vintage in packed columns, a twentieth of the size of objects. The rows of an answer are encoded from
// it once, so that a slice of a series is a slice of bytes.

import {
  type SeriesHeader,
  type SeriesHistory,
  type VersionTag,
  type Vintage,
  versionTags,
} from '../../core/series/series.ts'
import { formatDay } from '../../core/time/day.ts'
import { type Instant, instantOfMicros, type Micros, microsOf } from '../../core/time/instant.ts'
import { type Frequency, firstDayOf, formatPeriod } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import type { VintageRow } from '../../storage/series/series.ts'
import { PackedNumbers } from '../memory/packed-numbers.ts'
import { type RowsView, SeriesView } from './series-view.ts'

export interface ViewRequest {
  readonly asOf: Instant | null
  readonly knownAt: Instant | null
  readonly version: VersionTag | null
  /** The date shown in summary rows; null for the usual rows. */
  readonly summaryDate: string | null
}

/** Rows of a series: one per period, or every vintage known by an instant. */
export type RowsRequest = ViewRequest | { readonly vintagesKnownAt: Instant | null }

/** A value for lists over many series. */
export interface NewestValue {
  readonly period: string
  readonly value: string
  readonly versionTag: VersionTag
  readonly publishedAt: Instant
}

/** Row i of every column belongs together. */
export interface VintageColumns {
  /** Number of vintages of older periods left out; 0 for nearly every series. */
  readonly omitted: number
  /** The existing periods, in order. */
  readonly periods: readonly string[]
  /** Index into `periods` for each row. */
  readonly period: readonly number[]
  /** `null`: withdrawn. */
  readonly value: readonly (string | null)[]
  readonly tag: readonly (VersionTag | null)[]
  readonly publishedAt: readonly Instant[]
  readonly recordedAt: readonly Instant[]
  readonly flag: readonly (string | null)[]
}

const withdrawn = 255

/** A request in the form that vintages are compared with. */
export interface Cut {
  readonly published: Micros
  readonly recorded: Micros
  /** Code of the tag; -1 for any. */
  readonly wanted: number
}

export function cutOf({ asOf, knownAt, version }: Pick<ViewRequest, 'asOf' | 'knownAt' | 'version'>): Cut {
  return {
    published: asOf === null ? Number.POSITIVE_INFINITY : microsOf(asOf),
    recorded: knownAt === null ? Number.POSITIVE_INFINITY : microsOf(knownAt),
    wanted: version === null ? -1 : versionTags.indexOf(version),
  }
}

export class SeriesSnapshot {
  readonly id: string
  readonly frequency: Frequency
  /** Approximate bytes. */
  readonly size: number
  readonly #period: PackedNumbers
  readonly #tag: Uint8Array
  readonly #published: PackedNumbers
  readonly #recorded: PackedNumbers
  readonly #values: string
  readonly #valueEnds: PackedNumbers
  readonly #flags: ReadonlyMap<number, string>
  #unpacked: {
    readonly periods: WeakRef<SeriesHistory['periods']>
    readonly ordinals: WeakRef<SeriesHistory['ordinals']>
  } | null = null

  constructor(id: string, frequency: Frequency, rows: readonly VintageRow[]) {
    this.id = id
    this.frequency = frequency
    this.#period = new PackedNumbers(rows.map(row => row.period))
    this.#tag = Uint8Array.from(rows, row =>
      row.value === null ? withdrawn : versionTags.indexOf(row.tag as VersionTag),
    )
    this.#published = new PackedNumbers(rows.map(row => row.published))
    this.#recorded = new PackedNumbers(rows.map(row => row.recorded))
    let end = 0
    const valueEnds: number[] = []
    const pieces: string[] = []
    const flags = new Map<number, string>()
    rows.forEach(({ value, flag }, i) => {
      pieces.push(value ?? '')
      end += value?.length ?? 0
      valueEnds.push(end)
      if (flag !== null) flags.set(i, flag)
    })
    this.#values = Buffer.from(pieces.join(''), 'latin1').toString('latin1')
    this.#valueEnds = new PackedNumbers(valueEnds)
    this.#flags = flags
    const columns = [this.#period, this.#published, this.#recorded, this.#valueEnds]
    const packed = columns.reduce((sum, { size }) => sum + size, this.#tag.byteLength)
    this.size = 600 + packed + end + flags.size * 60
  }

  get length(): number {
    return this.#period.length
  }

  /**
   * One row per period that has a value inside the cuts: the newest vintage, or the newest with the tag. Its first rows are often
   * those of another view, and are then shared with it: a cut in the past changes only the end.
   */
  view(request: ViewRequest, other: SeriesView | null = null): SeriesView {
    const chosen: number[] = []
    const cut = cutOf(request)
    for (const [from, to] of this.groups()) {
      const place = this.choose(from, to, cut)
      if (place >= 0) chosen.push(place)
    }
    const isUsual = request.summaryDate === null
    const beginning = isUsual && other !== null ? other.beginningOf(chosen) : null
    const ordinals = Int32Array.from(chosen, place => this.#period.at(place))
    return new SeriesView({
      frequency: this.frequency,
      newestRecorded: this.newestRecorded,
      ordinals: beginning === null ? ordinals : sameBeginning(beginning.view.ordinals, ordinals),
      rows: chosen.slice(beginning?.count ?? 0).map(place => this.#writeRow(place, request.summaryDate)),
      chosen: isUsual ? chosen : [],
      beginning,
    })
  }

  /** Values of the newest periods inside the cuts, ascending. */
  newestValues(cuts: Pick<ViewRequest, 'asOf' | 'knownAt'>, most: number): NewestValue[] {
    const cut = cutOf({ ...cuts, version: null })
    const values: NewestValue[] = []
    for (let to = this.length; to > 0 && values.length < most; ) {
      let from = to - 1
      while (from > 0 && this.#period.at(from - 1) === this.#period.at(from)) from--
      const place = this.choose(from, to, cut)
      if (place >= 0)
        values.push({
          period: formatPeriod({ frequency: this.frequency, ordinal: this.#period.at(place) }),
          value: this.#value(place),
          versionTag: versionTags[this.#tag[place]!]!,
          publishedAt: instantOfMicros(this.#published.at(place)),
        })
      to = from
    }
    return values.reverse()
  }

  /** Every vintage known by then, grouped by period: one slice of bytes for each period. */
  vintages(knownAt: Instant | null): RowsView {
    const recorded = knownAt === null ? Number.POSITIVE_INFINITY : microsOf(knownAt)
    if (this.length > limits.usual.vintages) return this.#unencoded(recorded)
    const rows: string[] = []
    const ordinals: number[] = []
    for (const [from, to] of this.groups()) {
      const lines: string[] = []
      for (let i = from; i < to; i++) if (this.#recorded.at(i) <= recorded) lines.push(this.#writeVintage(i))
      if (lines.length === 0) continue
      rows.push(lines.join(','))
      ordinals.push(this.#period.at(from))
    }
    return new SeriesView({
      frequency: this.frequency,
      newestRecorded: this.newestRecorded,
      ordinals: Int32Array.from(ordinals),
      rows,
      chosen: [],
      beginning: null,
    })
  }

  /** Vintages in a form that encodes none before it is requested: there are very many. */
  #unencoded(recorded: Micros): RowsView {
    const ordinals: number[] = []
    const groups: (readonly number[])[] = []
    for (const [from, to] of this.groups()) {
      const known: number[] = []
      for (let i = from; i < to; i++) if (this.#recorded.at(i) <= recorded) known.push(i)
      if (known.length === 0) continue
      groups.push(known)
      ordinals.push(this.#period.at(from))
    }
    return {
      frequency: this.frequency,
      newestRecorded: this.newestRecorded,
      ordinals: Int32Array.from(ordinals),
      size: 400 + ordinals.length * 60 + this.length * 8,
      stopWithin: (from, to) => {
        let count = 0
        for (let i = from; i < to; i++) {
          count += groups[i]!.length
          if (count > limits.usual.vintages) return Math.max(i, from + 1)
        }
        return to
      },
      slices: (from, to) => {
        const lines = groups.slice(from, to).flatMap(group => group.map(i => this.#writeVintage(i)))
        return lines.length === 0 ? [] : [Buffer.from(lines.join(','))]
      },
    }
  }

  /** First place from which at most so many vintages follow: at the start of a period, unless one period alone has more. */
  #placeOfNewest(most: number): number {
    const least = Math.max(0, this.length - most)
    let place = least
    while (place > 0 && place < this.length && this.#period.at(place) === this.#period.at(place - 1)) place++
    return place === this.length ? least : place
  }

  /**
   * Every vintage, by period, then by publication, then by recording: for charts. Of very many, only those of the newest periods.
   */
  columns(): VintageColumns {
    const first = this.#placeOfNewest(limits.drawnVintages)
    const rows = Array.from({ length: this.length - first }, (_, i) => first + i)
    const write = remembering(instantOfMicros)
    const periods: string[] = []
    const period = rows.map(i => {
      if (i === first || this.#period.at(i) !== this.#period.at(i - 1))
        periods.push(formatPeriod({ frequency: this.frequency, ordinal: this.#period.at(i) }))
      return periods.length - 1
    })
    return {
      omitted: first,
      periods,
      period,
      value: rows.map(i => (this.#tag[i] === withdrawn ? null : this.#value(i))),
      tag: rows.map(i => (this.#tag[i] === withdrawn ? null : versionTags[this.#tag[i]!]!)),
      publishedAt: rows.map(i => write(this.#published.at(i))),
      recordedAt: rows.map(i => write(this.#recorded.at(i))),
      flag: rows.map(i => this.#flags.get(i) ?? null),
    }
  }

  /** Recording instant of the newest vintage: the version of the data. */
  get newestRecorded(): Instant {
    return instantOfMicros(Math.max(0, this.#recorded.greatest))
  }

  /** History in the form the engine needs. Agreements that read it share its vintages while one of them is in memory. */
  history(header: SeriesHeader): SeriesHistory {
    const periods = this.#unpacked?.periods.deref()
    const ordinals = this.#unpacked?.ordinals.deref()
    if (periods !== undefined && ordinals !== undefined) return { ...header, periods, ordinals }
    const unpacked = this.#unpack()
    this.#unpacked = { periods: new WeakRef(unpacked.periods), ordinals: new WeakRef(unpacked.ordinals) }
    return { ...header, ...unpacked }
  }

  #unpack(): Pick<SeriesHistory, 'periods' | 'ordinals'> {
    const write = remembering(instantOfMicros)
    const periods = new Map<number, readonly Vintage[]>()
    const ordinals: number[] = []
    for (const [from, to] of this.groups()) {
      const vintages: Vintage[] = []
      for (let i = from; i < to; i++) vintages.push(this.#vintage(i, write))
      periods.set(this.#period.at(from), vintages)
      ordinals.push(this.#period.at(from))
    }
    return { periods, ordinals }
  }

  /** Places of the vintages of each period: from, and up to but not including. */
  *groups(): Iterable<readonly [number, number]> {
    let from = 0
    while (from < this.length) {
      const period = this.#period.at(from)
      let to = from + 1
      while (to < this.length && this.#period.at(to) === period) to++
      yield [from, to]
      from = to
    }
  }

  /** Place of the vintage that counts inside the cut, among those of a period; -1 where there is none. */
  choose(from: number, to: number, { published, recorded, wanted }: Cut): number {
    let isNewest = true
    for (let i = to - 1; i >= from; i--) {
      if (this.#published.at(i) > published || this.#recorded.at(i) > recorded) continue
      // A withdrawal removes the period under every version.
      if (isNewest && this.#tag[i] === withdrawn) return -1
      isNewest = false
      if (this.#tag[i] !== withdrawn && (wanted < 0 || this.#tag[i] === wanted)) return i
    }
    return -1
  }

  ordinalAt(i: number): number {
    return this.#period.at(i)
  }

  publishedAt(i: number): Micros {
    return this.#published.at(i)
  }

  recordedAt(i: number): Micros {
    return this.#recorded.at(i)
  }

  /** Null where the period was withdrawn. */
  tagAt(i: number): VersionTag | null {
    return versionTags[this.#tag[i]!] ?? null
  }

  valueAt(i: number): string | null {
    return this.#tag[i] === withdrawn ? null : this.#value(i)
  }

  #value(i: number): string {
    return this.#values.slice(i === 0 ? 0 : this.#valueEnds.at(i - 1), this.#valueEnds.at(i))
  }

  #date(i: number): string {
    return formatDay(firstDayOf({ frequency: this.frequency, ordinal: this.#period.at(i) }))
  }

  #writeRow(i: number, summaryDate: string | null): string {
    const tag = versionTags[this.#tag[i]!]
    if (summaryDate === null)
      return `{"asOfDate":"${this.#date(i)}T00:00:00.000Z","value":"${this.#value(i)}","versionTag":"${tag}"}`
    const period = formatPeriod({ frequency: this.frequency, ordinal: this.#period.at(i) })
    return `{"period":"${period}","value":"${this.#value(i)}","version":"${tag}","asOf":"${summaryDate}"}`
  }

  #writeVintage(i: number): string {
    const isWithdrawn = this.#tag[i] === withdrawn
    return JSON.stringify({
      asOfDate: `${this.#date(i)}T00:00:00.000Z`,
      value: isWithdrawn ? null : this.#value(i),
      versionTag: isWithdrawn ? null : versionTags[this.#tag[i]!],
      flag: this.#flags.get(i) ?? null,
      publishedAt: instantOfMicros(this.#published.at(i)),
      recordedAt: instantOfMicros(this.#recorded.at(i)),
    })
  }

  #vintage(i: number, write: (micros: Micros) => Instant): Vintage {
    const isWithdrawn = this.#tag[i] === withdrawn
    return {
      value: isWithdrawn ? null : this.#value(i),
      tag: isWithdrawn ? null : versionTags[this.#tag[i]!]!,
      flag: this.#flags.get(i) ?? null,
      publishedAt: write(this.#published.at(i)),
      recordedAt: write(this.#recorded.at(i)),
    }
  }
}

/** Vintages published or recorded together share an instant: each is written once. */
function remembering(write: (micros: Micros) => Instant): (micros: Micros) => Instant {
  const known = new Map<Micros, Instant>()
  return micros => {
    const found = known.get(micros) ?? write(micros)
    known.set(micros, found)
    return found
  }
}

/** `wanted`, as a part of `there` if it is contained in it. */
function sameBeginning(there: Int32Array, wanted: Int32Array): Int32Array {
  return wanted.every((number, i) => number === there[i]) ? there.subarray(0, wanted.length) : wanted
}
