// Missing figures: each is one, however many agreements wait for it and however each of them names its series.
import type { Gap } from '../core/calculation/gap.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'

interface MissingFigure {
  /** Equal for everybody who waits for it. */
  readonly key: string
  /** Undefined for a series that is no longer in the workspace. */
  readonly series: VisibleSeries | undefined
  /** Name of the series. */
  readonly name: string
  readonly period: string
  /** Words for the missing figure, and without the period where that is shown beside them. */
  readonly words: { readonly alone: string; readonly besidePeriod: string }
}

/** The missing figure of a gap; null where an agreement waits for something else. */
export function missingFigure(index: CachedIndex, gap: Gap): MissingFigure | null {
  if (gap.series === null) return null
  const { kind, period, stage } = gap
  const series = index.findByReference(gap.series)
  const reference = series === undefined ? gap.series : `${series.provider}/${series.code}`
  const named = [reference, period, ...(kind === 'value' ? [] : [kind]), ...(stage === null ? [] : [stage])]
  const value = stage === null ? 'value' : `${stage} value`
  const words = {
    value: { alone: `has no ${value} for ${period}`, besidePeriod: `has no ${value} yet` },
    window: { alone: `has too few values for ${period}`, besidePeriod: 'has too few values yet' },
    publication: { alone: `had nothing published by ${period}`, besidePeriod: 'had nothing published by then' },
  }
  const name = series?.metadata.at(-1)?.name ?? reference
  return { key: named.join(' '), series, name, period, words: words[kind] }
}
