// The series that an agreement reads, by the names its documents use. The caller decides whether each comes from memory or from the
// database.
import type { SeriesData } from '../../core/formula/bind.ts'
import type { OriginOf } from '../../core/receipt/receipt.ts'
import type { SeriesHistory } from '../../core/series/series.ts'
import { isBy } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { SeriesMetadata, VisibleSeries } from '../../storage/series/visible-series.ts'
import type { CachedSeries } from '../series/cached-series.ts'
import { originsOf, type SeriesOrigin } from '../series/origins.ts'
import type { CachedIndex } from './cached-index.ts'

export interface Gathered {
  readonly data: SeriesData
  readonly originOf: OriginOf
  readonly ids: ReadonlySet<string>
}

/** Metadata of a series as known then; the first version where nothing was known yet. */
export function metadataAt({ metadata }: VisibleSeries, knownAt: Instant | null): SeriesMetadata {
  return metadata.findLast(({ recordedAt }) => isBy(recordedAt, knownAt)) ?? metadata[0]!
}

/** Gathered series; missing ones are left out. */
export async function gatherSeries(
  index: Pick<CachedIndex, 'findByReference'>,
  references: readonly string[],
  knownAt: Instant | null,
  open: (visible: VisibleSeries) => CachedSeries | Promise<CachedSeries>,
): Promise<Gathered> {
  const data = new Map<string, SeriesHistory>()
  const origins = new Map<string, SeriesOrigin>()
  const ids = new Set<string>()
  for (const reference of references) {
    const visible = index.findByReference(reference)
    if (visible === undefined) continue
    const { snapshot, originOf } = await open(visible)
    const { name, unit, frequency } = metadataAt(visible, knownAt)
    ids.add(visible.id)
    origins.set(reference, originOf)
    data.set(reference, snapshot.history({ reference, name, unit, frequency }))
  }
  return { data, originOf: originsOf(origins), ids }
}
