// Changes of terms that both sign: an amendment is proposed, signed and becomes a version in one piece; what has moved is not
// signed; rows that SQL changed are found.
import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { proposeAmendment } from '../../src/agreements/terms/propose.ts'
import { refuseChange } from '../../src/agreements/terms/refuse-change.ts'
import { type SignChangeRequest, signChange, signChanges } from '../../src/agreements/terms/sign-change.ts'
import type { Party } from '../../src/core/parties.ts'
import { summarizeChange } from '../../src/read/agreements/terms-view.ts'
import { readAgreement } from '../../src/storage/agreements/agreements.ts'
import { readChangeTexts } from '../../src/storage/agreements/terms-changes.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { buyer, supplier, type Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const { api } = house()

const slug = 'steel-brackets'
const email = { buyer, supplier } as const

/** A workspace with one agreement of which the first of three numbers is signed. */
async function open(changes: Parameters<typeof trueUpDocument>[0] = {}): Promise<Tenant> {
  const tenant = await api.tenant()
  await tenant.importUnheard(firstPrints)
  await tenant.applyUnheard(trueUpDocument(changes))
  for (const party of ['buyer', 'supplier'] as const) await tenant.signUnheard(slug, '2024-Q2', party)
  return tenant
}

const capped = trueUpDocument({ clause: '{ cap: { periodPct: 1 } }' })

function propose(tenant: Tenant, text = capped, who: string = buyer) {
  const by = { who, fromAddress: null }
  return proposeAmendment(api.sql, { workspaceId: tenant.id, pam: slug, text, by, reason: 'A cap of 1 % was agreed.' })
}

function request(id: string, party: Party, changes: Partial<SignChangeRequest> = {}): SignChangeRequest {
  const signer = { party, email: email[party], proof: { means: 'PASSWORD' as const }, fromAddress: null }
  return { id, hash: null, ...signer, ...changes }
}

function sign(tenant: Tenant, id: string, party: Party, changes: Partial<SignChangeRequest> = {}) {
  return signChange(api.sql, new Seal(api.secret), tenant.id, request(id, party, changes))
}

function stored(tenant: Tenant) {
  return withWorkspace(api.sql, tenant.id, async tx => (await readAgreement(tx, tenant.id, slug))!)
}

