import { describe, expect, test } from 'vitest'
import { figuresOf, signAlong } from '../../../test/support/agreements/signed-path.ts'
import {
  agree,
  agreementOf,
  assessOn,
  billedLine,
  factorsOf,
  groundOn,
  type Settled,
} from '../../../test/support/agreements/true-up.ts'
import type { LedgerFacts } from '../invoices/ledger-facts.ts'
import { formatMinorUnits } from '../numbers/money.ts'
import { ratio } from '../numbers/ratio.ts'
import { assess, withFactors } from './correction.ts'
import { agreedLines, balancesOf, isBalanced, openByRevision, openLedger } from './ledger.ts'
import { balancesAfter, formatOwed, owedOf, presentLedger } from './ledger-view.ts'

const document = `slug: brackets
contract: { start: 2024-01-01, frequency: QUARTERLY, price: { amount: 100, currency: EUR, unit: piece, round: { dp: 2 } } }
inputs: { index: { series: CUSTOM/index, weight: 1, base: { value: 100 }, lag: 1 month } }
clause: {}
corrections: { when: EACH }
`
const series = [figuresOf('CUSTOM/index', { '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'] })]
const path = signAlong({ documents: [document], series, afterDays: 14, until: '2024-04-01' })
const agreedAt = '2024-04-15T12:00:00.000000Z'
const correctedAt = '2024-09-01T12:00:00.000000Z'
const at = (day: string) => `${day}T12:00:00.000000Z`

const line = billedLine('brackets', { quantity: '100', day: '2024-05-10', price: '106', imported: '2024-05-12' })
const early = billedLine('brackets', {
  line: '2',
  quantity: '10',
  day: '2024-04-02',
  price: '107',
  imported: '2024-04-03',
})
const { draft } = assessOn({ path, lines: [early, line] }, '2024-09-01')
const settled: Settled = agree(draft!)

const facts: LedgerFacts = {
  currency: 'EUR',
  lines: [early, line],
  settled: [
    { at: '2024-01-01T00:00:00.000000Z', agreement: agreementOf(path, '2024-04-14') },
    { at: agreedAt, agreement: agreementOf(path, '2024-04-15') },
    { at: correctedAt, agreement: withFactors(agreementOf(path, '2024-09-01'), factorsOf(settled)) },
  ],
  corrections: [{ id: 'cor_1', agreedAt: correctedAt, isWaiver: false, currency: 'EUR', lines: agreedLines(draft!) }],
  billing: [],
  notes: [],
}

const ohio = { company: 'ohio-forge', supplier: 'ohio-forge', currency: 'EUR' } as const

function booksOf(changed: Partial<LedgerFacts>, knownAt: string | null = null) {
  const ledger = openLedger({ ...facts, ...changed }, knownAt)
  expect(isBalanced(ledger)).toBe(true)
  const nothing = { due: ratio('0'), waitingForFinal: ratio('0'), underMinimum: ratio('0'), lapsed: ratio('0') }
  return presentLedger('brackets', 'EUR', ledger, nothing)
}

const legsOf = (books: ReturnType<typeof booksOf>) => books.entries.map(({ event, legs }) => ({ event, ...legs }))

