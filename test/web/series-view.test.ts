// What follows from an address: the range, the mode, the base, and how series are shown next to each other.
import { describe, expect, test } from 'vitest'
import { parseDay } from '../../src/core/time/day.ts'
import type { Frequency } from '../../src/core/time/period.ts'
import { formatCsv } from '../../src/formats/sheet.ts'
import { shownAt } from '../../web/components/figures/exact-figures.ts'
import { formatPublishedWords, publishedCell } from '../../web/components/words/publication-words.ts'
import { fanOf, preliminaryOf, scaleOf, thin } from '../../web/pages/series/series/chart/drawing.ts'
import { placesOf, valuesSheet } from '../../web/pages/series/series/values/values-rows.ts'
import { buildView, coverOf, readMode, type Subject, spanOf, yearsBack } from '../../web/pages/series/series/view.ts'
import { publicationOf, readAsOf, readHistory } from '../../web/pages/series/series/vintages.ts'

function subject(
  id: string,
  unit: string,
  frequency: Frequency,
  ...rows: readonly (readonly [string, string | null, string])[]
): Subject {
  const periods = [...new Set(rows.map(([period]) => period))]
  const history = readHistory(
    {
      omitted: 0,
      periods,
      period: rows.map(([period]) => periods.indexOf(period)),
      value: rows.map(([, value]) => value),
      tag: rows.map(([, value], i) => (value === null ? null : i === rows.length - 1 ? 'PRELIMINARY' : 'FINAL')),
      publishedAt: rows.map(([, , day]) => `${day}T00:00:00.000000Z`),
      recordedAt: rows.map(([, , day]) => `${day}T09:00:00.000000Z`),
      flag: rows.map(() => null),
    },
    frequency,
  )
  return { id, name: `Series ${id}`, unit, history, originOf: () => ({ provider: 'BLS' }) }
}

const steel = subject(
  'steel',
  '1982=100',
  'MONTHLY',
  ['2023-01', '-1.0', '2023-02-10'],
  ['2023-02', '200.0', '2023-03-10'],
  ['2023-02', '201.0', '2023-06-10'],
  ['2023-03', '202.5', '2023-04-10'],
  ['2024-03', '210.6', '2024-04-10'],
)
const wages = subject(
  'wages',
  '2020=100',
  'QUARTERLY',
  ['2022-Q4', '90', '2023-02-01'],
  ['2023-Q1', '100', '2023-05-01'],
)
const none = { asOf: null, mode: 'level', from: undefined, to: undefined, base: undefined } as const

describe('a view', () => {
  test('shows levels where the units are the same, and rebases where they differ', () => {
    expect(buildView(steel, [], none)).toMatchObject({ mode: 'level', isForced: false, baseDay: null, today: null })
    expect(buildView(steel, [wages], none)).toMatchObject({ mode: 'rebased', isForced: true })
    expect(buildView(steel, [wages], { ...none, mode: 'yoy' })).toMatchObject({ mode: 'yoy', isForced: false })
    expect(readMode('nonsense')).toBe('level')
  })

  test('uses as the base the first period from which all have a value above zero', () => {
    const view = buildView(steel, [wages], none)
    expect(view.baseDay).toBe(parseDay('2023-02-01'))
    const [main, beside] = view.lines
    expect(shownAt(main!.history, main!.cut, 2, main!.reading)).toBe('100.75')
    expect(shownAt(beside!.history, beside!.cut, 0, beside!.reading)).toBe('90.00')
  })

  test('uses the base in the address, and says what is wrong with an invalid one', () => {
    const based = (base: string) => buildView(steel, [], { ...none, mode: 'rebased', base })
    expect(based('2023-03')).toMatchObject({ baseDay: parseDay('2023-03-01'), baseTrouble: null })
    expect(based('2023-01').baseTrouble).toBe('The series has no value above zero for 2023-01.')
    expect(based('soon').baseTrouble).toContain('is not a period')
  })

  test('keeps what is known today behind what stood then', () => {
    const view = buildView(steel, [], { ...none, asOf: readAsOf('2023-05-01') })
    const values = (line: typeof view.today) => [...line!.cut].map(row => (row < 0 ? null : steel.history.value[row]))
    expect(values(view.lines[0]!)).toEqual(['-1.0', '200.0', '202.5', null])
    expect(values(view.today)).toEqual(['-1.0', '201.0', '202.5', '210.6'])
  })
})

