// Changes of terms that both sign: an amendment is proposed, signed and becomes a version in one piece; what has moved is not
// signed; rows that SQL changed are found.
import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { carryOutPlans } from '../../src/agreements/terms/carry-out.ts'
import { offerSplices } from '../../src/agreements/terms/offer.ts'
import { proposeAmendment, proposeSplice } from '../../src/agreements/terms/propose.ts'
import { refuseChange } from '../../src/agreements/terms/refuse-change.ts'
import { type SignChangeRequest, signChange, signChanges } from '../../src/agreements/terms/sign-change.ts'
import type { SpliceWish } from '../../src/agreements/terms/splice.ts'
import type { Party } from '../../src/core/parties.ts'
import type { ProviderName } from '../../src/core/series/series.ts'
import { summarizeChange } from '../../src/read/agreements/terms-view.ts'
import { findUnsealedRow, loadAgreementHistory, loadAgreementsNamed } from '../../src/storage/agreements/agreements.ts'
import { loadChangeTexts } from '../../src/storage/agreements/terms-changes.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { addIndexEvent } from '../../src/storage/series/index-events.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { statementsOf } from '../support/counted-statements.ts'
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
  return proposeAmendment(api.sql, {
    workspaceId: tenant.id,
    agreement: slug,
    text,
    by,
    reason: 'A cap of 1 % was agreed.',
  })
}

function request(id: string, party: Party, changes: Partial<SignChangeRequest> = {}): SignChangeRequest {
  const signer = { party, email: email[party], proof: { means: 'PASSWORD' as const }, fromAddress: null }
  return { id, hash: null, ...signer, ...changes }
}

function sign(tenant: Tenant, id: string, party: Party, changes: Partial<SignChangeRequest> = {}) {
  return signChange(api.sql, new Seal(api.ring), tenant.id, request(id, party, changes))
}

function stored(tenant: Tenant) {
  return withWorkspace(api.sql, tenant.id, async tx => (await loadAgreementHistory(tx, tenant.id, slug))!)
}

