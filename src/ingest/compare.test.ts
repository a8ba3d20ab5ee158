import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/day.ts'
import { endOfDay, parseDayOrInstant } from '../core/instant.ts'
import { parsePeriod, writePeriod } from '../core/period.ts'
import type { VersionTag, Vintage } from '../core/series.ts'
import type { ObservationReading, SeriesReading } from '../providers/provider.ts'
import {
  type Asked,
  type Comparison,
  compareReading,
  type Held,
  needsWholeHistory,
  quarantineReason,
} from './compare.ts'

const now = '2024-06-15T12:00:00.000000Z'
const recordedAt = '2024-05-01T08:00:00.000000Z'

type Kept = readonly [value: string | null, tag: VersionTag | null, published?: string]

function heldOf(periods: Readonly<Record<string, readonly Kept[]>>, unit = ''): Held {
  const vintages = new Map<number, readonly Vintage[]>()
  for (const [period, rows] of Object.entries(periods)) {
    vintages.set(
      parsePeriod(period)!.ordinal,
      rows.map(([value, tag, published]) => ({
        value,
        tag,
        flag: null,
        publishedAt: published === undefined ? recordedAt : parseDayOrInstant(published)!,
        recordedAt,
      })),
    )
  }
  return { unit, frequency: 'MONTHLY', vintages }
}

type Read = readonly [period: string, value: string, version?: VersionTag, published?: string | null]

function readingOf(rows: readonly Read[], missing: readonly string[] = [], unit: string | null = null): SeriesReading {
  const observations = rows.map(([period, value, version = 'FINAL', published = null]): ObservationReading => {
    return { period, value, version, flag: null, published }
  })
  const marks = missing.map(period => ({ period, flag: null, reason: 'marker "-"' }))
  return { code: 'X', name: null, unit, frequency: 'MONTHLY', observations, missing: marks }
}

const whole: Asked = { from: null, isDelta: false, isComplete: true, now }

/** `2024-03 101 REVISED @2024-05-02` */
function written({ rows }: Comparison): readonly string[] {
  return rows.map(({ period, value, tag, publishedAt }) =>
    [
      writePeriod({ frequency: 'MONTHLY', ordinal: period }),
      value ?? 'withdrawn',
      ...(tag === null ? [] : [tag]),
      ...(publishedAt === null ? [] : [`@${publishedAt.slice(0, 10)}`]),
    ].join(' '),
  )
}

function judge(reading: SeriesReading, held: Held, asked: Partial<Asked> = {}): readonly string[] {
  return written(compareReading(reading, held, { ...whole, ...asked }))
}

