import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { VersionTag } from '../../src/core/series/series.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { endOfDay } from '../../src/core/time/instant.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { compareSeries, type SeriesComparison, type StoredSeries } from '../../src/ingest/compare.ts'
import { judge, parsedOf, storedOf, whole } from './compared.ts'

describe('what a value means next to what is stored', () => {
  test('a new period is a vintage with the provider\u2019s tag', () => {
    const parsed = parsedOf([
      ['2024-03', '100.0'],
      ['2024-04', '101.0', 'PRELIMINARY'],
    ])
    expect(judge(parsed, storedOf({}))).toEqual(['2024-03 100.0 FINAL', '2024-04 101.0 PRELIMINARY'])
  })

  test('a repeat adds nothing, also if equal numbers are written differently', () => {
    const stored = storedOf({ '2024-03': [['100.0', 'FINAL']], '2024-04': [['101', 'PRELIMINARY']] })
    const parsed = parsedOf([
      ['2024-03', '100'],
      ['2024-04', '101.00', 'PRELIMINARY'],
    ])
    expect(judge(parsed, stored)).toEqual([])
  })

  test('a mark that disappears is a vintage even if no digit changed', () => {
    const stored = storedOf({ '2024-03': [['100.0', 'PRELIMINARY']] })
    expect(judge(parsedOf([['2024-03', '100.0']]), stored)).toEqual(['2024-03 100.0 FINAL'])
  })

  test('a preliminary value that changes stays preliminary, and the first one without the mark is final', () => {
    const stored = storedOf({ '2024-03': [['100.0', 'PRELIMINARY']] })
    expect(judge(parsedOf([['2024-03', '100.2', 'PRELIMINARY']]), stored)).toEqual(['2024-03 100.2 PRELIMINARY'])
    expect(judge(parsedOf([['2024-03', '100.2']]), stored)).toEqual(['2024-03 100.2 FINAL'])
  })

  test('a changed value after a final one is revised, and stays so when it is repeated', () => {
    const stored = storedOf({ '2024-03': [['100.0', 'FINAL']] })
    expect(judge(parsedOf([['2024-03', '100.3']]), stored)).toEqual(['2024-03 100.3 REVISED'])
    const revised = storedOf({
      '2024-03': [
        ['100.0', 'FINAL', '2024-04-10'],
        ['100.3', 'REVISED', '2024-04-20'],
      ],
    })
    expect(judge(parsedOf([['2024-03', '100.3']]), revised)).toEqual([])
    expect(judge(parsedOf([['2024-03', '100.0']]), revised)).toEqual(['2024-03 100.0 REVISED'])
  })

  test('a provider\u2019s own mark of a revision is kept, whether or not the value changes', () => {
    const stored = storedOf({ '2024-03': [['100.0', 'FINAL']] })
    expect(judge(parsedOf([['2024-03', '100.0', 'REVISED']]), stored)).toEqual(['2024-03 100.0 REVISED'])
    expect(judge(parsedOf([['2024-04', '100.0', 'REVISED']]), stored, { isDelta: true })).toEqual([
      '2024-04 100.0 REVISED',
    ])
  })

  test('a period that has not begun is a forecast, whatever the provider calls it', () => {
    const parsed = parsedOf([
      ['2024-06', '1'],
      ['2024-07', '2'],
    ])
    expect(judge(parsed, storedOf({}))).toEqual(['2024-06 1 FINAL'])
  })
})

