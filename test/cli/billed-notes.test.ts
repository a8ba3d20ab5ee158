// Notes and the invoice lines that carry their numbers, by command: what a note takes out of the ledger is its own document, and
// every other line is a billing difference that says why.
import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckAnswer } from '../../src/core/invoices/check.ts'
import type { PresentedLedger } from '../../src/core/true-up/ledger-view.ts'
import type { InvoiceRow } from '../../src/read/invoice-row.ts'
import { ownHouse } from '../support/houses/house.ts'
import { billedInQ2, finalMarch, openTrueUpHouse } from '../support/houses/true-up-house.ts'

let correction: string
const ground = ownHouse(openTrueUpHouse)
beforeAll(async () => {
  await ground.importLines(billedInQ2)
  await ground.importFigures(finalMarch)
  const { id } = await ground.json<{ id: string }>('correction', 'propose', 'steel-brackets')
  correction = id
  for (const [party, email] of [
    ['buyer', 'ann@buyer.test'],
    ['supplier', 'sam@supplier.test'],
  ] as const)
    await ground.json('correction', 'sign', id, '--party', party, '--as', email)
})

const ledger = () => ground.json<PresentedLedger>('ledger', 'steel-brackets')
const head = 'invoice,line,supplier,agreement,amount,currency,date,kind\n'
const bill = async (...rows: string[]) =>
  ground.json('invoice', 'import', await ground.file('n.csv', head + rows.map(row => `${row}\n`).join('')))
const corrections = async () =>
  (await ground.json<{ data: InvoiceRow[] }>('invoice', 'list')).data.filter(({ kind }) => kind === 'CORRECTION')

describe('lines under the number of a note', () => {
  test('stay in the ledger with what they bill, each with its reason', async () => {
    await bill('CN-1,1,,steel-brackets,99999.00,EUR,2024-09-01,CORRECTION')
    const before = await ledger()
    expect(before.balances).toMatchObject({ billed: '110599.00', billingDifferences: '-99999.00' })
    expect(before.differences.map(({ code, message }) => [code, message])).toEqual([
      ['NO_NOTE', 'no note has the number CN-1'],
    ])
    await ground.json(
      'correction',
      'note',
      correction,
      '--number',
      'CN-1',
      '--date',
      '2024-09-01',
      '--out',
      await ground.file('note.csv', ''),
    )
    const after = await ledger()
    expect(after.balances).toMatchObject({ billed: '110349.00', billingDifferences: '-99999.00', agreed: '0.00' })
    expect(after.differences).toEqual([
      expect.objectContaining({
        code: 'OTHER_AMOUNT',
        invoice: 'CN-1',
        line: '1',
        note: `${correction}/1`,
        amount: '-99999.00',
        message: 'note CN-1 is of -250.00 EUR, but the line bills 99999.00 EUR',
      }),
    ])
    await bill(
      'CN-1,2,,steel-brackets,5.00,EUR,2024-09-01,CORRECTION',
      'cn-01,3,,steel-brackets,-250.00,,2024-09-01,CORRECTION',
      'CN-1,4,,steel-brackets,-250.00,EUR,2024-09-01,CORRECTION',
      'CN-1,5,elsewhere,steel-brackets,-250.00,EUR,2024-09-01,CORRECTION',
      'CN-1,6,,steel-brackets,-250.00,USD,2024-09-01,CORRECTION',
    )
    const now = await ledger()
    expect(now.balances).toMatchObject({ billed: '109854.00', billingDifferences: '-99504.00' })
    expect(
      now.differences.map(({ line, code, amount, currency }) => `${line} ${code} ${amount} ${currency}`).sort(),
    ).toEqual([
      '1 OTHER_AMOUNT -99999.00 EUR',
      '2 OTHER_AMOUNT -5.00 EUR',
      expect.stringMatching(/^[34] BILLED_TWICE 250.00 EUR$/),
      '5 OTHER_SUPPLIER 250.00 EUR',
      '6 OTHER_CURRENCY 250.00 USD',
    ])
    expect(now.notes).toEqual([
      expect.objectContaining({ number: 'CN-1', amount: '-250.00', lines: [expect.any(String)] }),
    ])
    expect(now.otherCurrencies.map(({ currency, balances }) => [currency, balances.billed])).toEqual([
      ['USD', '-250.00'],
    ])
    // What is kept, less the line that is counted with the note, and the note.
    const kept = 10_600 + 99_999 + 5 - 250 - 250 - 250
    expect(Number(now.balances.billed)).toBe(kept + 250 - 250)
  })

  test('say in the list of lines which note they bill, or why none', async () => {
    const told = (await corrections()).map(({ line, note, difference }) => [line, note ?? difference?.code])
    expect(told).toHaveLength(6)
    expect(told.filter(([, what]) => what === `${correction}/1`)).toHaveLength(1)
    expect(told.find(([line]) => line === '1')).toEqual(['1', 'OTHER_AMOUNT'])
  })

  test('are told about by a check before they are kept', async () => {
    const lines = ['-250.00', '99999.00'].map((amount, i) => ({
      invoice: 'cn-1',
      line: `${i + 10}`,
      agreement: 'steel-brackets',
      amount,
      date: '2024-09-01',
      kind: 'CORRECTION',
    }))
    const file = await ground.file('check.json', JSON.stringify({ lines }))
    const { data } = await ground.json<CheckAnswer>('invoice', 'check', file)
    expect(data.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['SKIPPED', 'it fits note CN-1'],
      ['SKIPPED', 'note CN-1 is of -250.00 EUR, but the line bills 99999.00 EUR'],
    ])
  })

  test('leave the note to another document when they are reversed', async () => {
    await ground.json('invoice', 'reverse', 'CN-1', '--supplier', 'steel-brackets')
    const open = await ledger()
    expect(open.balances).toMatchObject({ billed: '10100.00', billingDifferences: '250.00' })
    expect(open.notes[0]!.lines).toEqual([])
    await bill(
      'CN-1,7,,steel-brackets,-100.00,EUR,2024-09-01,CORRECTION',
      'CN-1,8,,steel-brackets,-150.00,EUR,2024-09-01,CORRECTION',
    )
    const again = await ledger()
    expect(again.balances).toMatchObject({ billed: '10100.00', billingDifferences: '250.00' })
    expect(again.notes[0]!.lines).toHaveLength(2)
  })

  test('do not make a note a second time in another spelling', async () => {
    const again = ground.json(
      'correction',
      'note',
      correction,
      '--number',
      'cn-0\u200b1',
      '--date',
      '2024-09-01',
      '--out',
      await ground.file('again.csv', ''),
    )
    expect(await again).toMatchObject({ number: 'CN-1', part: 1 })
    expect((await ledger()).notes).toHaveLength(1)
  })

  test('are told to a person too', async () => {
    const { out } = await ground.run('ledger', 'steel-brackets')
    expect(out).toContain('billing difference OTHER_SUPPLIER')
    expect(out).toContain('note CN-1 is of steel-brackets, but the line names elsewhere')
    expect(out).toContain('in USD')
  })
})
