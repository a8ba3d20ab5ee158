// Series that stand still while their family moves: how far each is behind its siblings, and which fell back.
import { formatPeriod, periodOf } from '../../core/time/period.ts'
import { loadPublicSeriesReleases } from '../../storage/series/calendar.ts'
import { type DriftPart, loadShapes, saveShape, settleDrift } from '../../storage/series/drift.ts'
import { listPublicSeries, type PublicSeries } from '../../storage/series/public-series.ts'
import { familyOf, placesIn, type SeriesLag } from './places.ts'
import type { SeriesShape } from './series-signs.ts'
import type { Sign } from './sign.ts'
import { fingerprintOf, raise, type Watching } from './watch.ts'

export async function watchFamilies(watching: Watching): Promise<void> {
  const { sql, provider, now } = watching
  const series = await listPublicSeries(sql, { provider: provider.name })
  const releases = await loadPublicSeriesReleases(
    sql,
    series.map(({ id }) => id),
  )
  const families = Map.groupBy(series, ({ id, code }) => familyOf(provider, code) ?? releases.get(id) ?? '')
  families.delete('')
  const codes = [...families.values()].flat().map(({ code }) => code)
  const shapes = await loadShapes<SeriesShape>(sql, provider.name, 'series', codes)
  const parts: DriftPart[] = []
  const calm: string[] = []
  for (const [family, own] of families) {
    const places = placesIn(
      own.map(({ code, frequency, newestPeriod: newest }) => {
        return { code, frequency, newest, behind: shapes.get(code)?.behind ?? null }
      }),
    )
    for (const { code, behind } of places) {
      const shape = shapes.get(code)
      const isNews = shape !== undefined && (shape.behind === null || behind < shape.behind)
      if (isNews) await saveShape(sql, provider.name, { kind: 'series', about: code, shape: { ...shape, behind } }, now)
    }
    const left = places.filter(({ isLeftBehind }) => isLeftBehind)
    if (left.length > 0) parts.push(partOf(family, left, own, shapes))
    else calm.push(placeOf(family))
  }
  await settleDrift(sql, provider.name, 'values', calm, now)
  if (parts.length > 0) await raise(sql, provider.name, 'values', parts, now)
}

const placeOf = (family: string) => `family ${family}`

function partOf(
  family: string,
  left: readonly SeriesLag[],
  own: readonly PublicSeries[],
  shapes: ReadonlyMap<string, SeriesShape>,
): DriftPart {
  const signs = left.map(
    ({ code, behind }): Sign => ({
      kind: 'standing-still',
      words: `${code} stands still: its family is ${behind} periods ahead`,
    }),
  )
  const lines = left.map(({ code, behind }) => {
    const { frequency, newestPeriod } = own.find(each => each.code === code)!
    const name = (ordinal: number) => formatPeriod(periodOf(frequency, ordinal))
    return {
      what: `Newest period of ${code}`,
      before: `family: ${name(newestPeriod! + behind)}`,
      after: name(newestPeriod!),
    }
  })
  return {
    place: placeOf(family),
    signs,
    lines,
    series: left.map(({ code }) => code),
    // The fingerprint leaves out the distance, which grows the longer the series stands still.
    fingerprint: fingerprintOf(
      placeOf(family),
      left.map(({ code }) => ({ kind: 'standing-still', words: code })),
    ),
    shapes: left.flatMap(({ code, behind }) => {
      const shape = shapes.get(code)
      return shape === undefined ? [] : [{ kind: 'series' as const, about: code, shape: { ...shape, behind } }]
    }),
  }
}
