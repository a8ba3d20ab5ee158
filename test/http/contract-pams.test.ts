// PAMs over real HTTP: their fields, formula versions, which period is meant, and the list of computed values (decisions
// 21 to 23 and 31).
import { beforeAll, describe, expect, test } from 'vitest'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { holdListeners } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

interface Agreement {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly status: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly contractStartDate: string
  readonly contractEndDate: string | null
  readonly adjustmentFrequency: string
}
interface Adjustment {
  readonly period: string
  readonly adjustmentPct: number
  readonly cumulativeAdjustmentPct: number
  readonly dataVersion: string
  readonly formulaVersion: number
}
interface AgreementValues {
  readonly data: readonly {
    readonly adjustmentDate: string
    readonly adjustmentPct: string
    readonly cumulativePct: string
  }[]
}

const { api, tenant } = house()
beforeAll(async () => {
  await tenant.import(steelTable)
  await tenant.apply(steelDocument())
})

const agreementOf = async (slug: string) => (await tenant.json<{ data: Agreement }>(`/pams/${slug}`)).data
const adjustment = (slug: string, query = '') => tenant.json<Adjustment>(`/pams/${slug}/adjustment${query}`)
const valuesOf = async (slug: string, query = '') =>
  (await tenant.json<AgreementValues>(`/pams/${slug}/values${query}`)).data
const dates = async (slug: string, query = '') =>
  (await valuesOf(slug, query)).map(row => row.adjustmentDate.slice(0, 10))

/** The sentence of a 404. */
async function absence(path: string): Promise<string> {
  const { status, text } = await tenant.get(path)
  expect(status, `${path}: ${text}`).toBe(404)
  expect(problemsOf('error', text), path).toEqual([])
  return (JSON.parse(text) as { error: string }).error
}

const contractDocument = (slug: string, contract: string, more = '') => `
slug: ${slug}
name: ${slug}
status: ACTIVE
contract: { ${contract} }
inputs: { steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, lag: 1 month, missing: LAST_KNOWN } }
clause: {}
${more}`

describe('a PAM', () => {
  test('has every field of the document', async () => {
    const agreement = await agreementOf('steel')
    expect(agreement).toEqual({
      id: agreement.id,
      name: 'Steel brackets',
      description: 'Quarterly adjustment of the bracket price',
      status: 'ACTIVE',
      createdAt: agreement.createdAt,
      updatedAt: agreement.createdAt,
      contractStartDate: '2024-01-01T00:00:00.000Z',
      contractEndDate: '2024-12-31T00:00:00.000Z',
      adjustmentFrequency: 'QUARTERLY',
    })
  })

  test('C18: has an empty description and its slug as name where the document says nothing', async () => {
    await tenant.apply(contractDocument('bare', 'start: 2024-01-01, frequency: ANNUAL').replace('name: bare\n', ''))
    expect(await agreementOf('bare')).toMatchObject({ name: 'bare', description: '' })
  })

  test('C21: the end of an open contract is null, and each frequency has its name', async () => {
    const frequencies = {
      MONTHLY: 'frequency: MONTHLY',
      QUARTERLY: 'frequency: QUARTERLY',
      SEMIANNUAL: 'frequency: SEMIANNUAL',
      ANNUAL: 'frequency: ANNUAL',
      ONCE: 'frequency: ONCE, firstAdjustment: 2024-06-15',
      EVERY_4_MONTHS: 'frequency: 4 months',
      EVERY_18_MONTHS: 'frequency: 18 months',
    }
    for (const [wire, contract] of Object.entries(frequencies)) {
      const slug = wire.toLowerCase().replaceAll('_', '-')
      await tenant.apply(contractDocument(slug, `start: 2024-01-01, ${contract}`))
      expect(await agreementOf(slug), wire).toMatchObject({ adjustmentFrequency: wire, contractEndDate: null })
    }
    expect((await adjustment('monthly')).period).toMatch(/^\d{4}-\d\d$/)
    expect((await adjustment('semiannual', '?period=2024-H2')).period).toBe('2024-H2')
    expect((await adjustment('annual', '?period=2025')).period).toBe('2025')
    expect((await adjustment('once')).period).toBe('2024-06')
    expect((await adjustment('every-4-months', '?period=2024-05')).period).toBe('2024-05')
  })

  test('C21: every status shows as written, without a new formula version, and the time of the change moves', async () => {
    const { createdAt } = await agreementOf('steel')
    let updatedAt = createdAt
    for (const status of ['DRAFT', 'SUSPENDED', 'EXPIRED', 'ARCHIVED', 'ACTIVE']) {
      await tenant.apply(steelDocument({ status }))
      const agreement = await agreementOf('steel')
      expect(agreement).toMatchObject({ status, createdAt })
      expect(agreement.updatedAt > updatedAt, status).toBe(true)
      updatedAt = agreement.updatedAt
      expect(await adjustment('steel'), status).toMatchObject({ formulaVersion: 1, period: '2024-Q4' })
    }
    await tenant.apply(
      steelDocument().replace('name: Steel brackets', 'name: Brackets').replace('Quarterly', 'Each quarter’s'),
    )
    expect(await agreementOf('steel')).toMatchObject({
      name: 'Brackets',
      description: 'Each quarter’s adjustment of the bracket price',
    })
    expect(await adjustment('steel')).toMatchObject({ formulaVersion: 1 })
    expect(await tenant.apply(steelDocument())).toMatchObject({ outcome: 'changed', version: 1 })
    expect(await tenant.apply(steelDocument())).toMatchObject({ outcome: 'unchanged', version: 1 })
  })
})

