// The price in force on a day, and the prices beside it.
import { describe, expect, test } from 'vitest'
import {
  type AgreementWords,
  contractPrice,
  listVersion,
  makeAgreement,
} from '../../../test/support/agreements/priced-agreement.ts'
import { parseDay } from '../time/day.ts'
import { Pricing } from './item-prices.ts'
import { priceRows, type RowFilter, whyNoRows } from './price-rows.ts'

const quarters = ['2024-Q2', '2024-Q3', '2024-Q4'] as const
type Sign = 'AGREED' | 'OPEN' | 'SIGNED_BY_BUYER' | 'BLOCKED'

/** From 10 EUR, 10 % up each quarter; the next date is 2025-01-01. */
function quartersOf(...signs: Sign[]): NonNullable<AgreementWords['periods']> {
  return [
    { period: 'start', date: '2024-01-01' },
    ...quarters.map((period, i) => {
      const sign = signs[i]!
      const number = sign === 'BLOCKED' ? {} : { factor: `1.${i + 1}`, status: sign }
      return { period, date: `2024-${['04', '07', '10'][i]}-01`, ...number }
    }),
  ]
}

function onDay(day: string, words: AgreementWords, filter: RowFilter = {}): string[] {
  return priceRows(new Pricing(makeAgreement(words)), { ...filter, date: parseDay(day)! }).map(({ row }) => {
    const { item, fromQuantity, period, price, validFrom, inForceUntil, proposed, status } = row
    const step = fromQuantity === '0' ? '' : `/${fromQuantity}`
    const beside = proposed === null ? '' : `, ${proposed.price} for ${proposed.period} ${proposed.status}`
    return `${item}${step} ${period} ${price} ${validFrom}–${inForceUntil ?? ''} ${status}${beside}`
  })
}

const tenList = listVersion('item,price,currency\nA,10,EUR\n')
const ten = (...signs: Sign[]): AgreementWords => ({ periods: quartersOf(...signs), lists: [tenList] })

