// One series with everything a page shows of it: every vintage in columns, where it comes from, what it was called, which
// formulas read it, and what waits for a person.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { providers } from '../../providers/catalogue.ts'
import { publicScope, withWorkspace } from '../../storage/database.ts'
import type { VisibleSeries } from '../../storage/series.ts'
import { readDescription } from '../../storage/series-heads.ts'
import { quarantineOf } from './quarantine.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { readRows } from './series-list.ts'
import { readersOf, stateFor, visibleSeries } from './visibility.ts'
import type { SeriesPage } from './wire/series.ts'

/** Refuses what the person does not see in the words for what is not there. */
export async function readSeriesPage(parts: ConsoleParts, seat: Seat, id: string): Promise<SeriesPage> {
  const { library, installation } = parts
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const found = visibleSeries(seat, index, readers).find(each => each.id === id)
  if (found === undefined) throw new Refusal('not-found', 'there is no such series in this workspace')
  const held = await library.series(seat.workspace.id, found)
  const [row] = await readRows(parts, seat, [found], readers)
  const description = await withWorkspace(installation.sql, seat.workspace.id, tx =>
    readDescription(tx, found.owner, id),
  )
  return {
    series: row!,
    description,
    source: sourceOf(found),
    metadata: namesOf(found),
    vintages: held.snapshot.columns(),
    formulas: (readers.get(id) ?? [])
      .slice(0, limits.seriesReaders)
      .map(pam => ({ slug: pam.slug, name: stateFor(seat, pam)!.name })),
    ...(await quarantineOf(parts, seat, found)),
  }
}

function sourceOf({ owner, provider }: VisibleSeries): SeriesPage['source'] {
  if (owner !== publicScope || provider === 'CUSTOM') return null
  const { title, terms, home } = providers[provider]
  return { name: title, terms, home }
}

/** Versions that say the same of name and unit are one. */
function namesOf({ metadata }: VisibleSeries): SeriesPage['metadata'] {
  return metadata
    .filter(({ name, unit }, i) => i === 0 || name !== metadata[i - 1]!.name || unit !== metadata[i - 1]!.unit)
    .map(({ recordedAt, name, unit }) => ({ recordedAt, name, unit }))
}