describe('the ledger', () => {
  test('posts a line as provisional until its period is agreed, then what is owed and the billing difference', () => {
    expect(legsOf(booksOf({ lines: [early] }, at('2024-04-14')))).toEqual([
      { event: 'INVOICE_LINE', BILLED: '1070.00', PROVISIONAL: '-1070.00' },
    ])
    expect(legsOf(booksOf({ lines: [early] }, at('2024-05-01'))).at(-1)).toEqual({
      event: 'PERIOD_AGREED',
      ENTITLED: '-1060.00',
      PROVISIONAL: '1070.00',
      BILLING_DIFF: '-10.00',
    })
  })

  test('posts a line at the settled price where its period is agreed', () => {
    expect(legsOf(booksOf({ lines: [line] }, at('2024-06-01')))).toEqual([
      { event: 'INVOICE_LINE', ENTITLED: '-10600.00', BILLED: '10600.00' },
    ])
    const late = { ...line, id: 'late', importedAt: at('2024-09-02') }
    expect(legsOf(booksOf({ lines: [late], corrections: [] }))).toEqual([
      { event: 'INVOICE_LINE', ENTITLED: '-10350.00', BILLED: '10600.00', BILLING_DIFF: '-250.00' },
    ])
  })

  test('posts a correction, and a note that bills it', () => {
    const notes = [{ id: 'note_1', issuedAt: at('2024-09-10'), number: 'CN-1', amount: ratio('-275.00'), ...ohio }]
    const books = booksOf({ notes })
    expect(legsOf(books).slice(-2)).toEqual([
      { event: 'CORRECTION_AGREED', ENTITLED: '275.00', AGREED: '-275.00' },
      { event: 'NOTE_ISSUED', BILLED: '-275.00', AGREED: '275.00' },
    ])
    expect(books.balances).toEqual({
      entitled: '11385.00',
      provisional: '0.00',
      billed: '11395.00',
      billingDifferences: '-10.00',
      agreed: '0.00',
      waived: '0.00',
    })
    // The document of the note is not counted a second time.
    const document = { ...line, id: 'doc', invoice: 'CN-1', kind: 'CORRECTION', billed: ratio('-275.00') } as const
    expect(booksOf({ notes, lines: [early, line, document] }).balances).toEqual(books.balances)
    expect(booksOf({ lines: [document] }, at('2024-06-01')).balances).toMatchObject({
      billed: '-275.00',
      billingDifferences: '275.00',
    })
  })

  test('posts what is waived, of corrections and of billing', () => {
    const corrections = facts.corrections.map(each => ({ ...each, isWaiver: true }))
    const billing = [
      {
        id: 'b',
        agreedAt: at('2024-10-01'),
        isWaiver: true,
        item: 'brackets',
        period: '2024-Q2',
        amount: ratio('-10.00'),
        currency: 'EUR',
      },
    ]
    expect(booksOf({ corrections, billing }).balances).toMatchObject({
      billingDifferences: '0.00',
      agreed: '0.00',
      waived: '-285.00',
    })
    const agreed = billing.map(each => ({ ...each, isWaiver: false }))
    expect(booksOf({ billing: agreed }).balances).toMatchObject({ billingDifferences: '0.00', agreed: '-285.00' })
  })

  test('posts nothing for an item whose correction sums to 0', () => {
    const of = (item: string, amount: string) => ({ lineId: null, item, period: '2024-Q2', amount: ratio(amount) })
    const lines = [of('A', '10.00'), of('A', '-10.00'), of('B', '3.00'), of('B', '4.00')]
    const corrections = [{ id: 'cor_2', agreedAt: correctedAt, isWaiver: false, currency: 'EUR', lines }]
    expect(
      booksOf({ corrections, lines: [] }).entries.map(({ event, item, legs }) => ({ event, item, ...legs })),
    ).toEqual([{ event: 'CORRECTION_AGREED', item: 'B', ENTITLED: '-7.00', AGREED: '7.00' }])
  })

  test('is the same for a moment whatever happened later', () => {
    const then = booksOf({ corrections: [], settled: facts.settled.slice(0, 2) }, at('2024-08-31'))
    expect(booksOf({}, at('2024-08-31'))).toEqual(then)
  })

  test('shows separately what is open by revision', () => {
    const ground = groundOn({ path, lines: [early, line] }, '2024-08-20')
    const open = openByRevision(openLedger(facts, at('2024-08-20')), assess(ground), ground.agreement, ground.lines)
    expect(open.due).toEqual(ratio('-275.00'))
    const after = groundOn({ path, lines: [early, line] }, '2024-09-02', settled)
    const left = openByRevision(openLedger(facts), assess(after), after.agreement, after.lines)
    expect([left.due.n, left.lapsed.n]).toEqual([0n, 0n])
  })
})

describe('what a ledger comes to', () => {
  const sides = { buyer: 'Acme', supplier: 'Nordplast' }

  test('is a sentence with who owes whom', () => {
    expect(formatOwed(ratio('-55.68'), 'EUR', sides)).toBe('Nordplast owes Acme 55.68 EUR')
    expect(formatOwed(ratio('1000'), 'JPY', sides)).toBe('Acme owes Nordplast 1000 JPY')
    expect(formatOwed(ratio('0'), 'EUR', sides)).toBe('Nobody owes anything')
    expect(formatOwed(ratio('1'), 'EUR', { ...sides, buyer: 'the buyer' })).toBe('The buyer owes Nordplast 1.00 EUR')
  })

  test('is the balance after the last posting: what is agreed and not billed, and what was billed too little', () => {
    const ledger = openLedger(facts)
    const owed = owedOf(balancesOf(ledger))
    const { entries } = booksOf({})
    // 10 pieces were billed at 107 instead of 106, and 110 pieces are corrected from 106 to 103.5.
    expect(balancesAfter(entries, 'EUR')).toEqual(['0.00', '-10.00', '-10.00', '-285.00'])
    expect(formatMinorUnits(owed, 'EUR')).toBe('-285.00')
  })
})
