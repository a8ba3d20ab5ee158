import { describe, expect, test } from 'vitest'
import { longestPaste, plainNumber, readPastedClause } from './pasted-clause.ts'

const missed = (text: string) =>
  readPastedClause(text).pieces.flatMap(({ text: piece, meaning }) => (meaning === null ? [piece] : []))
const weights = (text: string) => readPastedClause(text).parts.map(({ name, weight }) => `${name} ${weight}`)

describe('a pasted clause', () => {
  test('becomes shares, limits and a threshold', () => {
    const clause = readPastedClause('0.15 + 0.45 steel + 0.40 labour, cap 5 % a year, threshold 2 %')
    expect(clause).toMatchObject({
      fixed: '0.15',
      parts: [
        { name: 'steel', label: 'steel', weight: '0.45' },
        { name: 'labour', label: 'labour', weight: '0.40' },
      ],
      limits: [{ side: 'cap', pct: '5', span: 'year' }],
      threshold: { pct: '2', pays: 'ALL' },
    })
    expect(clause.pieces.map(({ text }) => text).join('')).toBe(
      '0.15 + 0.45 steel + 0.40 labour, cap 5 % a year, threshold 2 %',
    )
    expect(clause.pieces.some(({ meaning }) => meaning === null)).toBe(false)
  })

  test('is read in German, with decimal commas', () => {
    const clause = readPastedClause(
      'P = P0 × (0,15 + 0,45 Stahl + 0,40 Lohn), Obergrenze 5,5 % pro Jahr, Schwelle 2 %, vierteljährlich angepasst',
    )
    expect(clause).toMatchObject({
      fixed: '0.15',
      limits: [{ side: 'cap', pct: '5.5', span: 'year' }],
      threshold: { pct: '2' },
      frequency: 'QUARTERLY',
    })
    expect(clause.parts.map(({ label, weight }) => [label, weight])).toEqual([
      ['Stahl', '0.45'],
      ['Lohn', '0.40'],
    ])
    expect(clause.pieces.filter(({ meaning }) => meaning === null)).toEqual([])
  })

  test('accepts ratios, percent and whole hundreds', () => {
    expect(weights('0.2 + 0.5 × S/S0 + 0.3 * L / L0')).toEqual(['s 0.5', 'l 0.3'])
    expect(weights('15 % fixed, 45 % iron and steel, 40 % labour cost')).toEqual(['iron 0.45', 'labour_cost 0.4'])
    expect(weights('15 + 45 steel + 40 labour')).toEqual(['steel 0.45', 'labour 0.4'])
    expect(readPastedClause('15 + 45 steel + 40 labour').fixed).toBe('0.15')
    expect(readPastedClause('45 % Stahl, 55 % Lohn, Fixanteil 0 %').fixed).toBe('0')
  })

  test('gives two parts of one name two names, and letters beyond a to z plain ones', () => {
    expect(weights('0.5 Löhne + 0.5 Löhne')).toEqual(['loehne 0.5', 'loehne_2 0.5'])
  })

  test('knows both limits, each with its span', () => {
    const limits = (text: string) =>
      readPastedClause(text).limits.map(({ side, pct, span }) => `${side} ${pct} ${span}`)
    expect(limits('at most 4 % per quarter, not below -3 %')).toEqual(['cap 4 period', 'floor -3 period'])
    expect(limits('höchstens 10 % insgesamt; keine Senkung')).toEqual(['cap 10 total', 'floor 0 period'])
    expect(limits('± 5 % per calendar year')).toEqual(['cap 5 calendar year', 'floor -5 calendar year'])
    expect(limits('cap of 3.5 percent p.a.')).toEqual(['cap 3.5 year'])
  })

  test('knows price, lag, sharing, rounding and a deadband', () => {
    expect(
      readPastedClause(
        'Price 12,40 € per piece, lag two months, deadband 3 %, 80 % is passed on, rounded to 2 decimals',
      ),
    ).toMatchObject({
      price: { amount: '12.40', currency: 'EUR', unit: 'piece' },
      lag: '2 months',
      threshold: { pct: '3', pays: 'EXCESS' },
      passThrough: '0.8',
      decimals: '2',
    })
    expect(readPastedClause('Grundpreis 1.234,50 EUR je Tonne, Zeitversatz 1 Quartal')).toMatchObject({
      price: { amount: '1234.50', currency: 'EUR', unit: 'Tonne' },
      lag: '1 quarter',
    })
  })

  test('marks what it does not understand, and guesses nothing', () => {
    expect(missed('0.15 + 0.85 steel, force majeure applies')).toEqual(['force majeure applies'])
    expect(missed('0.5 steel + 0.5 labour, floor 5 %')).toEqual(['floor 5 %'])
    expect(missed('0.2 fixed, 0.1 fixed, 0.7 steel')).toEqual(['0.1 fixed'])
    expect(missed('')).toEqual([])
    expect(readPastedClause('The parties agree as follows').parts).toEqual([])
  })

  test('covers every character of any text, and terminates', () => {
    const odd = 'Σ 0.5 ×\u00a0steel\n\t€ %% 5 %, “quoted” – 1..2,,3 \u{1F600} 0.5 x'
    expect(
      readPastedClause(odd)
        .pieces.map(({ text }) => text)
        .join(''),
    ).toBe(odd.normalize('NFC'))
    const long = 'cap of of of of of '.repeat(2_000)
    expect(
      readPastedClause(long)
        .pieces.map(({ text }) => text)
        .join(''),
    ).toBe(long.slice(0, longestPaste))
  })
})

describe('a number in a clause', () => {
  test('is read in both notations', () => {
    const read = ['0,15', '0.15', '1.234,5', '1,234.5', '12,400', '1.234.567', '5', '2,5', '1.250'].map(plainNumber)
    expect(read).toEqual(['0.15', '0.15', '1234.5', '1234.5', '12400', '1234567', '5', '2.5', '1.250'])
  })
})
