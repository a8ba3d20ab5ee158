import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  divide,
  formatCarried,
  formatFixed,
  hundred,
  multiply,
  parseRatio,
  subtract,
} from '../../src/core/numbers/ratio.ts'
import { formatDate } from '../../src/core/text/words.ts'
import type { AgreementPage } from '../../src/views/shapes/agreements.ts'
import { formatSigned } from '../../web/components/words/words.ts'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { openHouse, type Visit } from './house.ts'
import { askApi, expectQuiet, expectWords, plain, rowsOf, tableWith } from './story.ts'

let olga: Visit

const house = ownHouse(openHouse)
beforeAll(async () => {
  olga = await house.visit('olga')
})

const name = 'Housings by steel and labour'
const slug = 'housings-by-steel-and-labour'

interface ApiAdjustments {
  readonly data: readonly {
    readonly adjustmentDate: string
    readonly cumulativePct: string
  }[]
}

/** A line of the form, by how its sentence begins or what it names. */
async function openLine(page: Page, words: RegExp): Promise<void> {
  await page.getByRole('button', { name: words, expanded: false }).first().click()
}

async function closeLine(page: Page, words: RegExp): Promise<void> {
  await page.getByRole('button', { name: words, expanded: true }).click()
}

const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' })
/** The sentence that gives the state. */
const summary = (page: Page): Locator => result(page).getByText(/moves the price by|to fix|Every period is blocked/)

async function summaryText(page: Page): Promise<string> {
  return plain(await summary(page).first().innerText())
}

/** As it stands once nothing is being computed. */
async function resultWhen(page: Page, words: RegExp): Promise<string> {
  await expect.poll(() => summaryText(page)).toMatch(words)
  return summaryText(page)
}

/** What is said below a field. */
async function besides(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.trim().split(/\s+/) ?? []
  const texts = await Promise.all(ids.map(id => field.page().locator(`[id="${id}"]`).innerText()))
  return plain(texts.join(' '))
}

async function editorText(page: Page): Promise<string> {
  const lines = await page.getByRole('textbox', { name: 'The document as YAML' }).locator('.cm-line').allInnerTexts()
  return lines.map(line => line.replace(/\n/g, '').trimEnd()).join('\n')
}

