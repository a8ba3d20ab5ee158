// A workspace with 20,000 formulas, as many as it may have: its pages open what they show and nothing else, and other
// workspaces notice nothing. The server runs in this process, so that the time it blocks its thread can be measured.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { FormulaList, Found, SignOffs } from '../../src/views/shapes/agreements.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { copyFormula } from '../support/agreements/many-agreements.ts'
import { mostBlockedMs, shortestBlock } from '../support/blocked-thread.ts'
import type { Tenant } from '../support/houses/api.ts'
import { makeSeats, openConsole, type Seats, type TestConsole } from '../support/houses/console.ts'

const copies = limits.quotas.formulas - 1
/** Much more than it takes, because this machine may be busy; opening all of them took 83 s on a quiet one. */
const pageMs = 15_000
const neighbourMs = 1_000

let console: TestConsole
let many: Seats
let quiet: Tenant
beforeAll(async () => {
  console = await openConsole()
  many = await makeSeats(console.api)
  await many.tenant.import(bracketsTable)
  const { id } = await many.tenant.apply(bracketsDocument())
  await copyFormula(console.api.owner, many.tenant.id, id, copies)
  quiet = await console.api.tenant()
  await quiet.import(bracketsTable)
  await quiet.apply(bracketsDocument())
}, 60_000)
afterAll(() => console.close())

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const from = performance.now()
  const result = await work()
  return { result, ms: performance.now() - from }
}

let isReading = false

async function readPages() {
  isReading = true
  const browser = many.as.owner
  const list = await timed(() => browser.json<FormulaList>('/formulas'))
  const overview = await timed(() => browser.json<Overview>('/overview'))
  const signOffs = await timed(() => browser.json<SignOffs>('/sign-offs'))
  const found = await timed(() => browser.json<Found>('/find?q=copy-+01234'))
  const api = await timed(() => many.tenant.json<{ data: unknown[] }>('/pams?limit=200'))
  isReading = false
  return { list, overview, signOffs, found, api }
}

/** How long another workspace waited at most while they are read. */
async function watchNeighbour(): Promise<number> {
  let mostMs = 0
  while (isReading) {
    mostMs = Math.max(mostMs, (await timed(() => quiet.get('/pams/brackets/adjustment'))).ms)
    await sleep(5)
  }
  return mostMs
}

describe('with 20,000 formulas', () => {
  test('every page comes at once, and a neighbour is answered meanwhile', async () => {
    const heapBefore = process.memoryUsage().heapUsed
    const { blockedMs, value } = await shortestBlock(
      () => Promise.all([readPages(), watchNeighbour()]),
      // The lists are read as they are then.
      () => console.api.restart(),
    )
    const [pages, slowestMs] = value
    const { list, overview, signOffs, found, api } = pages
    for (const [name, { ms }] of Object.entries(pages)) expect(ms, name).toBeLessThan(pageMs)
    expect(slowestMs).toBeLessThan(neighbourMs)
    expect(blockedMs).toBeLessThan(mostBlockedMs)
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(500 * 1024 * 1024)
    expect(list.result).toMatchObject({ found: 20_000, all: 20_000, next: 'copy-00049' })
    expect(list.result.rows).toHaveLength(50)
    expect(list.result.rows[1]).toMatchObject({ slug: 'copy-00001', unsigned: 3, last: { period: '2024-Q4' } })
    expect(overview.result.counts.formulas).toBe(20_000)
    // It answers with what is computed by then, and says how much is missing.
    expect(overview.result.pending).toBeGreaterThan(0)
    expect(overview.result.waiting.length).toBeLessThanOrEqual(limits.overviewRows)
    expect(signOffs.result.pending).toBeLessThan(overview.result.pending)
    expect(signOffs.result.others.length).toBeGreaterThan(0)
    expect(signOffs.result.others.length).toBeLessThanOrEqual(limits.waitingRows)
    expect(found.result.formulas.map(({ slug }) => slug)).toEqual(['copy-01234'])
    expect(api.result.data).toHaveLength(200)
  })

  test('the pages follow one another to the end, also of those with some words or a status', async () => {
    const { owner } = many.as
    const found = await owner.json<FormulaList>('/formulas?q=copy+777&limit=10')
    expect([found.found, found.all, found.next]).toEqual([38, 20_000, 'copy-07772'])
    const rest = await owner.json<FormulaList>(`/formulas?q=copy+777&after=${found.next}`)
    expect([rest.rows.length, rest.next]).toEqual([28, null])
    expect((await owner.json<FormulaList>('/formulas?status=DRAFT')).found).toBe(0)
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'status=open', `q=${'x'.repeat(201)}`])
      expect((await owner.get(`/formulas?${query}`)).status, query).toBe(422)
  })

  test('a hundred requests at once do not block another workspace', async () => {
    const neighbour = await makeSeats(console.api, 'neighbour-')
    const storm = Promise.all(Array.from({ length: 100 }, () => many.as.editor.get('/overview')))
    await sleep(20)
    const beside = await Promise.all(Array.from({ length: 10 }, () => neighbour.as.viewer.get('/overview')))
    expect(beside.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const statuses = (await storm).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })

  test('one more changes the list in place', async () => {
    await many.tenant.json('/pams')
    const { ms } = await timed(async () => {
      const document = bracketsDocument().replace(/description: .*/, 'description: changed')
      await many.tenant.applyUnheard(document)
      const deadline = performance.now() + 5_000
      for (;;) {
        const { data } = await many.tenant.json<{ data: { description: string } }>('/pams/brackets')
        if (data.description === 'changed' || performance.now() > deadline) return
      }
    })
    expect(ms).toBeLessThan(2_000)
  })
})
