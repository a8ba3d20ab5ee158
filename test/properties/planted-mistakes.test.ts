// Sixty mistakes planted in the lines of twenty agreements: the first reason that is named is the planted one, every time; and
// a thousand right lines raise no alarm.
import { describe, expect, test } from 'vitest'
import { reasonCodes } from '../../src/core/invoices/hypotheses.ts'
import { check, checkOne } from '../support/agreements/invoice-check.ts'
import { cases, plantAll, rightLines, units } from '../support/agreements/planted-mistakes.ts'

const all = plantAll(reasonCodes)

describe('planted mistakes', () => {
  test('are sixty, in twenty agreements, of every kind', () => {
    expect(all).toHaveLength(60)
    expect(new Set(all.map(({ of }) => of.slug)).size).toBe(20)
    expect([...new Set(all.map(({ code }) => code))].sort()).toEqual([...reasonCodes].sort())
  })

  test.each(all.map((each, i) => ({ ...each, name: `${i + 1}: ${each.code} in ${each.of.slug}` })))(
    '$name',
    ({ of, code, item, planted }) => {
      const line = { agreement: of.slug, item, date: '2024-11-15', ...planted.line }
      const row = checkOne(planted.booked ?? of.booked, line, { units })
      expect([row.outcome === 'OVER' || row.outcome === 'UNDER', row.reason?.code, row.reason?.sentence]).toEqual([
        true,
        code,
        expect.stringMatching(/ is .*; the settled price of 2024-Q4 is [\d.]+\.$/),
      ])
    },
  )
})

describe('right lines', () => {
  test('raise no alarm, a thousand of them', () => {
    const { data, summary } = check(
      cases.map(({ booked }) => booked),
      rightLines(),
    )
    expect(data.filter(({ outcome }) => outcome !== 'OK')).toEqual([])
    expect(summary).toEqual({ lines: 1_000, outcomes: { OK: 1_000 }, over: {}, under: {} })
  })
})