/** What a template asks before it opens. */
async function chooseLabour(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label)
  await expect.poll(() => besides(field)).toContain('Not among the series of this workspace')
  await field.fill('metal industry')
  await page.getByRole('option', { name: /Labour cost index, metal industry/ }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe('a formula', () => {
  test('is built from a template: series by search, weights that add up, a warning fixed, the result live', async () => {
    const { page, open } = olga
    await open('/agreements')
    await page.getByRole('link', { name: 'New agreement' }).click()
    await page.getByRole('link', { name: 'Materials, labour and a fixed share' }).click()
    // The template asks first for the series that is not here; it is searched for by a word of its name.
    await chooseLabour(page, 'labour, 25 % of the price')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe(slug)

    // Days of its own, so that the story is the same in any year.
    await openLine(page, /^From .* adjusted quarterly/)
    await page.getByLabel('Start').fill('2025-01-01')
    const base = page.getByLabel('Compared with', { exact: true })
    for (const input of [/follows steel,/, /follows power,/]) {
      await openLine(page, input)
      await base.fill('2024-11')
      await closeLine(page, input)
    }
    await openLine(page, /follows labour,/)
    await base.fill('2024-Q3')

    await expect.poll(() => page.getByLabel('Series', { exact: true }).inputValue()).toBe('CUSTOM/labour-metal')
    const first = await resultWhen(page, /^2026-Q3 moves the price by/)

    await page.getByLabel('Weight', { exact: true }).fill('30')
    await page.getByText('Weights 85 % + fixed 20 % = 105 %').waitFor()
    await page.getByText('not 100 %').first().waitFor()
    await resultWhen(page, /^1 problem to fix\. Before the last change:/)
    await expect.poll(() => page.getByRole('button', { name: /^Save the agreement/ }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Make the fixed share 15 %' }).click()
    await page.getByText('adds up').waitFor()
    const second = await resultWhen(page, /^2026-Q3 moves the price by/)
    expect(second).not.toBe(first)
    await closeLine(page, /follows labour,/)

    // A lag that is too short gets a warning next to the field, which disappears when it is fixed.
    await openLine(page, /follows steel,/)
    const lag = page.getByLabel('Lag', { exact: true })
    expect(await besides(lag)).not.toContain('not out yet')
    await lag.fill('1')
    await expect.poll(() => besides(lag)).toContain('is not out yet (BLS/WPU101 usually comes')
    await resultWhen(page, /\d warnings?\./)
    await lag.fill('2')
    await expect.poll(() => besides(lag)).not.toContain('not out yet')
    expect(await resultWhen(page, /^2026-Q3 moves the price by/)).toBe(second)
    expectQuiet(olga)
  })

  test('is the same document as YAML, with an error in its place', async () => {
    const { page } = olga
    const before = await summaryText(page)
    await page.getByText('YAML', { exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'The document as YAML' })
    await editor.waitFor()
    const text = await editorText(page)
    expect(text).toContain(`slug: ${slug}\nname: ${name}`)
    expect(text).toMatch(/labour:\n {4}series: CUSTOM\/labour-metal\n {4}weight: 0\.30\n {4}base: 2024-Q3/)
    expect(text).toContain('fixed: 0.15')

    // Typed at the end of the line of the weight: 0.30 becomes 0.30x.
    await editor.getByText('weight: 0.30').click()
    await page.keyboard.press('End')
    await page.keyboard.type('x')
    await expect.poll(() => editor.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['weight: 0.30x'])
    await resultWhen(page, /^1 problem to fix/)
    const problem = result(page).getByRole('listitem').filter({ hasText: 'inputs.labour.weight' })
    await expectWords(problem, '0.30x')
    await page.keyboard.press('Backspace')
    await editor.locator('.cm-lintRange-error').waitFor({ state: 'detached' })
    expect(await resultWhen(page, /^2026-Q3 moves the price by/)).toBe(before)
    expect(await editorText(page)).toBe(text)

    // What is written here appears in the form.
    await editor.getByText('cap: {').click()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('6')
    await page.getByText('Clause', { exact: true }).first().click()
    await page.getByRole('button', { name: /^At most \+6 % per period/ }).waitFor()
    expectQuiet(olga)
  })

  test('is saved after a look, and its page shows the API’s numbers', async () => {
    const { page } = olga
    await page.getByRole('button', { name: 'Save the agreement…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save the new agreement' })
    await expectWords(dialog, `with the slug ${slug}`)
    await dialog.getByRole('button', { name: 'Save the agreement' }).click()
    await page.waitForURL(`**/w/demo/agreements/${slug}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const told = await apiPeriods()
    expect(told.length).toBeGreaterThanOrEqual(6)
    await expect.poll(() => shownPeriods(page)).toEqual(told)
    expectQuiet(olga)
  })

  test('is compared with other readings, each with its effect in percent and money', async () => {
    const { page } = olga
    await page.getByRole('link', { name: 'Compare readings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Compare readings' }).waitFor()
    await tableWith(page, 'Effect in money').waitFor()
    const [written, ...others] = await rowsOf(tableWith(page, 'Effect in money'))
    const figure = (text: string | undefined) =>
      parseRatio(
        /[+−-]?\d+(?:\.\d+)?/
          .exec(text ?? '')?.[0]
          .replace('−', '-')
          .replace('+', '') ?? '',
      )!
    const compared = others.filter(({ Period }) => Period === written!.Period)
    expect(compared.length, JSON.stringify(others)).toBeGreaterThanOrEqual(4)
    for (const reading of compared) {
      const apart = (column: string) => formatCarried(subtract(figure(reading[column]), figure(written![column])))
      expect(formatCarried(figure(reading['Effect since start'])), reading.Reading).toBe(apart('Since start, %'))
      expect(formatCarried(figure(reading['Effect in money'])), reading.Reading).toBe(apart('Price'))
    }
    const longer = compared.find(({ Reading }) => /month more/i.test(Reading!))
    expect(longer?.['Effect since start'], JSON.stringify(compared)).toMatch(/^[+−]\d/)

    // A reading is shown beside the clause period by period as long as it is chosen, and the address keeps the choice.
    const longest = page.getByRole('checkbox', { name: /month more/i })
    await longest.check()
    await longest.uncheck()
    await page.waitForURL(url => url.searchParams.get('with')?.includes('lag-more') === false)
    await page.getByRole('columnheader', { name: /month more/i }).waitFor({ state: 'detached' })
    await longest.check()
    await page.waitForURL(/with=[^&]*lag-more/)
    await page.getByRole('columnheader', { name: /month more/i }).waitFor()
    expectQuiet(olga)
  })

  test('is changed with the difference shown before it counts, and the versions tell it afterwards', async () => {
    const { page, open } = olga
    await open(`/agreements/${slug}`)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('As saved.').waitFor()
    await openLine(page, /^At most \+6 % per period/)
    await page.getByLabel('At most in a period').fill('2')
    await resultWhen(page, /\d+ periods? different from the saved version/)
    const moved = (await rowsOf(tableWith(page, 'Controls'))).filter(row => JSON.stringify(row).includes('becomes'))
    expect(moved.map(({ Adjustment }) => Adjustment)).toContainEqual(expect.stringMatching(/% becomes → \+2 %$/))

    await page.getByRole('button', { name: 'Save version 2…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save the change' })
    await expectWords(
      dialog.getByRole('region', { name: 'Difference' }),
      'removed: cap: { periodPct: 6 }',
      'added: cap: { periodPct: 2 }',
    )
    await dialog.getByRole('button', { name: 'Save version 2' }).click()
    await page.waitForURL(`**/w/demo/agreements/${slug}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const told = await apiPeriods()
    await expect.poll(() => shownPeriods(page)).toEqual(told)

    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('heading', { level: 2, name: 'Version 2' }).waitFor()
    expect(await rowsOf(tableWith(page, 'Field'))).toEqual([{ Field: 'clause.cap.periodPct', Before: '6', After: '2' }])
    const effects = await rowsOf(tableWith(page, 'Points'))
    expect(effects.map(({ Period }) => Period)).toEqual(moved.map(({ Period }) => Period?.split(' ')[0]).reverse())
    await expectWords(page.locator('main'), 'Written by olga@demo.test')
    expectQuiet(olga)
  })

  test('is proposed where both have to sign it, which the page says before and after', async () => {
    const { page, open } = olga
    const signed = 'steel-brackets'
    const { origin } = new URL(page.url())
    const console = `${origin}/console/w/demo/agreements`
    const { documentText } = (await (await page.request.get(`${console}/${signed}`)).json()) as AgreementPage
    const text = documentText.replace(/^contract:\n/m, 'contract:\n  change: BOTH\n')
    const saved = await page.request.post(console, { headers: { origin }, data: { text, basedOn: 1 } })
    expect([saved.ok(), await saved.json()]).toEqual([true, expect.objectContaining({ outcome: 'new version' })])

    await open(`/agreements/${signed}/edit`)
    await openLine(page, /^At most \+/)
    await page.getByLabel('At most in a period').fill('6')
    await page.getByRole('button', { name: 'Propose version 3…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save the change' })
    await expectWords(dialog, 'takes effect once the buyer and the supplier have signed it')
    await dialog.getByRole('button', { name: 'Propose version 3' }).click()
    const told = page.getByRole('dialog', { name: 'Proposed: both sides have to sign' })
    await expectWords(told, 'Version 2 governs until both have signed it')
    await told.getByRole('button', { name: 'See the proposal' }).click()
    await page.waitForURL('**/w/demo/index-changes/amd_*')
    await page.getByRole('heading', { level: 1, name: 'Other terms' }).waitFor()
    expectQuiet(olga)
  })

  test('asks before it is left with unsaved changes', async () => {
    const { page, open } = olga
    await open(`/agreements/${slug}/edit`)
    await page.getByText('As saved.').waitFor()
    await openLine(page, /^At most \+2 % per period/)
    await page.getByLabel('At most in a period').fill('3')
    const dialog = page.getByRole('dialog', { name: 'Unsaved changes' })
    const away = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Series' })

    await away.click()
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('At most in a period').inputValue()).toBe('3')

    // A reload keeps what was written.
    page.once('dialog', asked => void asked.accept())
    await page.reload()
    await page.getByText('Your unsaved changes from before the reload are here.').waitFor()
    await page.getByRole('button', { name: /^At most \+3 % per period/ }).waitFor()

    await away.click()
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { level: 1, name: 'Series' }).waitFor()
    await open(`/agreements/${slug}/edit`)
    await page.getByText('As saved.').waitFor()
    await page.getByRole('button', { name: /^At most \+2 % per period/ }).waitFor()
    expectQuiet(olga)
  })

  test('has a box for the contract’s own words, which are kept with the version and stand beside it', async () => {
    const { page, open } = olga
    await open('/agreements/office-lease/edit')
    const box = page.getByRole('region', { name: 'Contract’s own words' })
    await box.getByText('16 sentences, kept with the version').waitFor()
    await box.getByRole('button', { name: 'Read or change' }).click()
    const text = box.getByLabel('Text from your contract')
    await text.fill(`${await text.inputValue()}\n\nPayment is due in 30 days.\u202e The rest stays.`)
    await box.getByText('18 sentences, kept with the version').waitFor()
    await box.getByText('1 hidden character of the text is left out').waitFor()
    await page.reload()
    await box.getByText('18 sentences, kept with the version').waitFor()
    await page.getByRole('button', { name: 'Save version 3…', disabled: false }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 sentences added, 0 sentences removed.').waitFor()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await box.getByText('16 sentences, kept with the version').waitFor()
    await open('/agreements/office-lease')
    await page.getByText('(b) more than 6 percent.').waitFor()
    expectQuiet(olga)
  })

  longTest('stories', 'is written in the form with limits of a year, a calendar of dates and a window', async () => {
    const { page, open } = olga
    await open('/agreements/new?template=yearly-cap')
    await chooseLabour(page, 'labour, 80 % of the price')
    await openLine(page, /^At most \+4 % per contract year/)
    await page.getByLabel('At least in a year').fill('-4')
    const year = page.getByLabel('Which year').last()
    await expect.poll(() => besides(year)).toContain('year is missing')
    await year.selectOption('ROLLING')
    await page.getByText('Steps', { exact: true }).click()
    await page.getByText(/^A limit of the twelve months before each adjustment .* cannot be written as steps/).waitFor()
    await page.getByText('Clause', { exact: true }).first().click()
    await year.selectOption('CALENDAR')
    await page.getByRole('button', { name: /at least −4 % per calendar year/ }).waitFor()
    await page.getByText('Steps', { exact: true }).click()
    await page.getByRole('heading', { name: 'The clause as a worksheet' }).waitFor()
    expect(await page.getByText(/cannot be written as steps/).count()).toBe(0)
    await page.getByText('Clause', { exact: true }).first().click()

    await openLine(page, /^From 1 Jan/)
    await page.getByLabel('Adjusted').selectOption('DATES')
    await page.getByRole('combobox', { name: 'Adjustment dates' }).fill('2025-09-03')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /adjusted on 3 Sept? 2025/ }).waitFor()

    await openLine(page, /follows labour/)
    await page.getByRole('button', { name: 'More about reading it' }).click()
    await page.getByLabel('Over', { exact: true }).selectOption('LAST')
    await page.getByLabel('Lag, before or after').selectOption('after')
    await page.getByRole('button', { name: /two quarters after the .* the newest five observations/ }).waitFor()
    await page.getByLabel('If a value is missing').selectOption('TREND')
    await page.getByLabel('As it moved over', { exact: true }).fill('4')
    await page.getByRole('button', { name: /moved on by the trend of four months/ }).waitFor()
    await page.getByLabel('As it moved over, unit').selectOption('quarter')
    await page.getByRole('button', { name: /moved on by the trend of four quarters/ }).waitFor()
    await page.getByRole('button', { name: 'Agree on a successor of the series' }).click()
    await page.getByLabel('Joined by').selectOption('SAME_LEVEL')
    await page.getByText('By itself', { exact: true }).click()
    await page.getByRole('button', { name: /which is the same, without further signatures/ }).waitFor()
    await page.getByLabel('Terms are changed by').selectOption('BOTH')
    await page.getByRole('button', { name: /Its terms change only with the signatures of both sides/ }).waitFor()

    await page.getByText('YAML', { exact: true }).click()
    await expect.poll(() => editorText(page)).toContain('floor: { yearPct: -4, year: CALENDAR }')
    const text = await editorText(page)
    expect(text).toContain('dates: [ 2025-09-03 ]')
    expect(text).toContain('lag: -2 quarters')
    expect(text).toContain('window: { last: 5 }')
    expect(text).toContain('missing: { trend: { over: 4 quarters, dp: 3 } }')
    expect(text).toContain('method: SAME_LEVEL, automatic: true }')
    expect(text).toContain('change: BOTH')
    expectQuiet(olga)
  })
})

/** `1 Jul 2026 13.73 +3.23 +9.3`, the newest first. */
async function shownPeriods(page: Page): Promise<string[]> {
  await tableWith(page, 'Since start, %').waitFor()
  const rows = await rowsOf(tableWith(page, 'Since start, %'))
  return rows.map(row => `${row.Date} ${row['Proposed, USD']} ${row['Change, %']} ${row['Since start, %']}`)
}

async function apiPeriods(): Promise<string[]> {
  const { data } = await askApi<ApiAdjustments>(house, `/pams/${slug}/values`)
  const asked = await olga.page.request.get(`${house.address}/console/w/demo/agreements/${slug}`)
  const prices = [((await asked.json()) as AgreementPage).agreement.price!.amount]
  for (const { adjustmentDate } of data) {
    const path = `/pams/${slug}/adjustment/calculation?date=${adjustmentDate.slice(0, 10)}`
    const { adjustments } = await askApi<{ readonly adjustments: readonly { readonly price: string }[] }>(house, path)
    prices.push(adjustments[0]!.price)
  }
  return data
    .map(({ adjustmentDate, cumulativePct }, i) => {
      const [before, price] = [prices[i]!, prices[i + 1]!]
      const pct = formatSigned(changeOf(before, price))
      return plain(`${formatDate(adjustmentDate)} ${price} ${pct} ${formatSigned(cumulativePct)}`)
    })
    .reverse()
}

/** In percent of these two prices, exact until its two decimals. */
function changeOf(before: string, after: string): string {
  const [from, to] = [parseRatio(before)!, parseRatio(after)!]
  return formatFixed(multiply(divide(subtract(to, from), from), hundred), 2, 'HALF_UP')
}
