// Corrections over HTTP: their routes and who sees amounts, the header that links there from v1, whose numbers stay as
// signed, the feed, and the receipt that is checked offline.
import { beforeAll, describe, expect, test } from 'vitest'
import { proposeCorrection, signCorrection, waiveCorrection } from '../../src/agreements/correct.ts'
import { noteCorrection } from '../../src/agreements/correction-note.ts'
import { importLines } from '../../src/agreements/invoices.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { judgeCorrection } from '../../src/core/true-up/correction-verdict.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { Library } from '../../src/read/library.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { buyer, supplier, Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

type Changes = ExtWire<'ChangeList'>
type Correction = ExtWire<'Correction'>

const agreement = 'steel-brackets'
const by = { who: 'eva@editor.test', fromAddress: null }
let tenant: Tenant
let withMoney: Tenant
let stranger: Tenant
let seal: Seal
let begin: string
let before: { body: string; link: string | null }
let id: string

async function signedNumber(who: Tenant): Promise<{ body: string; link: string | null }> {
  const answer = await who.get(`/pams/${agreement}/adjustment?period=2024-Q2`)
  return { body: answer.text, link: answer.headers.link?.toString() ?? null }
}

async function signBoth(correction: string): Promise<void> {
  for (const [party, email] of [
    ['buyer', buyer],
    ['supplier', supplier],
  ] as const)
    await signCorrection(api.sql, seal, {
      workspaceId: tenant.id,
      id: correction,
      party,
      email,
      hash: null,
      proof: { means: 'OPERATOR' },
      fromAddress: null,
    })
}

const { api } = house()
beforeAll(async () => {
  seal = new Seal(api.ring)
  tenant = await api.tenant()
  stranger = await api.tenant()
  withMoney = new Tenant(api, tenant.id, await api.issueKey(tenant.id, null, 'erp', 'money'))
  await createMember(api.sql, tenant.id, { email: buyer, role: 'buyer' })
  await createMember(api.sql, tenant.id, { email: supplier, role: 'supplier' })
  await tenant.import(firstPrints)
  await tenant.apply(trueUpDocument())
  await tenant.signBoth(agreement, '2024-Q2')
  const line = {
    invoice: '4711',
    line: '1',
    date: '2024-05-10',
    quantity: '100',
    unitPrice: '106.00',
    agreement,
  }
  const library = new Library(api.sql, 64 * 1024 * 1024, { seals: seal.rows, report: () => {} })
  const lines = [readLine(2, line)]
  await importLines(api.sql, library, {
    workspaceId: tenant.id,
    lines,
    today: parseDay('2026-11-16')!,
    by,
    source: 'x',
  })
  await tenant.import(finalMarch)
  begin = (await withMoney.extJson<Changes>('/changes')).pagination.nextCursor
  before = await signedNumber(tenant)
  const proposed = await proposeCorrection(api.sql, seal, {
    workspaceId: tenant.id,
    agreement,
    reason: null,
    by,
  })
  id = proposed.correction.id
  await signBoth(id)
  await noteCorrection(api.sql, seal, {
    workspaceId: tenant.id,
    id,
    number: 'CN-1',
    date: parseDay('2024-09-01')!,
    by,
    write: () => 'written',
  })
})

describe('v1', () => {
  test('answers the signed number byte for byte, and links to the agreed correction', async () => {
    const now = await signedNumber(tenant)
    expect(before.link).toBeNull()
    expect(now).toEqual({ body: before.body, link: `</ext/v1/corrections/${id}>; rel="related"` })
    const other = await tenant.get(`/pams/${agreement}/adjustment?period=2024-Q3`)
    expect(other.headers.link).toBeUndefined()
    const fromData = await tenant.get(`/pams/${agreement}/adjustment?period=2024-Q2&asOf=2024-05-01`)
    expect(fromData.headers.link).toBeUndefined()
  })
})