describe('a range', () => {
  const cover = coverOf(steel.history)

  test('stays inside the data, and an empty one means all', () => {
    const span = (from?: string, to?: string) => {
      const { fromDay, toDay } = spanOf(cover, from, to)
      return [fromDay, toDay]
    }
    const [first, last] = [parseDay('2023-01-01'), parseDay('2024-03-01')]
    expect(span()).toEqual([first, last])
    expect(span('1990-01-01', '2023-06-01')).toEqual([first, parseDay('2023-06-01')])
    expect(span('2025-01-01')).toEqual([first, last])
    expect(span('rubbish')).toEqual([first, last])
  })

  test('of years goes back from the newest period', () => {
    expect(yearsBack(cover, 1)).toBe('2023-03-01')
  })

  test('around a single period has room on both sides', () => {
    const day = parseDay('2023-01-01')!
    const { fromDay, toDay } = spanOf({ fromDay: day, toDay: day }, undefined, undefined)
    expect(fromDay).toBeLessThan(day)
    expect(toDay).toBeGreaterThan(day)
  })
})

describe('what is drawn', () => {
  const view = buildView(steel, [], none)
  const line = view.lines[0]!
  const day = (text: string) => parseDay(text)!

  test('breaks the line where periods are missing', () => {
    expect(thin(line, view.span, 800).map(([, height]) => height)).toEqual([-1, 201, 202.5, Number.NaN, 210.6])
  })

  test('the fan goes from the first print to the newest, for periods that were revised', () => {
    const fan = fanOf(line, view.span, 800)
    expect(fan.verticals).toEqual([
      [day('2023-02-01'), 200],
      [day('2023-02-01'), 201],
      [day('2023-02-01'), Number.NaN],
    ])
    expect(fan.firsts).toEqual([[day('2023-02-01'), 200]])
    expect(fan.later).toEqual([[day('2023-02-01'), 201]])
    const before = buildView(steel, [], { ...none, asOf: readAsOf('2023-06-09') })
    expect(fanOf(before.lines[0]!, before.span, 800).verticals).toEqual([])
  })

  test('preliminary values are marked', () => {
    expect(preliminaryOf(line)).toEqual([[day('2024-03-01'), 210.6]])
  })

  test('the scale includes the fan', () => {
    const { low, high } = scaleOf({
      lines: [[[0, 5]]],
      today: [[0, 7]],
      fan: { verticals: [[0, 1]], firsts: [], later: [] },
      preliminary: [],
    })
    expect(low).toBeLessThanOrEqual(1)
    expect(high).toBeGreaterThanOrEqual(7)
  })
})

describe('the table', () => {
  test('is newest first by default, and knows what was not out', () => {
    const view = buildView(steel, [], { ...none, asOf: readAsOf('2023-05-01') })
    expect([...placesOf(view.lines[0]!, false)]).toEqual([2, 1, 0])
    expect([...placesOf(view.lines[0]!, true)]).toEqual([0, 1, 2])
  })

  test('is exported as shown, with the published digits', () => {
    const view = buildView(steel, [], { ...none, mode: 'yoy' })
    expect(formatCsv(valuesSheet(view, false)).split('\r\n').slice(0, 3)).toEqual([
      'Period,Value (1982=100),"Year on year, %",Tag,Published,First seen,"Change, %",Vintages,From',
      '2024-03,210.6,4.00,PRELIMINARY,2024-04-10,,4.00,1,read from BLS',
      '2023-03,202.5,,FINAL,2023-04-10,,0.75,1,read from BLS',
    ])
    const sha256 = 'a'.repeat(64)
    const upload = { by: 'Eva Ray', at: '2024-04-10T09:00:00.000000Z', file: 'steel, new.csv', sha256 }
    const uploaded = { ...steel, originOf: (at: string) => ({ upload: at === upload.at ? upload : null }) }
    const csv = formatCsv(valuesSheet(buildView(uploaded, [], none), false)).split('\r\n')
    expect(csv[1]).toMatch(
      new RegExp(`,"uploaded by Eva Ray, 10 Apr 2024, file steel, new.csv \\(SHA-256 ${sha256}\\)"$`),
    )
    expect(csv[2]).toMatch(/,imported from a file that is not known$/)
  })

  test('says of figures without a date of publication when they were first seen', () => {
    const { history } = steel
    const followed = { ...steel, history: { ...history, recordedAt: history.publishedAt } }
    const view = buildView(followed, [], none)
    expect(formatCsv(valuesSheet(view, false)).split('\r\n')[1]).toBe(
      '2024-03,210.6,PRELIMINARY,,2024-04-10,4.00,1,read from BLS',
    )
    const place = history.labels.indexOf('2024-03')
    const row = history.begins[place]!
    expect(formatPublishedWords(publicationOf(followed.history, row))).toBe('first seen 10 Apr 2024')
    expect(publishedCell(publicationOf(history, row))).toBe('10 Apr 2024')
  })
})