describe('formula versions', () => {
  test('C22: every change of the formula is a new version; the old one stays unchanged', async () => {
    const who = await api.tenant()
    await who.import(steelTable)
    await who.apply(steelDocument({ slug: 'versions' }))
    const first = await who.json<Adjustment>('/pams/versions/adjustment?period=2024-Q2')
    const at = new Date().toISOString()
    await who.apply(steelDocument({ slug: 'versions', weight: '0.25' }))
    expect(await who.json<Adjustment>('/pams/versions/adjustment?period=2024-Q2')).toMatchObject({
      formulaVersion: 2,
      adjustmentPct: 2.5,
    })
    await who.apply(steelDocument({ slug: 'versions', weight: '0.75' }))
    expect(await who.json<Adjustment>('/pams/versions/adjustment?period=2024-Q2')).toMatchObject({
      formulaVersion: 3,
      adjustmentPct: 7.5,
    })
    expect(first).toMatchObject({ formulaVersion: 1, adjustmentPct: 5 })
    expect(await who.json<Adjustment>(`/pams/versions/adjustment?period=2024-Q2&knownAt=${at}`)).toEqual(first)
  })

  test('C22: a version governs from its effectiveFrom on, and continues from the previous factor', async () => {
    const who = await api.tenant()
    await who.import(steelTable)
    await who.apply(steelDocument())
    await who.apply(steelDocument({ weight: '0.25', more: 'effectiveFrom: 2024-07-01\n' }))
    const of = (period: string) => who.json<Adjustment>(`/pams/steel/adjustment?period=${period}`)
    expect(await of('2024-Q2')).toMatchObject({ formulaVersion: 1, adjustmentPct: 5, cumulativeAdjustmentPct: 5 })
    // 0.75 + 0.25 × 1.15 = 1.0375 after 1.05.
    expect(await of('2024-Q3')).toMatchObject({
      formulaVersion: 2,
      adjustmentPct: -1.1905,
      cumulativeAdjustmentPct: 3.75,
    })
    await who.apply(steelDocument({ weight: '1' }))
    expect(await of('2024-Q2')).toMatchObject({ formulaVersion: 3, adjustmentPct: 10 })
    expect(await of('2024-Q3')).toMatchObject({ formulaVersion: 3 })
  })

  test('C23: where two versions have a date in the same calendar period, date finds the one in force on that day', async () => {
    const who = await api.tenant()
    await who.import(steelTable)
    await who.apply(steelDocument())
    const moved = steelDocument({ weight: '0.25', more: 'effectiveFrom: 2024-05-15\n' }).replace(
      'start: 2024-01-01',
      'start: 2024-02-15',
    )
    await who.apply(moved)
    await who.importValues('CUSTOM/steel', { '2024-04': '112', '2024-07': '116', '2024-10': '131' }, '2024-11-14')
    const all = (await who.json<AgreementValues>('/pams/steel/values')).data
    expect(all.map(({ adjustmentDate }) => adjustmentDate.slice(0, 10))).toEqual([
      '2024-04-01',
      '2024-05-15',
      '2024-08-15',
      '2024-11-15',
    ])
    const inForce = (day: string) => who.json<Adjustment>(`/pams/steel/adjustment?date=${day}`)
    expect(await inForce('2024-04-20')).toMatchObject({
      formulaVersion: 1,
      adjustmentPct: Number(all[0]!.adjustmentPct),
    })
    expect(await inForce('2024-05-15')).toMatchObject({
      formulaVersion: 2,
      adjustmentPct: Number(all[1]!.adjustmentPct),
    })
  })
})

