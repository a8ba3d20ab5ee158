// A workspace with 20,000 agreements, as many as it may have: its pages open what they show and nothing else, and other
// workspaces are answered meanwhile. The server runs in this process, so that the work of its thread can be counted.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { usualWork } from '../../src/core/numbers/work-budget.ts'
import { limits } from '../../src/limits.ts'
import type { AgreementList, SearchHits } from '../../src/views/shapes/agreements.ts'
import type { Inbox } from '../../src/views/shapes/inbox.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import { mostWorkInOneTurn } from '../support/counted-work.ts'
import { eventually, type Tenant } from '../support/houses/api.ts'
import { makeSeats, openConsole, type Seats } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { onlyLong } from '../support/run/long-form.ts'

/** Opening all of them would take a thousand times as many. */
const mostUnits = 2 * usualWork.units

let many: Seats
let quiet: Tenant
const console = ownHouse(openConsole)
beforeAll(async () => {
  many = await fill('', limits.quotas.agreements)
  quiet = await console.api.tenant()
  await quiet.import(bracketsTable)
  await quiet.apply(bracketsDocument())
}, 60_000)

async function fill(prefix: string, formulas: number): Promise<Seats> {
  const seats = await makeSeats(console.api, prefix)
  await seats.tenant.import(bracketsTable)
  const { id } = await seats.tenant.apply(bracketsDocument())
  await copyAgreement(console.api.owner, seats.tenant.id, id, formulas - 1)
  return seats
}

/** The pages, one after the other, and how often another workspace was answered before each of them was. */
async function readPages() {
  let answered = 0
  let isReading = true
  const watchNeighbour = async () => {
    while (isReading) {
      expect((await quiet.get('/pams/brackets/adjustment')).status).toBe(200)
      answered++
      await sleep(5)
    }
  }
  const read = async () => {
    const browser = many.as.owner
    const list = await browser.json<AgreementList>('/agreements')
    const overview = await browser.json<Overview>('/overview')
    const signOffs = await browser.json<Inbox>('/sign-offs')
    const found = await browser.json<SearchHits>('/find?q=copy-+01234')
    const api = await many.tenant.json<{ data: unknown[] }>('/pams?limit=200')
    isReading = false
    return { list, overview, signOffs, found, api, answered }
  }
  const [pages] = await Promise.all([read(), watchNeighbour()])
  return pages
}

describe('with 20,000 agreements', () => {
  test('every page comes at once, and a neighbour is answered meanwhile', async () => {
    const heapBefore = process.memoryUsage().heapUsed
    const { count, value } = await mostWorkInOneTurn(readPages)
    const { list, overview, signOffs, found, api, answered } = value
    expect(count).toBeLessThan(mostUnits)
    expect(answered).toBeGreaterThan(5)
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(500 * 1024 * 1024)
    expect(list).toMatchObject({ found: 20_000, all: 20_000, next: 'copy-00049' })
    expect(list.rows).toHaveLength(50)
    expect(list.rows[1]).toMatchObject({ slug: 'copy-00001', unsigned: 3, last: { period: '2024-Q4' } })
    expect(overview.counts.agreements).toBe(20_000)
    // It answers with what is computed by then, and says how much is missing.
    expect(overview.pending).toBeGreaterThan(0)
    expect(overview.waiting.length).toBeLessThanOrEqual(limits.overviewRows)
    expect(signOffs.pending).toBeLessThan(overview.pending)
    expect(signOffs.others.rows.length).toBeGreaterThan(0)
    expect(signOffs.others.rows.length).toBeLessThanOrEqual(limits.inboxRows)
    expect(found.agreements.map(({ slug }) => slug)).toEqual(['copy-01234'])
    expect(api.data).toHaveLength(200)
  })

  test('the pages follow one another to the end, also of those with some words or a status', async () => {
    const { owner } = many.as
    const found = await owner.json<AgreementList>('/agreements?q=copy+777&limit=10')
    expect([found.found, found.all, found.next]).toEqual([38, 20_000, 'copy-07772'])
    const rest = await owner.json<AgreementList>(`/agreements?q=copy+777&after=${found.next}`)
    expect([rest.rows.length, rest.next]).toEqual([28, null])
    expect((await owner.json<AgreementList>('/agreements?status=DRAFT')).found).toBe(0)
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'status=open', `q=${'x'.repeat(201)}`])
      expect((await owner.get(`/agreements?${query}`)).status, query).toBe(422)
  })

  test('a hundred requests at once do not block another workspace', async () => {
    const neighbour = await makeSeats(console.api, 'neighbour-')
    const isAll = onlyLong('every-page', '20,000 formulas instead of 1,000, a hundred times at once')
    const crowded = isAll ? many : await fill('crowded-', 1_000)
    const storm = Promise.all(Array.from({ length: 100 }, () => crowded.as.editor.get('/overview')))
    await sleep(20)
    const beside = await Promise.all(Array.from({ length: 10 }, () => neighbour.as.viewer.get('/overview')))
    expect(beside.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const statuses = (await storm).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })

  test('one more changes the list in place', async () => {
    await many.tenant.json('/pams')
    await many.tenant.applyUnheard(bracketsDocument().replace(/description: .*/, 'description: changed'))
    const { data } = await eventually(
      () => many.tenant.json<{ data: { description: string } }>('/pams/brackets'),
      answer => answer.data.description === 'changed',
    )
    expect(data.description).toBe('changed')
  })
})
