// Adjustments over real HTTP: exact numbers, components, data versions, cuts, the calculation and the receipt (decisions
// 24 to 27, 29, 30, 32).
import { beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { judge } from '../support/agreements/judged.ts'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { house } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

interface Adjustment {
  readonly period: string
  readonly adjustmentPct: number
  readonly cumulativeAdjustmentPct: number
  readonly dataVersion: string
  readonly formulaVersion: number
  readonly confirmed: { readonly buyer: string | null; readonly supplier: string | null }
  readonly components: readonly { readonly series: string; readonly weight: number; readonly change: number }[]
}

const { api, tenant } = house()
beforeAll(async () => {
  await tenant.import(steelTable)
  await tenant.apply(steelDocument())
})

const ask = (query = '', slug = 'steel') => tenant.json<Adjustment>(`/pams/${slug}/adjustment${query}`)
const textOf = async (query = '', slug = 'steel') => (await tenant.get(`/pams/${slug}/adjustment${query}`)).text
async function absence(query: string, slug = 'steel'): Promise<string> {
  const { status, text } = await tenant.get(`/pams/${slug}/adjustment${query}`)
  expect(status, `${query}: ${text}`).toBe(404)
  return (JSON.parse(text) as { error: string }).error
}

/** A yearly clause over one index, whose base is 100, with these readings from 2021 on. */
async function yearly(slug: string, readings: readonly string[], clause: string, more = ''): Promise<void> {
  const values = readings.map((value, i) => [`${2021 + i}`, value])
  await tenant.importValues(`CUSTOM/${slug}`, Object.fromEntries(values), '2026-01-01')
  await tenant.apply(`slug: ${slug}
status: ACTIVE
contract: { start: 2020-01-01, end: ${2020 + readings.length}-12-31, frequency: ANNUAL, price: { amount: 12.40, currency: EUR, round: { dp: 2 } } }
inputs: { index: { series: CUSTOM/${slug}, weight: 0.50, base: { value: 100 } } }
clause: ${clause}
${more}`)
}

describe('numbers', () => {
  test('C29: are the decimal literals of the result, never the digits of a float', async () => {
    await yearly('exact', ['114.5', '90.909', '100.0001', '99.99998'], '{ fixed: 0.5 }')
    expect(await textOf('?period=2021', 'exact')).toBe(
      '{"period":"2021","adjustmentPct":7.25,"cumulativeAdjustmentPct":7.25,"dataVersion":"FINAL","formulaVersion":1,' +
        '"confirmed":{"buyer":null,"supplier":null},"components":[{"series":"exact","weight":0.50,"change":14.5}]}',
    )
    for (const year of ['2022', '2023', '2024']) {
      const text = await textOf(`?period=${year}`, 'exact')
      const { components: _components, ...numbers } = JSON.parse(text) as Adjustment
      for (const [name, value] of Object.entries(numbers))
        if (typeof value === 'number')
          expect(text).toMatch(new RegExp(`"${name}":${String(value).replaceAll('.', '\\.')}[,}]`))
      for (const [, literal] of text.matchAll(/"(?:adjustmentPct|cumulativeAdjustmentPct|change)":([^,}]+)/g))
        expect(literal).toMatch(/^(?:0|-?(?:0\.\d{0,3}[1-9]|[1-9]\d*(?:\.\d{0,3}[1-9])?))$/)
    }
  })

  test('C29: a change too small to report is a plain zero, without a sign', async () => {
    await yearly('tiny', ['99.99999', '100.00001'], '{ fixed: 0.5, rounding: { percent: { dp: 8 } } }')
    for (const year of ['2021', '2022'])
      expect(await textOf(`?period=${year}`, 'tiny')).toMatch(
        /"adjustmentPct":0,"cumulativeAdjustmentPct":0,.*"change":0\}/,
      )
  })

  test('C29: four decimals half-up unless the formula says otherwise, also for the change', async () => {
    await yearly(
      'places',
      ['100.30015', '133.3333333'],
      '{ fixed: 0.5, rounding: { percent: { dp: 9 } } }',
      'result: { show: { dp: 2 } }',
    )
    expect(await textOf('?period=2021', 'places')).toMatch(/"adjustmentPct":0\.15,.*"change":0\.3\}/)
    await yearly('ties', ['100.30010'], '{ fixed: 0.5, rounding: { percent: { dp: 9 } } }')
    expect(await textOf('?period=2021', 'ties')).toMatch(/"adjustmentPct":0\.1501,.*"change":0\.3001\}/)
  })

  test('C29: the weight is as written in the formula, in every way of writing a number', async () => {
    for (const [i, [weight, fixed]] of [
      ['0.350', '0.650'],
      ['1', '0'],
      ['0.10', '0.9'],
    ].entries()) {
      await tenant.apply(
        steelDocument({ slug: `weight-${i}` })
          .replace('weight: 0.5', `weight: ${weight}`)
          .replace('fixed: 0.5', `fixed: ${fixed}`),
      )
      expect(await textOf('?period=2024-Q2', `weight-${i}`)).toContain(`"weight":${weight},`)
    }
  })
})

