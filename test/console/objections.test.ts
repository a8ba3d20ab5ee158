// Objecting to a proposed number: who may, what is stored, when the period stops being disputed, and that nothing is
// lost when the proposal changes (T10, T31).
import { describe, expect, test } from 'vitest'
import { readReceipt } from '../../src/core/receipt/receipt-parser.ts'
import { limits } from '../../src/limits.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { AdjustmentPage, AgreementList } from '../../src/views/shapes/agreements.ts'
import type { Inbox } from '../../src/views/shapes/inbox.ts'
import type { ReadingChoice } from '../../src/views/shapes/objections.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import type { ActivityPage } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { linesOf } from '../support/agreements/inbox-lines.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()

const document = bracketsDocument({ clause: '{ fixed: 0.40 }' })
const revision = 'series,period,value,version,published\nCUSTOM/steel,2024-03,108.00,REVISED,2024-05-15\n'

async function ready(): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(document)
  return seats
}

const path = '/agreements/brackets/periods/2024-Q2'
const look = (browser: Browser) => browser.json<AdjustmentPage>(path)

async function object(browser: Browser, change: object = {}) {
  return objectTo((await look(browser)).entry.hash, browser, change)
}

function objectTo(hash: string | null, browser: Browser, change: object = {}) {
  const said = { hash, about: { kind: 'number' }, reason: 'Steel is read too early.', reading: null }
  return browser.post(`${path}/objections`, { ...said, ...change })
}

const answer = (browser: Browser, id: string, words: string) =>
  browser.post(`${path}/objections/${id}/answers`, { words })
const withdraw = (browser: Browser, id: string, words = '') =>
  browser.post(`${path}/objections/${id}/withdraw`, { words })

async function stateNow({ as }: Seats) {
  const { objections, entry } = await look(as.viewer)
  return { states: objections.list.map(({ state }) => state), disputedBy: entry.disputedBy }
}

