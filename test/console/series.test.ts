// The series side of the console as pages read it: the list, sparklines, one series with every vintage, and what a
// supplier sees of them.
import { beforeAll, describe, expect, test } from 'vitest'
import type { SeriesPage, SeriesRow, Sparks } from '../../src/views/shapes/series.ts'
import { type Browser, makeSeats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable, wageTable } from '../support/houses/sample.ts'

let steel: string
let wages: string
const console = consoleHouse()
beforeAll(async () => {
  await console.tenant.import(steelTable)
  await console.tenant.import(wageTable)
  await console.tenant.apply(steelDocument())
  steel = await console.tenant.seriesId('CUSTOM/steel')
  wages = await console.tenant.seriesId('EUROSTAT/lci/Q.DE')
})

const list = (browser: Browser) => browser.json<readonly SeriesRow[]>('/series')
const page = (browser: Browser, id: string) => browser.json<SeriesPage>(`/series/${id}`)

async function row(browser: Browser, code: string): Promise<SeriesRow> {
  const found = (await list(browser)).find(each => each.code === code)
  if (found === undefined) throw new Error(`${code} is not in the list`)
  return found
}

describe('the list of series', () => {
  test('has all of them by provider and code, each with its ends and how many formulas read it', async () => {
    const recordedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(await list(console.as.viewer)).toEqual([
      {
        id: steel,
        provider: 'CUSTOM',
        code: 'steel',
        name: 'Steel billets',
        unit: '2020 = 100',
        dataType: 'PRICE',
        frequency: 'MONTHLY',
        isFollowed: false,
        firstPeriod: '2023-12',
        last: {
          period: '2024-09',
          value: '130.00',
          tag: 'PRELIMINARY',
          publishedAt: '2024-10-11T00:00:00.000000Z',
          recordedAt,
        },
        previousValue: '115.00',
        lastChangedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        lastAskedAt: null,
        trouble: null,
        notice: null,
        alarm: null,
        usedBy: 1,
      },
      expect.objectContaining({
        id: wages,
        provider: 'EUROSTAT',
        code: 'lci/Q.DE',
        isFollowed: false,
        firstPeriod: '2023-Q4',
        last: {
          period: '2024-Q2',
          value: '114.0',
          tag: 'FINAL',
          publishedAt: '2024-09-13T00:00:00.000000Z',
          recordedAt,
        },
        previousValue: '113.10',
        usedBy: 0,
      }),
    ])
  })

  test('follows a publication at once, and a series with a new description', async () => {
    await console.tenant.import('series,period,value,published\nCUSTOM/copper,2024-01,9.10,2024-02-01\n')
    const before = await row(console.as.viewer, 'copper')
    expect(before).toMatchObject({ name: 'copper', last: { value: '9.10' }, previousValue: null })
    await console.tenant.import(
      'series,period,value,published,name\nCUSTOM/copper,2024-02,9.25,2024-03-01,Copper cathodes\n',
    )
    const after = await row(console.as.viewer, 'copper')
    expect(after).toMatchObject({
      name: 'Copper cathodes',
      last: { period: '2024-02', value: '9.25' },
      previousValue: '9.10',
    })
    expect(after.lastChangedAt! > before.lastChangedAt!).toBe(true)
  })

  test('a period that was withdrawn is at neither end', async () => {
    await console.tenant.importValues('CUSTOM/zinc', {
      '2024-01': '1.1',
      '2024-02': '1.2',
      '2024-03': '1.3',
      '2024-04': '1.4',
    })
    await console.tenant.withdraw('CUSTOM/zinc', ['2024-01', '2024-04'], '2024-06-01')
    expect(await row(console.as.viewer, 'zinc')).toMatchObject({
      firstPeriod: '2024-02',
      last: { period: '2024-03', value: '1.3' },
      previousValue: '1.2',
    })
    await console.tenant.withdraw('CUSTOM/zinc', ['2024-02', '2024-03'], '2024-07-01')
    expect(await row(console.as.viewer, 'zinc')).toMatchObject({ firstPeriod: null, last: null, previousValue: null })
  })

  test('is another one in another workspace', async () => {
    const other = await makeSeats(console.api)
    expect(await list(other.as.owner)).toEqual([])
    expect((await console.browser().get('/series')).status).toBe(401)
  })
})

