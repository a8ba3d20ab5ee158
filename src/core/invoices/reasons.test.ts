import { describe, expect, test } from 'vitest'
import {
  type CheckOptions,
  check,
  checkOne,
  type FormulaWords,
  formulaAgreement,
} from '../../../test/support/agreements/invoice-check.ts'
import { type AgreementWords, listVersion, makeAgreement } from '../../../test/support/agreements/priced-agreement.ts'
import { ratio } from '../numbers/ratio.ts'
import { fullBudget } from '../numbers/work-budget.ts'
import type { LineTexts } from './invoice-line.ts'
import { PathMemory } from './other-paths.ts'

/** Factors 1, 1.0235, 1.07, 1.1; 12.40 is 12.40, 12.69, 13.27, 13.64. */
const periods = [
  { period: 'start', date: '2024-01-01' },
  { period: '2024-Q2', date: '2024-04-01', factor: '1.0235' },
  { period: '2024-Q3', date: '2024-07-01', factor: '1.07' },
  { period: '2024-Q4', date: '2024-10-01', factor: '1.1', status: 'OPEN' as const },
]

function explain(line: LineTexts, words: AgreementWords = {}, options: CheckOptions = {}) {
  const agreement = makeAgreement({ periods, lists: [listVersion('item,price,currency\nA,12.40,EUR\n')], ...words })
  return checkOne(agreement, { agreement: 'steel-brackets', item: 'A', date: '2024-08-01', ...line }, options)
}

function codes(line: LineTexts, words: AgreementWords = {}, options: CheckOptions = {}): string[] {
  const { reason, alsoPossible } = explain(line, words, options)
  return [reason, ...alsoPossible].flatMap(each => each?.code ?? [])
}

const sentence = (line: LineTexts, words: AgreementWords = {}, options: CheckOptions = {}) =>
  explain(line, words, options).reason?.sentence

