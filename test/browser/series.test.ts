import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { isLong, someOf } from '../support/run/long-form.ts'
import { examineOverlay } from './axe.ts'
import { openHouse, type Visit } from './house.ts'
import { follow } from './pages.ts'
import {
  askApi,
  chooseFile,
  expectQuiet,
  expectWords,
  refused,
  rowsOf,
  tableWith,
  takeFile,
  textFile,
} from './story.ts'

let olga: Visit
let ann: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  ;[olga, ann] = await Promise.all([house.visit('olga'), house.visit('ann')])
})

interface ApiSeries {
  readonly id: string
  readonly provider: string
  readonly seriesCode: string
  readonly name: string
}

interface ApiValues {
  readonly data: readonly { readonly asOfDate: string; readonly value: string; readonly versionTag: string }[]
}

/** Null where the API does not know it. */
async function findSeries(reference: string): Promise<ApiSeries | null> {
  const { data } = await askApi<{ data: readonly ApiSeries[] }>(house, '/series?limit=200')
  return data.find(({ provider, seriesCode }) => `${provider}/${seriesCode}` === reference) ?? null
}

const idOf = async (reference: string) => (await findSeries(reference))?.id ?? null

/** `2025-06 320.600 PRELIMINARY`, newest first, as the page shows them; `asOf` as it stood that day. */
async function apiValues(id: string, asOf?: string): Promise<string[]> {
  const cut = asOf === undefined ? '' : `&asOf=${asOf}`
  const { data } = await askApi<ApiValues>(house, `/series/${id}/values?limit=2000${cut}`)
  return data.map(({ asOfDate, value, versionTag }) => `${asOfDate.slice(0, 7)} ${value} ${versionTag}`).reverse()
}

/** The rows of the table of values that are drawn. */
async function shownValues(page: Page): Promise<string[]> {
  const rows = await rowsOf(page.getByRole('region', { name: 'Values, scrolls' }).getByRole('table'))
  return rows.map(({ Period, Value, Tag }) => `${Period} ${Value} ${Tag?.toUpperCase()}`)
}

async function exportCsv(page: Page): Promise<{ readonly name: string; readonly lines: string[][] }> {
  await page.getByRole('button', { name: 'Export' }).click()
  const { name, text } = await takeFile(page, page.getByRole('menuitem', { name: 'CSV' }))
  const lines = text
    .replace('\ufeff', '')
    .trim()
    .split(/\r?\n/)
    .map(line => line.split(','))
  return { name, lines }
}

describe('following', () => {
  test('goes from the built-in list to the page of the series and into the list', async () => {
    const { page, open } = olga
    await open('/series')
    await page.getByRole('link', { name: 'Follow a series' }).click()
    await page.getByLabel('Words from the name, or the code').fill('steel mill products')
    const found = page.getByRole('row').filter({ hasText: 'BLS/WPU1017' })
    await found.getByRole('button', { name: /^Follow PPI/ }).click()

    await page.waitForURL(/\/series\/ser_/)
    const { id, name } = (await findSeries('BLS/WPU1017'))!
    expect(page.url().match(/ser_\w+/)![0]).toBe(id)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const values = await apiValues(id)
    expect(values.length).toBeGreaterThan(12)
    await page.getByRole('img', { name }).waitFor()
    await expect
      .poll(() => shownValues(page))
      .toSatisfy((shown: string[]) => shown.length > 8 && shown.every((row, i) => row === values[i]))

    await page.getByRole('link', { name: 'Series', exact: true }).first().click()
    await page.getByLabel('Search name and code').fill('wpu1017')
    const row = page.getByRole('row').filter({ hasText: 'BLS/WPU1017' })
    await row.waitFor()
    await expectWords(row, values[0]!.split(' ')[1]!)
    await page.getByText(/^1 of \d+ series$/).waitFor()

    // What is followed is opened from the search, not followed twice: also from the one that found it.
    await follow(page, '/w/demo/series/follow?q=steel+mill+products')
    await page.getByRole('row').filter({ hasText: 'BLS/WPU1017' }).getByRole('link', { name: 'Open' }).click()
    await page.waitForURL(`**/series/${id}`)
    expectQuiet(olga)
  })

  test('says in words what the provider said about a code it does not know', async () => {
    const { page, open } = olga
    await open('/series/follow')
    await page.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: /Labor Statistics/ }).click()
    await page.getByLabel('Code, as the provider writes it').fill('NOSUCHSERIES')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    const words = await page.getByRole('alert').innerText()
    expect(words).toContain('BLS/NOSUCHSERIES cannot be followed: the provider does not know it')
    expect(await page.getByLabel('Code, as the provider writes it').inputValue()).toBe('NOSUCHSERIES')
    expectQuiet(olga, refused(422))
  })
})

