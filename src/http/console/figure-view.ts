// A figure that moved, as the pages show it: what the series is called, its period, both values and where the new one comes from.
import type { ChangedFigure } from '../../core/causes.ts'
import { periodOf, writePeriod } from '../../core/period.ts'
import type { CachedIndex } from '../../read/cached-index.ts'
import type { Gathered } from '../../read/gathered.ts'
import { originView } from './origin-view.ts'
import { seriesNamed } from './series-named.ts'
import type { MovedFigureView } from './wire/causes.ts'

export interface FigureNames {
  readonly index: CachedIndex
  readonly gathered: Gathered
  /** Of people, by their addresses. */
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
    period: writePeriod(periodOf(data.get(series)!.frequency, ordinal)),
    before: before?.value ?? null,
    after: after.value,
    tag: after.tag,
    publishedAt: after.publishedAt,
    origin: originView(originOf(series, after.recordedAt), people),
  }
}
