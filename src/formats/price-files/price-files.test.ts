import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AgreementWords, listVersion, makeAgreement } from '../../../test/support/agreements/priced-agreement.ts'
import { lowest, readers, splitTable } from '../../../test/support/files/price-file-readers.ts'
import { minorUnits } from '../../core/numbers/money.ts'
import { ratio } from '../../core/numbers/ratio.ts'
import { Pricing } from '../../core/prices/item-prices.ts'
import { type ExactRow, priceRows } from '../../core/prices/price-rows.ts'
import { type PriceFileOptions, type PriceFormat, priceFormats } from './price-file.ts'
import { writeAll } from './price-file-text.ts'
import { fitPrice, fitTogether, formatPrice } from './price-unit.ts'
import { formatMissingPartners, missingPartners } from './sap-fields.ts'

const usual: PriceFileOptions = { only: 'agreed', set: new Map(), decimals: null }
const rowsOf = (csv: string, words: AgreementWords = {}) =>
  priceRows(new Pricing(makeAgreement({ lists: [listVersion(csv)], ...words })))

function write(format: PriceFormat, rows: readonly ExactRow[], options: Partial<PriceFileOptions> = {}): string {
  const file = writeAll(format, rows, { ...usual, ...options })
  if ('problems' in file) throw new Error(JSON.stringify(file.problems))
  return file.text
}

function refusal(format: PriceFormat, rows: readonly ExactRow[], options: Partial<PriceFileOptions> = {}): string[] {
  const file = writeAll(format, rows, { ...usual, ...options })
  return 'problems' in file ? file.problems.map(({ item, message }) => `${item}: ${message}`) : []
}

const brackets =
  'item,price,currency,per,from_quantity,round,erp_LIFNR,erp_MATNR\n' +
  'BR-100,12.40,EUR,1,0,2,0000004711,M-1\nBR-100,1100,EUR,100,1000,2,0000004711,M-1\n'

describe('the price unit rule', () => {
  const fitted = (price: string, per: string, decimals: number, most: bigint) => {
    const found = fitPrice({ price: ratio(price), per: ratio(per) }, { decimals, mostPer: most })
    return found === null ? null : `${formatPrice(found.price, 0)} per ${formatPrice(found.per, 0)}`
  }

  test('multiplies price and quantity by the smallest power of ten that makes the price fit', () => {
    expect(fitted('12.69', '1', 2, 10_000n)).toBe('12.69 per 1')
    expect(fitted('12.6900', '1', 2, 10_000n)).toBe('12.69 per 1')
    expect(fitted('12.691', '1', 2, 10_000n)).toBe('126.91 per 10')
    expect(fitted('0.012345', '1', 2, 10_000n)).toBe('123.45 per 10000')
    expect(fitted('0.5', '1', 0, 10_000n)).toBe('5 per 10')
    expect(fitted('12.691', '100', 2, 10_000n)).toBe('126.91 per 1000')
  })

  test('refuses what does not fit, and never rounds', () => {
    expect(fitted('0.0123456', '1', 2, 10_000n)).toBeNull()
    expect(fitted('12.691', '5000', 2, 10_000n)).toBeNull()
    expect(fitted('12.69', '0.5', 2, 10_000n)).toBeNull()
    expect(fitted('12.691', '0.5', 2, 10_000n)).toBe('126.91 per 5')
    expect(fitPrice({ price: { n: 1n, d: 3n }, per: ratio('1') }, { decimals: 9, mostPer: 10n ** 9n })).toBeNull()
  })

  test('finds one quantity for several prices', () => {
    const bounds = { decimals: 2, mostPer: 10_000n }
    const together = (...prices: [string, string][]) =>
      fitTogether(
        prices.map(([price, per]) => ({ price: ratio(price), per: ratio(per) })),
        bounds,
      )?.map(({ price, per }) => `${formatPrice(price, 0)} per ${formatPrice(per, 0)}`) ?? null
    expect(together(['12.69', '1'], ['1.2345', '1'])).toEqual(['1269 per 100', '123.45 per 100'])
    expect(together(['12.69', '1'], ['1100', '100'])).toEqual(['12.69 per 1', '11 per 1'])
    expect(together(['12.69', '1'], ['1100.01', '100'])).toEqual(['1269 per 100', '1100.01 per 100'])
    expect(together(['1.22', '3'], ['1', '7'])).toBeNull()
  })
})

