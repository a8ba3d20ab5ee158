import { describe, expect, test } from 'vitest'
import { readList } from '../../../test/support/agreements/priced-agreement.ts'
import { listBounds } from './list-table.ts'
import { compareKeys, contentOf, makePriceList } from './price-list.ts'

const places = (csv: string) => readList(csv).problems.map(({ line, column }) => `${line} ${column}`)
const messages = (csv: string) => readList(csv).problems.map(({ message }) => message)

describe('a price list as a table', () => {
  test('is read with everything that a row may say', () => {
    const { rows, problems } = readList(
      'item,price,currency,per,unit,base,share,from_quantity,round,valid_from,valid_to,replaces,erp_MATNR,erp_LIFNR\n' +
        'BR-100,12.40,EUR,100,piece,2024-Q3,0.85,50,0.05,2024-01-01,2024-12-31,BR-99,000123,V7\n',
    )
    expect(problems).toEqual([])
    expect(rows).toEqual([
      {
        line: 2,
        item: 'BR-100',
        price: '12.40',
        currency: 'EUR',
        per: '100',
        unit: 'piece',
        base: '2024-Q3',
        share: '0.85',
        fromQuantity: '50',
        round: '0.05',
        validFrom: '2024-01-01',
        validTo: '2024-12-31',
        replaces: 'BR-99',
        erp: { LIFNR: 'V7', MATNR: '000123' },
      },
    ])
  })

  test('needs no more than item, price and currency; what is left out stays left out', () => {
    expect(readList('item,price,currency\nA,1,EUR\n').rows).toEqual([
      {
        line: 2,
        item: 'A',
        price: '1',
        currency: 'EUR',
        per: null,
        unit: null,
        base: 'start',
        share: null,
        fromQuantity: null,
        round: null,
        validFrom: null,
        validTo: null,
        replaces: null,
        erp: {},
      },
    ])
  })

  test('comes by item and quantity, whatever the order of the file', () => {
    const csv = 'item,price,currency,from_quantity\nB,3,EUR,0\nA,1,EUR,100\nA,2,EUR,9.5\nA,2.5,EUR,\n'
    expect(readList(csv).rows.map(({ item, price }) => `${item} ${price}`)).toEqual(['A 2.5', 'A 2', 'A 1', 'B 3'])
    expect(['b', 'a', 'B', 'ab', 'a\u{1F600}', 'a\u{ffff}', ''].sort(compareKeys)).toEqual([
      '',
      'B',
      'a',
      'ab',
      'a\u{ffff}',
      'a\u{1F600}',
      'b',
    ])
  })

  test('has the same content in any order and on any lines', () => {
    const content = (csv: string) => contentOf(readList(csv).rows)
    const sorted = content('item,price,currency,erp_B,erp_A\nA,1,EUR,x,y\nB,2,EUR,,\n')
    expect(content('currency,erp_A,item,price,erp_B\n\nEUR,,B,2,\nEUR,y,A,1,x\n')).toEqual(sorted)
    expect(JSON.parse(JSON.stringify(sorted))).toEqual(sorted)
    expect(content('item,price,currency\nA,1.0,EUR\nB,2,EUR\n')).not.toEqual(sorted)
  })

  test('finds an item by its key and by the one it replaces; case counts', () => {
    const list = makePriceList(readList('item,price,currency,replaces\nBR-100,1,EUR,BR-99\n').rows)
    expect(list.find('BR-100')?.item).toBe('BR-100')
    expect(list.find('BR-99')?.item).toBe('BR-100')
    expect(list.find('br-100')).toBeUndefined()
  })
})

describe('a bad price list', () => {
  test('is refused with every problem, by line and column', () => {
    const csv =
      'item,price,currency,per,share,from_quantity,round,valid_from,valid_to\n' +
      ',12.40,EUR,1,1,0,2,,\n' +
      'A,-1,EUR,0,1.5,-1,16,2024-02-30,\n' +
      'B,"12,40",eur,x,-0.1,1e3,0.00,2024-12-31,2024-01-01\n' +
      'C,,,,,,,,\n'
    expect(places(csv)).toEqual([
      '2 item',
      '3 price',
      '3 per',
      '3 share',
      '3 from_quantity',
      '3 round',
      '3 valid_from',
      '4 price',
      '4 currency',
      '4 per',
      '4 share',
      '4 from_quantity',
      '4 round',
      '4 valid_to',
      '5 price',
      '5 currency',
    ])
    expect(readList(csv).rows).toEqual([])
    expect(messages(csv)).toContain('must be a decimal number such as 12.40, got "12,40"')
  })

  test('has unknown, repeated or missing columns, or too few cells', () => {
    expect(messages('item,price,curency,item\nA,1,EUR,B\n')).toEqual([
      expect.stringMatching(/^unknown column "curency"; known are item, price, currency/),
      'the column item is there twice',
      'the column currency is missing',
    ])
    expect(messages('item,price,currency\nA,1\n')).toEqual(['2 cells where the header has 3'])
    expect(messages('item,price,currency,erp_\nA,1,EUR,\n')).toHaveLength(1)
    expect(messages('')).toEqual(['the file is empty'])
    expect(messages('item,price,currency\n')).toEqual(['the list has no items'])
  })

  test('has an item twice for one quantity, however that is written', () => {
    const csv = 'item,price,currency,from_quantity\nA,1,EUR,10\nA,2,EUR,10.0\na,2,EUR,10\nB,1,EUR,\nB,1,EUR,0\n'
    expect(readList(csv).problems).toEqual([
      { line: 3, column: 'item', message: '"A" from quantity 10.0 is there already (line 2)' },
      { line: 6, column: 'item', message: '"B" from quantity 0 is there already (line 5)' },
    ])
  })

  test('has steps of one item that differ in unit, validity or what they replace', () => {
    const csv =
      'item,price,currency,from_quantity,unit,valid_to,replaces\n' +
      'A,1,EUR,0,kg,2024-12-31,old\nA,1,EUR,10,,2024-12-30,older\nA,1,EUR,20,KG,,\n'
    expect(places(csv)).toEqual(['3 unit', '3 valid_to', '3 replaces'])
  })

  test('replaces an item of the list, itself, or what another one replaces', () => {
    const csv = 'item,price,currency,replaces\nA,1,EUR,B\nB,1,EUR,B\nC,1,EUR,X\nD,1,EUR,X\n'
    expect(places(csv)).toEqual(['2 replaces', '3 replaces', '3 replaces', '5 replaces'])
  })

  test('has keys and numbers over their bounds', () => {
    const sixty = '9'.repeat(60)
    expect(places(`item,price,currency\n${'x'.repeat(60)},${sixty},EUR\n`)).toEqual([])
    expect(places(`item,price,currency\n${'x'.repeat(61)},${sixty}9,EUR\n`)).toEqual(['2 item', '2 price'])
    expect(places(`item,price,currency\n${'😀'.repeat(60)},1,EUR\n`)).toEqual([])
    expect(places('item,price,currency\n"a\tb",1,EUR\n')).toEqual(['2 item'])
    expect(places(`item,price,currency,erp_X\nA,1,EUR,${'y'.repeat(listBounds.erpLength + 1)}\n`)).toEqual(['2 erp_X'])
  })

  test('has more rows than a list may have, and is not read to its end', () => {
    const rows = Array.from({ length: listBounds.rows + 2 }, (_, i) => `i${i},1,EUR`).join('\n')
    expect(readList(`item,price,currency\n${rows}\n`).problems).toEqual([
      { line: listBounds.rows + 2, column: '', message: `the list has more than ${listBounds.rows} rows` },
    ])
  })
})
