// What the stories in browsers have in common: asking the API the same, files that are chosen, dropped and downloaded,
// and what Chromium itself complains about when an answer is a refusal.
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { House, Visit } from './house.ts'
import { untilKnown } from './requests-under-way.ts'

/** What API v1 says to the demo's key. */
export async function askApi<T>(house: House, path: string): Promise<T> {
  const answer = await fetch(`${house.address}/v1${path}`, { headers: { authorization: `Bearer ${house.key}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`/v1${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as T
}

/** There were no complaints since the last call except the expected ones. */
export function expectQuiet({ complaints }: Visit, ...expected: readonly unknown[]): void {
  expect(complaints.splice(0)).toEqual(expected)
}

/** Chromium's own line for an answer that is not 2xx. */
export function refused(status: number): unknown {
  return expect.stringContaining(`the server responded with a status of ${status}`)
}

/** Chromium's own line for a request that went nowhere. */
export function isLostWords(complaint: string): boolean {
  return /^Failed to load resource: net::ERR_(?:INTERNET_DISCONNECTED|FAILED|CONNECTION_\w+)$/.test(complaint)
}

/** A file next to the house's data, removed together with it. */
export async function keepFile(house: House, name: string, text: string): Promise<string> {
  const path = join(dirname(house.dataFolder), name)
  await writeFile(path, text)
  return path
}

export interface GivenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export function textFile(name: string, text: string, mimeType = 'text/csv'): GivenFile {
  return { name, mimeType, buffer: Buffer.from(text) }
}

/** As a person does it: a press on the button, then the file in the window of the system. */
export async function chooseFile(page: Page, button: string | RegExp, file: GivenFile): Promise<void> {
  const press = page.getByRole('button', { name: button })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press.click()])
  await chooser.setFiles(file)
}

/** Drops a file on a place of the page. */
export async function dropFile(page: Page, place: Locator, { name, mimeType, buffer }: GivenFile): Promise<void> {
  // As text: code in the page uses browser types that the type check of tests does not know.
  const carried = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), letter => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}, { type: '${mimeType}' }))
    return transfer
  })()`)
  await place.dispatchEvent('dragover', { dataTransfer: carried })
  await place.dispatchEvent('drop', { dataTransfer: carried })
}

/** What a press on something saves as a file. */
export async function takeFile(page: Page, press: Locator): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press.click()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** A place says this, now or as soon as what was done has arrived and is drawn. Text is compared without display spaces. */
export async function expectWords(place: Locator, ...wanted: readonly (string | RegExp)[]): Promise<void> {
  for (const words of wanted) await expect.poll(() => wordsOf(place)).toMatch(words)
}

export const wordsOf = async (place: Locator) => plain(await place.innerText())

/** The table with a column of that name. */
export function tableWith(page: Page, column: string): Locator {
  return page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: column }) })
}

/** What is read from an element in the page; the type check of tests knows no browser types. */
interface ReadElement {
  readonly innerText: string
  readonly children: Iterable<ReadElement>
  querySelectorAll(selector: string): Iterable<ReadElement>
}

/** The rows of a table, each cell under the text of its column header, once all that the page shows is known. */
export async function rowsOf(table: Locator): Promise<Readonly<Record<string, string>>[]> {
  await untilKnown(table.page())
  const { heads, rows } = await table.evaluate(found => {
    const read = (selector: string) =>
      [...(found as unknown as ReadElement).querySelectorAll(`:scope > ${selector}`)].map(row =>
        [...row.children].map(cell => cell.innerText),
      )
    return { heads: read('thead > tr')[0]!, rows: read('tbody > tr:not([aria-hidden="true"])') }
  })
  return rows.map(cells => Object.fromEntries(cells.map((cell, i) => [headWords(heads[i] ?? ''), plain(cell)])))
}

/** Without the sort arrow and its text for screen readers. */
const headWords = (text: string) => plain(text).replace(/ [↑↓]$/, '')

/** Figure spaces and narrow spaces are for display only. */
export function plain(text: string): string {
  return text
    .replace(/[\u2007\u2008]/g, '')
    .replace(/[\s\u202f\u00a0]+/g, ' ')
    .trim()
}