describe('a price file', () => {
  const rows = rowsOf(brackets)

  test('as CSV has the rows as they are listed, followed by the keys of other systems', () => {
    const [head, first] = write('csv', rows).split('\r\n')
    expect(head).toBe(
      'agreement,item,from_quantity,period,valid_from,valid_to,in_force_until,proposed_period,proposed_price,proposed_status,price,per,unit,currency,factor,status,receipt_hash,list_version,erp_LIFNR,erp_MATNR',
    )
    expect(first).toBe(
      'steel-brackets,BR-100,0,start,2024-01-01,2024-03-31,2024-03-31,,,,12.40,1,piece,EUR,1,AGREED,,1,0000004711,M-1',
    )
    const all = splitTable(write('csv', rows, { only: 'all' }))
    expect(all).toHaveLength(8)
    expect(all.at(-1)).toMatchObject({ valid_to: '9999-12-31', in_force_until: '', status: 'OPEN' })
    const proposed = { proposed_period: '2024-Q4', proposed_price: '1210.00', proposed_status: 'OPEN' }
    const third = { period: '2024-Q3', valid_to: '2024-09-30', status: 'AGREED', ...proposed }
    // In force until 2024-Q4 is signed; beside the row of 2024-Q4 until the day before, since one price is in force on a day.
    expect(splitTable(write('csv', rows)).at(-1)).toMatchObject({ ...third, in_force_until: '9999-12-31' })
    expect(all.at(-2)).toMatchObject({ ...third, in_force_until: '2024-09-30' })
  })

  test('as JSON says the same', () => {
    const { data } = JSON.parse(write('json', rows, { set: new Map([['WERKS', '0001']]) }))
    expect(data).toHaveLength(6)
    expect(data[1]).toEqual({
      ...rows.find(({ row }) => row.period === '2024-Q2')!.row,
      erp_LIFNR: '0000004711',
      erp_MATNR: 'M-1',
      erp_WERKS: '0001',
    })
  })

  test('for SAP as a table has the fields of a condition record', () => {
    const lines = write('sap-csv', rows, { set: new Map([['KSCHL', 'ZPB0']]) }).split('\r\n')
    expect(lines[0]).toBe('KAPPL,KSCHL,KOTABNR,LIFNR,MATNR,DATAB,DATBI,KSTBM,KBETR,KONWA,KPEIN,KMEIN')
    expect(lines[2]).toBe('M,ZPB0,018,0000004711,M-1,20240401,20240630,0,12.69,EUR,1,piece')
    expect(lines[5]).toBe('M,ZPB0,018,0000004711,M-1,20240401,20240630,1000,1125.85,EUR,100,piece')
    const [head] = write('sap-csv', rows, { only: 'all' }).split('\r\n')
    expect(head).toMatch(/,KMEIN,status$/)
  })

  test('for SAP as IDoc has one record for each key, and one price unit for the steps of an item', () => {
    const text = write('sap-idoc', rows)
    expect(text).toContain('<COND_A04>\n<IDOC BEGIN="1">\n<EDI_DC40 SEGMENT="1"><TABNAM>EDI_DC40</TABNAM>')
    expect(text.match(/<E1KOMG /g)).toHaveLength(1)
    expect(text.match(/<E1KONH /g)).toHaveLength(3)
    expect(text).toContain(
      '<E1KONH SEGMENT="1"><DATAB>20240401</DATAB><DATBI>20240630</DATBI><E1KONP SEGMENT="1"><KSCHL>PB00</KSCHL>' +
        '<STFKZ>A</STFKZ><KZBZG>C</KZBZG><KSTBM>0</KSTBM><KONMS>piece</KONMS><KBETR>1269.00</KBETR><KONWA>EUR</KONWA>' +
        '<KPEIN>100</KPEIN><KMEIN>piece</KMEIN><E1KONM SEGMENT="1"><KSTBM>1000</KSTBM><KBETR>1125.85</KBETR></E1KONM>',
    )
    expect(refusal('sap-idoc', rows, { only: 'all' })).toEqual([
      'null: an IDoc has no place for a status: it takes agreed prices alone',
    ])
  })

  test('for SAP as IDoc says in its control record who sends it to whom', () => {
    const set = new Map([
      ['RCVPRN', 'PRD100'],
      ['RCVPOR', 'SAPPRD'],
      ['SNDPRN', 'ASSIZE'],
      ['SNDPOR', 'ASSIZE'],
      ['SNDPRT', 'LI'],
      ['MANDT', '100'],
      ['DOCNUM', '0000000000004711'],
    ])
    expect(write('sap-idoc', rows, { set })).toContain(
      '<EDI_DC40 SEGMENT="1"><TABNAM>EDI_DC40</TABNAM><MANDT>100</MANDT><DOCNUM>0000000000004711</DOCNUM><DIRECT>2</DIRECT>' +
        '<IDOCTYP>COND_A04</IDOCTYP><MESTYP>COND_A</MESTYP><SNDPOR>ASSIZE</SNDPOR><SNDPRT>LI</SNDPRT><SNDPRN>ASSIZE</SNDPRN>' +
        '<RCVPOR>SAPPRD</RCVPOR><RCVPRT>LS</RCVPRT><RCVPRN>PRD100</RCVPRN></EDI_DC40>',
    )
    // Fields of the control record are no keys of a condition.
    expect(write('sap-idoc', rows, { set })).toContain(
      '<KSCHL>PB00</KSCHL><LIFNR>0000004711</LIFNR><MATNR>M-1</MATNR><E1KONH',
    )
  })

  test('for SAP as IDoc are said to lack whom they come from and go to', () => {
    const told = (format: string, ...names: string[]) =>
      formatMissingPartners(missingPartners(format, new Map(names.map(name => [name, 'X']))))
    expect(told('sap-idoc')).toBe(
      'the control record (EDI_DC40) names no sender (SNDPRN) and no receiver (RCVPRN): SAP refuses the IDoc unless a middleware adds them',
    )
    expect(told('sap-idoc', 'SNDPRN')).toContain('names no receiver (RCVPRN):')
    expect([told('sap-idoc', 'SNDPRN', 'RCVPRN'), told('sap-csv')]).toEqual([null, null])
  })

  test('for SAP has no field that SAP does not have', () => {
    const said = (set: Record<string, string>, format: PriceFormat = 'sap-idoc') =>
      refusal(format, rows, { set: new Map(Object.entries(set)) })
    expect(said({ LIEFNR: '1' })).toEqual([
      expect.stringMatching(/^null: LIEFNR is no field that can be set; .*EKORG.*; of the control record .*SNDPRN/),
    ])
    expect(said({ LIEFNR: '1' }, 'sap-csv')).toEqual([expect.not.stringContaining('SNDPRN')])
    expect(said({ SNDPRN: 'A' }, 'sap-csv')).toEqual(['null: SNDPRN is of the control record, which only an IDoc has'])
    expect(said({ RCVPRN: 'LONGER-THAN-TEN' })).toEqual([
      'null: RCVPRN has at most 10 characters, got "LONGER-THAN-TEN"',
    ])
    expect(said({ RCVPOR: 'SAPPRD' })).toEqual(['null: RCVPOR says nothing without RCVPRN: set it, too'])
    expect(said({ EKORG: '1000', ZZPLANT: '7', KSCHL: 'PB00' })).toEqual([])
    expect(refusal('sap-csv', rowsOf('item,price,currency,erp_MATNUM\nA,1,EUR,7\n'))).toEqual([
      'A: erp_MATNUM cannot be used here: MATNUM is no field of a condition record',
    ])
  })

  test('for Dynamics 365 has the columns of a journal line, each step with the next one', () => {
    const lines = write('d365-purchase', rows, { set: new Map([['VendorAccountNumber', 'V-7']]) }).split('\r\n')
    expect(lines[0]).toBe(
      'ItemNumber,VendorAccountNumber,Price,PurchasePriceQuantity,PriceCurrencyCode,QuantityUnitSymbol,FromQuantity,ToQuantity,PriceApplicableFromDate,PriceApplicableToDate',
    )
    expect(lines[2]).toBe('BR-100,V-7,12.69,1,EUR,piece,0,1000,2024-04-01,2024-06-30')
    expect(lines[5]).toBe('BR-100,V-7,1125.85,100,EUR,piece,1000,0,2024-04-01,2024-06-30')
    const sales = write('d365-sales', rows, { only: 'all' }).split('\r\n')
    expect(sales[0]).toMatch(/^ItemNumber,CustomerAccountNumber,Price,SalesPriceQuantity,.*,status$/)
    expect(sales[4]).toBe('BR-100,,13.64,1,EUR,piece,0,1000,2024-10-01,,OPEN')
  })

  test('for Business Central has the price of one', () => {
    const lines = write('bc', rows).split('\r\n')
    expect(lines[0]).toBe(
      'Source No.,Asset No.,Starting Date,Ending Date,Currency Code,Unit of Measure Code,Minimum Quantity,Direct Unit Cost',
    )
    expect(lines[5]).toBe(',BR-100,2024-04-01,2024-06-30,EUR,piece,1000,11.2585')
    expect(refusal('bc', rows, { decimals: 3 })).toEqual([
      expect.stringMatching(/^BR-100: .* does not fit: at most 3 decimals are allowed/),
    ])
  })

  test('takes columns from the item, else from what is set, else from what is known', () => {
    const csv = 'item,price,currency,erp_ItemNumber,erp_KMEIN,erp_Source No.\nA,1,EUR,X-1,ST,V1\nB,1,EUR,,,\n'
    const set = new Map([
      ['ItemNumber', 'set'],
      ['Source No.', 'V2'],
      ['JournalNumber', 'J1'],
    ])
    const priced = rowsOf(csv).filter(({ row }) => row.period === 'start')
    expect(splitTable(write('d365-sales', priced, { set })).map(row => [row.ItemNumber, row.JournalNumber])).toEqual([
      ['X-1', 'J1'],
      ['set', 'J1'],
    ])
    expect(splitTable(write('bc', priced, { set })).map(row => [row['Source No.'], row['Asset No.']])).toEqual([
      ['V1', 'A'],
      ['V2', 'B'],
    ])
    expect(splitTable(write('sap-csv', priced)).map(row => [row.MATNR, row.KMEIN])).toEqual([
      ['A', 'ST'],
      ['B', 'piece'],
    ])
  })

  test('executes nothing in a spreadsheet', () => {
    const priced = rowsOf('item,price,currency,erp_LIFNR,erp_MATNR\n"=1+1",1,EUR,-7,@x\n')
    expect(write('d365-purchase', priced)).toContain("\r\n'=1+1,,1.00,1,EUR")
    expect(write('sap-csv', priced)).toContain("M,PB00,018,'-7,'@x,")
    expect(readers['d365-purchase']!(write('d365-purchase', priced))[0]!.item).toBe('=1+1')
  })

  test('keeps only what is agreed, or signed by at least one, unless all is requested', () => {
    const periods = [
      { period: 'start', date: '2024-01-01' },
      { period: '2024-Q2', date: '2024-04-01', factor: '1.1', status: 'SIGNED_BY_BUYER' as const },
      { period: '2024-Q3', date: '2024-07-01', factor: '1.2', status: 'OPEN' as const },
    ]
    const priced = rowsOf('item,price,currency\nA,1,EUR\n', { periods })
    const statuses = (only: PriceFileOptions['only']) =>
      splitTable(write('bc', priced, { only })).map(row => row.status)
    expect(statuses('agreed')).toEqual([undefined])
    expect(statuses('signed')).toEqual(['AGREED', 'SIGNED_BY_BUYER'])
    expect(statuses('all')).toEqual(['AGREED', 'SIGNED_BY_BUYER', 'OPEN'])
  })

  test('has the decimals that each currency has', () => {
    const priced = (currency: string) =>
      rowsOf(`item,price,currency\nA,1000,${currency}\n`, { price: null, rounding: null })
    const written = (currency: string) => splitTable(write('sap-csv', priced(currency)))[1]!.KBETR
    expect(['JPY', 'EUR', 'KWD'].map(written)).toEqual(['1024', '1023.50', '1023.500'])
  })
})

