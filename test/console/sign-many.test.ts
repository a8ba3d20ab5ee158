// Many agreements signed at once, and lists filtered and sorted.
import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { type Signed, signEach } from '../../src/agreements/sign.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { setUnits } from '../../src/storage/agreements/units.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { setPriceTolerance } from '../../src/storage/workspaces/workspaces.ts'
import type { AdjustmentPage, AgreementList, SeriesChoice } from '../../src/views/shapes/agreements.ts'
import type { Inbox, InboxPage, PeriodsRow, SignedSome, ToSign } from '../../src/views/shapes/inbox.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { statementsOf } from '../support/counted-statements.ts'
import { type ConsoleReply, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { declareQuantities, keepLines } from '../support/houses/priced-tenant.ts'
import { madeOnce } from '../support/run/made-once.ts'

const console = consoleHouse()

const errorOf = ({ json }: ConsoleReply) => (json as { error: string }).error

const slugs = ['alpha', 'beta', 'gamma']

async function ready(): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  for (const slug of slugs) await seats.tenant.apply(bracketsDocument({ slug }))
  return seats
}

/** For the tests that change nothing in it. */
const readyUnchanged = madeOnce(ready)

/** Once nothing is left to compute. */
async function settled(ask: () => Promise<Inbox>): Promise<Inbox> {
  let list = await ask()
  while (list.pending > 0) list = await ask()
  return list
}

/** Everything that waits for the person who asks, as it was shown. */
async function shown({ as }: Seats, wanted: readonly string[] = slugs) {
  await settled(() => as.buyer.json<Inbox>('/sign-offs'))
  const { json } = await as.buyer.post('/sign-offs/to-sign', { agreements: wanted.map(slug => ({ slug })) })
  return (json as ToSign).agreements.map(({ slug, as: party, periods }) => ({
    slug,
    party,
    periods: periods.map(({ period, hash }) => ({ period, hash })),
  }))
}

describe('many agreements', () => {
  test('are signed at once, after the password was given again', async () => {
    const seats = await ready()
    const { as } = seats
    const agreements = await shown(seats)
    const refused = await as.buyer.post('/sign-offs/sign', { agreements })
    expect([refused.status, (refused.json as { needs?: object }).needs]).toEqual([403, { kind: 'confirmation' }])
    await as.buyer.confirm()
    const reply = await as.buyer.post('/sign-offs/sign', { agreements })
    const signed = slugs.map(slug => ({ slug, periods: 3 }))
    expect([reply.status, reply.json as SignedSome]).toEqual([
      200,
      { signed, refused: [], slips: expect.objectContaining({ count: 9, missing: null }) },
    ])
    const { mine, others, counts } = await settled(() => as.buyer.json<Inbox>('/sign-offs'))
    expect(await as.buyer.json('/sign-offs/count')).toEqual({ ...counts.mine, mineCount: 0, pending: 0 })
    expect([mine.rows, counts.others]).toEqual([[], { agreements: 3, periods: 9, corrections: 0, changes: 0 }])
    expect(others.rows.map(row => row.slug)).toEqual(slugs)
    const page = await as.buyer.json<AdjustmentPage>('/agreements/beta/periods/2024-Q3')
    expect(page.entry.signatures.buyer?.means).toBe('PASSWORD')
  })

  test('are shown with the unit factors and the tolerance that count for their lines', async () => {
    const { as, tenant } = await ready()
    await setUnits(
      console.api.sql,
      tenant.id,
      [{ unit: 'box', other: 'piece', factor: '10' }],
      emails.editor,
      async () => {},
    )
    await setPriceTolerance(console.api.owner, tenant.id, '1')
    const { json } = await as.buyer.post('/sign-offs/to-sign', { agreements: [{ slug: 'alpha' }] })
    const units = [{ unit: 'box', other: 'piece', factor: '10' }]
    expect((json as ToSign).datedTerms).toEqual({ units, unitCount: 1, tolerancePct: '1' })
    const page = await as.buyer.json<AdjustmentPage>('/agreements/alpha/periods/2024-Q3')
    expect((json as ToSign).datedTerms).toEqual(page.datedTerms)
  })

  test('are signed but those that have changed or are not theirs, each with the reason', async () => {
    const seats = await ready()
    const { as, tenant } = seats
    await as.buyer.confirm()
    const agreements = await shown(seats)
    const send = (list: readonly object[], by = as.buyer) => by.post('/sign-offs/sign', { agreements: list })
    const twice = await send([...agreements, agreements[0]!])
    expect([twice.status, errorOf(twice)]).toEqual([422, 'alpha is listed twice'])
    await as.viewer.confirm()
    const viewer = (await send(agreements, as.viewer)).json as SignedSome
    expect([viewer.signed, viewer.refused.map(({ slug }) => slug)]).toEqual([[], slugs])
    await tenant.apply(bracketsDocument({ slug: 'gamma', clause: '{ fixed: 0.40 }' }))
    const reply = await send([...agreements, { ...agreements[0]!, slug: 'nowhere' }])
    expect(reply.json as SignedSome).toEqual({
      slips: expect.objectContaining({ count: 6, missing: null }),
      signed: [
        { slug: 'alpha', periods: 3 },
        { slug: 'beta', periods: 3 },
      ],
      refused: [
        { slug: 'gamma', name: 'Steel brackets', why: expect.stringMatching(/^the proposal for 2024-Q2 has moved/) },
        { slug: 'nowhere', name: 'nowhere', why: 'there is no such agreement' },
      ],
    })
    const { counts } = await settled(() => as.buyer.json<Inbox>('/sign-offs'))
    expect(counts).toMatchObject({ mine: { periods: 3 }, others: { periods: 6 } })
    // What was sent and not answered is sent again: nothing is signed twice, and nothing is refused.
    expect((await send(agreements.slice(0, 2))).json).toEqual({
      slips: expect.objectContaining({ count: 0, missing: null }),
      signed: [
        { slug: 'alpha', periods: 0 },
        { slug: 'beta', periods: 0 },
      ],
      refused: [],
    })
  })
})

