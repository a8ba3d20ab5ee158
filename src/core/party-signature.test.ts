import { describe, expect, it } from 'vitest'
import { challengeOf, hashOfPeriods } from './party-signature.ts'

const first = { period: '2024-Q1', hash: 'a'.repeat(64) }
const second = { period: '2024-Q2', hash: 'b'.repeat(64) }

describe('what a party signs', () => {
  it('is the hash of the receipt itself where there is one', () => {
    expect(challengeOf([first])).toBe(first.hash)
  })

  it('is the hash of the list where there are several', () => {
    expect(challengeOf([first, second])).toBe(hashOfPeriods([first, second]))
    expect(challengeOf([first, second])).toMatch(/^[0-9a-f]{64}$/)
  })

  it('changes with the order, with a period and with a hash', () => {
    const hashes = [
      hashOfPeriods([first, second]),
      hashOfPeriods([second, first]),
      hashOfPeriods([first, { ...second, period: '2024-Q3' }]),
      hashOfPeriods([{ ...first, hash: 'c'.repeat(64) }, second]),
    ]
    expect(new Set(hashes).size).toBe(4)
  })
})
