// F1, F2 and F3 for price lists and invoice lines: killed while they are imported, asked again as they were
// known, and read page by page while others are added.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importLines, reverseInvoice } from '../../src/agreements/invoices.ts'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { dayOfInstant, type Instant, instantOfMicros } from '../../src/core/time/instant.ts'
import { Library } from '../../src/read/library.ts'
import { scopesOf, settle } from '../../src/storage/log/append.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import { type Api, makeTestRing, openApi, type Tenant } from '../support/houses/api.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { scenario } from '../support/run/long-test.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { Chance, suiteSeed } from './chance.ts'
import { type FolderGround, openFolderGround } from './grounds.ts'
import { killAtPrices, priceKillKinds } from './price-kills.ts'

describe('over an installation in a folder of its own', () => {
  let ground: FolderGround
  beforeAll(async () => {
    ground = await openFolderGround()
  })
  afterAll(() => ground.close())

  scenario(
    'price-kills',
    'F1: kills during imports of price lists and invoice lines leave nothing lost, doubled or half done',
    { short: priceKillKinds, long: 100 },
    async run => {
      const { failures, done, undone } = await killAtPrices(ground, run)
      expect(done + undone).toBe(run.rounds)
      return { summary: `${done} times it was done by then, ${undone} times not`, failures }
    },
  )
})

describe('over one database', () => {
  let api: Api
  let tenant: Tenant
  beforeAll(async () => {
    api = await openApi(await openTestDatabase())
    tenant = await api.tenant()
    await tenant.importUnheard(steelPrices)
    for (const slug of ['first', 'second']) await tenant.applyUnheard(pricedDocument({ slug }))
  })
  afterAll(() => api.close())

  const by = { who: 'eva@editor.test', fromAddress: null }
  const now = () => instantOfMicros(Date.now() * 1000)
  /** What another process would answer: nothing is remembered. */
  const library = () =>
    new Library(api.sql, 64 * 1024 * 1024, { seals: new RowSeals(makeTestRing()), report: () => {} })
  const applyList = (agreement: string, csv: string) => {
    const { rows } = readList(csv)
    const today = dayOfInstant(now())
    return applyPriceList(api.sql, library(), {
      workspaceId: tenant.id,
      agreement,
      rows,
      from: null,
      today,
      by,
    })
  }
  const keepLine = (invoice: string, line: string, quantity: string, date: string) =>
    importLines(api.sql, library(), {
      workspaceId: tenant.id,
      lines: [readLine(2, { invoice, line, agreement: 'second', quantity, unitPrice: '12.69', date })],
      today: dayOfInstant(now()),
      by,
      source: 'lines.csv',
    })

  test('F2: prices as they were known then are the same later, whatever was applied and signed meanwhile', async () => {
    const chance = new Chance(suiteSeed)
    const ask = async (knownAt: Instant) => {
      for (const scope of scopesOf(tenant.id)) await settle(api.sql, scope, knownAt)
      const time = { knownAt, until: dayOfInstant(knownAt) }
      const rows = await library().prices.rows(tenant.id, 'first', time)
      return JSON.stringify(rows.map(({ row }) => row))
    }
    const recorded: (readonly [Instant, string])[] = []
    let isOver = false
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let round = 0; round < 6; round++) {
        await applyList('first', `item,price,currency\nA,${writer + 1}${round}.50,EUR\n`)
        await sleep(chance.int(0, 40))
      }
    })
    const signing = (async () => {
      for (const period of ['2024-Q2', '2024-Q3'])
        for (const party of ['buyer', 'supplier'] as const) {
          await tenant.signUnheard('first', period, party)
          await sleep(30)
        }
    })()
    const asking = (async () => {
      while (!isOver) {
        const at = now()
        recorded.push([at, await ask(at)])
      }
    })()
    await Promise.all([...writers, signing])
    isOver = true
    await asking
    expect(new Set(recorded.map(([, text]) => text)).size).toBeGreaterThan(3)
    const different: Instant[] = []
    for (const [at, text] of recorded) if ((await ask(at)) !== text) different.push(at)
    expect(different).toEqual([])
  })

  test('F3: lines that existed throughout come exactly once, page by page, while others are added and reversed', async () => {
    const chance = new Chance(suiteSeed)
    const dates = ['2024-04-02', '2024-05-03', '2024-06-04']
    for (let i = 0; i < 40; i++) await keepLine(`K-${i % 7}`, `${i}`, `${i + 1}`, chance.pick(dates))
    const before = (await library().prices.lines(tenant.id, { agreementIds: null, most: 1_000 })).map(({ id }) => id)
    let isOver = false
    const writing = (async () => {
      for (let i = 0; !isOver; i++) {
        await keepLine(`W-${i}`, '1', '5', chance.pick(dates))
        if (i % 2 === 1) await reverseInvoice(api.sql, tenant.id, { number: `W-${i}`, supplier: null, by })
      }
    })()
    try {
      for (let walk = 0; walk < 4; walk++) {
        const seen: string[] = []
        const most = chance.int(3, 9)
        let page = await library().prices.lines(tenant.id, { agreementIds: null, most })
        while (page.length > 0) {
          seen.push(...page.map(({ id }) => id))
          page = await library().prices.lines(tenant.id, { agreementIds: null, most, after: page.at(-1)!.id })
        }
        expect(new Set(seen).size).toBe(seen.length)
        expect(before.filter(id => !seen.includes(id))).toEqual([])
      }
    } finally {
      isOver = true
      await writing
    }
  })
})
