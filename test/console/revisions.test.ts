// Revisions by cause and in money, what is due proposed and signed at once, and the ledgers of all agreements: for buyer, supplier
// and auditor.
import { beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { Library } from '../../src/read/library.ts'
import { TrueUpLists } from '../../src/read/true-up-lists.ts'
import type {
  CorrectionPage,
  DueCorrections,
  LedgerPage,
  LedgersPage,
  ProposedMany,
  Revisions,
} from '../../src/views/shapes/true-up.ts'
import { askUntilKnown, type Browser, emails, join, makeSeats, type Seats, signIn } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { keepLines } from '../support/houses/priced-tenant.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const other = 'pat@rails.test'
const oil = `series,period,value,version,published,name
CUSTOM/oil,2023-12,100.0,FINAL,2024-01-15,Crude oil
CUSTOM/oil,2024-03,104.0,FINAL,2024-04-10,Crude oil
CUSTOM/oil,2024-06,105.0,FINAL,2024-07-10,Crude oil
CUSTOM/gas,2023-12,100.0,FINAL,2024-01-15,Gas
CUSTOM/gas,2024-03,104.0,PRELIMINARY,2024-04-10,Gas
`
const revisedOil =
  'series,period,value,version,published\nCUSTOM/oil,2024-03,105.5,REVISED,2024-08-20\nCUSTOM/gas,2024-03,104.5,PRELIMINARY,2024-08-20\n'

let seats: Seats
let pat: Browser

const console = consoleHouse()
beforeAll(async () => {
  seats = await makeSeats(console.api)
  const { tenant, slug } = seats
  await join(console.api, tenant.id, other, 'supplier')
  pat = await signIn(console.api, other, slug)
  await tenant.import(firstPrints)
  await tenant.import(oil)
  const of = (supplier: string) => `{ buyer: [${emails.buyer}], supplier: [${supplier}] }`
  const each = '{ when: EACH }'
  const minimum = '{ amount: 500.00, below: KEEP }'
  const agreements = [
    { slug: 'brackets', series: 'metal', supplier: emails.supplier, corrections: '{ when: FINAL }' },
    { slug: 'tubes', series: 'metal', supplier: emails.supplier, corrections: each },
    { slug: 'rails', series: 'metal', supplier: other, corrections: each },
    { slug: 'silent', series: 'metal', supplier: other, corrections: null },
    { slug: 'small', series: 'metal', supplier: emails.supplier, corrections: `{ when: EACH, min: ${minimum} }` },
    { slug: 'fuel', series: 'oil', supplier: emails.supplier, corrections: each },
    { slug: 'heating', series: 'oil', supplier: emails.supplier, corrections: each },
    { slug: 'waiting', series: 'gas', supplier: emails.supplier, corrections: '{ when: FINAL }' },
  ]
  for (const { slug: own, series, supplier, corrections } of agreements) {
    const text = trueUpDocument({ slug: own, parties: of(supplier), corrections })
    await tenant.apply(text.replace('CUSTOM/metal', `CUSTOM/${series}`))
    await tenant.sign(own, '2024-Q2', 'buyer')
    await tenant.sign(own, '2024-Q2', 'supplier', { email: supplier })
  }
  const billed = { line: '1', quantity: '100', currency: 'EUR', date: '2024-05-10' }
  await keepLines(tenant, [
    ...['brackets', 'tubes', 'rails', 'small'].map(own => ({
      ...billed,
      agreement: own,
      item: own,
      invoice: `${own}-1`,
      unitPrice: '106.00',
    })),
    ...['fuel', 'waiting'].map(own => ({
      ...billed,
      agreement: own,
      item: own,
      invoice: `${own}-1`,
      unitPrice: '104.00',
    })),
  ])
  await tenant.import(finalMarch)
  await tenant.import(revisedOil)
})

const revisions = (browser: Browser, query = '') => askUntilKnown<Revisions>(browser, `/revisions${query}`)
const due = (browser: Browser, query = '') => askUntilKnown<DueCorrections>(browser, `/revisions/due${query}`)
const ledgers = (browser: Browser) => askUntilKnown<LedgersPage>(browser, '/ledgers')
const flow = (from: string, to: string, amount: string) => ({ from, to, amount, currency: 'EUR' })

describe('revisions', () => {
  test('are grouped by the index value that did it, with the money that each side pays, by what becomes of it', async () => {
    const { causes, causeCount, money, mayPropose } = await revisions(seats.as.buyer)
    expect(causeCount).toBe(3)
    expect(causes[0]).toMatchObject({
      figure: {
        series: 'CUSTOM/metal',
        name: 'Metal',
        period: '2024-03',
        before: '106.0',
        after: '103.5',
        tag: 'FINAL',
      },
      agreements: 5,
      kinds: { SIGNED_MOVED: 5 },
      money: [
        {
          state: 'DUE',
          agreements: 3,
          flows: [flow(emails.supplier, seats.slug, '500.00'), flow(other, seats.slug, '250.00')],
        },
        { state: 'UNDER_MINIMUM', agreements: 1, flows: [flow(emails.supplier, seats.slug, '250.00')] },
        { state: 'NO_POLICY', agreements: 1, withoutAmount: 1, flows: [] },
      ],
    })
    expect(causes[1]).toMatchObject({
      figure: { name: 'Crude oil', before: '104.0', after: '105.5', tag: 'REVISED' },
      money: [{ state: 'DUE', agreements: 2, withoutAmount: 1, flows: [flow(seats.slug, emails.supplier, '150.00')] }],
    })
    expect(causes[2]).toMatchObject({
      figure: { name: 'Gas', before: '104.0', after: '104.5', tag: 'PRELIMINARY' },
      money: [{ state: 'WAITING_FOR_FINAL', agreements: 1, flows: [flow(seats.slug, emails.supplier, '50.00')] }],
    })
    expect(money[0]).toMatchObject({
      state: 'DUE',
      agreements: 5,
      // What goes one way is not taken off what goes the other way.
      flows: [
        flow(emails.supplier, seats.slug, '500.00'),
        flow(other, seats.slug, '250.00'),
        flow(seats.slug, emails.supplier, '150.00'),
      ],
    })
    expect(mayPropose).toBe(true)
  })

  test('expand to the agreements of a cause, and show each supplier its own', async () => {
    const { causes } = await revisions(seats.as.buyer)
    const query = `?cause=${encodeURIComponent(causes[1]!.key)}`
    const { rows, count, agreements } = await revisions(seats.as.buyer, query)
    expect(rows.map(({ agreement }) => agreement)).toEqual(['fuel', 'heating'])
    expect([count, agreements]).toEqual([2, 2])
    const pats = await revisions(pat)
    expect(pats.causes).toMatchObject([{ figure: { name: 'Metal' }, agreements: 2 }])
    expect(pats.money.find(({ state }) => state === 'DUE')?.flows).toEqual([flow(other, seats.slug, '250.00')])
  })

  test('are answered from memory: one publication is computed again for its readers alone', async () => {
    const { tenant } = seats
    const seals = new Seal(console.api.ring).rows
    const library = new Library(console.api.sql, 64 * 1024 * 1024, { seals, report: () => {} })
    const ask = async () => {
      const before = library.computed
      const { newest } = await library.moments.of(tenant.id)
      const time = { since: '2024-01-01T00:00:00.000000Z', until: newest, day: parseDay('2024-12-01')! }
      // What one answer has no time for comes with the next.
      for (;;) {
        const { answers, updating } = await library.trueUpLists.moves(tenant.id, time, null)
        if (updating === 0) return { agreements: answers.size, computed: library.computed - before }
      }
    }
    const whole = { agreements: 8 }
    expect(await ask()).toEqual({ ...whole, computed: 8 })
    expect(await ask()).toEqual({ ...whole, computed: 0 })
    const notice = { seq: 1, scope: tenant.id, kind: 'observations' as const }
    library.changes.entered({ ...notice, subject: await tenant.seriesId('CUSTOM/oil') })
    expect(await ask()).toEqual({ ...whole, computed: 2 })
  })
})

describe('what is due', () => {
  test('is listed for those who may propose it, with the side they sign for', async () => {
    const all = await due(seats.as.buyer)
    expect(all.rows.map(({ slug, as, net, periods }) => [slug, as, net, periods.join()])).toEqual([
      ['brackets', 'buyer', '-250.00', '2024-Q2'],
      ['rails', 'buyer', '-250.00', '2024-Q2'],
      ['tubes', 'buyer', '-250.00', '2024-Q2'],
      ['fuel', 'buyer', '150.00', '2024-Q2'],
      ['heating', 'buyer', null, '2024-Q2'],
    ])
    expect((await due(pat)).rows.map(({ slug, as }) => [slug, as])).toEqual([['rails', 'supplier']])
    expect((await due(seats.as.viewer)).rows).toEqual([])
    expect((await due(seats.as.editor)).rows.every(({ as }) => as === null)).toBe(true)
    const { causes } = await revisions(seats.as.buyer)
    const metal = await due(seats.as.buyer, `?cause=${encodeURIComponent(causes[0]!.key)}`)
    expect(metal.rows.map(({ slug }) => slug)).toEqual(['brackets', 'rails', 'tubes'])
    expect(metal.flows).toEqual([flow(emails.supplier, seats.slug, '500.00'), flow(other, seats.slug, '250.00')])
  })

  test('is proposed and signed in one act; what has moved or is another’s is named and keeps nothing back', async () => {
    const { buyer } = seats.as
    const { rows } = await due(buyer)
    const wanted = rows.map(({ slug, hash }) => ({ slug, hash, party: 'buyer' as const }))
    const body = { agreements: wanted.map(each => (each.slug === 'tubes' ? { ...each, hash: 'f'.repeat(64) } : each)) }
    expect((await buyer.post('/revisions/propose', body)).status).toBe(403)
    await buyer.confirm()
    const { status, json } = await buyer.post('/revisions/propose', body)
    expect(status).toBe(200)
    const { proposed, failed } = json as ProposedMany
    expect(proposed.map(({ slug, state }) => [slug, state])).toEqual(
      ['brackets', 'rails', 'fuel', 'heating'].map(slug => [slug, 'SIGNED_BY_BUYER']),
    )
    expect(failed).toEqual([
      { slug: 'tubes', why: 'tubes: what is due has moved since it was shown; it comes to -250.00 EUR now' },
    ])
    const page = await buyer.json<CorrectionPage>(`/corrections/${proposed[0]!.id}`)
    expect(page).toMatchObject({ correction: { net: '-250.00' }, signatures: { supplier: null } })
    expect((await due(buyer)).rows.map(({ slug }) => slug)).toEqual(['tubes'])
    const { money } = await revisions(buyer)
    expect(money.map(({ state, agreements }) => [state, agreements])).toEqual([
      ['DUE', 1],
      ['WAITING_FOR_FINAL', 1],
      ['UNDER_MINIMUM', 1],
      ['PROPOSED', 4],
      ['NO_POLICY', 1],
    ])
  })

  test('is proposed by nobody who is neither a party nor manages the workspace', async () => {
    const { rows } = await due(seats.as.buyer)
    const agreements = rows.map(({ slug, hash }) => ({ slug, hash, party: null }))
    const { json } = await seats.as.viewer.post('/revisions/propose', { agreements })
    expect(json).toMatchObject({
      proposed: [],
      failed: [{ slug: 'tubes', why: expect.stringContaining('only the parties') }],
    })
    const strange = await pat.post('/revisions/propose', { agreements })
    expect(strange.json).toMatchObject({ proposed: [], failed: [{ slug: 'tubes', why: 'there is no such agreement' }] })
  })
})

describe('ledgers', () => {
  test('say who owes whom, of one agreement and of all', async () => {
    const { as } = seats
    const nobody = await as.buyer.json<LedgerPage>('/agreements/rails/ledger')
    expect(nobody.sentence).toBe('Nobody owes anything')
    await pat.confirm()
    const [row] = (await revisions(pat)).rows.filter(({ agreement }) => agreement === 'rails')
    const { id } = row!.correction!
    const { correction } = await pat.json<CorrectionPage>(`/corrections/${id}`)
    expect((await pat.post(`/corrections/${id}/sign`, { party: 'supplier', hash: correction.hash })).status).toBe(200)
    for (const browser of [as.buyer, pat])
      expect((await browser.json<LedgerPage>('/agreements/rails/ledger')).sentence).toBe(
        `${other[0]!.toUpperCase()}${other.slice(1)} owes ${seats.slug} 250.00 EUR`,
      )
    const all = await ledgers(as.viewer)
    expect(all).toMatchObject({ count: 8, updating: 0, leftOut: [], mayPropose: false })
    expect(
      all.groups.map(({ supplier, currency, owed, agreements }) => [
        supplier,
        currency,
        owed.total,
        owed.due,
        agreements.length,
      ]),
    ).toEqual([
      [other, 'EUR', '-250.00', '0.00', 1],
      [emails.supplier, 'EUR', '0.00', '-350.00', 5],
    ])
    expect(all.groups[0]!.agreements).toMatchObject([{ slug: 'rails', owed: { total: '-250.00', agreed: '-250.00' } }])
    const pats = await ledgers(pat)
    expect(pats.groups).toMatchObject([{ supplier: other, buyer: seats.slug, owed: { total: '-250.00' } }])
    expect(pats).toMatchObject({ count: 2 })
  })
})

describe('after a start', () => {
  const start = () =>
    new Library(console.api.sql, 64 * 1024 * 1024, { seals: new Seal(console.api.ring).rows, report: () => {} })
  const ask = async (library: Library, lists = library.trueUpLists) => {
    const before = library.computed
    const { id } = seats.tenant
    const { newest: until } = await library.moments.of(id)
    const day = parseDay('2024-12-01')!
    const parts = (await library.index(id)).agreements.map(each => ({ id: each.id, tenure: null }))
    const moves = await lists.moves(id, { since: '2024-01-01T00:00:00.000000Z', until, day }, null)
    const sides = await lists.sides(id, parts, day)
    return { moves, sides, computed: library.computed - before }
  }

  test('revisions and ledgers are known; of what has changed meanwhile they are as last known until it is computed', async () => {
    const first = await ask(start())
    expect([first.moves.answers.size, first.sides.answers.size, first.moves.updating]).toEqual([8, 8, 0])
    // Once everything is written.
    await expect.poll(async () => (await ask(start())).computed).toBe(0)
    expect(await ask(start())).toEqual({ ...first, computed: 0 })

    await seats.tenant.import('series,period,value,version,published\nCUSTOM/oil,2024-03,105.7,REVISED,2024-08-22\n')
    const library = start()
    const release = Promise.withResolvers<void>()
    const held = new TrueUpLists(
      library,
      {
        prepare: (...asked) => library.trueUps.prepare(...asked),
        resolveImports: id => library.trueUps.resolveImports(id),
        async of(...asked) {
          await release.promise
          return library.trueUps.of(...asked)
        },
      },
      library.radar,
    )
    const { moves, sides } = await ask(library, held)
    expect([moves.updating, sides.updating]).toEqual([2, 2])
    expect([moves.answers, sides.answers]).toEqual([first.moves.answers, first.sides.answers])
    release.resolve()
    await expect.poll(async () => (await ask(library, held)).moves.updating).toBe(0)
    expect((await ask(library, held)).moves.answers).not.toEqual(first.moves.answers)
  })
})
