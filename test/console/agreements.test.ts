// The agreements of a workspace as pages read them: the list, one agreement, its versions, saving, and what a supplier sees
// of them. Numbers are the API's own.
import { describe, expect, test } from 'vitest'
import { publicScope } from '../../src/storage/postgres/database.ts'
import type { SaveRequest } from '../../src/views/calls/agreement-calls.ts'
import type { AgreementList, AgreementPage, Saved } from '../../src/views/shapes/agreements.ts'
import type { Failure } from '../../src/views/shapes/session.ts'
import type { VersionView } from '../../src/views/shapes/versions.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { Api, follow } from '../support/houses/api.ts'
import { Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
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

const list = async (browser: Browser) => (await browser.json<AgreementList>('/agreements')).rows
const page = (browser: Browser, slug = 'brackets') => browser.json<AgreementPage>(`/agreements/${slug}`)
const save = (browser: Browser, request: SaveRequest) => browser.post('/agreements', request)
const problemsOf = ({ json }: { json: unknown }) => (json as Failure).problems ?? []
const errorOf = ({ json }: { json: unknown }) => (json as Failure).error

interface Calculation {
  readonly adjustments: readonly { adjustmentPct: string; cumulativePct: string; price: string; dataVersion: string }[]
}

describe('the list of agreements', () => {
  test('has the state of each, with the numbers of the API', async () => {
    const { as, tenant } = await readyUnchanged()
    const [row] = await list(as.viewer)
    const { adjustments } = await tenant.json<Calculation>('/pams/brackets/adjustment?view=calculation')
    const { adjustmentPct, cumulativePct, price, dataVersion } = adjustments[0]!
    expect(row).toMatchObject({
      slug: 'brackets',
      name: 'Steel brackets',
      status: 'ACTIVE',
      version: 1,
      frequency: 'QUARTERLY',
      price: { amount: '12.40', currency: 'EUR', unit: 'piece' },
      last: { period: '2024-Q4', adjustmentDate: '2024-10-01', adjustmentPct, cumulativePct, price, dataVersion },
      nextDate: null,
      unsigned: 3,
      waitsFor: ['buyer', 'supplier'],
      blocked: null,
      trouble: null,
    })
    expect(row?.last).toMatchObject({ factor: '1.1025', isSigned: false, signatures: { buyer: null, supplier: null } })
  })

  test('says whose turn it is, and counts what is not signed by both', async () => {
    const { as, tenant } = await ready()
    await tenant.signBoth('brackets', '2024-Q2')
    await tenant.sign('brackets', '2024-Q3', 'supplier')
    expect((await list(as.owner))[0]).toMatchObject({ unsigned: 2, waitsFor: ['buyer'] })
    await tenant.apply(bracketsDocument({ status: 'SUSPENDED' }))
    expect((await list(as.owner))[0]).toMatchObject({ status: 'SUSPENDED', unsigned: 2, waitsFor: [] })
  })

  test('comes by slug, each with the next date of its own calendar', async () => {
    const { as, tenant } = await ready(bracketsDocument({ slug: 'b-open', end: '2090-12-31' }))
    await tenant.apply(
      bracketsDocument({ slug: 'a-later' })
        .replace('frequency: QUARTERLY', 'frequency: ONCE\n  firstAdjustment: 2090-01-01')
        .replace('2024-12-31', '2090-12-31'),
    )
    const rows = await list(as.owner)
    expect(rows.map(({ slug }) => slug)).toEqual(['a-later', 'b-open'])
    expect(rows[0]).toMatchObject({ nextDate: '2090-01-01', last: null, blocked: null, trouble: null })
    const now = new Date()
    const quarter = new Date(Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3 + 3, 1))
    expect(rows[1]?.nextDate).toBe(quarter.toISOString().slice(0, 10))
    expect(rows[1]?.blocked).toEqual({ period: '2025-Q1', reason: expect.stringContaining('2024-12') })
  })

  test('says in words why nothing can be computed, and continues with the others', async () => {
    const { as, tenant } = await ready()
    const id = await makeSeries(console.api.owner, publicScope, `gone-${tenant.id.slice(-6)}`)
    await publishRows(console.api.owner, publicScope, id, [{ period: 2023 * 12 + 11, value: '100' }])
    await follow(console.api.sql, tenant.id, id)
    const code = (await console.api.owner<{ code: string }[]>`select code from series where id = ${id}`)[0]!.code
    const other = (slug: string, series: string) => `
slug: ${slug}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-12-31, frequency: QUARTERLY }
inputs: { x: { series: ${series}, weight: 1, base: 2023-12 } }
clause: {}
`
    await tenant.apply(other('all-blocked', `CUSTOM/${code}`))
    expect((await list(as.owner)).find(({ slug }) => slug === 'all-blocked')).toMatchObject({
      last: null,
      blocked: { period: '2024-Q2' },
      trouble: expect.stringMatching(/^nothing can be computed: .*2024-10/),
    })
    await console.api.owner`delete from follow where workspace_id = ${tenant.id}`
    // The running server is not told; one that starts now reads it.
    const later = new Api({ target: console.api.target, owner: console.api.owner, close: async () => {} }, {})
    await later.start()
    try {
      const browser = Object.assign(new Browser(later, as.owner.slug), { cookie: as.owner.cookie })
      const rows = await list(browser)
      expect(rows.map(({ slug, trouble }) => [slug, trouble])).toEqual([
        ['all-blocked', expect.stringContaining(`unknown series CUSTOM/${code}`)],
        ['brackets', null],
      ])
      expect((await browser.get('/agreements/all-blocked')).status).toBe(200)
    } finally {
      await later.close()
    }
  })

  test('is empty for a workspace that has none', async () => {
    const { as } = await makeSeats(console.api)
    expect(await list(as.owner)).toEqual([])
  })
})

