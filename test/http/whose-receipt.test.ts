// T23: a receipt names whose it is and where every figure comes from; how that is recorded, and what a change to it
// does.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { Origin, Receipt } from '../../src/core/receipt/receipt.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { nameInstallation } from '../../src/storage/people/issuer-names.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { judge } from '../support/agreements/judged.ts'
import { eventually, follow, type Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'

const api = ownHouse(openOwnApi)

async function open(): Promise<Tenant> {
  const tenant = await api.tenant({ name: 'Brackets GmbH' })
  await tenant.import(steelTable)
  await tenant.apply(steelDocument())
  return tenant
}

const receiptOf = (tenant: Tenant, query = '?period=2024-Q2') =>
  tenant.json<Receipt>(`/pams/steel/adjustment/receipt${query}`)
const by = { who: 'eva@editor.test', fromAddress: null }
const rename = async (tenant: Tenant, name: string) => {
  await renameWorkspace(api.sql, tenant.id, name, by)
  await eventually(
    () => receiptOf(tenant, '?period=2024-Q4'),
    ({ body }) => body.workspace!.name === name,
  )
}

describe('the body of a receipt', () => {
  test('names installation, workspace, contract, parties and series', async () => {
    const tenant = await open()
    await tenant.apply(steelDocument({ more: 'parties: { buyer: [ann@buyer.test] }' }))
    const { body } = await receiptOf(tenant)
    expect(body).toMatchObject({
      format: 'assize-receipt/2',
      edition: 2,
      installation: { id: expect.stringMatching(/^ins_[0-9a-z]{26}$/), name: null },
      workspace: { id: tenant.id, slug: expect.stringMatching(/^tenant-/), name: 'Brackets GmbH' },
      pam: 'steel',
      name: 'Steel brackets',
      parties: { buyer: ['ann@buyer.test'], supplier: null },
      series: [{ series: 'CUSTOM/steel', name: 'Steel billets', frequency: 'MONTHLY' }],
    })
  })

  test('gives every figure its origin: the file it was imported from', async () => {
    const { body } = await receiptOf(await open())
    const sha256 = createHash('sha256').update(steelTable).digest('hex')
    for (const { origin, recorded } of body.observations)
      expect(origin).toEqual({ uploadedBy: 'operator', file: 'table.csv', sha256, recorded })
  })

  test('gives a figure that we read its provider, and never one that a workspace imported under that name', async () => {
    const tenant = await api.tenant()
    const seriesId = await makeSeries(api.sql, publicScope, 'followed')
    const [base, next] = ['2020-12', '2021-01'].map(period => parsePeriod(period)!.ordinal) as [number, number]
    const rows = [
      { period: base, value: '100' },
      { period: next, value: '110' },
    ]
    await publishRows(api.sql, publicScope, seriesId, rows)
    await follow(api.sql, tenant.id, seriesId)
    await tenant.importValues('BLS/WPU2', { '2020-12': '100', '2021-01': '110' })
    const document = (slug: string, series: string) => `
slug: ${slug}
contract: { start: 2021-01-01, end: 2021-12-31, frequency: ANNUAL, firstAdjustment: 2021-01-01 }
inputs: { index: { series: ${series}, weight: 1, base: 2020-12 } }
clause: { rounding: { percent: { dp: 2 } } }
`
    await tenant.apply(document('followed', 'CUSTOM/followed'))
    await tenant.apply(document('imported', 'BLS/WPU2'))
    const origins = async (slug: string): Promise<readonly Origin[]> =>
      (await tenant.json<Receipt>(`/pams/${slug}/adjustment/receipt`)).body.observations.map(({ origin }) => origin)
    expect(await origins('followed')).toEqual([{ provider: 'CUSTOM' }, { provider: 'CUSTOM' }])
    for (const origin of await origins('imported')) expect(origin).toMatchObject({ uploadedBy: 'operator' })
  })

  test('says so where a figure was imported before that was recorded', async () => {
    const tenant = await open()
    await api.owner.unsafe(`alter table upload disable trigger user; delete from upload where workspace_id = '${tenant.id}';
      alter table upload enable trigger user`)
    await api.restart()
    const { body } = await receiptOf(tenant)
    const { origin, recorded } = body.observations[0]!
    expect(origin).toEqual({ uploadedBy: null, file: null, sha256: null, recorded })
    // If it is removed by hand, that is visible.
    expect((await verifyChain(api.owner, tenant.id)).problem!.message).toContain('upload')
  })
})

describe('a change of signers or names', () => {
  test('makes a new proposal where the parties change', async () => {
    const tenant = await open()
    const before = await receiptOf(tenant)
    await tenant.apply(steelDocument({ more: 'parties: { supplier: [sue@supplier.test] }' }))
    expect((await receiptOf(tenant)).hash).not.toBe(before.hash)
  })

  test('is in the next unsigned receipt', async () => {
    const tenant = await open()
    const before = await receiptOf(tenant, '?period=2024-Q4')
    await rename(tenant, 'Brackets AG')
    expect((await receiptOf(tenant, '?period=2024-Q4')).hash).not.toBe(before.hash)
  })

  test('does not affect what one party has signed, if only a name changes', async () => {
    const tenant = await open()
    await tenant.sign('steel', '2024-Q2', 'buyer')
    const before = await receiptOf(tenant)
    await rename(tenant, 'Brackets AG')
    expect(await receiptOf(tenant)).toEqual(before)
    await tenant.sign('steel', '2024-Q2', 'supplier')
    const after = await receiptOf(tenant)
    expect([after.hash, after.body]).toEqual([before.hash, before.body])
    expect(after.signatures.map(({ party }) => party)).toEqual(['buyer', 'supplier'])
    expect((await judge(after)).problems).toEqual([])
  })

  test('leaves answers as of an instant before it as they were, to the byte', async () => {
    const tenant = await open()
    const at = new Date().toISOString()
    const path = `/pams/steel/adjustment/receipt?period=2024-Q4&knownAt=${at}`
    const { text } = await tenant.get(path)
    await rename(tenant, 'Brackets AG')
    await rename(tenant, 'Brackets SE')
    expect((await tenant.get(path)).text).toBe(text)
    await api.restart()
    expect((await tenant.get(path)).text).toBe(text)
    expect((await verifyChain(api.owner, tenant.id)).problem).toBeNull()
  })
})

describe('the signatures on a receipt', () => {
  test('are next to it, sealed with it', async () => {
    const tenant = await open()
    expect((await receiptOf(tenant)).signatures).toEqual([])
    await tenant.signBoth('steel', '2024-Q2')
    const receipt = await receiptOf(tenant)
    expect(receipt.signatures).toMatchObject([
      { party: 'buyer', signedBy: 'ann@buyer.test', hash: receipt.hash },
      { party: 'supplier', signedBy: 'sam@supplier.test', hash: receipt.hash },
    ])
    expect((await judge(receipt)).problems).toEqual([])
    const [first] = receipt.signatures
    expect((await judge({ ...receipt, signatures: [first] })).problems).not.toEqual([])
  })
})

describe('the published keys', () => {
  test('name the installation and its key to anybody, and can be used with --trust', async () => {
    const tenant = await open()
    const { status, headers, text } = await api.ask('/.well-known/assize-keys.json')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json',
      'public, max-age=3600',
    ])
    const receipt = await receiptOf(tenant)
    const { publicKey } = new Seal(api.ring)
    expect(JSON.parse(text)).toEqual({
      installation: receipt.body.installation,
      keys: [{ algorithm: 'Ed25519', publicKey }],
      logKeys: [expect.stringMatching(/^assize\/[0-9a-f]{16}\+[0-9a-f]{8}\+/)],
    })
    expect((await judge(receipt, [publicKey])).trust).toBe('trusted')
    expect((await judge(receipt, [new Seal(KeyRing.of(['another'])).publicKey])).problems).toHaveLength(1)
  })

  test('are not sent again to a client that has them', async () => {
    const path = '/.well-known/assize-keys.json'
    const { headers } = await api.ask(path)
    const again = await api.ask(path, { headers: { 'if-none-match': headers.etag } })
    expect([again.status, again.text, again.headers['access-control-allow-origin']]).toEqual([304, '', '*'])
  })

  test('have the installation’s name once it is given, which is once, and so have new receipts', async () => {
    const tenant = await open()
    const at = new Date().toISOString()
    await nameInstallation(api.owner, 'Prices of Example Inc.')
    await expect(nameInstallation(api.owner, 'Another')).rejects.toThrow('is called "Prices of Example Inc."')
    const named = await eventually(
      () => receiptOf(tenant),
      ({ body }) => body.installation!.name !== null,
    )
    expect(named.body.installation!.name).toBe('Prices of Example Inc.')
    expect((await receiptOf(tenant, `?period=2024-Q2&knownAt=${at}`)).body.installation!.name).toBeNull()
    expect((await api.ask('/.well-known/assize-keys.json')).text).toContain('Prices of Example Inc.')
    expect((await verifyChain(api.owner, publicScope)).problem).toBeNull()
  })
})
