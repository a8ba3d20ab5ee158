// Sign-offs over real HTTP: who may sign what in which order, what `confirmed` says, and numbers that stand for ever
// (decisions 24, 27, 28; T8, T9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/core/receipt.ts'
import { createMember } from '../../src/storage/people.ts'
import { raceSignatures } from '../faults/sign-races.ts'
import { type Api, buyer, openApi, supplier, type Tenant } from '../support/api.ts'
import { openTestDatabase } from '../support/postgres.ts'
import { steelDocument, steelTable } from '../support/sample.ts'

interface Adjustment {
  readonly period: string
  readonly adjustmentPct: number
  readonly cumulativeAdjustmentPct: number
  readonly dataVersion: string
  readonly formulaVersion: number
  readonly confirmed: { readonly buyer: string | null; readonly supplier: string | null }
}

let api: Api
beforeAll(async () => {
  api = await openApi(await openTestDatabase())
})
afterAll(() => api.close())

async function ready(document = steelDocument()): Promise<Tenant> {
  const tenant = await api.tenant()
  await tenant.import(steelTable)
  await tenant.apply(document)
  return tenant
}

const ask = (tenant: Tenant, query = '') => tenant.json<Adjustment>(`/pams/steel/adjustment${query}`)
const textOf = async (tenant: Tenant, query = '') => (await tenant.get(`/pams/steel/adjustment${query}`)).text
const hashOf = async (tenant: Tenant, query: string) =>
  (await tenant.json<Receipt>(`/pams/steel/adjustment/receipt${query}`)).hash
const revise = (tenant: Tenant, period: string, value: string, published: string) =>
  tenant.import(`series,period,value,version,published\nCUSTOM/steel,${period},${value},REVISED,${published}\n`)
const today = () => new Date().toISOString().slice(0, 10)

