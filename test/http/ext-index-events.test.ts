// `GET /ext/v1/index-events` and kind `index-event` in `/changes`: told to those who read such a series.
import { beforeAll, expect, test } from 'vitest'
import type { IndexEvent } from '../../src/core/index-changes/index-event.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { addIndexEvent } from '../../src/storage/series/index-events.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { makeSeries } from '../support/houses/workspace.ts'

type Events = ExtWire<'IndexEventList'>
type Changes = ExtWire<'ChangeList'>

const { api, tenant } = house()
let other: Tenant
let cursor: string
let cursorOfOther: string

const event = (id: string, given: Partial<IndexEvent> = {}): IndexEvent => ({
  id,
  provider: 'BOJ',
  codes: 'PR01/HOUSE15_*',
  kind: 'SUPERSEDED',
  day: '2022-06-10',
  successor: 'PR01/HOUSE20_*',
  sentence: 'It moved to another base.',
  coefficient: { direction: 'NEW_TO_OLD', digits: '1.0820' },
  source: 'BOJ',
  ...given,
})

beforeAll(async () => {
  other = await api.tenant()
  for (const own of [tenant, other]) await makeSeries(api.sql, own.id, 'PR01/HOUSE15_2200', 'BOJ')
  await tenant.apply(`
slug: pumps
contract: { start: 2024-01-01, frequency: QUARTERLY }
inputs: { a: { series: BOJ/PR01/HOUSE15_2200, weight: 1, base: { value: 100 } } }
clause: {}
`)
  cursor = (await tenant.extJson<Changes>('/changes')).pagination.nextCursor
  cursorOfOther = (await other.extJson<Changes>('/changes')).pagination.nextCursor
  await addIndexEvent(api.sql, event('house-cgpi-2020'), 'ann@installation.test')
  await addIndexEvent(
    api.sql,
    event('house-elsewhere', { codes: 'PR02/HOUSE_*', day: '2024-06-25' }),
    'ann@installation.test',
  )
})

test('events are listed with the series and agreements of the workspace that they are about', async () => {
  const { data } = await tenant.extJson<Events>('/index-events?series=BOJ/PR01/HOUSE15_2200')
  expect(data).toMatchObject([
    {
      id: 'house-cgpi-2020',
      provider: 'BOJ',
      codes: 'PR01/HOUSE15_*',
      kind: 'SUPERSEDED',
      day: '2022-06-10',
      coefficient: { direction: 'NEW_TO_OLD', digits: '1.0820' },
      successor: 'PR01/HOUSE20_*',
      series: ['BOJ/PR01/HOUSE15_2200'],
      pams: ['pumps'],
    },
  ])
  const ids = async (query: string) => (await tenant.extJson<Events>(`/index-events?${query}`)).data.map(({ id }) => id)
  expect((await ids('provider=BOJ')).filter(id => id.startsWith('house-'))).toEqual([
    'house-elsewhere',
    'house-cgpi-2020',
  ])
  expect(await ids('provider=BOJ&knownAt=2020-01-01')).toEqual([])
  expect((await tenant.ext('/index-events?series=BOJ/unknown')).status).toBe(404)
})

test('a page after another goes on where that ended', async () => {
  const one = await tenant.extJson<Events>('/index-events?provider=BOJ&limit=1')
  expect(one.pagination.hasMore).toBe(true)
  const two = await tenant.extJson<Events>(`/index-events?provider=BOJ&limit=1&cursor=${one.pagination.nextCursor}`)
  expect(two.data.map(({ id }) => id)).not.toEqual(one.data.map(({ id }) => id))
})

test('in /changes it is told where an agreement reads such a series, and nowhere else', async () => {
  const { data } = await tenant.extJson<Changes>(`/changes?cursor=${cursor}`)
  expect(data).toMatchObject([{ kind: 'index-event', subject: 'house-cgpi-2020', pams: ['pumps'] }])
  expect((await other.extJson<Changes>(`/changes?cursor=${cursorOfOther}`)).data).toEqual([])
})
