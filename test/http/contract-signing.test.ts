// Sign-offs over real HTTP: who may sign what in which order, and what `confirmed` says (C24, C27, C28; T9).
import { describe, expect, test } from 'vitest'
import { hashOfPeriods, type SeenPeriod } from '../../src/core/receipt/party-signature.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { raceSignatures } from '../faults/sign-races.ts'
import { ask, hashOf, readyToSign, revise, today } from '../support/agreements/signing.ts'
import { buyer, supplier, type Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { steelDocument } from '../support/houses/sample.ts'
import { scenario } from '../support/run/long-test.ts'

const { api } = house()

const ready = (document = steelDocument()) => readyToSign(api, document)

describe('who signs what', () => {
  test('C27: both keys are always present, null until that party has signed exactly this receipt, then the day', async () => {
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

  test('C28: each party signs in order, or all at once with --through', async () => {
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

  test('T9: signing the same receipt again is not an error and adds nothing', async () => {
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

  test('T9: nobody signs for the other side, for both, without the role, or from outside', async () => {
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

  test('T9: where the document names the parties, only they sign, and nobody is named on both sides', async () => {
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

  test('C21: only what is ACTIVE can be signed', async () => {
    const tenant = await ready()
    for (const status of ['DRAFT', 'SUSPENDED', 'EXPIRED', 'ARCHIVED']) {
      await tenant.apply(steelDocument({ status }))
      await expect(tenant.sign('steel', '2024-Q2', 'buyer'), status).rejects.toMatchObject({ kind: 'conflict' })
    }
    await tenant.apply(steelDocument())
    await tenant.sign('steel', '2024-Q2', 'buyer')
  })

  test('C28: a period that is not computed cannot be signed', async () => {
    const tenant = await ready()
    for (const period of ['2024-Q1', '2025-Q1', '2024-05'])
      await expect(tenant.sign('steel', period, 'buyer'), period).rejects.toMatchObject({ kind: 'not-found' })
    await expect(tenant.sign('none', '2024-Q2', 'buyer')).rejects.toMatchObject({ kind: 'not-found' })
    const stranger = await api.tenant()
    await expect(stranger.sign('steel', '2024-Q2', 'buyer')).rejects.toMatchObject({ kind: 'not-found' })
  })

  test('T9: an outdated hash is refused, with the current one', async () => {
    const tenant = await ready()
    const shown = await hashOf(tenant, '?period=2024-Q2')
    await revise(tenant, '2024-03', '112.00', '2024-06-11')
    const now = await hashOf(tenant, '?period=2024-Q2')
    await expect(tenant.sign('steel', '2024-Q2', 'buyer', { hash: shown })).rejects.toThrow(now)
    expect((await ask(tenant, '?period=2024-Q2')).confirmed.buyer).toBeNull()
    expect((await tenant.sign('steel', '2024-Q2', 'buyer', { hash: now })).hash).toBe(now)
  })
})

describe('what was shown', () => {
  const seenOf = async (tenant: Tenant, ...periods: string[]) => {
    const seen: SeenPeriod[] = []
    for (const period of periods) seen.push({ period, hash: await hashOf(tenant, `?period=${period}`) })
    return seen
  }
  const signOffs = (tenant: Tenant) => api.owner`select 1 from sign_off where workspace_id = ${tenant.id}`

  /** Steps that come out even, so that no rounding passes on what happened before. */
  const monthlyValues = { '2024-02': '125', '2024-03': '200', '2024-04': '250', '2024-05': '500', '2024-06': '600' }
  const months = Object.keys(monthlyValues)
  const monthly = `
slug: steel
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: MONTHLY }
inputs: { steel: { series: CUSTOM/monthly, weight: 1, base: { value: 100 } } }
clause: {}
parties: { supplier: [${supplier}] }
`

  test('T9: a revision of an earlier period refuses all that would be signed along with it, and says which', async () => {
    const tenant = await api.tenant()
    await tenant.importValues('CUSTOM/monthly', monthlyValues)
    await tenant.apply(monthly)
    const seen = await seenOf(tenant, ...months)
    await tenant.importValues('CUSTOM/monthly', { '2024-02': '160' }, '2024-06-11')
    const now = await seenOf(tenant, ...months)
    // What happened to February is not in the receipt of June: its hash alone would let the others through.
    expect(now.at(-1)).toEqual(seen.at(-1))
    const stale = tenant.sign('steel', '2024-06', 'buyer', { shown: seen })
    await expect(stale).rejects.toMatchObject({ kind: 'conflict' })
    await expect(stale).rejects.toThrow(`the proposal for 2024-02 has moved to 60 %: its hash is now ${now[0]!.hash}`)
    const byList = tenant.sign('steel', '2024-06', 'buyer', { hash: hashOfPeriods(seen), through: true })
    await expect(byList).rejects.toThrow(hashOfPeriods(now))
    await expect(
      tenant.sign('steel', '2024-06', 'buyer', { hash: seen.at(-1)!.hash, through: true }),
    ).rejects.toMatchObject({ kind: 'conflict' })
    expect(await signOffs(tenant)).toHaveLength(0)

    await tenant.sign('steel', '2024-06', 'buyer', { shown: now })
    expect(await signOffs(tenant)).toHaveLength(5)
    const named = { hash: hashOfPeriods(now), through: true }
    await tenant.sign('steel', '2024-06', 'supplier', named)
    expect((await tenant.sign('steel', '2024-06', 'supplier', named)).added).toEqual([])
    expect((await tenant.sign('steel', '2024-06', 'buyer', { shown: now })).added).toEqual([])
  })

  test('T9: the number that was shown is named if it is stored', async () => {
    const tenant = await ready()
    const seen = await seenOf(tenant, '2024-Q2')
    await tenant.sign('steel', '2024-Q2', 'buyer')
    await revise(tenant, '2024-03', '112.00', '2024-06-11')
    await expect(tenant.sign('steel', '2024-Q2', 'supplier', { shown: seen })).rejects.toThrow('from 5 % to 6 %')
  })

  test('T9: a period that is missing, one too many or out of order refuses all', async () => {
    const tenant = await ready()
    const seen = await seenOf(tenant, '2024-Q2', '2024-Q3', '2024-Q4')
    const [first, second, third] = seen
    const cases: readonly (readonly [string, readonly SeenPeriod[], RegExp])[] = [
      ['2024-Q3', [second!], /2024-Q2 must be signed by the buyer first/],
      ['2024-Q4', [first!, third!], /2024-Q3 must be signed by the buyer first/],
      ['2024-Q2', [first!, second!], /2024-Q3 has no number that could be signed up to 2024-Q2/],
      ['2024-Q3', [second!, first!], /by date, and end with 2024-Q3/],
      ['2024-Q2', [first!, first!], /once each/],
      ['2024-Q3', [first!], /end with 2024-Q3/],
      ['2024-Q2', [{ ...first!, hash: second!.hash }], /has moved/],
    ]
    for (const [period, shown, words] of cases)
      await expect(tenant.sign('steel', period, 'buyer', { shown }), `${period} ${shown.length}`).rejects.toThrow(words)
    expect(await signOffs(tenant)).toHaveLength(0)
  })
})

describe('one side', () => {
  const both = (supplierEmail: string) =>
    steelDocument({ more: `parties: { buyer: [carl@buyer.test], supplier: [${supplierEmail}] }\n` })

  test('T9: nobody signs for both, also not after the parties were swapped between the two signatures', async () => {
    const tenant = await ready(both('dora@forge.test'))
    for (const email of ['carl@buyer.test', 'dora@forge.test'])
      await createMember(api.sql, tenant.id, { email, role: 'viewer' })
    await tenant.sign('steel', '2024-Q2', 'supplier', { email: 'Dora@forge.test' })
    const swapped = steelDocument({ more: 'parties: { buyer: [dora@FORGE.test], supplier: [carl@buyer.test] }\n' })
    await tenant.apply(swapped)
    const asBuyer = tenant.sign('steel', '2024-Q2', 'buyer', { email: 'DORA@forge.test' })
    await expect(asBuyer).rejects.toThrow('dora@forge.test has signed 2024-Q2 for the other side')
    expect((await ask(tenant, '?period=2024-Q2')).confirmed.buyer).toBeNull()
  })

  test('T9: nobody signs for both under another receipt of the same period either', async () => {
    const tenant = await ready(both('dora@forge.test'))
    await tenant.sign('steel', '2024-Q2', 'supplier', { email: 'dora@forge.test' })
    await tenant.apply(
      steelDocument({ weight: '0.25', more: 'parties: { buyer: [dora@forge.test], supplier: [carl@buyer.test] }\n' }),
    )
    await expect(tenant.sign('steel', '2024-Q2', 'buyer', { email: 'dora@forge.test' })).rejects.toThrow(
      'nobody signs for both',
    )
    const rows = await api.owner<{ agreement: string; hash: string }[]>`
      select agreement_id as agreement, receipt_hash as hash from sign_off where workspace_id = ${tenant.id}`
    const slipIn = api.owner`
      insert into sign_off (workspace_id, agreement_id, period, receipt_hash, party, adjustment_date, signed_by, signed_at, seq,
        seal, signing_id)
      select workspace_id, agreement_id, period, receipt_hash, 'buyer', adjustment_date, 'Dora@forge.test', signed_at, seq, seal, signing_id
      from sign_off where workspace_id = ${tenant.id} and agreement_id = ${rows[0]!.agreement}`
    await expect(slipIn).rejects.toThrow('has signed 2024-Q2 for the other side')
  })

  test('T25: a signature of somebody who is no longer on that side makes nothing final', async () => {
    const tenant = await ready(steelDocument())
    await createMember(api.sql, tenant.id, { email: 'gone@buyer.test', role: 'buyer' })
    await tenant.sign('steel', '2024-Q2', 'buyer', { email: 'gone@buyer.test' })
    await api.owner`
      delete from member where workspace_id = ${tenant.id}
        and person_id = (select id from person where email = 'gone@buyer.test')`
    await expect(tenant.sign('steel', '2024-Q2', 'supplier')).rejects.toThrow(
      'gone@buyer.test signed 2024-Q2 as buyer and is no longer on that side',
    )
  })

  test('where no supplier is named there is none; where no buyer is named it is every buyer', async () => {
    const tenant = await ready(steelDocument({ more: 'parties: { buyer: [ann@buyer.test] }\n' }))
    await expect(tenant.sign('steel', '2024-Q2', 'supplier')).rejects.toThrow('the agreement names no supplier')
    await tenant.apply(steelDocument({ more: `parties: { supplier: [${supplier}] }\n` }))
    await tenant.signBoth('steel', '2024-Q2')
  })

  test('T25: a stored signature says who gave it, from where, by which means, and what else was signed', async () => {
    const tenant = await ready()
    await tenant.sign('steel', '2024-Q3', 'buyer', { through: true, proof: { means: 'OPERATOR' } })
    await tenant.sign('steel', '2024-Q2', 'supplier', { fromAddress: '192.0.2.7' })
    const rows = await api.owner<{ period: string; means: string; name: string; address: string; count: number }[]>`
      select s.period, g.means, g.name, g.from_address as address, jsonb_array_length(g.periods) as count
      from sign_off s join signing g on g.workspace_id = s.workspace_id and g.id = s.signing_id
      where s.workspace_id = ${tenant.id} order by s.seq`
    expect(rows).toEqual([
      { period: '2024-Q2', means: 'OPERATOR', name: 'ann', address: null, count: 2 },
      { period: '2024-Q3', means: 'OPERATOR', name: 'ann', address: null, count: 2 },
      { period: '2024-Q2', means: 'PASSWORD', name: 'sam', address: '192.0.2.7', count: 1 },
    ])
    const notes = await api.owner<{ who: string; what: string }[]>`
      select who, what from activity where workspace_id = ${tenant.id} and what like 'signed%' order by at, id`
    expect(notes).toEqual([
      { who: 'operator', what: 'signed as buyer by the operator, in the name of ann@buyer.test' },
      { who: 'operator', what: 'signed as buyer by the operator, in the name of ann@buyer.test' },
      { who: supplier, what: 'signed as supplier' },
    ])
    expect((await verifyChain(api.sql, tenant.id)).problem).toBeNull()
  })

  test('T10: a changed means, name or list of a signature is found by the chain', async () => {
    const tenant = await ready()
    await tenant.sign('steel', '2024-Q2', 'buyer', { proof: { means: 'OPERATOR' } })
    await api.owner`alter table signing disable trigger user`
    await api.owner`update signing set means = 'PASSWORD' where workspace_id = ${tenant.id}`
    await api.owner`alter table signing enable trigger user`
    expect((await verifyChain(api.sql, tenant.id)).problem?.message).toContain('signature')
  })
})

describe('at the same moment', () => {
  scenario(
    'sign-races',
    'F4: races of both parties with edits and revisions leave one row per party, bound to a hash that was shown',
    { short: 5, long: 1_000, seed: 4 },
    async run => {
      const { accepted, refused, along } = await raceSignatures(api, run)
      expect(accepted).toBeGreaterThanOrEqual(2 * run.rounds)
      expect(along).toBeGreaterThan(0)
      expect(refused).toBeGreaterThan(0)
      return { summary: `${accepted} signatures taken, ${refused} refused`, failures: [] }
    },
  )
})
