// Price lists by command: applied completely or not at all, versioned, listed by period, exported for other systems.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { PriceRow } from '../../src/core/prices/price-rows.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openBracketHouse, openPriceHouse, pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { longTest } from '../support/run/long-test.ts'

const ground = ownHouse(openBracketHouse)

const rowsOf = async (...words: string[]) => (await ground.json<{ data: PriceRow[] }>('prices', 'list', ...words)).data
const short = (rows: readonly PriceRow[]) =>
  rows.map(({ item, fromQuantity, period, price, status }) => `${item}/${fromQuantity} ${period} ${price} ${status}`)
const applyList = async (slug: string, csv: string, ...more: string[]) =>
  ground.json('prices', 'apply', slug, await ground.file('list.csv', csv), ...more)

describe('prices list', () => {
  test('gives the contract’s own price where there is no list, with the settled factor of each period', async () => {
    const rows = await rowsOf('steel-brackets')
    expect(short(rows)).toEqual([
      'steel-brackets/0 start 12.40 AGREED',
      'steel-brackets/0 2024-Q2 12.69 AGREED',
      'steel-brackets/0 2024-Q3 13.02 AGREED',
      'steel-brackets/0 2024-Q4 13.64 OPEN',
    ])
    expect(rows[1]).toEqual({
      agreement: 'steel-brackets',
      item: 'steel-brackets',
      fromQuantity: '0',
      period: '2024-Q2',
      validFrom: '2024-04-01',
      validTo: '2024-06-30',
      inForceUntil: '2024-06-30',
      proposed: null,
      price: '12.69',
      per: '1',
      unit: 'piece',
      currency: 'EUR',
      factor: '1.0235',
      status: 'AGREED',
      receiptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      listVersion: null,
    })
    expect(rows[0]).toMatchObject({ factor: '1', receiptHash: null, validFrom: '2024-01-01' })
    const shown = await ground.json<{ signOffs: { period: string; hash: string }[] }>('pam', 'show', 'steel-brackets')
    expect(shown.signOffs.find(({ period }) => period === '2024-Q2')?.hash).toBe(rows[1]!.receiptHash)
  })

  test('takes a period, a day and an item, and says why one gives nothing', async () => {
    expect(short(await rowsOf('steel-brackets', '--period', '2024-Q3'))).toHaveLength(1)
    expect((await rowsOf('steel-brackets', '--date', '2024-08-15'))[0]!.period).toBe('2024-Q3')
    expect(await ground.refused('prices', 'list', 'steel-brackets', '--period', '2023-Q1')).toEqual({
      error: 'steel-brackets has no period 2023-Q1',
    })
    expect((await ground.refused('prices', 'list', 'steel-brackets', '--date', '2025-01-01')).error).toBe(
      '2025-01-01 lies outside the contract',
    )
    expect((await ground.refused('prices', 'list', 'nobody')).error).toBe('there is no agreement "nobody"')
    const both = await ground.run('prices', 'list', 'steel-brackets', '--period', 'start', '--date', '2024-01-01')
    expect([both.status, both.err]).toEqual([2, 'assize: --period and --date cannot be used together\n'])
  })

  test('shows who has signed a number that is not agreed', async () => {
    const words = ['pam', 'sign', 'steel-brackets', '--period', '2024-Q4', '--party', 'buyer', '--as', 'ann@buyer.test']
    await ground.json(...words)
    expect(short(await rowsOf('steel-brackets', '--period', '2024-Q4'))).toEqual([
      'steel-brackets/0 2024-Q4 13.64 SIGNED_BY_BUYER',
    ])
  })
})