describe('an amendment', () => {
  test('becomes a version with the second signature, which names it, and moves nothing that was signed', async () => {
    const tenant = await open()
    const before = await tenant.get(`/pams/${slug}/adjustment?period=2024-Q2`)
    const { id, hash, outcome } = await propose(tenant)
    expect([outcome, id.slice(0, 4)]).toEqual(['proposed', 'amd_'])
    expect(await sign(tenant, id, 'buyer', { hash })).toMatchObject({ state: 'SIGNED_BY_BUYER', version: null })
    expect((await stored(tenant)).formulas).toHaveLength(1)
    expect(await sign(tenant, id, 'supplier', { hash })).toMatchObject({ state: 'AGREED', version: 2 })
    const kept = await stored(tenant)
    expect(kept.formulas.map(({ version, proposal, createdBy }) => [version, proposal, createdBy])).toEqual([
      [1, null, 'eva@editor.test'],
      [2, id, buyer],
    ])
    expect(kept.formulas[1]!.documentText).toBe(capped)
    expect((await tenant.get(`/pams/${slug}/adjustment?period=2024-Q2`)).text).toBe(before.text)
    expect((await tenant.get(`/pams/${slug}/adjustment?period=2024-Q4`)).text).toContain('"formulaVersion":2')
    const [change] = kept.changes
    expect(summarizeChange(kept, change!)).toMatchObject({ state: 'AGREED', version: 2, effectiveFrom: '2024-07-01' })
    expect((await verifyChain(api.owner, tenant.id)).problem).toBeNull()
  })

  test('says what differs, from when, and what it does to the next dates', async () => {
    const tenant = await open()
    const { id } = await propose(tenant)
    const texts = await withWorkspace(api.sql, tenant.id, tx => readChangeTexts(tx, tenant.id, [id]))
    const body = JSON.parse(texts.get(id)!.body)
    expect(body.differences).toEqual([{ path: 'clause.cap', before: null, after: '{ periodPct: 1 }' }])
    expect([body.effectiveFrom, body.basis, body.reason]).toEqual(['2024-07-01', 1, 'A cap of 1 % was agreed.'])
    expect(body.effect.map(({ period, before, after }: never) => [period, before, after])).toEqual([
      ['2024-Q3', { adjustmentPct: '-0.9434', cumulativePct: '5', price: '105.00', gap: null }, expect.anything()],
      [
        '2024-Q4',
        { adjustmentPct: '1.9048', cumulativePct: '7', price: '107.00', gap: null },
        expect.objectContaining({ price: '106.05' }),
      ],
    ])
  })

  test('is the same proposal while nothing has moved; another one takes its place, whoever has signed it', async () => {
    const tenant = await open()
    const first = await propose(tenant)
    expect(await propose(tenant)).toMatchObject({ outcome: 'unchanged', id: first.id })
    await sign(tenant, first.id, 'buyer')
    const counter = await propose(tenant, trueUpDocument({ clause: '{ cap: { periodPct: 2 } }' }), supplier)
    expect(counter).toMatchObject({ outcome: 'proposed', supersedes: first.id })
    await expect(sign(tenant, first.id, 'supplier')).rejects.toThrow(`${counter.id} has taken its place`)
    await sign(tenant, counter.id, 'supplier')
    expect(await sign(tenant, counter.id, 'buyer')).toMatchObject({ state: 'AGREED', version: 2 })
  })

  test('is not signed under another hash, by nobody for both, and not after a date of it was signed', async () => {
    const tenant = await open()
    const { id } = await propose(tenant)
    await expect(sign(tenant, id, 'buyer', { hash: '0'.repeat(64) })).rejects.toThrow('look at it again')
    await expect(sign(tenant, id, 'supplier', { email: buyer })).rejects.toThrow("is on the buyer's side")
    await sign(tenant, id, 'buyer')
    for (const party of ['buyer', 'supplier'] as const) await tenant.signUnheard(slug, '2024-Q3', party)
    await expect(sign(tenant, id, 'supplier')).rejects.toThrow('both have signed the number of 2024-07-01 since')
    const again = await propose(tenant)
    expect(again.outcome).toBe('proposed')
    expect((await stored(tenant)).changes.at(-1)!.effectiveFrom).toBe('2024-10-01')
  })

  test('is refused with a sentence, and not by a side that has signed it', async () => {
    const tenant = await open()
    const { id } = await propose(tenant)
    await sign(tenant, id, 'buyer')
    const refuse = (party: Party, reason: string) =>
      refuseChange(api.sql, {
        ...{ workspaceId: tenant.id, id, hash: null, party, email: email[party], reason },
        ...{ means: 'SESSION' as const, fromAddress: null },
      })
    await expect(refuse('supplier', ' ')).rejects.toThrow('the reason is missing')
    await expect(refuse('buyer', 'No.')).rejects.toThrow('has signed')
    await refuse('supplier', 'One percent is too little.')
    await expect(sign(tenant, id, 'supplier')).rejects.toThrow('the supplier refused it: One percent is too little.')
    expect((await stored(tenant)).formulas).toHaveLength(1)
  })

  test('is signed with others in one act, whose list is stored with each', async () => {
    const tenant = await open()
    await tenant.applyUnheard(trueUpDocument({ slug: 'other' }))
    const text = trueUpDocument({ slug: 'other', clause: '{ cap: { periodPct: 1 } }' })
    const by = { who: buyer, fromAddress: null }
    const first = await propose(tenant)
    const reason = 'The same there.'
    const second = await proposeAmendment(api.sql, { workspaceId: tenant.id, pam: 'other', text, by, reason })
    const ids = [first.id, second.id, `amd_${'0'.repeat(26)}`]
    const signAll = (party: Party) =>
      signChanges(
        api.sql,
        new Seal(api.secret),
        tenant.id,
        ids.map(id => request(id, party)),
      )
    expect(await signAll('buyer')).toMatchObject([{ version: null }, { version: null }, { kind: 'not-found' }])
    expect(await signAll('supplier')).toMatchObject([{ version: 2 }, { version: 2 }, { kind: 'not-found' }])
    const kept = await stored(tenant)
    const { signatures } = summarizeChange(kept, kept.changes[0]!)
    expect(signatures.map(({ list }) => list?.count)).toEqual([2, 2])
    expect((await verifyChain(api.owner, tenant.id)).problem).toBeNull()
  })
})
