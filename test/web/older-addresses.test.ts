import { describe, expect, test } from 'vitest'
import { newerAddress } from '../../web/older-addresses.ts'

describe('an address of before', () => {
  test('is the one of today, whatever follows', () => {
    expect(newerAddress('/w/demo/formulas')).toBe('/w/demo/agreements')
    expect(newerAddress('/w/demo/formulas/steel/periods/2024-Q1')).toBe('/w/demo/agreements/steel/periods/2024-Q1')
  })

  test('is changed nowhere else: an agreement or a workspace may be called formulas', () => {
    expect(newerAddress('/w/formulas/formulas/formulas')).toBe('/w/formulas/agreements/formulas')
    expect(newerAddress('/w/demo/formulas-of-ours')).toBe('/w/demo/formulas-of-ours')
  })
})
