import { describe, expect, test } from 'vitest'
import { parseDay } from '../../core/time/day.ts'
import { judgeCommonStatus, SdmxCollector, type SdmxCursor, type SdmxDialect } from './sdmx.ts'
import { formatCode, parseCode } from './sdmx-code.ts'

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, ['id']),
  writeCode: (flow, key) => formatCode(flow, key, ['id']),
  hMeansHalfYear: false,
  flagIds: ['OBS_STATUS'],
  judge: judgeCommonStatus,
  nameIds: ['TITLE'],
  unitIds: ['UNIT'],
  baseIds: () => ['BASE'],
}

const flow = { agency: 'X', id: 'F', version: '1.0' }

function cursor(
  period: string,
  value: string | null,
  more: Partial<SdmxCursor> & { found?: Record<string, string> } = {},
) {
  const { found = {}, ...rest } = more
  const find = (id: string) => (found[id] === undefined ? null : { code: found[id], label: null })
  return { flow, key: 'M.DE', frequency: 'M', period, value, isDeleted: false, find, ...rest }
}

function collect(
  cursors: readonly SdmxCursor[],
  options: { asked?: readonly string[]; by?: Partial<SdmxDialect>; notAfter?: string } = {},
) {
  const collector = new SdmxCollector({
    dialect: { ...dialect, ...options.by },
    asked: options.asked ?? [],
    askedFlow: null,
    notAfter: parseDay(options.notAfter ?? ''),
  })
  for (const one of cursors) collector.sink(one)
  return collector.finish()
}