describe('which period', () => {
  test('C23: by its label, by a day on which it is in force, or the newest whose date has come and whose inputs exist', async () => {
    expect((await adjustment('steel')).period).toBe('2024-Q4')
    for (const period of ['2024-Q2', '2024-Q3', '2024-Q4'])
      expect((await adjustment('steel', `?period=${period}`)).period).toBe(period)
    for (const [day, period] of [
      ['2024-04-01', '2024-Q2'],
      ['2024-06-30', '2024-Q2'],
      ['2024-07-01', '2024-Q3'],
      ['2024-09-30', '2024-Q3'],
      ['2024-10-01', '2024-Q4'],
      ['2024-12-31', '2024-Q4'],
    ])
      expect((await adjustment('steel', `?date=${day}`)).period, day).toBe(period)
  })

  test('C23: what is unknown, outside the contract, of another frequency or not computable is a 404 with its reason', async () => {
    const path = '/pams/steel/adjustment'
    for (const route of [path, `${path}/receipt`]) {
      for (const period of ['2025-Q1', '2023-Q4', '2024-Q1', '1999-Q1', '9999-Q4'])
        expect(await absence(`${route}?period=${period}`)).toContain(period)
      for (const period of ['2024-04', '2024', '2024-H1'])
        expect(await absence(`${route}?period=${period}`)).toMatch(/QUARTERLY/)
      for (const day of ['2023-12-31', '2025-01-01', '9999-12-31', '0001-01-01'])
        expect(await absence(`${route}?date=${day}`)).toContain(day)
      expect(await absence(`${route}?date=2024-03-31`)).toContain('2024-03-31')
    }
    expect(await absence(`${path}?period=2024-Q3&asOf=2024-07-05`)).toMatch(/steel.*2024-06/s)
    expect(await absence(`${path}?date=2024-07-03&asOf=2024-07-05`)).toMatch(/steel.*2024-06/s)
  })

  test('C23: dates after asOf and knownAt are not computed: the default goes back, the period is a 404, values lack it', async () => {
    expect((await adjustment('steel', '?asOf=2024-07-15')).period).toBe('2024-Q3')
    expect((await adjustment('steel', '?asOf=2024-07-05')).period).toBe('2024-Q2')
    expect(await absence('/pams/steel/adjustment?period=2024-Q4&asOf=2024-07-15')).toMatch(/2024-10-01/)
    expect(await absence('/pams/steel/adjustment?date=2024-08-01&asOf=2024-07-15')).toContain('2024-08-01')
    expect(await dates('steel', '?asOf=2024-07-15')).toEqual(['2024-04-01', '2024-07-01'])
    expect(await dates('steel', '?asOf=2024-07-05')).toEqual(['2024-04-01'])
    expect(await dates('steel', '?asOf=2024-03-31')).toEqual([])
    await absence('/pams/steel/adjustment?asOf=2024-03-31')
    // The day of the cut itself has come.
    expect(await dates('steel', '?asOf=2024-10-11')).toEqual(['2024-04-01', '2024-07-01', '2024-10-01'])
  })

  test('C23: dates after today are not computed', async () => {
    const today = new Date()
    const next = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1)).toISOString()
    await tenant.apply(contractDocument('open', 'start: 2024-01-01, frequency: MONTHLY'))
    const known = await dates('open')
    expect(known.every(day => day <= today.toISOString().slice(0, 10))).toBe(true)
    expect((await adjustment('open')).period).toBe(known.at(-1)!.slice(0, 7))
    if (new Date().getUTCMonth() !== today.getUTCMonth()) return
    expect(await absence(`/pams/open/adjustment?period=${next.slice(0, 7)}`)).toContain(next.slice(0, 10))
    await absence(`/pams/open/adjustment?date=${next.slice(0, 10)}`)
  })

  test('C23: a PAM whose first date has not come, or whose inputs are all missing, is a 404 with its reason and no values', async () => {
    await tenant.apply(contractDocument('later', 'start: 2090-01-01, frequency: ANNUAL'))
    expect(await absence('/pams/later/adjustment')).toMatch(/2091-01-01/)
    expect(await valuesOf('later')).toEqual([])
    await tenant.apply(
      contractDocument('lacking', 'start: 2025-01-01, end: 2025-12-31, frequency: QUARTERLY').replace(
        ', missing: LAST_KNOWN',
        '',
      ),
    )
    expect(await absence('/pams/lacking/adjustment')).toMatch(/steel/)
    expect(await valuesOf('lacking')).toEqual([])
  })

  test('C8: a PAM does not exist before it was made, with the bytes of one that never existed', async () => {
    for (const rest of ['/values', '/adjustment', '/adjustment/receipt']) {
      const early = await tenant.get(`/pams/steel${rest}?knownAt=2020-01-01`)
      const never = await tenant.get(`/pams/never${rest}?knownAt=2020-01-01`)
      expect([early.status, early.text], rest).toEqual([404, never.text])
    }
  })
})

