import { describe, expect, test } from 'vitest'
import { makeAgreement } from '../../../test/support/agreements/priced-agreement.ts'
import { figuresOf, restateOn, signAlong } from '../../../test/support/agreements/signed-path.ts'
import { calculatingText } from '../formula/canonical.ts'
import { checkDocument } from '../formula/check/check.ts'
import { priceLine } from '../invoices/billed-line.ts'
import type { StoredFields } from '../invoices/stored-fields.ts'
import { UnitTable } from '../invoices/unit-table.ts'
import { formatMinorUnits } from '../numbers/money.ts'
import { formatExact, ratio } from '../numbers/ratio.ts'
import { Pricing } from '../prices/item-prices.ts'
import { SupplierNames } from '../prices/line-identity.ts'
import { buildBody, carriedToJson, hashOf } from '../receipt/receipt.ts'
import { carriedFromJson } from '../receipt/receipt-parser.ts'
import { parseDay } from '../time/day.ts'
import { billedLineOf, signedStateOf } from './signed-state.ts'

describe('a signed receipt', () => {
  test('restates from its stored form as it does from memory', () => {
    const document = `slug: chained
contract: { start: 2024-01-01, frequency: QUARTERLY, firstAdjustment: 2024-04-01 }
inputs: { index: { series: CUSTOM/index, weight: 1, base: 2023-12, lag: 1 month } }
clause: { basis: CHAINED, cap: { periodPct: 4, yearPct: 5, year: ROLLING } }
corrections: { when: EACH, level: REBASE }
`
    const figures = {
      '2023-12': ['2024-01-10 F 100'],
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'],
      '2024-06': ['2024-07-10 F 105.0'],
      '2024-09': ['2024-10-10 F 107.0'],
    }
    const series = [figuresOf('CUSTOM/index', figures)]
    const path = signAlong({ documents: [document], series, afterDays: 14, until: '2024-10-01' })
    const surroundings = {
      issuer: null,
      agreement: 'chained',
      name: 'Chained',
      parties: { buyer: null, supplier: null },
      documents: new Map([[1, calculatingText(checkDocument(document).document)]]),
      dataVersionAsked: null,
      originOf: () => ({ provider: 'CUSTOM' }),
    }
    const signed = path.adjustments.map((adjustment, i) => {
      const body = buildBody(adjustment, path.versions, surroundings)
      const carried = carriedFromJson(JSON.parse(JSON.stringify(carriedToJson(adjustment.carried))))
      const stored = JSON.parse(JSON.stringify(body)) as typeof body
      return signedStateOf({ hash: hashOf(body), body: stored, carried, agreedAt: path.signed[i]!.agreedAt })
    })
    const told = (states: typeof path) =>
      restateOn(states, '2024-12-01').map(({ factor, differs, isBoundary, causes }) => ({
        factor: formatExact(factor),
        differs,
        isBoundary,
        causes: causes.map(({ before, after }) => [before?.value, after.value]),
      }))
    expect(told({ ...path, signed })).toEqual(told(path))
    expect(told({ ...path, signed })[0]).toMatchObject({ factor: '1.035', differs: true })
  })
})

describe('a kept invoice line', () => {
  const pricing = new Pricing(makeAgreement())
  const units = new UnitTable([{ unit: 'dozen', other: 'piece', factor: ratio('12') }])
  const nothing = { contractRef: null, unit: null, unitPrice: null, amount: null, serviceFrom: null, serviceTo: null }
  const fields: StoredFields = {
    ...nothing,
    item: 'steel-brackets',
    quantity: '10',
    per: '1',
    currency: 'EUR',
    date: '2024-05-10',
    orderDate: null,
    kind: 'INVOICE',
  }
  const kept = (changed: Partial<StoredFields>) =>
    billedLineOf(
      {
        id: 'l1',
        supplier: 'ohio',
        number: '4711',
        line: '1',
        fields: { ...fields, ...changed },
        importedAt: '2024-05-11T00:00:00.000000Z',
        reverses: null,
      },
      pricing,
      units,
      new SupplierNames([]),
    )

  test('is billed as written, else at its unit price, rounded as money', () => {
    expect(formatMinorUnits(kept({ amount: '126.90', unitPrice: '1' }).billed, 'EUR')).toBe('126.90')
    expect(formatMinorUnits(kept({ unitPrice: '12.6901' }).billed, 'EUR')).toBe('126.90')
    expect(formatMinorUnits(kept({ quantity: null, unitPrice: '12.69' }).billed, 'EUR')).toBe('0.00')
  })

  test('counts in the unit of its item, on the day that decides its price', () => {
    const line = kept({ unit: 'Dozen', amount: '1', serviceFrom: '2024-07-02' })
    expect([formatExact(line.quantity!), line.day]).toEqual(['120', parseDay('2024-07-02')])
    const priced = priceLine(pricing, line)
    // 120 at 12.40 × 1.05
    expect('amount' in priced && formatMinorUnits(priced.amount, 'EUR')).toBe('1562.40')
    expect(kept({ unit: 'kg', amount: '1' }).quantity).toBeNull()
    expect(kept({ date: null, amount: '1' })).toMatchObject({ quantity: null, day: parseDay('2024-05-11') })
  })
})
