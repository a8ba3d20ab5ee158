import { describe, expect, test } from 'vitest'
import { clauseLines } from '../formula/clause.ts'
import { controls } from '../formula/controls/controls.ts'
import { formatLine } from './line-words.ts'

describe('a line of a calculation', () => {
  test('of a clause is told in words, whichever it is', () => {
    const told = clauseLines(controls).map(name => formatLine({ name, compiled: true }))
    expect(told.filter(words => /_|^the ratio of /.test(words))).toEqual([])
    expect(new Set(told).size).toBe(told.length)
    expect(formatLine({ name: 'ratio_hot_rolled', compiled: true })).toBe('the ratio of hot rolled')
  })

  test('of a worksheet keeps the name that its author gave it', () => {
    expect(formatLine({ name: 'payable', compiled: false })).toBe('the line payable')
    expect(formatLine({ name: 'labour_part', compiled: false })).toBe('the line labour part')
  })
})
