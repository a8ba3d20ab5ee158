import { describe, expect, test } from 'vitest'
import { type CheckOptions, check, checkOne } from '../../../test/support/agreements/invoice-check.ts'
import {
  type AgreementWords,
  contractPrice,
  listVersion,
  makeAgreement,
} from '../../../test/support/agreements/priced-agreement.ts'
import { ratio } from '../numbers/ratio.ts'
import { AgreementBook, needsOf } from './agreement-book.ts'
import { LineChecker } from './check.ts'
import { answeredRow, checkCells, checkColumns } from './check-row.ts'
import { type LineTexts, readLine } from './invoice-line.ts'
import { UnitTable } from './unit-table.ts'

const brackets = 'item,price,currency,from_quantity\nBR-100,12.40,EUR,0\nBR-100,11.00,EUR,1000\nBR-200,30,EUR,0\n'
const listed = (words: AgreementWords = {}) => makeAgreement({ lists: [listVersion(brackets)], ...words })
const usual: LineTexts = { agreement: 'steel-brackets', item: 'BR-100', date: '2024-05-10' }

/** Outcome and differences of a line, against the usual list: 12.69 in 2024-Q2. */
function judged(line: LineTexts, words: AgreementWords = {}, options: CheckOptions = {}): string {
  const { outcome, priceDifference, difference, contradiction } = checkOne(
    listed(words),
    { ...usual, ...line },
    options,
  )
  return [outcome, priceDifference, difference, ...(contradiction ? ['contradiction'] : [])].join(' ')
}

const messageOf = (line: LineTexts, words: AgreementWords = {}) => {
  const { outcome, message } = checkOne(listed(words), { quantity: '1', unitPrice: '1', ...usual, ...line })
  return `${outcome}: ${message}`
}

describe('a line that is right', () => {
  test('has our amount, or our price and the amount it makes', () => {
    expect(judged({ quantity: '100', unitPrice: '12.69', amount: '1269.00' })).toBe('OK 0.00 0.00')
    expect(judged({ quantity: '100', unitPrice: '12.69' })).toBe('OK 0.00 0.00')
    expect(judged({ quantity: '100', amount: '1269' })).toBe('OK  0.00')
    expect(judged({ quantity: '100', unitPrice: '1269', per: '100', amount: '1269.00' })).toBe('OK 0.00 0.00')
    expect(judged({ unitPrice: '12.690' })).toBe('OK 0.000 ')
    expect(judged({ quantity: '-3', unitPrice: '12.69', amount: '-38.07', kind: 'CREDIT_NOTE' })).toBe('OK 0.00 0.00')
  })

  test('may be rounded to the other side of an exact half', () => {
    const words = { lists: [listVersion('item,price,currency,share,round\nA,0.335,EUR,0,3\n')] }
    const line = { item: 'A', quantity: '3', unitPrice: '0.335' }
    // 3 × 0.335 = 1.005
    expect(judged({ ...line, amount: '1.01' }, words)).toBe('OK 0.000 0.00')
    expect(judged({ ...line, amount: '1.00' }, words)).toBe('OK 0.000 -0.01')
    expect(judged({ ...line, amount: '0.99' }, words)).toBe('UNDER 0.000 -0.02 contradiction')
    expect(judged({ ...line, unitPrice: '0.3333', amount: '1.00' }, words)).toMatch(/^UNDER/)
  })

  test('is only provisional where the number is not signed by both', () => {
    expect(judged({ date: '2024-10-01', quantity: '1', unitPrice: '13.64' })).toBe('PROVISIONAL 0.00 0.00')
    expect(judged({ date: '2024-10-01', quantity: '1', unitPrice: '13.65' })).toBe('OVER 0.01 0.01')
  })

  test('takes the step of its whole quantity', () => {
    // 11.00 × 1.0235 = 11.2585
    expect(judged({ quantity: '1000', unitPrice: '11.26' })).toBe('OK 0.00 0.00')
    expect(judged({ quantity: '-1000', unitPrice: '11.26' })).toBe('OK 0.00 0.00')
    expect(judged({ quantity: '999.9', unitPrice: '11.26' })).toMatch(/^UNDER/)
  })

  test('has the price of the start before the first adjustment', () => {
    expect(judged({ date: '2024-01-01', quantity: '1', unitPrice: '12.40' })).toBe('OK 0.00 0.00')
    expect(judged({ date: '2024-03-31', quantity: '1', unitPrice: '12.40' })).toBe('OK 0.00 0.00')
  })

  test('may have another unit for which there is a factor, converted exactly', () => {
    const units = [{ unit: 'box', other: 'piece', factor: ratio('12') }]
    // A box of twelve: 152.28.
    expect(judged({ quantity: '2', unit: 'BOX', unitPrice: '152.28', amount: '304.56' }, {}, { units })).toBe(
      'OK 0.00 0.00',
    )
    const thirds = [{ unit: 'piece', other: 'set', factor: ratio('3') }]
    const row = checkOne(listed(), { ...usual, quantity: '3', unit: 'set', unitPrice: '4.23' }, { units: thirds })
    expect(row).toMatchObject({ outcome: 'OK', billedPrice: '12.69', amount: '12.69' })
  })

  test('may be of currencies without or with three decimals', () => {
    const yen = { price: null, rounding: null, lists: [listVersion('item,price,currency\nA,1000,JPY\n')] }
    expect(judged({ item: 'A', quantity: '3', unitPrice: '1024', amount: '3072' }, yen)).toBe('OK 0 0')
    const dinar = { price: null, rounding: null, lists: [listVersion('item,price,currency\nA,1.5,KWD\n')] }
    // 1.5 × 1.0235 = 1.53525 → 1.535
    expect(judged({ item: 'A', quantity: '3', amount: '4.605' }, dinar)).toBe('OK  0.000')
  })
})

