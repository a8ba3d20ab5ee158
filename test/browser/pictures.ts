// Run by hand: `node test/browser/pictures.ts` takes the README's pictures again; `--all <folder>` pictures every page
// in light, dark and narrow, for review; with `--contracts 500` where the demo has that many more, with `--fresh` in a
// workspace in which nothing has been done yet, with `--overlays` what opens over pages; `--only`, `--look` narrow it down. It starts the demo on a database of its own
// and leaves nothing running.
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BrowserContextOptions } from 'playwright-core'
import { closeBrowser } from './chromium.ts'
import { overlays } from './dialogs.ts'
import { openFreshWorkspace, seedContracts } from './other-sizes.ts'
import { listPages, type PageState, settle } from './pages.ts'
import { openProgramHouse } from './program-house.ts'
import type { House, Name, Visit } from './windows.ts'

const readmeFolder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
/** A reader of the README waits for all of them. */
const maxPictureBytes = 300_000

/** The pictures of the README by the pages they show. */
const readmePictures: Readonly<Record<string, string>> = {
  'series-as-of': 'series',
  'agreement-edit-changed': 'builder',
  adjustment: 'adjustment',
  'bring-in-invoices': 'invoices',
  ledger: 'ledger',
}

/** Those that show all agreements at once, of a demo that has many. */
const portfolioPictures: Readonly<Record<string, string>> = { overview: 'overview', 'sign-offs': 'inbox' }
const agreementsOfPortfolio = '150'

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
}

class Album {
  readonly #house: House
  readonly #options: BrowserContextOptions
  readonly #visits = new Map<Name | null, Promise<Visit>>()

  constructor(house: House, options: BrowserContextOptions) {
    this.#house = house
    this.#options = { reducedMotion: 'reduce', deviceScaleFactor: 1, ...options }
  }

  async take({ address, by, act }: PageState, path: string, fullPage: boolean): Promise<void> {
    const { page, complaints } = await this.#visitOf(by)
    // The same page twice in a row would otherwise keep what was done on it.
    await page.goto('about:blank')
    await page.goto(`${this.#house.address}${address}`)
    await settle(page)
    await act?.(page)
    // Charts are drawn when their scripts are loaded.
    await page.waitForTimeout(600)
    await settle(page)
    await page.screenshot({ path, fullPage })
    const said = complaints.splice(0)
    process.stdout.write(`${path}${said.length === 0 ? '' : `\n  ${said.join('\n  ')}`}\n`)
  }

  #visitOf(by: Name | null): Promise<Visit> {
    const known = this.#visits.get(by)
    if (known !== undefined) return known
    const visit = by === null ? this.#house.stranger(this.#options) : this.#house.visit(by, this.#options)
    this.#visits.set(by, visit)
    return visit
  }
}

async function pictureReadme(house: House, pages: readonly PageState[]): Promise<void> {
  await pictureSome(house, pages, readmePictures)
  await house.command('demo', '--agreements', agreementsOfPortfolio, '--no-serve')
  await pictureSome(house, pages.map(whenKnown), portfolioPictures)
}

/** When everything is computed. */
function whenKnown(page: PageState): PageState {
  return {
    ...page,
    act: async visited => {
      await visited
        .getByText(/^Updating|updating$/)
        .first()
        .waitFor({ state: 'detached', timeout: 120_000 })
      await page.act?.(visited)
    },
  }
}

async function pictureSome(
  house: House,
  pages: readonly PageState[],
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  const album = new Album(house, looks.light!)
  for (const page of pages) {
    const name = wanted[page.name]
    if (name === undefined) continue
    const path = join(readmeFolder, `${name}.png`)
    await album.take(page, path, false)
    const { size } = await stat(path)
    if (size > maxPictureBytes) throw new Error(`${path} has ${size} bytes, at most ${maxPictureBytes} are wanted`)
  }
}

async function pictureAll(
  house: House,
  pages: readonly PageState[],
  folder: string,
  isWanted: (look: string) => boolean,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [look, options] of Object.entries(looks)) {
    if (!isWanted(look)) continue
    const album = new Album(house, options)
    for (const page of pages) await album.take(page, join(folder, `${page.name}-${look}.png`), true)
  }
}

/** What opens over pages, each as a page with the file that draws it as its name. */
function listOverlays(): readonly PageState[] {
  return overlays.map(({ source, by, address, open }, at) => {
    const name = `${source
      .split('/')
      .at(-1)!
      .replace(/\.tsx$/, '')}-${at}`
    return { name, route: address, address, by, act: async page => void (await open(page)) }
  })
}

/** Pages that are there before anything was done. */
const beginnings =
  /^\/w\/demo(?:\/(?:series|series\/follow|series\/upload|agreements|agreements\/new|sign-offs|revisions|invoices|settings.*|installation))?$/

function pagesIn(workspace: string, pages: readonly PageState[]): readonly PageState[] {
  return pages
    .filter(({ address }) => beginnings.test(address))
    .map(page => ({ ...page, address: page.address.replace('/demo', `/${workspace}`) }))
}

const { all, only, look, contracts, fresh, ...more } = parseArgs({
  options: {
    all: { type: 'string' },
    only: { type: 'string' },
    look: { type: 'string' },
    contracts: { type: 'string' },
    fresh: { type: 'boolean' },
    overlays: { type: 'boolean' },
  },
}).values
const house = await openProgramHouse()
try {
  if (contracts !== undefined) await seedContracts(house.command, Number(contracts))
  const listed = more.overlays === true ? listOverlays() : await listPages(house)
  const there = fresh === true ? pagesIn(await openFreshWorkspace(house), listed) : listed
  const pages = there.filter(({ name }) => only === undefined || only.split(',').some(each => name.startsWith(each)))
  if (all === undefined) await pictureReadme(house, pages)
  else await pictureAll(house, pages, all, each => look === undefined || look === each)
} finally {
  await house.close()
  await closeBrowser()
}