describe('prices apply', () => {
  test('creates a list, a new version where it says something else, and nothing where it does not', async () => {
    await ground.apply(pricedDocument({ slug: 'listed' }))
    const csv =
      'item,price,currency,share,from_quantity\nBR-100,12.40,EUR,1,0\nBR-100,12.00,EUR,1,100\nBR-200,20,EUR,0.5,0\n'
    const answer = { agreement: 'listed', proposal: null }
    expect(await applyList('listed', csv)).toEqual({ ...answer, outcome: 'created', version: 1, items: 2 })
    const sameInOtherOrder =
      'currency,item,price,share,from_quantity\nEUR,BR-200,20,0.5,0\nEUR,BR-100,12.00,1,100\nEUR,BR-100,12.40,1,0\n'
    expect(await applyList('listed', sameInOtherOrder)).toMatchObject({ outcome: 'unchanged', version: 1 })
    expect(short(await rowsOf('listed', '--period', '2024-Q3'))).toEqual([
      'BR-100/0 2024-Q3 13.02 OPEN',
      'BR-100/100 2024-Q3 12.60 OPEN',
      'BR-200/0 2024-Q3 20.50 OPEN',
    ])
    expect(await applyList('listed', 'item,price,currency\nBR-100,15,EUR\n', '--from', '2024-Q4')).toEqual({
      ...answer,
      outcome: 'new version',
      version: 2,
      items: 1,
    })
    expect(short(await rowsOf('listed', '--item', 'BR-100', '--period', '2024-Q4'))).toEqual([
      'BR-100/0 2024-Q4 16.50 OPEN',
    ])
    expect((await rowsOf('listed', '--period', '2024-Q3')).map(({ listVersion }) => listVersion)).toEqual([1, 1, 1])
    expect((await ground.refused('prices', 'list', 'listed', '--period', '2024-Q4', '--item', 'BR-200')).error).toBe(
      'listed has no item "BR-200"',
    )
  })

  longTest('commands', 'takes a later base, counts back before it, and has the weaker status of both', async () => {
    await ground.apply(pricedDocument({ slug: 'later-base' }))
    await ground.signBoth('later-base', '2024-Q2')
    await applyList('later-base', 'item,price,currency,base,round\nNEW,21,EUR,2024-Q3,4\n')
    expect(short(await rowsOf('later-base'))).toEqual([
      'NEW/0 start 20.0000 OPEN',
      'NEW/0 2024-Q2 20.4700 OPEN',
      'NEW/0 2024-Q3 21.0000 OPEN',
      'NEW/0 2024-Q4 22.0000 OPEN',
    ])
  })

  longTest('commands', 'begins again where the price was renegotiated', async () => {
    await ground.apply(pricedDocument({ slug: 'renegotiated' }))
    await applyList('renegotiated', 'item,price,currency\nA,10,EUR\n')
    const restarted = pricedDocument({
      slug: 'renegotiated',
      price: '{ amount: 20, currency: EUR, unit: piece, round: { dp: 2 } }',
      contract: '  restart: true\n',
      more: 'effectiveFrom: 2024-08-01\n',
    })
    await ground.apply(restarted.replace('base: 2023-12', 'base: 2024-06'))
    expect(short(await rowsOf('renegotiated'))).toEqual([
      'A/0 start 10.00 AGREED',
      'A/0 2024-Q2 10.24 OPEN',
      'A/0 2024-Q3 10.50 OPEN',
    ])
    expect((await ground.refused('prices', 'list', 'renegotiated', '--period', '2024-Q4')).error).toBe(
      'the price was renegotiated from 2024-08-01, and no price list was applied from then on',
    )
    expect(await applyList('renegotiated', 'item,price,currency\nA,30,EUR\n')).toMatchObject({ version: 2 })
    expect(short(await rowsOf('renegotiated')).slice(3)).toEqual(['A/0 2024-Q4 31.43 OPEN'])
  })

  test('refuses a bad file with every problem by line and column, and keeps nothing of it', async () => {
    await ground.apply(pricedDocument({ slug: 'bad-files' }))
    const file = await ground.file(
      'bad.csv',
      'item,price,currency,base,round\nA,-1,EUR,start,2\nB,1.2.3,EUR,start,99\nC,1,USD,start,2\nD,1,EUR,2030-Q1,2\n',
    )
    const cells = await ground.refused('prices', 'apply', 'bad-files', file)
    expect(cells).toEqual({
      error: expect.stringMatching(/^refused: /),
      outcome: 'refused',
      problems: [
        { line: 2, column: 'price', message: 'must not be negative, got "-1"' },
        { line: 3, column: 'price', message: 'must be a decimal number such as 12.40, got "1.2.3"' },
        expect.objectContaining({ line: 3, column: 'round' }),
        { line: 4, column: 'currency', message: "is USD, but the contract's is EUR" },
        { line: 5, column: 'base', message: 'must be start or a period of bad-files that has a number, got "2030-Q1"' },
      ],
    })
    const unknown = await ground.file('unknown.csv', 'item,price,currency,colour\nA,1,EUR,red\n')
    const { problems } = await ground.refused('prices', 'apply', 'bad-files', unknown)
    expect(problems).toEqual([
      { line: 1, column: 'colour', message: expect.stringContaining('unknown column "colour"') },
    ])
    expect((await rowsOf('bad-files')).every(({ listVersion }) => listVersion === null)).toBe(true)
    const { status, err } = await ground.run('prices', 'apply', 'bad-files', file)
    expect(status).toBe(1)
    expect(err).toMatch(/line 2, column price: must not be negative, got "-1"\n/)
    expect(err).toMatch(/: nothing was applied\n$/)
  })

  test('applies the lists of a folder, all of them or none', async () => {
    for (const slug of ['folder-a', 'folder-b']) await ground.apply(pricedDocument({ slug }))
    const folder = `${await ground.file('lists', '')}.d`
    await mkdir(folder)
    await writeFile(`${folder}/folder-a.csv`, 'item,price,currency\nA,1,EUR\n')
    await writeFile(`${folder}/folder-b.csv`, 'item,price,currency\nB,1,USD\nB,x,EUR\n')
    expect(await ground.refused('prices', 'apply', folder)).toEqual({
      error: `refused: ${folder}/folder-b.csv`,
      outcome: 'refused',
      problems: [
        { file: `${folder}/folder-b.csv`, line: 2, column: 'currency', message: "is USD, but the contract's is EUR" },
        expect.objectContaining({ file: `${folder}/folder-b.csv`, line: 3, column: 'price' }),
      ],
    })
    expect((await rowsOf('folder-a')).every(({ listVersion }) => listVersion === null)).toBe(true)
    await writeFile(`${folder}/folder-b.csv`, 'item,price,currency\nB,1,EUR\nC,2,EUR\n')
    const { out } = await ground.run('prices', 'apply', folder)
    expect(out).toBe('folder-a: created, price list 1 with 1 item\nfolder-b: created, price list 1 with 2 items\n')
    await writeFile(`${folder}/folder-a.xlsx`, '')
    expect((await ground.refused('prices', 'apply', folder)).error).toMatch(/^folder-a has two price lists/)
    expect((await ground.run('prices', 'apply', 'folder-a')).err).toMatch(/"folder-a" is no folder/)
  })

  test('refuses a period that does not exist, and a file that is not a table', async () => {
    const file = await ground.file('list.csv', 'item,price,currency\nA,1,EUR\n')
    expect((await ground.refused('prices', 'apply', 'steel-brackets', file, '--from', '2031-Q1')).error).toMatch(
      /^steel-brackets has no period 2031-Q1 that has come or comes next/,
    )
    const text = await ground.file('list.txt', 'x')
    expect((await ground.refused('prices', 'apply', 'steel-brackets', text)).error).toMatch(
      /^the file must be \.csv or \.xlsx/,
    )
    expect((await ground.run('prices', 'apply', 'steel-brackets')).status).toBe(2)
  })

  longTest('commands', 'counts in a currency without decimals, and with three', async () => {
    for (const [slug, currency, price, expected] of [
      ['in-yen', 'JPY', '1000', '1024'],
      ['in-dinar', 'KWD', '10', '10.235'],
    ] as const) {
      await ground.apply(pricedDocument({ slug, price: null }))
      await applyList(slug, `item,price,currency\nA,${price},${currency}\n`)
      expect((await rowsOf(slug, '--period', '2024-Q2'))[0]!.price).toBe(expected)
    }
  })
})