describe('a mistake with existing numbers', () => {
  test('is the price of the period before, the start included, or of the one after', () => {
    expect(sentence({ unitPrice: '12.69' })).toBe(
      '12.69 is the price of 2024-Q2; the settled price of 2024-Q3 is 13.27.',
    )
    expect(sentence({ unitPrice: '12.40', date: '2024-05-01' })).toBe(
      '12.40 is the price of the start; the settled price of 2024-Q2 is 12.69.',
    )
    expect(codes({ unitPrice: '12.40', date: '2024-05-01' })).toEqual(['PERIOD_BEFORE', 'NO_ADJUSTMENT'])
    expect(sentence({ unitPrice: '13.64' })).toBe(
      '13.64 is the price of 2024-Q4; the settled price of 2024-Q3 is 13.27.',
    )
    expect(codes({ unitPrice: '12.69', date: '2024-01-10' })[0]).toBe('PERIOD_AFTER')
  })

  test('skips periods without a number', () => {
    const gap = periods.map(each => (each.period === '2024-Q2' ? { period: each.period, date: each.date } : each))
    expect(codes({ unitPrice: '12.40' }, { periods: gap })).toEqual(['PERIOD_BEFORE', 'NO_ADJUSTMENT'])
  })

  test('is the price of the list that was there before', () => {
    const lists = [
      listVersion('item,price,currency\nA,12.40,EUR\n'),
      listVersion('item,price,currency\nA,20,EUR\n', 2, '2024-Q3', '2024-07-01'),
    ]
    expect(sentence({ unitPrice: '12.69' }, { lists })).toMatch(/^12\.69 is the price of 2024-Q2; .* is 21\.40\.$/)
    // The new row by the factor before: 20 × 1.0235.
    expect(codes({ unitPrice: '20.47' }, { lists })).toEqual(['PERIOD_BEFORE'])
  })

  test('is the price before the last agreed correction, of the period or of its base', () => {
    const corrected = periods.map(each => (each.period === '2024-Q3' ? { ...each, beforeCorrection: '1.06' } : each))
    expect(sentence({ unitPrice: '13.14' }, { periods: corrected })).toBe(
      '13.14 is the price before the last agreed correction; the settled price of 2024-Q3 is 13.27.',
    )
    const based = periods.map(each => (each.period === '2024-Q2' ? { ...each, beforeCorrection: '1.03' } : each))
    const lists = [listVersion('item,price,currency,base\nA,12.69,EUR,2024-Q2\n')]
    // 12.69 × 1.07 ÷ 1.03
    expect(codes({ unitPrice: '13.18' }, { periods: based, lists })[0]).toBe('BEFORE_CORRECTION')
  })

  test('is the base price, this period’s percent alone, or the adjustment twice', () => {
    expect(codes({ unitPrice: '12.40' })).toEqual(['NO_ADJUSTMENT'])
    // 12.40 × 1.07 ÷ 1.0235
    expect(codes({ unitPrice: '12.96' })).toEqual(['STEP_ONLY'])
    expect(sentence({ unitPrice: '12.96' })).toMatch(/^12\.96 is the base price with the adjustment of 2024-Q3 alone;/)
    // 12.40 × 1.07 × 1.07 ÷ 1.0235, and 12.40 × 1.07 × 1.07.
    expect(codes({ unitPrice: '13.87' })).toEqual(['TWICE'])
    expect(codes({ unitPrice: '14.20' })).toEqual(['TWICE'])
  })

  test('is rounded differently', () => {
    // 12.40 × 1.07 = 13.268
    expect(sentence({ unitPrice: '13.26' })).toBe(
      '13.26 is the price rounded differently (2 dp DOWN); the settled price of 2024-Q3 is 13.27.',
    )
    expect(codes({ unitPrice: '13.268' })).toEqual(['ROUNDING'])
    expect(codes({ unitPrice: '13.3' })).toEqual(['ROUNDING'])
    const uneven = [...periods.slice(0, 2), { period: '2024-Q3', date: '2024-07-01', factor: '1.07449' }]
    const lists = [listVersion('item,price,currency\nA,100000,EUR\n')]
    const one = (unitPrice: string) => sentence({ unitPrice }, { periods: uneven, lists })
    // 7.449 % rounded to two decimals and to none; and this period's 4.98192… % on top of 2.35 %.
    expect(one('107450.00')).toMatch(/with the percent since the base rounded to 2 decimals first/)
    expect(one('107000.00')).toMatch(/with the percent since the base rounded to 0 decimals first/)
    expect(one('107447.03')).toMatch(/with this period's percent rounded to 2 decimals first/)
  })

  test('is a mistaken price base, a unit factor left out, or another quantity step', () => {
    expect(sentence({ unitPrice: '1327' })).toMatch(/^1327 is 100 times the price: the quantity that the price is for/)
    expect(sentence({ unitPrice: '0.01327' })).toMatch(/^0\.01327 is a thousandth of the price: /)
    expect(codes({ unitPrice: '1.327' })).toEqual(['PER'])
    const units = [{ unit: 'box', other: 'piece', factor: ratio('12') }]
    const boxed = { quantity: '2', unit: 'box', unitPrice: '13.27', amount: '26.54' }
    expect(codes(boxed, {}, { units })).toEqual(['UNIT'])
    expect(sentence(boxed, {}, { units })).toMatch(
      /is the price for piece billed for box: the factor between the units/,
    )
    expect(codes({ ...boxed, unitPrice: null }, {}, { units })).toEqual(['UNIT'])
    const lists = [
      listVersion('item,price,currency,from_quantity,per\nA,10,EUR,0,1\nA,900,EUR,10,100\nA,8,EUR,100,1\n'),
    ]
    expect(codes({ quantity: '10', unitPrice: '10.70' }, { lists })).toEqual(['QUANTITY_STEP'])
    expect(sentence({ quantity: '10', unitPrice: '8.56' }, { lists })).toMatch(
      /^856 is the price from quantity 100 on;/,
    )
    expect(codes({ quantity: '100', unitPrice: '10.70' }, { lists })).toEqual([])
  })

  test('is the price of another item, brought to the same price base', () => {
    const lists = [listVersion('item,price,currency,per\nA,12.40,EUR,1\nB,5,EUR,1\nC,500,EUR,100\nD,7,EUR,1\n')]
    expect(sentence({ unitPrice: '5.35' }, { lists })).toBe(
      '5.35 is the price of "B" and "C"; the settled price of 2024-Q3 is 13.27.',
    )
    expect(codes({ quantity: '10', amount: '74.90' }, { lists })).toEqual(['OTHER_ITEM'])
  })

  test('is met by the amount where no unit price is billed, or where it contradicts the amount', () => {
    expect(sentence({ quantity: '100', amount: '1269.00' })).toBe(
      '1269.00 is the amount at 12.69, the price of 2024-Q2; the settled price of 2024-Q3 is 13.27.',
    )
    expect(codes({ quantity: '100', unitPrice: '13.27', amount: '1269.00' })[0]).toBe('PERIOD_BEFORE')
    expect(codes({ quantity: '0', amount: '1269.00' })).toEqual([])
  })

  test('is given for a price that is only proposed, and for one within the tolerance', () => {
    expect(sentence({ unitPrice: '12.40', date: '2024-10-10' })).toBe(
      '12.40 is the base price, without any adjustment; the proposed price of 2024-Q4 is 13.64.',
    )
    const within = explain({ quantity: '1', unitPrice: '13.26' }, {}, { tolerancePct: '1' })
    expect([within.outcome, within.reason?.code]).toEqual(['OK_WITHIN', 'ROUNDING'])
  })

  test('keeps base, share and rounding of the item', () => {
    const lists = [listVersion('item,price,currency,base,share,round\nA,20,EUR,2024-Q2,0.5,3\n')]
    // 20 × (0.5 + 0.5 × 1.1 ÷ 1.0235), 20, and 20 × (0.5 + 0.5 × (1.07 ÷ 1.0235)²).
    expect(codes({ unitPrice: '20.747' }, { lists })).toEqual(['PERIOD_AFTER'])
    expect(codes({ unitPrice: '20' }, { lists })).toEqual(['PERIOD_BEFORE', 'NO_ADJUSTMENT'])
    expect(codes({ unitPrice: '20.929' }, { lists })).toEqual(['TWICE'])
  })

  test('affects every part of a service that is prorated by days', () => {
    const service = { serviceFrom: '2024-06-16', serviceTo: '2024-07-15', quantity: '30' }
    const billing = { prorate: 'DAYS' } as const
    // 15 × 12.40 + 15 × 12.69
    expect(sentence({ ...service, amount: '376.35' }, { billing })).toBe(
      '376.35 is the amount at the price of the start and the price of 2024-Q2; the settled amount is 389.40.',
    )
    expect(codes({ ...service, amount: '372.00' }, { billing })).toEqual(['NO_ADJUSTMENT'])
    expect(codes({ ...service, amount: '1' }, { billing })).toEqual([])
  })

  test('is not given if nothing explains the price', () => {
    expect(codes({ unitPrice: '17.77' })).toEqual([])
    expect(explain({ unitPrice: '17.77' })).toMatchObject({ outcome: 'OVER', reason: null, alsoPossible: [] })
  })
})

const table = `series,period,value,version,published
CUSTOM/steel,2023-12,100,FINAL,2024-01-15
CUSTOM/steel,2024-01,101,FINAL,2024-02-15
CUSTOM/steel,2024-02,102,FINAL,2024-03-15
CUSTOM/steel,2024-03,106,PRELIMINARY,2024-03-28
CUSTOM/steel,2024-03,103.5,FINAL,2024-04-05
CUSTOM/steel,2024-04,109,FINAL,2024-05-15
CUSTOM/steel,2024-05,110,FINAL,2024-06-15
CUSTOM/steel,2024-06,112,PRELIMINARY,2024-06-28
CUSTOM/steel,2024-06,111,FINAL,2024-08-15
CUSTOM/fx,2023-12,1.10,FINAL,2024-01-01
CUSTOM/fx,2024-03,1.08,FINAL,2024-04-01
CUSTOM/fx,2024-06,1.05,FINAL,2024-07-01
`

function documentOf(clause = '{}', more = '', lag = '1 month'): string {
  return `
slug: steel-brackets
name: Brackets
contract:
  start: 2024-01-01
  frequency: QUARTERLY
  price: { amount: 1000, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, lag: ${lag}${more} }
clause: ${clause}
`
}

const agreed = { '2024-Q2': '2024-04-10', '2024-Q3': '2024-07-10' }

function reading(words: Partial<FormulaWords> & { readonly text?: string }, line: LineTexts) {
  const { text = documentOf(), ...more } = words
  const booked = formulaAgreement({ versions: [{ text }], table, today: '2024-09-01', agreed, ...more })
  const row = checkOne(booked, { agreement: 'steel-brackets', date: '2024-05-01', ...line })
  return { ...row, codes: [row.reason, ...row.alsoPossible].flatMap(each => each?.code ?? []) }
}

describe('a mistake in reading the formula', () => {
  test('is computed once for each period of an agreement, and remembered for the next check', () => {
    const made = formulaAgreement({ versions: [{ text: documentOf() }], table, today: '2024-09-01', agreed })
    let computed = 0
    const work = () => {
      computed++
      return fullBudget()
    }
    const booked = { ...made, ground: { ...made.ground!, work }, paths: new PathMemory() }
    const lines = (date: string) =>
      ['1060.00', '1020.00', '999.99'].map(unitPrice => ({ agreement: 'steel-brackets', date, unitPrice }))
    const counted = (date: string) => {
      const before = computed
      const { data } = check([booked], lines(date))
      return { computed: computed - before, codes: data.map(({ reason }) => reason?.code) }
    }
    const first = counted('2024-05-01')
    expect(first.codes).toEqual(['VINTAGE', 'LAG', undefined])
    expect(first.computed).toBeGreaterThan(4)
    expect(counted('2024-05-01')).toEqual({ ...first, computed: 0 })
    expect(counted('2024-07-20').computed).toBeGreaterThan(0)
    expect(counted('2024-07-20').computed).toBe(0)
  })

  test('is another vintage: preliminary, first print, newest', () => {
    const early = reading({}, { unitPrice: '1060.00' })
    expect(early.price).toBe('1035.00')
    expect(early.reason).toEqual({
      code: 'VINTAGE',
      sentence: '1060.00 is the price with the preliminary March value; the settled price of 2024-Q2 is 1035.00.',
    })
    // Signed with 112, which was revised to 111 afterwards.
    const late = reading({}, { unitPrice: '1110.00', date: '2024-07-20' })
    expect([late.price, late.reason?.sentence]).toEqual([
      '1120.00',
      '1110.00 is the price with the newest June value; the settled price of 2024-Q3 is 1120.00.',
    ])
    const untagged = table.replaceAll('PRELIMINARY', 'FINAL').replace('103.5,FINAL', '103.5,REVISED')
    expect(reading({ table: untagged }, { unitPrice: '1060' }).reason?.sentence).toMatch(
      /^1060 is the price with the first published March value;/,
    )
  })

  test('is a control left out, one at a time', () => {
    const capped = documentOf(
      '{ cap: { periodPct: 2, cumulativePct: 3 }, threshold: { pct: 1, test: EXCEEDS, pays: ALL } }',
    )
    const row = reading({ text: capped }, { unitPrice: '1035.00' })
    expect([row.price, row.codes]).toEqual(['1020.00', ['CONTROL_LEFT_OUT']])
    expect(row.reason?.sentence).toMatch(/^1035\.00 is the price without the cap;/)
    expect(reading({ text: capped }, { unitPrice: '1030.00' }).reason?.sentence).toMatch(/without the cap of a period;/)
    const floored = documentOf('{ floor: { periodPct: 4 } }')
    expect(reading({ text: floored }, { unitPrice: '1035.00' }).codes).toEqual(['CONTROL_LEFT_OUT'])
    const still = documentOf('{ threshold: { pct: 5, test: EXCEEDS, pays: ALL } }')
    const unmoved = reading({ text: still }, { unitPrice: '1035.00' })
    expect([unmoved.price, unmoved.codes[0]]).toEqual(['1000.00', 'CONTROL_LEFT_OUT'])
  })

  test('is the lag of another month, with what was known when both had signed', () => {
    expect(reading({}, { unitPrice: '1020.00' })).toMatchObject({
      codes: ['LAG'],
      reason: { sentence: '1020.00 is the price with one month more lag; the settled price of 2024-Q2 is 1035.00.' },
    })
    // April's value was not out when the period was signed: nobody could have taken it.
    expect(reading({}, { unitPrice: '1090.00' }).codes).toEqual([])
    const open = reading({ agreed: {} }, { unitPrice: '1090.00' })
    expect([open.status, open.codes]).toEqual(['OPEN', ['LAG']])
  })

  test('is the other basis', () => {
    const floor = 'floor: { periodPct: 5 }'
    const final = table.replace(/^.*PRELIMINARY.*\n/gm, '').replace('111,FINAL,2024-08-15', '112,FINAL,2024-06-28')
    const read = (clause: string, unitPrice: string) =>
      reading({ text: documentOf(clause), table: final }, { date: '2024-07-20', unitPrice })
    // Chained, the floor makes it 1.05 × 112 ÷ 103.5; from a fixed base it goes from 1.05 to 1.12.
    const fixed = read(`{ ${floor} }`, '1136.23')
    expect([fixed.price, fixed.codes]).toEqual(['1120.00', ['BASIS']])
    const chained = read(`{ basis: CHAINED, ${floor} }`, '1120.00')
    expect([chained.price, chained.codes]).toEqual(['1136.23', ['CONTROL_LEFT_OUT', 'BASIS']])
    expect(chained.alsoPossible[0]?.sentence).toMatch(/measured from the base every time, and not from the last/)
  })

  test('is a currency that was not converted', () => {
    const converting = documentOf('{}', ', convert: { fx: CUSTOM/fx, operation: MULTIPLY }')
    const row = reading({ text: converting }, { unitPrice: '1035.00' })
    // 103.5 × 1.08 ÷ (100 × 1.10)
    expect([row.price, row.codes]).toEqual(['1016.18', ['CURRENCY']])
    expect(row.reason?.sentence).toMatch(/^1035\.00 is the price without converting the currency;/)
  })

  test('is the formula before its last version', () => {
    const second = `${documentOf('{ fixed: 0.5 }').replace('weight: 1,', 'weight: 0.5,')}effectiveFrom: 2024-04-01\n`
    const versions = [{ text: documentOf() }, { text: second, recordedAt: '2024-03-01T00:00:00.000000Z' }]
    const row = reading({ versions }, { unitPrice: '1035.00' })
    expect([row.price, row.codes]).toEqual(['1017.50', ['VERSION_BEFORE']])
    expect(row.reason?.sentence).toBe(
      '1035.00 is the price under the formula before version 2; the settled price of 2024-Q2 is 1017.50.',
    )
    expect(reading({}, { unitPrice: '1035.01' }).codes).toEqual([])
  })

  test('is tried on items of a later base as well', () => {
    const lists = [listVersion('item,price,currency,base\nA,1035,EUR,2024-Q2\n')]
    // 1035 × 111 ÷ 103.5, with the newest June value.
    expect(reading({ lists }, { date: '2024-07-20', unitPrice: '1110.00' }).codes).toEqual(['VINTAGE'])
  })
})