describe('an amendment', () => {
  test('becomes a version with the second signature, which names it, and moves nothing that was signed', async () => {
    const tenant = await open()
    const before = await tenant.get(`/pams/${slug}/adjustment?period=2024-Q2`)
    const { id, hash, outcome } = await propose(tenant)
    expect([outcome, id.slice(0, 4)]).toEqual(['proposed', 'amd_'])
    expect(await sign(tenant, id, 'buyer', { hash })).toMatchObject({ state: 'SIGNED_BY_BUYER', version: null })
    expect((await stored(tenant)).versions).toHaveLength(1)
    expect(await sign(tenant, id, 'supplier', { hash })).toMatchObject({ state: 'AGREED', version: 2 })
    const kept = await stored(tenant)
    expect(kept.versions.map(({ version, proposal, createdBy }) => [version, proposal, createdBy])).toEqual([
      [1, null, 'eva@editor.test'],
      [2, id, buyer],
    ])
    expect(kept.versions[1]!.documentText).toBe(capped)
    expect((await tenant.get(`/pams/${slug}/adjustment?period=2024-Q2`)).text).toBe(before.text)
    expect((await tenant.get(`/pams/${slug}/adjustment?period=2024-Q4`)).text).toContain('"formulaVersion":2')
    const [change] = kept.changes
    expect(summarizeChange(kept, change!)).toMatchObject({ state: 'AGREED', version: 2, effectiveFrom: '2024-07-01' })
    expect((await verifyChain(api.owner, tenant.id)).problem).toBeNull()
  })

  test('says what differs, from when, and what it does to the next dates', async () => {
    const tenant = await open()
    const { id } = await propose(tenant)
    const texts = await withWorkspace(api.sql, tenant.id, tx => loadChangeTexts(tx, tenant.id, [id]))
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
        workspaceId: tenant.id,
        id,
        hash: null,
        party,
        email: email[party],
        reason,
        means: 'SESSION' as const,
        fromAddress: null,
      })
    await expect(refuse('supplier', ' ')).rejects.toThrow('the reason is missing')
    await expect(refuse('buyer', 'No.')).rejects.toThrow('has signed')
    await refuse('supplier', 'One percent is too little.')
    await expect(sign(tenant, id, 'supplier')).rejects.toThrow('the supplier refused it: One percent is too little.')
    expect((await stored(tenant)).versions).toHaveLength(1)
  })

  test('is signed with others in one act, whose list is stored with each', async () => {
    const tenant = await open()
    await tenant.applyUnheard(trueUpDocument({ slug: 'other' }))
    const text = trueUpDocument({ slug: 'other', clause: '{ cap: { periodPct: 1 } }' })
    const by = { who: buyer, fromAddress: null }
    const first = await propose(tenant)
    const reason = 'The same there.'
    const second = await proposeAmendment(api.sql, { workspaceId: tenant.id, agreement: 'other', text, by, reason })
    const ids = [first.id, second.id, `amd_${'0'.repeat(26)}`]
    const signAll = (party: Party) =>
      signChanges(
        api.sql,
        new Seal(api.ring),
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

/** Two numbers of three are signed by both; the old index ends in June. */
async function openIndexed(): Promise<Tenant> {
  const tenant = await api.tenant()
  await tenant.importUnheard(twoIndices)
  await tenant.applyUnheard(oldIndexDocument())
  for (const party of ['buyer', 'supplier'] as const)
    await tenant.signUnheard(slug, '2024-Q3', party, { through: true })
  return tenant
}

const wish: SpliceWish = {
  old: 'CUSTOM/old',
  successor: 'CUSTOM/new',
  inputs: null,
  method: 'OVERLAP',
  direction: null,
  window: null,
  ground: { kind: 'BY_HAND', event: null, change: null, sentence: 'The office stopped publishing it.' },
  point: null,
  rounding: null,
  published: null,
  join: null,
  base: null,
  waitFinal: false,
  candidates: [],
}

function proposeOld(tenant: Tenant, more: Partial<SpliceWish> = {}) {
  const by = { who: supplier, fromAddress: null }
  return proposeSplice(api.sql, { workspaceId: tenant.id, agreement: slug, wish: { ...wish, ...more }, by })
}

describe('a splice', () => {
  test('becomes a version that reads the old index up to the join and the new one after it', async () => {
    const tenant = await openIndexed()
    const { id, hash } = await proposeOld(tenant)
    for (const party of ['supplier', 'buyer'] as const) await sign(tenant, id, party, { hash })
    const { versions, changes } = await stored(tenant)
    expect(versions.at(-1)).toMatchObject({ version: 2, proposal: id })
    expect(versions.at(-1)!.documentText).toContain('series: CUSTOM/new')
    expect(versions.at(-1)!.documentText).toContain('coefficient: 0.5')
    expect(changes[0]).toMatchObject({ effectiveFrom: '2024-10-01', series: ['CUSTOM/old', 'CUSTOM/new'] })
    // 55.0 on the new level is 110.0 on the old one.
    expect((await tenant.get(`/pams/${slug}/adjustment?period=2024-Q4`)).text).toContain(
      '"cumulativeAdjustmentPct":10,',
    )
  })

  test('is not signed once a figure of its window was revised, and says which and to what', async () => {
    const tenant = await openIndexed()
    const { id, hash } = await proposeOld(tenant)
    await sign(tenant, id, 'buyer', { hash })
    await tenant.importUnheard('series,period,value,published\nCUSTOM/new,2024-05,53.2,2025-01-10\n')
    await expect(sign(tenant, id, 'supplier', { hash })).rejects.toThrow(
      /the coefficient is 0\.50\d+ now, not 0\.5.*2024-05 is 106\.0 and 53\.2 now, not 106\.0 and 53\.0/,
    )
    expect((await stored(tenant)).versions).toHaveLength(1)
    const again = await proposeOld(tenant)
    expect(again).toMatchObject({ outcome: 'proposed', supersedes: id })
    for (const party of ['buyer', 'supplier'] as const) await sign(tenant, again.id, party, { hash: again.hash })
    // What is agreed stays, whatever is revised later.
    await tenant.importUnheard('series,period,value,published\nCUSTOM/new,2024-05,53.9,2025-02-10\n')
    expect((await stored(tenant)).versions.at(-1)).toMatchObject({ version: 2, proposal: again.id })
  })

  test('is offered to every agreement that reads the index, and one that cannot have it keeps no other back', async () => {
    const tenant = await openIndexed()
    await tenant.applyUnheard(oldIndexDocument({ slug: 'second' }))
    await tenant.applyUnheard(oldIndexDocument({ slug: 'valued' }).replace('base: 2023-12', 'base: { value: 100 }'))
    const by = { who: buyer, fromAddress: null }
    const offered = { workspaceId: tenant.id, by, wish: { ...wish, direction: 'OLD_TO_NEW' as const }, only: null }
    const { offer, proposed, refused } = await offerSplices(api.sql, offered)
    expect(proposed.map(each => each.slug)).toEqual(['second', slug])
    expect(refused).toEqual([{ slug: 'valued', why: expect.stringContaining('RELEVEL') }])
    for (const party of ['buyer', 'supplier'] as const) {
      const requests = proposed.map(({ id, hash }) => request(id, party, { hash }))
      await signChanges(api.sql, new Seal(api.ring), tenant.id, requests)
    }
    const kept = await stored(tenant)
    expect(kept.changes[0]!.offer).toBe(offer)
    expect(summarizeChange(kept, kept.changes[0]!)).toMatchObject({ state: 'AGREED', version: 2 })
  })

  test('takes as many statements for many agreements as for one: to offer it, and to sign it for either side', async () => {
    const counts: number[][] = []
    for (const size of [1, 12]) {
      const tenant = await api.tenant()
      await tenant.importUnheard(twoIndices)
      await createCompany(api.sql, tenant.id, { slug: 'ohio', name: 'Ohio' }, { who: 'operator', fromAddress: null })
      const sides = { parties: `{ buyer: ohio, supplier: [${supplier}] }` }
      await createMember(api.sql, tenant.id, { email: buyer, role: 'buyer', company: 'ohio' })
      for (let i = 0; i < size; i++) await tenant.applyUnheard(oldIndexDocument({ slug: `agreement-${i}`, ...sides }))
      const by = { who: buyer, fromAddress: null }
      const offer = () => offerSplices(api.sql, { workspaceId: tenant.id, by, wish, only: null })
      const of: number[] = []
      // The second time each is compared with what is open.
      for (let again = 0; again < 2; again++) of.push((await statementsOf(api.sql, offer)).length)
      const { proposed } = await offer()
      for (const party of ['buyer', 'supplier'] as const) {
        const requests = proposed.map(({ id, hash }) => request(id, party, { hash }))
        const sent = await statementsOf(api.sql, async () => {
          const version = party === 'buyer' ? null : 2
          const signed = await signChanges(api.sql, new Seal(api.ring), tenant.id, requests)
          expect(signed).toEqual(proposed.map(({ id }) => expect.objectContaining({ id, version })))
        })
        of.push(sent.length)
      }
      counts.push(of)
    }
    // One alone needs no list that is stored with each.
    const [one, many] = counts
    expect(many!.slice(0, 2)).toEqual(one!.slice(0, 2))
    for (const i of [2, 3]) expect(many![i]! - one![i]!).toBeLessThanOrEqual(5)
  })
})

describe('a contract whose terms both change', () => {
  test('is changed by one side only until both have signed a number of it; then a new document is a proposal', async () => {
    const both = (clause: string) => trueUpDocument({ contract: '  change: BOTH\n', clause })
    const tenant = await api.tenant()
    await tenant.importUnheard(firstPrints)
    await tenant.applyUnheard(both('{}'))
    expect(await tenant.applyUnheard(both('{ cap: { periodPct: 9 } }'))).toMatchObject({ outcome: 'new version' })
    for (const party of ['buyer', 'supplier'] as const) await tenant.signUnheard(slug, '2024-Q2', party)
    const applied = await tenant.applyUnheard(both('{ cap: { periodPct: 1 } }'))
    expect(applied).toMatchObject({ outcome: 'proposed', version: 2 })
    expect(await tenant.applyUnheard(trueUpDocument())).toMatchObject({ outcome: 'proposed', version: 2 })
    const renamed = both('{ cap: { periodPct: 9 } }').replace(`name: ${slug}`, 'name: Brackets')
    expect(await tenant.applyUnheard(renamed)).toMatchObject({ outcome: 'changed', version: 2 })
    expect((await stored(tenant)).versions).toHaveLength(2)
  })
})

describe('a successor agreed in advance', () => {
  const planned = (name: string, automatic: boolean) =>
    oldIndexDocument({ slug: name })
      .replaceAll('CUSTOM/old', 'CUSTOM/planned')
      .replace(
        'lag: 1 month }',
        `lag: 1 month, successor: { series: CUSTOM/new, method: OVERLAP, window: 3, automatic: ${automatic} } }`,
      )

  test('is proposed once the event is known, and needs no further signature where both signed that', async () => {
    const tenant = await api.tenant()
    // Events are of the installation: no other workspace has a series of this name.
    await tenant.importUnheard(twoIndices.replaceAll('CUSTOM/old', 'CUSTOM/planned'))
    const agreements = [
      ['asked', false],
      ['signed', true],
      ['unsigned', true],
    ] as const
    for (const [name, automatic] of agreements) {
      await tenant.applyUnheard(planned(name, automatic))
      if (name === 'unsigned') continue
      for (const party of ['buyer', 'supplier'] as const) await tenant.signUnheard(name, '2024-Q2', party)
    }
    // A workspace's own series stands for one of a provider: the rule is the same.
    const provider = 'CUSTOM' as string as ProviderName
    const event = {
      id: 'planned-ended',
      provider,
      codes: 'planned',
      kind: 'ENDED' as const,
      day: '2024-07-31',
      sentence: 'It ends with June 2024.',
      successor: null,
      coefficient: null,
      source: 'the office',
    }
    await addIndexEvent(api.sql, event, 'ann@installation.test')
    expect(await carryOutPlans(api.sql, tenant.id)).toMatchObject([
      { slug: 'asked', version: null, why: null },
      { slug: 'signed', version: 2, why: null },
      { slug: 'unsigned', version: null, why: null },
    ])
    const [{ changes, versions, ...kept }] = await withWorkspace(api.sql, tenant.id, tx =>
      loadAgreementsNamed(tx, tenant.id, ['signed']),
    ).then(found => found as [(typeof found)[number]])
    expect(summarizeChange({ ...kept, changes, versions }, changes[0]!)).toMatchObject({
      state: 'AGREED',
      plannedBy: 1,
    })
    expect(versions[1]!.documentText).not.toContain('successor')
    // What waits, was refused or is done is not proposed again.
    expect(await carryOutPlans(api.sql, tenant.id)).toEqual([])
  })
})

describe('what is stored of a change', () => {
  test('is found by verify when SQL changed it, row by row', async () => {
    const tenant = await open()
    const { id } = await propose(tenant)
    await sign(tenant, id, 'buyer')
    const changes: readonly [table: string, set: string][] = [
      ['terms_change', `body = replace(body, 'A cap', 'No cap')`],
      ['terms_change', `document = replace(document, 'periodPct: 1', 'periodPct: 9')`],
      ['terms_change', `effective_from = effective_from + 1`],
      ['terms_change', `proposed_by = 'somebody@else.test'`],
      ['terms_change_signature', `signed_by = 'somebody@else.test'`],
      ['terms_change_signature', `party = 'supplier'`],
    ]
    for (const [table, set] of changes) {
      const problem = await api.owner
        .begin(async tx => {
          await tx`set local session_replication_role = replica`
          await tx`select set_config('assize.workspace', ${tenant.id}, true)`
          await tx.unsafe(`update ${table} set ${set} where workspace_id = '${tenant.id}'`)
          const unsealed = await findUnsealedRow(tx as never, tenant.id, new Seal(api.ring).rows)
          throw new Found(unsealed?.message ?? null)
        })
        .catch((error: unknown) => (error as Found).told)
      expect(problem, set).toContain('does not carry this installation')
    }
    expect((await verifyChain(api.owner, tenant.id)).problem).toBeNull()
  })
})

/** What was found, out of a transaction that is taken back. */
class Found extends Error {
  readonly told: string | null

  constructor(told: string | null) {
    super('taken back')
    this.told = told
  }
}
