import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountOf, exactAmount, formatMinorUnits, halfMinorUnit, minorUnits, roundMoney } from './money.ts'
import { equal, ofInteger, ratio } from './ratio.ts'

function amount(quantity: string, price: string, per: string, currency: string): string {
  return formatMinorUnits(
    amountOf({ quantity: ratio(quantity), price: ratio(price), per: ratio(per) }, currency),
    currency,
  )
}

describe('minor units', () => {
  test('are those of ISO 4217', () => {
    expect(['EUR', 'USD', 'CHF', 'INR'].map(minorUnits)).toEqual([2, 2, 2, 2])
    expect(['JPY', 'KRW', 'CLP', 'ISK', 'VND', 'XOF'].map(minorUnits)).toEqual([0, 0, 0, 0, 0, 0])
    expect(['KWD', 'BHD', 'TND', 'OMR'].map(minorUnits)).toEqual([3, 3, 3, 3])
    expect(['CLF', 'UYW'].map(minorUnits)).toEqual([4, 4])
  })

  test('have a half that is exact', () => {
    expect(halfMinorUnit('EUR')).toEqual({ n: 1n, d: 200n })
    expect(halfMinorUnit('JPY')).toEqual({ n: 1n, d: 2n })
    expect(halfMinorUnit('KWD')).toEqual({ n: 1n, d: 2000n })
  })
})

describe('an amount', () => {
  test.each([
    ['100', '12.69', '1', 'EUR', '1269.00'],
    ['100', '12.69', '100', 'EUR', '12.69'],
    ['3', '0.335', '1', 'EUR', '1.01'],
    ['1', '0.005', '1', 'EUR', '0.01'],
    ['1', '0.0049999', '1', 'EUR', '0.00'],
    ['-1', '0.005', '1', 'EUR', '-0.01'],
    ['-1', '0.004', '1', 'EUR', '0.00'],
    ['-3', '0.335', '1', 'EUR', '-1.01'],
    ['7', '149.5', '1', 'JPY', '1047'],
    ['1', '0.5', '1', 'JPY', '1'],
    ['-1', '0.5', '1', 'JPY', '-1'],
    ['1', '1', '3', 'JPY', '0'],
    ['2', '1.2345', '1', 'KWD', '2.469'],
    ['1', '1.2345', '1', 'KWD', '1.235'],
    ['-1', '1.2345', '1', 'KWD', '-1.235'],
    ['1', '1.23445', '1', 'CLF', '1.2345'],
    ['0', '12.69', '1', 'EUR', '0.00'],
    ['100', '0', '1', 'EUR', '0.00'],
    ['1', '2', '3', 'EUR', '0.67'],
  ])('of %s at %s per %s in %s is %s', (quantity, price, per, currency, expected) => {
    expect(amount(quantity, price, per, currency)).toBe(expected)
  })

  test('is rounded once: dividing and multiplying again gives the same amount', () => {
    // 1 ÷ 3 rounded to the cent first would give 99.00.
    expect(amount('300', '1', '3', 'EUR')).toBe('100.00')
    // A price rounded to the cent first would give 50.00.
    expect(amount('10000', '0.00499', '1', 'EUR')).toBe('49.90')
  })

  test('uses another rounding if the contract sets one', () => {
    const charge = { quantity: ratio('1'), price: ratio('2.675'), per: ratio('1') }
    expect(formatMinorUnits(amountOf(charge, 'EUR', { dp: 2, mode: 'DOWN' }), 'EUR')).toBe('2.67')
    expect(formatMinorUnits(amountOf(charge, 'CHF', { multiple: ratio('0.05'), mode: 'HALF_UP' }), 'CHF')).toBe('2.70')
    expect(formatMinorUnits(amountOf(charge, 'EUR', { dp: 0, mode: 'HALF_UP' }), 'EUR')).toBe('3.00')
  })
})

describe('against whole numbers alone', () => {
  /** Twice the units, one more, cut: half up by magnitude, without a fraction anywhere. */
  function unitsByHand(numerator: bigint, denominator: bigint): bigint {
    const magnitude = numerator < 0n ? -numerator : numerator
    const units = (magnitude * 2n + denominator) / (denominator * 2n)
    return numerator < 0n ? -units : units
  }

  const scaled = { EUR: 100n, JPY: 1n, KWD: 1000n, CLF: 10_000n } as const

  test('amounts of random decimals are the same', () => {
    const digits = fc.bigInt(-(10n ** 15n), 10n ** 15n)
    const decimals = fc.integer({ min: 0, max: 9 })
    fc.assert(
      fc.property(
        digits,
        decimals,
        fc.bigInt(0n, 10n ** 12n),
        decimals,
        fc.bigInt(1n, 10n ** 6n),
        fc.constantFrom('EUR' as const, 'JPY' as const, 'KWD' as const, 'CLF' as const),
        (quantity, quantityPlaces, price, pricePlaces, per, currency) => {
          const ten = (places: number) => 10n ** BigInt(places)
          const charge = {
            quantity: { n: quantity, d: ten(quantityPlaces) },
            price: { n: price, d: ten(pricePlaces) },
            per: ofInteger(per),
          }
          const scale = scaled[currency]
          const units = unitsByHand(quantity * price * scale, ten(quantityPlaces) * ten(pricePlaces) * per)
          expect(equal(amountOf(charge, currency), { n: units, d: scale })).toBe(true)
          expect(
            equal(exactAmount(charge.quantity, charge.price, charge.per), {
              n: quantity * price,
              d: ten(quantityPlaces) * ten(pricePlaces) * per,
            }),
          ).toBe(true)
        },
      ),
    )
  })

  test('exact halves go away from zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 9n), 10n ** 9n),
        fc.constantFrom('EUR' as const, 'JPY' as const),
        (n, currency) => {
          const half = { n: 2n * n + 1n, d: 2n * scaled[currency] }
          const away = half.n < 0n ? n : n + 1n
          expect(equal(roundMoney(half, currency), { n: away, d: scaled[currency] })).toBe(true)
        },
      ),
    )
  })
})