describe('publications', () => {
  test('a dated value counts from its date, unless that is before the newest stored one', () => {
    const stored = storedOf({ '2024-03': [['100.0', 'FINAL', '2024-04-10']] })
    expect(judge(parsedOf([['2024-03', '100.4', 'FINAL', '2024-05-10']]), stored)).toEqual([
      '2024-03 100.4 REVISED @2024-05-10',
    ])
    expect(judge(parsedOf([['2024-03', '100.4', 'FINAL', '2024-04-02']]), stored)).toEqual(['2024-03 100.4 REVISED'])
  })

  test('a repeat with another date adds nothing', () => {
    const stored = storedOf({ '2024-03': [['100.0', 'FINAL', '2024-04-10']] })
    for (const day of ['2024-04-01', '2024-04-10', '2024-05-01'])
      expect(judge(parsedOf([['2024-03', '100.0', 'FINAL', day]]), stored)).toEqual([])
  })

  test('a date in the future is ignored', () => {
    expect(judge(parsedOf([['2024-03', '100.0', 'FINAL', '2024-06-16']]), storedOf({}))).toEqual([
      '2024-03 100.0 FINAL',
    ])
  })

  test('several vintages of a period are inserted in date order, each tagged by those before it', () => {
    const parsed = parsedOf([
      ['2024-01', '10', 'FINAL', '2024-02-01'],
      ['2024-01', '11', 'FINAL', '2024-03-01'],
      ['2024-01', '12', 'REVISED', '2024-04-01'],
    ])
    const expected = [
      '2024-01 10 FINAL @2024-02-01',
      '2024-01 11 REVISED @2024-03-01',
      '2024-01 12 REVISED @2024-04-01',
    ]
    expect(judge(parsed, storedOf({}))).toEqual(expected)
    const stored = storedOf({
      '2024-01': [
        ['10', 'FINAL', '2024-02-01'],
        ['11', 'REVISED', '2024-03-01'],
      ],
    })
    expect(judge(parsed, stored)).toEqual(expected.slice(2))
  })

  test('a row without a date next to dated ones is older than they are, and already known', () => {
    const parsed = parsedOf([
      ['2024-01', '10', 'FINAL', null],
      ['2024-01', '11', 'REVISED', '2024-03-10'],
    ])
    const stored = storedOf({ '2024-01': [['10', 'FINAL', '2024-02-01']] })
    expect(judge(parsed, stored, { isDelta: true })).toEqual(['2024-01 11 REVISED @2024-03-10'])
    expect(judge(parsed, storedOf({}), { isDelta: true })).toEqual([
      '2024-01 10 FINAL @2024-03-09',
      '2024-01 11 REVISED @2024-03-10',
    ])
  })

  test('a value that returns with its old date is the newest again', () => {
    const stored = storedOf({
      '2024-01': [
        ['3', 'PRELIMINARY', '2024-04-14'],
        ['1', 'PRELIMINARY', '2024-04-14'],
      ],
    })
    expect(judge(parsedOf([['2024-01', '3', 'PRELIMINARY', '2024-04-14']]), stored)).toEqual(['2024-01 3 PRELIMINARY'])
  })

  test('reading the same answer again adds nothing', () => {
    const tags: VersionTag[] = ['PRELIMINARY', 'FINAL', 'REVISED']
    const row = fc.record({
      period: fc.constantFrom('2024-01', '2024-02', '2024-03'),
      value: fc.constantFrom('1', '1.0', '2', '3'),
      version: fc.constantFrom(...tags),
      published: fc.constantFrom(null, '2024-02-01', '2024-03-01', '2024-06-14', '2024-06-20'),
    })
    const answers = fc.array(fc.array(row, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(answers, rounds => {
        let stored = storedOf({})
        let at = parseDay('2024-06-15')!
        for (const rows of rounds) {
          const unique = new Map(rows.map(each => [`${each.period} ${each.published ?? ''}`, each]))
          const observations = [...unique.entries()]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([, each]) => ({ ...each, flag: null }))
          const parsed = { ...parsedOf([]), observations }
          const asked = { ...whole, now: endOfDay(at) }
          stored = taken(stored, compareSeries(parsed, stored, asked), endOfDay(at))
          expect(compareSeries(parsed, stored, { ...asked, now: endOfDay(at + 1) }).rows).toEqual([])
          for (const vintages of stored.vintages.values()) {
            const newest = vintages.at(-1)!
            const said = observations
              .filter(
                each =>
                  parsePeriod(each.period)!.ordinal === [...stored.vintages].find(([, own]) => own === vintages)![0],
              )
              .at(-1)
            if (said !== undefined) expect(Number(newest.value)).toBe(Number(said.value))
          }
          at += 10
        }
      }),
    )
  })
})

/** What would be stored after publishing. */
function taken(stored: StoredSeries, { rows }: SeriesComparison, at: string): StoredSeries {
  const vintages = new Map([...stored.vintages].map(([period, own]) => [period, [...own]]))
  for (const { period, value, tag, flag, publishedAt } of rows) {
    const own = vintages.get(period) ?? []
    own.push({ value, tag, flag, publishedAt: publishedAt ?? at, recordedAt: at })
    own.sort((a, b) =>
      a.publishedAt === b.publishedAt
        ? a.recordedAt! < b.recordedAt!
          ? -1
          : a.recordedAt === b.recordedAt
            ? 0
            : 1
        : a.publishedAt < b.publishedAt
          ? -1
          : 1,
    )
    vintages.set(period, own)
  }
  return { ...stored, vintages }
}

