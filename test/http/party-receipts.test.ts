// What a receipt says about a party that is named by its slug: the name of the company, under the hash, as it was then.
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { readBody } from '../../src/core/receipt/receipt-parser.ts'
import { canonicalJson, type Json } from '../../src/core/text/canonical-json.ts'
import { changeMember } from '../../src/storage/people/member-changes.ts'
import { createCompany, renameCompany } from '../../src/storage/people/parties.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { judge } from '../support/agreements/judged.ts'
import { eventually, type Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

const { api } = house()

const by = { who: 'olga@owner.test', fromAddress: null }
const fay = 'fay@forge.test'

async function open(): Promise<Tenant & { readonly fayId: string }> {
  const tenant = await api.tenant()
  await createCompany(api.sql, tenant.id, { slug: 'ohio-forge', name: 'Ohio Forge Inc.' }, by)
  const { id } = await createMember(api.sql, tenant.id, { email: fay, role: 'supplier', company: 'ohio-forge' })
  await tenant.import(steelTable)
  await tenant.apply(steelDocument({ more: 'parties: { supplier: ohio-forge }\n' }))
  return Object.assign(tenant, { fayId: id })
}

const receiptOf = (tenant: Tenant, query = '?period=2024-Q2') =>
  tenant.json<Receipt>(`/pams/steel/adjustment/receipt${query}`)

async function rename(tenant: Tenant, name: string): Promise<void> {
  await renameCompany(api.sql, tenant.id, 'ohio-forge', name, by)
  await eventually(
    () => receiptOf(tenant, '?period=2024-Q4'),
    ({ body }) => body.companies?.['ohio-forge'] === name,
  )
}

describe('a receipt', () => {
  test('names the company on a side, inside the hash; without one it does not mention companies', async () => {
    const tenant = await open()
    const { body, hash } = await receiptOf(tenant)
    expect(body.parties).toEqual({ buyer: null, supplier: 'ohio-forge' })
    expect(body.companies).toEqual({ 'ohio-forge': 'Ohio Forge Inc.' })
    const { hash: other } = await receiptOf(tenant, '?period=2024-Q3')
    expect(other).not.toBe(hash)
    await tenant.apply(steelDocument())
    expect(Object.keys((await receiptOf(tenant)).body)).not.toContain('companies')
  })

  test('that one side has signed keeps the name it was signed under; the next one has the new name', async () => {
    const tenant = await open()
    await tenant.sign('steel', '2024-Q2', 'buyer')
    const before = await receiptOf(tenant)
    await rename(tenant, 'Ohio Forge SE')
    expect(await receiptOf(tenant)).toEqual(before)
    await tenant.sign('steel', '2024-Q2', 'supplier', { email: fay })
    const signed = await receiptOf(tenant)
    expect([signed.hash, signed.body]).toEqual([before.hash, before.body])
    expect((await judge(signed)).problems).toEqual([])
    expect((await receiptOf(tenant, '?period=2024-Q3')).body.companies).toEqual({ 'ohio-forge': 'Ohio Forge SE' })
    expect((await verifyChain(api.sql, tenant.id)).problem).toBeNull()
  })

  test('as of an instant names it as it was called then, to the byte, also after a restart', async () => {
    const tenant = await open()
    const path = `/pams/steel/adjustment/receipt?period=2024-Q4&knownAt=${new Date().toISOString()}`
    const { text } = await tenant.get(path)
    expect(text).toContain('Ohio Forge Inc.')
    await rename(tenant, 'Ohio Forge SE')
    expect((await tenant.get(path)).text).toBe(text)
    await api.restart()
    expect((await tenant.get(path)).text).toBe(text)
  })

  test('is refused with a company that is on no side, with none in the list, or with a name that is not text', async () => {
    const { body } = await receiptOf(await open())
    const read = (companies: Json) => () =>
      readBody(JSON.parse(canonicalJson({ ...(body as object), companies } as never)))
    expect(read({ 'ohio-forge': 'Ohio Forge Inc.' })).not.toThrow()
    expect(read({})).toThrow('body.companies must be a mapping with a name in it')
    expect(read({ 'ohio-forge': 'Ohio Forge Inc.', other: 'Other' })).toThrow('the slugs that stand under parties')
    expect(read({ 'ohio-forge': 7 })).toThrow('must be a text')
    expect(read(['ohio-forge'])).toThrow('must be a mapping')
  })
})

describe('signing for a company', () => {
  test('is for its people only: not for people outside the workspace, of another company, or of none', async () => {
    const tenant = await open()
    await createCompany(api.sql, tenant.id, { slug: 'peach-haulage', name: 'Peach Haulage LLC' }, by)
    await createMember(api.sql, tenant.id, { email: 'pia@haulage.test', role: 'supplier', company: 'peach-haulage' })
    for (const email of ['pia@haulage.test', 'nobody@forge.test', 'sam@supplier.test'])
      await expect(tenant.sign('steel', '2024-Q2', 'supplier', { email }), email).rejects.toThrow(
        `${email} cannot sign as supplier: that is for the people of ohio-forge`,
      )
    await tenant.sign('steel', '2024-Q2', 'supplier', { email: fay })
  })

  test('is not for a person who would be on both sides, and counts even after its signer has left the company', async () => {
    const tenant = await open()
    const change = (company: string | null, role: 'supplier' | 'buyer' = 'supplier') =>
      changeMember(api.sql, tenant.id, tenant.fayId, { role, company }, by)
    await change('ohio-forge', 'buyer')
    await expect(tenant.sign('steel', '2024-Q2', 'supplier', { email: fay })).rejects.toThrow('is on the buyer')
    await expect(tenant.sign('steel', '2024-Q2', 'buyer', { email: fay })).rejects.toThrow('is on the supplier')
    await change('ohio-forge')
    await tenant.sign('steel', '2024-Q2', 'supplier', { email: fay })
    await change(null)
    await expect(tenant.sign('steel', '2024-Q3', 'supplier', { email: fay })).rejects.toThrow(
      'the people of ohio-forge',
    )
    await tenant.sign('steel', '2024-Q2', 'buyer')
    const { signatures } = await receiptOf(tenant)
    expect(signatures.map(({ party, signedBy }) => [party, signedBy])).toEqual([
      ['supplier', fay],
      ['buyer', 'ann@buyer.test'],
    ])
  })

  test('does not count if its signer never belonged to the company that is named now', async () => {
    const tenant = await open()
    await createCompany(api.sql, tenant.id, { slug: 'peach-haulage', name: 'Peach Haulage LLC' }, by)
    await tenant.sign('steel', '2024-Q2', 'supplier', { email: fay })
    await tenant.apply(steelDocument({ more: 'parties: { supplier: peach-haulage }\n' }))
    await tenant.sign('steel', '2024-Q2', 'buyer')
    expect((await receiptOf(tenant)).signatures.map(({ party }) => party)).toEqual(['buyer'])
  })
})
