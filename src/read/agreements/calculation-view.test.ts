import { describe, expect, test } from 'vitest'
import { pricingUnit } from './calculation-view.ts'

describe('the unit of a price', () => {
  test('is one of what the contract writes, unless it writes a number before it', () => {
    expect(pricingUnit('piece')).toEqual({ unit: 'piece', per: '1' })
    expect(pricingUnit('')).toEqual({ unit: '', per: '1' })
    expect(pricingUnit('100 kg')).toEqual({ unit: 'kg', per: '100' })
    expect(pricingUnit('0.5 barrel of oil')).toEqual({ unit: 'barrel of oil', per: '0.5' })
    expect(pricingUnit('m3')).toEqual({ unit: 'm3', per: '1' })
    expect(pricingUnit('100')).toEqual({ unit: '100', per: '1' })
  })
})