describe('the page of a formula', () => {
  test('has every period with the numbers the API lists', async () => {
    const { as, tenant } = await readyUnchanged()
    const { entries, inputs, contract, parties } = await page(as.viewer)
    const { data } = await tenant.json<{
      data: { adjustmentDate: string; adjustmentPct: string; cumulativePct: string }[]
    }>('/pams/brackets/values')
    expect(
      entries.map(({ adjustmentDate, adjustmentPct, cumulativePct }) => ({
        adjustmentDate: `${adjustmentDate}T00:00:00.000Z`,
        adjustmentPct,
        cumulativePct,
      })),
    ).toEqual(data)
    expect(entries.map(({ price }) => price)).toEqual(['12.40', '13.02', '13.67'])
    expect(inputs.map(({ input, weight, reference, name }) => [input, weight, reference, name])).toEqual([
      ['steel', '0.35', 'CUSTOM/steel', 'Steel billets'],
      ['labour', '0.25', 'CUSTOM/labour', 'Labour in metal'],
    ])
    expect(inputs[0]?.seriesId).toBe(await tenant.seriesId('CUSTOM/steel'))
    expect(contract).toEqual({ start: '2024-01-01', end: '2024-12-31', frequency: 'QUARTERLY' })
    expect(parties).toEqual({ buyer: null, supplier: { emails: [emails.supplier] } })
  })

  test('has the warnings of the linter with their lines', async () => {
    const { as } = await readyUnchanged()
    const { warnings, documentText } = await page(as.editor)
    const gap = warnings.find(({ path }) => path === 'inputs.steel.missing')
    expect(gap?.message).toContain('has gaps')
    expect(documentText.split('\n')[gap!.line! - 1]).toContain('steel:')
  })

  test('gives the document with the current status, so that editing it does not bring the old one back', async () => {
    const { as, tenant } = await ready()
    expect((await page(as.editor)).documentText).toBe(bracketsDocument())
    const other = bracketsDocument({ status: 'SUSPENDED', name: 'Other name' })
    await tenant.apply(other.replace('  price:', '  references: [FA-17]\n  priceDate: ORDER\n  price:'))
    const { documentText, agreement } = await page(as.editor)
    expect(agreement).toMatchObject({ status: 'SUSPENDED', name: 'Other name', version: 1 })
    expect(documentText).toContain('status: SUSPENDED')
    expect(documentText).toContain('name: Other name')
    expect(documentText).toContain('references: [ FA-17 ]\n  priceDate: ORDER')
    expect(documentText).toContain('# the contract of May 2023')
    expect((await save(as.editor, { text: documentText, basedOn: 1 })).json).toEqual({
      outcome: 'unchanged',
      slug: 'brackets',
      version: 1,
      proposal: null,
    })
  })

  test('keeps a signed number after a revision and shows next to it what it would be today', async () => {
    const { as, tenant } = await ready(
      bracketsDocument({ clause: '{ fixed: 0.40, rounding: { percent: { dp: 2 } } }' }),
    )
    await tenant.signBoth('brackets', '2024-Q3', { through: true })
    const before = (await page(as.viewer)).entries
    expect(before.map(({ today }) => today)).toEqual([null, null, null])
    await tenant.import('series,period,value,version,published\nCUSTOM/steel,2024-06,118.00,REVISED,2024-10-15\n')
    const after = (await page(as.viewer)).entries
    expect({ ...after[1], today: null }).toEqual(before[1])
    const { adjustments } = await tenant.json<Calculation>(
      `/pams/brackets/adjustment?period=2024-Q3&view=calculation&asOf=${new Date().toISOString().slice(0, 10)}`,
    )
    const { adjustmentPct, cumulativePct, price } = adjustments[0]!
    expect(after[1]?.today).toEqual({
      adjustmentPct,
      cumulativePct,
      price,
      differencePoints: '0.68',
      differenceMoney: '0.08',
      because: ['figures'],
    })
    expect([after[1]?.adjustmentPct, adjustmentPct, after[1]?.price, price]).toEqual(['3.38', '4.06', '13.19', '13.27'])
    expect(after[0]?.today).toBeNull()
    expect((await list(as.viewer))[0]?.last).toEqual(after[2])
  })
})

