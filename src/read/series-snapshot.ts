// One series as it is held in memory: every vintage in flat arrays, a tenth of what objects would take. From it come the
// rows of an answer, encoded once, so that a slice of a series is a slice of bytes.

import { writeDay } from '../core/day.ts'
import { type Instant, instantOfMicros, type Micros, microsOf } from '../core/instant.ts'
import { type Frequency, firstDayOf, writePeriod } from '../core/period.ts'
import { type SeriesHeader, type SeriesHistory, type VersionTag, type Vintage, versionTags } from '../core/series.ts'
import type { VintageRow } from '../storage/series.ts'

export interface ViewQuestion {
  readonly asOf: Instant | null
  readonly knownAt: Instant | null
  readonly version: VersionTag | null
  /** The date shown in summary rows; null for the usual rows. */
  readonly summaryDate: string | null
}

/** Which rows of a series: one per period, or every vintage known by an instant. */
export type RowsQuestion = ViewQuestion | { readonly vintagesKnownAt: Instant | null }

const withdrawn = 255

export class SeriesSnapshot {
  readonly id: string
  readonly frequency: Frequency
  /** Bytes this snapshot takes, about. */
  readonly size: number
  readonly #period: Int32Array
  readonly #tag: Uint8Array
  readonly #published: Float64Array
  readonly #recorded: Float64Array
  readonly #values: string
  readonly #valueEnds: Uint32Array
  readonly #flags: ReadonlyMap<number, string>

