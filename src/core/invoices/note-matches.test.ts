import { describe, expect, test } from 'vitest'
import { billedLine } from '../../../test/support/agreements/true-up.ts'
import { formatMinorUnits } from '../numbers/money.ts'
import { ratio } from '../numbers/ratio.ts'
import { balancesOf, isBalanced, openLedger } from '../true-up/ledger.ts'
import type { BilledLine } from './billed-line.ts'
import type { IssuedNote } from './issued-note.ts'

const at = (day: number) => `2024-09-${`${day}`.padStart(2, '0')}T12:00:00.000000Z`

function note(words: Partial<Omit<IssuedNote, 'amount'>> & { readonly amount?: string; readonly day?: number } = {}) {
  const { amount = '-250.00', day = 10, ...rest } = words
  return {
    id: 'cor_1/1',
    company: 'ohio-forge',
    supplier: 'ohio-forge',
    number: 'CN-1',
    currency: 'EUR',
    amount: ratio(amount),
    issuedAt: at(day),
    ...rest,
  }
}

/** A correction that is billed; its id is its line. */
function billed(line: string, amount: string, words: Partial<BilledLine> & { readonly day?: number } = {}): BilledLine {
  const { day = 12, ...rest } = words
  const base = billedLine('brackets', { invoice: 'CN-1', line, quantity: '1', day: '2024-09-01', billed: amount })
  return { ...base, id: line, kind: 'CORRECTION', importedAt: at(day), ...rest }
}

const undo = (line: BilledLine, day: number): BilledLine => ({
  ...line,
  id: `undo ${line.id}`,
  reverses: line.id,
  importedAt: at(day),
  billed: { ...line.billed, n: -line.billed.n },
})

function books(notes: readonly IssuedNote[], lines: readonly BilledLine[], day: number | null = null) {
  const facts = { currency: 'EUR', lines, notes, settled: [], corrections: [], billing: [] }
  const ledger = openLedger(facts, day === null ? null : at(day))
  expect(isBalanced(ledger)).toBe(true)
  const { billed: sum, billingDifferences } = balancesOf(ledger)
  return {
    billed: formatMinorUnits(sum, 'EUR'),
    differences: formatMinorUnits(billingDifferences, 'EUR'),
    named: ledger.differences.map(
      each => `${each.subject} ${each.code} ${formatMinorUnits(each.amount, each.currency)}`,
    ),
    matched: ledger.notes.map(({ note: { id }, lines: own }) => `${id}: ${own.join(' ')}`),
    events: ledger.entries.map(({ event, subject }) => `${event} ${subject}`),
    ledger,
  }
}

