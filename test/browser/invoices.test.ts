// A month of the demo's invoices: checked, with the money on top, the five mistakes by their reason, the workbook, the adjustment
// behind a line; kept ones on their page, with a line beside the list and what is written to the supplier; what a supplier sees
// of it; and the prices on the page of a formula.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { demoInvoices } from '../../src/demo/prices.ts'
import { longTest } from '../support/run/long-test.ts'
import type { House, Visit } from './house.ts'
import { follow } from './pages.ts'
import { shareHouse } from './reading-house.ts'
import { dropFile, textFile } from './story.ts'

let house: House
let ann: Visit
shareHouse(async shared => {
  house = shared
  ann = await house.visit('ann')
})

async function checkDemoFile({ page, open }: Visit): Promise<void> {
  await open('/bring-in?kind=invoices')
  await page.locator('input[type=file]').setInputFiles(demoInvoices)
  // The first file starts a worker, which takes a while on a busy machine.
  await page.getByRole('heading', { name: 'At stake' }).waitFor({ timeout: 60_000 })
}

describe('the check of invoices', () => {
  test('groups wrong lines by their reason, with the money at stake on top', async () => {
    const { page, complaints } = ann
    await checkDemoFile(ann)
    const text = await page.locator('main').innerText()
    expect(text).toContain('44\u202f794.60\u00a0EUR + 52.46\u00a0USD')
    expect(text).toContain('17 of 22')
    const titles = await page.locator('main h2').allInnerTexts()
    expect(titles.slice(1).map(title => title.split(':')[0])).toEqual([
      'Price for another quantity',
      'Price of another quantity step',
      'Price of the period before',
      'Values of another month',
      'Price of another item',
    ])
    expect(text).toContain('13.22 is the price of 2025-Q4; the settled price of 2026-Q1 is 12.79.')
    // Every price says what it is for, and figures read the same in a sentence and in a cell.
    expect(text).toContain('12.79\u00a0EUR\u202f/\u202fpiece')
    expect(text).toContain('88.68\u00a0EUR\u202f/\u202f100\u00a0piece')
    expect(text).toContain('8\u202f868 is 100 times the price')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page.getByRole('button', { name: 'Export' }).click()
        await page.getByRole('menuitem', { name: 'Excel workbook (XLSX)' }).click()
      })(),
    ])
    expect(download.suggestedFilename()).toBe('invoices-checked.xlsx')
    expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK')
    await page.getByRole('link', { name: 'steel-brackets, 2026-Q1' }).first().click()
    await page.waitForURL(/\/agreements\/steel-brackets\/periods\/2026-Q1$/)
    expect(complaints).toEqual([])
  })

  test('opens with a file that is dropped anywhere on the page Invoices', async () => {
    const { page, open, complaints } = ann
    await open('/invoices')
    const heading = page.getByRole('heading', { name: 'Invoices', level: 1 })
    await heading.waitFor()
    await dropFile(page, heading, textFile('invoices.csv', await readFile(demoInvoices, 'utf8')))
    await page.getByRole('heading', { name: 'Bring data in' }).waitFor()
    await page.getByText('invoices.csv').first().waitFor()
    await page.getByRole('heading', { name: 'At stake' }).waitFor({ timeout: 60_000 })
    expect(page.url()).toMatch(/\/bring-in\?kind=invoices$/)
    expect(complaints).toEqual([])
  })

  longTest('stories', 'shows a supplier only its own agreements', async () => {
    const visit = await house.visit('pia')
    await checkDemoFile(visit)
    const text = await visit.page.locator('main').innerText()
    expect(text).toContain('Not recognised: 14 lines')
    expect(text).toContain('There is no agreement "steel-brackets".')
    expect(text).not.toContain('12.79')
    expect(visit.complaints).toEqual([])
  })

  longTest('stories', 'names everything that is wrong with a file', async () => {
    const { page, open, complaints } = await house.visit('olga', { viewport: { width: 390, height: 844 } })
    await open('/bring-in')
    const buffer = Buffer.from('invoice,line,unit_price\n1\n2,1\n')
    await page.locator('input[type=file]').setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer })
    await page.getByText('2 problems; nothing was imported.').waitFor({ timeout: 60_000 })
    expect(await page.getByLabel('Kind of file').inputValue()).toBe('invoices')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(complaints).toEqual([])
  })
})

describe('the page Invoices', () => {
  test('lists kept lines with their state, opens one beside the list, and writes to its supplier', async () => {
    const { page, complaints } = ann
    await follow(page, '/w/demo/invoices')
    await page.getByRole('link', { name: 'OF-26-0412, 1' }).waitFor({ timeout: 60_000 })
    await page.getByText('25 lines', { exact: true }).waitFor()
    await follow(page, '/w/demo/invoices?state=wrong')
    await page.getByText('5 lines', { exact: true }).waitFor({ timeout: 60_000 })
    await page.getByRole('link', { name: 'OF-26-0412, 1' }).click()
    const panel = page.getByRole('dialog', { name: 'Invoice OF-26-0412, line 1' })
    await panel.getByText('13.22 is the price of 2025-Q4; the settled price of 2026-Q1 is 12.79.').waitFor()
    expect(await panel.getByRole('link', { name: 'See the receipt of 2026-Q1' }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Write to the supplier' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write to the supplier' })
    await dialog.getByRole('combobox', { name: 'Supplier' }).click()
    await page.getByRole('option').first().click()
    const text = dialog.getByLabel('Text')
    await text.waitFor({ timeout: 60_000 })
    expect(await text.inputValue()).toMatch(/lines? of your invoices .* not billed at the price we have both agreed/)
    expect(await dialog.getByRole('button', { name: 'Copy the text' }).count()).toBe(1)
    expect(complaints).toEqual([])
  })
})

describe('the page of a formula', () => {
  test('shows the prices of its items, period by period', async () => {
    const { page, open, complaints } = ann
    await open('/agreements/steel-brackets')
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Prices', exact: false }) }).last()
    await section.getByText('BR-300').waitFor()
    expect(await section.innerText()).toContain('12.79')
    expect(await section.innerText()).toContain('Price list 1, 4 items, governs from the start')
    expect(complaints).toEqual([])
  })
})