describe('saving a formula', () => {
  test('keeps a new one, a new version, a new state, or nothing, and the page sees it at once', async () => {
    const { as } = await makeSeats(console.api)
    await as.owner.upload('/series/upload?file=b.csv&mode=import', bracketsTable)
    const saved = async (request: SaveRequest) => {
      const { status, json } = await save(as.editor, request)
      expect(status).toBe(201)
      return json as Saved
    }
    expect(await saved({ text: bracketsDocument(), basedOn: 0 })).toEqual({
      outcome: 'created',
      slug: 'brackets',
      version: 1,
      proposal: null,
    })
    expect((await list(as.viewer))[0]).toMatchObject({ version: 1, last: { price: '13.67' } })
    expect(await saved({ text: bracketsDocument(), basedOn: 1 })).toMatchObject({ outcome: 'unchanged', version: 1 })
    expect(await saved({ text: bracketsDocument({ status: 'SUSPENDED' }), basedOn: 1 })).toMatchObject({
      outcome: 'changed',
      version: 1,
    })
    expect((await list(as.viewer))[0]?.status).toBe('SUSPENDED')
    const looser = bracketsDocument({ clause: '{ fixed: 0.40 }' })
    expect(await saved({ text: looser, basedOn: 1 })).toMatchObject({ outcome: 'new version', version: 2 })
    expect((await list(as.viewer))[0]).toMatchObject({ version: 2, status: 'ACTIVE' })
    const rows = await console.api.owner<{ who: string; what: string; from_address: string | null }[]>`
      select a.who, a.what, a.from_address from activity a join workspace w on w.id = a.workspace_id
      where w.slug = ${as.editor.slug} and (a.what like 'agreement %' or a.what = 'new formula version') order by a.at, a.id`
    expect(rows.map(({ who, what }) => [who, what])).toEqual([
      [emails.editor, 'agreement created'],
      [emails.editor, 'agreement changed'],
      [emails.editor, 'new formula version'],
    ])
    expect(rows.every(({ from_address }) => from_address?.includes('127.0.0.1'))).toBe(true)
  })

  test('is refused where somebody saved meanwhile, and says who and when', async () => {
    const { as, tenant } = await ready()
    const version2 = bracketsDocument({ clause: '{ fixed: 0.40, cap: { periodPct: 4 } }' })
    await tenant.apply(version2)
    const late = await save(as.owner, { text: bracketsDocument({ clause: '{ fixed: 0.40 }' }), basedOn: 1 })
    expect(late.status).toBe(409)
    expect(errorOf(late)).toMatch(
      /^this change was made from formula 1, but the newest is formula 2, saved by eva@editor\.test on \d+ \w+ \d{4} at \d\d:\d\d UTC/,
    )
    const taken = await save(as.owner, { text: bracketsDocument(), basedOn: 0 })
    expect(taken.status).toBe(409)
    expect(errorOf(taken)).toMatch(/"brackets" is taken by formula 2/)
    const renamed = await save(as.owner, { text: bracketsDocument({ slug: 'renamed' }), basedOn: 2 })
    expect(renamed.status).toBe(409)
    expect(errorOf(renamed)).toMatch(/an agreement keeps its slug/)
    expect((await list(as.owner)).map(({ slug, version }) => [slug, version])).toEqual([['brackets', 2]])
  })

  test('is refused where the status changed meanwhile, when the page says what it had seen', async () => {
    const { as, tenant } = await ready()
    const { revision } = await page(as.owner)
    await tenant.apply(bracketsDocument({ status: 'SUSPENDED' }))
    const text = bracketsDocument({ clause: '{ fixed: 0.40 }' })
    const late = await save(as.owner, { text, basedOn: 1, revision })
    expect(late.status).toBe(409)
    expect(errorOf(late)).toMatch(/its name, status, parties or billing terms were changed on .* it is SUSPENDED now/)
    const { revision: now } = await page(as.owner)
    expect((await save(as.owner, { text, basedOn: 1, revision: now })).status).toBe(201)
  })

  test('is refused with every problem and its line, and then nothing is kept', async () => {
    const { as } = await readyUnchanged()
    const text = bracketsDocument({ slug: 'bad', steelWeight: '0.55' }).replace('lag: 1 month', 'lag: soon')
    const refused = await save(as.owner, { text, basedOn: 0 })
    expect(refused.status).toBe(422)
    expect(problemsOf(refused)).toEqual([
      { path: 'inputs.steel.lag', message: expect.stringContaining('lag must be'), line: 12 },
      {
        path: 'inputs',
        message: expect.stringContaining('together 1.2, not 1'),
        line: expect.any(Number),
        weights: { moving: '0.8', fixed: '0.4', total: '1.2', from: null },
      },
    ])
    const unknown = await save(as.owner, {
      text: bracketsDocument({ slug: 'bad' }).replace('CUSTOM/steel', 'CUSTOM/steal'),
      basedOn: 0,
    })
    expect(problemsOf(unknown)).toEqual([
      { path: 'inputs.steel.series', message: 'unknown series CUSTOM/steal', line: 12 },
    ])
    expect((await list(as.owner)).map(({ slug }) => slug)).toEqual(['brackets'])
  })

  test('is for owners and editors only', async () => {
    const { as } = await ready()
    for (const role of ['buyer', 'supplier', 'viewer'] as const) {
      const { status } = await save(as[role], { text: bracketsDocument({ slug: `by-${role}` }), basedOn: 0 })
      expect(status, role).toBe(403)
    }
    expect((await save(as.owner, { text: bracketsDocument({ slug: 'by-owner' }), basedOn: 0 })).status).toBe(201)
  })

  test('one of two who save the same version at once is refused', async () => {
    const { as } = await ready()
    const text = (pct: number) => bracketsDocument({ clause: `{ fixed: 0.40, cap: { periodPct: ${pct} } }` })
    const replies = await Promise.all([1, 2, 3, 4].map(pct => save(as.owner, { text: text(pct), basedOn: 1 })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect((await list(as.owner))[0]?.version).toBe(2)
  })
})

describe('the versions of a formula', () => {
  test('say who changed what, in the words of the document, and what it did to every period', async () => {
    const { as, tenant } = await ready()
    await tenant.apply(
      bracketsDocument({ clause: '{ fixed: 0.40, cap: { periodPct: 4 }, rounding: { percent: { dp: 2 } } }' }),
    )
    const versions = await as.viewer.json<readonly VersionView[]>('/agreements/brackets/versions')
    expect(versions.map(({ version, createdBy, effectiveFrom }) => [version, createdBy, effectiveFrom])).toEqual([
      [2, 'eva@editor.test', '2024-01-01'],
      [1, 'eva@editor.test', '2024-01-01'],
    ])
    expect(versions[0]?.changes).toEqual([
      { path: 'clause.cap.periodPct', before: '5', after: '4' },
      { path: 'clause.threshold', before: '{ pct: 3, test: EXCEEDS, pays: ALL }', after: null },
    ])
    expect(versions[0]?.effects).toEqual([
      {
        period: '2024-Q2',
        before: { adjustmentPct: '0', cumulativePct: '0', price: '12.40' },
        after: { adjustmentPct: '2.87', cumulativePct: '2.87', price: '12.76' },
      },
      {
        period: '2024-Q3',
        before: { adjustmentPct: '5', cumulativePct: '5', price: '13.02' },
        after: { adjustmentPct: '3.38', cumulativePct: '6.347', price: '13.19' },
      },
      {
        period: '2024-Q4',
        before: { adjustmentPct: '5', cumulativePct: '10.25', price: '13.67' },
        after: { adjustmentPct: '4', cumulativePct: '10.6009', price: '13.71' },
      },
    ])
    expect(versions[1]).toMatchObject({ changes: [], effects: [], documentText: bracketsDocument() })
  })

  test('a later version continues from the earlier one in its effects', async () => {
    const { as, tenant } = await ready()
    await tenant.apply(
      bracketsDocument({ clause: '{ fixed: 0.40, basis: CHAINED }', more: 'effectiveFrom: 2024-10-01\n' }),
    )
    const [newest] = await as.owner.json<readonly VersionView[]>('/agreements/brackets/versions')
    const { data } = await tenant.json<{ data: { adjustmentPct: string; cumulativePct: string }[] }>(
      '/pams/brackets/values',
    )
    expect(newest?.effects.map(({ after }) => [after?.adjustmentPct, after?.cumulativePct])).toEqual(
      data.map(({ adjustmentPct, cumulativePct }) => [adjustmentPct, cumulativePct]),
    )
    expect(newest?.effects.slice(0, 2).every(({ before, after }) => before?.price === after?.price)).toBe(true)
  })
})

describe('a supplier', () => {
  test('sees the formulas it is a party to, and no draft; the others do not exist for it', async () => {
    const { as, tenant } = await ready()
    const mine = `parties: { supplier: [${emails.supplier}] }\n`
    await tenant.apply(bracketsDocument({ slug: 'mine', more: mine }))
    await tenant.apply(bracketsDocument({ slug: 'my-draft', status: 'DRAFT', more: mine }))
    await tenant.apply(bracketsDocument({ slug: 'theirs', more: 'parties: { supplier: [other@supplier.test] }\n' }))
    expect((await list(as.supplier)).map(({ slug }) => slug)).toEqual(['brackets', 'mine'])
    expect((await list(as.buyer)).map(({ slug }) => slug)).toEqual(['brackets', 'mine', 'my-draft', 'theirs'])
    for (const slug of ['theirs', 'my-draft', 'nothing'])
      for (const path of ['', '/versions', '/periods/2024-Q2', '/periods/2024-Q2/receipt']) {
        const { status, text } = await as.supplier.get(`/agreements/${slug}${path}`)
        expect([status, text], `${slug}${path}`).toEqual([404, '{"error":"there is no such agreement"}'])
      }
    const { status } = await as.supplier.post('/agreements/theirs/periods/2024-Q2/sign', {
      party: 'supplier',
      periods: [{ period: '2024-Q2', hash: 'a'.repeat(64) }],
    })
    expect(status).toBe(404)
    expect((await as.supplier.get('/agreements/mine/versions')).status).toBe(200)
  })
})
