// The daily work of people with many contracts, in real browsers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse, type Visit } from './house.ts'
import { expectQuiet, keepFile, plain } from './story.ts'

let house: House
let olga: Visit

beforeAll(async () => {
  house = await openHouse()
  olga = await house.visit('olga')
})
afterAll(() => house?.close())

describe('who reads a formula', () => {
  it('gets the clause in sentences, whatever their role, and the YAML behind a tab', async () => {
    const sam = await house.visit('sam')
    const { page, open } = sam
    await open('/formulas/steel-brackets')
    await page.getByRole('heading', { name: 'What was agreed' }).waitFor()
    const said = plain(await page.locator('main').innerText())
    for (const sentence of [
      'From 1 Mar 2025, adjusted quarterly.',
      'The price is 12.40 EUR per piece, rounded to 2 decimals.',
      '45 % follows steel, read four months before the adjustment date, against November 2024.',
      'The price moves only when it would move by more than 1.5 % since it last moved; then all of it is paid.',
      'At most +4 % per period, at most +15 % in all and at least −4 % per period.',
    ])
      expect(said).toContain(sentence)
    expect(said).not.toContain('periodPct')
    await page.getByText('YAML', { exact: true }).click()
    await page.getByLabel('The document as it was saved').getByText('periodPct: 4').waitFor()
    expect(new URL(page.url()).search).toBe('?document=yaml')
    expectQuiet(sam)
    await sam.context.close()
  })

  it('reads steps and tables in words, and why a period is what it is with its figures', async () => {
    const { page, open } = olga
    await open('/formulas/freight-surcharge')
    await page.getByText('Surcharge: the value of the table percent by diesel for diesel.').waitFor()
    await page.getByText('Rate: price × (1 + surcharge ÷ 100), rounded to 3 decimals.').waitFor()
    await page.getByRole('region', { name: 'Table percent by diesel' }).getByText('below 3.60').waitFor()
    await page
      .getByRole('link', { name: /^2026-0/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: /^Adjustment 2026-/ }).waitFor()
    const main = plain(await page.locator('main').innerText())
    expect(main).toMatch(
      /Diesel \d\.\d+ lies in the row below \d(?:\.\d+)?: \d+(?:\.\d+)?\. The step rate, 2\.15 × \(1 \+ /,
    )
    expectQuiet(olga)
  })

  it('gets advice in words, without the keys of the document', async () => {
    const { page, open } = olga
    const hasty = `slug: hasty
name: Hasty brackets
status: ACTIVE
contract: { start: 2025-01-01, frequency: QUARTERLY }
inputs: { steel: { series: BLS/WPU101, weight: 1, base: 2024-11 } }
clause: {}
`
    await house.command('pam', 'apply', await keepFile(house, 'hasty.yaml', hasty), '--workspace', 'demo')
    await open('/formulas/hasty')
    const advice = page.locator('section').filter({ has: page.getByRole('heading', { name: 'What to look at' }) })
    await advice.waitFor()
    const words = (await advice.getByRole('listitem').allInnerTexts()).map(plain)
    expect(words[0]).toMatch(
      /^Steel: on 1 Apr 2025 the value of 2025-04 is not out yet .*, so the adjustment has to wait; /,
    )
    expect(words).toContain(
      'No rounding is written: every value is carried exactly, also where the contract may round.',
    )
    expect(words.join(' ')).not.toMatch(/inputs\.|clause\.|LATEST_PUBLISHED|price: NONE/)
    expectQuiet(olga)
  })
})