describe('an answer that would rewrite a history', () => {
  test('waits, is shown beside what is held, and an operator decides after being asked', async () => {
    const { page, open } = olga
    house.standIn.misbehave('BLS', 'rebased')
    await house.command('refresh', 'BLS/WPU1017')
    house.standIn.behave('BLS')
    await open('/installation')
    const held = page.getByRole('article').filter({ hasText: 'BLS/WPU1017' })
    await held.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('the figures stay as they are').waitFor()
    await examineOverlay(page, 'components/providers/quarantine.tsx')
    await dialog.getByRole('button', { name: 'Reject it' }).click()
    await held.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'rejected' }).getByText('olga@demo.test').waitFor()
    expectQuiet(olga)
  })
})

const head = 'series,period,value,version,published,name,unit,dataType'
const broken = `${head}
CUSTOM/scrap-e3,2024-01,351.20,PRELIMINARY,2024-02-05,"Scrap, grade E3",EUR/t,PRICE
CUSTOM/scrap-e3,2024-13,352.00,FINAL,2024-03-05,,,
CUSTOM/scrap-e3,2024-02,much,PRELIMINARY,2024-03-05,,,
CUSTOM/scrap-e3,2024-02,348.90,SETTLED,2024-03-05,,,
CUSTOM/scrap-e3,2024-03,349.10,FINAL,5 March,,,
`
const fixed = `${head}
CUSTOM/scrap-e3,2024-01,351.20,PRELIMINARY,2024-02-05,"Scrap, grade E3",EUR/t,PRICE
CUSTOM/scrap-e3,2024-01,352.00,FINAL,2024-03-05,,,
CUSTOM/scrap-e3,2024-02,348.90,PRELIMINARY,2024-03-05,,,
CUSTOM/scrap-e3,2024-02,348.95,FINAL,2024-04-05,,,
CUSTOM/scrap-e3,2024-03,349.10,PRELIMINARY,2024-04-05,,,
`