describe('components', () => {
  test('C30: change is that of the reading against its base, after lag, before weighting', async () => {
    expect(await ask('?period=2024-Q2')).toMatchObject({
      components: [{ series: 'Steel billets', weight: 0.5, change: 10 }],
    })
    expect(await ask('?period=2024-Q3')).toMatchObject({ components: [{ change: 15 }] })
  })

  test('C30: with a CHAINED basis it is against the last applied reading', async () => {
    await yearly(
      'chained',
      ['110', '121', '121.5', '133.1'],
      '{ fixed: 0.5, basis: CHAINED, threshold: { pct: 1, test: REACHES, pays: ALL } }',
    )
    const changes = []
    for (const year of ['2021', '2022', '2023', '2024'])
      changes.push((await ask(`?period=${year}`, 'chained')).components[0]!.change)
    // 2023 moves too little and is not applied, so 2024 is measured against 2022.
    expect(changes).toEqual([10, 10, 0.4132, 10])
  })

  test('C30: inputs without a weight or without a base are not components', async () => {
    await tenant.importValues('CUSTOM/fx', { '2024-03': '1.10', '2023-12': '1.00' }, '2024-04-01')
    await tenant.apply(`slug: steps
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs:
  steel: { series: CUSTOM/steel, weight: 0.4, base: 2023-12, lag: 1 month }
  plain: { series: CUSTOM/steel, base: 2023-12, lag: 1 month }
  fx: { series: CUSTOM/fx, weight: 0.1, lag: 1 month }
steps: [{ name: factor, expr: "steel / steel.base * plain / plain.base * fx" }]
result: { kind: FACTOR, step: factor }`)
    expect((await ask('', 'steps')).components).toEqual([{ series: 'Steel billets', weight: 0.4, change: 10 }])
  })

  test('gives one entry per component, in the order of the formula, under the series’ name', async () => {
    await tenant.import(
      'series,period,value,published,name\nCUSTOM/labour,2023-12,50,2024-01-01,"Wages, hourly"\nCUSTOM/labour,2024-03,51,2024-04-01,"Wages, hourly"\n',
    )
    await tenant.apply(`slug: two
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs:
  wages: { series: CUSTOM/labour, weight: 0.25, base: 2023-12, lag: 1 month }
  metal: { series: CUSTOM/steel, weight: 0.35, base: 2023-12, lag: 1 month }
clause: { fixed: 0.40 }`)
    expect(await ask('', 'two')).toEqual({
      period: '2024-Q2',
      adjustmentPct: 4,
      cumulativeAdjustmentPct: 4,
      dataVersion: 'FINAL',
      formulaVersion: 1,
      confirmed: { buyer: null, supplier: null },
      components: [
        { series: 'Wages, hourly', weight: 0.25, change: 2 },
        { series: 'Steel billets', weight: 0.35, change: 10 },
      ],
    })
  })
})

