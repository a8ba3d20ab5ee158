import { describe, expect, test } from 'vitest'
import { formatSubject, type PartyObjection, partyObjection, stateOfObjection } from './objection.ts'

const hash = 'a'.repeat(64)
const statement = {
  party: 'supplier',
  by: 'sam@supplier.test',
  name: 'Sam',
  at: '2024-05-02T10:00:00.000000Z',
  means: 'SESSION',
} as const
const objection: PartyObjection = {
  id: 'obj_1',
  ...statement,
  hash,
  about: { kind: 'number' },
  reason: 'No',
  reading: null,
  answers: [],
}
const proposed = { hash, signatures: [] }

describe('an objection', () => {
  test('is open while the number it is about is proposed and its party has neither signed nor withdrawn', () => {
    expect(stateOfObjection(objection, proposed)).toBe('open')
    expect(stateOfObjection(objection, { hash, signatures: [{ party: 'buyer' }] })).toBe('open')
    expect(stateOfObjection(objection, { hash, signatures: [{ party: 'supplier' }] })).toBe('signed')
    expect(stateOfObjection(objection, { ...proposed, hash: 'b'.repeat(64) })).toBe('moved')
    const answers = [{ ...statement, kind: 'WITHDRAWAL', words: '' }] as const
    expect(stateOfObjection({ ...objection, answers }, proposed)).toBe('withdrawn')
    const spoken = [{ ...statement, kind: 'ANSWER', words: 'Why?' }] as const
    expect(stateOfObjection({ ...objection, answers: spoken }, proposed)).toBe('open')
  })

  test('says what it is about', () => {
    expect(formatSubject({ kind: 'line', line: 'ratio_steel' })).toBe('line ratio_steel')
    expect(formatSubject({ kind: 'figure', input: 'steel', series: 'BLS/WPU101', period: '2024-03' })).toBe(
      'BLS/WPU101 of 2024-03 (steel)',
    )
  })

  test('is read back from a receipt to the last key', () => {
    const figure = { kind: 'figure', input: 'steel', series: 'BLS/WPU101', period: '2024-03' } as const
    const reading = { id: 'basis', title: 'T', words: 'W', adjustmentPct: null, cumulativePct: '1', price: null }
    const answers = [{ ...statement, kind: 'ANSWER', words: 'Why?' }] as const
    for (const written of [objection, { ...objection, about: figure, reading, answers }])
      expect(partyObjection.read(JSON.parse(JSON.stringify(written)), 'objections[0]')).toEqual(written)
    const wrong = [
      { ...objection, more: 1 },
      { ...objection, about: { kind: 'number', line: 'x' } },
      { ...objection, about: { kind: 'whim' } },
      { ...objection, means: 'PASSKEY' },
    ]
    for (const each of wrong)
      expect(() => partyObjection.read(each, 'objections[0]')).toThrow('the receipt cannot be read')
  })
})