describe('an inbox', () => {
  test('has one row for each agreement, with the settled price, the proposed ones and the money that quantities make of it', async () => {
    const { as, tenant } = await ready()
    await declareQuantities(tenant, [
      { agreement: 'beta', period: '2024-Q2', quantity: '10' },
      { agreement: 'beta', period: '2024-Q3', quantity: '100' },
    ])
    const { mine } = await settled(() => as.buyer.json<Inbox>('/sign-offs'))
    expect(mine.rows.map(row => [row.kind, row.slug])).toEqual(slugs.map(slug => ['periods', slug]))
    const [alpha, beta] = mine.rows as readonly PeriodsRow[]
    expect(alpha).toMatchObject({ currency: 'EUR', unit: 'piece', periods: [{ priceBefore: '12.40' }, {}, {}] })
    expect(beta!.periods.map(({ period, price, effect }) => [period, price, effect])).toEqual([
      ['2024-Q2', '12.40', '0.00'],
      ['2024-Q3', '13.02', '62.00'],
      ['2024-Q4', '13.67', null],
    ])
  })

  test('counts in money what was billed, and what was declared last of items that nobody billed, as the first page does', async () => {
    const { as, tenant } = await ready()
    const declared = (quantity: string, period: string) => ({ agreement: 'beta', period, quantity })
    await declareQuantities(tenant, [declared('500', '2024-Q3'), declared('7', '2024-Q4')])
    await declareQuantities(tenant, [declared('100', '2024-Q3')])
    const billed = {
      line: '1',
      quantity: '10',
      currency: 'EUR',
      unitPrice: '13.67',
      invoice: 'B-1',
      date: '2024-11-05',
    }
    await keepLines(tenant, [{ ...billed, agreement: 'beta', item: 'beta' }])
    const { mine } = await settled(() => as.buyer.json<Inbox>('/sign-offs'))
    const beta = mine.rows.find(({ slug }) => slug === 'beta') as PeriodsRow
    expect(beta.periods.map(({ period, effect, paidEffect }) => [period, effect, paidEffect])).toEqual([
      ['2024-Q2', null, null],
      ['2024-Q3', '62.00', '62.00'],
      ['2024-Q4', '6.50', '12.70'],
    ])
  })

  test('continues from an offset, and is read without opening an agreement', async () => {
    const { as } = await readyUnchanged()
    await settled(() => as.buyer.json<Inbox>('/sign-offs'))
    const { pool } = console.api
    expect(await statementsOf(pool, () => pool`select 1 as heard`)).toEqual([expect.stringContaining('heard')])
    const sent = await statementsOf(pool, () => as.buyer.json<Inbox>('/sign-offs'))
    expect(sent.filter(text => /from (?:pam_formula|receipt|vintage)/.test(text))).toEqual([])
    const page = await as.buyer.json<InboxPage>('/sign-offs/waiting?side=mine&from=2')
    expect([page.rows.map(({ slug }) => slug), page.next]).toEqual([['gamma'], null])
  })

  test('is filtered by words, state and month: a month has what is signed before it, too', async () => {
    const { as, tenant } = await ready()
    await tenant.sign('beta', '2024-Q2', 'supplier')
    const count = async (query: string) => {
      const { counts } = await settled(() => as.buyer.json<Inbox>(`/sign-offs?${query}`))
      return [counts.mine.agreements, counts.mine.periods]
    }
    const queries = ['', 'q=alpha', 'due=2024-07', 'q=nowhere', 'state=COUNTERSIGN', 'state=DISPUTED']
    expect(await Promise.all(queries.map(count))).toEqual([
      [3, 9],
      [1, 3],
      [3, 6],
      [0, 0],
      [1, 3],
      [0, 0],
    ])
  })

  test('shows before signing what is signed through a period, and why an agreement cannot be', async () => {
    const { as } = await readyUnchanged()
    const asked = [{ slug: 'alpha', through: '2024-Q3' }, { slug: 'beta' }, { slug: 'nowhere' }]
    const { json } = await as.buyer.post('/sign-offs/to-sign', { agreements: asked })
    const { agreements, refused } = json as ToSign
    expect(
      agreements.map(({ slug, as: party, periods }) => [slug, party, periods.map(({ period }) => period)]),
    ).toEqual([
      ['alpha', 'buyer', ['2024-Q2', '2024-Q3']],
      ['beta', 'buyer', ['2024-Q2', '2024-Q3', '2024-Q4']],
    ])
    expect(refused).toEqual([{ slug: 'nowhere', name: 'nowhere', why: 'it has no period that waits for you now' }])
    const other = (await as.viewer.post('/sign-offs/to-sign', { agreements: [{ slug: 'alpha' }] })).json as ToSign
    expect([other.agreements, other.refused.length]).toEqual([[], 1])
  })
})

