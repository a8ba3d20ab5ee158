// One series with everything on its page: every vintage in columns, its origins, its earlier names, the agreements that read it,
// and figures that wait for a person.
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { providers } from '../../../providers/catalogue/catalogue.ts'
import type { CachedSeries } from '../../../read/series/cached-series.ts'
import type { VintageColumns } from '../../../read/series/series-snapshot.ts'
import { publicScope, withWorkspace } from '../../../storage/postgres/database.ts'
import { loadDescription } from '../../../storage/series/series-heads.ts'
import type { VisibleSeries } from '../../../storage/series/visible-series.ts'
import { readNames } from '../../../views/agreements/opened-agreement.ts'
import { alarmsBySeries } from '../../../views/due.ts'
import { originView } from '../../../views/series/origin-view.ts'
import { readRows } from '../../../views/series/series-list.ts'
import type { SeriesPage, UploadView } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import { findVisible, readersOf, stateFor } from '../../../views/sight/visibility.ts'
import { quarantineOf } from './quarantine.ts'

/** Reads the page. An invisible series is refused with the same message as one that does not exist. */
export async function readSeriesPage(parts: ViewContext, seat: Seat, id: string): Promise<SeriesPage> {
  const { library, installation } = parts
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const found = findVisible(seat, index, readers, id)
  if (found === undefined) throw new Refusal('not-found', 'there is no such series in this workspace')
  const cached = await library.series(seat.workspace.id, found)
  const vintages = cached.snapshot.columns()
  const [row] = await readRows(parts, seat, [found], { readers, alarms: await alarmsBySeries(parts, seat) })
  const description = await withWorkspace(installation.sql, seat.workspace.id, tx =>
    loadDescription(tx, found.owner, id),
  )
  return {
    series: row!,
    description,
    source: sourceOf(found),
    uploads: uploadsOf(cached, vintages, await readNames(parts, seat)),
    metadata: namesOf(found),
    vintages,
    agreements: (readers.get(id) ?? [])
      .slice(0, limits.seriesReaders)
      .map(agreement => ({ slug: agreement.slug, name: stateFor(seat, agreement)!.name })),
    ...(await quarantineOf(parts, seat, found)),
  }
}

/** Uploads behind the drawn values; public series have none. */
function uploadsOf(
  { originOf }: CachedSeries,
  { recordedAt }: VintageColumns,
  names: ReadonlyMap<string, string>,
): UploadView[] {
  return [...new Set(recordedAt)]
    .sort()
    .reverse()
    .flatMap(instant => {
      const origin = originView(originOf(instant), names)
      return origin !== null && 'upload' in origin && origin.upload !== null ? [origin.upload] : []
    })
}

function sourceOf({ owner, provider }: VisibleSeries): SeriesPage['source'] {
  if (owner !== publicScope || provider === 'CUSTOM') return null
  const { title, shortTitle, terms, home } = providers[provider]
  return { name: title, shortName: shortTitle, terms, home }
}

/** Names and units over time; versions with equal ones are merged. */
function namesOf({ metadata }: VisibleSeries): SeriesPage['metadata'] {
  return metadata
    .filter(({ name, unit }, i) => i === 0 || name !== metadata[i - 1]!.name || unit !== metadata[i - 1]!.unit)
    .map(({ recordedAt, name, unit }) => ({ recordedAt, name, unit }))
}