describe('a price file that is refused', () => {
  test('names every item whose price does not fit', () => {
    const priced = rowsOf('item,price,currency,round\nA,0.1234567,EUR,7\nB,1,EUR,2\nC,9.87654321,EUR,8\n')
    expect(refusal('sap-csv', priced).map(each => each.slice(0, 2))).toEqual(['A:', 'A:', 'A:', 'C:', 'C:', 'C:'])
    expect(refusal('d365-purchase', priced)).toEqual([])
    expect(refusal('d365-purchase', priced, { decimals: 1 }).map(each => each[0])).toContain('C')
  })

  test('sets what is computed, lacks a key that others have, or has one key for two items', () => {
    const rows = rowsOf(brackets)
    expect(refusal('sap-csv', rows, { set: new Map([['KBETR', '1']]) })).toEqual([
      'null: KBETR is computed and cannot be set',
    ])
    const csv = 'item,price,currency,erp_LIFNR,erp_Price\nA,1,EUR,7,1\nB,1,EUR,,\nC,1,EUR,7,\n'
    expect(refusal('sap-csv', rowsOf(csv))).toEqual(['B: LIFNR is missing: write erp_LIFNR, or set it'])
    expect(refusal('sap-csv', rowsOf(csv.replace('EUR,,', 'EUR,8,')))).toEqual([
      'C: has the same key as steel-brackets A: 7',
    ])
    // Another condition table has keys of its own.
    const tables = 'item,price,currency,erp_KOTABNR,erp_LIFNR,erp_WERKS\nA,1,EUR,017,7,0001\nB,1,EUR,,7,\n'
    expect(refusal('sap-csv', rowsOf(tables))).toEqual([])
    expect(refusal('sap-csv', rowsOf(tables.replace('017', '')))).toEqual([
      'B: WERKS is missing: write erp_WERKS, or set it',
    ])
    expect(refusal('d365-sales', rowsOf(csv))).toEqual(['A: erp_Price cannot be used here: Price is computed'])
  })

  test('has steps too fine for a scale, or prices that no single price unit fits', () => {
    const fine = rowsOf('item,price,currency,from_quantity\nA,1,EUR,0.0001\n')
    expect(refusal('sap-csv', fine)).toEqual(['A: the step from 0.0001 has more than three decimals'])
    const uneven = rowsOf('item,price,currency,per,from_quantity,share\nA,1.22,EUR,3,0,0\nA,1,EUR,7,10,0\n')
    expect(refusal('sap-csv', uneven)).toEqual([])
    expect(refusal('sap-idoc', uneven)[0]).toMatch(/with the other steps of A, which share one price unit\)$/)
  })

  test('keeps every digit where the format has no bound', () => {
    expect(refusal('csv', rowsOf(brackets), { decimals: 2 })).toEqual([
      expect.stringMatching(/this one keeps every digit$/),
    ])
  })
})

