import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/agreements/invoice-check.ts'
import { type AgreementWords, listVersion, makeAgreement } from '../../../test/support/agreements/priced-agreement.ts'
import { answeredRow, verdictOf } from './check-row.ts'
import type { LineTexts } from './invoice-line.ts'

const brackets = 'item,price,currency,from_quantity\nBR-100,12.40,EUR,0\nBR-100,11.00,EUR,1000\n'
const listed = (words: AgreementWords = {}) => makeAgreement({ lists: [listVersion(brackets)], ...words })
const usual: LineTexts = { agreement: 'steel-brackets', item: 'BR-100', date: '2024-05-10' }

test('a line accuses nobody by a price that is only proposed, and says what is agreed', () => {
  const open = (line: LineTexts, words: AgreementWords = {}) => {
    const row = checkOne(listed(words), { ...usual, date: '2024-10-01', quantity: '1', ...line })
    return { verdict: verdictOf(row), ...answeredRow(row) }
  }
  const message = '13.02 is in force; 13.64 is proposed for 2024-Q4'
  // Other systems have a closed list of outcomes.
  expect(open({ unitPrice: '13.03' })).toMatchObject({
    verdict: 'NOT_AGREED',
    outcome: 'UNDER',
    status: 'OPEN',
    message: `not agreed yet: ${message}`,
  })
  expect(open({ unitPrice: '13.64' })).toMatchObject({ outcome: 'PROVISIONAL', message, difference: '0.00' })
  // Billed at the price in force; the difference is to the price that their signatures will settle.
  const before = { outcome: 'PROVISIONAL', message, reason: null, price: '13.64', difference: '-0.62' }
  expect(open({ unitPrice: '13.02' })).toMatchObject({ verdict: 'PROVISIONAL', ...before })
  const never = [
    { period: 'start', date: '2024-01-01' },
    { period: '2024-Q2', date: '2024-04-01', factor: '1.02', status: 'OPEN' as const },
    { period: '2024-Q4', date: '2024-10-01', factor: '1.1', status: 'SIGNED_BY_BUYER' as const },
  ]
  expect(open({ unitPrice: '1' }, { periods: never }).message).toBe(
    'not agreed yet: 12.40 is in force; 13.64 is proposed for 2024-Q4',
  )
  expect(verdictOf(checkOne(listed(), { ...usual, quantity: '1', unitPrice: '1' }))).toBe('UNDER')
})
