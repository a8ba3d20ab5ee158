// A workspace with five hundred contracts: lists that are there at once and scroll, and twenty agreements signed in one act.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse, type Visit } from './house.ts'
import { settle } from './pages.ts'
import { expectQuiet, plain } from './story.ts'

const contracts = 500
/** All of them are checked and computed by the command. */
const seedingMs = 400_000

let house: House
let folder: string
let ann: Visit

const documentOf = (number: number) => `slug: contract-${`${number}`.padStart(3, '0')}
name: Contract ${number}
status: ACTIVE
contract: { start: 2026-03-01, frequency: QUARTERLY, price: { amount: ${10 + number}.00, currency: ${number % 2 === 0 ? 'EUR' : 'USD'}, unit: piece, round: { dp: 2 } } }
parties: { buyer: [ann@buyer.test], supplier: ${number % 3 === 0 ? 'peach-haulage' : 'ohio-forge'} }
inputs:
  steel: { series: BLS/WPU101, weight: 0.${50 + (number % 40)}, base: 2025-11, lag: 4 months }
clause: { fixed: 0.${50 - (number % 40)}, rounding: { total: { dp: 2 } } }
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-many-'))
  house = await openHouse()
  for (let number = 1; number <= contracts; number++)
    await writeFile(join(folder, `${`${number}`.padStart(3, '0')}.yaml`), documentOf(number))
  await house.command('pam', 'apply', folder, '--workspace', 'demo')
  ann = await house.visit('ann')
}, seedingMs)
afterAll(async () => {
  await house?.close()
  await rm(folder, { recursive: true, force: true })
})

/** How long a page takes to show what it came for, once its program is there. Told, not judged: the machine has other work. */
async function timeOf(path: string, ready: string): Promise<number> {
  const { page, open } = ann
  await open(path)
  await page.locator(ready).first().waitFor()
  await expect.poll(() => page.locator('main').innerText(), { timeout: 60_000 }).not.toContain('still being worked out')
  const begun = performance.now()
  await open(path)
  await page.locator(ready).first().waitFor()
  return performance.now() - begun
}

describe('five hundred contracts', () => {
  it('are listed, searched, sorted and exported', async () => {
    const { page } = ann
    const times: Record<string, number> = {}
    for (const [path, ready] of [
      ['', 'main table tbody tr'],
      ['/formulas', 'main table tbody tr'],
      ['/sign-offs', 'main table tbody tr'],
    ] as const)
      times[path] = Math.round(await timeOf(path, ready))
    process.stdout.write(`with ${contracts} contracts, in ms: ${JSON.stringify(times)}\n`)

    await ann.open('/formulas')
    await page.getByText('504 formulas').waitFor()
    await page.getByRole('button', { name: 'Formula', exact: true }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=name')
    // Down to the end: rows come as they are needed, and only those in sight are there.
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

    await page.getByLabel('Search formulas').fill('contract-12')
    await page.getByText('10 of 504 formulas').waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect([download.suggestedFilename(), lines.length]).toEqual(['demo-formulas.csv', 11])
    await page.getByLabel('Search formulas').fill('')
    await page.getByLabel('State').click()
    await page.getByRole('option', { name: 'Waits for me' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('WAITS_FOR_ME')
    expectQuiet(ann)
  })

  it('are signed many at once: each number and what all of it comes to, one password', async () => {
    const { page } = ann
    await ann.open('/sign-offs?q=contract-00')
    await settle(page)
    await page.getByText(/adjustments wait for you/).waitFor()
    await page.getByLabel('Pick all').check()
    await page.getByRole('button', { name: 'Sign 9 agreements…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign 9 agreements' })
    expect(plain(await dialog.innerText())).toMatch(
      /periods? of 9 agreements\. For one unit of each, prices change by [+−]\d+\.\d+ (?:EUR|USD) and [+−]\d+\.\d+ (?:EUR|USD) in all\./,
    )
    await dialog.getByLabel('Your password').fill(house.passwordOf('ann').password)
    await dialog.getByRole('button', { name: 'Sign 9 agreements' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Nothing waits for you.').waitFor()

    // Twenty more, within the five minutes of the password.
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
    const many = page.getByRole('dialog', { name: 'Sign 20 agreements' })
    await many.getByRole('button', { name: 'Sign 20 agreements' }).click()
    await many.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.getByRole('checkbox', { name: oldest, exact: true }).count(), { timeout: 15_000 })
      .toBe(0)
    expectQuiet(ann)
  })
})
