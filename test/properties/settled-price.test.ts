// Over random histories of signatures, revisions, corrections agreed and refused, and a change of the supplier, every place
// tells the same settled price for the same period: pages, list, chart, price table, API, invoice check. Through storage and
// the real server.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import type { AdjustmentPage, AgreementList, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { AgreementPriceRows } from '../../src/views/shapes/invoices.ts'
import type { CorrectionPage, LedgerPage } from '../../src/views/shapes/true-up.ts'
import { drawnOf } from '../../web/pages/agreements/agreement/price-course.ts'
import type { Tenant } from '../support/houses/api.ts'
import { type Browser, emails, join, makeSeats, type Seats, signIn } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { withMoney } from '../support/houses/priced-tenant.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'

const slug = 'random-parts'
const later = 'lou@later.test'
const periods = ['2024-Q2', '2024-Q3', '2024-Q4'] as const
const months = ['2024-03', '2024-06', '2024-09'] as const

const console = consoleHouse()

type Step = 'sign' | 'sign one side' | 'revise' | 'agree correction' | 'refuse correction' | 'change supplier'

interface History {
  readonly price: string
  readonly clause: string
  readonly level: string
  readonly steps: readonly (readonly [Step, number])[]
}

const history: fc.Arbitrary<History> = fc.record({
  price: fc.constantFrom('100.00', '97.65', '12.345', '24000'),
  clause: fc.constantFrom('{}', '{ basis: CHAINED, cap: { periodPct: 4 } }', '{ rounding: { price: { dp: 3 } } }'),
  level: fc.constantFrom('HEAL', 'REBASE'),
  steps: fc
    .array(
      fc.tuple(
        fc.constantFrom<Step>(
          'sign',
          'sign one side',
          'revise',
          'agree correction',
          'refuse correction',
          'change supplier',
        ),
        fc.integer({ min: 0, max: 999 }),
      ),
      { minLength: 3, maxLength: 6 },
    )
    // Something is signed and revised in each, so that there is something to correct.
    .map(steps => [['sign', 0], ['revise', 702], ['agree correction', 0], ...steps] as const),
})

function documentOf({ price, clause, level }: History, supplier: string): string {
  return `slug: ${slug}
name: Random parts
status: ACTIVE
contract:
  start: 2024-01-01
  end: 2024-12-31
  frequency: QUARTERLY
  price: { amount: ${price}, currency: EUR, unit: piece }
inputs:
  metal: { series: CUSTOM/metal, weight: 1, base: { value: 100 }, lag: 1 month }
clause: ${clause}
parties: { buyer: [${emails.buyer}], supplier: [${supplier}] }
corrections: { when: EACH, level: ${level} }
`
}

const figure = (period: string, value: string, published: string) =>
  `series,period,value,version,published,name\nCUSTOM/metal,${period},${value},FINAL,${published},Metal\n`

interface World {
  readonly given: History
  readonly seats: Seats
  readonly lou: Browser
  readonly money: Tenant
  supplier: Browser
  published: number
}

async function open(given: History): Promise<World> {
  const seats = await makeSeats(console.api)
  const { tenant, as } = seats
  await join(console.api, tenant.id, later, 'supplier')
  const lou = await signIn(console.api, later, seats.slug)
  for (const browser of [as.buyer, as.supplier, lou]) await browser.confirm()
  const first = months.map((month, i) => figure(month, `${103 + 2 * i}.3`, '2024-10-10').split('\n')[1]).join('\n')
  await tenant.import(`series,period,value,version,published,name\n${first}\n`)
  await tenant.apply(documentOf(given, emails.supplier))
  return { given, seats, lou, money: await withMoney(tenant), supplier: as.supplier, published: 0 }
}

