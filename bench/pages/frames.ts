// What pages take in a real Chromium: how soon they show their rows, how much the page's own thread works for one move of
// the pointer, and how soon a search shows what it finds; each on much data and on the demo as it comes.
import type { CDPSession, Page } from 'playwright-core'
import { dailySeries, importDays, importManySeries, nextFrame, rowHeight } from '../../test/browser/long-series.ts'
import { manyContracts } from '../../test/browser/other-sizes.ts'
import { idOf, settle } from '../../test/browser/pages.ts'
import { openProgramHouse } from '../../test/browser/program-house.ts'
import type { House, Visit } from '../../test/browser/windows.ts'
import { median } from '../growth/answers.ts'

const points = 10_000
const seriesCount = 5_000
const loads = 5
const demoSeries = 'BLS/WPU101'

interface Shown {
  readonly name: string
  readonly baseMs: number
  readonly largeMs: number
  readonly mostMs: number
}

/** Up to this a page seems to be there, an answer seems immediate, and a drawing follows the pointer at 30 frames a second. */
const most = { firstMs: 2_000, rowsMs: 1_000, searchMs: 200, workMs: 32 } as const

export async function measureFrames(say: (line: string) => void): Promise<readonly Shown[]> {
  say('opening the demo')
  const demo = await openProgramHouse()
  try {
    const base = { first: await firstLoad(demo), rows: await rowsOf(demo), ...(await movesOf(demo, demoSeries)) }
    say(`importing ${points} days and ${seriesCount} series`)
    await importDays(demo, points)
    await importManySeries(demo, seriesCount)
    const moves = await movesOf(demo, dailySeries)
    say(`opening ${contracts} contracts`)
    const rows = await inLargeHouse(rowsOf)
    return [
      { name: 'the sign-in, until it can be used', baseMs: base.first, largeMs: base.first, mostMs: most.firstMs },
      ...rows.map(({ name, ms }, i) => ({
        name: `${name}, ${contracts} contracts, until its rows are there`,
        baseMs: base.rows[i]!.ms,
        largeMs: ms,
        mostMs: most.rowsMs,
      })),
      { name: `a move of the slider, ${points} days`, baseMs: base.slider, largeMs: moves.slider, mostMs: most.workMs },
      {
        name: `a turn of the wheel, ${seriesCount} series`,
        baseMs: base.wheel,
        largeMs: moves.wheel,
        mostMs: most.workMs,
      },
      {
        name: `a letter of a search, ${seriesCount} series`,
        baseMs: base.search,
        largeMs: moves.search,
        mostMs: most.searchMs,
      },
    ]
  } finally {
    await demo.close()
  }
}

const contracts = 500

async function inLargeHouse<T>(work: (house: House) => Promise<T>): Promise<T> {
  const house = await openProgramHouse({ furniture: manyContracts(contracts) })
  try {
    return await work(house)
  } finally {
    await house.close()
  }
}

/** By the page's own clock, from the request on. */
const noteWhen = (selector: string) => `requestAnimationFrame(function look() {
  if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look)
  else performance.mark('there')
})`

async function loadTimes(visit: Visit, load: () => Promise<unknown>, selector: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < loads; i++) {
    await load()
    await visit.page.locator(selector).first().waitFor()
    times.push((await visit.page.evaluate(`performance.getEntriesByName('there')[0].startTime`)) as number)
  }
  return median(times)
}

async function firstLoad(house: House): Promise<number> {
  const ready = 'button[type=submit]:enabled'
  const times: number[] = []
  for (let i = 0; i < loads; i++) {
    const visit = await house.stranger()
    await visit.page.addInitScript(noteWhen(ready))
    await visit.page.goto(`${house.address}/sign-in`)
    await visit.page.locator(ready).first().waitFor()
    times.push((await visit.page.evaluate(`performance.getEntriesByName('there')[0].startTime`)) as number)
    await visit.context.close()
  }
  return median(times)
}

async function rowsOf(house: House) {
  const visit = await house.visit('ann')
  const rows = 'main table tbody tr'
  await visit.page.addInitScript(noteWhen(rows))
  const found: { readonly name: string; readonly ms: number }[] = []
  for (const [name, path] of [
    ['the overview', ''],
    ['the list of agreements', '/agreements'],
    ['the sign-offs', '/sign-offs'],
  ] as const) {
    await visit.open(path)
    await visit.page.locator(rows).first().waitFor()
    while ((await visit.page.locator('main').innerText()).includes('still being computed')) {
      await visit.page.waitForTimeout(500)
      await visit.open(path)
    }
    found.push({ name, ms: await loadTimes(visit, () => visit.open(path), rows) })
  }
  await visit.context.close()
  return found
}

async function movesOf(house: House, series: string) {
  return {
    slider: await dragSlider(house, series),
    wheel: await turnWheel(house),
    search: await searchList(house),
  }
}

async function dragSlider(house: House, series: string): Promise<number> {
  const { page, open, context } = await house.visit('olga')
  await open(`/series/${await idOf(house, series)}`)
  await settle(page)
  await page.locator('canvas').first().waitFor()
  const slider = page.getByRole('slider', { name: /^As it stood on/ })
  await slider.scrollIntoViewIfNeeded()
  const { x, y, width } = (await slider.boundingBox())!
  const work = await Work.of(page)
  const moves: number[] = []
  await page.mouse.move(x + width - 60, y + 25)
  await page.mouse.down()
  for (let i = 1; i <= 60; i++) moves.push(await work.take(() => page.mouse.move(x + width - 60 - i * 6, y + 25)))
  await page.mouse.up()
  await context.close()
  return median(moves)
}

async function turnWheel(house: House): Promise<number> {
  const { page, open, context } = await house.visit('olga')
  await open('/series')
  await settle(page)
  await page.mouse.move(700, 600)
  const work = await Work.of(page)
  const turns: number[] = []
  for (let i = 0; i < 100; i++) turns.push(await work.take(() => page.mouse.wheel(0, 2 * rowHeight)))
  await context.close()
  return median(turns)
}

async function searchList(house: House): Promise<number> {
  const { page, open, context } = await house.visit('olga')
  await open('/series')
  await settle(page)
  await page.evaluate(`(() => {
    const count = document.querySelector('main span[aria-live=polite]')
    globalThis.tookMs = []
    let from = 0
    document.addEventListener('input', () => { from = performance.now() }, true)
    new MutationObserver(() => tookMs.push(performance.now() - from))
      .observe(count, { subtree: true, characterData: true, childList: true })
  })()`)
  await page.getByRole('searchbox', { name: 'Search name and code' }).focus()
  for (const key of 'wpu1') {
    await page.keyboard.press(key)
    await page.waitForTimeout(1_000)
  }
  const tookMs = (await page.evaluate('tookMs')) as number[]
  await context.close()
  return median(tookMs)
}

const kindsOfWork = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']

/**
 * The work of the page's own thread: processor time for script, style and layout. Elapsed time would grow with other load on
 * the machine, and painting is done by the graphics card if there is one.
 */
class Work {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  static async of(page: Page): Promise<Work> {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return new Work(page, session)
  }

  /** How much work something takes until it is drawn. */
  async take(what: () => Promise<unknown>): Promise<number> {
    const before = await this.#spentMs()
    await what()
    await this.#page.evaluate(nextFrame)
    return (await this.#spentMs()) - before
  }

  async #spentMs(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    const spent = metrics.filter(({ name }) => kindsOfWork.includes(name)).map(({ value }) => value * 1_000)
    return spent.reduce((sum, each) => sum + each, 0)
  }
}
