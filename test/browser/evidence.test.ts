// An evidence package as an auditor uses it: downloaded, unpacked, opened from disk without a server, chosen as a
// folder; and with a byte changed.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { unzip } from '../support/files/unzip.ts'
import { someOf } from '../support/run/long-form.ts'
import type { Visit } from './house.ts'
import { shareHouse } from './reading-house.ts'
import { expectQuiet, plain } from './story.ts'

let auditor: Visit
let folder: string
/** The unpacked package, as it was downloaded. */
let unpacked: string
let files: ReadonlyMap<string, Uint8Array>
const asked: string[] = []

shareHouse(async house => {
  folder = await mkdtemp(join(tmpdir(), 'assize-evidence-'))
  const olga = await house.visit('olga')
  await olga.open('/agreements/steel-brackets')
  await olga.page.getByRole('button', { name: 'Evidence' }).click()
  const dialog = olga.page.getByRole('dialog')
  const [download] = await Promise.all([
    olga.page.waitForEvent('download', { timeout: 60_000 }),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^evidence-steel-brackets-\S+-to-\S+\.zip$/)
  files = unzip(await readFile(await download.path()))
  unpacked = await unpack('whole', files)
  expectQuiet(olga)
  auditor = await house.stranger()
  auditor.page.on('request', request => asked.push(request.url()))
  // No server can be reached.
  await auditor.context.setOffline(true)
})
afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

/** Where the package is then. */
async function unpack(name: string, all: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const place = join(folder, name)
  for (const [path, body] of all) {
    await mkdir(dirname(join(place, path)), { recursive: true })
    await writeFile(join(place, path), body)
  }
  return join(place, [...all.keys()][0]!.split('/')[0]!)
}

async function open(place: string): Promise<string> {
  await auditor.page.goto(pathToFileURL(join(place, 'verify.html')).href)
  return said(auditor.page)
}

async function said(page: Page): Promise<string> {
  await page.locator('.verdict').waitFor()
  return plain(await page.locator('.verdict').innerText())
}

async function choose(place: string): Promise<string> {
  const before = await said(auditor.page)
  await auditor.page.locator('#folder').setInputFiles(place)
  await auditor.page.waitForFunction(
    `document.querySelector('.verdict').innerText.replace(/\\s+/g, ' ').trim() !== ${JSON.stringify(before.trim())}`,
  )
  return said(auditor.page)
}

/** The same package with one byte of a file changed. */
async function withChange(path: string): Promise<string> {
  const [full, body] = [...files].find(([each]) => each.endsWith(`/${path}`))!
  const changed = Buffer.from(body)
  const place = Math.floor(changed.length / 2)
  changed[place] = changed[place]! === 0x31 ? 0x32 : 0x31
  return unpack(`changed-${path.replaceAll('/', '-')}`, new Map([...files, [full, changed]]))
}

describe('an evidence package', () => {
  test('verifies when it is opened from disk, without a server', async () => {
    expect(await open(unpacked)).toContain('Everything verifies')
    const words = plain(await auditor.page.locator('main').innerText())
    expect(words).toContain('Evidence for Steel brackets')
    expect(words).toContain('computed again: same')
    expect(words).not.toContain('wrong')
    expect(words).toMatch(/ed25519:[\w-]{43}/)
    expect(asked.filter(address => !address.startsWith('file:'))).toEqual([])
    const complaints = auditor.complaints.splice(0).filter(words => !words.startsWith('asked for file:'))
    expect(complaints).toEqual([])
  })

  test('verifies byte for byte when its folder is chosen', async () => {
    await open(unpacked)
    expect(await choose(unpacked)).toContain('The files in the folder too, byte for byte.')
  })

  test('is red when a byte of the copy was changed', async () => {
    expect(await open(await withChange('verify-data.js'))).toMatch(/Something was changed|This cannot be verified/)
    auditor.complaints.splice(0)
  })

  test('is red when a byte of any file in the folder was changed', async () => {
    const short = [...files.keys()].map(path => path.slice(path.indexOf('/') + 1))
    const receipt = short.find(path => path.startsWith('receipts/'))!
    const printed = short.find(path => path.startsWith('pages/'))!
    const all = [receipt, printed, 'vintages.csv', 'sign-offs.csv', 'activity.csv', 'chain.json', 'README.txt']
    // The same check without a page is made for every file by the console's own tests.
    for (const path of someOf('stories', 'changed files of a package, on its page', all, { oneIn: 7 })) {
      const place = await withChange(path)
      await open(place)
      const words = await choose(place)
      expect(words, path).toContain('Something was changed')
      expect(words, path).toContain(`${path} was changed`)
    }
  })

  test('has pages that can be printed', async () => {
    const printed = [...files.keys()].find(path => path.includes('/pages/'))!
    await auditor.page.goto(pathToFileURL(join(dirname(unpacked), printed)).href)
    expect(await auditor.page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Steel brackets, .*\d{4}-Q\d$/)
    expect(await auditor.page.getByRole('heading', { name: 'The calculation, line by line' }).count()).toBe(1)
  })
})