/** What cannot be done now is left out. */
async function go(world: World, [step, drawn]: readonly [Step, number]): Promise<void> {
  const { seats, supplier } = world
  const { as, tenant } = seats
  if (step === 'revise') {
    world.published += 1
    const day = new Date(Date.UTC(2024, 10, 1 + world.published)).toISOString().slice(0, 10)
    await tenant.import(figure(months[drawn % 3]!, `${101 + (drawn % 7)}.${drawn}`, day))
    return
  }
  if (step === 'change supplier') {
    if (supplier === world.lou) return
    await tenant.apply(documentOf(world.given, later))
    world.supplier = world.lou
    return
  }
  if (step === 'sign' || step === 'sign one side') {
    const { entries } = await as.buyer.json<AgreementPage>(`/agreements/${slug}`)
    const open = entries.find(({ isSigned }) => !isSigned)
    if (open === undefined) return
    await signThrough(as.buyer, 'buyer', open.period)
    if (step === 'sign') await signThrough(supplier, 'supplier', open.period)
    return
  }
  const proposed = await as.owner.post(`/agreements/${slug}/corrections`, { reason: null })
  if (proposed.status !== 201) return
  const { id } = proposed.json as { id: string }
  const { hash } = (await as.owner.json<CorrectionPage>(`/corrections/${id}`)).correction
  if (step === 'refuse correction') await as.buyer.post(`/corrections/${id}/refuse`, { hash, reason: 'no' })
  // Of a former supplier's periods that one signs.
  else
    for (const [browser, party] of [
      [as.buyer, 'buyer'],
      [as.supplier, 'supplier'],
      [world.lou, 'supplier'],
    ] as const)
      await browser.post(`/corrections/${id}/sign`, { party, hash })
}

async function signThrough(browser: Browser, party: string, period: string): Promise<void> {
  const path = `/agreements/${slug}/periods/${period}`
  const { signing } = await browser.json<AdjustmentPage>(path)
  if (signing.as !== party) return
  const shown = signing.periods.map(each => ({ period: each.period, hash: each.hash }))
  const { status, text } = await browser.post(`${path}/sign`, { party, periods: shown })
  expect(status, text).toBe(200)
}

type Prices = Readonly<Record<string, string | null>>

/** By period, as both agreed it; null where they did not. */
const settledOn = ({ entries }: AgreementPage): Prices =>
  Object.fromEntries(entries.map(({ period, settled }) => [period, settled?.price ?? null]))

/** What they signed, replaced by each agreed correction in its order: from receipts and corrections alone. */
async function agreedByHand({ seats, money }: World): Promise<Prices> {
  const { corrections } = await seats.as.owner.json<LedgerPage>(`/agreements/${slug}/ledger`)
  const agreed = corrections.filter(({ state }) => state === 'AGREED').sort((a, b) => (a.id < b.id ? -1 : 1))
  const found: Record<string, string | null> = {}
  for (const period of periods) {
    const { data } = await money.extJson<{ data: { status: string; price: string }[] }>(
      `/pams/${slug}/prices?period=${period}`,
    )
    const settled = await money.ext(`/pams/${slug}/settled?period=${period}`)
    const signed = settled.status === 200 ? (JSON.parse(settled.text) as { signedPrice: string }).signedPrice : null
    const last = agreed.flatMap(each => each.periods).findLast(each => each.period === period)
    found[period] = signed === null ? null : (last?.priceAfter ?? signed)
    expect(data[0]!.status === 'AGREED', period).toBe(signed !== null)
    if (signed !== null) expect([period, data[0]!.price]).toEqual([period, found[period]])
  }
  return found
}

