import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

describe('SHA-256', () => {
  test('gives the digests of the standard', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('agrees with another implementation whatever the text and its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
      }),
      { numRuns: 500, seed: 20260115 },
    )
  })

  test('agrees at every length around the edges of its blocks', () => {
    for (let length = 50; length <= 130; length++) {
      const text = 'é'.repeat(length)
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
    }
  })
})