  constructor(id: string, frequency: Frequency, rows: readonly VintageRow[]) {
    this.id = id
    this.frequency = frequency
    this.#period = Int32Array.from(rows, row => row.period)
    this.#tag = Uint8Array.from(rows, row =>
      row.value === null ? withdrawn : versionTags.indexOf(row.tag as VersionTag),
    )
    this.#published = Float64Array.from(rows, row => row.published)
    this.#recorded = Float64Array.from(rows, row => row.recorded)
    this.#valueEnds = new Uint32Array(rows.length)
    let end = 0
    const pieces: string[] = []
    const flags = new Map<number, string>()
    rows.forEach(({ value, flag }, i) => {
      pieces.push(value ?? '')
      end += value?.length ?? 0
      this.#valueEnds[i] = end
      if (flag !== null) flags.set(i, flag)
    })
    this.#values = Buffer.from(pieces.join(''), 'latin1').toString('latin1')
    this.#flags = flags
    this.size = 400 + rows.length * 25 + end + flags.size * 60
  }

  get length(): number {
    return this.#period.length
  }

  /** One row per period that has a value inside the cuts: the newest vintage, or the newest with the tag. */
  view(question: ViewQuestion): SeriesView {
    const rows = new RowWriter()
    for (const [from, to] of this.#groups()) {
      const chosen = this.#choose(from, to, question)
      if (chosen < 0) continue
      rows.add(this.#period[chosen]!, this.#writeRow(chosen, question.summaryDate))
    }
    return rows.finish(this.frequency, this.newestRecorded)
  }

  /** Every vintage known by then, grouped by period: one slice of bytes for each period. */
  vintages(knownAt: Instant | null): SeriesView {
    const recorded = knownAt === null ? Number.POSITIVE_INFINITY : microsOf(knownAt)
    const rows = new RowWriter()
    for (const [from, to] of this.#groups()) {
      const lines: string[] = []
      for (let i = from; i < to; i++) if (this.#recorded[i]! <= recorded) lines.push(this.#writeVintage(i))
      if (lines.length > 0) rows.add(this.#period[from]!, lines.join(','))
    }
    return rows.finish(this.frequency, this.newestRecorded)
  }

  /** When the newest of its vintages was recorded: the version of the data. */
  get newestRecorded(): Instant {
    return instantOfMicros(this.#recorded.reduce((newest, recorded) => Math.max(newest, recorded), 0))
  }

  /** As the engine takes it. */
  history(header: SeriesHeader): SeriesHistory {
    const periods = new Map<number, readonly Vintage[]>()
    const ordinals: number[] = []
    for (const [from, to] of this.#groups()) {
      const vintages: Vintage[] = []
      for (let i = from; i < to; i++) vintages.push(this.#vintage(i))
      periods.set(this.#period[from]!, vintages)
      ordinals.push(this.#period[from]!)
    }
    return { ...header, periods, ordinals }
  }

  *#groups(): Iterable<readonly [number, number]> {
    let from = 0
    while (from < this.#period.length) {
      let to = from + 1
      while (to < this.#period.length && this.#period[to] === this.#period[from]) to++
      yield [from, to]
      from = to
    }
  }

  #choose(from: number, to: number, { asOf, knownAt, version }: ViewQuestion): number {
    const published: Micros = asOf === null ? Number.POSITIVE_INFINITY : microsOf(asOf)
    const recorded: Micros = knownAt === null ? Number.POSITIVE_INFINITY : microsOf(knownAt)
    const wanted = version === null ? -1 : versionTags.indexOf(version)
    let isNewest = true
    for (let i = to - 1; i >= from; i--) {
      if (this.#published[i]! > published || this.#recorded[i]! > recorded) continue
      // A withdrawal takes the period away under every version.
      if (isNewest && this.#tag[i] === withdrawn) return -1
      isNewest = false
      if (this.#tag[i] !== withdrawn && (wanted < 0 || this.#tag[i] === wanted)) return i
    }
    return -1
  }

  #value(i: number): string {
    return this.#values.slice(i === 0 ? 0 : this.#valueEnds[i - 1]!, this.#valueEnds[i]!)
  }

  #date(i: number): string {
    return writeDay(firstDayOf({ frequency: this.frequency, ordinal: this.#period[i]! }))
  }

  #writeRow(i: number, summaryDate: string | null): string {
    const tag = versionTags[this.#tag[i]!]
    if (summaryDate === null)
      return `{"asOfDate":"${this.#date(i)}T00:00:00.000Z","value":"${this.#value(i)}","versionTag":"${tag}"}`
    const period = writePeriod({ frequency: this.frequency, ordinal: this.#period[i]! })
    return `{"period":"${period}","value":"${this.#value(i)}","version":"${tag}","asOf":"${summaryDate}"}`
  }

  #writeVintage(i: number): string {
    const isWithdrawn = this.#tag[i] === withdrawn
    return JSON.stringify({
      asOfDate: `${this.#date(i)}T00:00:00.000Z`,
      value: isWithdrawn ? null : this.#value(i),
      versionTag: isWithdrawn ? null : versionTags[this.#tag[i]!],
      flag: this.#flags.get(i) ?? null,
      publishedAt: instantOfMicros(this.#published[i]!),
      recordedAt: instantOfMicros(this.#recorded[i]!),
    })
  }

  #vintage(i: number): Vintage {
    const isWithdrawn = this.#tag[i] === withdrawn
    return {
      value: isWithdrawn ? null : this.#value(i),
      tag: isWithdrawn ? null : versionTags[this.#tag[i]!]!,
      flag: this.#flags.get(i) ?? null,
      publishedAt: instantOfMicros(this.#published[i]!),
      recordedAt: instantOfMicros(this.#recorded[i]!),
    }
  }
}

class RowWriter {
  readonly #ordinals: number[] = []
  readonly #rows: string[] = []

  add(ordinal: number, row: string): void {
    this.#ordinals.push(ordinal)
    this.#rows.push(row)
  }

  finish(frequency: Frequency, newestRecorded: Instant): SeriesView {
    const starts = new Uint32Array(this.#rows.length + 1)
    let at = 0
    this.#rows.forEach((row, i) => {
      starts[i] = at
      at += Buffer.byteLength(row) + 1
    })
    starts[this.#rows.length] = at
    const ordinals = Int32Array.from(this.#ordinals)
    return new SeriesView(frequency, ordinals, Buffer.from(this.#rows.join(',')), starts, newestRecorded)
  }
}

/** Encoded rows with commas between them, one row for each period. */
export class SeriesView {
  readonly frequency: Frequency
  /** The periods' running numbers, ascending. */
  readonly ordinals: Int32Array
  /** Of the whole series, whatever the view shows. */
  readonly newestRecorded: Instant
  readonly #bytes: Buffer
  /** Where each row begins; one more than there are rows. */
  readonly #starts: Uint32Array

  constructor(frequency: Frequency, ordinals: Int32Array, bytes: Buffer, starts: Uint32Array, newestRecorded: Instant) {
    this.frequency = frequency
    this.ordinals = ordinals
    this.#bytes = bytes
    this.#starts = starts
    this.newestRecorded = newestRecorded
  }

  get size(): number {
    return this.#bytes.length + this.#starts.length * 8 + 200
  }

  /** The bytes of rows `from` up to but not including `to`. */
  slice(from: number, to: number): Buffer {
    if (to <= from) return this.#bytes.subarray(0, 0)
    return this.#bytes.subarray(this.#starts[from], this.#starts[to]! - 1)
  }
}