/** A workspace with agreements that read series of their own, and the requests that sign all of them for one side. */
async function portfolio(count: number) {
  const { tenant, as } = await makeSeats(console.api)
  const own = Array.from({ length: count }, (_, n) => `own-${n}`)
  const rows = own.flatMap(slug => [`CUSTOM/${slug},2023-12,100`, `CUSTOM/${slug},2024-03,106`])
  await tenant.import(`series,period,value\n${rows.join('\n')}\n`)
  for (const slug of own)
    await tenant.apply(`
slug: ${slug}
name: ${slug}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs: { x: { series: CUSTOM/${slug}, weight: 1, base: 2023-12, lag: 1 month } }
clause: {}
parties: { supplier: [${emails.supplier}] }
`)
  const requests = (party: 'buyer' | 'supplier') =>
    own.map(agreement => ({
      workspaceId: tenant.id,
      agreement,
      period: '2024-Q2',
      party,
      email: emails[party],
      shown: null,
      through: true,
      proof: { means: 'PASSWORD' as const },
      fromAddress: null,
    }))
  const sign = (party: 'buyer' | 'supplier') =>
    signEach(console.api.sql, new Seal(console.api.ring), tenant.id, requests(party)) as Promise<readonly Signed[]>
  return { tenant, as, own, requests, sign }
}