describe('sparklines', () => {
  test('are the newest values of the last 36 periods, the oldest first', async () => {
    const months = Array.from({ length: 40 }, (_, i) => [
      `${2021 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
      `${100 + i}.50`,
    ])
    await console.tenant.importValues('CUSTOM/long', Object.fromEntries(months))
    await console.tenant.importValues('CUSTOM/long', { '2024-04': '999' }, '2024-09-01')
    const long = await console.tenant.seriesId('CUSTOM/long')
    const sparks = await console.as.buyer.json<Sparks>(`/series/sparks?ids=${long},${steel},nobody`)
    expect(Object.keys(sparks).sort()).toEqual([long, steel].sort())
    expect(sparks[steel]).toEqual(['100.00', '110.00', '115.00', '130.00'])
    expect(sparks[long]).toHaveLength(36)
    expect([sparks[long]![0], sparks[long]!.at(-1)]).toEqual(['104.50', '999'])
  })

  test('are refused for more than a hundred series', async () => {
    const ids = Array.from({ length: 101 }, (_, i) => `id${i}`).join(',')
    expect(await console.as.viewer.get(`/series/sparks?ids=${ids}`)).toMatchObject({
      status: 422,
      json: { error: 'ids must name at most 100 series, got 101' },
    })
  })
})

describe('the page of a series', () => {
  test('has every vintage in columns, by period and publication', async () => {
    const { vintages } = await page(console.as.viewer, steel)
    expect(vintages.periods).toEqual(['2023-12', '2024-03', '2024-06', '2024-09'])
    expect(vintages.period).toEqual([0, 1, 1, 2, 2, 2, 3])
    expect(vintages.value).toEqual(['100.00', '110.50', '110.00', '120.00', '114.50', '115.00', '130.00'])
    expect(vintages.tag[5]).toBe('REVISED')
    expect(vintages.flag).toEqual([null, 'P', null, 'P', null, 'R', 'P'])
    expect(vintages.publishedAt.map(each => each.slice(0, 10))).toEqual([
      '2024-01-15',
      '2024-04-11',
      '2024-05-11',
      '2024-07-11',
      '2024-08-11',
      '2024-09-11',
      '2024-10-11',
    ])
    expect(new Set(vintages.recordedAt).size).toBe(1)
  })

  test('shows a withdrawal as a vintage without a value', async () => {
    await console.tenant.importValues('CUSTOM/gone', { '2024-01': '5' })
    await console.tenant.withdraw('CUSTOM/gone', ['2024-01'], '2024-03-01')
    const { vintages } = await page(console.as.viewer, await console.tenant.seriesId('CUSTOM/gone'))
    expect([vintages.value, vintages.tag]).toEqual([
      ['5', null],
      ['FINAL', null],
    ])
  })

  test('says which formulas read it, what it was called before, and that it is the workspace’s own', async () => {
    await console.tenant.import('series,period,value,name,unit\nCUSTOM/iron,2024-01,1.0,Iron,t\n')
    await console.tenant.import('series,period,value,name,unit\nCUSTOM/iron,2024-02,1.0,Pig iron,t\n')
    const iron = await page(console.as.viewer, await console.tenant.seriesId('CUSTOM/iron'))
    expect(iron.metadata.map(({ name, unit }) => `${name} ${unit}`)).toEqual(['Iron t', 'Pig iron t'])
    expect(await page(console.as.viewer, steel)).toMatchObject({
      series: { id: steel, usedBy: 1 },
      source: null,
      agreements: [{ slug: 'steel', name: 'Steel brackets' }],
      quarantine: null,
      decided: null,
      description: '',
    })
  })
})

describe('a supplier', () => {
  const document = (slug: string, series: string, more: string) =>
    steelDocument({ slug, more }).replace('CUSTOM/steel', series)

  test('sees only the series its formulas read; the others do not exist for it', async () => {
    const seats = await makeSeats(console.api)
    const { tenant, as } = seats
    const other = 'parties: { buyer: [ann@buyer.test], supplier: [somebody@else.test] }'
    const named = 'parties: { buyer: [ann@buyer.test], supplier: [SAM@supplier.test] }'
    const months = { '2023-12': '100', '2024-03': '101' }
    for (const code of ['open', 'named', 'others', 'draft', 'unread'])
      await tenant.importValues(`CUSTOM/${code}`, months)
    await tenant.apply(document('for-all', 'CUSTOM/open', ''))
    await tenant.apply(document('for-sam', 'CUSTOM/named', named))
    await tenant.apply(document('for-others', 'CUSTOM/others', other))
    await tenant.apply(document('draft', 'CUSTOM/draft', named).replace('ACTIVE', 'DRAFT'))
    expect((await list(as.supplier)).map(({ code, usedBy }) => [code, usedBy])).toEqual([
      ['named', 1],
      ['open', 1],
    ])
    expect((await list(as.viewer)).map(({ code }) => code)).toEqual(['draft', 'named', 'open', 'others', 'unread'])
    const idOf = (code: string) => tenant.seriesId(`CUSTOM/${code}`)
    expect((await page(as.supplier, await idOf('named'))).agreements).toEqual([
      { slug: 'for-sam', name: 'Steel brackets' },
    ])
    const sparks = await as.supplier.json<Sparks>(`/series/sparks?ids=${await idOf('named')},${await idOf('others')}`)
    expect(Object.keys(sparks)).toEqual([await idOf('named')])
    const absent = await as.supplier.get('/series/ser_00000000000000000000000000')
    expect(absent.status).toBe(404)
    for (const id of [await idOf('others'), await idOf('draft'), await idOf('unread'), steel]) {
      const { status, text } = await as.supplier.get(`/series/${id}`)
      expect([status, text]).toEqual([404, absent.text])
    }
  })

  test('sees no more of a series’ formulas than its own', async () => {
    const { tenant, as } = await makeSeats(console.api)
    await tenant.importValues('CUSTOM/shared', { '2023-12': '100', '2024-03': '101' })
    await tenant.apply(document('mine', 'CUSTOM/shared', ''))
    await tenant.apply(document('theirs', 'CUSTOM/shared', 'parties: { supplier: [somebody@else.test] }'))
    const id = await tenant.seriesId('CUSTOM/shared')
    expect((await page(as.supplier, id)).agreements.map(({ slug }) => slug)).toEqual(['mine'])
    expect((await page(as.buyer, id)).agreements.map(({ slug }) => slug)).toEqual(['mine', 'theirs'])
  })

  test('loses sight of a series when its formula names somebody else', async () => {
    const { tenant, as } = await makeSeats(console.api)
    await tenant.importValues('CUSTOM/once', { '2023-12': '100', '2024-03': '101' })
    await tenant.apply(document('once', 'CUSTOM/once', ''))
    expect(await list(as.supplier)).toHaveLength(1)
    await tenant.apply(document('once', 'CUSTOM/once', 'parties: { supplier: [somebody@else.test] }'))
    expect(await list(as.supplier)).toEqual([])
  })
})

test('adding series and searching are for owners and editors; providers and the quarantine are not for suppliers', async () => {
  const asked = async (browser: Browser) => [
    (await browser.get('/series/search?q=steel')).status,
    (await browser.post('/series/follow', { provider: 'BLS', code: 'X' })).status,
    (await browser.upload('/series/upload?file=a.csv&mode=preview', 'series')).status,
  ]
  for (const role of ['viewer', 'buyer', 'supplier'] as const)
    expect(await asked(console.as[role])).toEqual([403, 403, 403])
  for (const path of ['/providers', '/quarantine']) {
    expect((await console.as.supplier.get(path)).status).toBe(403)
    expect((await console.as.viewer.get(path)).status).toBe(200)
  }
})

test('what is not a series of this workspace is a 404 of the same bytes', async () => {
  const other = await makeSeats(console.api)
  const foreign = await other.as.owner.get(`/series/${steel}`)
  const nonsense = await other.as.owner.get('/series/no-such-thing')
  expect([foreign.status, nonsense.status]).toEqual([404, 404])
  expect(foreign.text).toBe(nonsense.text)
})
