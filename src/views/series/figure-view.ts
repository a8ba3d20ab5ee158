// A figure that moved, for the pages: the name of its series, its period, both values and the origin of the new one.

import { formatPeriod, periodOf } from '../../core/time/period.ts'
import type { ChangedFigure } from '../../core/true-up/causes.ts'
import type { Gathered } from '../../read/lists/agreement-series.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import type { MovedFigureView } from '../shapes/causes.ts'
import { originView } from './origin-view.ts'
import { seriesNamed } from './series-names.ts'

interface FigureNames {
  readonly index: CachedIndex
  readonly gathered: Gathered
  /** Names of people by address. */
  readonly people: ReadonlyMap<string, string>
}

export function figureView(
  { series, ordinal, before, after }: ChangedFigure,
  { index, gathered: { data, originOf }, people }: FigureNames,
): MovedFigureView {
  const { seriesId, name } = seriesNamed(series, index)
  return {
    reference: series,
    seriesId,
    name: name ?? series,
    period: formatPeriod(periodOf(data.get(series)!.frequency, ordinal)),
    before: before?.value ?? null,
    after: after.value,
    tag: after.tag,
    publishedAt: after.publishedAt,
    recordedAt: after.recordedAt,
    origin: originView(originOf(series, after.recordedAt), people),
  }
}
