// The list of series: what typing finds, how columns sort, what an export contains.
import { describe, expect, test } from 'vitest'
import { formatCsv } from '../../src/formats/sheet.ts'
import { shortTitles } from '../../src/providers/catalogue/catalogue.ts'
import type { SeriesRow } from '../../src/views/shapes/series.ts'
import {
  chooseRows,
  formatOrder,
  type ListFilter,
  listSheet,
  readOrder,
  readRows,
} from '../../web/pages/series/series-list/rows.ts'

function row(
  code: string,
  change: Partial<SeriesRow> = {},
  values: readonly [string, string] | null = null,
): SeriesRow {
  return {
    id: `ser_${code}`,
    provider: 'BLS',
    code,
    name: `Series ${code}`,
    unit: '2015=100',
    dataType: 'INDEX',
    frequency: 'MONTHLY',
    isFollowed: true,
    firstPeriod: null,
    last:
      values === null
        ? null
        : {
            period: '2024-03',
            value: values[1],
            tag: 'FINAL',
            publishedAt: '2024-04-11T00:00:00.000000Z',
            recordedAt: null,
          },
    previousValue: values?.[0] ?? null,
    lastChangedAt: null,
    lastAskedAt: null,
    trouble: null,
    notice: null,
    alarm: null,
    usedBy: 0,
    ...change,
  }
}

const rows = readRows(
  [
    row('WPU101', { name: 'Steel mill products' }, ['100', '102']),
    row('WPU2', { name: 'Copper', frequency: 'QUARTERLY', trouble: 'No answer since 1 Apr 2024.' }, ['0.1', '0.099']),
    row('CP00', { provider: 'EUROSTAT', name: 'HICP, all items', lastChangedAt: '2024-04-02T00:00:00Z' }, ['0', '1']),
    row('WPU9', { name: 'Zinc', isFollowed: false }),
    row('WPU10', { name: 'Metals', notice: 'No new period since 2023-12.', lastChangedAt: '2024-05-02T00:00:00Z' }),
    row('PR01', { provider: 'BOJ', name: 'Producer prices' }),
  ],
  shortTitles,
)

const all: ListFilter = { text: '', source: null, frequency: null, isTroubled: false, order: readOrder(undefined) }
const codes = (filter: Partial<ListFilter>) => chooseRows(rows, { ...all, ...filter }).map(({ code }) => code)

describe('the list', () => {
  test('finds every word in name, code or provider, whatever the case', () => {
    expect(codes({ text: 'wpu10' })).toEqual(['WPU10', 'WPU101'])
    expect(codes({ text: 'STEEL bls' })).toEqual(['WPU101'])
    expect(codes({ text: 'steel copper' })).toEqual([])
    expect(codes({ text: 'eurostat/cp' })).toEqual(['CP00'])
    expect(codes({ text: 'bank of japan' })).toEqual(['PR01'])
  })

  test('filters by source, frequency and problems; an uploaded series is no provider’s, whatever its code', () => {
    expect(codes({ source: 'EUROSTAT' })).toEqual(['CP00'])
    expect(codes({ source: 'BLS' })).toEqual(['WPU2', 'WPU10', 'WPU101'])
    expect(codes({ source: 'own' })).toEqual(['WPU9'])
    expect(codes({ text: 'own figures' })).toEqual(['WPU9'])
    expect(codes({ frequency: 'QUARTERLY' })).toEqual(['WPU2'])
    expect(codes({ isTroubled: true })).toEqual(['WPU2', 'WPU10'])
  })

  test('sorts, and what lacks the figure comes last both ways', () => {
    expect(codes({})).toEqual(['WPU2', 'CP00', 'WPU10', 'PR01', 'WPU101', 'WPU9'])
    expect(codes({ order: readOrder('change') })).toEqual(['WPU2', 'WPU101', 'CP00', 'WPU10', 'PR01', 'WPU9'])
    expect(codes({ order: readOrder('-change') })).toEqual(['WPU101', 'WPU2', 'CP00', 'WPU10', 'PR01', 'WPU9'])
    expect(codes({ order: readOrder('-changed') })).toEqual(['WPU10', 'CP00', 'WPU2', 'PR01', 'WPU101', 'WPU9'])
    expect(codes({ order: readOrder('source') })).toEqual(['PR01', 'WPU2', 'WPU10', 'WPU101', 'CP00', 'WPU9'])
  })

  test('has its order in the address', () => {
    expect(readOrder('-changed')).toEqual({ key: 'changed', isDown: true })
    expect(readOrder('nonsense')).toEqual({ key: 'name', isDown: false })
    expect(formatOrder({ key: 'name', isDown: false })).toBe(undefined)
    expect(formatOrder({ key: 'name', isDown: true })).toBe('-name')
  })

  test('computes changes exactly, and shows none from nothing', () => {
    expect(rows.map(({ changePct }) => changePct)).toEqual(['2.00', '-1.00', null, null, null, null])
  })

  test('is exported as shown', () => {
    const [head, first] = formatCsv(listSheet(chooseRows(rows, { ...all, text: 'copper' }))).split('\r\n')
    expect(head).toContain('Series,Source,Name,Frequency')
    expect(formatCsv(listSheet(chooseRows(rows, { ...all, text: 'zinc' })))).toContain('BLS/WPU9,Own figures,Zinc,')
    expect(first).toBe(
      'BLS/WPU2,BLS,Copper,quarterly,2015=100,0.099,2024-03,FINAL,2024-04-11,,-1.00,,No answer since 1 Apr 2024.',
    )
  })
})
