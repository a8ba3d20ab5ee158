// Periods that were signed, over real HTTP: their numbers are final, and what comes after continues from them
// (C24, C27, C28; T8).
import { describe, expect, test } from 'vitest'
import { ask, hashOf, readyToSign, revise, today } from '../support/agreements/signing.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { steelDocument } from '../support/houses/sample.ts'

const { api } = house()

const ready = () => readyToSign(api)
const textOf = async (tenant: Tenant, query = '') => (await tenant.get(`/pams/steel/adjustment${query}`)).text

describe('what was signed', () => {
  test('C24, C28, T8: keeps its number, bytes and receipt after revisions, new formulas and a restart', async () => {
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

  test('C24: later periods continue from the signed snapshot, its exact carried factor', async () => {
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

  test('C24: with asOf or version it is computed from data alone, earlier periods included, no snapshot', async () => {
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

  test('C27: if data alone give the receipt that was signed, its signing dates are shown', async () => {
    const tenant = await ready()
    await tenant.signBoth('steel', '2024-Q2')
    const signed = (await ask(tenant, '?period=2024-Q2')).confirmed
    expect((await ask(tenant, '?period=2024-Q2&asOf=2024-06-01')).confirmed).toEqual(signed)
    expect((await ask(tenant, '?period=2024-Q2&asOf=2024-04-30')).confirmed).toEqual({ buyer: null, supplier: null })
  })

  test('C24: with knownAt alone it is as it was answered then, sign-offs and snapshots included', async () => {
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

  test('C28: a revision after one party signed makes a new proposal that nobody has signed, and both sign that', async () => {
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

  test('C28: a formula change makes a new proposal for what is not signed by both, and leaves what is', async () => {
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

  test('C28: a period that was blocked when a later one was signed by both stays without an entry', async () => {
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
})
