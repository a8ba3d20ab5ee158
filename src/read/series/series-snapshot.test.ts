import { describe, expect, test } from 'vitest'
import type { VersionTag } from '../../core/series/series.ts'
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'
import type { VintageRow } from '../../storage/series/series.ts'
import { SeriesSnapshot, type ViewRequest } from './series-snapshot.ts'

const dayMicros = 86_400_000_000
const firstPeriod = 12 * 2000
const uncut: ViewRequest = { asOf: null, knownAt: null, version: null, summaryDate: null }

function makeChance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** Months with one to four vintages, in the order the database gives them; now and then a withdrawal. */
function drawRows(seed: number, periods: number): VintageRow[] {
  const chance = makeChance(seed)
  const rows: VintageRow[] = []
  for (let month = 0; month < periods; month++) {
    if (chance(12) === 0) continue
    let published = (month * 30 + chance(10)) * dayMicros
    const count = 1 + chance(4)
    for (let vintage = 0; vintage < count; vintage++) {
      const isWithdrawn = chance(15) === 0
      rows.push({
        period: firstPeriod + month,
        value: isWithdrawn ? null : `${chance(1_000)}.${chance(10)}`,
        tag: isWithdrawn ? null : vintage === 0 ? 'PRELIMINARY' : vintage === 1 ? 'FINAL' : 'REVISED',
        flag: chance(9) === 0 ? 'p' : null,
        published,
        recorded: published + chance(3) * 17_000_001,
      })
      published += (1 + chance(60)) * dayMicros
    }
  }
  return rows
}

/** The expected answer, made from the plain rows one by one. */
function expected(rows: readonly VintageRow[], { asOf, knownAt, version }: ViewRequest): object[] {
  const shown: object[] = []
  for (const period of new Set(rows.map(row => row.period))) {
    const known = rows.filter(
      row =>
        row.period === period &&
        (asOf === null || instantOfMicros(row.published) <= asOf) &&
        (knownAt === null || instantOfMicros(row.recorded) <= knownAt),
    )
    if (known.length === 0 || known.at(-1)!.value === null) continue
    const chosen = known.findLast(row => row.value !== null && (version === null || row.tag === version))
    if (chosen === undefined) continue
    const month = `${Math.floor(period / 12)}-${((period % 12) + 1).toString().padStart(2, '0')}`
    shown.push({ asOfDate: `${month}-01T00:00:00.000Z`, value: chosen.value, versionTag: chosen.tag })
  }
  return shown
}

function drawScenario(chance: (below: number) => number, periods: number): ViewRequest {
  const instant = (): Instant => instantOfMicros(chance(periods * 30) * dayMicros + chance(dayMicros))
  const versions: (VersionTag | null)[] = [null, null, null, 'FINAL', 'REVISED']
  return {
    asOf: chance(3) === 0 ? null : instant(),
    knownAt: chance(3) === 0 ? instant() : null,
    version: versions[chance(versions.length)]!,
    summaryDate: null,
  }
}

describe('views of a series', () => {
  test('show what each cut leaves, whether they share their beginning with the newest view or not', () => {
    let shared = 0
    for (let seed = 1; seed <= 40; seed++) {
      const periods = 1 + (seed % 60)
      const rows = drawRows(seed, periods)
      const snapshot = new SeriesSnapshot('ser_x', 'MONTHLY', rows)
      const newest = snapshot.view(uncut)
      expect(JSON.parse(`[${newest.slice(0, newest.ordinals.length)}]`)).toEqual(expected(rows, uncut))
      const chance = makeChance(seed * 7)
      for (let turn = 0; turn < 20; turn++) {
        const request = drawScenario(chance, periods)
        const alone = snapshot.view(request)
        const sharing = snapshot.view(request, newest)
        const count = alone.ordinals.length
        expect(JSON.parse(`[${alone.slice(0, count)}]`)).toEqual(expected(rows, request))
        expect([...sharing.ordinals]).toEqual([...alone.ordinals])
        if (sharing.size < alone.size) shared++
        for (let slice = 0; slice < 10; slice++) {
          const from = chance(count + 1)
          const to = from + chance(count + 1 - from)
          expect(sharing.slice(from, to).toString()).toBe(alone.slice(from, to).toString())
          expect(Buffer.concat(sharing.slices(from, to)).toString()).toBe(alone.slice(from, to).toString())
        }
      }
    }
    expect(shared).toBeGreaterThan(200)
  })

  test('a cut near the end of a long series takes less than a twentieth of the newest view', () => {
    const rows = Array.from({ length: 600 * 3 }, (_, i) => ({
      period: firstPeriod + Math.floor(i / 3),
      value: `${100 + i}.25`,
      tag: ['PRELIMINARY', 'FINAL', 'REVISED'][i % 3]!,
      flag: null,
      published: (Math.floor(i / 3) * 30 + (i % 3) * 30) * dayMicros,
      recorded: 600 * 30 * dayMicros + 1,
    }))
    const snapshot = new SeriesSnapshot('ser_x', 'MONTHLY', rows)
    const newest = snapshot.view(uncut)
    const cut = snapshot.view({ ...uncut, asOf: instantOfMicros(599 * 30 * dayMicros) }, newest)
    expect(cut.ordinals.length).toBe(600)
    expect(cut.size * 20).toBeLessThan(newest.size)
    expect(snapshot.size).toBeLessThan(32_000)
  })

  test('columns and histories come out of the packed rows unchanged', () => {
    const rows = drawRows(5, 40)
    const snapshot = new SeriesSnapshot('ser_x', 'MONTHLY', rows)
    const { periods } = snapshot.history({ reference: 'x', name: 'x', unit: 'x', frequency: 'MONTHLY' })
    const unpacked = [...periods].flatMap(([period, vintages]) => vintages.map(vintage => ({ period, ...vintage })))
    const given = rows.map(({ published, recorded, ...row }) => ({
      ...row,
      publishedAt: instantOfMicros(published),
      recordedAt: instantOfMicros(recorded),
    }))
    expect(unpacked).toEqual(given)
    expect(snapshot.columns().value).toEqual(rows.map(row => row.value))
    expect(snapshot.columns().recordedAt).toEqual(given.map(row => row.recordedAt))
  })
})
