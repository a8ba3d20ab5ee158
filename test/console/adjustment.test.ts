// One adjustment as a person takes it into a negotiation: the number and why, every line with its numbers, what was
// signed, what changed since, and signing what was shown.
import { describe, expect, test } from 'vitest'
import { formatCarried, ratio, sum } from '../../src/core/numbers/ratio.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import type { SignOffRequest } from '../../src/views/calls/agreement-calls.ts'
import type { AdjustmentPage, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { Failure } from '../../src/views/shapes/session.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { judge } from '../support/agreements/judged.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { madeOnce } from '../support/run/made-once.ts'

const console = consoleHouse()

async function ready(document = bracketsDocument()): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(document)
  return seats
}

/** For the tests that change nothing in it. */
const readyUnchanged = madeOnce(() => ready())

const page = (browser: Browser, period: string, slug = 'brackets') =>
  browser.json<AdjustmentPage>(`/agreements/${slug}/periods/${period}`)
const sign = async (browser: Browser, period: string, request: SignOffRequest) => {
  await browser.confirm()
  return browser.post(`/agreements/brackets/periods/${period}/sign`, request)
}
const seen = ({ signing }: AdjustmentPage) => signing.periods.map(({ period, hash }) => ({ period, hash }))
const errorOf = ({ json }: { json: unknown }) => (json as Failure).error
const revised = 'series,period,value,version,published\nCUSTOM/steel,2024-06,118.00,REVISED,2024-10-15\n'
const plainClause = '{ fixed: 0.40, rounding: { percent: { dp: 2 } } }'

interface Calculation {
  readonly adjustments: readonly {
    readonly components: readonly { input: string; weight: string; change: string; contribution: string }[]
    readonly controls: readonly { control: string; points: string }[]
    readonly steps: readonly { name: string; value: string }[]
    readonly price: string
    readonly adjustmentPct: string
  }[]
}

