// Every page in light, dark and narrow: nothing serious that axe finds, headings in order, no wider than the screen. What lies open
// over a page is checked in accessibility-dialogs.test.ts, the keyboard in accessibility-keyboard.test.ts.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { onlyLong, someOf } from '../support/run/long-form.ts'
import { bringAxe, findHeadingProblems, findHiddenActions, findProblems } from './axe.ts'
import type { House, Name, Visit } from './house.ts'
import { follow, listPages, type PageState, settle } from './pages.ts'
import { shareHouse } from './reading-house.ts'
import { nextFrames } from './requests-under-way.ts'
import { findSlips } from './wording.ts'

const router = readFileSync(new URL('../../web/router.tsx', import.meta.url), 'utf8')
/** The smallest screen on a desk. */
const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }
/** What no width changes: in the suite it is found in light and dark alone. */
const colours = ['color-contrast', 'link-in-text-block']

let house: House
let pages: readonly PageState[]

shareHouse(async shared => {
  house = shared
  // What lies open over a page is opened in another file.
  pages = (await listPages(house)).filter(({ isOverlay }) => isOverlay !== true)
})

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
  await reach(visit, state, before)
  await settle(page)
  if (act !== undefined) {
    await act(page)
    await settle(page)
  }
  await bringAxe(page)
  const looks = someOf('every-page', 'every page, light, dark and narrow', ['light', 'dark', 'narrow'] as const, {
    oneIn: 3,
    from: pages.indexOf(state),
  })
  const inLight = [
    ...(looks.includes('light') ? await findProblems(page) : []),
    ...(await findHeadingProblems(page)),
    ...(await findHiddenActions(page)),
    ...(await findSlips(page)),
  ]
  const inDark = looks.includes('dark') ? await findInDark(page) : []
  await page.setViewportSize(narrow)
  await page.evaluate(nextFrames)
  const inNarrow = [
    ...(looks.includes('narrow')
      ? await findProblems(page, onlyLong('every-page', 'colours of narrow pages') ? {} : { without: colours })
      : []),
    ...(await findTooWide(page, narrow.width)),
  ]
  // A visitor who is not signed in gets no session: the browser logs that as an error of the page.
  const said = complaints.splice(0).filter(words => by !== null || !/status of 40[14]/.test(words))
  return Object.entries({ light: inLight, dark: inDark, narrow: inNarrow, console: said }).flatMap(([look, problems]) =>
    problems.map(problem => `${name}, ${look}: ${problem}`),
  )
}

/** And light again: another theme is drawn anew. */
async function findInDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const found = await findProblems(page, { rules: colours })
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

const widenTables = (minWidth: string) =>
  `for (const table of document.querySelectorAll('.scroll-x > table')) table.style.minWidth = '${minWidth}'`
const widthOf = (page: Page) => page.evaluate('document.scrollingElement.scrollWidth') as Promise<number>

/** Whether the page is wider than the screen, as it is or with tables that hold long names and amounts, which scroll by themselves. */
async function findTooWide(page: Page, screen: number): Promise<string[]> {
  const asItIs = await widthOf(page)
  await page.evaluate(widenTables('800px'))
  const withWideTables = await widthOf(page)
  await page.evaluate(widenTables(''))
  return [
    ...(asItIs > screen ? [`${asItIs} px wide, the screen has ${screen}`] : []),
    ...(withWideTables > screen ? [`${withWideTables} px wide with wide tables, the screen has ${screen}`] : []),
  ]
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

/** Without the same page with other parameters, or for somebody else, and what a story examines as well. */
function oncePerAddress(states: readonly PageState[]): PageState[] {
  const isFirst = (state: PageState) =>
    states.find(each => each.act === undefined && pathOf(each) === pathOf(state)) === state
  return states.filter(state => (state.act === undefined ? isFirst(state) : state.isInStory !== true))
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
    const people = Map.groupBy(
      onlyLong('every-page', 'every state of an address') ? pages : oncePerAddress(pages),
      ({ by }) => by,
    )
    const found = await Promise.all([...people].map(([by, theirs]) => examineAll(by, theirs)))
    expect(found.flat()).toEqual([])
  }, 480_000)
})