describe('a correction line under the number of a note', () => {
  test('is counted with the note if supplier, number, currency and amount are the note’s', () => {
    expect(books([note()], [billed('1', '-250.00')])).toMatchObject({
      billed: '-250.00',
      differences: '0.00',
      named: [],
      matched: ['cor_1/1: 1'],
    })
    const spelled = billed('1', '-250.00', { invoice: 'ｃｎ-0\u200b1' })
    expect(books([note()], [spelled]).matched).toEqual(['cor_1/1: 1'])
  })

  test('is a named difference with any other amount, and nothing it bills disappears', () => {
    const { billed: sum, differences, named, ledger } = books([note()], [billed('1', '99999.00')])
    expect([sum, differences, named]).toEqual(['99749.00', '-99999.00', ['1 OTHER_AMOUNT -99999.00']])
    expect(ledger.differences[0]).toMatchObject({
      note: 'cor_1/1',
      invoice: 'CN-1',
      line: '1',
      supplier: 'ohio-forge',
      message: 'note CN-1 is of -250.00 EUR, but the line bills 99999.00 EUR',
    })
    expect(books([note()], [billed('1', '250.00')]).named).toEqual(['1 OTHER_AMOUNT -250.00'])
    expect(books([], [billed('1', '-250.00')]).named).toEqual(['1 NO_NOTE 250.00'])
  })

  test('is a named difference beside the line that is the document, as often as it is kept', () => {
    const { billed: sum, named } = books([note()], [billed('1', '-250.00'), billed('2', '-250.00', { day: 13 })])
    expect([sum, named]).toEqual(['-500.00', ['2 BILLED_TWICE 250.00']])
    const more = books([note()], [billed('1', '-250.00'), billed('2', '5.00'), billed('3', '6.00', { day: 14 })])
    expect([more.billed, more.named]).toEqual(['-239.00', ['2 OTHER_AMOUNT -5.00', '3 OTHER_AMOUNT -6.00']])
  })

  test('does not match for another supplier, or in another currency', () => {
    const other = billed('1', '-250.00', { supplier: 'graz', company: 'graz' })
    expect(books([note()], [other])).toMatchObject({ billed: '-500.00', named: ['1 OTHER_SUPPLIER 250.00'] })
    const unknown = billed('1', '-250.00', { supplier: 'Somebody', company: null })
    expect(books([note()], [unknown]).named).toEqual(['1 OTHER_SUPPLIER 250.00'])
    const { billed: sum, differences, named, ledger } = books([note()], [billed('1', '-250.00', { currency: 'USD' })])
    expect([sum, differences, named]).toEqual(['-250.00', '0.00', ['1 OTHER_CURRENCY 250.00']])
    expect([...ledger.otherSums.keys()]).toEqual(['USD'])
    expect(formatMinorUnits(ledger.otherSums.get('USD')!.BILLED, 'USD')).toBe('-250.00')
  })

  test('matches together with the lines it came with, else with all that are left', () => {
    const two = [billed('1', '-100.00'), billed('2', '-150.00')]
    expect(books([note()], two)).toMatchObject({ billed: '-250.00', named: [], matched: ['cor_1/1: 1 2'] })
    const stray = billed('0', '7.00', { day: 11 })
    expect(books([note()], [stray, ...two])).toMatchObject({ billed: '-243.00', named: ['0 OTHER_AMOUNT -7.00'] })
    const [first, second] = [billed('1', '-100.00'), billed('2', '-150.00', { day: 14 })]
    expect(books([note()], [first, second], 13).named).toEqual(['1 OTHER_AMOUNT 100.00'])
    expect(books([note()], [first, second])).toMatchObject({
      billed: '-250.00',
      named: [],
      events: ['NOTE_ISSUED cor_1/1', 'INVOICE_LINE 1', 'NOTE_MATCHED 1'],
    })
  })

  test('bills one of several notes with the same number, the oldest of its amount first', () => {
    const notes = [note(), note({ id: 'cor_1/2', day: 11 }), note({ id: 'cor_1/3', amount: '-9.00' })]
    const { matched, named } = books(notes, [billed('1', '-9.00'), billed('2', '-250.00')])
    expect([matched, named]).toEqual([['cor_1/1: 2', 'cor_1/2: ', 'cor_1/3: 1'], []])
    const again = books(notes, [billed('1', '-250.00'), billed('2', '-250.00'), billed('3', '-250.00')])
    expect([again.matched[1], again.named]).toEqual(['cor_1/2: 2', ['3 BILLED_TWICE 250.00']])
  })

  test('may come before its note: then it is a difference until the note is issued', () => {
    const early = billed('1', '-250.00', { day: 8 })
    expect(books([note()], [early], 9)).toMatchObject({ billed: '-250.00', named: ['1 NO_NOTE 250.00'] })
    const { events, ...rest } = books([note()], [early])
    expect(rest).toMatchObject({ billed: '-250.00', differences: '0.00', named: [] })
    expect(events).toEqual(['INVOICE_LINE 1', 'NOTE_MATCHED 1', 'NOTE_ISSUED cor_1/1'])
  })

  test('leaves its note when it is undone, and the note waits for another document', () => {
    const line = billed('1', '-250.00')
    const twice = billed('2', '-250.00', { day: 13 })
    expect(books([note()], [line, undo(line, 14)])).toMatchObject({
      billed: '-250.00',
      named: [],
      matched: ['cor_1/1: '],
    })
    expect(books([note()], [line, twice, undo(line, 14)])).toMatchObject({
      billed: '-250.00',
      named: [],
      matched: ['cor_1/1: 2'],
    })
    const wrong = billed('3', '99999.00')
    expect(books([note()], [wrong, undo(wrong, 14)])).toMatchObject({ billed: '-250.00', named: [] })
    const parts = [billed('1', '-100.00'), billed('2', '-150.00')]
    expect(books([note()], [...parts, undo(parts[0]!, 14)])).toMatchObject({
      billed: '-400.00',
      named: ['2 OTHER_AMOUNT 150.00'],
      matched: ['cor_1/1: '],
    })
  })

  test('keeps its match whatever comes later, and what was posted stays posted', () => {
    const lines = [billed('1', '-100.00'), billed('2', '-150.00'), billed('3', '-250.00', { day: 15 })]
    const notes = [note(), note({ id: 'cor_2/1', amount: '-100.00', day: 16 })]
    const now = books(notes, lines)
    expect([now.matched, now.named]).toEqual([['cor_1/1: 1 2', 'cor_2/1: '], ['3 BILLED_TWICE 250.00']])
    for (let day = 9; day < 17; day++) {
      const then = books(notes, lines, day).ledger.entries
      expect(now.ledger.entries.slice(0, then.length)).toEqual(then)
    }
  })

  test('posts nothing where there is nothing to post', () => {
    expect(books([note({ amount: '0.00' })], [billed('1', '0.00')]).events).toEqual([])
  })
})

describe('lines that are kept twice', () => {
  test('are listed, and counted as they always were', () => {
    const first = billed('1', '5.00', { kind: 'INVOICE', invoice: '4711', line: '1', id: 'a' })
    const same = { ...first, id: 'b', invoice: '04711', line: '01', importedAt: at(13) }
    const other = { ...first, id: 'c', company: 'graz', supplier: 'graz', importedAt: at(14) }
    const { billed: sum, ledger } = books([], [first, same, other])
    expect(sum).toBe('15.00')
    expect(ledger.duplicates.map(({ line, sameAs }) => [line.id, sameAs.id])).toEqual([['b', 'a']])
    expect(books([], [first, same, undo(same, 20)]).ledger.duplicates).toEqual([])
  })
})