describe('what a value means beside what is held', () => {
  test('a new period is a vintage with the provider\u2019s tag', () => {
    const reading = readingOf([
      ['2024-03', '100.0'],
      ['2024-04', '101.0', 'PRELIMINARY'],
    ])
    expect(judge(reading, heldOf({}))).toEqual(['2024-03 100.0 FINAL', '2024-04 101.0 PRELIMINARY'])
  })

  test('a repeat is nothing, also where equal numbers are written differently', () => {
    const held = heldOf({ '2024-03': [['100.0', 'FINAL']], '2024-04': [['101', 'PRELIMINARY']] })
    const reading = readingOf([
      ['2024-03', '100'],
      ['2024-04', '101.00', 'PRELIMINARY'],
    ])
    expect(judge(reading, held)).toEqual([])
  })

  test('a mark that disappears is a vintage even if no digit changed', () => {
    const held = heldOf({ '2024-03': [['100.0', 'PRELIMINARY']] })
    expect(judge(readingOf([['2024-03', '100.0']]), held)).toEqual(['2024-03 100.0 FINAL'])
  })

  test('a preliminary value that changes stays preliminary, and its first unmarked one is final', () => {
    const held = heldOf({ '2024-03': [['100.0', 'PRELIMINARY']] })
    expect(judge(readingOf([['2024-03', '100.2', 'PRELIMINARY']]), held)).toEqual(['2024-03 100.2 PRELIMINARY'])
    expect(judge(readingOf([['2024-03', '100.2']]), held)).toEqual(['2024-03 100.2 FINAL'])
  })

  test('a changed value after a final one is revised, and stays so when it is repeated', () => {
    const held = heldOf({ '2024-03': [['100.0', 'FINAL']] })
    expect(judge(readingOf([['2024-03', '100.3']]), held)).toEqual(['2024-03 100.3 REVISED'])
    const revised = heldOf({
      '2024-03': [
        ['100.0', 'FINAL', '2024-04-10'],
        ['100.3', 'REVISED', '2024-04-20'],
      ],
    })
    expect(judge(readingOf([['2024-03', '100.3']]), revised)).toEqual([])
    expect(judge(readingOf([['2024-03', '100.0']]), revised)).toEqual(['2024-03 100.0 REVISED'])
  })

  test('a provider\u2019s own mark of a revision is kept, with and without a change of value', () => {
    const held = heldOf({ '2024-03': [['100.0', 'FINAL']] })
    expect(judge(readingOf([['2024-03', '100.0', 'REVISED']]), held)).toEqual(['2024-03 100.0 REVISED'])
    expect(judge(readingOf([['2024-04', '100.0', 'REVISED']]), held, { isDelta: true })).toEqual([
      '2024-04 100.0 REVISED',
    ])
  })

  test('a period that has not begun is a forecast, whatever the provider calls it', () => {
    const reading = readingOf([
      ['2024-06', '1'],
      ['2024-07', '2'],
    ])
    expect(judge(reading, heldOf({}))).toEqual(['2024-06 1 FINAL'])
  })
})

