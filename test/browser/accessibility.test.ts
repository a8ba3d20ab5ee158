import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { oneOf } from '../support/run/long-form.ts'
import type { House, Name, Visit } from './house.ts'
import { follow, idOf, listPages, type PageState, settle } from './pages.ts'
import { shareHouse } from './reading-house.ts'
import { nextFrames } from './requests-under-way.ts'
import { expectQuiet } from './story.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const router = readFileSync(new URL('../../web/router.tsx', import.meta.url), 'utf8')
const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

let house: House
let pages: readonly PageState[]

shareHouse(async shared => {
  house = shared
  pages = await listPages(house)
})

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/**
 * What axe considers serious, one line for each place. Rules that can find nothing serious are not run: they take a third of
 * its time. Which these are, only axe's own list tells.
 */
async function findProblems(page: Page, rules: readonly string[] | null = null): Promise<string[]> {
  const grave = ['serious', 'critical']
  const chosen =
    rules === null ? 'rules: Object.fromEntries(minor)' : `runOnly: { type: 'rule', values: ${JSON.stringify(rules)} }`
  const found = (await page.evaluate(`(() => {
    const minor = axe._audit.rules
      .filter(({ impact }) => !${JSON.stringify(grave)}.includes(impact))
      .map(({ id }) => [id, { enabled: false }])
    return axe.run(document, { resultTypes: ['violations'], iframes: false, ${chosen} }).then(({ violations }) => violations)
  })()`)) as Finding[]
  return found
    .filter(({ impact }) => grave.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ')}`),
    )
}

/** One first heading, and no level left out on the way down. */
async function findHeadingProblems(page: Page): Promise<string[]> {
  const headings = (await page.evaluate(
    `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(each => each.checkVisibility())
      .map(each => [Number(each.tagName[1]), each.textContent.trim()])`,
  )) as [number, string][]
  const firsts = headings.filter(([level]) => level === 1).length
  const skips = headings.filter(([level], i) => level > (headings[i - 1]?.[0] ?? 0) + 1)
  return [
    ...(firsts === 1 ? [] : [`${firsts} first headings`]),
    ...skips.map(([level, text]) => `a heading of level ${level} without one of level ${level - 1} above: ${text}`),
  ]
}

/** Goes to a page as a link does, if the page before has the same frame and nothing was done on it; else loads it anew. */
async function reach({ page }: Visit, { address }: PageState, before: PageState | null): Promise<void> {
  const isLinked =
    before !== null &&
    before.act === undefined &&
    pathOf(before) !== pathOf({ address }) &&
    isInside(before, { address })
  if (isLinked) return follow(page, address)
  // The same page twice in a row would otherwise keep what was done on it.
  await page.goto('about:blank')
  await page.goto(`${house.address}${address}`)
}

