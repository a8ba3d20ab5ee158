// One series as the library caches it: its vintages, and the rows that were encoded from them.
import { Cached } from '../memory/answer-book.ts'
import { Recent } from '../memory/recent.ts'
import { Keepable } from '../memory/shelf.ts'
import type { SeriesOrigin } from './origins.ts'
import type { RowsRequest, SeriesSnapshot } from './series-snapshot.ts'
import type { RowsView, SeriesView } from './series-view.ts'

/** Most cuts per series, by last use. */
const mostCuts = 8

export class CachedSeries extends Cached {
  readonly scope: string
  readonly snapshot: SeriesSnapshot
  readonly originOf: SeriesOrigin
  /** View without any cut: the most requested one, whose beginning other views share. */
  #newest: SeriesView | null = null
  /** Views under a cut. */
  readonly #views = new Recent<RowsView>(mostCuts)

  constructor(scope: string, snapshot: SeriesSnapshot, originOf: SeriesOrigin) {
    super()
    this.scope = scope
    this.snapshot = snapshot
    this.originOf = originOf
  }

  view(request: RowsRequest): RowsView {
    if ('vintagesKnownAt' in request)
      return this.#cut(`vintages ${request.vintagesKnownAt}`, () => this.snapshot.vintages(request.vintagesKnownAt))
    const { asOf, knownAt, version, summaryDate } = request
    if (asOf === null && knownAt === null && version === null && summaryDate === null) {
      this.#newest ??= this.snapshot.view(request)
      return this.#newest
    }
    return this.#cut(`${asOf} ${knownAt} ${version} ${summaryDate}`, () => this.snapshot.view(request, this.#newest))
  }

  #cut(key: string, make: () => RowsView): RowsView {
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const view = make()
    this.#views.set(key, view)
    return view
  }

  get size(): number {
    let total = this.snapshot.size + (this.#newest?.size ?? 0)
    for (const view of this.#views.values()) total += view.size
    return total + this.answersSize
  }
}

/** A series with more vintages than are read here. */
export class HeavySeries extends Keepable {
  readonly scope: string
  readonly size = 200

  constructor(scope: string) {
    super()
    this.scope = scope
  }
}