describe('computed values', () => {
  test('C31: are every computed entry, ascending, as strings without trailing zeros, the same numbers as each adjustment', async () => {
    expect(await valuesOf('steel')).toEqual([
      { adjustmentDate: '2024-04-01T00:00:00.000Z', adjustmentPct: '5', cumulativePct: '5' },
      { adjustmentDate: '2024-07-01T00:00:00.000Z', adjustmentPct: '2.381', cumulativePct: '7.5' },
      { adjustmentDate: '2024-10-01T00:00:00.000Z', adjustmentPct: '6.9767', cumulativePct: '15' },
    ])
    for (const { adjustmentDate, adjustmentPct, cumulativePct } of await valuesOf('steel')) {
      const { text } = await tenant.get(`/pams/steel/adjustment?date=${adjustmentDate.slice(0, 10)}`)
      expect(text).toContain(`"adjustmentPct":${adjustmentPct},"cumulativeAdjustmentPct":${cumulativePct},`)
    }
  })

  test('C31: from and to are inclusive on the adjustment date', async () => {
    expect(await dates('steel', '?from=2024-07-01')).toEqual(['2024-07-01', '2024-10-01'])
    expect(await dates('steel', '?to=2024-07-01')).toEqual(['2024-04-01', '2024-07-01'])
    expect(await dates('steel', '?from=2024-04-02&to=2024-09-30')).toEqual(['2024-07-01'])
    expect(await dates('steel', '?from=2030-01-01')).toEqual([])
  })

  test('C31: come without paging, however many there are', async () => {
    await tenant.apply(contractDocument('long', 'start: 2023-12-01, end: 2026-09-30, frequency: MONTHLY'))
    const { headers } = await tenant.get('/pams/long/values')
    expect(headers.link).toBeUndefined()
    expect((await dates('long')).length).toBeGreaterThanOrEqual(9)
    await tenant.importValues('CUSTOM/old', { '1800': '100' }, '2020-01-01')
    await tenant.apply(`slug: centuries
status: ACTIVE
contract: { start: 1900-01-31, end: 2024-12-31, frequency: MONTHLY }
inputs: { old: { series: CUSTOM/old, weight: 1, base: { value: 80 }, missing: LAST_KNOWN } }
clause: {}`)
    const all = await dates('centuries')
    expect([all.length, all[0], all[1], all.at(-1)]).toEqual([1_499, '1900-02-28', '1900-03-31', '2024-12-31'])
  })
})

