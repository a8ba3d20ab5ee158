// Pages that show much draw what is in view and follow each move. How long that takes is measured by `npm run bench -- pages`.
import { beforeAll, describe, expect } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { openHouse } from './house.ts'
import { dailySeries, importDays, importManySeries, nextFrame, rowHeight } from './long-series.ts'
import { idOf, settle } from './pages.ts'

const house = ownHouse(openHouse)

describe('a series of 1,000 days with three vintages each', () => {
  beforeAll(() => importDays(house, 1_000))

  longTest('stories', 'is drawn anew for each move of the as-of slider', async () => {
    const { page, open, context, complaints } = await house.visit('olga')
    await open(`/series/${await idOf(house, dailySeries)}`)
    await settle(page)
    await page.locator('canvas').first().waitFor()
    const slider = page.getByRole('slider', { name: /^As it stood on/ })
    await slider.scrollIntoViewIfNeeded()
    const { x, y, width } = (await slider.boundingBox())!
    const days = new Set<string>()
    await page.mouse.move(x + width - 60, y + 25)
    await page.mouse.down()
    for (let i = 1; i <= 30; i++) {
      await page.mouse.move(x + width - 60 - i * 12, y + 25)
      await page.evaluate(nextFrame)
      days.add((await slider.getAttribute('aria-valuetext'))!)
    }
    await page.mouse.up()
    expect(days.size).toBe(30)
    await page.waitForURL(/asOf=/)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('a list of 5,000 series', () => {
  beforeAll(() => importManySeries(house, 5_000))

  longTest('stories', 'draws only the rows in view, wherever one jumps to', async () => {
    const { page, open, context, complaints } = await house.visit('olga')
    await open('/series')
    await settle(page)
    const rows = page.locator('tbody tr[data-to]')
    const counts: number[] = []
    const seen = new Set<string>()
    for (let i = 0; i < 20; i++) {
      await page.evaluate(`window.scrollBy(0, ${200 * rowHeight})`)
      await page.evaluate(nextFrame)
      counts.push(await rows.count())
      // The row in the middle of the screen, which must not be blank.
      const middle = `document.elementFromPoint(700, 600).closest('tr[data-to]')?.getAttribute('aria-rowindex') ?? ''`
      seen.add((await page.evaluate(middle)) as string)
    }
    expect(Math.max(...counts)).toBeLessThan(80)
    expect(seen.has('')).toBe(false)
    expect(seen.size).toBe(20)
    expect(complaints).toEqual([])
    await context.close()
  })

  longTest('stories', 'is searched as one types', async () => {
    const { page, open, context } = await house.visit('olga')
    await open('/series')
    await settle(page)
    const count = page.locator('main span[aria-live=polite]')
    await page.getByRole('searchbox', { name: 'Search name and code' }).focus()
    for (const key of '4217') {
      const before = await count.textContent()
      await page.keyboard.press(key)
      await expect.poll(() => count.textContent()).not.toBe(before)
    }
    expect(await count.textContent()).toMatch(/^1 of /)
    expect(await page.locator('tbody tr[data-to]').count()).toBe(1)
    await context.close()
  })
})