describe('random prices, read back by independent readers', () => {
  const decimals: Partial<Record<PriceFormat, (currency: string) => number>> = {
    'sap-csv': minorUnits,
    'sap-idoc': minorUnits,
    'd365-purchase': () => 4,
    'd365-sales': () => 4,
    bc: () => 4,
  }
  const mostPer: Partial<Record<PriceFormat, bigint>> = {
    'sap-csv': 10_000n,
    'sap-idoc': 10_000n,
    'd365-purchase': 1_000_000n,
    'd365-sales': 1_000_000n,
    bc: 1n,
  }

  /** Tries every power of ten, in whole numbers. */
  function fits(format: PriceFormat, { price, per, row }: ExactRow): boolean {
    const places = decimals[format]?.(row.currency)
    if (places === undefined) return true
    const [n, d, p, q] = format === 'bc' ? [price.n * per.d, price.d * per.n, 1n, 1n] : [price.n, price.d, per.n, per.d]
    for (let exponent = 0; exponent <= 40; exponent++) {
      const power = 10n ** BigInt(exponent)
      if ((n * power * 10n ** BigInt(places)) % d !== 0n) continue
      return (p * power) % q === 0n && (p * power) / q <= mostPer[format]!
    }
    return false
  }

  const step = fc.record({
    price: fc.bigInt(0n, 10n ** 9n),
    places: fc.integer({ min: 0, max: 7 }),
    per: fc.constantFrom('1', '10', '100', '1000', '3', '0.5', '2.50'),
    share: fc.constantFrom('1', '0', '0.85'),
    round: fc.integer({ min: 0, max: 7 }),
  })
  const list = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  const factor = fc.tuple(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 10n ** 6n)).map(([n, d]) => `${n}/${d}`)

  test.each(priceFormats)('are equal to the last digit in %s, or refused', format => {
    let [written, refused] = [0, 0]
    fc.assert(
      fc.property(list, factor, factor, fc.constantFrom('EUR', 'JPY', 'KWD'), (items, q2, q3, currency) => {
        const csv = items.flatMap((steps, i) =>
          steps.map(({ price, places, per, share, round }, s) => {
            const scale = 10n ** BigInt(places)
            const text = places === 0 ? `${price}` : `${price / scale}.${`${price % scale}`.padStart(places, '0')}`
            return `I-${i},${text},${currency},${per},${share},${s * 10},${round}\n`
          }),
        )
        const periods = [
          { period: 'start', date: '2024-01-01' },
          { period: '2024-Q2', date: '2024-04-01', factor: q2 },
          { period: '2024-Q3', date: '2024-07-01', factor: q3 },
        ]
        const head = 'item,price,currency,per,share,from_quantity,round\n'
        const rows = rowsOf(head + csv.join(''), { price: null, periods })
        const file = writeAll(format, rows, usual)
        if ('problems' in file) {
          refused++
          const named = new Set(file.problems.map(({ item }) => item))
          const unfit = new Set(rows.filter(row => !fits(format, row)).map(({ row }) => row.item))
          // Steps that share a price unit may fit alone and not together.
          if (format === 'sap-idoc') for (const item of unfit) expect(named).toContain(item)
          else expect(named).toEqual(unfit)
          return
        }
        written++
        expect(rows.every(row => fits(format, row))).toBe(true)
        const expected = rows.map(({ row, price, per }) => [
          row.item,
          row.fromQuantity,
          row.validFrom,
          row.validTo ?? '',
          row.currency,
          row.unit,
          lowest(price.n * per.d, price.d * per.n),
        ])
        const read = readers[format]!(file.text).map(each => [
          each.item,
          each.from,
          each.validFrom,
          each.validTo,
          each.currency,
          each.unit,
          each.unitPrice,
        ])
        expect(read.sort()).toEqual(expected.sort())
      }),
      { numRuns: 300 },
    )
    expect(written).toBeGreaterThan(20)
    if (decimals[format] !== undefined) expect(refused).toBeGreaterThan(20)
  })
})
