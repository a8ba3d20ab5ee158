// What becomes a vintage, and with which tag (C12): the rule is in core; SQL decides it for whole files and the refresh
// of public series by itself, and lists read its outcome in SQL. All of them are compared with core over random
// histories, in which a publication may be the very instant at which something was recorded.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { VersionTag, Vintage } from '../../src/core/series/series.ts'
import {
  type Mark,
  newest,
  type Statement,
  selectVintage,
  vintagesInside,
  withStatements,
} from '../../src/core/series/vintage.ts'
import { type Instant, instantOfMicros, microsOf, startOfDay } from '../../src/core/time/instant.ts'
import { formatPeriod, parsePeriod } from '../../src/core/time/period.ts'
import { compareSeries } from '../../src/ingest/compare.ts'
import { SeriesSnapshot } from '../../src/read/series/series-snapshot.ts'
import { appending } from '../../src/storage/log/append.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { loadRecentChanges } from '../../src/storage/series/recent-changes.ts'
import { loadVintages } from '../../src/storage/series/series.ts'
import { loadSeriesHeads } from '../../src/storage/series/series-heads.ts'
import { loadSeriesOverview } from '../../src/storage/series/series-overview.ts'
import { type StagedRow, withStaging } from '../../src/storage/series/staging.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { drawnTag, drawnValue, instantAt } from '../support/agreements/vintage-draws.ts'
import { ownHouse } from '../support/houses/house.ts'
import { insertSeries, makeWorkspace } from '../support/houses/workspace.ts'
import { roundsOf } from '../support/run/long-form.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const firstPeriod = parsePeriod('2024-01')!.ordinal
const periods = 3
const histories = 300
const files = 4

/** A row of a file. Its publication is a place among instants, the recording of the file before, or left open. */
interface DrawnRow {
  readonly period: number
  readonly value: string | null
  readonly tag: VersionTag | null
  readonly published: number | 'recorded before' | null
}

const row: fc.Arbitrary<DrawnRow> = fc
  .record({
    period: fc.integer({ min: firstPeriod, max: firstPeriod + periods - 1 }),
    value: drawnValue,
    tag: fc.option(drawnTag, { freq: 2 }),
    published: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
      { weight: 1, arbitrary: fc.constantFrom('recorded before' as const, null) },
    ),
  })
  .map(drawn => ({ ...drawn, tag: drawn.value === null ? null : drawn.tag }))

/** One row for each period and publication, and now and then the same row again. */
const file: fc.Arbitrary<readonly DrawnRow[]> = fc
  .uniqueArray(row, { selector: ({ period, published }) => `${period} ${published}`, maxLength: 7 })
  .chain(rows => fc.boolean().map(isTwice => (isTwice ? [...rows, ...rows.slice(0, 2).map(respelled)] : rows)))

/** The same number in other digits. */
function respelled({ value, ...rest }: DrawnRow): DrawnRow {
  return { ...rest, value: value === null ? null : value.includes('.') ? `${value}0` : `${value}.0` }
}

const history = fc.array(file, { minLength: files, maxLength: files })

interface Given {
  readonly period: number
  readonly said: Omit<Statement, 'recordedAt'> & { readonly publishedAt: Instant }
}

/** The vintages of one series by period, as core would have them. */
type Held = Map<number, readonly Vintage[]>

function takeFile(held: Held, rows: readonly Given[], recordedAt: Instant): void {
  for (const [period, given] of Map.groupBy(rows, each => each.period))
    held.set(
      period,
      withStatements(
        held.get(period) ?? [],
        given.map(({ said }) => ({ ...said, recordedAt })),
      ),
    )
}

let workspace: Workspace
let ids: string[]
let drawn: readonly (readonly (readonly DrawnRow[])[])[]
/** When each file was recorded. */
const recordings: Instant[] = []
const expected: Held[] = []

const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
  drawn = fc.sample(history, histories)
  ids = drawn.map(() => makeIdentifier('ser'))
  await appending(db.sql, workspace.id, async (tx, log) => {
    for (const [i, id] of ids.entries()) await insertSeries(tx, log, id, `series-${i}`)
  })
  for (const _ of drawn) expected.push(new Map())
  for (let number = 0; number < files; number++) await publishFiles(number)
})