describe('a line that is not', () => {
  test('is OVER or UNDER by the sign of billed less ours', () => {
    expect(judged({ quantity: '100', unitPrice: '12.73', amount: '1273.00' })).toBe('OVER 0.04 4.00')
    expect(judged({ quantity: '100', unitPrice: '12.6', amount: '1260.00' })).toBe('UNDER -0.09 -9.00')
    expect(judged({ quantity: '-100', unitPrice: '12.73', amount: '-1273.00' })).toBe('UNDER 0.04 -4.00')
    expect(judged({ unitPrice: '12.73' })).toBe('OVER 0.04 ')
    expect(judged({ unitPrice: '12.73', kind: 'CREDIT_NOTE' })).toBe('UNDER 0.04 ')
  })

  test('has every field, in its order', () => {
    const row = checkOne(listed(), { ...usual, quantity: '100', unitPrice: '12.73', amount: '1273.00' })
    expect(row).toEqual({
      invoice: '4711',
      line: '1',
      outcome: 'OVER',
      agreement: 'steel-brackets',
      item: 'BR-100',
      period: '2024-Q2',
      status: 'AGREED',
      price: '12.69',
      billedPrice: '12.73',
      priceDifference: '0.04',
      amount: '1269.00',
      billedAmount: '1273.00',
      difference: '4.00',
      currency: 'EUR',
      per: '1',
      unit: 'piece',
      reason: null,
      alsoPossible: [],
      message: null,
      contradiction: false,
      candidates: [],
      spans: [],
    })
    const names = [
      'invoice',
      'line',
      'outcome',
      'agreement',
      'item',
      'period',
      'status',
      'price',
      'billedPrice',
      'priceDifference',
      'amount',
      'billedAmount',
      'difference',
      'currency',
      'per',
      'unit',
      'reason',
      'alsoPossible',
      'message',
      'contradiction',
      'candidates',
      'spans',
    ]
    const others = [{}, { kind: 'CORRECTION' }, { ...usual, unitPrice: '1', date: '2020-01-01' }]
    expect(Object.keys(answeredRow(row))).toEqual(names.filter(name => !['per', 'unit'].includes(name)))
    for (const each of [row, ...others.map(line => checkOne(listed(), line))]) expect(Object.keys(each)).toEqual(names)
  })

  test('is judged by its amount where that and the unit price contradict each other', () => {
    const line = { quantity: '100', unitPrice: '12.69', amount: '1300.00' }
    expect(judged(line)).toBe('OVER 0.00 31.00 contradiction')
    expect(messageOf(line)).toBe(
      'OVER: unit price and amount contradict each other: 100 at 12.69 for 1 is 1269.00, but 1300.00 is billed',
    )
    expect(judged({ quantity: '100', unitPrice: '99', amount: '1269.00' })).toBe('OK 86.31 0.00 contradiction')
    // Half a minor unit is no contradiction.
    expect(judged({ quantity: '1', unitPrice: '12.685', amount: '12.69' })).toBe('OK -0.005 0.00')
  })

  test('of no quantity is judged by its amount; ours is zero', () => {
    expect(judged({ quantity: '0', unitPrice: '0.04', amount: '4.00' })).toBe('OVER -12.65 4.00')
    expect(judged({ quantity: '0', amount: '0' })).toBe('OK  0.00')
  })

  test('may lie within what the workspace tolerates of our amount', () => {
    const line = { quantity: '100', unitPrice: '12.73', amount: '1273.00' }
    expect(judged(line, {}, { tolerancePct: '0.5' })).toBe('OK_WITHIN 0.04 4.00')
    // 4 ÷ 1269 is 0.31…%.
    expect(judged(line, {}, { tolerancePct: '0.31' })).toMatch(/^OVER/)
    expect(judged({ unitPrice: '12.60' }, {}, { tolerancePct: '1' })).toBe('OK_WITHIN -0.09 ')
    expect(judged({ quantity: '0', amount: '1' }, {}, { tolerancePct: '50' })).toMatch(/^OVER/)
  })
})

