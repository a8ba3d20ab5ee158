// The step that is shown (decision 0830): from what is paid, or what is proposed before a period, to its price; the percent is of these
// two, and one sentence says what lies between.
import { beforeAll, describe, expect, test } from 'vitest'
import type { AdjustmentPage, AgreementList, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { Inbox, PeriodsRow, ToSign } from '../../src/views/shapes/inbox.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import { formatAdjustment, formatGround } from '../../web/components/words/step-words.ts'
import { signCorrection } from '../support/agreements/changed-supplier.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const console = consoleHouse()
let seats: Seats
const slugs = { HEAL: 'healed-brackets', REBASE: 'rebased-brackets' } as const

beforeAll(async () => {
  seats = await makeSeats(console.api)
  const { tenant, as } = seats
  const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
  await tenant.import(firstPrints)
  for (const level of ['HEAL', 'REBASE'] as const) {
    const corrections = `{ when: FINAL, level: ${level} }`
    await tenant.apply(trueUpDocument({ slug: slugs[level], parties, corrections, clause: '{ basis: CHAINED }' }))
    await tenant.signBoth(slugs[level], '2024-Q2')
  }
  await tenant.import(finalMarch)
  for (const browser of [as.buyer, as.supplier]) await browser.confirm()
  for (const slug of Object.values(slugs)) {
    const proposed = await as.buyer.post(`/agreements/${slug}/corrections`, { reason: null })
    expect(proposed.status, proposed.text).toBe(201)
    const { id } = proposed.json as { id: string }
    await signCorrection(as.buyer, 'buyer', id)
    await signCorrection(as.supplier, 'supplier', id)
  }
})

const sheet = (browser: Browser, slug: string, period: string, query = '') =>
  browser.json<AdjustmentPage>(`/agreements/${slug}/periods/${period}${query}`)

async function rowOf(browser: Browser, slug: string, side: 'mine' | 'others'): Promise<PeriodsRow> {
  const inbox = await eventually(
    () => browser.json<Inbox>('/sign-offs'),
    ({ pending }) => pending === 0,
  )
  return inbox[side].rows.find((row): row is PeriodsRow => row.kind === 'periods' && row.slug === slug)!
}

const wordsOf = ({ periods, ground }: Pick<PeriodsRow, 'periods' | 'ground'>) => formatGround(periods.at(-1)!, ground)

/** Row, dialog, page, list and first page of the newest period, in words. */
async function toldOf(browser: Browser, slug: string, period: string, side: 'mine' | 'others') {
  const asked = await browser.post('/sign-offs/to-sign', { agreements: [{ slug, through: period }] })
  const { entry } = await sheet(browser, slug, period)
  const { rows } = await browser.json<AgreementList>(`/agreements?q=${slug}`)
  const { waiting } = await browser.json<Overview>('/overview')
  const first = waiting.find(each => each.slug === slug && each.entry.period === period)
  return {
    row: wordsOf(await rowOf(browser, slug, side)),
    dialog: (asked.json as ToSign).agreements.map(wordsOf),
    page: formatGround(entry.step, entry.ground),
    list: rows.map(({ last }) => formatGround(last!.step, last!.ground)),
    first: first === undefined ? null : formatGround(first.entry.step, first.entry.ground),
  }
}

describe('after an agreed correction', () => {
  const healed = '103.50 settled → 105.00: +1.45\u202f%. The path goes on from 106.00 as the contract says (HEAL).'

  test('under HEAL the next step goes from what is paid, and says what the contract goes on from', async () => {
    const { as } = seats
    const { entry, pathPrice, signing } = await sheet(as.buyer, slugs.HEAL, '2024-Q3')
    expect(entry.step).toEqual({ priceBefore: '103.50', price: '105.00', changePct: '1.45' })
    expect(formatGround(entry.step, entry.ground)).toBe(healed)
    // The number of the contract, which is signed, is what it was: its parts are points of the path.
    expect([entry.adjustmentPct, pathPrice]).toEqual(['-0.9434', '106.00'])
    expect(formatAdjustment(entry.step, entry.adjustmentPct)).toBe(
      'the adjustment under the contract is −0.9434\u202f%',
    )
    expect(signing.periods.map(({ step }) => step)).toEqual([entry.step])
    const row = await rowOf(as.buyer, slugs.HEAL, 'mine')
    expect(row.periods[0]).toMatchObject({ ...entry.step, settled: '103.50', paidPct: '1.45' })
  })

  test('under REBASE it goes on from the settled price, and there is nothing more to say', async () => {
    const { entry, pathPrice } = await sheet(seats.as.buyer, slugs.REBASE, '2024-Q3')
    expect([entry.step.priceBefore, pathPrice, entry.ground]).toEqual(['103.50', '103.50', null])
    expect(await rowOf(seats.as.buyer, slugs.REBASE, 'mine')).toMatchObject({
      periods: [{ priceBefore: '103.50' }, {}],
    })
  })

  test('the list says the change on the settled price beside it, and the page of figures alone says none', async () => {
    const { as } = seats
    const page = await as.viewer.json<AgreementPage>(`/agreements/${slugs.HEAL}`)
    const { last, settledPct } = page.agreement
    expect(last!.ground!.paidPct).toBe('3.38')
    expect([page.agreement.settled!.price, last!.price, settledPct]).toEqual(['103.50', '107.00', '3.50'])
    const past = await sheet(as.viewer, slugs.HEAL, '2024-Q4', '?asOf=2024-11-01')
    expect([past.entry.settled, past.entry.ground]).toEqual([null, null])
  })
})

describe('a step after one that only one side signed', () => {
  const between = (signed: string) =>
    `103.50 settled → 105.00 (2024-Q3, ${signed}) → 107.00 · +1.90\u202f% on 2024-Q3, +3.38\u202f% on what is paid. The path goes on from 106.00 as the contract says (HEAL).`

  beforeAll(async () => {
    await seats.tenant.sign(slugs.HEAL, '2024-Q3', 'buyer')
  })

  test('goes from what is proposed, with the same words everywhere, for each side in its own', async () => {
    const { as } = seats
    const told = (signed: string, dialog: readonly string[]) => {
      const words = between(signed)
      return { row: words, dialog, page: words, list: [words], first: words }
    }
    const buyer = await toldOf(as.buyer, slugs.HEAL, '2024-Q4', 'mine')
    expect(buyer).toEqual(told('signed by you', [between('signed by you')]))
    const supplier = await toldOf(as.supplier, slugs.HEAL, '2024-Q4', 'mine')
    expect(supplier).toEqual(told('part of this signature', [between('part of this signature')]))
    expect(await toldOf(as.viewer, slugs.HEAL, '2024-Q4', 'others')).toEqual(told('signed by the buyer', []))
  })

  test('goes from what is settled once both have signed that; what was signed keeps saying what it went on from', async () => {
    const { as, tenant } = seats
    await tenant.sign(slugs.HEAL, '2024-Q3', 'supplier')
    const { entry } = await sheet(as.buyer, slugs.HEAL, '2024-Q4')
    expect(entry).toMatchObject({ step: { priceBefore: '105.00', price: '107.00', changePct: '1.90' }, ground: null })
    const signed = (await sheet(as.supplier, slugs.HEAL, '2024-Q3')).entry
    expect(formatGround(signed.step, signed.ground)).toBe(
      '103.50 settled → 105.00: +1.45\u202f%. The path goes on from 106.00 as the contract says (HEAL).',
    )
  })
})

test('a price that was renegotiated begins its own steps', async () => {
  const { as, tenant } = seats
  const slug = 'renegotiated-rails'
  const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
  await tenant.apply(trueUpDocument({ slug, parties }))
  await tenant.signBoth(slug, '2024-Q2')
  const next = trueUpDocument({ slug, parties, contract: '  restart: true\n' }).replace(
    'amount: 100.00',
    'amount: 80.00',
  )
  await tenant.apply(`${next}effectiveFrom: 2024-09-01\n`)
  const page = await as.buyer.json<AgreementPage>(`/agreements/${slug}`)
  const steps = page.entries.map(({ period, step, ground }) => [period, step.priceBefore, step.price, ground])
  expect(steps[0]!.slice(1, 3)).toEqual(['100.00', '103.50'])
  expect(steps.at(-1)![1]).toBe('80.00')
  expect(steps.at(-1)![3]).toBeNull()
})