describe('an adjustment', () => {
  test('has the numbers of the API, in every part of them', async () => {
    const { as, tenant } = await readyUnchanged()
    for (const period of ['2024-Q2', '2024-Q3', '2024-Q4']) {
      const { entry, components, controls, steps } = await page(as.viewer, period)
      const { adjustments } = await tenant.json<Calculation>(
        `/pams/brackets/adjustment?period=${period}&view=calculation`,
      )
      const api = adjustments[0]!
      expect([entry.adjustmentPct, entry.price]).toEqual([api.adjustmentPct, api.price])
      expect(steps.map(({ name, value }) => ({ name, value }))).toEqual(api.steps)
      expect(
        components.map(({ input, weight, changePct, contribution }) => ({
          input,
          weight,
          change: changePct,
          contribution,
        })),
      ).toEqual(
        api.components.map(({ input, weight, change, contribution }) => ({ input, weight, change, contribution })),
      )
      expect(controls.map(({ control, points }) => ({ control, points }))).toEqual(api.controls)
    }
  })

  test('adds up: components and controls make the adjustment, to the last digit', async () => {
    const clauses = [
      plainClause,
      '{ fixed: 0.40, threshold: { pct: 3, test: EXCEEDS, pays: ALL }, cap: { periodPct: 5, cumulativePct: 9 } }',
      '{ fixed: 0.40, basis: CHAINED, passThrough: 0.3, adder: 0.25, cap: { periodPct: 1, carryForward: true } }',
      '{ fixed: 0.40, threshold: { pct: 2, test: EXCEEDS, pays: EXCESS }, rounding: { percent: { dp: 1 } } }',
    ]
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    for (const [i, clause] of clauses.entries()) await tenant.apply(bracketsDocument({ slug: `clause-${i}`, clause }))
    for (const [i, clause] of clauses.entries()) {
      for (const period of ['2024-Q2', '2024-Q3', '2024-Q4']) {
        const { entry, components, controls } = await page(as.viewer, period, `clause-${i}`)
        const parts = [...components.map(({ contribution }) => contribution), ...controls.map(({ points }) => points)]
        expect(formatCarried(sum(parts.map(ratio))), `${clause} ${period}`).toBe(entry.adjustmentPct)
      }
    }
  })

  test('says why, puts the numbers into every line and names every observation with its vintage', async () => {
    const { as, tenant } = await readyUnchanged()
    const { sentence, steps, observations, pathPrice, previousPeriod, nextPeriod, controls } = await page(
      as.viewer,
      '2024-Q3',
    )
    expect(sentence).toBe(
      'Steel rose 16.00 % and carries 35 %, labour rose 3.00 % and carries 25 %; together +6.35 %. The threshold of 3 % is exceeded. The cap of 5 % a period holds it at +5.00 %; the rest waits for the threshold. That is applied.',
    )
    expect(steps.find(({ name }) => name === 'factor')).toEqual({
      name: 'factor',
      expr: '0.40 + 0.35 * ratio_steel + 0.25 * ratio_labour',
      numbers: '0.40 + 0.35 * 1.16 + 0.25 * 1.03',
      told: [],
      value: '1.0635',
      shown: null,
      rounding: null,
      note: null,
      words: 'the weighted factor of the indices',
    })
    expect(observations[1]).toEqual({
      input: 'steel',
      reference: 'CUSTOM/steel',
      seriesId: await tenant.seriesId('CUSTOM/steel'),
      name: 'Steel billets',
      period: '2024-06',
      value: '116.00',
      tag: 'FINAL',
      publishedAt: '2024-07-28T00:00:00.000000Z',
      recordedAt: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      origin: { upload: expect.objectContaining({ by: 'the operator', file: 'table.csv' }) },
    })
    expect(controls).toEqual([{ control: 'periodCap', words: 'the period cap', points: '-1.35' }])
    expect([pathPrice, previousPeriod, nextPeriod]).toEqual(['12.40', '2024-Q2', '2024-Q4'])
    const first = await page(as.viewer, '2024-Q2')
    expect([first.pathPrice, first.previousPeriod]).toEqual(['12.40', null])
    const last = await page(as.viewer, '2024-Q4')
    expect([last.pathPrice, last.nextPeriod, last.isFromReceipt, last.issuedAt]).toEqual(['13.02', null, false, null])
  })

  test('of a document written as steps has no controls, and a sentence of its own', async () => {
    const { as, tenant } = await ready()
    await tenant.apply(`
slug: steps
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-12-31, frequency: QUARTERLY, price: { amount: 10, currency: USD, unit: t, round: { dp: 2 } } }
inputs: { steel: { series: CUSTOM/steel, base: 2023-12, lag: 1 month } }
steps:
  - { name: factor, expr: steel / steel.base, round: { dp: 3 }, show: { dp: 2 }, note: to the thousandth }
result: { kind: FACTOR, step: factor }
`)
    const { sentence, controls, steps } = await as.viewer.json<AdjustmentPage>('/agreements/steps/periods/2024-Q3')
    expect(controls).toEqual([])
    expect(sentence).toBe('The step factor, 116 ÷ 100, makes the price factor 1.16: +8.716 % against 1.067 before.')
    expect(steps).toEqual([
      {
        name: 'factor',
        expr: 'steel / steel.base',
        numbers: '116 / 100',
        told: [],
        value: '1.16',
        shown: '1.16',
        rounding: 'rounded 3 dp, shown 2 dp',
        note: 'to the thousandth',
        words: 'the line factor',
      },
    ])
  })

  test('that is not there says why', async () => {
    const { as } = await ready(bracketsDocument({ end: '2025-03-31' }))
    const why = async (period: string) => {
      const reply = await as.viewer.get(`/agreements/brackets/periods/${period}`)
      return [reply.status, errorOf(reply)]
    }
    expect(await why('2025-Q1')).toEqual([404, expect.stringMatching(/^2025-Q1 cannot be computed: .*2024-12/)])
    expect(await why('2030-Q1')).toEqual([404, '2030-Q1 lies outside the contract'])
    expect(await why('2024-03')).toEqual([404, expect.stringContaining('adjusts QUARTERLY')])
    expect(await why('nonsense')).toEqual([404, expect.stringContaining('there is no period nonsense')])
  })

  test('gives its receipt as a file: the one of the API, which recomputes', async () => {
    const { as, tenant } = await readyUnchanged()
    const reply = await as.viewer.get('/agreements/brackets/periods/2024-Q3/receipt')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="receipt-brackets-2024-Q3.json"')
    expect(reply.headers['content-type']).toBe('application/json')
    const receipt = reply.json as Receipt
    const api = await tenant.json<Receipt>('/pams/brackets/adjustment/receipt?period=2024-Q3')
    expect(receipt).toEqual(api)
    expect((await judge(receipt)).problems).toEqual([])
    expect(receipt.hash).toBe((await page(as.viewer, '2024-Q3')).entry.hash)
  })
})