describe('an objection', () => {
  test('names the number, the reason and who; the period is disputed wherever it is listed', async () => {
    const { as } = await ready()
    const { status, json } = await object(as.supplier)
    expect(status).toBe(201)
    const page = json as AdjustmentPage
    expect(page.objections).toMatchObject({
      as: 'supplier',
      side: 'supplier',
      list: [
        {
          party: 'supplier',
          email: emails.supplier,
          state: 'open',
          hash: page.entry.hash,
          adjustmentPct: page.entry.adjustmentPct,
          price: page.entry.price,
          about: { kind: 'number' },
          reason: 'Steel is read too early.',
          reading: null,
          answers: [],
          means: 'SESSION',
        },
      ],
    })
    expect(page.entry.disputedBy).toEqual(['supplier'])
    const { mine } = await as.buyer.json<Inbox>('/sign-offs')
    expect(linesOf(mine).map(({ period, isDisputed }) => [period, isDisputed])).toEqual([
      ['2024-Q2', true],
      ['2024-Q3', false],
      ['2024-Q4', false],
    ])
    const overview = await as.buyer.json<Overview>('/overview')
    expect(overview).toMatchObject({ disputedCount: 1, disputed: [{ slug: 'brackets', entry: { period: '2024-Q2' } }] })
    const [row] = (await as.owner.json<AgreementList>('/agreements')).rows
    expect(row).toMatchObject({ disputed: 1 })
    const [noted] = (await as.owner.json<ActivityPage>('/activity')).rows
    expect(noted).toMatchObject({ who: emails.supplier, what: 'objected to as supplier', subject: 'brackets 2024-Q2' })
  })

  test('is about the number, a line or a figure of the calculation, and nothing else', async () => {
    const { as } = await ready()
    const figure = { kind: 'figure', input: 'steel', series: 'CUSTOM/steel', period: '2024-03' }
    for (const about of [{ kind: 'line', line: 'ratio_steel' }, figure]) {
      const { json } = await object(as.buyer, { about })
      expect((json as AdjustmentPage).objections.list[0]!.about).toEqual(about)
    }
    const page = await as.supplier.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
    // What the page calls them: nobody has to know our names.
    expect(page.steps.map(({ name, words }) => [name, words])).toEqual(
      expect.arrayContaining([
        ['ratio_steel', 'the ratio of steel'],
        ['payable', 'the movement that counts after the threshold'],
      ]),
    )
    expect(await object(as.buyer, { about: { kind: 'line', line: 'ratio_gold' } })).toMatchObject({
      status: 422,
      json: {
        error: expect.stringMatching(/^the calculation of 2024-Q2 has no line "ratio_gold"; it has ratio_steel/),
      },
    })
    expect(await object(as.buyer, { about: { ...figure, period: '2024-02' } })).toMatchObject({
      status: 422,
      json: { error: 'steel does not read CUSTOM/steel of 2024-02 for 2024-Q2' },
    })
    expect((await object(as.buyer, { reason: '   ' })).json).toEqual({ error: 'the reason is missing' })
  })

  test('carries the party’s own reading, with the number the server computed for it', async () => {
    const { as } = await ready()
    const readings = await as.supplier.json<readonly ReadingChoice[]>(`${path}/readings`)
    expect(readings.map(({ id }) => id)).not.toContain('as-written')
    const { points: _points, ...chosen } = readings.find(({ id }) => id === 'lag-more') ?? readings[0]!
    const { status, json } = await object(as.supplier, { reading: chosen.id })
    expect([status, (json as AdjustmentPage).objections.list[0]!.reading]).toEqual([201, chosen])
    expect(await object(as.supplier, { reading: 'none-such' })).toMatchObject({
      status: 422,
      json: { error: 'the reading "none-such" gives 2024-Q2 no number' },
    })
  })

  test('is answered by either side, and withdrawn only by the one that made it', async () => {
    const seats = await ready()
    const { as } = seats
    await object(as.supplier)
    const { id } = (await look(as.buyer)).objections.list[0]!
    expect((await answer(as.buyer, id, 'The contract says one month.')).status).toBe(201)
    expect((await answer(as.supplier, id, 'It says two.')).status).toBe(201)
    expect(await withdraw(as.buyer, id)).toMatchObject({
      status: 409,
      json: { error: 'the supplier objected; only the supplier withdraws it' },
    })
    expect(await stateNow(seats)).toEqual({ states: ['open'], disputedBy: ['supplier'] })
    expect((await withdraw(as.supplier, id, 'We looked again.')).status).toBe(201)
    expect(await stateNow(seats)).toEqual({ states: ['withdrawn'], disputedBy: [] })
    const [shown] = (await look(as.viewer)).objections.list
    expect(shown!.answers.map(({ party, words, isWithdrawal }) => [party, words, isWithdrawal])).toEqual([
      ['buyer', 'The contract says one month.', false],
      ['supplier', 'It says two.', false],
      ['supplier', 'We looked again.', true],
    ])
    for (const late of [answer(as.buyer, id, 'Too late'), withdraw(as.supplier, id)])
      expect(await late).toMatchObject({ status: 409, json: { error: expect.stringContaining('was withdrawn') } })
  })

  test('stays under the hash it was about when the proposal changes, and does not dispute the new number', async () => {
    const seats = await ready()
    const { as, tenant } = seats
    await object(as.supplier)
    const before = await look(as.supplier)
    await tenant.import(revision)
    const after = await look(as.supplier)
    expect(after.entry.hash).not.toBe(before.entry.hash)
    expect(await stateNow(seats)).toEqual({ states: ['moved'], disputedBy: [] })
    expect(after.objections.list).toEqual([{ ...before.objections.list[0], state: 'moved' }])
    expect((await object(as.supplier, { hash: before.entry.hash })).json).toMatchObject({
      error: expect.stringMatching(/^the proposal for 2024-Q2 has moved from .+ % to .+ %/),
    })
  })

  test('ends when its party signs the number after all; signed by both, there is nothing to object to', async () => {
    const seats = await ready()
    const { as, tenant } = seats
    await object(as.supplier)
    await tenant.sign('brackets', '2024-Q2', 'buyer')
    expect(await stateNow(seats)).toEqual({ states: ['open'], disputedBy: ['supplier'] })
    expect((await object(as.buyer)).json).toEqual({
      error: 'the buyer has signed this number of 2024-Q2 and cannot object to it',
    })
    await tenant.sign('brackets', '2024-Q2', 'supplier')
    expect(await stateNow(seats)).toEqual({ states: ['signed'], disputedBy: [] })
    expect((await object(as.supplier)).json).toEqual({
      error: 'buyer and supplier have both signed 2024-Q2: its number stands',
    })
  })

  test('is made and answered only by the two sides, and not by one who was a party before', async () => {
    const { as, tenant } = await ready()
    await object(as.supplier)
    const { id } = (await look(as.buyer)).objections.list[0]!
    for (const role of ['owner', 'editor', 'viewer'] as const) {
      expect((await look(as[role])).objections).toMatchObject({ as: null, side: null })
      for (const refused of [object(as[role]), answer(as[role], id, 'Me too'), withdraw(as[role], id)])
        expect((await refused).status, role).toBe(403)
    }
    await tenant.apply(document.replace(emails.supplier, 'other@supplier.test'))
    const hash = 'a'.repeat(64)
    const body = { hash, about: { kind: 'number' }, reason: 'No', reading: null }
    for (const late of [as.supplier.post(`${path}/objections`, body), answer(as.supplier, id, 'Still here')])
      expect((await late).status).toBe(409)
    expect(await as.supplier.json(`${path}/readings`)).toEqual([])
    // What was said stays with those who said it.
    expect((await look(as.supplier)).objections).toMatchObject({ as: null, list: [{ id, answers: [] }] })
    const elsewhere = await makeSeats(console.api)
    expect((await answer(elsewhere.as.buyer, id, 'From elsewhere')).status).toBe(404)
  })

  test('are bounded for each side, so that neither uses up those of the other', async () => {
    const { as } = await ready()
    const { hash } = (await look(as.buyer)).entry
    for (let i = 0; i < limits.objections.ofPeriod; i++) expect((await objectTo(hash, as.buyer)).status).toBe(201)
    expect((await objectTo(hash, as.buyer)).json).toEqual({
      error: 'the buyer has made 20 objections to 2024-Q2, the most there can be',
    })
    expect((await object(as.supplier)).status).toBe(201)
    const { id } = (await look(as.buyer)).objections.list.find(({ party }) => party === 'supplier')!
    for (let i = 0; i < limits.objections.answers; i++) expect((await answer(as.buyer, id, 'No.')).status).toBe(201)
    expect((await answer(as.buyer, id, 'No.')).json).toEqual({
      error: 'the buyer has given 50 answers to this objection, the most there can be',
    })
    expect((await answer(as.supplier, id, 'Why not?')).status).toBe(201)
  })
})

