// The wizard by the keyboard alone, from the file to the import, with nothing for axe to find at any step.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FileChooser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { type House, openHouse } from './house.ts'
import { textFile } from './story.ts'

const house: House = ownHouse(openHouse)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function findings(page: Page): Promise<unknown> {
  await page.evaluate(axe)
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  )
}

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(`(() => {
      const at = document.activeElement
      return at === null ? '' : at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? ''
    })()`)
  for (let presses = 0; presses < 80; presses++) {
    if (((await focused()) as string).trim() === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} cannot be reached by Tab`)
}

/** A page that is drawn again between Tab and Enter takes the key as nothing; a person presses it again. */
async function chooseByKeyboard(page: Page): Promise<FileChooser> {
  for (let presses = 0; presses < 6; presses++) {
    await tabTo(page, 'Choose a file')
    const opened = page.waitForEvent('filechooser', { timeout: 10_000 }).catch(() => null)
    await page.keyboard.press('Enter')
    const chooser = await opened
    if (chooser !== null) return chooser
  }
  throw new Error('Enter on "Choose a file" opens nothing')
}

test('a price list of another system is brought in by the keyboard alone', async () => {
  const { page, open, complaints } = await house.visit('olga')
  await open('/bring-in')
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  expect(await findings(page)).toEqual([])
  const chooser = await chooseByKeyboard(page)
  await chooser.setFiles(textFile('preise.csv', 'Material;Preis\nBR-100;12,40\nBR-900;1.234,50\n'))
  await page.getByRole('heading', { name: 'How is this file read?' }).waitFor({ timeout: 60_000 })
  expect(await page.getByLabel('Kind of file').inputValue()).toBe('prices')
  expect(await findings(page)).toEqual([])
  await tabTo(page, 'The file has no column for the currency or the unit')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Currency')
  await page.keyboard.type('EUR')
  await tabTo(page, 'Agreement of the list')
  await page.keyboard.type('steel-br')
  await page.getByRole('option', { name: 'steel-brackets' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Show the changes')
  await page.keyboard.press('Enter')
  // What both have signed keeps its list: the new one begins with the first period that is open.
  await page.getByText(/steel-brackets, 2 items from 2026-Q3 on: a new version/).waitFor({ timeout: 60_000 })
  expect(await findings(page)).toEqual([])
  await tabTo(page, 'Import the new version')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: 60_000 })
  expect(await findings(page)).toEqual([])
  await tabTo(page, 'See the agreement')
  await page.keyboard.press('Enter')
  await page.getByText(/Price list 2, 2 items, governs from 2026-Q3/).waitFor()
  expect(complaints).toEqual([])
})