describe('versions and cuts', () => {
  test('C24: with asOf it is computed from what had been published by then', async () => {
    expect(await ask('?period=2024-Q2&asOf=2024-04-30')).toMatchObject({
      adjustmentPct: 5.25,
      dataVersion: 'PRELIMINARY',
    })
    expect(await ask('?period=2024-Q2&asOf=2024-05-11')).toMatchObject({ adjustmentPct: 5, dataVersion: 'FINAL' })
    expect(await ask('?period=2024-Q3&asOf=2024-07-31')).toMatchObject({
      components: [{ change: 20 }],
      dataVersion: 'PRELIMINARY',
    })
    expect(await ask('?period=2024-Q3&asOf=2024-08-31')).toMatchObject({
      components: [{ change: 14.5 }],
      dataVersion: 'FINAL',
    })
    expect(await ask('?period=2024-Q3')).toMatchObject({ components: [{ change: 15 }], dataVersion: 'REVISED' })
  })

  test('C25: with version the readings of the period carry the tag, 404 where one has none', async () => {
    expect(await ask('?period=2024-Q2&version=PRELIMINARY')).toMatchObject({
      adjustmentPct: 5.25,
      dataVersion: 'PRELIMINARY',
      components: [{ change: 10.5 }],
    })
    expect(await ask('?period=2024-Q3&version=FINAL')).toMatchObject({
      adjustmentPct: 2.1429,
      dataVersion: 'FINAL',
      components: [{ change: 14.5 }],
    })
    expect(await ask('?period=2024-Q3&version=REVISED')).toMatchObject({
      dataVersion: 'REVISED',
      components: [{ change: 15 }],
    })
    expect(await absence('?period=2024-Q2&version=REVISED')).toMatch(/2024-Q2.*REVISED|2024-03/s)
    await absence('?period=2024-Q4&version=FINAL')
    await absence('?date=2024-11-01&version=FINAL')
  })

  test('C25: earlier periods and bases take the tag where there is one, else the newest', async () => {
    // Q2 has a PRELIMINARY reading of 110.50 (factor 1.0525), so that Q3 at 120.00 (1.10) moves from there.
    expect(await ask('?period=2024-Q3&version=PRELIMINARY')).toMatchObject({
      adjustmentPct: 4.5131,
      cumulativeAdjustmentPct: 10,
    })
    // No REVISED reading for Q2: the FINAL one, factor 1.05.
    expect(await ask('?period=2024-Q3&version=REVISED')).toMatchObject({ adjustmentPct: 2.381 })
  })

  test('C23: with version the default is the newest period whose readings carry it', async () => {
    expect((await ask('?version=PRELIMINARY')).period).toBe('2024-Q4')
    expect((await ask('?version=FINAL')).period).toBe('2024-Q3')
    expect((await ask('?version=REVISED')).period).toBe('2024-Q3')
    expect((await ask('?version=FINAL&asOf=2024-08-10')).period).toBe('2024-Q2')
    await absence('?version=REVISED&asOf=2024-09-10')
  })

  test('C23: with version the policies for missing values do not fill in', async () => {
    await tenant.apply(steelDocument({ slug: 'filling' }).replace('lag: 1 month', 'lag: 2 months, missing: LAST_KNOWN'))
    expect((await ask('?period=2024-Q2', 'filling')).dataVersion).toBe('PRELIMINARY')
    for (const version of ['PRELIMINARY', 'FINAL', 'REVISED'])
      await absence(`?period=2024-Q2&version=${version}`, 'filling')
  })

  test('C26: the data version of mixed inputs is the weakest: PRELIMINARY, else REVISED, else FINAL, bases too', async () => {
    const mixed = [
      ['FINAL', 'FINAL', 'FINAL', 'FINAL'],
      ['FINAL', 'FINAL', 'REVISED', 'REVISED'],
      ['REVISED', 'FINAL', 'FINAL', 'REVISED'],
      ['REVISED', 'FINAL', 'PRELIMINARY', 'PRELIMINARY'],
      ['PRELIMINARY', 'REVISED', 'FINAL', 'PRELIMINARY'],
    ] as const
    for (const [i, [base, one, two, whole]] of mixed.entries()) {
      const row = (series: string, period: string, version: string) =>
        `CUSTOM/m${i}-${series},${period},100,${version},2024-05-01\n`
      await tenant.import(
        `series,period,value,version,published\n${row('a', '2023-12', base)}${row('a', '2024-03', one)}${row('b', '2023-12', 'FINAL')}${row('b', '2024-03', two)}`,
      )
      await tenant.apply(`slug: mixed-${i}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs:
  a: { series: CUSTOM/m${i}-a, weight: 0.5, base: 2023-12, lag: 1 month }
  b: { series: CUSTOM/m${i}-b, weight: 0.5, base: 2023-12, lag: 1 month }
clause: {}`)
      expect((await ask('', `mixed-${i}`)).dataVersion, mixed[i]!.join()).toBe(whole)
    }
  })

  test('C26: an estimated or substituted input counts as PRELIMINARY', async () => {
    await tenant.importValues('CUSTOM/gap', { '2023-12': '100', '2024-02': '101' }, '2024-03-01')
    await tenant.apply(
      steelDocument({ slug: 'gap' })
        .replace('CUSTOM/steel', 'CUSTOM/gap')
        .replace('lag: 1 month', 'lag: 1 month, missing: LAST_KNOWN'),
    )
    expect(await ask('?period=2024-Q2', 'gap')).toMatchObject({
      dataVersion: 'PRELIMINARY',
      components: [{ change: 1 }],
    })
  })

  test('C12: a withdrawn value is missing for formulas, from its withdrawal on', async () => {
    await tenant.importValues('CUSTOM/taken', { '2023-12': '100', '2024-03': '110' }, '2024-04-05')
    await tenant.apply(steelDocument({ slug: 'taken' }).replace('CUSTOM/steel', 'CUSTOM/taken'))
    expect(await ask('', 'taken')).toMatchObject({ period: '2024-Q2', adjustmentPct: 5 })
    await tenant.withdraw('CUSTOM/taken', ['2024-03'], '2024-06-01')
    expect(await absence('?period=2024-Q2', 'taken')).toMatch(/2024-03/)
    expect(await ask('?period=2024-Q2&asOf=2024-05-31', 'taken')).toMatchObject({ adjustmentPct: 5 })
    expect(await tenant.json('/pams/taken/values')).toEqual({ data: [] })
    await absence('?period=2024-Q2&version=FINAL', 'taken')
  })

  test('C8: with knownAt the same request gives the same bytes after a revision, a new formula and a restart', async () => {
    await tenant.importValues('CUSTOM/later', { '2023-12': '100', '2024-03': '110', '2024-06': '120' }, '2024-07-05')
    const document = steelDocument({ slug: 'later' }).replace('CUSTOM/steel', 'CUSTOM/later')
    await tenant.apply(document)
    const at = new Date().toISOString()
    const queries = [
      '/adjustment',
      '/adjustment?period=2024-Q2',
      '/adjustment?version=FINAL',
      '/adjustment?view=calculation',
      '/adjustment/receipt',
      '/values',
      '/adjustment?asOf=2024-07-31',
    ]
    const answers = async () => {
      const replies = []
      for (const path of queries)
        replies.push(await tenant.get(`/pams/later${path}${path.includes('?') ? '&' : '?'}knownAt=${at}`))
      return replies.map(({ status, text, headers }) => [status, text, headers.etag])
    }
    const once = await answers()
    expect(once.map(([status]) => status)).toEqual(queries.map(() => 200))
    await tenant.import(
      'series,period,value,published,name\nCUSTOM/later,2024-03,150,2024-06-01,Renamed\nCUSTOM/later,2024-09,160,2024-10-01,Renamed\n',
    )
    expect(await answers()).toEqual(once)
    await tenant.apply(document.replace('weight: 0.5', 'weight: 0.25').replace('fixed: 0.5', 'fixed: 0.75'))
    await tenant.signBoth('later', '2024-Q2')
    await tenant.apply(document.replace('status: ACTIVE', 'status: ARCHIVED'))
    expect(await answers()).toEqual(once)
    await api.restart()
    expect(await answers()).toEqual(once)
    expect((await ask('', 'later')).components[0]!.series).toBe('Renamed')
  })
})

