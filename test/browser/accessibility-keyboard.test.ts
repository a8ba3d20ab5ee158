// The pages by keyboard alone: every link and control is reached and shown, overlays close and give the focus back.
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { longTest } from '../support/run/long-test.ts'
import type { House, Visit } from './house.ts'
import { follow, idOf, settle } from './pages.ts'
import { shareHouse } from './reading-house.ts'
import { expectQuiet } from './story.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

let house: House
shareHouse(shared => {
  house = shared
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
    await expect.poll(() => page.url()).toMatch(/agreements\/steel-brackets$/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await openSearch()
    await page.keyboard.type('steel 2026-Q1')
    await hits.first().getByText('2026-Q1').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/steel-brackets\/periods\/2026-Q1$/)
    expectQuiet(olga)
  })

  test('closes an overlay with Escape and is back where it was', async () => {
    const { page } = olga
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
    await follow(page, '/w/demo/settings/keys')
    await settle(page)
    await closes(button(/^Search series/))
    await closes(button('New key'))
    await closes(button(/^Change the key/), 'Revoke')
    await page.setViewportSize(narrow)
    await closes(button('Menu'))
    await page.setViewportSize(wide)
  })

  longTest('every-page', 'does so from the dialog that signs, too', async () => {
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
    const { page } = olga
    await follow(page, `/w/demo/series/${await idOf(house, 'BLS/WPU101')}`)
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
