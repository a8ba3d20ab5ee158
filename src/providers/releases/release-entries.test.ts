import { describe, expect, test } from 'vitest'
import { type ReleaseEntry, readEntries } from './release-entries.ts'

const entry = (more: Partial<ReleaseEntry> = {}): ReleaseEntry => ({
  release: 'CPI',
  title: 'Consumer Price Index',
  periodText: 'October 2026',
  at: '2026-11-13T13:30:00.000000Z',
  writtenAt: '20261113T083000',
  status: 'OFFICIAL',
  sourceId: 'a',
  ...more,
})
const read = (...entries: readonly ReleaseEntry[]) => readEntries(entries, 'America/New_York')

describe('entries of a calendar', () => {
  test('an entry that is sent twice counts once', () => {
    expect(read(entry(), entry())).toMatchObject({ releases: [{ sourceId: 'a' }], unread: [], problems: [] })
  })

  test('two different ones under one id are both left out, the others stay', () => {
    const parsed = read(
      entry(),
      entry({ at: '2026-11-14' }),
      entry({ sourceId: 'b', periodText: 'November 2026', at: '2026-12-10' }),
    )
    expect(parsed.releases.map(({ sourceId }) => sourceId)).toEqual(['b'])
    expect(parsed.unread).toEqual(['"Consumer Price Index" is left out: its id "a" has two different entries'])
    expect(parsed.problems).toEqual([])
  })

  test('a release may come on the last day before its period, in the time of another zone, and not earlier', () => {
    expect(read(entry({ at: '2026-09-30T22:30:00.000000Z' })).releases).toHaveLength(1)
    expect(read(entry({ at: '2026-09-29T22:30:00.000000Z' })).releases).toHaveLength(0)
  })

  test('one unreadable period among readable ones is kept without it', () => {
    const parsed = read(entry(), entry({ sourceId: 'b', periodText: 'soon' }))
    expect(parsed.releases.map(({ period }) => period)).toEqual(['2026-10', null])
    expect(parsed.unread).toHaveLength(1)
  })

  test('a source that names no periods keeps its entries', () => {
    const parsed = read(entry({ periodText: null }), entry({ periodText: null, sourceId: 'b' }))
    expect(parsed).toMatchObject({ releases: [{ period: null }, { period: null }], unread: [], problems: [] })
  })

  test.each([
    [{ at: null }],
    [{ at: 'tomorrow' }],
    [{ at: '1899-12-31' }],
    [{ at: '2200-01-01' }],
    [{ sourceId: null }],
    [{ sourceId: 'a'.repeat(201) }],
    [{ title: '' }],
  ])('%o is left out', more => {
    expect(read(entry(more))).toMatchObject({
      releases: [],
      unread: [expect.any(String)],
      problems: [{ kind: 'unreadable' }],
    })
  })

  test('a title is one line', () => {
    expect(read(entry({ title: `a\n\u0000b ${'c'.repeat(1000)}` })).releases[0]!.title).toMatch(/^a b c{295}…$/)
  })

  test('a calendar without end is refused', () => {
    const endless = Array.from({ length: 20_001 }, (_, at) => entry({ sourceId: `${at}` }))
    expect(readEntries(endless, 'UTC')).toMatchObject({ releases: [], problems: [{ kind: 'too-large' }] })
  })

  test('no entries are no problem of their own', () => {
    expect(read()).toEqual({ releases: [], series: [], unread: [], problems: [] })
  })
})
