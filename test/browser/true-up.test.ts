// What a final figure did to signed prices, from the list of revisions to a correction that both have signed and its ledger.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse, type Visit } from './house.ts'
import { settle } from './pages.ts'
import { expectQuiet, rowsOf } from './story.ts'

let house: House
let ann: Visit
let sam: Visit
let pia: Visit

beforeAll(async () => {
  house = await openHouse()
  ;[ann, sam, pia] = await Promise.all([house.visit('ann'), house.visit('sam'), house.visit('pia')])
})
afterAll(() => house?.close())

it('lists what moved, and each person marks it as seen for themselves', async () => {
  await ann.open('/revisions?kind=SIGNED_MOVED')
  await settle(ann.page)
  const rows = await rowsOf(ann.page.getByRole('table'))
  expect(rows.slice(0, 2).map(({ Amount }) => Amount?.replace(/\s/g, ' '))).toEqual(['−200.00 EUR', '−55.68 EUR'])
  await ann.page.getByRole('button', { name: 'Mark all as seen' }).click()
  await ann.page.getByText('Nothing that matches moved').waitFor()
  await pia.open('/revisions')
  await settle(pia.page)
  expect(await pia.page.getByRole('link', { name: /Ohio Forge/ }).count()).toBe(0)
  expect(await pia.page.getByRole('link', { name: /Peach Haulage/ }).count()).toBe(1)
  expectQuiet(ann)
  expectQuiet(pia)
})

it('leads to the correction that waits, which the supplier signs with the password; the ledger has it', async () => {
  const { page, open } = sam
  await open('/revisions?q=rack')
  await page.getByRole('link', { name: 'Waits for the supplier' }).first().click()
  await page.getByText('−55.68', { exact: false }).first().waitFor()
  await page.getByRole('heading', { name: '2025-Q4, both calculations' }).waitFor()
  await page.getByRole('button', { name: 'Sign as supplier' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(house.passwordOf('sam').password)
  await dialog.getByRole('button', { name: 'Sign as supplier' }).click()
  await page.getByText('Signed by both sides').first().waitFor()
  await page.getByRole('link', { name: 'Ledger' }).first().click()
  await page.getByText('Correction agreed').waitFor()
  await page.getByText('Agreed, not yet billed').first().waitFor()
  expectQuiet(sam)
})

it('is not there for a supplier of another agreement', async () => {
  await pia.open('/formulas/rack-frames/ledger')
  await pia.page.getByText('Not found').first().waitFor()
})
