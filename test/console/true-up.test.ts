// The console about revisions, corrections and ledgers: what each supplier is shown of them, what a person has seen, and a
// correction that is proposed, signed by password and billed from pages.
import { beforeAll, describe, expect, test } from 'vitest'
import type { CorrectionPage, LedgerPage, Revisions } from '../../src/views/shapes/true-up.ts'
import { askUntilKnown, type Browser, emails, join, makeSeats, type Seats, signIn } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const strangers = ['pat@other.test', 'kim@third.test'] as const

let seats: Seats
let pat: Browser
let kim: Browser

const console = consoleHouse()
beforeAll(async () => {
  seats = await makeSeats(console.api)
  const { tenant, slug } = seats
  for (const email of strangers) await join(console.api, tenant.id, email, 'supplier')
  pat = await signIn(console.api, strangers[0], slug)
  kim = await signIn(console.api, strangers[1], slug)
  await tenant.import(firstPrints)
  const of = (supplier: string) => `{ buyer: [${emails.buyer}], supplier: [${supplier}] }`
  await tenant.apply(trueUpDocument({ parties: of(emails.supplier) }))
  await tenant.apply(trueUpDocument({ slug: 'pats-rails', parties: of(strangers[0]) }))
  await tenant.apply(trueUpDocument({ slug: 'kims-bolts', parties: of(strangers[1]) }))
  await tenant.signBoth('steel-brackets', '2024-Q3', { through: true })
  await tenant.import(finalMarch)
})

const revisions = (browser: Browser, query = '') => askUntilKnown<Revisions>(browser, `/revisions${query}`)
const agreementsOf = async (browser: Browser) => [
  ...new Set((await revisions(browser)).rows.map(({ agreement }) => agreement)),
]

describe('revisions', () => {
  test('are none since a moment after the newest entry, also one that has not come yet', async () => {
    for (const since of [new Date().toISOString(), '2099-01-01'])
      expect(await revisions(seats.as.owner, `?since=${since}`)).toMatchObject({ count: 0, rows: [] })
  })

  test('are those of the agreements a person sees', async () => {
    expect((await agreementsOf(seats.as.owner)).sort()).toEqual(['kims-bolts', 'pats-rails', 'steel-brackets'])
    expect(await agreementsOf(seats.as.supplier)).toEqual(['steel-brackets'])
    expect(await agreementsOf(pat)).toEqual(['pats-rails'])
    expect(await agreementsOf(kim)).toEqual(['kims-bolts'])
    const { kinds, count, agreements } = await revisions(kim)
    expect({ kinds, count, agreements }).toMatchObject({ count: 1, agreements: 1, kinds: { OPEN_MOVED: 1 } })
  })

  test('are filtered by kind and by words', async () => {
    const { rows } = await revisions(seats.as.owner, '?kind=SIGNED_MOVED')
    expect(rows).toMatchObject([{ agreement: 'steel-brackets', period: '2024-Q2', points: '-2.5', policy: 'DUE' }])
    expect((await revisions(seats.as.owner, '?q=rails')).rows.map(({ agreement }) => agreement)).toEqual(['pats-rails'])
  })

  test('are new to each person until that person has marked them as seen', async () => {
    const { until } = await revisions(seats.as.viewer)
    expect((await seats.as.viewer.post('/revisions/seen', { until })).status).toBe(204)
    expect(await revisions(seats.as.viewer)).toMatchObject({ count: 0, seenUntil: until, since: until })
    expect((await revisions(seats.as.owner)).count).toBe(3)
    await seats.as.viewer.post('/revisions/seen', { until: null })
    expect((await revisions(seats.as.viewer)).count).toBe(3)
  })
})

describe('a correction', () => {
  test('is proposed, signed by both and seen by nobody else', async () => {
    const { as } = seats
    expect((await as.viewer.post('/agreements/steel-brackets/corrections', { reason: null })).status).toBe(403)
    expect((await pat.post('/agreements/steel-brackets/corrections', { reason: null })).status).toBe(404)
    const { status, json } = await as.buyer.post('/agreements/steel-brackets/corrections', { reason: null })
    expect(status).toBe(201)
    const { id } = json as { id: string }
    const look = (browser: Browser) => browser.json<CorrectionPage>(`/corrections/${id}`)
    const page = await look(as.buyer)
    expect(page).toMatchObject({
      correction: { state: 'PROPOSED', net: null, periods: [{ period: '2024-Q2', factorAfter: '1.035' }] },
      sheets: [{ period: '2024-Q2', before: { price: '106.00' }, after: { price: '103.50' } }],
      signing: { as: 'buyer' },
    })
    expect(page.sentence).toContain('CUSTOM/metal for 2024-03 was 106.0 and is now 103.5 (FINAL)')
    for (const browser of [pat, kim]) {
      expect((await browser.get(`/corrections/${id}`)).status).toBe(404)
      expect((await browser.get('/agreements/steel-brackets/ledger')).status).toBe(404)
      expect(
        (await browser.post(`/corrections/${id}/refuse`, { hash: page.correction.hash, reason: 'no' })).status,
      ).toBe(404)
    }
    const { hash } = page.correction
    const sign = (browser: Browser, party: string, shown = hash) =>
      browser.post(`/corrections/${id}/sign`, { party, hash: shown })
    expect((await sign(as.supplier, 'buyer')).status).toBe(403)
    for (const [browser, party] of [
      [as.buyer, 'buyer'],
      [as.supplier, 'supplier'],
    ] as const) {
      await browser.confirm()
      expect((await sign(browser, party, 'f'.repeat(64))).status).toBe(409)
      expect((await sign(browser, party)).status).toBe(200)
    }
    expect(await look(as.viewer)).toMatchObject({ correction: { state: 'AGREED' }, signing: { as: null } })
    const [row] = (await revisions(as.owner, '?kind=SIGNED_MOVED')).rows
    expect(row).toMatchObject({ policy: 'NONE', correction: { id, state: 'AGREED' } })
  })

  test('is in the ledger, which is as it stood at any moment', async () => {
    const { as } = seats
    const now = await as.supplier.json<LedgerPage>('/agreements/steel-brackets/ledger')
    expect(now).toMatchObject({
      ledger: { agreement: 'steel-brackets', balances: { entitled: '0.00' }, open: { due: '0.00' } },
      corrections: [{ state: 'AGREED' }],
      knownAt: null,
      mayPropose: false,
    })
    const at = now.corrections[0]!.proposedAt
    const then = await as.supplier.json<LedgerPage>(
      `/agreements/steel-brackets/ledger?knownAt=${encodeURIComponent(at)}`,
    )
    expect(then).toMatchObject({ knownAt: at, corrections: [{ state: 'PROPOSED' }] })
  })

  test('is not proposed where nothing is due', async () => {
    const { status, json } = await seats.as.buyer.post('/agreements/pats-rails/corrections', { reason: null })
    expect(status).toBe(409)
    expect(JSON.stringify(json)).toContain('nothing is due')
  })
})
