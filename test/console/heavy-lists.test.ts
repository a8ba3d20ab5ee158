// Formulas that are too heavy to compute on the main thread, in lists: their dates come from the calendar and are
// always shown; only their numbers may come later, with words in their place.
import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { usualBudget } from '../../src/core/numbers/work-budget.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { limits } from '../../src/limits.ts'
import { unpackPeriod } from '../../src/read/agreements/open-periods.ts'
import { Library } from '../../src/read/library.ts'
import { unbounded } from '../../src/read/memory/library-bounds.ts'
import type { AgreementList } from '../../src/views/shapes/agreements.ts'
import type { Inbox } from '../../src/views/shapes/inbox.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import type { Seat } from '../../src/views/sight/seat.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { linesOf } from '../support/agreements/inbox-lines.ts'
import { emails, makeSeats, type Seats, tableOfRoutes } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { madeOnce } from '../support/run/made-once.ts'

const words = 'its numbers take long to compute; open the agreement to see them'
const today = parseDay('2026-01-01')!
const bounds = { work: usualBudget, ...limits.usual, listMs: Number.POSITIVE_INFINITY, readsListsAhead: true }

/** Too much to read on the main thread. */
const remark = `# ${'a long remark '.repeat(20)}\n`.repeat(160)
/** More to compute: sixty inputs, day by day. */
const inputs = Array.from(
  { length: 60 },
  (_, i) =>
    `  in${i}: { series: CUSTOM/steel, weight: ${i === 0 ? '0.41' : '0.01'}, base: 2023-12, missing: LAST_KNOWN }\n`,
)
const broadDocument = `slug: broad
status: ACTIVE
contract: { start: 2025-01-01, frequency: DAILY }
inputs:
${inputs.join('')}clause: {}
parties: { supplier: [sam@supplier.test] }
`

const console = consoleHouse()

async function ready(): Promise<Seats & { readonly ids: readonly string[] }> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  const { id: long } = await seats.tenant.apply(`${remark}${bracketsDocument({ slug: 'long', end: '2030-12-31' })}`)
  const { id: broad } = await seats.tenant.apply(broadDocument)
  return { ...seats, ids: [long, broad] }
}

/** For the tests that change nothing in it. */
const readyUnchanged = madeOnce(ready)

describe('a heavy formula', () => {
  test('is known by its dates where its numbers are not computed', async () => {
    const { tenant, ids } = await readyUnchanged()
    const { sql, ring } = console.api
    const library = new Library(sql, 16_000_000, { seals: new Seal(ring).rows, report: () => {} }, bounds)
    const find = async () => [...(await library.digests.gather(tenant.id, ids, today)).digests.values()]
    await expect.poll(find).toHaveLength(2)
    const [long, broad] = await find()
    const both = ['buyer', 'supplier']
    expect(long).toMatchObject({ nextDate: '2026-04-01', gap: { kind: 'work', sentence: words } })
    expect(long!.open.map(each => unpackPeriod(each).date)).toEqual([
      '2024-04-01',
      '2024-07-01',
      '2024-10-01',
      '2025-01-01',
      '2025-04-01',
      '2025-07-01',
      '2025-10-01',
      '2026-01-01',
    ])
    expect(broad).toMatchObject({ nextDate: '2026-01-02', gap: { kind: 'work', sentence: words } })
    expect(broad!.open.slice(0, 2).map(unpackPeriod)).toEqual([
      { date: '2025-01-02', waitsFor: both, isDisputed: false },
      { date: '2025-01-03', waitsFor: both, isDisputed: false },
    ])
    // Every day of the year before, however many.
    expect(broad!.open).toHaveLength(365)
  })

  test('continues after what was signed', async () => {
    const { tenant, ids } = await ready()
    await tenant.signBoth('long', '2024-Q2')
    const { sql, ring } = console.api
    const library = new Library(sql, 16_000_000, { seals: new Seal(ring).rows, report: () => {} }, bounds)
    const find = async () => (await library.digests.gather(tenant.id, [ids[0]!], today)).digests.get(ids[0]!)
    await expect
      .poll(async () => (await find())?.open.map(each => unpackPeriod(each).date))
      .toMatchObject(['2024-07-01', ...Array.from({ length: 6 }, () => expect.any(String))])
  })

  test('waits in the list of sign-offs like any other, with its numbers', async () => {
    const { as } = await readyUnchanged()
    await expect.poll(async () => (await as.buyer.json<Inbox>('/sign-offs')).pending).toBe(0)
    const { mine } = await as.buyer.json<Inbox>('/sign-offs')
    expect(linesOf(mine).map(({ slug, period }) => `${slug} ${period}`)).toEqual(
      expect.arrayContaining(['long 2024-Q2', 'long 2024-Q3', 'long 2024-Q4', 'broad 2025-01-02']),
    )
    // Its numbers come when somebody wants to sign it.
    expect(mine.rows.map(row => row.kind === 'periods' && row.isByCalendar)).toEqual([true, true])
    const { json } = await as.buyer.post('/sign-offs/to-sign', { agreements: [{ slug: 'long', through: '2024-Q3' }] })
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(json).toMatchObject({ agreements: [{ slug: 'long', periods: [{ hash }, { hash }] }], refused: [] })
    await expect.poll(async () => (await as.viewer.json<Overview>('/overview')).pending).toBe(0)
    const { due, troubles } = await as.viewer.json<Overview>('/overview')
    expect(due.map(({ slug }) => slug).sort()).toEqual(['broad', 'long'])
    expect(troubles.map(({ words: told }) => told)).not.toContain(words)
  })
})

test('a list for whose numbers the time does not suffice has the dates, words for the numbers, and says how many are missing', async () => {
  const { tenant, slug } = await readyUnchanged()
  const [person] = await console.api.owner<{ id: string }[]>`
    select p.id from person p join member m on m.person_id = p.id
    where m.workspace_id = ${tenant.id} and p.email = ${emails.buyer}`
  const seat: Seat = {
    sessionId: 'none',
    person: { id: person!.id, email: emails.buyer, name: '' },
    role: 'buyer',
    company: null,
    isNameable: true,
    workspace: { id: tenant.id, slug, name: slug },
    isOperator: false,
    fromAddress: '127.0.0.1',
  }
  const routes = tableOfRoutes(console.api, { bounds: { ...unbounded, listMs: 0 } })
  const ask = async <T>(path: string) => {
    const route = routes.find(each => each.method === 'GET' && each.path === path)!
    const request = { seat, params: {}, query: {}, body: undefined, file: null, origin: '' }
    return (await route.answer(request)) as T
  }
  const { rows } = await ask<AgreementList>('/agreements')
  expect(rows).toMatchObject([
    { slug: 'broad', nextDate: '2026-01-02', last: null, trouble: words, frequency: 'DAILY' },
    { slug: 'long', nextDate: '2026-04-01', last: null, trouble: words, frequency: 'QUARTERLY' },
  ])
  await expect
    .poll(async () => (await ask<Overview>('/overview')).due)
    .toMatchObject([
      { slug: 'broad', date: '2026-01-02', last: null },
      { slug: 'long', date: '2026-04-01', last: null },
    ])
  // The inbox opens none of them.
  const { mine, counts } = await ask<Inbox>('/sign-offs')
  expect(mine.rows).toHaveLength(2)
  expect(counts.mine.periods).toBeGreaterThan(3)
})
