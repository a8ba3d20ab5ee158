import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../frame/answer.ts'
import { decimal, exact, orNull, text } from '../v1/schema-parts.ts'
import { csvAnswer, listAnswer, nextPage } from './list.ts'

const reason = exact('Why.', { code: text('Code'), sentence: text('Sentence') })
const row = exact('A row.', {
  slug: text('Slug'),
  adjustmentPct: orNull(decimal('Percent'), 'Percent'),
  confirmed: exact('Who.', { buyer: orNull(text('Day'), 'Day') }),
  reason: orNull(reason, 'Why'),
  periods: orNull(Type.Array(Type.String()), 'Periods'),
  spans: Type.Array(exact('A span.', { period: text('Period'), days: text('Days') })),
})
const rows = [
  {
    slug: '=cmd',
    adjustmentPct: '-1.5',
    confirmed: { buyer: '2024-05-01' },
    reason: { code: 'LAG', sentence: 'a, "b"' },
    periods: ['2024-01', '2024-02'],
    spans: [{ period: '2024-Q1', days: '3' }],
  },
  { slug: '-x', adjustmentPct: null, confirmed: { buyer: null }, reason: null, periods: null, spans: [] },
]
const request = {
  path: '/ext/v1/rows',
  search: 'limit=2&from=start',
  accepted: 'csv' as const,
  query: { format: null },
}
const page = { rows, limit: 2, hasMore: true, nextCursor: 'abc' }

describe('a list as CSV', () => {
  test('has a column for each field in its order, and neutralises texts but no number', () => {
    const answer = listAnswer(request, row, page)
    expect(bytesOf(answer).toString()).toBe(
      'slug,adjustment_pct,confirmed_buyer,reason_code,reason_sentence,periods,spans\r\n' +
        `'=cmd,-1.5,2024-05-01,LAG,"a, ""b""",2024-01 2024-02,2024-Q1\r\n` +
        "'-x,,,,,,\r\n",
    )
    expect(answer.type).toBe('text/csv; charset=utf-8')
  })

  test('names the next page with the same request', () => {
    expect(listAnswer(request, row, page).headers).toEqual([nextPage, '/ext/v1/rows?limit=2&cursor=abc'])
    expect(listAnswer(request, row, { ...page, hasMore: false }).headers).toEqual([])
  })

  test('is its header where there is no row', () => {
    expect(bytesOf(csvAnswer(row, [])).toString()).toBe(
      'slug,adjustment_pct,confirmed_buyer,reason_code,reason_sentence,periods,spans\r\n',
    )
  })
})

describe('a list as JSON', () => {
  test('is chosen by format before Accept', () => {
    const answer = listAnswer({ ...request, query: { format: 'json' } }, row, page)
    expect(JSON.parse(bytesOf(answer).toString())).toEqual({
      data: rows,
      pagination: { limit: 2, hasMore: true, nextCursor: 'abc' },
    })
    expect(answer.headers).toEqual([])
  })
})