/** The file of this number of every history in one publication. */
async function publishFiles(number: number): Promise<void> {
  const before = recordings.at(-1) ?? instantAt(5)
  const publishedAt = ({ published }: DrawnRow) =>
    published === null ? null : published === 'recorded before' ? before : instantAt(published)
  const staged = drawn.flatMap((each, series) =>
    each[number]!.map((given, line): StagedRow => {
      const { period, value, tag } = given
      return { series, period, value, tag, flag: null, publishedAt: publishedAt(given), line: line + 2 }
    }),
  )
  const { recordedAt } = await withStaging(db.sql, workspace.id, async staging => {
    await staging.add(staged)
    return (await staging.compare(ids)).appendOne()
  })
  recordings.push(recordedAt!)
  for (const [series, each] of drawn.entries())
    takeFile(
      expected[series]!,
      each[number]!.map(given => {
        const { period, value, tag: mark } = given
        return { period, said: { value, mark, flag: null, publishedAt: publishedAt(given) ?? recordedAt! } }
      }),
      recordedAt!,
    )
}

const inWorkspace = <T>(work: Parameters<typeof withWorkspace<T>>[2]) => withWorkspace(db.sql, workspace.id, work)

/** Every vintage of a series as the database has it. */
const stored = (series: number) => inWorkspace(tx => loadVintages(tx, workspace.id, ids[series]!))

describe('the rule in SQL', () => {
  test('makes the same vintages with the same tags as the rule in core', async () => {
    let count = 0
    for (const [series, held] of expected.entries()) {
      const rows = await stored(series)
      const found = rows.map(({ period, value, tag, published, recorded }) => [
        period,
        value,
        tag,
        instantOfMicros(published),
        instantOfMicros(recorded),
      ])
      const wanted = [...held]
        .sort(([a], [b]) => a - b)
        .flatMap(([period, own]) =>
          own.map(({ value, tag, publishedAt, recordedAt }) => [period, value, tag, publishedAt, recordedAt]),
        )
      expect(found, JSON.stringify(drawn[series])).toEqual(wanted)
      count += rows.length
    }
    expect(count).toBeGreaterThan(histories * files)
  })

  test('contradicts a file over numbers, not over their digits', async () => {
    const given = { series: 0, period: firstPeriod + 50, tag: null, flag: null, publishedAt: instantAt(0) }
    const conflicts = (values: readonly string[]) =>
      withStaging(db.sql, workspace.id, async staging => {
        await staging.add(values.map((value, i) => ({ ...given, value, line: i + 2 })))
        return (await staging.compare([ids[0]!])).conflicts(10)
      })
    expect(await conflicts(['1.0', '1.00', '1'])).toEqual([])
    expect(await conflicts(['1.0', '1.01'])).toMatchObject([{ line: 3, otherLine: 2 }])
  })
})

describe('what is stored', () => {
  test('is cut as core cuts it, at exactly the instants of publication and recording', async () => {
    const instants = [...recordings, ...[0, 1, 2, 3, 4].map(instantAt)].flatMap(instant => {
      const micros = microsOf(instant)
      return [micros - 1, micros, micros + 1].map(instantOfMicros)
    })
    for (let series = 0; series < 40; series++) {
      const snapshot = new SeriesSnapshot(ids[series]!, 'MONTHLY', await stored(series))
      for (const [i, instant] of instants.entries()) {
        const other = instants[(i * 7 + series) % instants.length]!
        for (const cuts of [
          { asOf: instant, knownAt: null },
          { asOf: null, knownAt: instant },
          { asOf: instant, knownAt: other },
        ]) {
          const view = snapshot.view({ ...cuts, version: null, summaryDate: null })
          const rows = JSON.parse(`[${view.slice(0, view.ordinals.length)}]`) as { asOfDate: string; value: string }[]
          const counting = countingIn(expected[series]!, own => selectVintage(vintagesInside(own, cuts), newest))
          expect(rows.map(({ asOfDate, value }) => [asOfDate.slice(0, 7), value])).toEqual(
            counting.map(([period, { value }]) => [formatPeriod({ frequency: 'MONTHLY', ordinal: period }), value]),
          )
        }
      }
    }
  })

  test('has the same ends in lists as in core', async () => {
    const heads = await inWorkspace(tx => loadSeriesHeads(tx, workspace.id, ids))
    const overview = new Map(
      (await inWorkspace(tx => loadSeriesOverview(tx, workspace.id))).map(each => [each.id, each]),
    )
    for (const [series, held] of expected.entries()) {
      const counting = countingIn(held, own => selectVintage(own, newest))
      const [first, last, previous] = [counting[0], counting.at(-1), counting.at(-2)]
      expect(heads.get(ids[series]!), JSON.stringify(drawn[series])).toMatchObject({
        first: first?.[0] ?? null,
        last: last?.[0] ?? null,
        value: last?.[1].value ?? null,
        tag: last?.[1].tag ?? null,
        publishedAt: last?.[1].publishedAt ?? null,
        previousValue: previous?.[1].value ?? null,
      })
      expect(overview.get(ids[series]!)).toMatchObject({
        first: first?.[0] ?? null,
        last: last?.[0] ?? null,
        lastValue: last?.[1].value ?? null,
      })
    }
  })

  test('names as the previous value the one that core has before it', async () => {
    const series = ids.map(id => ({ owner: workspace.id, id }))
    const scenario = { series, since: recordings[0]!, most: 1_000_000, mostTogether: 1_000 }
    const changes = await inWorkspace(tx => loadRecentChanges(tx, scenario))
    expect(changes.length).toBeGreaterThan(histories)
    for (const { seriesId, period, value, before, publishedAt, recordedAt } of changes) {
      const number = ids.indexOf(seriesId)
      const held = expected[number]!.get(period)!
      const place = held.findLastIndex(each => each.recordedAt === recordedAt)
      expect([held[place]!.value, held[place]!.publishedAt]).toEqual([value, publishedAt])
      const firstRecorded = [...expected[number]!.values()]
        .flat()
        .map(each => each.recordedAt!)
        .sort()[0]
      const wanted = recordedAt === firstRecorded ? null : (held[place - 1]?.value ?? null)
      expect(before, JSON.stringify(drawn[number])).toBe(wanted)
    }
  })
})

