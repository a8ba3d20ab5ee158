// The histories a document reads, in the form the engine needs, cached for a short time: a preview is requested at every keystroke,
// and unpacking a long series takes longer than computing with it. Newly published histories are unpacked again.
import type { SeriesData } from '../../core/formula/bind.ts'
import { seriesOf } from '../../core/formula/check/check-inputs.ts'
import type { Formula } from '../../core/formula/formula.ts'
import type { SeriesHistory } from '../../core/series/series.ts'
import type { Library } from '../../read/library.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { Memory } from '../../read/memory/memory.ts'
import type { SeriesSnapshot } from '../../read/series/series-snapshot.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { Seat } from '../sight/seat.ts'
import { readersOf } from '../sight/visibility.ts'

interface Unpacked {
  readonly snapshot: SeriesSnapshot
  /** Place of its newest description in the sequence. */
  readonly metadataSeq: number
  readonly history: SeriesHistory
}

/** Bytes of one unpacked vintage with its period. */
const bytesPerVintage = 250

export class Histories {
  readonly #library: Library
  readonly #memory: Memory<Unpacked>

  constructor(library: Library, mostBytes: number) {
    this.#library = library
    this.#memory = new Memory(mostBytes)
  }

  /** Series that a formula names; series this person does not see are left out, as if they did not exist. */
  async read(seat: Seat, index: CachedIndex, { inputs }: Formula): Promise<SeriesData> {
    const references = new Set(seriesOf(inputs).map(({ series }) => series))
    const readers = seat.role === 'supplier' ? await readersOf(seat, this.#library, index) : null
    const data = new Map<string, SeriesHistory>()
    for (const reference of references) {
      const series = index.findByReference(reference)
      if (series === undefined || (readers !== null && !readers.has(series.id))) continue
      data.set(reference, await this.#history(seat.workspace.id, series, reference))
    }
    return data
  }

  async #history(workspaceId: string, series: VisibleSeries, reference: string): Promise<SeriesHistory> {
    const { snapshot } = await this.#library.series(workspaceId, series)
    const key = `${workspaceId} ${reference}`
    const known = this.#memory.get(key)
    const { seq, name, unit, frequency } = series.metadata.at(-1)!
    if (known?.snapshot === snapshot && known.metadataSeq === seq) return known.history
    const history = snapshot.history({ reference, name, unit, frequency })
    const size = 1_000 + snapshot.length * bytesPerVintage
    this.#memory.set(key, { snapshot, metadataSeq: seq, history }, size)
    return history
  }
}