describe('a line that cannot be judged', () => {
  test('is skipped where it is a correction, whatever else it says', () => {
    expect(checkOne(listed(), { kind: 'CORRECTION', agreement: 'x' }).outcome).toBe('SKIPPED')
  })

  test('is UNKNOWN with a sentence: bad cells, agreement, day, item, unit, currency', () => {
    expect(messageOf({ quantity: 'x', date: '2024-02-30' })).toBe(
      'UNKNOWN: quantity must be a decimal number such as 12.40, got "x"; date must be a day such as 2024-05-10, got "2024-02-30"',
    )
    expect(messageOf({ agreement: 'other' })).toBe('UNKNOWN: there is no agreement "other"')
    expect(messageOf({ date: null })).toMatch(/^UNKNOWN: the price goes by the day of service, but neither/)
    expect(messageOf({}, { billing: { priceDate: 'ORDER' } })).toMatch(/order_date is not written$/)
    expect(messageOf({ date: null, serviceFrom: '2024-05-01' }, { billing: { priceDate: 'INVOICE' } })).toMatch(
      /but date is not written$/,
    )
    expect(messageOf({ item: 'br-100' })).toBe('UNKNOWN: steel-brackets has no item "br-100"')
    expect(messageOf({ item: null })).toBe('UNKNOWN: the line names no item, and steel-brackets has several')
    expect(messageOf({ unit: 'KGM' })).toBe(
      'UNKNOWN: the line is in KGM, but "BR-100" is priced in piece, and no factor between them is set',
    )
    expect(messageOf({ currency: 'USD' })).toBe(
      'UNKNOWN: the line is in USD, but the prices of steel-brackets are in EUR',
    )
    expect(messageOf({ quantity: null, unitPrice: null, amount: '5' })).toMatch(/nothing can be judged$/)
  })

  test('is OUTSIDE before the start, after the end, where the item is not valid, below the lowest step', () => {
    expect(messageOf({ date: '2023-12-31' })).toBe(
      'OUTSIDE: 2023-12-31 lies before the contract, which starts on 2024-01-01',
    )
    expect(messageOf({ date: '2024-12-01' }, { end: '2024-11-30' })).toMatch(/^OUTSIDE: 2024-12-01 lies after/)
    const csv =
      'item,price,currency,from_quantity,valid_from,valid_to\nA,1,EUR,10,,\nB,1,EUR,0,2024-06-01,\nC,1,EUR,0,,2024-05-09\n'
    const lists = [listVersion(csv)]
    expect(messageOf({ item: 'A', quantity: '-9' }, { lists })).toMatch(/^OUTSIDE: the quantity lies below 10/)
    expect(messageOf({ item: 'B' }, { lists })).toBe('OUTSIDE: "B" may be billed from 2024-06-01 on, not on 2024-05-10')
    expect(messageOf({ item: 'C' }, { lists })).toBe('OUTSIDE: "C" may be billed until 2024-05-09, not on 2024-05-10')
  })

  test('is BLOCKED where its period has no number, no list, or has not come', () => {
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', blocked: 'CUSTOM/steel has no value for 2024-03' },
    ]
    expect(messageOf({}, { periods })).toBe(
      'BLOCKED: 2024-Q2 cannot be computed: CUSTOM/steel has no value for 2024-03; 12.40 is in force',
    )
    expect(messageOf({ date: '2025-01-01' })).toBe('BLOCKED: 2025-Q1 has no price: its date 2025-01-01 has not come')
    expect(messageOf({ date: '2024-12-31' })).toMatch(/^UNDER/)
    const later = [listVersion(brackets, 1, '2024-Q3', '2024-07-01')]
    expect(messageOf({}, { lists: later })).toMatch(/^UNKNOWN: no price list governs 2024-Q2/)
    const hidden = [{ ...later[0]!, number: 2 }]
    expect(messageOf({}, { lists: hidden })).toMatch(/^BLOCKED: no price list governs 2024-Q2/)
  })
})