describe('a person who is asked to sign', () => {
  const prints = (month: string, first: string, last: string) =>
    `CUSTOM/steel,2023-${month},${first},PRELIMINARY,2024-01-10\nCUSTOM/steel,2023-${month},${last},FINAL,2024-01-12\n`
  const earlier = `series,period,value,version,published\n${prints('08', '100', '101')}${prints('09', '100', '99')}${prints('10', '50', '52')}`

  test('sees what is preliminary and how much first prints of the series move, and the limit that held the number', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: '{ fixed: 0.40, cap: { periodPct: 1 } }' }))
    expect((await page(as.buyer, '2024-Q4')).preliminary).toMatchObject([
      { input: 'steel', name: 'Steel billets', period: '2024-09', value: '130.00', moves: null },
    ])
    await tenant.import(earlier)
    const { preliminary, controls } = await page(as.buyer, '2024-Q4')
    // With 2024-06, which went from 114 to 116: 1, 1, 1.75 and 4 percent.
    expect(preliminary[0]!.moves).toEqual({ periods: 4, usualPct: '1.00', mostPct: '4.00' })
    expect(controls.map(({ control }) => control)).toContain('periodCap')
    await tenant.signBoth('brackets', '2024-Q4', { through: true })
    expect((await page(as.buyer, '2024-Q4')).preliminary).toEqual([])
  })
})

describe('a signed adjustment', () => {
  test('comes from the receipt that was signed, whatever is revised or rewritten later', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: plainClause }))
    await tenant.signBoth('brackets', '2024-Q3', { through: true })
    const before = await page(as.viewer, '2024-Q3')
    expect([before.isFromReceipt, before.issuedAt]).toEqual([true, expect.stringMatching(/^\d{4}-/)])
    expect(before.entry.signatures.buyer).toMatchObject({ email: emails.buyer })
    await tenant.import(revised)
    await tenant.apply(bracketsDocument({ clause: '{ fixed: 0.40, cap: { periodPct: 1 } }' }))
    const after = await page(as.viewer, '2024-Q3')
    expect(after.entry.today).toMatchObject({ adjustmentPct: '1', differencePoints: '-2.38' })
    const same = { ...after, agreement: null, causes: null, entry: { ...after.entry, today: null } }
    expect(same).toEqual({ ...before, agreement: null })
    expect(after.sentence).toContain('steel rose 16.00 %')
  })

  test('shows the price before it by the version that made it', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: plainClause }))
    const dearer = bracketsDocument({ clause: plainClause, more: 'effectiveFrom: 2024-10-01\n' })
    await tenant.apply(
      dearer
        .replace('amount: 12.40', 'amount: 12.400')
        .replace('round: { dp: 2 } }\ninputs', 'round: { dp: 3 } }\ninputs'),
    )
    const { pathPrice, entry } = await page(as.viewer, '2024-Q4')
    expect([pathPrice, entry.price, entry.formulaVersion]).toEqual(['13.19', '13.827', 2])
  })
})

