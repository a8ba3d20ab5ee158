// Price lists and signatures: a list begins with the first open period, what reaches back over a signature waits for both, and
// a list that both sign governs with the second signature.
import { describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { refuseChange } from '../../src/agreements/terms/refuse-change.ts'
import { signChange } from '../../src/agreements/terms/sign-change.ts'
import type { Party } from '../../src/core/parties.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { stateOfChange } from '../../src/read/agreements/terms-state.ts'
import { Library } from '../../src/read/library.ts'
import { loadAgreementHistory } from '../../src/storage/agreements/agreements.ts'
import { loadChangeTexts } from '../../src/storage/agreements/terms-changes.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import { buyer, supplier, type Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'

const { api } = house()

const slug = 'steel-brackets'
const email = { buyer, supplier } as const
const today = parseDay('2024-11-15')!
const by = { who: 'eva@editor.test', fromAddress: null }
const both = '  change: BOTH\n'

async function open(document: Parameters<typeof pricedDocument>[0] = {}): Promise<Tenant> {
  const tenant = await api.tenant()
  await tenant.importUnheard(steelPrices)
  await tenant.applyUnheard(pricedDocument(document))
  return tenant
}

function sign(tenant: Tenant, period: string, ...parties: readonly Party[]) {
  return Promise.all(parties.map(party => tenant.signUnheard(slug, period, party)))
}

const library = () => new Library(api.sql, 64 * 1024 * 1024, { seals: new Seal(api.ring).rows, report: () => {} })

function apply(tenant: Tenant, items: string, from: string | null = null) {
  const { rows } = readList(`item,price,currency\n${items}`)
  return applyPriceList(api.sql, library(), { workspaceId: tenant.id, agreement: slug, rows, from, today, by })
}

function answer(id: string, party: Party) {
  return { id, hash: null, party, email: email[party], proof: { means: 'PASSWORD' as const }, fromAddress: null }
}

function agree(tenant: Tenant, id: string, party: Party) {
  return signChange(api.sql, new Seal(api.ring), tenant.id, answer(id, party))
}

async function proposed(applied: Awaited<ReturnType<typeof apply>>): Promise<string> {
  expect(applied).toMatchObject({ outcome: 'proposed' })
  return (applied as { readonly proposal: string }).proposal
}

async function rows(tenant: Tenant, item?: string): Promise<readonly string[]> {
  const found = await library().prices.rows(tenant.id, slug, { knownAt: null, until: today, item })
  return found.map(({ row }) => `${row.item} ${row.period} ${row.price} ${row.status} ${row.listVersion ?? '-'}`)
}

async function stateOf(tenant: Tenant, id: string): Promise<string> {
  const kept = (await withWorkspace(api.sql, tenant.id, tx => loadAgreementHistory(tx, tenant.id, slug)))!
  return stateOfChange(kept, kept.changes.find(each => each.id === id)!)
}

describe('a price list', () => {
  test('begins with the first period that nobody has signed, and leaves what was signed', async () => {
    const tenant = await open()
    await sign(tenant, '2024-Q2', 'buyer', 'supplier')
    expect(await apply(tenant, 'A,10,EUR\n')).toMatchObject({ outcome: 'created', version: 1, proposal: null })
    const after = [
      'A 2024-Q3 10.50 OPEN 1',
      'A 2024-Q4 11.00 OPEN 1',
      `${slug} start 12.40 AGREED -`,
      `${slug} 2024-Q2 12.69 AGREED -`,
    ]
    expect(await rows(tenant)).toEqual(after)
    await sign(tenant, '2024-Q3', 'buyer')
    expect(await apply(tenant, 'A,10,EUR\n')).toMatchObject({ outcome: 'unchanged', version: 1 })
    await apply(tenant, 'A,20,EUR\n')
    expect(await rows(tenant, 'A')).toEqual(['A 2024-Q3 10.50 SIGNED_BY_BUYER 1', 'A 2024-Q4 22.00 OPEN 2'])
  })

  test('does not reach back over what both signed once there is one, and is proposed where one side has signed', async () => {
    const tenant = await open()
    await apply(tenant, 'A,10,EUR\n')
    await sign(tenant, '2024-Q2', 'buyer', 'supplier')
    await sign(tenant, '2024-Q3', 'supplier')
    for (const from of ['start', '2024-Q2'])
      await expect(apply(tenant, 'A,5,EUR\n', from)).rejects.toThrow(
        'buyer and supplier have both signed 2024-Q2, and a new list changes no price that both signed; it can begin with 2024-Q4',
      )
    const before = await rows(tenant)
    const id = await proposed(await apply(tenant, 'A,5,EUR\n', '2024-Q3'))
    expect(await rows(tenant)).toEqual(before)
    expect(await agree(tenant, id, 'buyer')).toMatchObject({ state: 'SIGNED_BY_BUYER', version: null })
    expect(await rows(tenant)).toEqual(before)
    expect(await agree(tenant, id, 'supplier')).toMatchObject({ state: 'AGREED', version: 2 })
    expect(await rows(tenant)).toEqual([
      'A start 10.00 AGREED 1',
      'A 2024-Q2 10.24 AGREED 1',
      'A 2024-Q3 5.25 SIGNED_BY_SUPPLIER 2',
      'A 2024-Q4 5.50 OPEN 2',
    ])
    expect((await verifyChain(api.owner, tenant.id)).problem).toBeNull()
  })

  test('waits for both under a contract that leaves changes to both, once both signed a number', async () => {
    const tenant = await open({ contract: both })
    await apply(tenant, 'A,95.41,EUR\n')
    expect(await apply(tenant, 'A,90,EUR\n')).toMatchObject({ outcome: 'new version', version: 2 })
    await sign(tenant, '2024-Q2', 'buyer', 'supplier')
    const before = await rows(tenant)
    const id = await proposed(await apply(tenant, 'A,45,EUR\n'))
    expect(await proposed(await apply(tenant, 'A,45,EUR\n'))).toBe(id)
    expect(await rows(tenant)).toEqual(before)
    const texts = await withWorkspace(api.sql, tenant.id, tx => loadChangeTexts(tx, tenant.id, [id]))
    const { format, from, effectiveFrom, effect, ownPriceUntil } = JSON.parse(texts.get(id)!.body)
    expect([format, from, effectiveFrom, ownPriceUntil]).toEqual(['assize-price-list/1', '2024-Q3', '2024-07-01', null])
    expect(effect).toEqual({
      period: '2024-Q4',
      currency: 'EUR',
      unchanged: 0,
      changes: [{ item: 'A', fromQuantity: '0', before: '90', after: '45', priceBefore: '99.00', priceAfter: '49.50' }],
    })
    for (const party of ['supplier', 'buyer'] as const) await agree(tenant, id, party)
    expect(await rows(tenant)).toEqual([
      'A start 90.00 AGREED 2',
      'A 2024-Q2 92.12 AGREED 2',
      'A 2024-Q3 47.25 OPEN 3',
      'A 2024-Q4 49.50 OPEN 3',
    ])
  })

  test('is refused by a side, or superseded by what is signed, applied or changed meanwhile', async () => {
    const tenant = await open()
    await apply(tenant, 'A,10,EUR\n')
    await sign(tenant, '2024-Q2', 'buyer')
    const refused = await proposed(await apply(tenant, 'A,5,EUR\n', '2024-Q2'))
    await refuseChange(api.sql, {
      workspaceId: tenant.id,
      id: refused,
      hash: null,
      party: 'supplier',
      email: supplier,
      reason: 'Too cheap.',
      means: 'SESSION',
      fromAddress: null,
    })
    expect(await stateOf(tenant, refused)).toBe('REFUSED')
    const overtaken = await proposed(await apply(tenant, 'A,5,EUR\n', '2024-Q2'))
    await apply(tenant, 'A,20,EUR\n')
    await expect(agree(tenant, overtaken, 'buyer')).rejects.toThrow('price list 2 was applied since')
    const half = await proposed(await apply(tenant, 'A,5,EUR\n', '2024-Q2'))
    await agree(tenant, half, 'buyer')
    await sign(tenant, '2024-Q2', 'supplier')
    await expect(agree(tenant, half, 'supplier')).rejects.toThrow('the supplier has signed the number of 2024-Q2 since')
    expect(await stateOf(tenant, half)).toBe('SUPERSEDED')
    expect((await rows(tenant, 'A')).slice(0, 2)).toEqual(['A start 10.00 AGREED 1', 'A 2024-Q2 10.24 AGREED 1'])
  })

  test('that is the first adds items to what both signed, with the signatures of both', async () => {
    const tenant = await open()
    await sign(tenant, '2024-Q2', 'buyer', 'supplier')
    const own = await apply(tenant, `${slug},1,EUR\n`, 'start')
    expect(own).toMatchObject({ outcome: 'refused', problems: [{ line: 2, column: 'item' }] })
    const id = await proposed(await apply(tenant, 'A,10,EUR\n', 'start'))
    expect(await rows(tenant, 'A').catch(({ message }: Error) => message)).toBe(`${slug} has no item "A"`)
    for (const party of ['buyer', 'supplier'] as const) await agree(tenant, id, party)
    expect(await rows(tenant)).toEqual([
      'A start 10.00 AGREED 1',
      'A 2024-Q2 10.24 AGREED 1',
      'A 2024-Q3 10.50 OPEN 1',
      'A 2024-Q4 11.00 OPEN 1',
      `${slug} start 12.40 AGREED 1`,
      `${slug} 2024-Q2 12.69 AGREED 1`,
    ])
    await expect(apply(tenant, 'A,1,EUR\n', 'start')).rejects.toThrow('have both signed 2024-Q2')
  })

  test('is not moved by a version that reaches back over what both signed', async () => {
    const tenant = await open()
    await apply(tenant, 'A,10,EUR\n')
    for (const period of ['2024-Q2', '2024-Q3']) await sign(tenant, period, 'buyer', 'supplier')
    const before = (await rows(tenant)).slice(0, 3)
    const restart = {
      price: '{ amount: 6, currency: EUR, unit: piece, round: { dp: 0 } }',
      contract: '  restart: true\n',
    }
    const more = 'effectiveFrom: 2024-05-01\n'
    const text = pricedDocument({ ...restart, more }).replace('base: 2023-12', 'base: 2024-04')
    await applyDocument(api.sql, { workspaceId: tenant.id, text, by: by.who, today })
    expect((await rows(tenant)).filter(row => !row.includes('OPEN')).slice(0, 3)).toEqual(before)
  })
})
