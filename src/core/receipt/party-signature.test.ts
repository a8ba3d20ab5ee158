import { describe, expect, test } from 'vitest'
import { batchEntry, challengeOf, hashOfBatch, hashOfPeriods, isAscending, signedHashOf } from './party-signature.ts'
import type { SignerOrigin } from './signer-origin.ts'

const first = { period: '2024-Q1', hash: 'a'.repeat(64) }
const second = { period: '2024-Q2', hash: 'b'.repeat(64) }

describe('what a party signs', () => {
  test('is the hash of the receipt itself where there is one', () => {
    expect(signedHashOf([first])).toBe(first.hash)
  })

  test('is the hash of the list where there are several', () => {
    expect(signedHashOf([first, second])).toBe(hashOfPeriods([first, second]))
    expect(signedHashOf([first, second])).toMatch(/^[0-9a-f]{64}$/)
  })

  test('changes with the order, with a period and with a hash', () => {
    const hashes = [
      hashOfPeriods([first, second]),
      hashOfPeriods([second, first]),
      hashOfPeriods([first, { ...second, period: '2024-Q3' }]),
      hashOfPeriods([{ ...first, hash: 'c'.repeat(64) }, second]),
    ]
    expect(new Set(hashes).size).toBe(4)
  })

  test('is for a passkey the hash together with where the signer comes from, and alone in older signatures', () => {
    const invited = {
      by: 'olga@owner.test',
      at: '2024-01-02T00:00:00.000000Z',
      from: 'WORKSPACE' as const,
      role: 'owner',
      company: null,
    }
    const origin: SignerOrigin = {
      role: 'supplier',
      invited,
      joinedAt: null,
      renewed: null,
      company: null,
      passkeys: [],
    }
    const challenges = [
      challengeOf(first.hash, origin),
      challengeOf(second.hash, origin),
      challengeOf(first.hash, { ...origin, role: 'owner' }),
      challengeOf(first.hash, { ...origin, invited: { ...invited, by: 'eve@owner.test' } }),
      first.hash,
    ]
    expect(new Set(challenges).size).toBe(5)
  })

  test('is for several agreements the list of their entries, which is no hash of anything else', () => {
    const salt = '0'.repeat(32)
    const entries = [batchEntry(first.hash, salt), batchEntry(second.hash, salt)].sort()
    const hashes = [
      hashOfBatch(entries),
      hashOfBatch(entries.toReversed()),
      hashOfBatch(entries.slice(1)),
      hashOfBatch([first.hash, second.hash]),
      hashOfPeriods([first, second]),
      ...entries,
      batchEntry(first.hash, '1'.repeat(32)),
      first.hash,
      second.hash,
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
    expect([isAscending(entries), isAscending(entries.toReversed()), isAscending([...entries, entries[1]!])]).toEqual([
      true,
      false,
      false,
    ])
  })
})
