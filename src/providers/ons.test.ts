import { describe, expect, test } from 'vitest'
import { ons } from './ons.ts'
import type { Answer, ProviderQuery } from './provider.ts'

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: [],
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const read = (body: unknown, more: Partial<Answer> = {}) => ons.read(answer(body, more))

const point = (date: string, value: string, updateDate = '2024-11-15T00:00:00.000Z', sourceDataset = 'MM23') => ({
  date,
  value,
  label: date,
  year: date.slice(0, 4),
  month: '',
  quarter: '',
  sourceDataset,
  updateDate,
})
const description = {
  title: 'CPI INDEX 00: ALL ITEMS 2015=100   ',
  contact: { email: 'jane.doe@example.org', name: 'Jane Doe', telephone: '+44 1633 000000' },
  releaseDate: '2024-11-19T00:00:00.000Z',
  nextRelease: '18 December 2024',
  datasetId: 'MM23',
  cdid: 'D7BT',
  unit: 'Index, base year = 100',
  preUnit: '',
  date: '2024 OCT',
  number: '134.6',
}
const document = (more: object = {}) => ({
  years: [],
  quarters: [],
  months: [],
  description,
  type: 'timeseries',
  ...more,
})
const search = (items: unknown[]) => ({ count: items.length, items })
const query = (codes: readonly string[]): ProviderQuery => ({
  codes,
  from: null,
  changedSince: null,
  today: 20_000,
  key: null,
})

describe('reading ONS', () => {
  test('ONS-1: one document contains up to three series, each with the office’s own figures', () => {
    const { series, problems } = read(
      document({
        years: [point('2023', '128.6')],
        quarters: [point('2024 Q3', '133.7')],
        months: [point('2024 SEP', '133.8'), point('2024 OCT', '134.6')],
      }),
    )
    expect(problems).toEqual([])
    expect(series.map(each => [each.code, each.frequency, each.observations.map(one => one.period)])).toEqual([
      ['D7BT/MM23/A', 'ANNUAL', ['2023']],
      ['D7BT/MM23/Q', 'QUARTERLY', ['2024-Q3']],
      ['D7BT/MM23/M', 'MONTHLY', ['2024-09', '2024-10']],
    ])
    expect(series[0]).toMatchObject({ name: 'CPI INDEX 00: ALL ITEMS 2015=100', unit: 'Index, base year = 100' })
  })

  test.each([
    ['2024-09-29T23:00:00.000Z', '2024-09-30'],
    ['2024-11-15T00:00:00.000Z', '2024-11-15'],
    ['2024-03-30T23:30:00.000Z', '2024-03-30'],
    ['2024-03-31T23:00:00.000Z', '2024-04-01'],
    ['2024-10-26T23:00:00.000Z', '2024-10-27'],
    ['2024-10-27T23:00:00.000Z', '2024-10-27'],
    ['2015-07-14T16:45:07.851Z', '2015-07-14'],
    ['2015-07-08T23:41:11.808Z', '2015-07-09'],
    ['yesterday', null],
  ])('ONS-3: %s is %s in London', (stamp, day) => {
    expect(read(document({ years: [point('2023', '1', stamp)] })).series[0]!.observations[0]!.published).toBe(day)
  })

  test('ONS-4: whatever `nextRelease` looks like, it is not read', () => {
    const odd = document({ years: [point('2023', '1')], description: { ...description, nextRelease: '08-09-2015' } })
    expect(read(odd).problems).toEqual([])
  })

  test('ONS-5, ONS-6: an empty string is missing and "-0.0" is a number', () => {
    const [series] = read(document({ quarters: [point('2014 Q3', ''), point('2015 Q2', '-0.0')] })).series
    expect(series!.missing).toEqual([{ period: '2014-Q3', flag: null, reason: 'marker ""' }])
    expect(series!.observations[0]!.value).toBe('-0.0')
  })

  test('ONS-7: an older document names its data set in its points, in upper case', () => {
    const { datasetId: _absent, ...older } = description
    const old = document({ years: [point('2005', '110', '2015-07-08T23:41:11.808Z', 'am')], description: older })
    expect(read(old).series[0]!.code).toBe('D7BT/AM/A')
    const none = document({ years: [point('2005', '110', '', '')], description: older })
    expect(read(none).problems[0]!.kind).toBe('unreadable')
  })

  test('ONS-10: the number in the description is not an observation', () => {
    expect(read(document()).series).toEqual([])
    expect(read(document()).problems).toEqual([])
  })

  test('ONS-11: the contact person is not in the parsed answer', () => {
    expect(JSON.stringify(read(document({ years: [point('2023', '1')] })))).not.toContain('Doe')
  })

  test('"not found" is an unknown series, as text, web page or JSON', () => {
    expect(read('dataset not found', { status: 404 }).problems[0]!.kind).toBe('unknown-series')
    expect(read('dataset not found').problems[0]!.kind).toBe('unknown-series')
    expect(read('<!DOCTYPE html><html><head><title>404 - Page not found</title></head></html>').problems[0]!.kind).toBe(
      'unknown-series',
    )
    expect(read({ message: '404 - Not Found' }).problems[0]!.kind).toBe('unknown-series')
    expect(read('Too many requests', { status: 429 }).problems[0]!.kind).toBe('rate-limited')
    expect(read({ observations: [{ observation: '105.1' }] }).problems[0]!.kind).toBe('unreadable')
  })

  test('a search result is not a series, and an empty one means an unknown series', () => {
    const item = { uri: '/economy/grossdomesticproductgdp/timeseries/ihyq/qna', cdid: 'IHYQ', dataset_id: 'QNA' }
    expect(read(search([item]), { codes: ['IHYQ/QNA/Q'] })).toEqual({ series: [], problems: [] })
    expect(read(search([item]), { codes: ['IHYQ/UKEA/Q'] }).problems[0]!.kind).toBe('unknown-series')
  })
})