describe('publications', () => {
  test('a dated value counts from its date, where that is not before the newest we hold', () => {
    const held = heldOf({ '2024-03': [['100.0', 'FINAL', '2024-04-10']] })
    expect(judge(readingOf([['2024-03', '100.4', 'FINAL', '2024-05-10']]), held)).toEqual([
      '2024-03 100.4 REVISED @2024-05-10',
    ])
    expect(judge(readingOf([['2024-03', '100.4', 'FINAL', '2024-04-02']]), held)).toEqual(['2024-03 100.4 REVISED'])
  })

  test('a repeat under another date is nothing', () => {
    const held = heldOf({ '2024-03': [['100.0', 'FINAL', '2024-04-10']] })
    for (const day of ['2024-04-01', '2024-04-10', '2024-05-01'])
      expect(judge(readingOf([['2024-03', '100.0', 'FINAL', day]]), held)).toEqual([])
  })

  test('a date in the future is not believed', () => {
    expect(judge(readingOf([['2024-03', '100.0', 'FINAL', '2024-06-16']]), heldOf({}))).toEqual(['2024-03 100.0 FINAL'])
  })

  test('several vintages of a period are taken in at their places, each tagged by those before it', () => {
    const reading = readingOf([
      ['2024-01', '10', 'FINAL', '2024-02-01'],
      ['2024-01', '11', 'FINAL', '2024-03-01'],
      ['2024-01', '12', 'REVISED', '2024-04-01'],
    ])
    const expected = [
      '2024-01 10 FINAL @2024-02-01',
      '2024-01 11 REVISED @2024-03-01',
      '2024-01 12 REVISED @2024-04-01',
    ]
    expect(judge(reading, heldOf({}))).toEqual(expected)
    const held = heldOf({
      '2024-01': [
        ['10', 'FINAL', '2024-02-01'],
        ['11', 'REVISED', '2024-03-01'],
      ],
    })
    expect(judge(reading, held)).toEqual(expected.slice(2))
  })

  test('a row without a date beside dated ones is older than they are, and known already', () => {
    const reading = readingOf([
      ['2024-01', '10', 'FINAL', null],
      ['2024-01', '11', 'REVISED', '2024-03-10'],
    ])
    const held = heldOf({ '2024-01': [['10', 'FINAL', '2024-02-01']] })
    expect(judge(reading, held, { isDelta: true })).toEqual(['2024-01 11 REVISED @2024-03-10'])
    expect(judge(reading, heldOf({}), { isDelta: true })).toEqual([
      '2024-01 10 FINAL @2024-03-09',
      '2024-01 11 REVISED @2024-03-10',
    ])
  })

  test('a value that comes back under its old date is the newest again', () => {
    const held = heldOf({
      '2024-01': [
        ['3', 'PRELIMINARY', '2024-04-14'],
        ['1', 'PRELIMINARY', '2024-04-14'],
      ],
    })
    expect(judge(readingOf([['2024-01', '3', 'PRELIMINARY', '2024-04-14']]), held)).toEqual(['2024-01 3 PRELIMINARY'])
  })

  test('reading the same answer again adds nothing', () => {
    const tags: VersionTag[] = ['PRELIMINARY', 'FINAL', 'REVISED']
    const row = fc.record({
      period: fc.constantFrom('2024-01', '2024-02', '2024-03'),
      value: fc.constantFrom('1', '1.0', '2', '3'),
      version: fc.constantFrom(...tags),
      published: fc.constantFrom(null, '2024-02-01', '2024-03-01', '2024-06-14', '2024-06-20'),
    })
    const readings = fc.array(fc.array(row, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(readings, rounds => {
        let held = heldOf({})
        let at = parseDay('2024-06-15')!
        for (const rows of rounds) {
          const unique = new Map(rows.map(each => [`${each.period} ${each.published ?? ''}`, each]))
          const observations = [...unique.entries()]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([, each]) => ({ ...each, flag: null }))
          const reading = { ...readingOf([]), observations }
          const asked = { ...whole, now: endOfDay(at) }
          held = taken(held, compareReading(reading, held, asked), endOfDay(at))
          expect(compareReading(reading, held, { ...asked, now: endOfDay(at + 1) }).rows).toEqual([])
          for (const vintages of held.vintages.values()) {
            const newest = vintages.at(-1)!
            const said = observations
              .filter(
                each =>
                  parsePeriod(each.period)!.ordinal === [...held.vintages].find(([, own]) => own === vintages)![0],
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

/** What would be held after publishing. */
function taken(held: Held, { rows }: Comparison, at: string): Held {
  const vintages = new Map([...held.vintages].map(([period, own]) => [period, [...own]]))
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
  return { ...held, vintages }
}

describe('withdrawals', () => {
  const held = heldOf({
    '2023-11': [['1', 'FINAL']],
    '2023-12': [['2', 'FINAL']],
    '2024-01': [['3', 'FINAL']],
    '2024-02': [['4', 'FINAL']],
  })
  const without = readingOf([
    ['2023-11', '1'],
    ['2023-12', '2'],
    ['2024-02', '4'],
  ])

  test('absence inside a complete answer is one', () => {
    expect(judge(without, held)).toEqual(['2024-01 withdrawn'])
    expect(
      judge(
        readingOf([
          ['2023-11', '1'],
          ['2023-12', '2'],
          ['2024-01', '3'],
        ]),
        held,
      ),
    ).toEqual(['2024-02 withdrawn'])
  })

  test('absence in a delta, in an incomplete answer or before the asked range is none', () => {
    expect(judge(without, held, { isDelta: true })).toEqual([])
    expect(judge(without, held, { isComplete: false })).toEqual([])
    expect(judge(readingOf([['2024-02', '4']]), held, { from: parseDay('2024-02-01')! })).toEqual([])
    expect(judge(readingOf([['2024-02', '4']]), held, { from: parseDay('2024-01-31')! })).toEqual(['2024-01 withdrawn'])
  })

  test('a set that drops its oldest years has withdrawn nothing', () => {
    expect(
      judge(
        readingOf([
          ['2024-01', '3'],
          ['2024-02', '4'],
        ]),
        held,
      ),
    ).toEqual([])
  })

  test('a mark in the place of a value is one, also in a delta', () => {
    expect(judge(readingOf([['2024-02', '4']], ['2024-01']), held, { isDelta: true })).toEqual(['2024-01 withdrawn'])
  })

  test('what was never held or is withdrawn already is not withdrawn again, and may come back', () => {
    const gone = heldOf({
      '2023-12': [['2', 'FINAL']],
      '2024-01': [
        ['3', 'FINAL', '2024-02-01'],
        [null, null, '2024-03-01'],
      ],
    })
    expect(judge(readingOf([['2023-12', '2']], ['2024-01', '2024-02']), gone)).toEqual([])
    expect(
      judge(
        readingOf([
          ['2023-12', '2'],
          ['2024-01', '3'],
        ]),
        gone,
      ),
    ).toEqual(['2024-01 3 FINAL'])
    expect(
      judge(
        readingOf([
          ['2023-12', '2'],
          ['2024-01', '5'],
        ]),
        gone,
      ),
    ).toEqual(['2024-01 5 REVISED'])
    expect(
      judge(
        readingOf([
          ['2023-12', '2'],
          ['2024-01', '3', 'FINAL', '2024-02-01'],
        ]),
        gone,
      ),
    ).toEqual(['2024-01 3 FINAL'])
  })
})

describe('what a person has to look at', () => {
  const months = Array.from({ length: 40 }, (_, i) => writePeriod({ frequency: 'MONTHLY', ordinal: 2020 * 12 + i }))
  const held = heldOf(Object.fromEntries(months.map(month => [month, [['100', 'FINAL'] as const]])), 'Index 2015 = 100')
  const changed = (count: number, unit: string | null = null) =>
    compareReading(
      readingOf(
        months.map((month, i): Read => [month, i < count ? '90' : '100']),
        [],
        unit,
      ),
      held,
      whole,
    )

  test('more than a tenth of the settled history rewritten', () => {
    expect(quarantineReason(changed(4))).toBeNull()
    expect(quarantineReason(changed(5))).toBe('5 of 40 settled values would be rewritten')
  })

  test('a change of unit or base, but not of its spaces, and not where one is unknown', () => {
    expect(quarantineReason(changed(0, 'Index 2025 = 100'))).toBe(
      'the unit changed from "Index 2015 = 100" to "Index 2025 = 100"',
    )
    expect(quarantineReason(changed(0, ' index  2015 = 100'))).toBeNull()
    expect(quarantineReason(changed(0, null))).toBeNull()
    expect(quarantineReason(compareReading(readingOf([], [], 'Dollars'), heldOf({}), whole))).toBeNull()
  })

  test('withdrawn values count as rewritten; preliminary ones and single revisions of a short history do not', () => {
    const half = compareReading(
      readingOf(months.filter((_, i) => i % 2 === 0).map((month): Read => [month, '100'])),
      held,
      whole,
    )
    expect(quarantineReason(half)).toBe('20 of 40 settled values would be rewritten')
    const young = heldOf({
      '2024-01': [['1', 'FINAL']],
      '2024-02': [['1', 'PRELIMINARY']],
      '2024-03': [['1', 'PRELIMINARY']],
    })
    const revised = readingOf([
      ['2024-01', '2'],
      ['2024-02', '2'],
      ['2024-03', '2'],
    ])
    expect(quarantineReason(compareReading(revised, young, whole))).toBeNull()
  })

  test('in a window the whole history has to be asked for first', () => {
    const from = parseDay('2023-01-01')!
    const asked = { ...whole, from }
    const window = compareReading(
      readingOf([
        ['2023-01', '9'],
        ['2023-02', '9'],
        ['2023-03', '100'],
        ['2023-04', '100'],
      ]),
      held,
      asked,
    )
    expect([needsWholeHistory(window, asked), quarantineReason(window)]).toEqual([true, null])
    expect(needsWholeHistory(window, whole)).toBe(false)
    const single = compareReading(
      readingOf([
        ['2023-01', '9'],
        ['2023-02', '100'],
        ['2023-03', '100'],
        ['2023-04', '100'],
      ]),
      held,
      asked,
    )
    expect(needsWholeHistory(single, asked)).toBe(false)
  })
})