describe('who signs what', () => {
  it('decision 27: both keys are always there, null until that party has signed this very receipt, then the day of it', async () => {
    const tenant = await ready()
    expect((await ask(tenant, '?period=2024-Q2')).confirmed).toEqual({ buyer: null, supplier: null })
    const days = [today()]
    await tenant.sign('steel', '2024-Q2', 'supplier')
    const half = (await ask(tenant, '?period=2024-Q2')).confirmed
    await tenant.sign('steel', '2024-Q2', 'buyer')
    days.push(today())
    expect(half.buyer).toBeNull()
    expect(days).toContain(half.supplier)
    const { confirmed } = await ask(tenant, '?period=2024-Q2')
    expect(days).toContain(confirmed.buyer)
    expect(confirmed.supplier).toBe(half.supplier)
    expect((await ask(tenant, '?period=2024-Q3')).confirmed).toEqual({ buyer: null, supplier: null })
  })

  it('decision 28: each party signs in order, or all at once with --through', async () => {
    const tenant = await ready()
    await expect(tenant.sign('steel', '2024-Q3', 'buyer')).rejects.toThrow(/2024-Q2/)
    await expect(tenant.sign('steel', '2024-Q4', 'supplier')).rejects.toThrow(/2024-Q2.*2024-Q3/)
    const { added } = await tenant.sign('steel', '2024-Q4', 'supplier', { through: true })
    expect(added.map(({ period }) => period)).toEqual(['2024-Q2', '2024-Q3', '2024-Q4'])
    await expect(tenant.sign('steel', '2024-Q3', 'buyer')).rejects.toThrow(/2024-Q2/)
    await tenant.sign('steel', '2024-Q2', 'buyer')
    await tenant.sign('steel', '2024-Q3', 'buyer')
    expect((await ask(tenant, '?period=2024-Q4')).confirmed).toMatchObject({
      buyer: null,
      supplier: expect.any(String),
    })
  })

  it('T9: signing the same receipt again is no error and adds nothing', async () => {
    const tenant = await ready()
    const first = await tenant.sign('steel', '2024-Q2', 'buyer')
    expect(first.added).toHaveLength(1)
    const again = await tenant.sign('steel', '2024-Q2', 'buyer', { hash: first.hash })
    expect([again.added, again.hash]).toEqual([[], first.hash])
    await tenant.sign('steel', '2024-Q2', 'supplier')
    for (const party of ['buyer', 'supplier'] as const)
      expect((await tenant.sign('steel', '2024-Q2', party)).added).toEqual([])
    const rows = await api.owner`select 1 from sign_off where workspace_id = ${tenant.id}`
    expect(rows).toHaveLength(2)
  })

  it('T9: nobody signs for the other side, for both, without the role, or from outside', async () => {
    const tenant = await ready()
    await tenant.sign('steel', '2024-Q2', 'buyer')
    for (const [party, email] of [
      ['buyer', supplier],
      ['supplier', buyer],
      ['buyer', 'eva@editor.test'],
      ['supplier', 'nobody@nowhere.test'],
    ] as const)
      await expect(tenant.sign('steel', '2024-Q2', party, { email }), `${email} as ${party}`).rejects.toMatchObject({
        kind: 'conflict',
      })
    expect((await ask(tenant, '?period=2024-Q2')).confirmed.supplier).toBeNull()
  })

  it('T9: where the document names the parties, only they sign, and nobody is named on both sides', async () => {
    const named = (people: string) =>
      steelDocument({ more: `parties: { buyer: [carl@buyer.test], supplier: [${people}] }\n` })
    await expect(ready(named(`${supplier}, carl@buyer.test`))).rejects.toThrow(/both/)
    const tenant = await ready(named(supplier))
    await expect(tenant.sign('steel', '2024-Q2', 'buyer')).rejects.toMatchObject({ kind: 'conflict' })
    await createMember(api.sql, tenant.id, { email: 'carl@buyer.test', role: 'viewer' })
    await expect(tenant.sign('steel', '2024-Q2', 'supplier', { email: 'carl@buyer.test' })).rejects.toMatchObject({
      kind: 'conflict',
    })
    await tenant.sign('steel', '2024-Q2', 'buyer', { email: 'Carl@Buyer.test' })
    await tenant.sign('steel', '2024-Q2', 'supplier')
    expect((await ask(tenant, '?period=2024-Q2')).confirmed.buyer).not.toBeNull()
  })

  it('decision 21: only what is ACTIVE can be signed', async () => {
    const tenant = await ready()
    for (const status of ['DRAFT', 'SUSPENDED', 'EXPIRED', 'ARCHIVED']) {
      await tenant.apply(steelDocument({ status }))
      await expect(tenant.sign('steel', '2024-Q2', 'buyer'), status).rejects.toMatchObject({ kind: 'conflict' })
    }
    await tenant.apply(steelDocument())
    await tenant.sign('steel', '2024-Q2', 'buyer')
  })

  it('decision 28: a period that is not computed cannot be signed', async () => {
    const tenant = await ready()
    for (const period of ['2024-Q1', '2025-Q1', '2024-05'])
      await expect(tenant.sign('steel', period, 'buyer'), period).rejects.toMatchObject({ kind: 'not-found' })
    await expect(tenant.sign('none', '2024-Q2', 'buyer')).rejects.toMatchObject({ kind: 'not-found' })
    const stranger = await api.tenant()
    await expect(stranger.sign('steel', '2024-Q2', 'buyer')).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('T9: a hash that is not there any more is refused, with the one that is', async () => {
    const tenant = await ready()
    const shown = await hashOf(tenant, '?period=2024-Q2')
    await revise(tenant, '2024-03', '112.00', '2024-06-11')
    const now = await hashOf(tenant, '?period=2024-Q2')
    await expect(tenant.sign('steel', '2024-Q2', 'buyer', { hash: shown })).rejects.toThrow(now)
    expect((await ask(tenant, '?period=2024-Q2')).confirmed.buyer).toBeNull()
    expect((await tenant.sign('steel', '2024-Q2', 'buyer', { hash: now })).hash).toBe(now)
  })
})

describe('what was signed', () => {
  it('decisions 24, 28, T8: keeps its number, bytes and receipt after revisions, new formulas and a restart', async () => {
    const tenant = await ready()
    await tenant.signBoth('steel', '2024-Q2')
    const paths = [
      '/adjustment?period=2024-Q2',
      '/adjustment?date=2024-05-01',
      '/adjustment?period=2024-Q2&view=calculation',
      '/values?to=2024-04-01',
    ]
    const answers = async () => {
      const texts = []
      for (const path of paths) texts.push((await tenant.get(`/pams/steel${path}`)).text)
      return [...texts, await hashOf(tenant, '?period=2024-Q2')]
    }
    const once = await answers()
    await revise(tenant, '2024-03', '150.00', '2024-06-11')
    await revise(tenant, '2023-12', '90.00', '2024-06-11')
    await tenant.apply(steelDocument({ weight: '0.25' }))
    await tenant.withdraw('CUSTOM/steel', ['2024-03'], '2024-07-01')
    const normal = (texts: readonly string[]) =>
      texts.map(text => text.replace(/^(\{"pam":"steel","formulaVersion":)\d+/, '$1'))
    expect(normal(await answers())).toEqual(normal(once))
    await api.restart()
    expect(normal(await answers())).toEqual(normal(once))
    expect(await ask(tenant, '?period=2024-Q2')).toMatchObject({
      adjustmentPct: 5,
      formulaVersion: 1,
      dataVersion: 'FINAL',
    })
  })

  it('decision 24: later periods go on from the signed snapshot, its exact carried factor', async () => {
    const tenant = await ready()
    const before = await ask(tenant, '?period=2024-Q3')
    await tenant.signBoth('steel', '2024-Q2')
    await revise(tenant, '2024-03', '150.00', '2024-06-11')
    // Steel of March now says 25 %, but 5 % was signed: the third quarter still moves from 1.05.
    expect(await ask(tenant, '?period=2024-Q3')).toMatchObject({
      adjustmentPct: before.adjustmentPct,
      cumulativeAdjustmentPct: before.cumulativeAdjustmentPct,
    })
    const { data } = await tenant.json<{ data: { adjustmentPct: string }[] }>('/pams/steel/values')
    expect(data.map(({ adjustmentPct }) => adjustmentPct)).toEqual(['5', '2.381', '6.9767'])
  })

  it('decision 24: with asOf or version it is computed from data alone, earlier periods included, no snapshot', async () => {
    const tenant = await ready()
    await tenant.signBoth('steel', '2024-Q2')
    await revise(tenant, '2024-03', '150.00', '2024-06-11')
    expect(await ask(tenant, '?period=2024-Q2&asOf=2024-06-11')).toMatchObject({
      adjustmentPct: 25,
      dataVersion: 'REVISED',
      confirmed: { buyer: null, supplier: null },
    })
    expect(await ask(tenant, '?period=2024-Q2&version=REVISED')).toMatchObject({ adjustmentPct: 25 })
    expect(await ask(tenant, `?period=2024-Q3&asOf=${today()}`)).toMatchObject({ adjustmentPct: -14 })
    expect(await ask(tenant, '?period=2024-Q2&version=FINAL')).toMatchObject({ adjustmentPct: 5 })
    const { data } = await tenant.json<{ data: { adjustmentPct: string }[] }>(`/pams/steel/values?asOf=${today()}`)
    expect(data[0]!.adjustmentPct).toBe('25')
  })

  it('decision 27: where data alone give the very receipt that was signed, its dates stand beside it', async () => {
    const tenant = await ready()
    await tenant.signBoth('steel', '2024-Q2')
    const signed = (await ask(tenant, '?period=2024-Q2')).confirmed
    expect((await ask(tenant, '?period=2024-Q2&asOf=2024-06-01')).confirmed).toEqual(signed)
    expect((await ask(tenant, '?period=2024-Q2&asOf=2024-04-30')).confirmed).toEqual({ buyer: null, supplier: null })
  })

  it('decision 24: with knownAt alone it is as it was answered then, sign-offs and snapshots included', async () => {
    const tenant = await ready()
    const moments: { at: string; text: string; values: string }[] = []
    const note = async () => {
      const at = new Date().toISOString()
      const values = (await tenant.get('/pams/steel/values')).text
      moments.push({ at, text: await textOf(tenant, '?period=2024-Q2'), values })
    }
    await note()
    await tenant.sign('steel', '2024-Q2', 'buyer')
    await note()
    await tenant.sign('steel', '2024-Q2', 'supplier')
    await note()
    await revise(tenant, '2024-03', '150.00', '2024-06-11')
    await note()
    await tenant.apply(steelDocument({ weight: '0.25' }))
    await note()
    for (const { at, text, values } of moments) {
      expect(await textOf(tenant, `?period=2024-Q2&knownAt=${at}`), at).toBe(text)
      expect((await tenant.get(`/pams/steel/values?knownAt=${at}`)).text, at).toBe(values)
    }
    expect(new Set(moments.map(({ text }) => text)).size).toBe(3)
  })

  it('decision 28: a revision after one party signed makes a new proposal that nobody has signed, and both sign that', async () => {
    const tenant = await ready()
    const { hash: old } = await tenant.sign('steel', '2024-Q2', 'buyer')
    await revise(tenant, '2024-03', '112.00', '2024-06-11')
    expect(await ask(tenant, '?period=2024-Q2')).toMatchObject({
      adjustmentPct: 6,
      confirmed: { buyer: null, supplier: null },
    })
    await expect(tenant.sign('steel', '2024-Q2', 'supplier', { hash: old })).rejects.toMatchObject({ kind: 'conflict' })
    await tenant.sign('steel', '2024-Q2', 'supplier')
    expect(await ask(tenant, '?period=2024-Q2')).toMatchObject({
      confirmed: { buyer: null, supplier: expect.any(String) },
    })
    await expect(tenant.sign('steel', '2024-Q3', 'buyer')).rejects.toThrow(/2024-Q2/)
    await tenant.sign('steel', '2024-Q2', 'buyer')
    expect(await ask(tenant, '?period=2024-Q2')).toMatchObject({
      adjustmentPct: 6,
      confirmed: { buyer: expect.any(String), supplier: expect.any(String) },
    })
  })

  it('decision 28: a formula change makes a new proposal for what is not signed by both, and leaves what is', async () => {
    const tenant = await ready()
    await tenant.signBoth('steel', '2024-Q2')
    await tenant.sign('steel', '2024-Q3', 'buyer')
    await tenant.apply(steelDocument({ weight: '0.25' }))
    expect(await ask(tenant, '?period=2024-Q2')).toMatchObject({
      formulaVersion: 1,
      adjustmentPct: 5,
      confirmed: { buyer: expect.any(String) },
    })
    expect(await ask(tenant, '?period=2024-Q3')).toMatchObject({
      formulaVersion: 2,
      confirmed: { buyer: null, supplier: null },
    })
  })

  it('decision 28: a period that was blocked when a later one was signed by both stays without an entry', async () => {
    const tenant = await api.tenant()
    await tenant.importValues('CUSTOM/steel', { '2023-12': '100', '2024-03': '110', '2024-09': '120' }, '2024-10-01')
    await tenant.apply(steelDocument())
    await tenant.signBoth('steel', '2024-Q4', { through: true })
    await tenant.importValues('CUSTOM/steel', { '2024-06': '115' }, '2024-10-02')
    const { status, text } = await tenant.get('/pams/steel/adjustment?period=2024-Q3')
    expect([status, text]).toEqual([404, expect.stringContaining('2024-Q3')])
    const { data } = await tenant.json<{ data: { adjustmentDate: string }[] }>('/pams/steel/values')
    expect(data.map(({ adjustmentDate }) => adjustmentDate.slice(0, 10))).toEqual(['2024-04-01', '2024-10-01'])
    expect(await ask(tenant, `?period=2024-Q3&asOf=${today()}`)).toMatchObject({ period: '2024-Q3' })
    expect(await ask(tenant, '?date=2024-08-01').catch(error => String(error))).toContain('404')
  })

  it('F4: races of both parties with edits and revisions leave one row per party, bound to a hash that was shown', async () => {
    const { accepted, refused } = await raceSignatures(api, { rounds: 12, seed: 4 })
    expect(accepted).toBeGreaterThanOrEqual(24)
    expect(refused).toBeGreaterThan(0)
  })
})
