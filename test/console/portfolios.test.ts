// The pages of a whole portfolio, with 20 formulas and with 150: what was computed once is not computed again, only
// what a page shows is opened, and the database is asked as often for many formulas as for few. Counted, not timed.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { WaitingCount } from '../../src/views/calls/agreement-calls.ts'
import type { AgreementList } from '../../src/views/shapes/agreements.ts'
import type { Inbox } from '../../src/views/shapes/inbox.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import { type Browser, makeSeats, openConsole, type Seats } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

const few = 20
const many = 150

let small: Seats
let large: Seats
const console = ownHouse(() => openConsole({ env: { METRICS_PORT: '0' } }))
beforeAll(async () => {
  small = await fill('small-', few)
  large = await fill('large-', many)
  await console.api.restart()
}, 120_000)

async function fill(prefix: string, formulas: number): Promise<Seats> {
  const seats = await makeSeats(console.api, prefix)
  await seats.tenant.import(bracketsTable)
  const { id } = await seats.tenant.apply(bracketsDocument())
  await copyAgreement(console.api.owner, seats.tenant.id, id, formulas - 1)
  // The copies were not published: the lists are read again for them.
  await seats.tenant.apply(bracketsDocument({ name: 'Named again' }))
  return seats
}

async function untilWorkedOut(browser: Browser): Promise<void> {
  while ((await browser.json<Overview>('/overview')).pending > 0) await sleep(50)
}

interface Counts {
  /** Formulas that were computed over all their periods. */
  readonly computed: number
  readonly transactions: number
}

async function readCounts(): Promise<Counts> {
  const text = await (await fetch(console.api.metricsAddress!)).text()
  const read = (pattern: RegExp) => [...text.matchAll(pattern)].reduce((sum, [, n]) => sum + Number.parseFloat(n!), 0)
  return {
    computed: read(/^assize_agreements_computed_total (\S+)/gm),
    transactions: read(/^assize_pool_transactions_total\{pool="\w+"\} (\S+)/gm),
  }
}

async function ask<T>(browser: Browser, path: string): Promise<Counts & { readonly page: T }> {
  const before = await readCounts()
  const page = await browser.json<T>(path)
  const after = await readCounts()
  return { page, computed: after.computed - before.computed, transactions: after.transactions - before.transactions }
}

/** The fewest of three: now and then the server notes something besides, such as when a session was last used. */
async function askSteadily(browser: Browser, path: string): Promise<Counts> {
  const counts = [await ask(browser, path), await ask(browser, path), await ask(browser, path)]
  const least = (of: keyof Counts) => Math.min(...counts.map(each => each[of]))
  return { computed: least('computed'), transactions: least('transactions') }
}

test('a list of formulas opens the rows of its pages and nothing else', async () => {
  const { owner } = large.as
  const first = await ask<AgreementList>(owner, '/agreements')
  expect(first.page.rows).toHaveLength(50)
  expect(first.computed).toBe(50)
  const next = await ask<AgreementList>(owner, `/agreements?after=${first.page.next}&limit=7`)
  expect(next.computed).toBe(7)
  expect((await ask(owner, '/agreements')).computed).toBe(0)
})

describe('a portfolio that is computed', () => {
  beforeAll(async () => {
    for (const { as } of [small, large]) await untilWorkedOut(as.owner)
  }, 240_000)

  test('is shown without computing anything, and by as few requests for 150 formulas as for 20', async () => {
    for (const path of ['/overview', '/agreements?limit=20', '/sign-offs', '/sign-offs/count']) {
      // What the page shows is opened once.
      for (const { as } of [small, large]) await ask(as.owner, path)
      const [little, much] = [await askSteadily(small.as.owner, path), await askSteadily(large.as.owner, path)]
      expect([little.computed, much.computed], path).toEqual([0, 0])
      expect(much.transactions, path).toBe(little.transactions)
    }
  })

  test('has every formula in its counts and no more rows than a page', async () => {
    const { owner } = large.as
    const overview = (await ask<Overview>(owner, '/overview')).page
    expect([overview.counts.agreements, overview.pending]).toEqual([many, 0])
    expect(overview.waiting).toHaveLength(limits.overviewListed)
    const signOffs = (await ask<Inbox>(owner, '/sign-offs')).page
    const { mine, others } = signOffs.counts
    expect([mine.periods + others.periods, signOffs.pending]).toEqual([3 * many, 0])
    expect((await ask<WaitingCount>(owner, '/sign-offs/count')).page).toEqual({
      ...mine,
      mineCount: mine.periods + mine.corrections,
      pending: 0,
    })
    expect(signOffs.others.rows).toHaveLength(Math.min(many, limits.inboxRows))
    // By date and slug.
    expect(signOffs.others.rows[0]).toMatchObject({ slug: 'brackets', periods: [{ period: '2024-Q2' }, {}, {}] })
    expect(signOffs.others.rows[99]).toMatchObject({ slug: 'copy-00099', periods: [{ priceBefore: '12.40' }, {}, {}] })
  })

  test('computes what is new, and what reads what is new', async () => {
    const { as, tenant } = large
    await ask(as.owner, '/sign-offs')
    const before = await readCounts()
    await tenant.apply(bracketsDocument({ slug: 'a-new-one', name: 'The newest' }))
    await untilWorkedOut(as.owner)
    const { page } = await ask<Overview>(as.owner, '/overview')
    expect(page.counts.agreements).toBe(many + 1)
    await ask(as.owner, '/sign-offs')
    // It, once for its digest and once where it is among the rows, which it is by its slug.
    expect((await readCounts()).computed - before.computed).toBe(2)
    await tenant.importValues('CUSTOM/unread', { '2024-01': '1' })
    expect((await ask(as.owner, '/overview')).computed).toBe(0)
    expect((await ask(as.owner, '/sign-offs')).computed).toBe(0)
  })
  test('is known after a restart, and nothing of it is computed again', async () => {
    const before = await ask<WaitingCount>(large.as.owner, '/sign-offs/count')
    await console.api.restart()
    const after = await ask<WaitingCount>(large.as.owner, '/sign-offs/count')
    expect(after.page).toEqual(before.page)
    expect([after.page.pending, after.computed]).toEqual([0, 0])
  })
})
