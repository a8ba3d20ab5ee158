// A workspace with five hundred contracts: one revised figure shown once with what it did, lists that scroll, and twenty
// agreements signed at once. How soon its pages appear is measured by
// `npm run bench -- pages`.
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { openHouse, type Visit } from './house.ts'
import { manyContracts } from './other-sizes.ts'
import { expectQuiet, expectWords, wordsOf } from './story.ts'

let ann: Visit

const house = ownHouse(() => openHouse({ furniture: manyContracts }))
beforeAll(async () => {
  ann = await house.visit('ann')
}, 400_000)

describe('five hundred contracts', () => {
  test('have one line for a figure that affected all of them, and counts that agree', async () => {
    const { page } = ann
    await ann.open('')
    const cause = page.locator('li').filter({ hasText: 'was 357.108, now 349.020' })
    await expectWords(cause, /→ 50\d agreements, most of all .+ 2026-Q3 from [+−][\d.]+ % to [+−]?[\d.]+ %/)
    await cause.getByRole('button', { name: /^Show/ }).click()
    await expect.poll(() => cause.locator('tbody tr').count()).toBe(12)
    await expectWords(cause, /And 4\d\d more with a smaller difference/)
    // The badge, the sentence and the list say the same, once everything is computed.
    const main = () => wordsOf(page.locator('main'))
    const badge = page.getByRole('link', { name: /^Sign-offs/ })
    const sentence = async () => /: ([\d ]+) adjustments for you to sign/.exec(await main())?.[1]
    await expect
      .poll(async () => [await sentence(), /^Sign-offs ([\d ]+) wait/.exec(await wordsOf(badge))?.[1]])
      .toSatisfy(([said, shown]) => said !== undefined && said === shown)
    const count = await sentence()
    await page.getByRole('link', { name: /^All .* sign-offs/ }).click()
    await expect.poll(main).toContain(`${count} adjustments wait for you`)
    expectQuiet(ann)
  })

  test('are searched, sorted, scrolled and exported', async () => {
    const { page } = ann
    await ann.open('/agreements')
    await page.getByText('506 agreements').waitFor()
    await page.getByRole('button', { name: 'Agreement', exact: true }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=name')
    // Down to the end: rows are drawn as needed, and only those in view exist.
    await expect
      .poll(
        async () => {
          await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
          return page.getByRole('link', { name: 'Contract 99', exact: true }).count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    expect(await page.locator('main tbody tr').count()).toBeLessThan(100)
    await page.evaluate('window.scrollTo(0, 0)')
    await page.getByLabel('Search agreements').fill('contract-12')
    await page.getByText('10 of 506 agreements').waitFor()
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
    await expect.poll(() => page.evaluate('window.printed'), { timeout: 30_000 }).toBe(506)
    await page.getByLabel('Search agreements').fill('')
    await page.getByRole('combobox', { name: 'Needs' }).click()
    await page.getByRole('option', { name: 'Needs my signature' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('WAITS_FOR_ME')
    expectQuiet(ann)
  })

  test('are signed twenty at once: each number and what all of it comes to, one password', async () => {
    const { page } = ann
    await ann.open('/sign-offs?supplier=peach-haulage&q=contract')
    await page.getByText(/adjustments wait for you/).waitFor()
    const boxes = page.getByRole('checkbox', { name: /^Pick Contract/ })
    await boxes.first().waitFor()
    const oldest = (await boxes.first().getAttribute('aria-label'))!
    const names = new Set<string>()
    for (let i = 0; names.size < 20; i++) {
      names.add(/^Pick (Contract \d+)/.exec((await boxes.nth(i).getAttribute('aria-label')) ?? '')![1]!)
      if (!(await boxes.nth(i).isChecked())) await boxes.nth(i).check()
    }
    await page.getByRole('button', { name: 'Sign 20 agreements…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign 20 agreements' })
    await expectWords(
      dialog,
      /periods? of 20 agreements\. For one unit of each, prices change by [+−][\d .]+ (?:EUR|USD) and [+−][\d .]+ (?:EUR|USD) in all\./,
    )
    await dialog.getByLabel('Your password').fill(house.passwordOf('ann').password)
    await dialog.getByRole('button', { name: 'Sign 20 agreements' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.getByRole('checkbox', { name: oldest, exact: true }).count(), { timeout: 15_000 })
      .toBe(0)
    expectQuiet(ann)
  })
})