describe('/ext/v1', () => {
  test('lists and shows corrections, with amounts for keys that read money', async () => {
    const list = await withMoney.extJson<ExtWire<'CorrectionList'>>(`/pams/${agreement}/corrections`)
    expect(list.data).toMatchObject([
      { id, state: 'AGREED', net: '-250.00', notes: [{ number: 'CN-1', amount: '-250.00' }] },
    ])
    expect(await withMoney.extJson<Correction>(`/corrections/${id}`)).toEqual(list.data[0])
    const plain = await tenant.extJson<Correction>(`/corrections/${id}`)
    expect(plain).toMatchObject({ id, state: 'AGREED', net: null, lines: [], parts: [], periods: [{ amount: null }] })
  })

  test('has the receipt, which is checked offline and shows what was changed', async () => {
    const { text: source } = await withMoney.ext(`/corrections/${id}/receipt`)
    const judge = { subtle: globalThis.crypto.subtle, trustedKeys: [seal.publicKey] }
    const verdict = await judgeCorrection(source, judge)
    expect(verdict.problems).toEqual([])
    expect(verdict.signatures.map(({ whose }) => whose)).toEqual(['made-by-operator', 'made-by-operator'])
    const changed = await judgeCorrection(source.replaceAll('"-250.00"', '"-251.00"'), judge)
    expect(changed.follows).toBe(false)
    expect(changed.problems).not.toEqual([])
  })

  test('answers the settled number next to the signed one', async () => {
    expect(await withMoney.extJson(`/pams/${agreement}/settled?period=2024-Q2`)).toMatchObject({
      period: '2024-Q2',
      factor: '1.035',
      signedFactor: '1.06',
      price: '103.50',
      signedPrice: '106.00',
      correction: id,
    })
    const open = await withMoney.ext(`/pams/${agreement}/settled?period=2024-Q3`)
    expect([open.status, JSON.parse(open.text)]).toEqual([404, { error: '2024-Q3 is not signed by both parties' }])
    const { data } = await withMoney.extJson<ExtWire<'AdjustmentList'>>('/adjustments?period=2024-Q2')
    expect(data).toMatchObject([{ adjustmentPct: '6', factor: '1.035', price: '103.50', status: 'AGREED' }])
  })

  test('is 404 with the same message for what does not exist, is of another workspace, or needs money', async () => {
    const missing = id.replace(/.$/, last => (last === '0' ? '1' : '0'))
    const words = { error: 'there is no such correction' }
    for (const [who, path] of [
      [tenant, `/corrections/${missing}`],
      [stranger, `/corrections/${id}`],
    ] as const) {
      const answer = await who.ext(path)
      expect([answer.status, JSON.parse(answer.text)], path).toEqual([404, words])
    }
    for (const path of [`/corrections/${id}/receipt`, `/pams/${agreement}/settled`])
      expect((await tenant.ext(path)).status).toBe(404)
  })

  test('has every step in the feed, in order; waivers and notes for keys that read money', async () => {
    const { data, pagination } = await withMoney.extJson<Changes>(`/changes?cursor=${begin}&limit=20`)
    expect(data.map(({ kind, subject, periods, pams: agreements }) => [kind, subject, periods, agreements])).toEqual([
      ['correction', id, ['2024-Q2'], [agreement]],
      ['correction', id, ['2024-Q2'], [agreement]],
      ['correction', id, ['2024-Q2'], [agreement]],
      ['note', id, ['2024-Q2'], [agreement]],
    ])
    const cursor = (await tenant.extJson<Changes>('/changes')).pagination.nextCursor
    await tenant.import('series,period,value,version,published\nCUSTOM/metal,2024-03,104.0,REVISED,2024-10-01\n')
    await tenant.apply(trueUpDocument({ corrections: '{ when: EACH }' }))
    const { correction } = await proposeCorrection(api.sql, seal, {
      workspaceId: tenant.id,
      agreement,
      reason: null,
      by,
    })
    const waiver = await waiveCorrection(api.sql, seal, { workspaceId: tenant.id, id: correction.id, by, signer: null })
    const seen = async (who: Tenant, from: string) =>
      (await who.extJson<Changes>(`/changes?cursor=${from}`)).data
        .map(({ kind, subject }) => `${kind} ${subject}`)
        .filter(each => each.includes('cor_'))
    expect(await seen(withMoney, pagination.nextCursor)).toEqual([`correction ${correction.id}`, `waiver ${waiver.id}`])
    expect(await seen(tenant, cursor)).toEqual([`correction ${correction.id}`])
  })

  test('fills a page of the feed with the kinds that are asked for, whatever lies between them', async () => {
    const walk = async (kind: 'correction' | 'waiver') => {
      const pages: number[] = []
      for (let cursor = ''; ; ) {
        const query = `kinds=${kind}&limit=1${cursor === '' ? '&from=start' : `&cursor=${cursor}`}`
        const { data, pagination } = await withMoney.extJson<Changes>(`/changes?${query}`)
        expect(data.every(each => each.kind === kind)).toBe(true)
        pages.push(data.length)
        if (!pagination.hasMore) return pages
        cursor = pagination.nextCursor
      }
    }
    // Four steps of corrections, and one waiver that took the place of the last of them.
    expect(await walk('correction')).toEqual([1, 1, 1, 1])
    expect(await walk('waiver')).toEqual([1])
  })

  test('is not held for a page of which nothing was wanted while there is more to read', async () => {
    // Which of the two signatures of a period an entry is, is known only after it was read.
    const first = await tenant.extJson<Changes>('/changes?kinds=agreed&limit=1&from=start&wait=20')
    expect([first.data, first.pagination.hasMore]).toEqual([[], true])
    const { nextCursor } = first.pagination
    const second = await tenant.extJson<Changes>(`/changes?kinds=agreed&limit=1&cursor=${nextCursor}&wait=20`)
    expect(second.data).toMatchObject([{ kind: 'agreed', periods: ['2024-Q2'] }])
  })
})

describe('a proposal whose figures move', () => {
  test('is superseded at once, and the feed names its agreement with the publication', async () => {
    const own = await api.tenant()
    await own.import(firstPrints)
    await own.apply(trueUpDocument({ corrections: '{ when: EACH }' }))
    for (const party of ['buyer', 'supplier'] as const) await own.sign(agreement, '2024-Q2', party)
    await own.import(finalMarch)
    const { correction } = await proposeCorrection(api.sql, seal, {
      workspaceId: own.id,
      agreement,
      reason: null,
      by,
    })
    const request = { workspaceId: own.id, id: correction.id, party: 'supplier' as const, email: supplier, hash: null }
    await signCorrection(api.sql, seal, { ...request, proof: { means: 'OPERATOR' }, fromAddress: null })
    const stateOf = async () => (await own.extJson<Correction>(`/corrections/${correction.id}`)).state
    await expect.poll(stateOf).toBe('SIGNED_BY_SUPPLIER')
    const { nextCursor } = (await own.extJson<Changes>('/changes')).pagination
    await own.import('series,period,value,version,published\nCUSTOM/metal,2024-03,106.0,REVISED,2024-10-01\n')
    expect(await stateOf()).toBe('SUPERSEDED')
    const list = await own.extJson<ExtWire<'CorrectionList'>>(`/pams/${agreement}/corrections`)
    expect(list.data.map(({ state }) => state)).toEqual(['SUPERSEDED'])
    const { data } = await own.extJson<Changes>(`/changes?cursor=${nextCursor}`)
    expect(data).toMatchObject([{ kind: 'observations', pams: [agreement] }])
  })
})
