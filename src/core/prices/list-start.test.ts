// The day from which a list governs: signatures decide.
import { describe, expect, test } from 'vitest'
import { makeAgreement } from '../../../test/support/agreements/priced-agreement.ts'
import type { Party } from '../parties.ts'
import { formatDay, parseDay } from '../time/day.ts'
import { resolveStart, type SignedDate } from './list-start.ts'

function signedDate(period: string, date: string, by: readonly Party[] = ['buyer', 'supplier']): SignedDate {
  return { period, date: parseDay(date)!, parties: new Set(by), isAgreed: by.length === 2 }
}

function startOf(
  agreement: ReturnType<typeof makeAgreement>,
  wanted: Partial<Parameters<typeof resolveStart>[1]> = {},
) {
  const { from = null, signed = [], needsBoth = false, isFirst = true } = wanted
  return resolveStart(agreement, { from, signed, needsBoth, isFirst })
}

describe('from when a list governs', () => {
  const agreement = makeAgreement()
  const q2 = signedDate('2024-Q2', '2024-04-01')
  const q3 = signedDate('2024-Q3', '2024-07-01')
  const q3Half = signedDate('2024-Q3', '2024-07-01', ['buyer'])
  const tell = (wanted: Parameters<typeof startOf>[1]) => {
    const { from, consent, ownPriceUntil } = startOf(agreement, wanted)
    return [from, consent, ownPriceUntil === null ? null : formatDay(ownPriceUntil)]
  }

  test('is the newest start while nothing since it is signed, then the first period that nobody has signed', () => {
    expect(tell({})).toEqual(['start', null, null])
    expect(tell({ signed: [q2] })).toEqual(['2024-Q3', null, null])
    expect(tell({ signed: [q2, q3Half] })).toEqual(['2024-Q4', null, null])
    expect(tell({ signed: [signedDate('2024-Q4', '2024-10-01')], isFirst: false })).toEqual(['2025-Q1', null, null])
    const ended = makeAgreement({ next: null })
    expect(() => startOf(ended, { signed: [signedDate('2024-Q4', '2024-10-01', ['supplier'])] })).toThrow(
      'every period of steel-brackets is signed',
    )
  })

  test('is the period that is named: one that has come, or the next', () => {
    expect(tell({ from: '2024-Q3' })).toEqual(['2024-Q3', null, null])
    expect(tell({ from: '2025-Q1', signed: [q2, q3] })).toEqual(['2025-Q1', null, null])
    expect(() => startOf(agreement, { from: '2025-Q2' })).toThrow(
      'steel-brackets has no period 2025-Q2 that has come or comes next (2025-Q1 comes next)',
    )
  })

  test('is no period that both signed, nor one before it', () => {
    const refused =
      'buyer and supplier have both signed 2024-Q2, 2024-Q3, and a new list changes no price that both signed'
    for (const from of ['start', '2024-Q2'])
      expect(() => startOf(agreement, { from, signed: [q2, q3], isFirst: false })).toThrow(
        `${refused}; it can begin with 2024-Q4`,
      )
    expect(() => startOf(agreement, { from: '2024-Q3', signed: [q2, q3], isFirst: false })).toThrow(
      'both signed 2024-Q3,',
    )
  })

  test('waits for both where one side has signed, where a first list reaches back, and where the contract says so', () => {
    expect(tell({ from: '2024-Q3', signed: [q2, q3Half], isFirst: false })).toEqual(['2024-Q3', 'SIGNED_BY_ONE', null])
    expect(tell({ from: 'start', signed: [q2, q3Half] })).toEqual(['start', 'FIRST_LIST', '2024-04-01'])
    expect(tell({ signed: [q2], needsBoth: true, isFirst: false })).toEqual(['2024-Q3', 'CONTRACT', null])
    expect(tell({ signed: [q3Half], needsBoth: true })).toEqual(['2024-Q4', null, null])
  })
})
