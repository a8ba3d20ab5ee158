// A workspace with many contracts, five hundred in the long form: one revised figure shown once with what it did, lists that
// scroll, and an inbox in which many are signed at once. How soon its pages appear is measured by `npm run bench -- pages`.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Inbox } from '../../src/views/shapes/inbox.ts'
import { ownHouse } from '../support/houses/house.ts'
import { roundsOf } from '../support/run/long-form.ts'
import { examineOverlay } from './axe.ts'
import { openHouse, type Visit } from './house.ts'
import { manyContracts } from './other-sizes.ts'
import { expectQuiet, expectWords, wordsOf } from './story.ts'

/** Many times what fits into a window. */
const count = roundsOf('every-page', 'contracts in lists that are scrolled, printed and signed', 60, 500)
/** With those of the demo. */
const all = count + 10

let ann: Visit

const house = ownHouse(() => openHouse({ furniture: manyContracts(count) }))
beforeAll(async () => {
  ann = await house.visit('ann')
}, 400_000)

describe('many contracts', () => {
  test('have one line for a figure that affected all of them, and counts that agree', async () => {
    const { page } = ann
    await ann.open('')
    const cause = page.locator('li').filter({ hasText: 'was 357.108, now 349.020' })
    const some = `${count / 10}\\d`
    const words = `→ ${some} agreements, most of all .+ 2026-Q3 from [+−][\\d.]+ % to [+−]?[\\d.]+ %`
    await expectWords(cause, new RegExp(words))
    const affected = /→ (\d+) agreements/.exec(await wordsOf(cause))![1]
    await cause.getByRole('button', { name: /^Show/ }).click()
    await expect.poll(() => cause.locator('tbody tr').count()).toBe(12)
    await expectWords(cause, `And ${Number(affected) - 12} more with a smaller difference`)
    // The badge, the first page and the list say the same, once everything is computed.
    const main = () => wordsOf(page.locator('main'))
    const badge = page.getByRole('link', { name: /^Sign-offs/ })
    const standing = page.getByRole('region', { name: 'State of the agreements' })
    const waits = async () => wordsOf(standing.getByRole('link').first())
    // Until everything is computed, the numbers are as they were last known.
    await expect.poll(async () => `${await wordsOf(badge)} ${await wordsOf(standing)}`).not.toContain('updating')
    await expect
      .poll(async () => [await waits(), /^Sign-offs ([\d ]+) wait/.exec(await wordsOf(badge))?.[1]])
      .toSatisfy(([said, shown]) => said !== undefined && said === shown)
    const open = /^([\d ]+) adjustment/.exec(await wordsOf(standing.getByText(/adjustments? (and|of)/).first()))?.[1]
    await page.getByRole('link', { name: /^All .* sign-offs/ }).click()
    await expect.poll(main).toContain(`${open} periods`)
    expectQuiet(ann)
  })

  test('are searched, sorted, scrolled and exported', async () => {
    const { page } = ann
    await ann.open('/agreements')
    await page.getByText(`${all} agreements`).waitFor()
    await page.getByRole('button', { name: 'Agreement', exact: true }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=name')
    // Down to the end: rows are drawn as needed, and only those in view exist.
    await expect
      .poll(async () => {
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
        return page.getByRole('link', { name: 'Contract 9', exact: true }).count()
      })
      .toBe(1)
    expect(await page.locator('main tbody tr').count()).toBeLessThan(count)
    await page.evaluate('window.scrollTo(0, 0)')
    await page.getByLabel('Search agreements').fill('contract-02')
    await page.getByText(`10 of ${all} agreements`).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect([download.suggestedFilename(), lines.length]).toEqual(['demo-agreements.csv', 11])
    await page.getByLabel('Search agreements').fill('')
    // All of them are printed, not only what is in view.
    await page.evaluate(
      'window.print = () => { window.printed = document.querySelectorAll(".print-only tbody tr").length }',
    )
    await page.getByRole('button', { name: 'Print' }).click()
    await expect.poll(() => page.evaluate('window.printed')).toBe(all)
    await page.evaluate('window.printed = 0; window.dispatchEvent(new Event("afterprint"))')
    await page.keyboard.press('Control+p')
    await expect.poll(() => page.evaluate('window.printed')).toBe(all)
    await page.evaluate('window.dispatchEvent(new Event("afterprint"))')
    await page.getByLabel('Search agreements').fill('')
    await page.getByRole('combobox', { name: 'Needs' }).click()
    await page.getByRole('option', { name: 'Needs my signature' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('WAITS_FOR_ME')
    expectQuiet(ann)
  })

  test('are all selected once all are known, however early it is asked for', async () => {
    const { page } = ann
    const inbox = '**/console/w/demo/sign-offs?*'
    // Some are still being computed.
    await page.route(inbox, async route => {
      const response = await route.fetch()
      const whole = (await response.json()) as Inbox
      const mine = { ...whole.mine, rows: whole.mine.rows.slice(0, 3) }
      await route.fulfill({ response, json: { ...whole, mine, pending: 2 } })
    })
    await ann.open('/sign-offs?q=contract-00')
    const box = page.getByRole('checkbox', { name: /^Select all/ })
    await box.click()
    await page.getByText('All will be selected once the list is complete.').waitFor()
    expect(await page.getByRole('button', { name: /^Sign the selected/ }).isDisabled()).toBe(true)
    await page.unroute(inbox)
    await page.getByRole('button', { name: 'Sign 9 agreements …' }).waitFor()
    expect(await box.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Clear' }).click()
    expectQuiet(ann)
  })

  test('are signed at once: one selection, one dialog that shows the money, one password, progress, a result', async () => {
    const { page } = ann
    // Of two suppliers, in two currencies.
    await ann.open('/sign-offs?q=contract-00')
    await page.getByRole('checkbox', { name: /^Select all/ }).click()
    // Until all are known, they are waited for.
    await page.getByRole('button', { name: 'Sign 9 agreements …' }).waitFor()
    // What is selected stays selected while the filter shows something else.
    await page.getByLabel('Search sign-offs').fill('contract-01')
    await page.getByText('9 not shown by the filter').waitFor()
    await page.getByRole('checkbox', { name: 'Select Contract 10', exact: true }).check()
    await page.getByRole('button', { name: 'Sign 10 agreements …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign 10 agreements' })
    await dialog.getByLabel('Your password').waitFor()
    await expectWords(
      dialog,
      /\d+ periods of 10 agreements/,
      /[+−][\d.]+ EUR.\/.piece sum of the price changes of 5 agreements/,
      /[+−][\d.]+ USD.\/.piece sum of the price changes of 5 agreements/,
    )
    // The password is in view, however long the list.
    expect(await isInView(dialog.getByLabel('Your password'))).toBe(true)
    await examineOverlay(page, 'pages/agreements/sign-offs/sign-many-dialog.tsx')
    await dialog.getByLabel('Your password').fill(house.passwordOf('ann').password)
    await dialog.getByRole('button', { name: 'Sign 10 agreements' }).click()
    await expectWords(dialog.getByRole('status'), /^\d+ periods of 10 agreements signed\./)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('checkbox', { name: 'Select Contract 11', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Select Contract 10', exact: true }).count()).toBe(0)
    expectQuiet(ann)
  })

  test('leave the list and the selection as they are signed, before the list is asked for again', async () => {
    const { page } = ann
    await ann.open('/sign-offs?q=contract-03')
    await page.getByRole('checkbox', { name: /^Select all/ }).click()
    await page.getByRole('button', { name: 'Sign 10 agreements …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign 10 agreements' })
    const sign = dialog.getByRole('button', { name: 'Sign 10 agreements' })
    await sign.waitFor()
    const password = dialog.getByLabel('Your password')
    if ((await password.count()) > 0) await password.fill(house.passwordOf('ann').password)
    const lists = '**/console/w/demo/sign-offs?*'
    const letGo = Promise.withResolvers<void>()
    await page.route(lists, async route => {
      await letGo.promise
      await route.continue()
    })
    await sign.click()
    await expectWords(dialog.getByRole('status'), /^\d+ periods of 10 agreements signed\./)
    // Behind the dialog.
    expect(await page.locator('tr[data-key]').count()).toBe(0)
    expect(await wordsOf(page.locator('main'))).not.toMatch(/selected|not shown|nobody signed/)
    letGo.resolve()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.unrouteAll({ behavior: 'wait' })
    expectQuiet(ann)
  })

  test('show nothing of another filter while the answer is on its way', async () => {
    const { page } = ann
    await ann.open('/sign-offs?q=contract-05')
    await page.getByRole('checkbox', { name: 'Select Contract 50', exact: true }).waitFor()
    const letGo = Promise.withResolvers<void>()
    const lists = /console\/w\/demo\/(?:sign-offs|agreements)\?.*contract-04/
    await page.route(lists, async route => {
      await letGo.promise
      await route.continue()
    })
    await page.getByLabel('Search sign-offs').fill('contract-04')
    await page.getByText('Loading').first().waitFor({ state: 'attached' })
    expect(await page.getByText('Contract 5').count()).toBe(0)
    letGo.resolve()
    await page.getByRole('checkbox', { name: 'Select Contract 40', exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    expectQuiet(ann)
  })

  test('are worked through by keyboard alone: move, select, open beside, sign and go on', async () => {
    const { page } = ann
    await ann.open('/sign-offs?q=contract-02')
    const first = page.getByRole('button', { name: 'Contract 20', exact: true })
    await first.waitFor()
    // Letters that are typed are letters.
    await page.getByLabel('Search sign-offs').press('End')
    await page.keyboard.type('s')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Backspace')
    await first.waitFor()
    await page.evaluate('document.activeElement.blur()')
    for (const key of ['j', 'j', 'k', ' ']) await page.keyboard.press(key)
    await page.getByText(/^\d+ periods? selected$/).waitFor()
    expect(await page.getByRole('checkbox', { name: 'Select Contract 20', exact: true }).isChecked()).toBe(true)
    await page.keyboard.press(' ')
    await page.keyboard.press('Enter')
    const beside = (name: string) => page.getByRole('complementary', { name: `Beside the list: ${name}`, exact: true })
    await beside('Contract 20')
      .getByRole('heading', { level: 3, name: /^Adjustment/ })
      .waitFor()
    await page.keyboard.press('j')
    await beside('Contract 21').waitFor()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: 'Sign Contract 21' })
    await dialog.getByRole('button', { name: 'Sign as buyer' }).waitFor()
    // The password was given a moment ago, and the button has the focus.
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await beside('Contract 22').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('the next row').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await expect.poll(() => beside('Contract 22').count()).toBe(0)
    expectQuiet(ann)
  })
})

describe('the marked line of the inbox', () => {
  const marked = (page: Page) => page.locator('tr[data-marked]')
  const beside = (page: Page) => page.getByRole('complementary', { name: /^Beside the list/ })
  const hasFocus = (page: Page) => marked(page).locator('[data-row]:focus').count()

  /** All in one task of the browser: nothing is drawn, and nothing awaited, between them. */
  const pressAtOnce = (page: Page, keys: string) =>
    page.evaluate(`for (const key of '${keys}')
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)

  /** From now on the browser draws no frame that a page waits for. */
  const holdFrames = (page: Page) =>
    page.evaluate(
      'window.heldFrames = [window.requestAnimationFrame]; window.requestAnimationFrame = f => window.heldFrames.push(f)',
    )
  const goOnDrawing = (page: Page) =>
    page.evaluate(
      '[window.requestAnimationFrame] = window.heldFrames; window.heldFrames.slice(1).forEach(window.requestAnimationFrame)',
    )

  test('is what has the focus, what opens and what is signed, however fast the keys are', async () => {
    const { page } = ann
    await ann.open('/sign-offs')
    await page
      .getByText(/^All \d+|^\d.* the oldest first\.$/)
      .first()
      .waitFor()
    await page.getByRole('checkbox', { name: `Select all` }).first().waitFor()
    await page.evaluate('document.activeElement.blur()')
    const names = await page.locator('tr[data-key] [data-row]').allInnerTexts()
    await holdFrames(page)
    for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key)
    expect(await marked(page).locator('[data-row]').allInnerTexts()).toEqual([names[2]])
    expect(await beside(page).getByRole('heading', { level: 2 }).innerText()).toBe(names[2])
    expect(await hasFocus(page)).toBe(1)
    // Far below what is drawn.
    await pressAtOnce(page, 'j'.repeat(50))
    expect(await hasFocus(page)).toBe(1)
    const far = await marked(page).locator('[data-row]').innerText()
    expect(names.slice(0, 40)).not.toContain(far)
    expect(await beside(page).getByRole('heading', { level: 2 }).innerText()).toBe(far)
    await pressAtOnce(page, 'kks')
    const near = await marked(page).locator('[data-row]').innerText()
    expect(near).not.toBe(far)
    await goOnDrawing(page)
    await page.getByRole('dialog', { name: `Sign ${near}` }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await marked(page).locator('[data-row]').innerText()).toBe(near)
    expectQuiet(ann)
  })
})

async function isInView(locator: Locator): Promise<boolean> {
  const box = await locator.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= 900
}
