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
    return { verdict: verdictOf(row), unagreed: row.unagreed, answered: answeredRow(row) }
  }
  const unagreed = 'not agreed yet: the price of 2024-Q3 is 13.02, proposed 13.64'
  const differing = open({ unitPrice: '13.02' })
  expect(differing).toMatchObject({ verdict: 'NOT_AGREED', unagreed })
  // Other systems have a closed list of outcomes.
  expect(differing.answered).toMatchObject({ outcome: 'UNDER', status: 'OPEN', message: unagreed })
  expect(open({ unitPrice: '13.64' })).toMatchObject({
    verdict: 'PROVISIONAL',
    unagreed,
    answered: { message: null },
  })
  const never = [
    { period: 'start', date: '2024-01-01' },
    { period: '2024-Q2', date: '2024-04-01', factor: '1.02', status: 'OPEN' as const },
    { period: '2024-Q4', date: '2024-10-01', factor: '1.1', status: 'SIGNED_BY_BUYER' as const },
  ]
  expect(open({ unitPrice: '1' }, { periods: never }).unagreed).toBe(
    'not agreed yet: the contract’s price is 12.40, proposed and signed by the buyer 13.64',
  )
  expect(verdictOf(checkOne(listed(), { ...usual, quantity: '1', unitPrice: '1' }))).toBe('UNDER')
})