describe('on a day', () => {
  test('the newest period that both signed is in force until the next one is signed', () => {
    const words = ten('AGREED', 'BLOCKED', 'OPEN')
    expect(onDay('2024-05-01', words)).toEqual(['A 2024-Q2 11.00 2024-04-01– AGREED'])
    expect(onDay('2024-08-01', words)).toEqual(['A 2024-Q2 11.00 2024-04-01– AGREED'])
    expect(onDay('2024-11-01', words)).toEqual(['A 2024-Q2 11.00 2024-04-01– AGREED, 13.00 for 2024-Q4 OPEN'])
    expect(onDay('2024-02-01', words)).toEqual(['A start 10.00 2024-01-01–2024-03-31 AGREED'])
    expect(onDay('2024-11-01', ten('AGREED', 'OPEN', 'AGREED'))).toEqual(['A 2024-Q4 13.00 2024-10-01– AGREED'])
    expect(onDay('2024-08-01', ten('AGREED', 'OPEN', 'AGREED'))).toEqual([
      'A 2024-Q2 11.00 2024-04-01–2024-09-30 AGREED, 12.00 for 2024-Q3 OPEN',
    ])
  })

  test('it ends with the item and with the contract', () => {
    const lists = [listVersion('item,price,currency,valid_to\nA,10,EUR,2024-11-15\nB,10,EUR,\n')]
    const words = { ...ten('AGREED', 'OPEN', 'OPEN'), lists, end: '2024-12-20' }
    expect(onDay('2024-11-01', words)).toEqual([
      'A 2024-Q2 11.00 2024-04-01–2024-11-15 AGREED, 13.00 for 2024-Q4 OPEN',
      'B 2024-Q2 11.00 2024-04-01–2024-12-20 AGREED, 13.00 for 2024-Q4 OPEN',
    ])
    expect(onDay('2024-11-16', words)).toHaveLength(1)
    expect(onDay('2024-12-21', words)).toEqual([])
    expect(onDay('2025-01-01', ten('AGREED', 'OPEN', 'OPEN'))).toEqual([])
    expect(onDay('2023-12-31', words)).toEqual([])
  })

  test('what is proposed is a row of its own where that is asked for', () => {
    expect(onDay('2024-11-01', ten('AGREED', 'OPEN', 'SIGNED_BY_BUYER'), { withProposed: true })).toEqual([
      'A 2024-Q2 11.00 2024-04-01– AGREED, 13.00 for 2024-Q4 SIGNED_BY_BUYER',
      'A 2024-Q4 13.00 2024-10-01– SIGNED_BY_BUYER',
    ])
  })

  test('an item that becomes valid while the next period is open is in force from then on', () => {
    const lists = [listVersion('item,price,currency,valid_from\nA,10,EUR,2024-08-15\n')]
    const words = { ...ten('AGREED', 'OPEN', 'OPEN'), lists }
    expect(onDay('2024-08-20', words)).toEqual(['A 2024-Q2 11.00 2024-08-15– AGREED, 12.00 for 2024-Q3 OPEN'])
    expect(onDay('2024-08-14', words)).toEqual([])
    const all = priceRows(new Pricing(makeAgreement(words)))
    expect(all.map(({ row }) => row.period)).toEqual(['2024-Q3', '2024-Q4'])
    const [row] = priceRows(new Pricing(makeAgreement(words)), { date: parseDay('2024-08-20')! })
    expect(row!.row.validTo).toBeNull()
  })

  test('today’s row alone says what is proposed, whatever else is listed', () => {
    const all = priceRows(new Pricing(makeAgreement(ten('AGREED', 'OPEN', 'OPEN'))))
    expect(all.map(({ row }) => [row.period, row.validTo, row.inForceUntil, row.proposed?.price])).toEqual([
      ['start', '2024-03-31', '2024-03-31', undefined],
      ['2024-Q2', '2024-06-30', null, '13.00'],
      ['2024-Q3', '2024-09-30', null, undefined],
      ['2024-Q4', null, null, undefined],
    ])
  })

  test('a range is touched while a price is in force, and by what is not settled while it is valid', () => {
    const labels = (from: string, to: string) =>
      priceRows(new Pricing(makeAgreement(ten('AGREED', 'OPEN', 'OPEN'))), {
        from: parseDay(from)!,
        to: parseDay(to)!,
      }).map(({ row }) => row.period)
    expect(labels('2024-07-01', '2024-07-31')).toEqual(['2024-Q2', '2024-Q3'])
    expect(labels('2025-02-01', '2025-02-28')).toEqual(['2024-Q2', '2024-Q4'])
    expect(labels('2024-03-31', '2024-03-31')).toEqual(['start'])
  })
})