describe('the calculation and the receipt', () => {
  test('C32: the calculation has an address of its own, with the same bytes', async () => {
    await yearly('apart', ['114.5', '130'], '{ fixed: 0.5, cap: { periodPct: 5 } }')
    for (const query of [
      'period=2021',
      'date=2021-05-05',
      'period=2021&asOf=2026-06-01',
      'period=2021&version=FINAL',
    ]) {
      const viewed = await tenant.get(`/pams/apart/adjustment?${query}&view=calculation`)
      expect(viewed.status, viewed.text).toBe(200)
      expect((await tenant.get(`/pams/apart/adjustment/calculation?${query}`)).text).toBe(viewed.text)
    }
    expect((await tenant.get('/pams/apart/adjustment/calculation?view=calculation')).status).toBe(400)
    expect((await tenant.get('/pams/apart/adjustment/calculation?period=2021&date=2021-05-05')).status).toBe(400)
    expect((await tenant.get('/pams/none/adjustment/calculation')).status).toBe(404)
  })

  test('C32: view=calculation has the shape of adjustment --json, with price, steps, observations and controls', async () => {
    await yearly('priced', ['114.5', '130'], '{ fixed: 0.5, cap: { periodPct: 5 } }')
    const { status, text } = await tenant.get('/pams/priced/adjustment?period=2021&view=calculation')
    expect(status).toBe(200)
    expect(problemsOf('calculation', text)).toEqual([])
    const calculation = JSON.parse(text) as { adjustments: readonly object[] }
    const seriesId = await tenant.seriesId('CUSTOM/priced')
    expect(calculation).toMatchObject({ pam: 'priced', formulaVersion: 1, blocked: [] })
    expect(calculation.adjustments).toMatchObject([
      {
        period: '2021',
        adjustmentDate: '2021-01-01',
        adjustmentPct: '5',
        cumulativePct: '5',
        formulaVersion: 1,
        dataVersion: 'FINAL',
        price: '13.02',
        currency: 'EUR',
        unit: '',
        per: '1',
        confirmed: { buyer: null, supplier: null },
        components: [
          { input: 'index', series: 'CUSTOM/priced', seriesId, weight: '0.50', change: '14.5', contribution: '7.25' },
        ],
        observations: [
          {
            input: 'index',
            series: 'CUSTOM/priced',
            seriesId,
            period: '2021',
            value: '114.5',
            version: 'FINAL',
            published: '2026-01-01',
          },
        ],
        controls: [{ control: 'periodCap', points: '-2.25' }],
      },
    ])
    const usual = await textOf('?period=2021', 'priced')
    expect(problemsOf('adjustment', usual)).toEqual([])
  })

  test('C32: the receipt recomputes offline to the same numbers and hash, and carries our seal', async () => {
    for (const query of [
      '',
      '?period=2024-Q2',
      '?period=2024-Q3&version=FINAL',
      '?asOf=2024-07-31',
      '?date=2024-05-01&version=PRELIMINARY',
    ]) {
      const { status, text } = await tenant.get(`/pams/steel/adjustment/receipt${query}`)
      expect(status, query).toBe(200)
      expect(problemsOf('receipt', text), query).toEqual([])
      const receipt = JSON.parse(text) as Receipt
      const { problems, compiler, trust } = await judge(receipt, [new Seal(api.ring).publicKey])
      expect([problems, trust], query).toEqual([[], 'trusted'])
      expect(compiler, query).toEqual({
        writesSameSteps: true,
        givesSameNumber: true,
        difference: null,
        lacksLast: false,
      })
      const { period, adjustmentPct, cumulativeAdjustmentPct } = await ask(query)
      expect(
        [receipt.body.period, receipt.body.result.adjustmentPct, receipt.body.result.cumulativePct],
        query,
      ).toEqual([period, `${adjustmentPct}`, `${cumulativeAdjustmentPct}`])
    }
  })

  test('C28: the hash leaves out the requested cuts and the time of issue', async () => {
    const hash = async (query: string) => (await tenant.json<Receipt>(`/pams/steel/adjustment/receipt${query}`)).hash
    const plain = await hash('?period=2024-Q2')
    expect(await hash('?period=2024-Q2&asOf=2024-06-01')).toBe(plain)
    expect(await hash(`?period=2024-Q2&knownAt=${new Date().toISOString()}`)).toBe(plain)
    expect(await hash('?date=2024-05-01')).toBe(plain)
    expect(await hash('?period=2024-Q2&asOf=2024-04-30')).not.toBe(plain)
  })

  test('C28: the same number gives the same bytes, whatever cuts were requested', async () => {
    const text = async (query: string) => (await tenant.get(`/pams/steel/adjustment/receipt${query}`)).text
    const plain = await text('?period=2024-Q2')
    expect(Object.keys(JSON.parse(plain) as object)).toEqual(['hash', 'body', 'signatures', 'seal'])
    for (const query of ['?period=2024-Q2&asOf=2024-06-01', '?date=2024-05-01', '?period=2024-Q2'])
      expect(await text(query), query).toBe(plain)
    await api.restart()
    expect(await text('?period=2024-Q2')).toBe(plain)
  })

  test('C32: the receipt takes the same parameters and refuses the same things, view aside', async () => {
    for (const query of ['?period=2024-04', '?period=2025-Q1', '?period=2024-Q2&version=REVISED']) {
      const receipt = await tenant.get(`/pams/steel/adjustment/receipt${query}`)
      expect([receipt.status, receipt.text], query).toEqual([404, await textOf(query)])
    }
    expect((await tenant.get('/pams/steel/adjustment/receipt?view=calculation')).status).toBe(400)
  })
})
