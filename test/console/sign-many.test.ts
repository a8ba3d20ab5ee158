// Many agreements signed at once, and lists filtered and sorted.
import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { signPeriods } from '../../src/agreements/sign.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type {
  AgreementList,
  SeriesChoice,
  SignedMany,
  SignOffs,
  WaitingPage,
} from '../../src/views/shapes/agreements.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { statementsOf } from '../support/counted-statements.ts'
import { type ConsoleReply, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
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
async function settled(ask: () => Promise<SignOffs>): Promise<SignOffs> {
  let list = await ask()
  while (list.pending > 0) list = await ask()
  return list
}

/** Everything that waits for the person who asks, as it was shown. */
async function shown({ as }: Seats, wanted: readonly string[] = slugs) {
  const { mine } = await settled(() => as.buyer.json<SignOffs>('/sign-offs'))
  return wanted.map(slug => ({
    slug,
    party: 'buyer',
    periods: mine.filter(row => row.slug === slug).map(({ entry: { period, hash } }) => ({ period, hash })),
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
    expect([reply.status, reply.json as SignedMany]).toEqual([200, { agreements: 3, periods: 9 }])
    const { mine, others, mineCount } = await settled(() => as.buyer.json<SignOffs>('/sign-offs'))
    expect(await as.buyer.json('/sign-offs/count')).toMatchObject({ mineCount, pending: 0 })
    expect([mine.length, others.length]).toEqual([0, 9])
    expect(others.every(({ entry }) => entry.signatures.buyer?.means === 'PASSWORD')).toBe(true)
  })

  test('are not signed at all if one of them has changed, is not theirs or is listed twice', async () => {
    const seats = await ready()
    const { as, tenant } = seats
    await as.buyer.confirm()
    const agreements = await shown(seats)
    const send = (list: readonly object[], by = as.buyer) => by.post('/sign-offs/sign', { agreements: list })
    const twice = await send([...agreements, agreements[0]!])
    expect([twice.status, errorOf(twice)]).toEqual([422, 'alpha is listed twice'])
    await as.viewer.confirm()
    const viewer = await send(agreements, as.viewer)
    expect([viewer.status, errorOf(viewer)]).toEqual([403, expect.stringMatching(/^alpha: /)])
    await tenant.apply(bracketsDocument({ slug: 'gamma', clause: '{ fixed: 0.40 }' }))
    const moved = await send(agreements)
    expect([moved.status, errorOf(moved)]).toEqual([409, expect.stringMatching(/^gamma: .*; nothing was signed$/)])
    expect((await settled(() => as.buyer.json<SignOffs>('/sign-offs'))).mineCount).toBe(9)
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
      ...{
        workspaceId: tenant.id,
        pam: agreement,
        period: '2024-Q2',
        party,
        email: emails[party],
        shown: null,
        through: true,
      },
      ...{ proof: { means: 'PASSWORD' as const }, fromAddress: null },
    }))
  const sign = (party: 'buyer' | 'supplier') =>
    signPeriods(console.api.sql, new Seal(console.api.secret), tenant.id, requests(party))
  return { tenant, as, own, requests, sign }
}

describe('a batch', () => {
  test('takes as many statements as one agreement, whichever side signs', async () => {
    const counts: number[][] = []
    for (const size of [1, 24]) {
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

  test('with one agreement twice is refused', async () => {
    const { tenant, requests } = await portfolio(1)
    const [one] = requests('buyer')
    const [row] = await console.api.owner<{ id: string }[]>`select id from pam where workspace_id = ${tenant.id}`
    const twice = signPeriods(console.api.sql, new Seal(console.api.secret), tenant.id, [
      one!,
      { ...one!, pam: row!.id },
    ])
    await expect(twice).rejects.toThrow('own-0 is listed twice; nothing was signed')
  })
})

describe('lists', () => {
  test('of formulas are sorted and filtered by state, due month and series', async () => {
    const { as, tenant } = await ready()
    await tenant.apply(bracketsDocument({ slug: 'delta', status: 'DRAFT' }))
    await settled(() => as.buyer.json<SignOffs>('/sign-offs'))
    const list = async (query: string) => {
      const { rows, found } = await as.buyer.json<AgreementList>(`/formulas?${query}`)
      return [rows.map(({ slug }) => slug).join(' '), found]
    }
    expect(await list('sort=-name&limit=2')).toEqual([expect.stringMatching(/^\S+ \S+$/), 4])
    expect(await list('state=WAITS_FOR_ME')).toEqual(['alpha beta gamma', 3])
    expect(await list('state=BLOCKED')).toEqual(['', 0])
    for (const party of ['buyer', 'supplier'] as const) await tenant.sign('beta', '2024-Q4', party, { through: true })
    await settled(() => as.buyer.json<SignOffs>('/sign-offs'))
    expect(await list('state=WAITS')).toEqual(['alpha gamma', 2])
    expect(await list('due=1999-01')).toEqual(['', 0])
    const steel = await tenant.seriesId('CUSTOM/steel')
    expect(await list(`series=${steel}`)).toEqual(['alpha beta delta gamma', 4])
    expect(await list('series=ser_none')).toEqual(['', 0])
    expect(await as.buyer.json<SeriesChoice[]>('/series-read')).toContainEqual({
      id: steel,
      name: 'Steel billets',
      formulas: 4,
    })
    const { status } = await as.buyer.get('/formulas?due=soon')
    expect(status).toBe(422)
  })

  test('that are sorted continue after the last row of the previous page', async () => {
    const { as } = await readyUnchanged()
    const first = await as.buyer.json<AgreementList>('/formulas?sort=-waiting&limit=2')
    const rest = await as.buyer.json<AgreementList>(`/formulas?sort=-waiting&limit=2&after=${first.next}`)
    expect([...first.rows, ...rest.rows].map(({ slug }) => slug).sort()).toEqual(slugs)
    expect(rest.next).toBeNull()
  })

  test('of sign-offs are filtered by words and month, and continue from an offset', async () => {
    const { as } = await readyUnchanged()
    const count = async (query: string) =>
      (await settled(() => as.buyer.json<SignOffs>(`/sign-offs?${query}`))).mineCount
    expect(await Promise.all(['', 'q=alpha', 'due=2024-07', 'q=nowhere'].map(count))).toEqual([9, 3, 3, 0])
    const page = await as.buyer.json<WaitingPage>('/sign-offs/waiting?side=mine&from=7')
    expect([page.rows.length, page.next]).toEqual([2, null])
    expect(page.rows[0]).toMatchObject({ as: 'buyer', priceBefore: '13.02' })
  })
})