describe('lines that somebody wants to keep', () => {
  const checker = new LineChecker({
    book: new AgreementBook([{ agreement: listed(), ground: null }]),
    units: new UnitTable([]),
    tolerances: [],
  })
  const problems = (texts: LineTexts) =>
    checker
      .problemsOf(readLine(7, { invoice: '1', line: '1', unitPrice: '1', ...usual, ...texts }))
      .map(({ line, column }) => `${line} ${column}`)

  test('list by column why they are unknown, and nothing else', () => {
    expect(problems({})).toEqual([])
    expect(problems({ date: '2020-01-01' })).toEqual([])
    expect(problems({ invoice: '', serviceTo: 'x' })).toEqual(['7 invoice', '7 service_to'])
    expect(problems({ agreement: 'x' })).toEqual(['7 agreement'])
    expect(problems({ item: 'x' })).toEqual(['7 item'])
    expect(problems({ date: '' })).toEqual(['7 service_from'])
    expect(problems({ unit: 'kg' })).toEqual(['7 unit'])
    expect(problems({ currency: 'USD' })).toEqual(['7 currency'])
    expect(problems({ unitPrice: null, amount: '1' })).toEqual(['7 quantity'])
  })

  test('name their agreement, corrections too', () => {
    expect(problems({ kind: 'CORRECTION', item: 'x', date: null })).toEqual([])
    expect(problems({ kind: 'CORRECTION', agreement: 'x' })).toEqual(['7 agreement'])
  })

  test('say in advance which agreements they may mean', () => {
    const lines = [{ agreement: 'a', contractRef: 'r', item: 'i' }, { contractRef: 's', item: 'j' }, { item: 'k' }].map(
      (texts, i) => readLine(i, texts),
    )
    expect(needsOf(lines)).toEqual({
      agreements: new Set(['a']),
      references: new Set(['s']),
      items: new Set(['j', 'k']),
    })
  })
})

describe('the day that decides', () => {
  const priced = (line: LineTexts, priceDate: 'SERVICE' | 'INVOICE' | 'ORDER') =>
    checkOne(listed({ billing: { priceDate } }), { ...usual, unitPrice: '1', ...line }).period

  test('is the first day of service, else the invoice’s, unless the contract sets another', () => {
    const days = { date: '2024-07-02', serviceFrom: '2024-05-01', orderDate: '2024-02-01' }
    expect(priced(days, 'SERVICE')).toBe('2024-Q2')
    expect(priced({ ...days, serviceFrom: null }, 'SERVICE')).toBe('2024-Q3')
    expect(priced(days, 'INVOICE')).toBe('2024-Q3')
    expect(priced(days, 'ORDER')).toBe('start')
  })
})

