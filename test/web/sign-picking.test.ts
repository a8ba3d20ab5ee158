// Picking what to sign from a list.
import { describe, expect, test } from 'vitest'
import { batchEntry, hashOfBatch } from '../../src/core/receipt/party-signature.ts'
import type { WaitingRow } from '../../src/views/shapes/agreements.ts'
import { makeBatch } from '../../web/components/signing/batch.ts'
import {
  agreementsOf,
  foldZeros,
  pickAll,
  signedHash,
  signRequestOf,
  sumEffects,
  togglePick,
} from '../../web/pages/agreements/sign-offs/picking.ts'

function waiting(
  slug: string,
  period: string,
  adjustmentPct: string,
  prices: readonly [string, string],
  currency = 'EUR',
) {
  const [priceBefore, price] = prices
  const row = {
    slug,
    name: slug,
    currency,
    priceBefore,
    as: 'buyer',
    entry: { period, adjustmentPct, price, hash: `${slug}${period}`, disputedBy: [] },
  }
  return row as unknown as WaitingRow
}

const rows = [
  waiting('a', '2024-Q1', '0', ['10.00', '10.00']),
  waiting('b', '2024-Q1', '2.5', ['20.00', '20.50'], 'USD'),
  waiting('a', '2024-Q2', '0.00', ['10.00', '10.00']),
  waiting('a', '2024-Q3', '5', ['10.00', '10.50']),
  waiting('a', '2024-Q4', '0', ['10.50', '10.50']),
  waiting('c', '2024-Q4', '-1', ['5.00', '4.95']),
]

describe('a list to sign', () => {
  const folded = foldZeros(rows)
  const label = ({ row, folded: zeros, count }: (typeof folded)[number]) =>
    `${row.slug} ${row.entry.period} +${zeros.length} of ${count}`

  test('folds periods of 0 % into the one they are signed with', () => {
    expect(folded.map(label)).toEqual([
      'b 2024-Q1 +0 of 1',
      'a 2024-Q3 +2 of 3',
      'a 2024-Q4 +0 of 4',
      'c 2024-Q4 +0 of 1',
    ])
  })

  test('never folds a period that somebody objects to', () => {
    const [zero] = rows
    const disputed = { ...zero!, entry: { ...zero!.entry, disputedBy: ['supplier'] } } as WaitingRow
    expect(foldZeros([disputed, ...rows.slice(1)]).map(label)).toContain('a 2024-Q1 +0 of 1')
  })

  test('is picked from the oldest period on, and left from the newest', () => {
    const picked = togglePick(new Map(), folded[2]!)
    expect([...picked]).toEqual([['a', 4]])
    expect([...togglePick(picked, folded[2]!)]).toEqual([['a', 3]])
    expect([...togglePick(picked, folded[1]!)]).toEqual([])
  })

  test('shows the total of each and of all', () => {
    const agreements = agreementsOf(rows, pickAll(rows))
    expect(agreements.map(({ slug, periods, effect }) => [slug, periods.length, effect])).toEqual([
      ['a', 4, '0.50'],
      ['b', 1, '0.50'],
      ['c', 1, '-0.05'],
    ])
    expect(sumEffects(agreements)).toEqual([
      { currency: 'EUR', amount: '0.45' },
      { currency: 'USD', amount: '0.5' },
    ])
    const picked = agreementsOf(rows, new Map([['a', 1]]))
    const batch = makeBatch(picked.map(signedHash))
    const sent = { slug: 'a', party: 'buyer', periods: [{ period: '2024-Q1', hash: 'a2024-Q1' }] }
    expect(signRequestOf(picked, batch, undefined)).toEqual({ agreements: [sent] })
    const salt = batch.saltOf('a2024-Q1')
    expect(batch).toMatchObject({ entries: [batchEntry('a2024-Q1', salt)], hash: hashOfBatch(batch.entries) })
    expect(signRequestOf(picked, batch, 'sgb_1')).toEqual({ agreements: [{ ...sent, salt }], batch: 'sgb_1' })
  })
})