const pathOf = ({ address }: Pick<PageState, 'address'>) => address.split(/[?#]/)[0]
const isInside = (...states: readonly Pick<PageState, 'address'>[]) =>
  states.every(({ address }) => address.startsWith('/w/demo'))

/**
 * A page in its themes and widths, without loading it again: these must be a matter of style only. In one of them by turn, and
 * in each in the long form.
 */
async function examine(visit: Visit, state: PageState, before: PageState | null): Promise<string[]> {
  const { page, complaints } = visit
  const { name, by, act } = state
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await reach(visit, state, before)
  await settle(page)
  if (act !== undefined) {
    await act(page)
    await settle(page)
  }
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe)
  const looks = oneOf(3, ['light', 'dark', 'narrow'] as const, pages.indexOf(state))
  const inLight = [...(looks.includes('light') ? await findProblems(page) : []), ...(await findHeadingProblems(page))]
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = looks.includes('dark') ? await findProblems(page, ['color-contrast', 'link-in-text-block']) : []
  await page.setViewportSize(narrow)
  await page.evaluate(nextFrames)
  const width = (await page.evaluate('document.scrollingElement.scrollWidth')) as number
  const inNarrow = [
    ...(looks.includes('narrow') ? await findProblems(page) : []),
    ...(width > narrow.width ? [`${width} px wide, the screen has ${narrow.width}`] : []),
  ]
  // A visitor who is not signed in gets no session: the browser logs that as an error of the page.
  const said = complaints.splice(0).filter(words => by !== null || !/status of 40[14]/.test(words))
  return Object.entries({ light: inLight, dark: inDark, narrow: inNarrow, console: said }).flatMap(([look, problems]) =>
    problems.map(problem => `${name}, ${look}: ${problem}`),
  )
}

/**
 * So that as many as possible lead to each other: first those on which nothing is done, and the states of one page apart
 * from each other.
 */
function inGoodOrder(states: readonly PageState[]): PageState[] {
  const turnOf = (state: PageState) => {
    const same = states.filter(each => pathOf(each) === pathOf(state))
    return state.act === undefined ? same.indexOf(state) : states.length
  }
  return states.toSorted((a, b) => turnOf(a) - turnOf(b))
}

/** All pages of a person in one window. */
async function examineAll(by: Name | null, states: readonly PageState[]): Promise<string[]> {
  const visit = by === null ? await house.stranger() : await house.visit(by)
  const problems: string[] = []
  let before: PageState | null = null
  for (const state of inGoodOrder(states)) {
    problems.push(...(await examine(visit, state, before)))
    before = state
  }
  await visit.context.close()
  return problems
}

describe('every page', () => {
  test('is among those that are checked', () => {
    const routes = [...router.matchAll(/path: '([^']+)', component|path: '([^']+)',\n/g)].map(([, a, b]) => a ?? b)
    expect(routes).toHaveLength(router.split(/path: '/).length - 1)
    const known = new Set(pages.map(({ route }) => route))
    expect(routes.filter(route => !known.has(route!))).toEqual([])
  })

  test('has nothing serious against it in light, dark and narrow', async () => {
    const people = Map.groupBy(pages, ({ by }) => by)
    const found = await Promise.all([...people].map(([by, theirs]) => examineAll(by, theirs)))
    expect(found.flat()).toEqual([])
  }, 480_000)
})

const focused = `(() => {
  const at = document.activeElement
  return at === document.body ? '' : (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent).trim()
})()`

/** The names of what Tab stops at, from the top until it leaves the page. */
async function tabThrough(page: Page, most: number): Promise<string[]> {
  const stops: string[] = []
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab')
    const name = (await page.evaluate(focused)) as string
    if (name === '') break
    stops.push(name)
  }
  return stops
}

/** On a busy machine. */
const patience = { timeout: 60_000 }

describe('the keyboard', () => {
  let olga: Visit
  beforeAll(async () => {
    olga = await house.visit('olga')
  })

  test('reaches the content by the first link, and every link and control by Tab', async () => {
    const { page, open } = olga
    await open('')
    await settle(page)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    expect(await page.evaluate(focused)).toBe('Skip to the content')
    expect((await skip.boundingBox())!.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('main') !== null`)).toBe(true)

    await open('/agreements/steel-brackets/periods/2026-Q1')
    await settle(page)
    const stops = await tabThrough(page, 60)
    for (const wanted of ['Overview', 'Sign-offs', 'Settings', 'Dark colours', 'Receipt', 'Print', 'Copy as curl'])
      expect(stops.some(stop => stop.includes(wanted))).toBe(true)
  })

  test('shows where it is', async () => {
    const { page, open } = olga
    await open('/series')
    await settle(page)
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab')
      const [name, outline, border] = (await page.evaluate(`(() => {
        const style = getComputedStyle(document.activeElement)
        const field = document.activeElement.matches('input')
        return [${focused}, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1, field]
      })()`)) as [string, boolean, boolean]
      // A field shows it by its border.
      expect([name, outline || border]).toEqual([name, true])
    }
  })

  test('opens the search, finds, chooses and goes there', async () => {
    const { page, open } = olga
    await open('')
    await settle(page)
    const field = page.getByRole('combobox', { name: 'Search' })
    const openSearch = async () => {
      await page.keyboard.press('Control+K')
      // What is typed before it has the focus goes to the page.
      await field.and(page.locator(':focus')).waitFor()
    }
    await openSearch()
    await page.keyboard.type('steel')
    const hits = page.getByRole('option')
    await hits.filter({ hasText: 'BLS/WPU101' }).waitFor()
    await expect.poll(() => hits.first().getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => hits.nth(1).getAttribute('aria-selected')).toBe('true')
    expect(await field.getAttribute('aria-activedescendant')).toBe(await hits.nth(1).getAttribute('id'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url(), patience).toMatch(/agreements\/steel-brackets$/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await openSearch()
    await page.keyboard.type('steel 2026-Q1')
    await hits.first().getByText('2026-Q1').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url(), patience).toMatch(/steel-brackets\/periods\/2026-Q1$/)
    expectQuiet(olga)
  })

  test('closes an overlay with Escape and is back where it was', async () => {
    const { page, open } = olga
    const closes = async (opener: Locator, action?: string) => {
      await opener.focus()
      const before = await page.evaluate(focused)
      await page.keyboard.press('Enter')
      if (action !== undefined) await page.getByRole('menuitem', { name: action }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await expect.poll(() => page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`)).toBe(true)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate(focused)).toBe(before)
    }
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
    await open('/settings/keys')
    await settle(page)
    await closes(button(/^Search series/))
    await closes(button('New key'))
    await closes(button(/^Change the key/), 'Revoke')
    await page.setViewportSize(narrow)
    await closes(button('Menu'))
    await page.setViewportSize(wide)
  })

  test('does so from the dialog that signs, too', async () => {
    const { page, open, context } = await house.visit('sam')
    await open('/agreements/steel-brackets/periods/2026-Q2')
    await settle(page)
    const sign = page.getByRole('button', { name: 'Sign as supplier' })
    await sign.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign 2026-Q2 as supplier' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(focused)).toBe('Sign as supplier')
    await context.close()
  })

  test('steps the as-of slider from publication to publication', async () => {
    const { page, open } = olga
    await open(`/series/${await idOf(house, 'BLS/WPU101')}`)
    await settle(page)
    const slider = page.getByRole('slider', { name: /^As it stood on/ })
    await slider.focus()
    expect(await slider.getAttribute('aria-valuetext')).toBe('today')
    const values: string[] = []
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'PageDown', 'Home']) {
      await page.keyboard.press(key)
      values.push((await slider.getAttribute('aria-valuetext'))!)
    }
    expect(values[2]).toBe(values[0])
    expect(new Set(values).size).toBe(4)
    expect(values).not.toContain('today')
    await page.waitForURL(/asOf=\d{4}-\d\d-\d\d/)
    await page.keyboard.press('End')
    expect(await slider.getAttribute('aria-valuetext')).toBe('today')
    await page.waitForURL(url => !url.search.includes('asOf'))
    expectQuiet(olga)
  })
})