describe('a service across adjustment dates', () => {
  const rent: LineTexts = { ...usual, serviceFrom: '2024-06-16', serviceTo: '2024-07-15', quantity: '30' }

  test('is reported with its prices', () => {
    expect(checkOne(listed(), { ...rent, unitPrice: '12.69' })).toMatchObject({
      outcome: 'SPANS',
      price: null,
      amount: null,
      difference: null,
      status: 'AGREED',
      message: 'the service crosses 2024-07-01, where the price changes',
      spans: [
        { period: '2024-Q2', days: 15, price: '12.69' },
        { period: '2024-Q3', days: 15, price: '13.02' },
      ],
    })
  })

  test('is judged by days where the contract says so, rounded once', () => {
    const agreement = listed({ billing: { prorate: 'DAYS' } })
    // 15 × 12.69 + 15 × 13.02
    expect(checkOne(agreement, { ...rent, amount: '385.65' })).toMatchObject({ outcome: 'OK', price: null })
    expect(checkOne(agreement, { ...rent, amount: '380.70' })).toMatchObject({
      outcome: 'UNDER',
      amount: '385.65',
      difference: '-4.95',
    })
    // 7 × 12.69 × 1 ÷ 31 + 7 × 13.02 × 30 ÷ 31 is 91.065…
    const uneven = { ...rent, serviceFrom: '2024-06-30', serviceTo: '2024-07-30', quantity: '7', amount: '91.07' }
    expect(checkOne(agreement, uneven).outcome).toBe('OK')
    expect(checkOne(agreement, { ...rent, quantity: null, unitPrice: '12.69' }).outcome).toBe('SPANS')
  })

  test('does not matter where the price does not change, or depends on another day', () => {
    const fixed = [listVersion('item,price,currency,share\nBR-100,12.40,EUR,0\n')]
    expect(checkOne(listed({ lists: fixed }), { ...rent, unitPrice: '12.40' })).toMatchObject({
      outcome: 'OK',
      spans: [],
    })
    const invoiced = listed({ billing: { priceDate: 'INVOICE' } })
    expect(checkOne(invoiced, { ...rent, unitPrice: '12.69' }).outcome).toBe('OK')
  })

  test('is blocked where it reaches a date that has not come, and outside where it outlasts the contract', () => {
    const ahead = { ...rent, serviceFrom: '2024-12-01', serviceTo: '2025-01-31', unitPrice: '1' }
    expect(checkOne(listed(), ahead)).toMatchObject({
      outcome: 'BLOCKED',
      message:
        'the service begins in 2024-Q4 and reaches 2025-Q1, whose date 2025-01-01 has not come; 13.02 is in force',
    })
    const ended = listed({ end: '2024-07-10', billing: { prorate: 'DAYS' } })
    expect(checkOne(ended, { ...rent, amount: '1' }).outcome).toBe('OUTSIDE')
  })
})

describe('the agreement', () => {
  const one = makeAgreement({ slug: 'one', lists: [listVersion(brackets)], billing: { references: ['FA-1', 'X'] } })
  const two = makeAgreement({
    slug: 'two',
    start: '2025-01-01',
    periods: [{ period: 'start', date: '2025-01-01' }],
    next: null,
    lists: [listVersion('item,price,currency,replaces\nBR-100,9,EUR,OLD\n', 1, 'start', '2025-01-01')],
    billing: { references: ['FA-2', 'X'] },
  })
  const draft = makeAgreement({ slug: 'draft', status: 'DRAFT', billing: { references: ['FA-3'] } })
  const found = (line: LineTexts, all = [one, two, draft]) => {
    const { agreement, candidates, message } = checkOne(all, { date: '2024-05-10', unitPrice: '1', ...line })
    return agreement ?? `${message} [${candidates.join(' ')}]`
  }

  test('is found by slug or id, by reference, and by item', () => {
    expect(found({ agreement: 'one', item: 'BR-200' })).toBe('one')
    expect(found({ agreement: 'pam_two', item: 'BR-100' })).toBe('two')
    expect(found({ contractRef: 'FA-2', item: 'BR-100' })).toBe('two')
    expect(found({ contractRef: 'two', item: 'BR-100' })).toBe('two')
    expect(found({ contractRef: 'pam_one', item: 'BR-100' })).toBe('one')
    expect(found({ item: 'BR-200' })).toBe('one')
    expect(found({ item: 'OLD' })).toBe('two')
    expect(found({ contractRef: 'nobody', item: 'BR-200' })).toBe('one')
  })

  test('is the one of several whose contract covers the day', () => {
    expect(found({ contractRef: 'X', item: 'BR-100' })).toBe('one')
    expect(found({ contractRef: 'X', item: 'BR-100', date: '2023-05-10' })).toBe(
      '2 agreements have the reference "X" or the item "BR-100": one, two [one two]',
    )
    expect(found({ item: 'BR-100', date: '2025-05-10' })).toMatch(/\[one two\]$/)
  })

  test('is unknown with its candidates where two may be meant, and without any where none is', () => {
    const twin = makeAgreement({ slug: 'twin', lists: [listVersion(brackets)] })
    expect(found({ item: 'BR-200' }, [one, twin])).toBe('2 agreements have the item "BR-200": one, twin [one twin]')
    expect(found({ contractRef: 'FA-9', item: 'ZZ' })).toBe('no agreement has the reference "FA-9" or the item "ZZ" []')
    expect(found({})).toBe('the line names neither an agreement nor a contract nor an item []')
  })

  test('is not a draft unless the line names it', () => {
    expect(found({ contractRef: 'FA-3' })).toMatch(/^no agreement has/)
    expect(found({ agreement: 'draft', item: 'draft' })).toBe('draft')
  })
})

