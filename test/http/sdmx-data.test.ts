// `GET /sdmx/v2/data/…`: both clocks, histories, changes and filters, over a real server.
import { beforeAll, describe, expect, test } from 'vitest'
import { house } from '../support/houses/house.ts'
import { fillBrackets } from '../support/houses/priced-tenant.ts'

const firstPrints = `series,period,value,version,published,name,unit
CUSTOM/metal,2023-12,100.0,FINAL,2024-01-15,"=Metal, all",2015=100
CUSTOM/metal,2024-01,101.10,PRELIMINARY,2024-02-15,,
CUSTOM/metal,2024-02,102.25,PRELIMINARY,2024-03-15,,
CUSTOM/EXR.D.USD/EUR,2024-03-01,1.0810,FINAL,2024-03-01,Dollar,USD per EUR
CUSTOM/EXR.D.USD/EUR,2024-03-04,1.0849,FINAL,2024-03-04,,
CUSTOM/wages,2024-H1,55,FINAL,2024-07-15,Wages,index
`
const revised = 'series,period,value,version,published\nCUSTOM/metal,2024-01,101.30,REVISED,2024-04-15\n'

const { api, tenant } = house()
let firstRecorded: string
let revisionRecorded: string
beforeAll(async () => {
  firstRecorded = await tenant.import(firstPrints)
  revisionRecorded = await tenant.import(revised)
  await tenant.withdraw('CUSTOM/metal', ['2024-02'], '2024-05-15T00:00:00.000000Z')
})

const flow = '/sdmx/v2/data/dataflow/ASSIZE/CUSTOM/1.0'
const csv = 'application/vnd.sdmx.data+csv;version=2.0.0'
const ask = (path: string, accept = csv, who = tenant) => api.ask(path, { headers: { ...who.authorization, accept } })

/** Rows as records of the columns. No field in these tests has a comma inside, except the title. */
async function rows(path: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const { status, text } = await ask(path)
  expect([status, text.slice(0, 9)]).toEqual([200, 'STRUCTURE'])
  const [head = '', ...lines] = text.trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map(line => {
    const cells = line.replace(/"[^"]*"/g, title => title.replaceAll(',', '')).split(',')
    return Object.fromEntries(names.map((name, i) => [name, cells[i]!]))
  })
}
const told = async (query: string) =>
  (await rows(`${flow}/${query}`)).map(row => `${row.ACTION} ${row.SERIES} ${row.TIME_PERIOD} ${row.OBS_VALUE}`)