describe('a list that is not settled yet', () => {
  const newer = (csv: string, ...signs: Sign[]): AgreementWords => ({
    periods: quartersOf(...signs),
    lists: [
      listVersion('item,price,currency\nA,10,EUR\nGONE,20,EUR\n'),
      listVersion(`item,price,currency,replaces\n${csv}`, 2, '2024-Q3', '2024-07-01'),
    ],
  })

  test('ends no item and prices no new one', () => {
    const words = newer('A,5,EUR,\nNEW,7,EUR,\n', 'AGREED', 'OPEN', 'BLOCKED')
    expect(onDay('2024-11-01', words)).toEqual([
      'A 2024-Q2 11.00 2024-04-01– AGREED, 6.00 for 2024-Q3 OPEN',
      'GONE 2024-Q2 22.00 2024-04-01– AGREED',
      'NEW 2024-Q3 8.40 2024-07-01– OPEN',
    ])
    expect(onDay('2024-11-01', newer('A,5,EUR,\nNEW,7,EUR,\n', 'AGREED', 'AGREED', 'BLOCKED'))).toEqual([
      'A 2024-Q3 6.00 2024-07-01– AGREED',
      'NEW 2024-Q3 8.40 2024-07-01– AGREED',
    ])
  })

  test('leaves an item that it replaces in force, by either key', () => {
    const words = newer('NEW,7,EUR,GONE\n', 'AGREED', 'OPEN', 'OPEN')
    const old = 'GONE 2024-Q2 22.00 2024-04-01– AGREED, 9.10 for 2024-Q4 OPEN'
    expect(onDay('2024-11-01', words)).toEqual(['A 2024-Q2 11.00 2024-04-01– AGREED', old])
    for (const item of ['NEW', 'GONE']) expect(onDay('2024-11-01', words, { item })).toEqual([old])
    const settled = newer('NEW,7,EUR,GONE\n', 'AGREED', 'AGREED', 'OPEN')
    for (const item of ['NEW', 'GONE'])
      expect(onDay('2024-11-01', settled, { item })).toEqual([
        'NEW 2024-Q3 8.40 2024-07-01– AGREED, 9.10 for 2024-Q4 OPEN',
      ])
  })

  test('leaves an item in force that was replaced twice', () => {
    const words = newer('B,7,EUR,GONE\n', 'AGREED', 'OPEN', 'OPEN')
    const third = listVersion('item,price,currency,replaces\nC,1,EUR,B\n', 3, '2024-Q4', '2024-10-01')
    expect(onDay('2024-11-01', { ...words, lists: [...words.lists!, third] }, { item: 'C' })).toEqual([
      'GONE 2024-Q2 22.00 2024-04-01– AGREED, 1.30 for 2024-Q4 OPEN',
    ])
  })

  test('has no price in force of an item whose base is not settled', () => {
    const lists = [listVersion('item,price,currency,base\nA,10,EUR,2024-Q4\nB,10,EUR,\n')]
    expect(onDay('2024-08-01', { ...ten('AGREED', 'OPEN', 'OPEN'), lists })).toEqual([
      'A 2024-Q3 9.23 2024-07-01– OPEN',
      'B 2024-Q2 11.00 2024-04-01– AGREED, 12.00 for 2024-Q3 OPEN',
    ])
  })

  test('tells what it proposes for the quantity of the row', () => {
    const words: AgreementWords = {
      periods: quartersOf('AGREED', 'OPEN', 'BLOCKED'),
      lists: [tenList, listVersion('item,price,currency,per\nA,1000,EUR,100\n', 2, '2024-Q3', '2024-07-01')],
    }
    expect(onDay('2024-11-01', words)).toEqual(['A 2024-Q2 11.00 2024-04-01– AGREED, 12 for 2024-Q3 OPEN'])
  })
})

describe('a price that was renegotiated', () => {
  const fresh = { price: contractPrice('20'), formulaVersion: 2 }
  const periods = (status: 'AGREED' | 'OPEN'): NonNullable<AgreementWords['periods']> => [
    ...quartersOf('AGREED', 'OPEN', 'OPEN').slice(0, 2),
    { period: 'start', date: '2024-05-10', ...fresh },
    { period: '2024-Q3', date: '2024-07-01', factor: '1.2', status, ...fresh },
  ]

  test('is in force from its first adjustment that both signed', () => {
    expect(onDay('2024-06-01', { periods: periods('OPEN') })).toEqual([
      'steel-brackets 2024-Q2 13.64 2024-04-01– AGREED',
    ])
    expect(onDay('2024-08-01', { periods: periods('OPEN') })).toEqual([
      'steel-brackets 2024-Q2 13.64 2024-04-01– AGREED, 24.00 for 2024-Q3 OPEN',
    ])
    expect(onDay('2024-08-01', { periods: periods('AGREED') })).toEqual([
      'steel-brackets 2024-Q3 24.00 2024-07-01– AGREED',
    ])
  })

  test('has none without a list of its own, once it is signed', () => {
    const listed = (status: 'AGREED' | 'OPEN') => ({ periods: periods(status), lists: [tenList] })
    expect(onDay('2024-08-01', listed('OPEN'))).toEqual(['A 2024-Q2 11.00 2024-04-01– AGREED'])
    expect(onDay('2024-08-01', listed('AGREED'))).toEqual([])
    expect(whyNoRows(new Pricing(makeAgreement(listed('AGREED'))), { date: parseDay('2024-08-01')! })).toBe(
      'the price was renegotiated from 2024-05-10, and no price list was applied from then on',
    )
  })
})

test('who may not see the period in force has what is proposed alone', () => {
  const agreement = makeAgreement(ten('AGREED', 'OPEN', 'OPEN'))
  const periods = agreement.periods.map((each, i) => (i < 2 ? { ...each, isBaseOnly: true as const } : each))
  const rows = priceRows(new Pricing({ ...agreement, periods }), { date: parseDay('2024-11-01')! })
  expect(rows.map(({ row }) => [row.period, row.status, row.proposed])).toEqual([['2024-Q4', 'OPEN', null]])
})
