// One settled price (decision 0502): what both agreed, corrections included, is the same on every page, in every list, price
// table and check; what is not signed by both is proposed.
import { beforeAll, describe, expect, test } from 'vitest'
import type { AdjustmentPage, AgreementList, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { AgreementPriceRows } from '../../src/views/shapes/invoices.ts'
import { signCorrection } from '../support/agreements/changed-supplier.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { withMoney } from '../support/houses/priced-tenant.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const console = consoleHouse()
let seats: Seats
/** Before the correction was agreed, and its id. */
let before: string
let correction: string

const pageOf = (browser: Browser, slug = 'steel-brackets', query = '') =>
  browser.json<AgreementPage>(`/agreements/${slug}${query}`)
const periodOf = ({ entries }: AgreementPage, period: string) => entries.find(each => each.period === period)!
const list = (query = '') => seats.as.owner.json<AgreementList>(`/agreements${query}`)
const slugs = async (query: string) => (await list(query)).rows.map(({ slug }) => slug)

beforeAll(async () => {
  seats = await makeSeats(console.api)
  const { tenant, as } = seats
  const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
  await tenant.import(firstPrints)
  await tenant.apply(trueUpDocument({ parties }))
  await tenant.apply(trueUpDocument({ slug: 'unsigned-rails', parties }))
  await tenant.apply(trueUpDocument({ slug: 'due-bolts', parties }))
  for (const slug of ['steel-brackets', 'due-bolts']) await tenant.signBoth(slug, '2024-Q2')
  await tenant.import(finalMarch)
  for (const browser of [as.buyer, as.supplier]) await browser.confirm()
  const proposed = await as.buyer.post('/agreements/steel-brackets/corrections', { reason: null })
  expect(proposed.status, proposed.text).toBe(201)
  correction = (proposed.json as { id: string }).id
  await signCorrection(as.buyer, 'buyer', correction)
  before = (await as.owner.json<{ correction: { proposedAt: string } }>(`/corrections/${correction}`)).correction
    .proposedAt
  await signCorrection(as.supplier, 'supplier', correction)
})

describe('a price that an agreed correction replaced', () => {
  test('is settled on the agreement, in its period, on the adjustment and in the list, beside what was signed', async () => {
    const { as } = seats
    const page = await pageOf(as.supplier)
    const settled = { period: '2024-Q2', price: '103.50', factor: '1.035', adjustmentPct: '3.5', cumulativePct: '3.5' }
    const corrected = { ...settled, correction: { id: correction, priceBefore: '106.00', factorBefore: '1.06' } }
    expect(page.agreement.settled).toMatchObject(corrected)
    expect(periodOf(page, '2024-Q2')).toMatchObject({ price: '106.00', adjustmentPct: '6', settled: corrected })
    // Today's figures give what is settled: there is nothing to say beside it.
    expect(periodOf(page, '2024-Q2').today).toBeNull()
    const adjustment = await as.viewer.json<AdjustmentPage>('/agreements/steel-brackets/periods/2024-Q2')
    const step = { priceBefore: '100.00', price: '103.50', changePct: '3.50' }
    expect(adjustment).toMatchObject({ entry: { price: '106.00', settled: corrected, step } })
    expect(adjustment.causes).toBeNull()
    const { rows } = await list('?q=steel-brackets')
    expect(rows).toMatchObject([{ settled: corrected, last: { price: '107.00', isSigned: false, settled: null } }])
  })

  test('is the price of the table, the price files, the API and the invoice check', async () => {
    const money = await withMoney(seats.tenant)
    const prices = await seats.as.buyer.json<AgreementPriceRows>('/agreements/steel-brackets/prices')
    expect(prices).toMatchObject({ period: '2024-Q2', rows: [{ price: '103.50', status: 'AGREED' }] })
    expect(prices.periods).toMatchObject([
      { period: 'start', isSettled: true },
      { period: '2024-Q2', isSettled: true },
      { period: '2024-Q3', isSettled: false },
      { period: '2024-Q4', isSettled: false },
    ])
    const at = '/pams/steel-brackets'
    expect(await money.extJson(`${at}/prices?period=2024-Q2`)).toMatchObject({ data: [{ price: '103.50' }] })
    expect(await money.extJson(`${at}/settled?period=2024-Q2`)).toMatchObject({
      price: '103.50',
      signedPrice: '106.00',
    })
    const line = { invoice: '1', line: '1', agreement: 'steel-brackets', quantity: '1', date: '2024-05-10' }
    const lines = [{ ...line, unitPrice: '106.00', currency: 'EUR' }]
    const checked = await money.ext('/check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lines }),
    })
    expect(JSON.parse(checked.text)).toMatchObject({ data: [{ outcome: 'OVER', price: '103.50' }] })
  })

  test('is not corrected yet on the page of a moment before both had signed it', async () => {
    const page = await pageOf(seats.as.buyer, 'steel-brackets', `?knownAt=${encodeURIComponent(before)}`)
    expect(page.agreement.settled).toMatchObject({ price: '106.00', correction: null })
    expect(periodOf(page, '2024-Q2')).toMatchObject({ settled: { price: '106.00' }, today: { price: '103.50' } })
  })

  test('is settled by nothing on the page of figures published by a day: there are only the figures', async () => {
    const page = await pageOf(seats.as.buyer, 'steel-brackets', '?asOf=2024-05-01')
    expect(page.agreement).toMatchObject({ settled: null, last: { price: '106.00', isSigned: false } })
  })
})

