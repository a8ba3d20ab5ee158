// Everything that opens over a page: nothing serious that axe finds in it, in light and dark, and the landmarks of the page stay.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { someOf } from '../support/run/long-form.ts'
import { bringAxe, findProblems } from './axe.ts'
import { type Overlay, overlays, partsOfDialogs } from './dialogs.ts'
import type { House, Name } from './house.ts'
import { follow, settle } from './pages.ts'
import { shareHouse } from './reading-house.ts'
import { untilAnswered } from './requests-under-way.ts'

const web = fileURLToPath(new URL('../../web/', import.meta.url))

type Look = 'light' | 'dark'

let house: House
shareHouse(shared => {
  house = shared
})

/**
 * Every overlay of a person in one window; a page is reached once for all that open over it. A page in light or dark by turn, and
 * the page behind every third, because all of them lie over it in the same way; both, and behind each, in the long form.
 */
async function examineAll(by: Name, theirs: readonly Overlay[]): Promise<string[]> {
  const { page, context, complaints } = await house.visit(by)
  const problems: string[] = []
  let at = ''
  let turn = 0
  let pageCount = 0
  let looks: readonly Look[] = []
  for (const { source, address, open, role = 'dialog' } of theirs) {
    const behind = someOf(
      'every-page',
      'landmarks behind each dialog',
      [['region', 'landmark-one-main', 'landmark-unique']],
      { oneIn: 3, from: turn++ },
    )
    if (address !== at) {
      looks = someOf('every-page', 'dialogs, light and dark', ['light', 'dark'], { oneIn: 2, from: pageCount++ })
      await page.emulateMedia({ colorScheme: looks[0]! })
      // A form that was changed asks before it is left.
      if (at === '' || at.endsWith('/edit')) await page.goto(`${house.address}${address}`)
      else await follow(page, address)
      await settle(page)
      await bringAxe(page)
      at = address
    } else if (looks.length > 1) await page.emulateMedia({ colorScheme: looks[0]! })
    await open(page)
    const overlay = page.getByRole(role)
    await overlay.first().waitFor()
    await untilAnswered(page)
    const within = `[role=${role}]`
    const found = await findProblems(page, { within })
    for (const rules of behind) found.push(...(await findProblems(page, { rules })))
    for (const colorScheme of looks.slice(1)) {
      await page.emulateMedia({ colorScheme })
      found.push(...(await findProblems(page, { within, rules: ['color-contrast', 'link-in-text-block'] })))
    }
    // Some ask who it is before they show anything, and the browser notes that.
    found.push(...complaints.splice(0).filter(words => !words.includes('status of 403')))
    // The open list of a field belongs to its field, wherever it is drawn.
    const own = found.filter(problem => !/^region: .*data-composed/.test(problem))
    problems.push(...own.map(problem => `${source} over ${address}: ${problem}`))
    if (!(await closeAll(page, overlay))) {
      problems.push(`${source} over ${address}: Escape does not close it`)
      at = ''
    }
  }
  await context.close()
  return problems
}

/** By Escape. One may lie over another, and an open list in one takes the first of them. */
async function closeAll(page: Page, overlay: Locator): Promise<boolean> {
  for (let tries = 0; tries < 30; tries++) {
    const left = await overlay.count()
    if (left === 0) return true
    await page.keyboard.press('Escape')
    const top = overlay.nth(left - 1)
    await top.waitFor({ state: 'detached', timeout: 200 }).catch(() => undefined)
  }
  return (await overlay.count()) === 0
}

describe('every dialog, drawer and menu', () => {
  test('is opened here, or examined by a story that gives it an occasion', () => {
    const drawn = globSync('{frame,components,pages}/**/*.tsx', { cwd: web }).filter(path =>
      /<(?:FormDialog|SigningDialog|Dialog|Modal|Drawer|Menu)\b/.test(readFileSync(`${web}${path}`, 'utf8')),
    )
    const inStories = globSync('*.test.ts', { cwd: import.meta.dirname }).flatMap(file =>
      [...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(/examineOverlay\([\w.]+, '([^']+)'\)/g)].map(
        ([, source]) => source!,
      ),
    )
    const known = new Set([...overlays.map(({ source }) => source), ...inStories, ...partsOfDialogs])
    expect(drawn.filter(path => !known.has(path))).toEqual([])
    expect([...known].filter(path => !drawn.includes(path))).toEqual([])
  })

  test('has nothing serious against it in light and dark, and the page behind keeps its landmarks', async () => {
    const people = Map.groupBy(overlays, ({ by }) => by)
    const found = await Promise.all([...people].map(([by, theirs]) => examineAll(by, theirs)))
    expect(found.flat()).toEqual([])
  }, 240_000)
})