describe('prices export', () => {
  test('writes only agreed prices by default, to standard output or a file', async () => {
    const { status, out } = await ground.run('prices', 'export', 'steel-brackets', '--format', 'csv')
    expect(status).toBe(0)
    expect(out.split('\r\n').map(line => line.split(',').slice(0, 7).join())).toEqual([
      'agreement,item,from_quantity,period,valid_from,valid_to,in_force_until',
      'steel-brackets,steel-brackets,0,start,2024-01-01,2024-03-31,2024-03-31',
      'steel-brackets,steel-brackets,0,2024-Q2,2024-04-01,2024-06-30,2024-06-30',
      'steel-brackets,steel-brackets,0,2024-Q3,2024-07-01,2024-09-30,2024-12-31',
      '',
    ])
    const file = await ground.file('prices.json', '')
    const all = ['prices', 'export', 'steel-brackets', '--format', 'json', '--only', 'all', '--out', file]
    expect(await ground.json(...all)).toMatchObject({ format: 'json', rows: 4, file })
    expect((JSON.parse(await readFile(file, 'utf8')) as { data: PriceRow[] }).data.at(-1)).toMatchObject({
      period: '2024-Q4',
      price: '13.64',
      validTo: '2024-12-31',
    })
  })

  test('writes the files of SAP, Dynamics 365 and Business Central with the keys of the items', async () => {
    await ground.apply(pricedDocument({ slug: 'for-erp' }))
    await applyList('for-erp', 'item,price,currency,round,erp_LIFNR,erp_MATNR\nBR-1,1.23456,EUR,5,V100,M-1\n')
    const text = async (format: string, ...more: string[]) =>
      (
        await ground.json<{ text: string }>(
          'prices',
          'export',
          'for-erp',
          '--format',
          format,
          '--period',
          'start',
          ...more,
        )
      ).text
    expect(await text('sap-csv')).toBe(
      'KAPPL,KSCHL,KOTABNR,LIFNR,MATNR,DATAB,DATBI,KSTBM,KBETR,KONWA,KPEIN,KMEIN\r\nM,PB00,018,V100,M-1,20240101,20241231,0,1234.56,EUR,1000,piece\r\n',
    )
    expect(await text('sap-csv', '--period-validity')).toContain('M-1,20240101,20240331,0,1234.56')
    expect(await text('sap-idoc')).toContain('<KBETR>1234.56</KBETR>')
    expect(await text('d365-purchase', '--set', 'VendorAccountNumber=V-9')).toContain('V-9')
    const bc = await ground.refused('prices', 'export', 'for-erp', '--format', 'bc', '--period', 'start')
    expect(bc.problems).toEqual([expect.objectContaining({ agreement: 'for-erp', item: 'BR-1' })])
    expect(await text('bc', '--decimals', '5')).toContain('1.23456')
  })

  test('writes all agreements in one file, without drafts', async () => {
    const apart = await openPriceHouse(ground.house)
    await apart.importFigures(steelPrices)
    for (const [slug, status] of [
      ['b-two', 'ACTIVE'],
      ['a-one', 'ACTIVE'],
      ['c-draft', 'DRAFT'],
    ] as const)
      await apart.apply(pricedDocument({ slug, status }))
    const { text } = await apart.json<{ text: string }>(
      'prices',
      'export',
      '--all',
      '--format',
      'csv',
      '--date',
      '2024-05-01',
      '--only',
      'all',
    )
    expect(
      text
        .split('\r\n')
        .slice(1, -1)
        .map(line => line.split(',')[0]),
    ).toEqual(['a-one', 'a-one', 'b-two', 'b-two'])
    expect((await apart.run('prices', 'export', '--all', '--format', 'csv')).out).toContain('a-one,a-one,0,start')
  })

  test('names what is left out of a file of all agreements, and with --strict writes nothing then', async () => {
    const apart = await openPriceHouse(ground.house)
    await apart.importFigures(steelPrices)
    for (const slug of ['keyed', 'keyless']) await apart.apply(pricedDocument({ slug }))
    await apart.apply(pricedDocument({ slug: 'blocked' }).replace('lag: 1 month', 'lag: 2 months'))
    const list = await apart.file('keyed.csv', 'item,price,currency,erp_MATNR\nBR-1,12.40,EUR,M-1\n')
    await apart.json('prices', 'apply', 'keyed', list)
    const left = await apart.file('left.csv', '')
    const words = ['prices', 'export', '--all', '--format', 'sap-csv', '--date', '2024-05-01', '--only', 'all']
    const { status, out, err } = await apart.run(...words, '--left-out', left)
    expect([status, out.split('\r\n').length]).toEqual([0, 4])
    expect(out).toContain('M-1')
    expect(err).toMatch(
      /^assize: left out: blocked: 2024-Q2: .+ \(and 1 more\)\nassize: left out: keyless, "keyless": MATNR is missing: .+\n$/,
    )
    expect(await readFile(left, 'utf8')).toMatch(
      /^agreement,item,period,reason,why\r\nblocked,,2024-Q2,BLOCKED,.+\r\nblocked,blocked,,UNFIT,.+\r\nkeyless,keyless,,UNFIT,.+\r\n$/,
    )
    const strict = await apart.refused(...words, '--strict')
    expect(strict.problems).toMatchObject([
      { agreement: 'blocked' },
      { agreement: 'blocked' },
      { agreement: 'keyless' },
    ])
    const told = await apart.json<{ leftOut: { agreement: string }[] }>(...words)
    expect(told.leftOut.map(({ agreement }) => agreement)).toEqual(['blocked', 'blocked', 'keyless'])
    // A number that waits for signatures is told, and nothing to repair.
    const agreed = words.map(word => (word === 'all' ? 'agreed' : word))
    const waiting = await apart.json<{ leftOut: { agreement: string; reason: string }[] }>(...agreed)
    expect(waiting.leftOut.map(({ agreement, reason }) => `${agreement} ${reason}`)).toEqual([
      'blocked BLOCKED',
      'blocked UNFIT',
      'keyed NOT_AGREED',
      'keyless UNFIT',
    ])
    // A contract that does not cover the day lacks nothing.
    const none = await apart.json<{ leftOut: unknown[] }>(
      ...words.map(word => word.replace('2024-05', '2019-05')),
      '--strict',
    )
    expect(none.leftOut).toEqual([])
  })

  test('is refused if it is called incorrectly', async () => {
    expect((await ground.run('prices', 'export', 'steel-brackets')).status).toBe(2)
    expect((await ground.run('prices', 'export', '--format', 'csv')).status).toBe(2)
    expect((await ground.run('prices', 'export', 'steel-brackets', '--format', 'pdf')).status).toBe(2)
    expect((await ground.run('prices', 'export', 'x', '--all', '--format', 'csv')).status).toBe(2)
  })
})