test('an agreement of which nobody signed a period has the contract’s price, and the others are proposed', async () => {
  const { agreement, entries } = await pageOf(seats.as.owner, 'unsigned-rails')
  expect(agreement).toMatchObject({
    settled: { period: 'start', price: '100.00', correction: null },
    last: { price: '107.00' },
  })
  expect(entries.map(({ settled, isSigned }) => [settled, isSigned])).toEqual(entries.map(() => [null, false]))
})

test('a signed number that today’s figures would change says so beside what is settled', async () => {
  const page = await pageOf(seats.as.owner, 'due-bolts')
  expect(page.agreement.settled).toMatchObject({ price: '106.00', correction: null })
  expect(periodOf(page, '2024-Q2').today).toMatchObject({ price: '103.50', differenceMoney: '-2.50' })
})

describe('the list of agreements', () => {
  test('is sorted by every column over all rows', async () => {
    expect(await slugs('?sort=price')).toEqual(['unsigned-rails', 'steel-brackets', 'due-bolts'])
    expect(await slugs('?sort=-price&limit=1')).toEqual(['due-bolts'])
    expect(await slugs('?sort=-price&limit=1&after=due-bolts')).toEqual(['steel-brackets'])
    expect(await slugs('?sort=-since')).toEqual(['due-bolts', 'steel-brackets', 'unsigned-rails'])
    expect(await slugs('?sort=-name')).toEqual(['unsigned-rails', 'steel-brackets', 'due-bolts'])
  })

  test('is filtered by what agreements need', async () => {
    expect(await slugs('?state=CORRECTION_DUE')).toEqual(['due-bolts'])
    expect(await slugs('?state=CORRECTION_OPEN')).toEqual([])
    expect(await slugs('?state=DISPUTED')).toEqual([])
    const { as } = seats
    expect((await as.buyer.post('/agreements/due-bolts/corrections', { reason: null })).status).toBe(201)
    expect(await slugs('?state=CORRECTION_OPEN')).toEqual(['due-bolts'])
    const { entry } = await as.supplier.json<AdjustmentPage>('/agreements/unsigned-rails/periods/2024-Q2')
    const said = { hash: entry.hash, about: { kind: 'number' }, reason: 'another figure', reading: null }
    expect((await as.supplier.post('/agreements/unsigned-rails/periods/2024-Q2/objections', said)).status).toBe(201)
    expect(await slugs('?state=DISPUTED')).toEqual(['unsigned-rails'])
  })
})