describe('asking ONS', () => {
  test('ONS-1, ONS-2: the three frequencies of one data set are one document, another data set is another', () => {
    const requests = ons.request(query(['D7BT/MM23/M', 'D7BT/MM23/A', 'IHYQ/QNA/Q', 'IHYQ/PN2/Q']))
    expect(requests.map(each => [each.path, each.codes.length])).toEqual([
      ['/data?uri=%2Feconomy%2Finflationandpriceindices%2Ftimeseries%2Fd7bt%2Fmm23', 2],
      ['/search?content_type=timeseries&cdids=IHYQ', 1],
      ['/search?content_type=timeseries&cdids=IHYQ', 1],
    ])
  })

  test('after a search it asks for the document of the right data set', () => {
    const [asked] = ons.request(query(['IHYQ/PN2/Q']))
    const items = ['qna', 'pn2'].map(dataset => ({
      uri: `/economy/grossdomesticproductgdp/timeseries/ihyq/${dataset}`,
      cdid: 'IHYQ',
      dataset_id: dataset.toUpperCase(),
    }))
    const next = ons.next!(asked!, answer(search(items)))
    expect(next).toMatchObject({
      path: '/data?uri=%2Feconomy%2Fgrossdomesticproductgdp%2Ftimeseries%2Fihyq%2Fpn2',
      codes: ['IHYQ/PN2/Q'],
    })
    expect(ons.next!(next!, answer('not found', { status: 404 }))).toBeNull()
    expect(ons.next!(asked!, answer(search([])))).toBeNull()
  })

  test('a document that is not at the address for consumer prices is searched for, once', () => {
    const [asked] = ons.request(query(['D7BT/MM23/M']))
    const after = ons.next!(asked!, answer('<html><title>Not found</title></html>', { status: 404 }))!
    expect(after.path).toBe('/search?content_type=timeseries&cdids=D7BT')
    const elsewhere = { uri: '/economy/other/timeseries/d7bt/mm23', cdid: 'D7BT', dataset_id: 'MM23' }
    expect(ons.next!(after, answer(search([elsewhere])))!.path).toContain('other')
    const same = search([{ ...elsewhere, uri: '/economy/inflationandpriceindices/timeseries/d7bt/mm23' }])
    expect(ons.next!(after, answer(same))).toBeNull()
    expect(read(same, { codes: ['D7BT/MM23/M'] }).problems[0]!.kind).toBe('provider-error')
    expect(ons.next!(asked!, answer(document({ years: [point('2023', '1')] })))).toBeNull()
  })

  test.each(['D7BT', 'D7BT/MM23', 'D7BT/MM23/W', '../MM23/M'])('refuses the code "%s"', code => {
    expect(() => ons.request(query([code]))).toThrow('an ONS code is CDID/data set/letter')
  })
})