describe('uploading', () => {
  test('names every bad line and imports nothing; once fixed, it shows what would be imported and imports it', async () => {
    const { page, open } = olga
    await open('/series/upload')
    await chooseFile(page, 'Choose a file', textFile('scrap.csv', broken))
    await page.getByRole('heading', { name: 'Problems of the file' }).waitFor()
    const problems = await rowsOf(tableWith(page, 'Problem'))
    expect(problems.map(({ Line }) => Line)).toEqual(['3', '4', '5', '6'])
    for (const problem of problems) expect(problem.Problem).toMatch(/\w+ \w+/)
    expect(await page.getByRole('alert').innerText()).toContain('4 problems; nothing was imported')
    expect(await idOf('CUSTOM/scrap-e3')).toBeNull()

    await chooseFile(page, 'Choose another file', textFile('scrap.csv', fixed))
    await page.getByText(/5 new values, 1 new series/).waitFor()
    const sample = await rowsOf(page.getByRole('table', { name: /^First rows of Scrap, grade E3/ }))
    expect(sample[0]).toMatchObject({ Period: '2024-01', Value: '351.20', Tag: 'preliminary', Published: '5 Feb 2024' })
    expect(await idOf('CUSTOM/scrap-e3')).toBeNull()

    await page.getByRole('button', { name: 'Import 5 values' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    const id = (await idOf('CUSTOM/scrap-e3'))!
    await page.getByRole('link', { name: 'See the series' }).click()
    await page.getByRole('heading', { level: 1, name: 'Scrap, grade E3' }).waitFor()
    await page.getByRole('img', { name: 'Scrap, grade E3' }).waitFor()
    const told = await apiValues(id)
    await expect.poll(() => shownValues(page)).toEqual(told)

    // The same file once more adds nothing.
    await open('/series/upload')
    await chooseFile(page, 'Choose a file', textFile('scrap.csv', fixed))
    await page.getByText(/everything is here already/).waitFor()
    expect(await page.getByRole('button', { name: /^Import (?:\d|the)/ }).count()).toBe(0)
    expectQuiet(olga)
  })

  test('refuses a file that is not a table, whatever its name says, and continues with the next file', async () => {
    const { page, open } = olga
    await open('/series/upload')
    await chooseFile(page, 'Choose a file', textFile('minutes.pdf', '%PDF-1.7', 'application/pdf'))
    expect(await page.getByRole('alert').innerText()).toContain('“minutes.pdf” is not a CSV, XLSX, JSON or XML file')
    // A picture under another name: only the server can tell.
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    for (const [name, mimeType] of someOf(
      'stories',
      'pictures under another name',
      [
        ['scan.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
        ['scan.csv', 'text/csv'],
      ] as const,
      { oneIn: 2 },
    )) {
      await chooseFile(page, 'Choose another file', { name, mimeType, buffer: picture })
      await page.getByText(`"${name}" is a picture: save the table itself as .csv or .xlsx`).waitFor()
    }
    await chooseFile(page, 'Choose another file', textFile('scrap.csv', fixed))
    await page.getByText(/everything is here already/).waitFor()
    expectQuiet(olga, ...(isLong('stories') ? [refused(422), refused(422)] : [refused(422)]))
  })

  test('is not for a buyer, and says so', async () => {
    const { page, open } = ann
    await open('/series/upload')
    await page.getByText('Your role cannot upload figures').waitFor()
    expect(await page.getByRole('button', { name: 'Choose a file' }).count()).toBe(0)
    await follow(page, '/w/demo/series/follow')
    await page.getByText('Your role cannot follow series').waitFor()
    expectQuiet(ann)
  })
})

describe('a series as it stood', () => {
  test('is the API’s, by the address, by the keyboard and by a day that is typed', async () => {
    const { page } = olga
    const id = (await idOf('BLS/WPU101'))!
    const slider = page.getByRole('slider', { name: /^As it stood on/ })
    /** The table follows the line a moment later. */
    const asStood = async (day?: string) => {
      const told = await apiValues(id, day)
      await expect
        .poll(() => shownValues(page), { message: `as of ${day}` })
        .toSatisfy((shown: string[]) => shown.length > 8 && shown.every((row, i) => row === told[i]))
      return told
    }

    await follow(page, `/w/demo/series/${id}?asOf=2026-02-01`)
    await page.getByText('values have changed since').waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toBe('1 Feb 2026')
    expect(await asStood('2026-02-01')).toContain('2025-09 317.789 PRELIMINARY')

    await slider.focus()
    await page.keyboard.press('End')
    await page.waitForURL(url => !url.searchParams.has('asOf'))
    expect(await asStood()).toContain('2025-09 317.520 FINAL')

    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/asOf=2026-06-11/)
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/asOf=2026-05-13/)
    expect(await slider.getAttribute('aria-valuetext')).toBe('13 May 2026')
    expect(await asStood('2026-05-13')).toContain('2026-02 341.515 PRELIMINARY')

    await page.getByLabel('As it stood on', { exact: true }).fill('30 Jan 2026')
    await page.keyboard.press('Enter')
    await page.waitForURL(/asOf=2026-01-30/)
    await asStood('2026-01-30')
    await page.getByLabel('As it stood on', { exact: true }).fill('the other day')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').innerText()).toContain('Write a day such as 1 Apr 2024')

    // The address alone shows the same to somebody else.
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    await page.getByText(/changed since|not out yet/).waitFor()
    await asStood('2026-01-30')
    expectQuiet(olga)
  })

  test('marks in the chart what was published about the index, and explains the mark below it', async () => {
    const { page } = ann
    await follow(page, `/w/demo/series/${await idOf('ECB/ICP/M.U2.N.000000.4.INX')}`)
    const marks = page.getByRole('list', { name: 'Marked in the chart' })
    expect((await marks.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^1 1 Jan 2026 ?Replaced: The data set ICP/)
    await follow(page, `/w/demo/series/${await idOf('ECB/ICP/M.U2.N.000000.4.INX')}?to=2025-06-01`)
    await page.getByRole('region', { name: 'Values, scrolls' }).waitFor()
    await marks.waitFor({ state: 'detached' })
  })

  test('opens the vintages of a period, from the table and from the chart', async () => {
    const { page } = ann
    const id = (await idOf('BLS/WPU101'))!
    await follow(page, `/w/demo/series/${id}`)
    await page.getByRole('button', { name: '2025-06, vintages' }).click()
    const drawer = page.getByRole('dialog', { name: 'Vintages of 2025-06' })
    const rows = await rowsOf(drawer.getByRole('table'))
    const { data } = await askApi<{ data: readonly { value: string; versionTag: string }[] }>(
      house,
      `/series/${id}/vintages?from=2025-06-01&to=2025-06-30`,
    )
    expect(rows.map(({ Value, Tag }) => `${Value} ${Tag?.toUpperCase()}`)).toEqual(
      data.map(({ value, versionTag }) => `${value} ${versionTag}`),
    )
    expect(rows.map(({ Value }) => Value)).toEqual(['320.600', '320.657'])
    expect(rows[1]!.Change).toMatch(/^\+0\.057 \(\+0\.0\d+ %\)$/)
    await examineOverlay(page, 'pages/series/series/values/vintage-drawer.tsx')

    await drawer.getByRole('button', { name: '16 Jul 2025' }).click()
    await page.waitForURL(/asOf=2025-07-16/)
    await drawer.waitFor({ state: 'detached' })
    await expect.poll(async () => (await shownValues(page))[0]).toBe('2025-06 320.600 PRELIMINARY')

    await page.getByRole('slider', { name: /^Period on the chart/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Vintages of 2025-06' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expectQuiet(ann)
  })

  test('is exported as CSV with what is on the screen, digit for digit', async () => {
    const { page } = ann
    const id = (await idOf('BLS/WPU101'))!
    await follow(page, `/w/demo/series/${id}?asOf=2026-02-01`)
    await page.getByText('values have changed since').waitFor()
    const { name, lines } = await exportCsv(page)
    expect(name).toBe('BLS-WPU101-as-of-2026-02-01.csv')
    expect(lines[0]!.slice(0, 4)).toEqual(['Period', 'Value (1982=100)', 'Tag', 'Published'])
    expect(lines.slice(1).map(([period, value, tag]) => `${period} ${value} ${tag}`)).toEqual(
      await apiValues(id, '2026-02-01'),
    )
    expectQuiet(ann)
  })
})