describe('withdrawals', () => {
  const stored = storedOf({
    '2023-11': [['1', 'FINAL']],
    '2023-12': [['2', 'FINAL']],
    '2024-01': [['3', 'FINAL']],
    '2024-02': [['4', 'FINAL']],
  })
  const without = parsedOf([
    ['2023-11', '1'],
    ['2023-12', '2'],
    ['2024-02', '4'],
  ])

  test('a missing period in a complete answer is one', () => {
    expect(judge(without, stored)).toEqual(['2024-01 withdrawn'])
    expect(
      judge(
        parsedOf([
          ['2023-11', '1'],
          ['2023-12', '2'],
          ['2024-01', '3'],
        ]),
        stored,
      ),
    ).toEqual(['2024-02 withdrawn'])
  })

  test('a missing period in a delta, in an incomplete answer or before the requested range is not a withdrawal', () => {
    expect(judge(without, stored, { isDelta: true })).toEqual([])
    expect(judge(without, stored, { isComplete: false })).toEqual([])
    expect(judge(parsedOf([['2024-02', '4']]), stored, { from: parseDay('2024-02-01')! })).toEqual([])
    expect(judge(parsedOf([['2024-02', '4']]), stored, { from: parseDay('2024-01-31')! })).toEqual([
      '2024-01 withdrawn',
    ])
  })

  test('a data set that drops its oldest years has withdrawn nothing', () => {
    expect(
      judge(
        parsedOf([
          ['2024-01', '3'],
          ['2024-02', '4'],
        ]),
        stored,
      ),
    ).toEqual([])
  })

  test('a mark in place of a value is one, also in a delta', () => {
    expect(judge(parsedOf([['2024-02', '4']], ['2024-01']), stored, { isDelta: true })).toEqual(['2024-01 withdrawn'])
  })

  test('what was never stored or is already withdrawn is not withdrawn again, and may return', () => {
    const gone = storedOf({
      '2023-12': [['2', 'FINAL']],
      '2024-01': [
        ['3', 'FINAL', '2024-02-01'],
        [null, null, '2024-03-01'],
      ],
    })
    expect(judge(parsedOf([['2023-12', '2']], ['2024-01', '2024-02']), gone)).toEqual([])
    expect(
      judge(
        parsedOf([
          ['2023-12', '2'],
          ['2024-01', '3'],
        ]),
        gone,
      ),
    ).toEqual(['2024-01 3 FINAL'])
    expect(
      judge(
        parsedOf([
          ['2023-12', '2'],
          ['2024-01', '5'],
        ]),
        gone,
      ),
    ).toEqual(['2024-01 5 REVISED'])
    expect(
      judge(
        parsedOf([
          ['2023-12', '2'],
          ['2024-01', '3', 'FINAL', '2024-02-01'],
        ]),
        gone,
      ),
    ).toEqual(['2024-01 3 FINAL'])
  })

  test('the window in which a value was missing counts while it is open, and gives the day of the withdrawal', () => {
    const gone = storedOf({ '2024-01': [['3', 'FINAL', '2024-02-01']] })
    const marked = (from: string, to: string | null) => [
      { period: '2024-01', flag: null, reason: 'no value', window: { from, to } },
    ]
    const missing = (from: string, to: string | null) => ({ ...parsedOf([]), missing: marked(from, to) })
    expect(judge(missing('2024-05-15', null), gone, { isDelta: true })).toEqual(['2024-01 withdrawn @2024-05-15'])
    expect(judge(missing('2024-03-10', '2024-03-22'), gone, { isDelta: true })).toEqual([])
    const both = {
      ...parsedOf([['2024-01', '3', 'FINAL', '2024-02-01']]),
      missing: marked('2024-05-15', null),
    }
    expect(judge(both, gone)).toEqual(['2024-01 withdrawn @2024-05-15'])
    expect(judge(both, storedOf({}))).toEqual(['2024-01 3 FINAL @2024-02-01', '2024-01 withdrawn @2024-05-15'])
    const back = {
      ...parsedOf([['2024-01', '4', 'REVISED', '2024-06-01']]),
      missing: marked('2024-05-15', '2024-05-31'),
    }
    expect(judge(back, gone)).toEqual(['2024-01 4 REVISED @2024-06-01'])
  })
})
