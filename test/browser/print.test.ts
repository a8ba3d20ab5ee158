import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { House } from './house.ts'
import { settle } from './pages.ts'
import { shareHouse } from './reading-house.ts'

let house: House
let folder: string

shareHouse(shared => {
  house = shared
})
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-print-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Each page names its kind and its size. */
function readSheets(pdf: Buffer): { readonly pages: number; readonly sizes: readonly string[] } {
  const text = pdf.toString('latin1')
  const sizes = [...text.matchAll(/\/MediaBox\s*\[([^\]]*)\]/g)].map(([, box]) =>
    box!.trim().split(/\s+/).map(Number).map(Math.round).join(' '),
  )
  return { pages: [...text.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length, sizes: [...new Set(sizes)] }
}

/** As on paper: from the PDF file if the machine can read one, else from the page as it is printed. */
async function readWords(page: Page, pdf: Buffer): Promise<string> {
  const file = join(folder, 'adjustment.pdf')
  await writeFile(file, pdf)
  try {
    return (await promisify(execFile)('pdftotext', ['-layout', file, '-'])).stdout
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure
  }
  await page.emulateMedia({ media: 'print' })
  const words = await page.locator('body').innerText()
  await page.emulateMedia({ media: null })
  return words
}

async function print(by: 'ann' | 'sam', period: string, colorScheme: 'light' | 'dark') {
  const { page, open, context } = await house.visit(by, { colorScheme })
  await open(`/agreements/steel-brackets/periods/${period}`)
  await settle(page)
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
  const words = await readWords(page, pdf)
  await page.emulateMedia({ media: 'print' })
  const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  await context.close()
  return { ...readSheets(pdf), words, ground }
}

describe('an adjustment on paper', () => {
  test.each([
    ['signed by both', 'ann', '2025-Q4', 'light'],
    ['waiting for a signature, from a dark screen', 'sam', '2026-Q2', 'dark'],
  ] as const)('takes two sheets of A4 at most, with everything that counts: %s', async (_, by, period, scheme) => {
    const { pages, sizes, words, ground } = await print(by, period, scheme)
    expect(pages).toBeGreaterThan(0)
    expect(pages).toBeLessThanOrEqual(2)
    // Points: 210 by 297 millimetres.
    expect(sizes).toEqual(['0 0 595 842'])
    expect(ground).toBe('rgb(255, 255, 255)')
    for (const wanted of [
      `Adjustment ${period}`,
      'Steel brackets, Ohio Forge',
      'Where it comes from',
      'The calculation, line by line',
      'The figures it was computed from',
      'Signatures',
      'Ann Becker',
      'BLS/WPU101',
    ])
      expect(words).toContain(wanted)
    expect(words).toMatch(/[0-9a-f]{64}/)
    expect(words).toMatch(/Uploaded by Olga Lindt, \d+ \w+ \d{4}, file figures of the demo\s+SHA-256 [0-9a-f]{64}/)
    expect(words).not.toContain('read from BLS')
    // What can only be clicked.
    for (const unwanted of [
      'Overview',
      'Sign-offs',
      'Settings',
      'API docs',
      'Copy as curl',
      'Print',
      'Sign as',
      'Search',
    ])
      expect(words).not.toContain(unwanted)
  })
})

describe('a ledger and a correction on paper, from a dark screen', () => {
  /** Texts that are broken into single letters, and grounds that are not those of paper. */
  const faults = `(() => {
    const isDark = colour => {
      const [red, green, blue, alpha = 1] = (colour.match(/[\\d.]+/g) ?? []).map(Number)
      return alpha > 0 && red + green + blue < 3 * 200
    }
    const all = [...document.querySelectorAll('main *')].filter(each => each.checkVisibility())
    return {
      dark: all.filter(each => isDark(getComputedStyle(each).backgroundColor)).map(each => each.outerHTML.slice(0, 80)),
      squeezed: all.filter(each => each.matches('th[scope=row]') && each.clientWidth < 90).map(each => each.innerText),
      wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    }
  })()`

  test('are light, and no cell is squeezed', async () => {
    // As wide as an A4 sheet between its margins.
    const { page, open, context } = await house.visit('sam', {
      colorScheme: 'dark',
      viewport: { width: 688, height: 1000 },
    })
    const onPaper = async () => {
      await settle(page)
      await page.emulateMedia({ media: 'print' })
      const found = await page.evaluate(faults)
      await page.emulateMedia({ media: null })
      return found
    }
    await open('/agreements/rack-frames/ledger')
    await page.getByRole('heading', { name: 'Postings' }).waitFor()
    expect(await onPaper()).toEqual({ dark: [], squeezed: [], wide: false })
    await page.locator('a[href*="/corrections/"]').first().click()
    await page.getByRole('heading', { name: 'Correction', level: 1 }).waitFor()
    expect(await onPaper()).toEqual({ dark: [], squeezed: [], wide: false })
    await context.close()
  })
})