describe('collecting observations', () => {
  test('sorts periods and keeps series in the order received', () => {
    const parsed = collect([
      cursor('2024-02', '2.10'),
      cursor('2024-01', '1', { key: 'M.FR' }),
      cursor('2024-01', '1.0', { found: { OBS_STATUS: 'P' } }),
    ])
    expect(parsed.problems).toEqual([])
    expect(parsed.series.map(series => series.code)).toEqual(['F/M.DE', 'F/M.FR'])
    expect(parsed.series[0]!.observations).toEqual([
      { period: '2024-01', value: '1.0', version: 'PRELIMINARY', flag: 'P', published: null },
      { period: '2024-02', value: '2.10', version: 'FINAL', flag: null, published: null },
    ])
  })

  test('uses the requested code, but only for the same series', () => {
    const codes = (asked: readonly string[]) =>
      collect([cursor('2024-01', '1')], { asked }).series.map(series => series.code)
    expect(codes(['f/M.DE'])).toEqual(['f/M.DE'])
    expect(codes(['f/M.FR', 'f/M.DE'])).toEqual(['f/M.DE'])
    expect(codes(['F/M.FR'])).toEqual(['F/M.DE'])
  })

  test('lists missing values separately, with their status, words or marker, never as zero', () => {
    const { series } = collect([
      cursor('2024-01', ''),
      cursor('2024-02', null, { found: { OBS_STATUS: 'L' } }),
      cursor('2024-03', '0', { found: { OBS_STATUS: 'M' } }),
      cursor('2024-04', ':'),
      cursor('2024-05', 'NaN'),
      cursor('2024-06', '5', { isDeleted: true }),
    ])
    expect(series[0]!.observations).toEqual([])
    expect(series[0]!.missing.map(({ period, flag, reason }) => `${period} ${flag} ${reason}`)).toEqual([
      '2024-01 null empty value',
      '2024-02 L null',
      '2024-03 M status "M"',
      '2024-04 null marker ":"',
      '2024-05 null marker "NaN"',
      '2024-06 null withdrawn by the provider',
    ])
  })

  test('leaves out forecasts, marked or known by rule', () => {
    const marked = collect([cursor('2024-01', '1', { found: { OBS_STATUS: 'F' } })])
    expect(marked.series).toMatchObject([{ observations: [], missing: [] }])
    const rows = [cursor('2024-12', '1'), cursor('2025-01', '2')]
    const byYear = collect(rows, { by: { forecastsOf: () => ({ after: parseDay('2024-12-31')! }) } })
    expect(byYear.series[0]!.observations.map(one => one.period)).toEqual(['2024-12'])
    const all = collect(rows, { by: { forecastsOf: () => 'all' } })
    expect(all).toMatchObject({ series: [{ observations: [], missing: [] }], problems: [] })
  })

  test('leaves out days after the date of the answer', () => {
    const daily = { key: 'D.DE', frequency: 'D' }
    const { series } = collect([cursor('2024-01-02', '1', daily), cursor('2024-01-03', '2', daily)], {
      notAfter: '2024-01-02',
    })
    expect(series[0]!.observations.map(one => one.period)).toEqual(['2024-01-02'])
  })

  test('uses neither of two values for one period, and counts a repeated row once', () => {
    const { series, problems } = collect([
      cursor('2024-01', '1'),
      cursor('2024-01', '1'),
      cursor('2024-02', '2'),
      cursor('2024-02', '3'),
      cursor('2024-03', ''),
      cursor('2024-03', '4'),
    ])
    expect(series[0]!.observations.map(one => one.period)).toEqual(['2024-01', '2024-03'])
    expect(series[0]!.missing).toEqual([])
    expect(problems).toEqual([{ kind: 'unreadable', message: 'F/M.DE: 2024-02 has two values, 2 and 3' }])
  })

  test('reports what cannot be read and reads the rest', () => {
    const { series, problems } = collect([
      cursor('2024-T1', '1'),
      cursor('2024', '1'),
      cursor('2024-01', '1'),
      cursor('2024-02', 'Infinity', { key: 'M.FR' }),
      cursor('2024-01-01T05', '1', { key: 'H.DE', frequency: 'H' }),
    ])
    expect(series.map(one => [one.code, one.observations.length])).toEqual([
      ['F/M.DE', 1],
      ['F/M.FR', 0],
    ])
    expect(problems.map(problem => problem.message)).toEqual([
      'F/M.DE: "2024-T1" is not a period of a MONTHLY series (and 1 more like it)',
      'F/M.FR: "Infinity" of 2024-02 is not a decimal number',
      'F/H.DE: frequency "H" is not supported',
    ])
  })

  test('takes the frequency from the periods if no dimension gives it', () => {
    for (const frequency of [null, '_Z']) {
      const { series } = collect([cursor('2024-Q1', '1', { frequency })])
      expect(series).toMatchObject([{ frequency: 'QUARTERLY' }])
    }
  })

  test('writes the unit with base and multiplier and does not multiply', () => {
    const unit = (found: Record<string, string>) => collect([cursor('2024-01', '1', { found })]).series[0]!.unit
    expect(unit({ UNIT: 'IX', BASE: '2015', UNIT_MULT: '0' })).toBe('IX, base 2015')
    expect(unit({ UNIT: 'USD', UNIT_MULT: '6' })).toBe('USD (x10^6)')
    expect(unit({ UNIT_MULT: '-3' })).toBe('(x10^-3)')
    expect(unit({ UNIT: 'USD', UNIT_MULT: '9999' })).toBe('USD')
    expect(unit({ UNIT: '_Z' })).toBeNull()
    expect(unit({})).toBeNull()
  })

  test('interprets the common statuses, the least certain code first', () => {
    expect([...'ABDGIJNSU'].map(judgeCommonStatus)).toEqual(Array(9).fill('FINAL'))
    expect([...'PEV'].map(judgeCommonStatus)).toEqual(Array(3).fill('PRELIMINARY'))
    expect([...'HLMQ'].map(judgeCommonStatus)).toEqual(Array(4).fill('missing'))
    expect(judgeCommonStatus('F')).toBe('forecast')
    expect(judgeCommonStatus('A,F')).toBe('forecast')
    expect(judgeCommonStatus('A;P')).toBe('PRELIMINARY')
    expect(judgeCommonStatus('p')).toBe('FINAL')
    expect(judgeCommonStatus('constructor')).toBe('FINAL')
  })
})