describe('the item', () => {
  test('is the only one there is where the line names none', () => {
    expect(
      checkOne(makeAgreement(), { agreement: 'steel-brackets', date: '2024-05-10', unitPrice: '12.69' }),
    ).toMatchObject({ outcome: 'OK', item: 'steel-brackets', period: '2024-Q2' })
  })

  test('is found by the key it replaces, and not where the list of the period lacks it', () => {
    const lists = [
      listVersion('item,price,currency\nOLD,10,EUR\n'),
      listVersion('item,price,currency,replaces\nNEW,10,EUR,OLD\n', 2, '2024-Q3', '2024-07-01'),
    ]
    const at = (item: string, date: string) => messageOf({ item, date, unitPrice: '10.24' }, { lists })
    expect(at('OLD', '2024-05-10')).toBe('OK: null')
    expect(at('OLD', '2024-07-10')).toBe('UNDER: null')
    expect(at('NEW', '2024-05-10')).toBe(
      'UNKNOWN: "NEW" is not in the price list that governs 2024-Q2 of steel-brackets',
    )
  })
})

describe('all lines together', () => {
  test('are counted, and what was billed too much and too little is summed by currency', () => {
    const yen = makeAgreement({ slug: 'yen', price: contractPrice('100', 'JPY'), rounding: { dp: 0, mode: 'HALF_UP' } })
    const { data, summary } = check(
      [listed(), yen],
      [
        { ...usual, quantity: '100', unitPrice: '12.73' },
        { ...usual, quantity: '10', unitPrice: '12.79' },
        { ...usual, quantity: '10', unitPrice: '12.59' },
        { ...usual, unitPrice: '99' },
        { ...usual, quantity: '1', unitPrice: '12.69' },
        { agreement: 'yen', date: '2024-05-10', quantity: '3', amount: '300' },
        { agreement: 'none', unitPrice: '1' },
      ],
    )
    expect(data.map(({ outcome }) => outcome)).toEqual(['OVER', 'OVER', 'UNDER', 'OVER', 'OK', 'UNDER', 'UNKNOWN'])
    expect(summary).toEqual({
      lines: 7,
      outcomes: { OK: 1, OVER: 3, UNDER: 2, UNKNOWN: 1 },
      over: { EUR: '5.00' },
      under: { EUR: '1.00', JPY: '6' },
    })
  })

  test('are rows of a table, with names in underscores and figures as figures', () => {
    const row = checkOne(listed(), { ...usual, quantity: '100', unitPrice: '12.40' })
    const cells = Object.fromEntries(checkColumns.map((name, i) => [name, checkCells(row)[i]]))
    expect(cells).toMatchObject({
      invoice: '4711',
      billed_price: { figure: '12.40' },
      price_difference: { figure: '-0.29' },
      reason_code: 'PERIOD_BEFORE',
      also_possible: 'NO_ADJUSTMENT',
      contradiction: 'false',
      candidates: null,
    })
    expect(checkCells(row)).toHaveLength(checkColumns.length)
  })
})
