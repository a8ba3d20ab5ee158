// The daily work of people with many contracts, in real browsers.
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorkbook, text } from '../support/files/workbook.ts'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { openHouse, type Visit } from './house.ts'
import { chooseFile, expectQuiet, expectWords, keepFile, plain, rowsOf, tableWith, textFile, wordsOf } from './story.ts'

let olga: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  olga = await house.visit('olga')
})

describe('a person who reads a formula', () => {
  test('gets the clause in sentences, whatever their role, and the YAML behind a tab', async () => {
    const sam = await house.visit('sam')
    const { page, open } = sam
    await open('/agreements/steel-brackets')
    await page.getByRole('heading', { name: 'Agreed terms' }).waitFor()
    await expectWords(
      page.locator('main'),
      'From 1 Mar 2025, adjusted quarterly.',
      'The price is 12.40 EUR per piece, rounded to 2 decimals.',
      '45 % follows steel, read four months before the adjustment date, against November 2024.',
      'The price moves only when it would move by more than 1.5 % since it last moved; then the whole movement is paid.',
      'At most +4 % per period, at most +15 % in all and at least −4 % per period.',
    )
    expect(await wordsOf(page.locator('main'))).not.toContain('periodPct')
    await page.getByText('YAML', { exact: true }).click()
    await page.getByLabel('The document as it was saved').getByText('periodPct: 4').waitFor()
    expect(new URL(page.url()).search).toBe('?document=yaml')
    expectQuiet(sam)
    await sam.context.close()
  })

  test('reads steps and tables in words, and why a period is what it is with its figures', async () => {
    const { page, open } = olga
    await open('/agreements/freight-surcharge')
    await page.getByText('Surcharge: the value of the table percent by diesel for diesel.').waitFor()
    await page.getByText('Rate: price × (1 + surcharge ÷ 100), rounded to 3 decimals.').waitFor()
    await page.getByRole('region', { name: 'Table percent by diesel' }).getByText('below 3.60').waitFor()
    await page
      .getByRole('link', { name: /^2026-0/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: /^Adjustment 2026-/ }).waitFor()
    await expectWords(
      page.locator('main'),
      /Diesel \d\.\d+ lies in the row below \d(?:\.\d+)?: \d+(?:\.\d+)?\. The step rate, 2\.15 × \(1 \+ /,
    )
    expectQuiet(olga)
  })

  test('gets advice in words, without the keys of the document', async () => {
    const { page, open } = olga
    const hasty = `slug: hasty
name: Hasty brackets
status: ACTIVE
contract: { start: 2025-01-01, frequency: QUARTERLY }
inputs: { steel: { series: BLS/WPU101, weight: 1, base: 2024-11 } }
clause: {}
`
    await house.command('pam', 'apply', await keepFile(house, 'hasty.yaml', hasty), '--workspace', 'demo')
    await open('/agreements/hasty')
    const advice = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Advice' }) })
    await advice.waitFor()
    const words = (await advice.getByRole('listitem').allInnerTexts()).map(plain)
    expect(words[0]).toMatch(
      /^Steel: on 1 Apr 2025 the value of 2025-04 is not out yet .*, so the adjustment has to wait; /,
    )
    expect(words).toContain('The clause rounds neither the factor nor a percentage; the contract may round them.')
    expect(words.join(' ')).not.toMatch(/inputs\.|clause\.|LATEST_PUBLISHED|price: NONE/)
    expectQuiet(olga)
  })
})

const german = `Preise für Stahl;;
Datum;Stahlträger HEB;Schrott E3
31.01.2024;1.112,50;351,2
29.02.2024;1.115,00;.
31.03.2024;1.120,75;348,9
`

describe('an upload', () => {
  test('accepts a German CSV: asks what its dates stand for, draws what it understood, and imports it', async () => {
    const { page, open } = olga
    await open('/series/upload')
    await chooseFile(page, 'Choose a file', textFile('stahl.csv', german))
    await page.getByRole('heading', { name: 'How is this file read?' }).waitFor()
    await page.getByText('Its cells are separated by semicolons.').waitFor()
    const go = page.getByRole('button', { name: 'Show the changes' })
    expect(await go.isDisabled()).toBe(true)
    await page.getByText('Say what a date stands for.').waitFor()
    await page.getByLabel('What 31.01.2024 stands for').selectOption('its month')
    await page.getByRole('img', { name: /as they are understood/ }).waitFor()
    await page.getByText(/Stahlträger HEB, 3 values from 2024-01 to 2024-03/).waitFor()
    await page.getByLabel('Code of the series in the column Schrott E3').fill('CUSTOM/scrap-e3')
    await go.click()
    await page.getByText('5 rows in 2 series: 5 new values, 2 new series.').waitFor()
    await page.getByRole('button', { name: 'Import 5 values' }).click()
    await page.getByText('5 rows in 2 series: 5 new values, 2 new series imported.').waitFor()
    expectQuiet(olga)
  })

  test('shows every value it would change and the contracts it affects, and reads the next file in the same way', async () => {
    const { page, open } = olga
    const beams = `slug: beams
name: Beams by HEB
status: ACTIVE
contract: { start: 2024-02-01, end: 2024-04-30, frequency: MONTHLY, price: { amount: 100, currency: EUR, unit: t, round: { dp: 2 } } }
inputs: { heb: { series: CUSTOM/stahltrager-heb, weight: 1, base: 2024-01 } }
clause: { rounding: { total: { dp: 2 } } }
`
    await house.command('pam', 'apply', await keepFile(house, 'beams.yaml', beams), '--workspace', 'demo')
    await open('/series/upload')
    const next = `${german.replace('1.120,75', '1.223,75')}30.04.2024;1.130,00;350\n`
    await chooseFile(page, 'Choose a file', textFile('april.csv', next))
    await page.getByRole('heading', { name: '1 value would be changed' }).waitFor()
    expect(await rowsOf(tableWith(page, 'Old'))).toEqual([
      { Series: 'Stahlträger HEB', Period: '2024-03', Old: '1 120.75', New: '1 223.75' },
    ])
    const moves = await rowsOf(tableWith(page, 'Effect'))
    expect(moves.map(row => [row.Agreement, row.Effect, row.Price])).toEqual([
      ['Beams by HEB 2024-03', 'Proposal moved', '100.74 → 110.00 EUR / t'],
      ['Beams by HEB 2024-04', 'Can be computed now', 'none → 101.57 EUR / t'],
    ])
    expectQuiet(olga)
  })

  longTest('stories', 'accepts an Excel sheet of monthly dates', async () => {
    const { page, open } = olga
    await open('/series/upload')
    const serials = ['45322', '45351', '45382']
    const buffer = makeWorkbook({
      formats: [14],
      sheets: [
        {
          name: 'Zink',
          rows: [[text('Monat'), text('Zinkpreis')], ...serials.map((v, i) => [{ v, s: 1 }, { v: `${2400 + i}.5` }])],
        },
      ],
    })
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    await chooseFile(page, 'Choose a file', { name: 'zink.xlsx', mimeType, buffer })
    await page.getByLabel('What 2024-01-31 stands for').selectOption('its month')
    await page.getByText(/Zinkpreis, 3 values from 2024-01 to 2024-03/).waitFor()
    await page.getByRole('button', { name: 'Show the changes' }).click()
    await page.getByRole('button', { name: 'Import 3 values' }).click()
    await page.getByText('3 rows in 1 series: 3 new values, 1 new series imported.').waitFor()
    await page.getByRole('link', { name: 'See the series' }).click()
    await page.getByRole('heading', { level: 1, name: 'Zinkpreis' }).waitFor()
    expectQuiet(olga)
  })

  longTest('stories', 'names everything that is wrong with a bad file, and imports nothing of it', async () => {
    const { page, open } = olga
    await open('/series/upload')
    const bad = german.replace('1.112,50', '1112.5').replace('348,9', 'viel')
    await chooseFile(page, 'Choose a file', textFile('stahl.csv', bad))
    await page.getByText('2 problems; nothing was imported. Fix the file and choose it again.').waitFor()
    expect((await rowsOf(tableWith(page, 'Problem'))).map(each => each.Problem)).toEqual([
      'Stahlträger HEB: must be a number with a decimal comma, got "1112.5"',
      'Schrott E3: must be a number with a decimal comma, got "viel"',
    ])
    await page.getByRole('button', { name: 'Read it in another way' }).click()
    await page.getByText('A file with this header was read before').waitFor()
    expectQuiet(olga)
  })
})