describe('the observations of a dataflow', () => {
  test('come with their digits, both clocks, and a title that no spreadsheet executes', async () => {
    const { headers, text } = await ask(`${flow}/metal.M`)
    expect(headers).toMatchObject({ 'content-type': csv, vary: 'Authorization, Accept, Accept-Encoding' })
    expect(text).toBe(
      `STRUCTURE,STRUCTURE_ID,ACTION,SERIES,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS,VERSION_TAG,PUBLISHED_AT,RECORDED_AT,UNIT,TITLE\r\n` +
        `dataflow,ASSIZE:CUSTOM(1.0),I,metal,M,2023-12,100.0,A,FINAL,2024-01-15T00:00:00.000000Z,${firstRecorded},2015=100,"'=Metal, all"\r\n` +
        `dataflow,ASSIZE:CUSTOM(1.0),I,metal,M,2024-01,101.30,A,REVISED,2024-04-15T00:00:00.000000Z,${revisionRecorded},2015=100,"'=Metal, all"\r\n`,
    )
  })

  test('come of several dataflows in one answer, and in pieces of it', async () => {
    const all = await rows('/sdmx/v2/data/dataflow/ASSIZE/*')
    const own = await rows(flow)
    expect(all.filter(row => row.STRUCTURE_ID === 'ASSIZE:CUSTOM(1.0)').map(row => row.OBS_VALUE)).toEqual(
      own.map(row => row.OBS_VALUE),
    )
    // A component that only some have leaves out the others.
    expect(await rows('/sdmx/v2/data/dataflow/ASSIZE/AGREEMENTS,CUSTOM/1.0?c[FREQ]=S')).toHaveLength(1)
    const pieces = await Promise.all([0, 2, 4].map(offset => rows(`${flow}?offset=${offset}&limit=2`)))
    expect(pieces.flat().map(row => row.OBS_VALUE)).toEqual(own.map(row => row.OBS_VALUE))
    expect(pieces[0]).toHaveLength(2)
  })

  test('are those of v1, of every series', async () => {
    const all = await rows(flow)
    const ids = { metal: 'metal', 'EXR@D@USD$2FEUR': 'EXR.D.USD/EUR', wages: 'wages' }
    for (const [code, name] of Object.entries(ids)) {
      const id = await tenant.seriesId(`CUSTOM/${name}`)
      const { data } = await tenant.json<{ data: { value: string; versionTag: string }[] }>(`/series/${id}/values`)
      const own = all.filter(row => row.SERIES === code)
      expect(own.map(row => [row.OBS_VALUE, row.VERSION_TAG])).toEqual(data.map(v => [v.value, v.versionTag]))
    }
  })

  test('are found by keys, wildcards, alternatives and values of components', async () => {
    expect(await told('EXR@D@USD$2FEUR')).toEqual([
      'I EXR@D@USD$2FEUR 2024-03-01 1.0810',
      'I EXR@D@USD$2FEUR 2024-03-04 1.0849',
    ])
    const wages = ['I wages 2024-S1 55']
    for (const query of ['wages.S', '*.S', '.S', '*.S+A', 'nothing.*,wages', '?c[FREQ]=S', '*?c%5BFREQ%5D=eq:S,A'])
      expect([query, await told(query)]).toEqual([query, wages])
    expect(await told('?c[TITLE]=co:age')).toEqual(wages)
    expect(await told('?c[UNIT]=ne:index&c[FREQ]=M&lastNObservations=1')).toEqual(['I metal 2024-01 101.30'])
  })

  test('are cut by periods of any length, and by how many', async () => {
    expect(await told('metal?startPeriod=2024')).toEqual(['I metal 2024-01 101.30'])
    expect(await told('metal?endPeriod=2023-Q4')).toEqual(['I metal 2023-12 100.0'])
    expect(await told('metal?c[TIME_PERIOD]=ge:2023-12-01+lt:2024-01')).toEqual(['I metal 2023-12 100.0'])
    expect(await told('EXR@D@USD$2FEUR?firstNObservations=1')).toEqual(['I EXR@D@USD$2FEUR 2024-03-01 1.0810'])
    expect(await told('metal?firstNObservations=1&lastNObservations=1')).toHaveLength(2)
    expect(await told('metal?startPeriod=2030')).toEqual([])
  })

  test('are as published by asOf, and as recorded by knownAt', async () => {
    expect(await told('metal?asOf=2024-04-14')).toEqual([
      'I metal 2023-12 100.0',
      'I metal 2024-01 101.10',
      'I metal 2024-02 102.25',
    ])
    expect(await told(`metal?knownAt=${firstRecorded}&startPeriod=2024-01`)).toEqual([
      'I metal 2024-01 101.10',
      'I metal 2024-02 102.25',
    ])
    expect(await told(`metal?knownAt=${revisionRecorded}&asOf=2024-05-20&c[VERSION_TAG]=PRELIMINARY`)).toEqual([
      'I metal 2024-01 101.10',
      'I metal 2024-02 102.25',
    ])
  })
})

