// Where figures come from (T23): what a workspace uploaded says by whom, when and from which file, on every page that shows
// it, and is never filed under the provider whose code it was given.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { parsePeriod } from '../../src/core/time/period.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import type { AdjustmentPage, SearchHits } from '../../src/views/shapes/agreements.ts'
import type { SeriesPage, SeriesRow, UploadResult } from '../../src/views/shapes/series.ts'
import { follow } from '../support/houses/api.ts'
import { linesOf, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'

let seats: Seats
const console = consoleHouse()
beforeAll(async () => {
  seats = await makeSeats(console.api)
})

const table = (value: string) => `series,period,value,published
BLS/WPU101,2023-12,100.00,2024-01-15
BLS/WPU101,2024-03,${value},2024-04-15
`
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

async function upload(file: string, text: string): Promise<void> {
  const reply = await seats.as.editor.upload(`/series/upload?file=${encodeURIComponent(file)}&mode=import`, text)
  const result = linesOf<UploadResult>(reply).at(-1)!
  expect(result.problems).toEqual([])
}

const document = (slug: string, series: string) => `slug: ${slug}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-12-31, frequency: QUARTERLY }
inputs: { index: { series: ${series}, weight: 1, base: 2023-12, lag: 1 month } }
clause: {}
parties: { supplier: [sam@supplier.test] }
`

const pageOf = async (code: string) => {
  const rows = await seats.as.viewer.json<readonly SeriesRow[]>('/series')
  const row = rows.find(each => each.code === code)!
  return seats.as.viewer.json<SeriesPage>(`/series/${row.id}`)
}

describe('figures that were uploaded under a provider’s code', () => {
  beforeAll(async () => {
    await upload('prices.csv', table('110.00'))
    await upload('prices, corrected.csv', table('112.00').replace('2024-04-15', '2024-05-15'))
    await seats.tenant.apply(document('steel', 'BLS/WPU101'))
  })

  test('are the workspace’s own, and each says by whom, when and from which file it was uploaded', async () => {
    const { series, source, uploads, vintages } = await pageOf('WPU101')
    expect([series.isFollowed, source]).toEqual([false, null])
    expect(uploads).toEqual([
      {
        by: 'eva',
        at: expect.any(String),
        file: 'prices, corrected.csv',
        sha256: sha256Of(table('112.00').replace('2024-04-15', '2024-05-15')),
      },
      { by: 'eva', at: expect.any(String), file: 'prices.csv', sha256: sha256Of(table('110.00')) },
    ])
    const fileOf = (i: number) => uploads.find(({ at }) => at === vintages.recordedAt[i])?.file
    expect(vintages.value.map((value, i) => [value, fileOf(i)])).toEqual([
      ['100.00', 'prices.csv'],
      ['110.00', 'prices.csv'],
      ['112.00', 'prices, corrected.csv'],
    ])
    const { series: found } = await seats.as.viewer.json<SearchHits>('/find?q=wpu101')
    expect(found).toMatchObject([{ code: 'WPU101', isFollowed: false }])
  })

  test('say so in an adjustment, also to a supplier, and in one that was signed', async () => {
    const path = '/agreements/steel/periods/2024-Q2'
    for (const role of ['viewer', 'supplier'] as const) {
      const { observations } = await seats.as[role].json<AdjustmentPage>(path)
      expect(observations.map(({ value, origin }) => [value, origin])).toEqual([
        ['100.00', { upload: expect.objectContaining({ by: 'eva', file: 'prices.csv' }) }],
        ['112.00', { upload: expect.objectContaining({ by: 'eva', file: 'prices, corrected.csv' }) }],
      ])
    }
    await seats.tenant.signBoth('steel', '2024-Q2')
    const { observations, isFromReceipt } = await seats.as.viewer.json<AdjustmentPage>(path)
    expect([isFromReceipt, observations[0]!.origin]).toEqual([
      true,
      { upload: expect.objectContaining({ file: 'prices.csv', sha256: sha256Of(table('110.00')) }) },
    ])
  })

  test('imported at the machine itself are the operator’s', async () => {
    await seats.tenant.import('series,period,value,published\nCUSTOM/own,2024-01,5,2024-02-01\n')
    expect((await pageOf('own')).uploads).toMatchObject([{ by: 'the operator', file: 'table.csv' }])
  })
})

test('figures that were read from their provider say that, and have no file', async () => {
  const { sql } = console.api
  const id = await makeSeries(sql, publicScope, 'read')
  const rows = [
    ['2023-12', '100'],
    ['2024-03', '110'],
  ].map(([period, value]) => ({ period: parsePeriod(period!)!.ordinal, value: value! }))
  await publishRows(sql, publicScope, id, rows)
  await follow(sql, seats.tenant.id, id)
  await seats.tenant.apply(document('followed', 'CUSTOM/read'))
  const { series, uploads } = await pageOf('read')
  expect([series.isFollowed, uploads]).toEqual([true, []])
  const { observations } = await seats.as.viewer.json<AdjustmentPage>('/agreements/followed/periods/2024-Q2')
  expect(observations.map(({ origin }) => origin)).toEqual([{ provider: 'CUSTOM' }, { provider: 'CUSTOM' }])
})