describe('one publication', () => {
  const signed = /"buyer":"\d{4}-/

  test('F5, T7: is in an adjustment with all of its series or with none, even where the notice of it is late', async () => {
    const who = await api.tenant()
    const table = (value: string, published: string) =>
      `series,period,value,published\n${['a', 'b'].map(code => `CUSTOM/${code},2024-03,${value},${published}\n`).join('')}`
    await who.import(table('110', '2024-04-05').replaceAll(/(CUSTOM\/.),2024-03,110/g, '$1,2023-12,100'))
    await who.import(table('110', '2024-04-05'))
    await who.apply(`slug: both
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs:
  a: { series: CUSTOM/a, weight: 0.5, base: 2023-12, lag: 1 month }
  b: { series: CUSTOM/b, weight: 0.5, base: 2023-12, lag: 1 month }
clause: {}`)
    await api.restart()
    // One of the two is cached, the other is not.
    await who.get(`/series/${await who.seriesId('CUSTOM/a')}/values`)
    const wake = await holdListeners(api)
    try {
      await who.importUnheard(table('220', '2024-05-05'))
      const { adjustmentPct } = await who.json<Adjustment>('/pams/both/adjustment')
      expect([10, 120]).toContain(adjustmentPct)
    } finally {
      wake()
    }
  })

  test('once one answer shows a signature, no other one is older, even where the notice of it is late', async () => {
    const who = await api.tenant()
    await who.import(steelTable)
    await who.apply(steelDocument())
    await who.apply(steelDocument({ slug: 'other' }))
    const period = '2024-Q2'
    await api.restart()
    // Pinned to the moment before, and without the formula.
    await who.extJson('/adjustments?ids=other')
    const wake = await holdListeners(api)
    try {
      await who.signUnheard('steel', period, 'buyer')
      expect((await who.get(`/pams/steel/adjustment?period=${period}`)).text).toMatch(signed)
      expect((await who.ext(`/adjustments?ids=steel&period=${period}`)).text).toMatch(signed)
    } finally {
      wake()
    }
  })

  test.each([
    '/v1/pams/other/adjustment',
    '/v1/pams/other/values',
    '/ext/v1/adjustments?ids=other',
    '/ext/v1/prices',
    '/ext/v1/pams/other/prices',
    '/ext/v1/pams/other/corrections',
    '/ext/v1/radar?since=2020-01-01',
  ])('that is older than an answer of %s is in every later one, even where the notice of it is late', async path => {
    const who = await api.tenant()
    await who.import(steelTable)
    await who.apply(steelDocument())
    await who.apply(steelDocument({ slug: 'other' }))
    await api.restart()
    const adjustment = async () => (await who.get('/pams/steel/adjustment?period=2024-Q2')).text
    expect(await adjustment()).not.toMatch(signed)
    await who.extJson('/pams/steel/prices')
    const wake = await holdListeners(api)
    try {
      await who.signUnheard('steel', '2024-Q2', 'buyer')
      const { status, text } = await api.ask(path, { headers: who.authorization })
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      expect(await adjustment()).toMatch(signed)
    } finally {
      wake()
    }
  })
})
