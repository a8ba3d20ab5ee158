// Which vintage counts inside the cuts, decided five ways: by the rule as it is written in the contract (here), by core, by
// the packed series that answers come from, by the list of vintages, and by the pages. They agree at every instant.
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import type { VersionTag, Vintage } from '../../src/core/series/series.ts'
import { buildHistory, type Cuts, newest, selectVintage, vintagesInside } from '../../src/core/series/vintage.ts'
import { type Instant, instantOfMicros } from '../../src/core/time/instant.ts'
import { formatPeriod, parsePeriod } from '../../src/core/time/period.ts'
import { SeriesSnapshot } from '../../src/read/series/series-snapshot.ts'
import type { VintageRow } from '../../src/storage/series/series.ts'
import { cutAt, hasValue, readAsOf, readHistory } from '../../web/pages/series/series/vintages.ts'
import { drawnCut, drawnRows, drawnTag } from '../support/agreements/vintage-draws.ts'

interface VersionCuts extends Cuts {
  readonly version: VersionTag | null
}

/** By period: the digits and the tag that count. */
type Counting = Readonly<Record<string, readonly [value: string, tag: VersionTag]>>

const header = { reference: 'CUSTOM/a', name: 'a', unit: '', frequency: 'MONTHLY' } as const
const labelOf = (ordinal: number) => formatPeriod({ frequency: 'MONTHLY', ordinal })

/** C8 to C10 and C12, over the rows in their order. */
function byTheContract(rows: readonly VintageRow[], { asOf, knownAt, version }: VersionCuts): Counting {
  const counting: Record<string, [string, VersionTag]> = {}
  for (const period of new Set(rows.map(row => row.period))) {
    const inside = rows.filter(
      row =>
        row.period === period &&
        (asOf === null || instantOfMicros(row.published) <= asOf) &&
        (knownAt === null || instantOfMicros(row.recorded) <= knownAt),
    )
    if (inside.at(-1)?.value == null) continue
    const found = inside.findLast(({ value, tag }) => value !== null && (version === null || tag === version))
    if (found !== undefined) counting[labelOf(period)] = [found.value!, found.tag as VersionTag]
  }
  return counting
}

function byCore(rows: readonly VintageRow[], { version, ...cuts }: VersionCuts): Counting {
  const counting: Record<string, [string, VersionTag]> = {}
  const { periods } = buildHistory(
    header,
    Map.groupBy(rows.map(vintageOf), ({ period }) => period),
  )
  for (const [ordinal, vintages] of periods) {
    const found = selectVintage(vintagesInside(vintages, cuts), { ...newest, tag: version })
    if (found !== undefined) counting[labelOf(ordinal)] = [found.value, found.tag]
  }
  return counting
}

function vintageOf({
  period,
  value,
  tag,
  flag,
  published,
  recorded,
}: VintageRow): Vintage & { readonly period: number } {
  const [publishedAt, recordedAt] = [instantOfMicros(published), instantOfMicros(recorded)]
  return { period, value, tag: tag as VersionTag | null, flag, publishedAt, recordedAt }
}

function byThePackedSeries(snapshot: SeriesSnapshot, cuts: VersionCuts): Counting {
  const view = snapshot.view({ ...cuts, summaryDate: null })
  const rows = JSON.parse(`[${view.slice(0, view.ordinals.length)}]`) as {
    readonly asOfDate: string
    readonly value: string
    readonly versionTag: VersionTag
  }[]
  return Object.fromEntries(rows.map(({ asOfDate, value, versionTag }) => [asOfDate.slice(0, 7), [value, versionTag]]))
}

/** The pages know no `knownAt` and no version. */
function byThePages(snapshot: SeriesSnapshot, asOf: Instant | null): Counting {
  const history = readHistory(snapshot.columns(), 'MONTHLY')
  const cut = cutAt(history, readAsOf(asOf ?? undefined))
  const places = history.labels.map((_, place) => place).filter(place => hasValue(history, cut, place))
  return Object.fromEntries(
    places.map(place => [history.labels[place]!, [history.value[cut[place]!]!, history.tag[cut[place]!]!]]),
  )
}

interface ListedVintage {
  readonly asOfDate: string
  readonly value: string | null
  readonly versionTag: VersionTag | null
  readonly publishedAt: Instant
  readonly recordedAt: Instant
}

/** Every vintage that was known by then, as it is listed. */
function byTheList(snapshot: SeriesSnapshot, knownAt: Instant | null): readonly object[] {
  const view = snapshot.vintages(knownAt)
  const rows = JSON.parse(`[${Buffer.concat(view.slices(0, view.ordinals.length))}]`) as ListedVintage[]
  return rows.map(({ asOfDate, value, versionTag: tag, publishedAt, recordedAt }) => ({
    period: parsePeriod(asOfDate.slice(0, 7))!.ordinal,
    value,
    tag,
    flag: null,
    publishedAt,
    recordedAt,
  }))
}

/** Throws at the first history on which two of them differ. */
export function checkCuts(numRuns: number): void {
  fc.assert(
    fc.property(drawnRows, drawnCut, drawnCut, fc.option(drawnTag, { freq: 2 }), (rows, asOf, knownAt, version) => {
      const cuts = { asOf, knownAt, version }
      const expected = byTheContract(rows, cuts)
      deepStrictEqual(byCore(rows, cuts), expected, 'core')
      const snapshot = new SeriesSnapshot('ser_x', 'MONTHLY', rows)
      deepStrictEqual(byThePackedSeries(snapshot, cuts), expected, 'the packed series')
      deepStrictEqual(
        byThePages(snapshot, asOf),
        byTheContract(rows, { asOf, knownAt: null, version: null }),
        'the pages',
      )
      const known = rows.map(vintageOf).filter(({ recordedAt }) => knownAt === null || recordedAt! <= knownAt)
      deepStrictEqual(byTheList(snapshot, knownAt), known, 'the list of vintages')
    }),
    { numRuns },
  )
}