/** By period: what counts of each that has something. */
function countingIn<T>(
  held: Held,
  choose: (own: readonly Vintage[]) => T | undefined,
): readonly (readonly [number, T])[] {
  return [...held]
    .sort(([a], [b]) => a - b)
    .flatMap(([period, own]) => {
      const chosen = choose(own)
      return chosen === undefined ? [] : [[period, chosen] as const]
    })
}

describe('the rule of a refresh', () => {
  const now = startOfDay(20_000)
  const said = fc.record({ value: drawnValue, mark: fc.option<Mark, null>(drawnTag, { freq: 3 }) })
  /** What was said of a period up to some instants, one after the other. */
  const past = fc.array(fc.record({ said, published: fc.integer({ min: 0, max: 4 }) }), { maxLength: 6 })
  const answer = fc.record({
    rows: fc.uniqueArray(
      fc.record({
        value: drawnValue.filter(value => value !== null),
        version: drawnTag,
        published: fc.integer({ min: 0, max: 4 }),
      }),
      { selector: each => each.published, minLength: 1, maxLength: 4 },
    ),
    /** The last one may come without its day. */
    isDated: fc.boolean(),
  })

  test('is the one in core for what a provider dates, and what it says last is the newest', () => {
    fc.assert(
      fc.property(past, answer, (statements, { rows, isDated }) => {
        let held: readonly Vintage[] = []
        for (const [i, { said: each, published }] of statements.entries())
          held = withStatements(held, [
            { ...each, flag: null, publishedAt: instantAt(published), recordedAt: instantAt(10 + i) },
          ])
        const newestHeld = held.at(-1)?.publishedAt ?? instantAt(0)
        const sorted = rows.toSorted((a, b) => a.published - b.published)
        const dated = sorted.map((each, i) => {
          const at = instantAt(each.published)
          const isLast = i === sorted.length - 1
          return { ...each, at: isLast && at < newestHeld ? newestHeld : at }
        })
        const last = dated.at(-1)!
        const reading = {
          code: 'a',
          name: null,
          unit: null,
          frequency: 'MONTHLY' as const,
          missing: [],
          observations: dated.map(each => ({
            period: '2024-01',
            value: each.value,
            version: each.version,
            flag: null,
            published: each === last && !isDated ? null : each.at,
          })),
        }
        const vintages = new Map(held.length === 0 ? [] : [[firstPeriod, held]])
        const asked = { from: null, isDelta: false, isComplete: true, now }
        const { rows: fresh } = compareSeries(reading, { unit: '', frequency: 'MONTHLY', vintages }, asked)
        const statement = ({ value, version }: (typeof dated)[number], publishedAt: Instant): Statement => ({
          value,
          flag: null,
          publishedAt,
          recordedAt: null,
          mark: version === 'FINAL' ? 'NOT_PRELIMINARY' : version,
        })
        const withDated = withStatements(
          held,
          (isDated ? dated : dated.slice(0, -1)).map(each => statement(each, each.at)),
        )
        const timeline = withStatements(withDated, [statement(last, now)])
        const wanted = timeline.filter(each => !held.includes(each))
        const plain = (each: { value: string | null; tag: VersionTag | null; publishedAt: Instant | null }) =>
          `${each.publishedAt ?? now} ${each.value} ${each.tag}`
        expect(fresh.map(plain).sort()).toEqual(wanted.map(plain).sort())
      }),
      { numRuns: roundsOf('properties', 'cuts of vintages', 250, 2_500) },
    )
  })
})
