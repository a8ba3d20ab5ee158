import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AgreementWords,
  cents,
  contractPrice,
  listVersion,
  makeAgreement,
  readList,
} from '../../../test/support/agreements/priced-agreement.ts'
import { formatExact, ratio } from '../numbers/ratio.ts'
import type { Party } from '../parties.ts'
import { parseDay } from '../time/day.ts'
import { weakerStatus } from './agreement.ts'
import { onlyPrice, Pricing } from './item-prices.ts'
import { checkList } from './list-check.ts'
import { resolveStart, type SignedDate } from './list-start.ts'
import { stepFor } from './price-list.ts'
import { priceRows, type RowFilter, whyNoRows } from './price-rows.ts'

function prices(words: AgreementWords, filter: RowFilter = {}): string[] {
  return priceRows(new Pricing(makeAgreement(words)), filter).map(
    ({ row: { item, fromQuantity, period, price } }) => `${item}/${fromQuantity} ${period} ${price}`,
  )
}

const listed = (csv: string, words: AgreementWords = {}): AgreementWords => ({ ...words, lists: [listVersion(csv)] })

describe('the price of an item', () => {
  test('is the base price by the factor of the period, rounded as the contract rounds prices', () => {
    expect(prices(listed('item,price,currency\nBR-100,12.40,EUR\n'))).toEqual([
      'BR-100/0 start 12.40',
      'BR-100/0 2024-Q2 12.69',
      'BR-100/0 2024-Q3 13.02',
      'BR-100/0 2024-Q4 13.64',
    ])
  })

  test('moves by its share alone', () => {
    const csv = 'item,price,currency,share\nHALF,10,EUR,0.5\nNONE,10,EUR,0\n'
    expect(prices(listed(csv), { period: '2024-Q4' })).toEqual(['HALF/0 2024-Q4 10.50', 'NONE/0 2024-Q4 10.00'])
  })

  test('of a later base counts from there, and back before it', () => {
    const csv = 'item,price,currency,base,round\nNEW,21,EUR,2024-Q3,6\n'
    // 21 ÷ 1.05 = 20, and 20 × 1.0235, 20 × 1.1.
    expect(prices(listed(csv))).toEqual([
      'NEW/0 start 20.000000',
      'NEW/0 2024-Q2 20.470000',
      'NEW/0 2024-Q3 21.000000',
      'NEW/0 2024-Q4 22.000000',
    ])
  })

  test('is rounded by its row, with the mode of the contract', () => {
    const csv = 'item,price,currency,round\nA,12.40,EUR,0\nB,12.40,EUR,3\nC,12.40,EUR,0.05\nD,12.40,EUR,5.0\n'
    const down = { rounding: { dp: 2, mode: 'DOWN' } } as const
    // 12.40 × 1.0235 = 12.6914
    expect(prices(listed(csv, down), { period: '2024-Q2' })).toEqual([
      'A/0 2024-Q2 12',
      'B/0 2024-Q2 12.691',
      'C/0 2024-Q2 12.65',
      'D/0 2024-Q2 10.0',
    ])
  })

  test('is rounded as it is written where no rounding is set, with the decimals of its currency at least', () => {
    const euro = 'item,price,currency\nA,12,EUR\nB,12.4,EUR\nC,12.4000,EUR\n'
    expect(prices(listed(euro, { rounding: null, price: null }), { period: '2024-Q2' })).toEqual([
      'A/0 2024-Q2 12.28',
      'B/0 2024-Q2 12.69',
      'C/0 2024-Q2 12.6914',
    ])
    const others = [
      ['JPY', '2024-Q2 1024'],
      ['KWD', '2024-Q2 1023.500'],
    ] as const
    for (const [currency, expected] of others)
      expect(
        prices(listed(`item,price,currency\nA,1000,${currency}\n`, { rounding: null, price: null }), {
          period: '2024-Q2',
        }),
      ).toEqual([`A/0 ${expected}`])
  })

  test('has a half rounded away from zero: the factor is exact', () => {
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', factor: '1/3' },
    ]
    // 0.135 ÷ 3 × … = 0.045 exactly; a factor of 0.333… would give 0.04.
    expect(prices(listed('item,price,currency\nA,0.135,EUR\n', { periods }), { period: '2024-Q2' })).toEqual([
      'A/0 2024-Q2 0.05',
    ])
  })

  test('may be 0, and then stays 0', () => {
    expect(prices(listed('item,price,currency\nFREE,0,EUR\n'), { period: '2024-Q3' })).toEqual(['FREE/0 2024-Q3 0.00'])
  })

  test('equals whole-number arithmetic, for any price, share, factor and rounding', () => {
    const digits = fc.bigInt(0n, 10n ** 12n)
    fc.assert(
      fc.property(
        digits,
        fc.bigInt(0n, 1000n),
        fc.bigInt(1n, 10n ** 9n),
        fc.bigInt(1n, 10n ** 9n),
        fc.bigInt(1n, 10n ** 9n),
        fc.integer({ min: 0, max: 15 }),
        (price, share, f, b, d, dp) => {
          const periods = [
            { period: 'start', date: '2024-01-01' },
            { period: '2024-Q2', date: '2024-04-01', factor: `${b}/${d}` },
            { period: '2024-Q3', date: '2024-07-01', factor: `${f}/${d}` },
          ]
          const text = (value: bigint, places: number) =>
            `${value / 10n ** BigInt(places)}.${String(value % 10n ** BigInt(places)).padStart(places, '0')}`
          const csv = `item,price,currency,base,share,round\nA,${text(price, 4)},EUR,2024-Q2,${text(share, 3)},${dp}\n`
          const [row] = priceRows(new Pricing(makeAgreement(listed(csv, { periods }))), { period: '2024-Q3' })
          // price ÷ 10^4 × ((1000 − share) ÷ 1000 + share ÷ 1000 × f ÷ b), in units of 10^-dp, half up.
          const n = price * ((1000n - share) * b + share * f) * 10n ** BigInt(dp)
          const all = 10n ** 4n * 1000n * b
          expect(formatExact(row!.price)).toBe(formatExact({ n: (2n * n + all) / (2n * all), d: 10n ** BigInt(dp) }))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('quantity steps', () => {
  test('give the highest that is not above the quantity', () => {
    const version = listVersion('item,price,currency,from_quantity\nA,3,EUR,10\nA,2,EUR,100\nA,1,EUR,1000.5\n')
    const item = version.list.find('A')!
    const priceAt = (quantity: string) => stepFor(item, ratio(quantity))?.priceText ?? null
    expect(['0', '9.99', '10', '99', '100', '1000', '1000.5', '9999'].map(priceAt)).toEqual([
      null,
      null,
      '3',
      '3',
      '2',
      '2',
      '1',
      '1',
    ])
  })
})

describe('what is priced', () => {
  test('is the contract’s own price where there is no list, named by the slug', () => {
    expect(prices({}, { period: '2024-Q2' })).toEqual(['steel-brackets/0 2024-Q2 12.69'])
    expect(prices({ price: null })).toEqual([])
    const pricing = new Pricing(makeAgreement({ price: null }))
    expect(whyNoRows(pricing, { period: '2024-Q2' })).toBe(
      'steel-brackets has neither a price list nor a price of its own',
    )
  })

  test('is only what the list has, where there is one', () => {
    const lists = [listVersion('item,price,currency\nA,1,EUR\n', 1, '2024-Q3', '2024-07-01')]
    expect(prices({ lists }).slice(0, 2)).toEqual(['A/0 2024-Q3 1.05', 'A/0 2024-Q4 1.10'])
  })

  test('stays the contract’s own price before the first list, unless an earlier one was another supplier’s', () => {
    const lists = [listVersion('item,price,currency\nA,1,EUR\n', 1, '2024-Q3', '2024-07-01')]
    expect(prices({ lists }, { period: '2024-Q2' })).toEqual(['steel-brackets/0 2024-Q2 12.69'])
    const hidden = new Pricing(makeAgreement({ lists: [{ ...lists[0]!, number: 2 }] }))
    expect(whyNoRows(hidden, { period: '2024-Q2' })).toBe(
      'no price list governs 2024-Q2: the first one begins with 2024-Q3',
    )
    const unpriced = new Pricing(makeAgreement({ lists, price: null }))
    expect(whyNoRows(unpriced, { period: '2024-Q2' })).toBe(
      'steel-brackets has neither a price list nor a price of its own before 2024-Q3',
    )
  })

  test('keeps the contract’s own price beside a first list that reaches back over what both signed', () => {
    const ownPriceUntil = parseDay('2024-07-01')
    const lists = [{ ...listVersion('item,price,currency\nA,1,EUR\n'), ownPriceUntil }]
    expect(prices({ lists }, { period: '2024-Q3' })).toEqual(['A/0 2024-Q3 1.05', 'steel-brackets/0 2024-Q3 13.02'])
    expect(prices({ lists }, { period: '2024-Q4' })).toEqual(['A/0 2024-Q4 1.10'])
    expect(onlyPrice(new Pricing(makeAgreement({ lists })), 2)).toBe('13.02')
  })

  test('counts from the start of its own version, whatever was renegotiated before its date since', () => {
    const lists = [listVersion('item,price,currency\nA,10,EUR\n')]
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: 'start', date: '2024-03-01', price: contractPrice('20'), formulaVersion: 2 },
      { period: '2024-Q2', date: '2024-04-01', factor: '1.5' },
      { period: '2024-Q3', date: '2024-07-01', factor: '1.1', price: contractPrice('20'), formulaVersion: 2 },
    ]
    expect(prices({ periods, lists })).toEqual(['A/0 start 10.00', 'A/0 2024-Q2 15.00'])
    expect(prices({ periods }, { period: '2024-Q2' })).toEqual(['steel-brackets/0 2024-Q2 18.60'])
  })

  test('comes from the highest version that is not later than the period', () => {
    const lists = [
      listVersion('item,price,currency\nA,1,EUR\nGONE,1,EUR\n'),
      listVersion('item,price,currency\nA,2,EUR\n', 2, '2024-Q4', '2024-10-01'),
      listVersion('item,price,currency\nA,3,EUR\n', 3, '2024-Q3', '2024-07-01'),
    ]
    // The third one came later and begins earlier: it also replaces the second.
    expect(prices({ lists, rounding: { dp: 4, mode: 'HALF_UP' } })).toEqual([
      'A/0 start 1.0000',
      'A/0 2024-Q2 1.0235',
      'A/0 2024-Q3 3.1500',
      'A/0 2024-Q4 3.3000',
      'GONE/0 start 1.0000',
      'GONE/0 2024-Q2 1.0235',
    ])
  })

  const restarted: AgreementWords = {
    periods: [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', factor: '1.5' },
      { period: 'start', date: '2024-08-01', price: contractPrice('20'), formulaVersion: 2 },
      { period: '2024-Q4', date: '2024-10-01', factor: '1.1', price: contractPrice('20'), formulaVersion: 2 },
    ],
  }

  test('counts from 1 again where the price was renegotiated', () => {
    expect(prices(restarted)).toEqual([
      'steel-brackets/0 start 12.40',
      'steel-brackets/0 2024-Q2 18.60',
      'steel-brackets/0 2024-Q4 22.00',
    ])
  })

  test('is blocked where the price was renegotiated and no list was applied from then on', () => {
    const old = listVersion('item,price,currency\nA,10,EUR\n')
    expect(prices({ ...restarted, lists: [old] })).toEqual(['A/0 start 10.00', 'A/0 2024-Q2 15.00'])
    expect(whyNoRows(new Pricing(makeAgreement({ ...restarted, lists: [old] })), { period: '2024-Q4' })).toBe(
      'the price was renegotiated from 2024-08-01, and no price list was applied from then on',
    )
    const fresh = listVersion('item,price,currency\nA,30,EUR\n', 2, 'start', '2024-08-01')
    expect(prices({ ...restarted, lists: [old, fresh] })).toEqual([
      'A/0 start 10.00',
      'A/0 2024-Q2 15.00',
      'A/0 2024-Q4 33.00',
    ])
  })
})

describe('a row', () => {
  const csv = 'item,price,currency,from_quantity,valid_from,valid_to,unit\nA,1,EUR,0,2024-05-01,2024-08-15,kg\n'

  test('has every field, and the days on which it is valid', () => {
    const pricing = new Pricing(makeAgreement({ end: '2025-12-31' }))
    expect(priceRows(pricing, { period: '2024-Q2' })[0]!.row).toEqual({
      agreement: 'steel-brackets',
      item: 'steel-brackets',
      fromQuantity: '0',
      period: '2024-Q2',
      validFrom: '2024-04-01',
      validTo: '2024-06-30',
      inForceUntil: '2024-06-30',
      proposed: null,
      price: '12.69',
      per: '1',
      unit: 'piece',
      currency: 'EUR',
      factor: '1.0235',
      status: 'AGREED',
      receiptHash: '2024-Q2'.padEnd(64, '0'),
      listVersion: null,
    })
    expect(priceRows(pricing, { period: 'start' })[0]!.row).toMatchObject({
      validFrom: '2024-01-01',
      factor: '1',
      status: 'AGREED',
      receiptHash: null,
    })
    expect(priceRows(pricing, { period: '2024-Q4' })[0]!.row.validTo).toBe('2025-12-31')
    expect(priceRows(new Pricing(makeAgreement()), { period: '2024-Q4' })[0]!.row).toMatchObject({
      validTo: null,
      inForceUntil: null,
      proposed: null,
      status: 'OPEN',
    })
  })

  test('is cut to the validity of its item, and is omitted if nothing is left', () => {
    const rows = priceRows(new Pricing(makeAgreement(listed(csv))))
    expect(rows.map(({ row }) => `${row.period} ${row.validFrom} ${row.validTo}`)).toEqual([
      '2024-Q2 2024-05-01 2024-06-30',
      '2024-Q3 2024-07-01 2024-08-15',
    ])
    expect(rows[0]!.row).toMatchObject({ unit: 'kg', listVersion: 1 })
  })

  test('ends the day before the next date, although that one has no number', () => {
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', blocked: 'CUSTOM/steel has no value for 2024-03' },
      { period: '2024-Q3', date: '2024-07-01', factor: '1.05' },
    ]
    const pricing = new Pricing(makeAgreement({ periods }))
    expect(priceRows(pricing).map(({ row }) => `${row.period} ${row.validTo}`)).toEqual([
      'start 2024-03-31',
      '2024-Q3 null',
    ])
    expect(whyNoRows(pricing, { period: '2024-Q2' })).toBe(
      '2024-Q2 cannot be computed: CUSTOM/steel has no value for 2024-03',
    )
  })

  test('has the weaker status of its period and its base, and a factor of at most twelve decimals', () => {
    const based = listed('item,price,currency,base\nA,1,EUR,2024-Q4\n')
    const rows = priceRows(new Pricing(makeAgreement(based)), { period: '2024-Q2' })
    expect(rows[0]!.row.status).toBe('OPEN')
    expect(weakerStatus('SIGNED_BY_BUYER', 'AGREED')).toBe('SIGNED_BY_BUYER')
    expect(weakerStatus('AGREED', 'SIGNED_BY_SUPPLIER')).toBe('SIGNED_BY_SUPPLIER')
    expect(weakerStatus('SIGNED_BY_BUYER', 'SIGNED_BY_SUPPLIER')).toBe('OPEN')
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', factor: '2/3' },
    ]
    expect(priceRows(new Pricing(makeAgreement({ periods })))[1]!.row.factor).toBe('0.666666666667')
  })

  test('is filtered by period, day, range and item, in the order of items, steps and days', () => {
    const both = listed('item,price,currency,from_quantity,replaces\nB,2,EUR,0,\nA,1,EUR,10,OLD\nA,1,EUR,2,OLD\n')
    const keys = (filter: RowFilter) => prices(both, filter).map(each => each.replace(/ [\d.]+$/, ''))
    expect(keys({ date: parseDay('2024-07-01')! })).toEqual(['A/2 2024-Q3', 'A/10 2024-Q3', 'B/0 2024-Q3'])
    expect(keys({ item: 'B', from: parseDay('2024-06-30')!, to: parseDay('2024-07-01')! })).toEqual([
      'B/0 2024-Q2',
      'B/0 2024-Q3',
    ])
    expect(keys({ item: 'OLD', period: 'start' })).toEqual(['A/2 start', 'A/10 start'])
  })

  test('that is not there has a reason', () => {
    const pricing = new Pricing(makeAgreement(listed(csv, { end: '2025-06-30' })))
    const why = (filter: RowFilter) => {
      expect(priceRows(pricing, filter)).toEqual([])
      return whyNoRows(pricing, filter)
    }
    expect(why({ period: '2024-Q1' })).toBe('steel-brackets has no period 2024-Q1')
    expect(why({ period: '2025-Q1' })).toBe('2025-Q1 has no price: its date 2025-01-01 has not come')
    expect(why({ date: parseDay('2025-01-01')! })).toBe('2025-Q1 has no price: its date 2025-01-01 has not come')
    expect(why({ date: parseDay('2023-12-31')! })).toBe('2023-12-31 lies outside the contract')
    expect(why({ date: parseDay('2025-07-01')! })).toBe('2025-07-01 lies outside the contract')
    expect(why({ item: 'X' })).toBe('steel-brackets has no item "X"')
    expect(why({ item: 'A', period: 'start' })).toBe('"A" is not valid then')
  })
})

describe('whether a list fits its contract', () => {
  const problems = (csv: string, words: AgreementWords = {}, from?: string) => {
    const agreement = makeAgreement(words)
    return checkList(readList(csv).rows, agreement, startOf(agreement, { from: from ?? null }))
  }

  test('asks for its currency, or for one in the whole list', () => {
    const csv = 'item,price,currency\nB,1,USD\nA,1,EUR\n'
    expect(problems(csv)).toEqual([{ line: 2, column: 'currency', message: "is USD, but the contract's is EUR" }])
    expect(problems(csv, { price: null })).toEqual([
      { line: 3, column: 'currency', message: 'is EUR, but USD in line 2' },
    ])
  })

  test('asks for bases that have a number', () => {
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', blocked: 'no value' },
      { period: '2024-Q3', date: '2024-07-01', factor: '0' },
      { period: '2024-Q4', date: '2024-10-01', factor: '1' },
    ]
    const csv = `item,price,currency,base\n${['start', '2024-Q2', '2024-Q3', '2024-Q4', '2025-Q1', '2024-06']
      .map((base, i) => `i${i},1,EUR,${base}\n`)
      .join('')}`
    expect(problems(csv, { periods })).toEqual([
      { line: 3, column: 'base', message: '2024-Q2 has no number: no value' },
      { line: 4, column: 'base', message: 'the price had come to 0 in 2024-Q3, and nothing moves from there' },
      { line: 6, column: 'base', message: '2025-Q1 has no number: its date 2025-01-01 has not come' },
      {
        line: 7,
        column: 'base',
        message: 'must be start or a period of steel-brackets that has a number, got "2024-06"',
      },
    ])
  })

  test('asks for bases that count from the same start', () => {
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', factor: '1.5' },
      { period: 'start', date: '2024-08-01' },
      { period: '2024-Q4', date: '2024-10-01', factor: '1.1' },
    ]
    const csv = 'item,price,currency,base\nA,1,EUR,2024-Q2\nB,1,EUR,2024-Q4\n'
    const renegotiated = 'does not count from the same start: the price was renegotiated from 2024-08-01'
    expect(problems(csv, { periods })).toEqual([{ line: 2, column: 'base', message: `2024-Q2 ${renegotiated}` }])
    expect(problems(csv, { periods }, '2024-Q2')).toEqual([
      { line: 3, column: 'base', message: `2024-Q4 ${renegotiated}` },
    ])
  })

  test('is none if the list adds the contract’s own price to what both signed', () => {
    const csv = 'item,price,currency,replaces\nB,1,EUR,\nsteel-brackets,1,EUR,\nA,1,EUR,OLD\n'
    const replacing = 'item,price,currency,replaces\nB,1,EUR,\nA,1,EUR,steel-brackets\n'
    const signed = [signedDate('2024-Q2', '2024-04-01')]
    const agreement = makeAgreement()
    const found = checkList(readList(csv).rows, agreement, startOf(agreement, { from: 'start', signed }))
    expect(found.map(({ line, column }) => `${line} ${column}`)).toEqual(['3 item'])
    const others = checkList(readList(replacing).rows, agreement, startOf(agreement, { from: 'start', signed }))
    expect(others.map(({ line, column }) => `${line} ${column}`)).toEqual(['3 replaces'])
    expect(found[0]!.message).toBe(
      '"steel-brackets" is the contract\'s own price until 2024-04-01, which both signed: a list that reaches back only adds items',
    )
    expect(problems(csv)).toEqual([])
  })
})

function signedDate(period: string, date: string, by: readonly Party[] = ['buyer', 'supplier']): SignedDate {
  return { period, date: parseDay(date)!, parties: new Set(by), isAgreed: by.length === 2 }
}

function startOf(
  agreement: ReturnType<typeof makeAgreement>,
  wanted: Partial<Parameters<typeof resolveStart>[1]> = {},
) {
  const { from = null, signed = [], needsBoth = false, isFirst = true } = wanted
  return resolveStart(agreement, { from, signed, needsBoth, isFirst })
}

describe('the rounding of the contract', () => {
  test('is the one of the version that governs the period', () => {
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', factor: '1.0235', rounding: cents },
      { period: '2024-Q3', date: '2024-07-01', factor: '1.0235', rounding: { dp: 1, mode: 'UP' } as const },
    ]
    expect(prices(listed('item,price,currency\nA,12.40,EUR\n', { periods }))).toEqual([
      'A/0 start 12.40',
      'A/0 2024-Q2 12.69',
      'A/0 2024-Q3 12.7',
    ])
  })
})