describe('as evidence', () => {
  test('a receipt carries every objection to its period under the seal of the installation', async () => {
    const { as, tenant } = await ready()
    await object(as.supplier)
    const { id } = (await look(as.buyer)).objections.list[0]!
    await answer(as.buyer, id, 'No.')
    await tenant.import(revision)
    const { text } = await as.buyer.get(`${path}/receipt`)
    const { objections, hash } = readReceipt(text)
    expect(objections).toMatchObject([
      { id, by: emails.supplier, reason: 'Steel is read too early.', answers: [{ words: 'No.', kind: 'ANSWER' }] },
    ])
    expect(objections[0]!.hash).not.toBe(hash)
  })

  test('what somebody changes in the database is found and not served', async () => {
    const { as, tenant } = await ready()
    await object(as.supplier)
    const { id, hash } = (await look(as.buyer)).objections.list[0]!
    await answer(as.buyer, id, 'No.')
    expect((await verifyChain(console.api.sql, tenant.id)).problem).toBeNull()
    await console.api.owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`select set_config('assize.workspace', '*', true)`
      await tx`update objection_answer set words = 'Yes.' where objection_id = ${id}`
    })
    expect((await verifyChain(console.api.sql, tenant.id)).problem).toMatchObject({
      message: expect.stringMatching(/^the rows of this publication \(objection-answer of pam_\w+\) were changed$/),
    })
    // Whether the page is cached or not: nothing continues from it.
    const again = { hash, about: { kind: 'number' }, reason: 'No', reading: null }
    expect((await as.supplier.post(`${path}/objections`, again)).status).toBeGreaterThanOrEqual(404)
  })
})
