import { describe, expect, test } from 'vitest'
import { formatDate } from '../../src/core/text/words.ts'
import {
  alignOnPoint,
  countOf,
  formatAgo,
  formatCount,
  formatDaysIn,
  formatFigure,
  formatFrequency,
  formatHash,
  formatInstant,
  formatMoney,
  formatPct,
  formatSigned,
  groupFiguresIn,
} from '../../web/components/words/words.ts'

describe('figures on a page', () => {
  test('keep their digits and carry a true minus', () => {
    expect(formatFigure('-0.40')).toBe('−0.40')
    expect(formatFigure('245.30')).toBe('245.30')
  })

  test('carry their sign as changes, except zero', () => {
    expect(['2.35', '-0.4', '0', '0.00', '+1'].map(formatSigned)).toEqual(['+2.35', '−0.4', '0', '0.00', '+1'])
    expect(formatPct('5.005')).toBe('+5.005\u202f%')
  })

  test('are aligned at the decimal point', () => {
    const aligned = alignOnPoint(['1.5', '12', null, '-3.125'])
    expect(aligned).toEqual(['1.5\u2007\u2007', '12\u2008\u2007\u2007\u2007', '', '−3.125'])
    const widths = aligned.filter(text => text !== '').map(text => text.length - Math.max(text.search(/[.\u2008]/), 0))
    expect(new Set(widths).size).toBe(1)
  })
})

describe('days in a sentence of the server', () => {
  test('are written as everywhere, and labels of periods stay', () => {
    expect(formatDaysIn('no period after 2025-12, which ended on 2025-12-31; due by 2026-06-02')).toBe(
      'no period after 2025-12, which ended on 31 Dec 2025; due by 2 Jun 2026',
    )
  })
})

describe('figures in a sentence', () => {
  test('have spaces between thousands where they are known or have decimals; codes, labels and days have none', () => {
    const sentence = '8868 is 100 times the price of "BR-8868"; 12790.00 EUR in 2026-Q1, item 4711, on 2026-03-01.'
    expect(groupFiguresIn(sentence, ['8868', '88.68'])).toBe(
      '8\u202f868 is 100 times the price of "BR-8868"; 12\u202f790.00 EUR in 2026-Q1, item 4711, on 2026-03-01.',
    )
  })
})

describe('one rule for a column', () => {
  test('leaves hashes, labels and days as they are', () => {
    for (const text of ['1657831f1ba2102c', '2024-Q2', '2024-05-10']) expect(formatFigure(text)).toBe(text)
  })

  test('separates thousands with a narrow space, before the point only', () => {
    expect(['1234567.8912', '-1000', '+45000.5', '999.1234', '12345…'].map(formatFigure)).toEqual([
      '1\u202f234\u202f567.8912',
      '−1\u202f000',
      '+45\u202f000.5',
      '999.1234',
      '12\u202f345…',
    ])
    expect(formatMoney('12400.50', 'EUR')).toBe('12\u202f400.50\u00a0EUR')
    expect([formatSigned('-1234.5'), formatSigned('1234.5')]).toEqual(['−1\u202f234.5', '+1\u202f234.5'])
    expect([formatCount(504), formatCount(12_000), countOf(2000, 'contract')]).toEqual([
      '504',
      '12\u202f000',
      '2\u202f000 contracts',
    ])
    expect(formatFigure(formatFigure('1234567.8'))).toBe(formatFigure('1234567.8'))
  })

  test('puts decimal points under each other and adds no digit, so that a figure has one form everywhere', () => {
    const column = alignOnPoint(['+3.15', '+3.1607', null, '0', '–'])
    expect(column).toEqual([
      '+3.15\u2007\u2007',
      '+3.1607',
      '',
      '0\u2008\u2007\u2007\u2007\u2007',
      '–\u2008\u2007\u2007\u2007\u2007',
    ])
    expect(column.map(text => text.trim())).toEqual(['+3.15', '+3.1607', '', '0', '–'])
  })
})

describe('dates on a page', () => {
  test('name the month and never depend on the zone of the machine', () => {
    expect(formatDate('2024-04-01')).toBe('1 Apr 2024')
    expect(formatDate('2024-12-31T23:59:59.999999Z')).toBe('31 Dec 2024')
    expect(formatInstant('2024-04-01T00:00:00.000000Z')).toBe('1 Apr 2024')
    expect(formatInstant('2024-04-01T14:05:09.000001Z')).toBe('1 Apr 2024, 14:05\u00a0UTC')
  })

  test('say how long ago only while it is recent', () => {
    const now = Date.parse('2024-04-10T12:00:00Z')
    const ago = (iso: string) => formatAgo(iso, now)
    expect(ago('2024-04-10T11:59:30Z')).toBe('just now')
    expect(ago('2024-04-10T11:15:00Z')).toBe('45 min ago')
    expect(ago('2024-04-08T12:00:00Z')).toBe('2 d ago')
    expect(ago('2024-03-01T12:00:00Z')).toBe('1 Mar 2024')
  })
})

describe('words on a page', () => {
  test('are the user’s', () => {
    expect(formatFrequency('EVERY_4_MONTHS')).toBe('every 4 months')
    expect(formatFrequency('SEMIANNUAL')).toBe('half-yearly')
    expect(formatHash('0123456789abcdef'.repeat(4))).toBe('01234567 … 89abcdef')
  })
})
