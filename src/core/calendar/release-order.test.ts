import { describe, expect, test } from 'vitest'
import type { Release } from './release.ts'
import { announcedAt, namesPeriods, numberReleases } from './release-order.ts'

const entry = (more: Partial<Release>): Release => ({
  provider: 'EUROSTAT',
  release: 'prc_hicp_minr',
  title: 'Inflation (HICP)',
  period: '2026-10',
  at: '2026-11-18T10:00:00.000000Z',
  zone: 'Europe/Luxembourg',
  status: 'OFFICIAL',
  sourceId: 'final',
  ...more,
})

const numbersOf = (entries: readonly Release[]) =>
  Object.fromEntries(numberReleases(entries).map(({ entry, number }) => [entry.sourceId, number]))

describe('two entries for one release and period', () => {
  const flash = entry({ sourceId: 'flash', at: '2026-10-30T10:00:00.000000Z' })
  const final = entry({ sourceId: 'final' })

  test('the first is the publication, later ones are revisions, in whatever order they are listed', () => {
    expect(numbersOf([final, flash])).toEqual({ flash: 1, final: 2 })
    expect(numbersOf([flash, final])).toEqual({ flash: 1, final: 2 })
  })

  test('a cancelled one has no number: the next one publishes', () => {
    expect(numbersOf([{ ...flash, status: 'CANCELLED' }, final])).toEqual({ flash: null, final: 1 })
  })

  test('other periods, releases and providers are numbered for themselves', () => {
    const others = [
      entry({ sourceId: 'next', period: '2026-11' }),
      entry({ sourceId: 'other', release: 'sts_inpp_m' }),
      entry({ sourceId: 'ons', provider: 'ONS' }),
    ]
    expect(numbersOf([flash, ...others])).toEqual({ flash: 1, next: 1, other: 1, ons: 1 })
  })

  test('an entry without a period has no number', () => {
    expect(numbersOf([entry({ period: null, sourceId: 'unclear' }), final])).toEqual({ unclear: null, final: 1 })
  })

  test('a day comes before the instants in it, and entries at one time have a fixed order', () => {
    const day = entry({ sourceId: 'day', at: '2026-11-18', status: 'DATE_ONLY' })
    const twin = entry({ sourceId: 'zwin' })
    expect(numbersOf([twin, final, day])).toEqual({ day: 1, final: 2, zwin: 3 })
  })
})

describe('a moved date', () => {
  const first = { ...entry({}), recordedAt: '2026-09-01T00:00:00.000000Z' }
  const moved = { ...first, at: '2026-11-25T10:00:00.000000Z', recordedAt: '2026-11-10T00:00:00.000000Z' }

  test('the newest entry with its source id counts', () => {
    expect(announcedAt([moved, first], '2026-11-18T00:00:00.000000Z')).toEqual([moved])
    expect(announcedAt([first, moved], moved.recordedAt)).toEqual([moved])
  })

  test('what was announced earlier can be asked for', () => {
    expect(announcedAt([first, moved], '2026-11-09T23:59:59.999999Z')).toEqual([first])
    expect(announcedAt([first, moved], '2026-08-31T00:00:00.000000Z')).toEqual([])
  })

  test('the same source id at another provider is another entry', () => {
    const other = { ...first, provider: 'ONS' as const }
    expect(announcedAt([first, other, moved], '2026-12-01T00:00:00.000000Z')).toEqual([moved, other])
  })
})

test('a release whose source names some period names periods', () => {
  expect(namesPeriods([entry({ period: null }), entry({})])).toBe(true)
  expect(namesPeriods([entry({ period: null })])).toBe(false)
})