describe('changes and histories', () => {
  test('tell what was recorded since as replacements, and withdrawals as deletions that name the key alone', async () => {
    const changed = await rows(`${flow}?updatedAfter=${firstRecorded}`)
    expect(changed.map(row => `${row.ACTION} ${row.TIME_PERIOD} ${row.OBS_VALUE}`)).toEqual([
      'R 2024-01 101.30',
      'D 2024-02 ',
    ])
    const { STRUCTURE, STRUCTURE_ID, ACTION, SERIES, FREQ, TIME_PERIOD, ...others } = changed[1]!
    expect(new Set(Object.values(others))).toEqual(new Set(['']))
    expect(await told(`?updatedAfter=${new Date().toISOString()}`)).toEqual([])
  })

  test('give every vintage, and at both ends of its validity asOf gives exactly that one', async () => {
    const history = await rows(`${flow}/metal?includeHistory=true`)
    expect(history.map(row => `${row.ACTION} ${row.TIME_PERIOD} ${row.OBS_VALUE}`)).toEqual([
      'R 2023-12 100.0',
      'R 2024-01 101.10',
      'R 2024-01 101.30',
      'R 2024-02 102.25',
      'D 2024-02 ',
    ])
    for (const { ACTION, TIME_PERIOD, OBS_VALUE, VALID_FROM, VALID_TO } of history)
      for (const instant of [VALID_FROM!, VALID_TO!].filter(each => each !== '')) {
        const then = await told(`metal?asOf=${instant}&c[TIME_PERIOD]=${TIME_PERIOD}`)
        expect(then).toEqual(ACTION === 'D' ? [] : [`I metal ${TIME_PERIOD} ${OBS_VALUE}`])
      }
  })

  test('come in JSON and XML as one data set for each action and validity', async () => {
    const { text } = await ask(`${flow}/metal?includeHistory=true`, 'application/vnd.sdmx.data+json;version=2.0.0')
    const { dataSets, structures } = (JSON.parse(text) as { data: { dataSets: Set[]; structures: object[] } }).data
    type Set = { action: string; validFrom: string; validTo?: string; series: Record<string, { observations: object }> }
    expect(dataSets.map(each => [each.action, each.validFrom.slice(0, 10), each.validTo?.slice(0, 10)])).toEqual([
      ['Replace', '2024-01-15', undefined],
      ['Replace', '2024-02-15', '2024-04-14'],
      ['Replace', '2024-03-15', '2024-05-14'],
      ['Replace', '2024-04-15', undefined],
      ['Delete', '2024-05-15', undefined],
    ])
    expect(dataSets.at(-1)!.series).toEqual({ '0:0': { observations: { '2': [] } } })
    expect(structures).toMatchObject([{ dataSets: [0, 1, 2, 3, 4] }])
    const xml = (await ask(`${flow}/metal?updatedAfter=${firstRecorded}`, 'application/vnd.sdmx.data+xml')).text
    expect(xml).toContain('ss:action="Delete"><Series SERIES="metal" FREQ="M"><Obs TIME_PERIOD="2024-02"/></Series>')
    expect(xml).toContain('ss:action="Replace"><Series SERIES="metal" FREQ="M" UNIT="2015=100" TITLE="=Metal, all">')
  })
})

describe('agreements', () => {
  test('have factors and prices by the day from which they count, and say who has signed them', async () => {
    const priced = await api.tenant()
    const path = '/sdmx/v2/data/dataflow/ASSIZE/AGREEMENTS'
    const empty = await ask(path, csv, priced)
    expect([empty.status, empty.text.split('\r\n').length]).toEqual([200, 2])
    await fillBrackets(priced)
    const lines = async (key: string) =>
      (await ask(`${path}/1.0/${key}`, csv, priced)).text
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map(line => line.split(',').slice(3, 16).join(','))
    expect((await lines('steel-brackets.FACTOR')).slice(0, 2)).toEqual([
      'steel-brackets,FACTOR,_Z,_Z,2024-01-01,1,A,AGREED,start,2024-03-31,,,',
      'steel-brackets,FACTOR,_Z,_Z,2024-04-01,1.0235,A,AGREED,2024-Q2,2024-06-30,,,',
    ])
    expect((await lines('*.PRICE.BR-100.1000?startPeriod=2024-04'))[0]).toBe(
      'steel-brackets,PRICE,BR-100,1000,2024-04-01,12.18,A,AGREED,2024-Q2,2024-06-30,EUR,1,piece',
    )
    const proposed = await lines('*?c[SIGNED]=OPEN&c[INDICATOR]=FACTOR')
    expect(proposed.length).toBeGreaterThan(0)
    expect(proposed.every(line => line.includes(',P,OPEN,'))).toBe(true)
    const prices = await priced.extJson<{ data: { price: string }[] }>('/pams/steel-brackets/prices')
    expect((await lines('steel-brackets.PRICE')).map(line => line.split(',')[5])).toEqual(prices.data.map(r => r.price))
    expect((await ask(`${path}?asOf=2024-05-01`, csv, priced)).status).toBe(501)
    expect((await ask(`${path}/1.0/nobody`, csv, priced)).status).toBe(404)
    // What another workspace has agreed does not exist here.
    expect((await ask(`${path}/1.0/steel-brackets`)).status).toBe(404)
  })
})