describe('a batch', () => {
  test('takes as many statements as one agreement, whichever side signs', async () => {
    const counts: number[][] = []
    for (const size of [1, 8]) {
      const { sign } = await portfolio(size)
      const of: number[] = []
      for (const party of ['buyer', 'supplier', 'supplier'] as const) {
        const sent = await statementsOf(console.api.sql, async () => {
          const signed = await sign(party)
          expect(signed).toHaveLength(size)
        })
        of.push(sent.length)
      }
      counts.push(of)
    }
    expect(counts[1]).toEqual(counts[0])
  })

  test('is stored as single signatures are: every receipt once, in order, under its seal', async () => {
    const { tenant, own, sign } = await portfolio(3)
    const [first] = await sign('buyer')
    expect(first!.added).toMatchObject([{ period: '2024-Q2', party: 'buyer', adjustmentPct: expect.any(String) }])
    const signed = await sign('supplier')
    expect(signed.map(({ confirmed }) => confirmed.buyer !== null && confirmed.supplier !== null)).toEqual([
      true,
      true,
      true,
    ])
    for (const slug of own) {
      const { status, text } = await tenant.get(`/pams/${slug}/adjustment`)
      expect([status, text]).toEqual([200, expect.stringContaining('2024-Q2')])
    }
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })

  test('with one agreement twice signs it once', async () => {
    const { tenant, requests } = await portfolio(1)
    const [one] = requests('buyer')
    const [row] = await console.api.owner<{ id: string }[]>`select id from agreement where workspace_id = ${tenant.id}`
    const [signed, twice] = await signEach(console.api.sql, new Seal(console.api.ring), tenant.id, [
      one!,
      { ...one!, agreement: row!.id },
    ])
    expect(signed).toMatchObject({ added: [{ period: '2024-Q2' }] })
    expect(twice).toEqual(new Refusal('conflict', 'own-0 is listed twice'))
  })
})

describe('lists', () => {
  test('of formulas are sorted and filtered by state, due month and series', async () => {
    const { as, tenant } = await ready()
    await tenant.apply(bracketsDocument({ slug: 'delta', status: 'DRAFT' }))
    await settled(() => as.buyer.json<Inbox>('/sign-offs'))
    const list = async (query: string) => {
      const { rows, found } = await as.buyer.json<AgreementList>(`/agreements?${query}`)
      return [rows.map(({ slug }) => slug).join(' '), found]
    }
    expect(await list('sort=-name&limit=2')).toEqual([expect.stringMatching(/^\S+ \S+$/), 4])
    expect(await list('state=WAITS_FOR_ME')).toEqual(['alpha beta gamma', 3])
    expect(await list('state=BLOCKED')).toEqual(['', 0])
    for (const party of ['buyer', 'supplier'] as const) await tenant.sign('beta', '2024-Q4', party, { through: true })
    await settled(() => as.buyer.json<Inbox>('/sign-offs'))
    expect(await list('state=WAITS')).toEqual(['alpha gamma', 2])
    expect(await list('due=1999-01')).toEqual(['', 0])
    const steel = await tenant.seriesId('CUSTOM/steel')
    expect(await list(`series=${steel}`)).toEqual(['alpha beta delta gamma', 4])
    expect(await list('series=ser_none')).toEqual(['', 0])
    expect(await as.buyer.json<SeriesChoice[]>('/series-read')).toContainEqual({
      id: steel,
      name: 'Steel billets',
      agreements: 4,
    })
    const { status } = await as.buyer.get('/agreements?due=soon')
    expect(status).toBe(422)
  })

  test('that are sorted continue after the last row of the previous page', async () => {
    const { as } = await readyUnchanged()
    const first = await as.buyer.json<AgreementList>('/agreements?sort=-waiting&limit=2')
    const rest = await as.buyer.json<AgreementList>(`/agreements?sort=-waiting&limit=2&after=${first.next}`)
    expect([...first.rows, ...rest.rows].map(({ slug }) => slug).sort()).toEqual(slugs)
    expect(rest.next).toBeNull()
  })
})