describe('signing', () => {
  test('each side signs the hash it saw, with its name; then the number is final', async () => {
    const { as } = await ready()
    const shown = await page(as.buyer, '2024-Q2')
    const { entry, signing } = shown
    const { period, adjustmentPct, cumulativePct, price, hash, step } = entry
    const periods = [{ period, adjustmentPct, cumulativePct, price, hash, step }]
    expect(signing).toEqual({ as: 'buyer', whyNot: null, periods, moved: [] })
    const signed = await sign(as.buyer, '2024-Q2', { party: 'buyer', periods: seen(shown) })
    expect(signed.status).toBe(200)
    const half = signed.json as AdjustmentPage
    expect(half.entry.signatures).toEqual({
      buyer: { email: emails.buyer, name: 'ann', signedAt: expect.stringMatching(/^\d{4}-/), means: 'PASSWORD' },
      supplier: null,
    })
    expect(half.signing).toMatchObject({
      as: null,
      whyNot: 'It is signed for the buyer; the supplier has not signed it yet.',
    })
    expect((await page(as.supplier, '2024-Q2')).signing.as).toBe('supplier')
    const both = await sign(as.supplier, '2024-Q2', { party: 'supplier', periods: seen(shown) })
    expect((both.json as AdjustmentPage).entry).toMatchObject({ isSigned: true, hash: entry.hash })
    expect((both.json as AdjustmentPage).signing).toMatchObject({
      as: null,
      whyNot: 'Both parties have signed it: the number stands.',
    })
    const rows = await console.api.owner<{ who: string; what: string; from_address: string }[]>`
      select who, what, from_address from activity where what like 'signed%' and workspace_id =
        (select id from workspace where slug = ${as.buyer.slug}) order by at, id`
    expect(rows.map(({ who, what }) => [who, what])).toEqual([
      [emails.buyer, 'signed as buyer'],
      [emails.supplier, 'signed as supplier'],
    ])
    expect(rows[0]?.from_address).toContain('127.0.0.1')
  })

  test('is refused for a hash that is no longer the proposal, with only a sentence', async () => {
    const { as, tenant } = await ready()
    await tenant.signBoth('brackets', '2024-Q2')
    const shown = await page(as.buyer, '2024-Q3')
    await tenant.import(revised)
    const late = await sign(as.buyer, '2024-Q3', { party: 'buyer', periods: seen(shown) })
    expect(late.status).toBe(409)
    expect(late.json).toEqual({
      error: expect.stringMatching(/^the proposal for 2024-Q3 has moved to [\d.]+ %: its hash is now/),
    })
    expect((await page(as.buyer, '2024-Q3')).entry.signatures.buyer).toBeNull()
  })

  test('goes in order, or includes the earlier ones', async () => {
    const { as } = await ready()
    const shown = await page(as.supplier, '2024-Q4')
    const periods = seen(shown)
    expect(periods.map(({ period }) => period)).toEqual(['2024-Q2', '2024-Q3', '2024-Q4'])
    const early = await sign(as.supplier, '2024-Q4', { party: 'supplier', periods: periods.slice(2) })
    expect([early.status, errorOf(early)]).toEqual([
      409,
      '2024-Q2, 2024-Q3 must be signed by the supplier first, or all of them at once through 2024-Q4',
    ])
    expect((await sign(as.supplier, '2024-Q4', { party: 'supplier', periods })).status).toBe(200)
    const { entries } = await as.supplier.json<AgreementPage>('/agreements/brackets')
    expect(entries.map(({ signatures }) => signatures.supplier?.email)).toEqual([
      emails.supplier,
      emails.supplier,
      emails.supplier,
    ])
    expect(seen(await page(as.buyer, '2024-Q4'))).toEqual(periods)
  })

  test('is for the parties only, each for itself', async () => {
    const { as } = await readyUnchanged()
    const { entry } = await page(as.owner, '2024-Q2')
    for (const [role, party] of [
      ['owner', 'buyer'],
      ['editor', 'supplier'],
      ['viewer', 'buyer'],
      ['supplier', 'buyer'],
      ['buyer', 'supplier'],
    ] as const) {
      const reply = await sign(as[role], '2024-Q2', { party, periods: [{ period: '2024-Q2', hash: entry.hash }] })
      expect([reply.status, errorOf(reply)], `${role} as ${party}`).toEqual([
        403,
        expect.stringContaining(`cannot sign as ${party}`),
      ])
    }
    expect((await page(as.owner, '2024-Q2')).signing).toMatchObject({
      as: null,
      whyNot: 'You sign for neither side; only the buyer and the supplier of this agreement sign.',
    })
  })

  test('follows the names in the document, whatever the role', async () => {
    const { as } = await ready(bracketsDocument({ more: `parties: { buyer: [${emails.viewer}] }\n` }))
    expect((await page(as.viewer, '2024-Q2')).signing.as).toBe('buyer')
    expect((await page(as.buyer, '2024-Q2')).signing.as).toBeNull()
  })

  test('is not possible while the agreement is not in force', async () => {
    const { as, tenant } = await ready()
    await tenant.apply(bracketsDocument({ status: 'SUSPENDED' }))
    const { entry, signing } = await page(as.buyer, '2024-Q2')
    expect(signing).toMatchObject({ as: null, whyNot: 'brackets is SUSPENDED; only what is ACTIVE can be signed.' })
    const periods = [{ period: '2024-Q2', hash: entry.hash }]
    expect((await sign(as.buyer, '2024-Q2', { party: 'buyer', periods })).status).toBe(409)
  })

  test('shows what changed since somebody signed, in sentences', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: plainClause }))
    await tenant.signBoth('brackets', '2024-Q2')
    await tenant.sign('brackets', '2024-Q3', 'buyer')
    const { entry: before } = await page(as.buyer, '2024-Q3')
    await tenant.import(revised)
    const { entry, signing } = await page(as.buyer, '2024-Q3')
    expect(entry.hash).not.toBe(before.hash)
    expect(signing.as).toBe('buyer')
    expect(signing.moved).toEqual([
      {
        party: 'buyer',
        signature: { email: emails.buyer, name: 'ann', signedAt: expect.any(String), means: 'PASSWORD' },
        hash: before.hash,
        adjustmentPct: '3.38',
        price: '13.19',
        changes: [
          'CUSTOM/steel of 2024-06 (steel) is now 118.00 (REVISED), published 2024-10-15; it was 116.00 (FINAL).',
          'The line ratio_steel is now 1.18; it was 1.16.',
          'The adjustment is now +4.06 %; it was +3.38 %.',
          'The price is now 13.27; it was 13.19.',
        ],
      },
    ])
    await tenant.signBoth('brackets', '2024-Q3')
    expect((await page(as.buyer, '2024-Q3')).signing.moved).toEqual([])
  })

  test('a body that is not a signature is refused in words', async () => {
    const { as } = await readyUnchanged()
    const { status } = await as.buyer.post('/agreements/brackets/periods/2024-Q2/sign', { party: 'both', hash: 'x' })
    expect(status).toBe(422)
  })
})

describe('the parts of a number', () => {
  test('are measured from the last adjustment and from the base, each with its own change', async () => {
    const { tenant, as } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    await tenant.apply(bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    const look = (period: string) => as.buyer.json<AdjustmentPage>(`/agreements/brackets/periods/${period}`)
    expect(await look('2024-Q2')).toMatchObject({ lastApplied: null, components: [{ since: null }, { since: null }] })
    const later = await look('2024-Q3')
    expect(later).toMatchObject({ lastApplied: '2024-04-01', isChained: false })
    const [steel] = later.components
    // 116 / 106.71 − 1, and 0.35 × (116 − 100).
    expect(steel).toMatchObject({ changePct: '16', since: { lastPct: '8.7058', basePoints: '5.6' } })
  })
})
