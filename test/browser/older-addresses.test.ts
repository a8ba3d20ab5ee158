// Addresses that people have bookmarked, or that are in mails sent before the pages of agreements had their present ones.
import { expect, test } from 'vitest'
import { oneOf } from '../support/run/long-form.ts'
import type { House } from './house.ts'
import { settle } from './pages.ts'
import { shareHouse } from './reading-house.ts'
import { expectQuiet } from './story.ts'

let house: House

shareHouse(async shared => {
  house = shared
})

const older = [
  '/formulas',
  '/formulas?status=ACTIVE&sort=-name',
  '/formulas/new?template=cpi-cap',
  '/formulas/steel-brackets',
  '/formulas/steel-brackets?asOf=2026-01-31#periods',
  '/formulas/steel-brackets/edit',
  '/formulas/steel-brackets/versions',
  '/formulas/steel-brackets/compare',
  '/formulas/steel-brackets/periods/2026-Q1',
  '/formulas/steel-tubes/ledger',
]

test('an older address arrives at the page of today, with its parameters and its place on the page', async () => {
  const visit = await house.visit('olga')
  const { page } = visit
  // One rule leads all of them on: with parameters and a place on the page, and with neither.
  for (const address of oneOf(5, older, 1)) {
    await page.goto(`${house.address}/w/demo${address}`)
    await settle(page)
    const { pathname, search, hash } = new URL(page.url())
    expect(`${pathname}${search}${hash}`).toBe(`/w/demo${address.replace('/formulas', '/agreements')}`)
    expect(await page.getByRole('heading', { level: 1, name: 'Not found' }).count()).toBe(0)
  }
  expectQuiet(visit)
})
