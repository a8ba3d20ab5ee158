// Encoded rows of a series: a slice of them is a slice of bytes.
import type { Instant } from '../../core/time/instant.ts'
import type { Frequency } from '../../core/time/period.ts'
import { PackedNumbers } from '../memory/packed-numbers.ts'

/** Rows of a series, one for each period, answered in slices. */
export interface RowsView {
  readonly frequency: Frequency
  /** Running numbers of the periods, ascending. */
  readonly ordinals: Int32Array
  /** Newest recording in the whole series, whatever the view shows. */
  readonly newestRecorded: Instant
  /** Approximate bytes. */
  readonly size: number
  /** End of a slice that begins at `from`: `to`, or earlier if the rows are very long. */
  stopWithin(from: number, to: number): number
  /** The bytes of rows `from` up to but not including `to`, in pieces. */
  slices(from: number, to: number): readonly Buffer[]
}

interface ViewParts {
  readonly frequency: Frequency
  readonly newestRecorded: Instant
  /** Of all rows, the shared beginning included. */
  readonly ordinals: Int32Array
  /** The rows after the shared beginning. */
  readonly rows: readonly string[]
  /** Vintage shown by each row, the beginning included; empty where a row shows several. */
  readonly chosen: readonly number[]
  readonly beginning: Beginning | null
}

/** First rows of another view, if this one begins with them. */
interface Beginning {
  readonly view: SeriesView
  readonly count: number
}

/** Encoded rows with commas between them, one row for each period. */
export class SeriesView implements RowsView {
  readonly frequency: Frequency
  readonly ordinals: Int32Array
  readonly newestRecorded: Instant
  readonly #beginning: Beginning | null
  readonly #bytes: Buffer
  /** Start of each row in `#bytes`; one more than there are rows. */
  readonly #starts: PackedNumbers
  readonly #chosen: PackedNumbers

  constructor({ frequency, newestRecorded, ordinals, rows, chosen, beginning }: ViewParts) {
    this.frequency = frequency
    this.newestRecorded = newestRecorded
    this.ordinals = ordinals
    this.#beginning = beginning
    this.#chosen = new PackedNumbers(chosen)
    this.#bytes = Buffer.from(rows.join(','))
    const starts = [0]
    let at = 0
    for (const row of rows) {
      at += Buffer.byteLength(row) + 1
      starts.push(at)
    }
    this.#starts = new PackedNumbers(starts)
  }

  /** Approximate bytes, without the view whose beginning it shares. */
  get size(): number {
    const ordinals = this.#beginning?.view.ordinals.buffer === this.ordinals.buffer ? 0 : this.ordinals.byteLength
    return 400 + this.#bytes.length + this.#starts.size + this.#chosen.size + ordinals
  }

  /** Existing part of a view that shows these vintages; null if sharing is not worth it. */
  beginningOf(chosen: readonly number[]): Beginning | null {
    // The last row is left out: no comma follows it.
    const most = Math.min(chosen.length, this.#chosen.length - 1)
    let count = 0
    while (count < most && chosen[count] === this.#chosen.at(count)) count++
    return count * 2 > chosen.length && this.#beginning === null ? { view: this, count } : null
  }

  stopWithin(_from: number, to: number): number {
    return to
  }

  /** The bytes of rows `from` up to but not including `to`. */
  slice(from: number, to: number): Buffer {
    const pieces = this.slices(from, to)
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  }

  /** The bytes in the pieces they are kept in. */
  slices(from: number, to: number): readonly Buffer[] {
    if (to <= from) return []
    const own = this.#beginning?.count ?? 0
    if (from >= own) return [this.#ownRows(from - own, to - own)]
    const { view } = this.#beginning!
    if (to <= own) return view.slices(from, to)
    // The shared part, with the comma after its last row.
    return [view.#bytes.subarray(view.#starts.at(from), view.#starts.at(own)), this.#ownRows(0, to - own)]
  }

  #ownRows(from: number, to: number): Buffer {
    return this.#bytes.subarray(this.#starts.at(from), this.#starts.at(to) - 1)
  }
}
