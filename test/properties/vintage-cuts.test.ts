import { describe, expect, test } from 'vitest'
import { tagByHistory } from '../../src/core/series/vintage.ts'
import { checkCuts } from './vintage-cuts.ts'

describe('which vintage counts', () => {
  test('is one rule in core, in the packed series, in the list of vintages and on the pages, at every instant', () => {
    expect(() => checkCuts(3_000)).not.toThrow()
  })
})

describe('whether a value changed', () => {
  test('compares numbers, not texts', () => {
    const final = { value: '1.0', tag: 'FINAL' as const, flag: null, publishedAt: '', recordedAt: null }
    for (const same of ['1.0', '1', '1.00', '01.000']) expect(tagByHistory([final], same), same).toBe('FINAL')
    for (const other of ['1.01', '-1.0', '10']) expect(tagByHistory([final], other), other).toBe('REVISED')
  })
})