async function compare(world: World): Promise<void> {
  const { seats, money } = world
  const { as } = seats
  const expected = await agreedByHand(world)
  const page = await as.buyer.json<AgreementPage>(`/agreements/${slug}`)
  expect(settledOn(page)).toEqual(expected)
  const newest = periods.findLast(period => expected[period] !== null)
  const inForce = newest === undefined ? page.agreement.settled!.price! : expected[newest]!
  expect(page.agreement.settled).toMatchObject({ period: newest ?? 'start', price: inForce })
  const { rows } = await as.viewer.json<AgreementList>('/agreements?sort=-price')
  expect(rows[0]!.settled).toEqual(page.agreement.settled)
  const { agreement, entries, contract } = page
  const { price, settled } = agreement
  const drawn = drawnOf({ entries, settled, price, contract, shown: 'price', isLater: false, today: '2026-01-01' })
  expect(drawn.settled.at(-1)!.place).toBe(Number.parseFloat(inForce))
  expect(drawn.proposed.length).toBe(periods.filter(period => expected[period] === null).length)
  for (const { period, adjustmentDate } of entries) {
    const sheet = await as.viewer.json<AdjustmentPage>(`/agreements/${slug}/periods/${period}`)
    expect([period, sheet.entry.settled?.price ?? null]).toEqual([period, expected[period]])
    const table = await as.buyer.json<AgreementPriceRows>(`/agreements/${slug}/prices?date=${adjustmentDate}`)
    const isSettled = expected[period] !== null
    expect(table.periods.find(each => each.period === period)?.isSettled).toBe(isSettled)
    if (!isSettled) continue
    expect(table.rows).toMatchObject([{ price: expected[period] }])
    const line = { invoice: period, line: '1', agreement: slug, quantity: '1', unitPrice: '1.00', currency: 'EUR' }
    const checked = await money.ext('/check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lines: [{ ...line, date: adjustmentDate }] }),
    })
    expect(JSON.parse(checked.text)).toMatchObject({ data: [{ price: expected[period] }] })
  }
  await compareInForce(world, newest ?? 'start', inForce)
  // Either supplier sees what is its own, and what it sees is the same.
  for (const browser of [as.supplier, world.lou]) {
    const reply = await browser.get(`/agreements/${slug}`)
    if (reply.status !== 200) continue
    const own = settledOn(reply.json as AgreementPage)
    for (const [period, price] of Object.entries(own))
      if (price !== null) expect([period, price]).toEqual([period, expected[period]])
  }
}

/** On the last day of the contract: the routes and the page, with what is proposed beside the price in force. */
async function compareInForce({ seats, money }: World, period: string, price: string): Promise<void> {
  const day = '2024-12-31'
  const own = await money.extJson<ExtWire<'PriceList'>>(`/pams/${slug}/prices?date=${day}`)
  expect(own.data).toMatchObject([{ period, price, status: 'AGREED', inForceUntil: day }])
  const { data } = await money.extJson<ExtWire<'PriceList'>>(`/pams/${slug}/prices?period=2024-Q4`)
  const proposed = data.find(({ status }) => status !== 'AGREED')
  expect(own.data[0]!.proposed).toEqual(
    proposed === undefined ? null : { period: '2024-Q4', price: proposed.price, status: proposed.status },
  )
  const all = await money.extJson<ExtWire<'PriceList'>>(`/prices?date=${day}`)
  expect(all.data).toEqual(own.data)
  const page = await seats.as.buyer.json<AgreementPriceRows>(`/agreements/${slug}/prices`)
  expect([page.inForceOn, page.rows]).toEqual([day, own.data])
}

test('every place tells the same settled price, now and as it stood', async () => {
  await fc.assert(
    fc.asyncProperty(history, async given => {
      const world = await open(given)
      const { as } = world.seats
      const stood: { readonly at: string; readonly told: Prices }[] = []
      for (const step of given.steps) {
        await go(world, step)
        stood.push({
          at: new Date().toISOString(),
          told: settledOn(await as.buyer.json<AgreementPage>(`/agreements/${slug}`)),
        })
      }
      expect(stood[2]!.told['2024-Q2'], 'the first correction is agreed').not.toBe(stood[0]!.told['2024-Q2'])
      await compare(world)
      for (const { at, told } of stood)
        expect(settledOn(await as.buyer.json<AgreementPage>(`/agreements/${slug}?knownAt=${at}`))).toMatchObject(told)
    }),
    { numRuns: roundsOf('properties', 'histories of settled prices', 1, 20), seed: seedOr(27) },
  )
})
