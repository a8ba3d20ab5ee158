// What is due over HTTP: /ext/v1/due page by page, the call of the page, and what a supplier sees of both.
import { beforeAll, describe, expect, test } from 'vitest'
import { addMonths, formatDay, parseDay } from '../../src/core/time/day.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import type { DuePage, DueRows } from '../../src/views/shapes/due.ts'
import { consoleHouse } from '../support/houses/house.ts'

type List = ExtWire<'DueList'>

const today = parseDay(new Date().toISOString().slice(0, 10))!
/** Two months ago, so that a date and figures after it lie in the past. */
const start = formatDay(addMonths(today, -2)).replace(/\d\d$/, '01')
const month = (by: number) => formatDay(addMonths(parseDay(start)!, by)).slice(0, 7)

const console = consoleHouse()
const document = (slug: string, supplier: string, input = '') => `
slug: ${slug}
name: Agreement ${slug}
status: ACTIVE
contract: { start: ${start}, frequency: MONTHLY }
inputs:
  x: { series: CUSTOM/due, weight: 1, base: ${month(-1)}, lag: 1 month${input} }
clause: {}
parties: { supplier: [${supplier}] }
`

beforeAll(async () => {
  const { tenant } = console
  await tenant.importValues('CUSTOM/due', { [month(-1)]: '100', [month(0)]: '102' }, start)
  await tenant.apply(document('alpha', 'sam@supplier.test'))
  await tenant.apply(document('beta', 'pat@supplier.test', ', missing: LAST_KNOWN'))
})

const due = (query = '') => console.tenant.extJson<List>(`/due${query}`)
const tell = ({ agreement, period, state }: List['data'][number]) => `${agreement} ${period} ${state}`

describe('GET /due', () => {
  test('lists open dates and those ahead, the nearest first, with what each waits for', async () => {
    const { data } = await due('?within=40d')
    expect(data.map(tell).slice(0, 4)).toEqual([
      `alpha ${month(1)} READY`,
      `beta ${month(1)} READY`,
      `alpha ${month(2)} ${today - parseDay(`${month(2)}-01`)! < 2 ? 'WAITING' : 'LATE'}`,
      `beta ${month(2)} READY`,
    ])
    expect(data[2]).toMatchObject({
      waitsFor: { series: 'CUSTOM/due', period: month(1), stage: null, expectedAt: null, basis: null },
      readyOn: null,
      provisional: false,
    })
    expect(data[3]).toMatchObject({ provisional: true, waitsFor: { period: month(1) }, reason: null })
  })

  test('gives every row once over pages, filters by state and writes CSV', async () => {
    const all = (await due('?within=3m')).data
    const walked: List['data'] = []
    for (let query = '?within=3m&limit=3'; ; ) {
      const { data, pagination } = await due(query)
      walked.push(...data)
      if (pagination.nextCursor === null) break
      query = `?within=3m&limit=3&cursor=${pagination.nextCursor}`
    }
    expect(walked).toEqual(all)
    expect((await due('?within=3m&state=READY')).data).toEqual(all.filter(({ state }) => state === 'READY'))
    const csv = await console.tenant.ext('/due?within=3m&format=csv')
    expect(csv.text.split('\r\n')[0]).toContain('agreement,name,period,date,state')
  })

  test.each(['0d', '401d', '58w', '14m', '30', 'd', '-1d', '1y', '030d', ''])('refuses within=%s', async text => {
    const { status, text: body } = await console.tenant.ext(`/due?within=${text}`)
    expect([status, body]).toEqual([400, expect.stringContaining('1 to 400 days')])
  })

  test.each(['1d', '400d', '57w', '13m'])('takes within=%s', async text => {
    expect((await console.tenant.ext(`/due?within=${text}`)).status).toBe(200)
  })
})

describe('the page of what is due', () => {
  test('counts states, groups releases and gives more rows', async () => {
    const page = await console.as.owner.json<DuePage>('/due')
    expect(page.rows.length).toBe(page.count)
    expect(Object.values(page.counts).reduce((sum, count) => sum + count)).toBe(page.count)
    expect(page.counts.READY).toBeGreaterThanOrEqual(3)
    expect(page.pending).toBe(0)
    const rest = await console.as.owner.json<DueRows>('/due/rows?from=1&state=READY')
    expect(rest.count - rest.rows.length).toBe(1)
    const beta = await console.as.owner.json<DuePage>('/due?q=beta')
    expect(new Set(beta.rows.map(({ slug }) => slug))).toEqual(new Set(['beta']))
  })

  test('shows a supplier its own agreements alone', async () => {
    const page = await console.as.supplier.json<DuePage>('/due')
    expect(new Set(page.rows.map(({ slug }) => slug))).toEqual(new Set(['alpha']))
    expect(page.suppliers).toEqual([])
    for (const { agreements } of page.releases) for (const { slug } of agreements) expect(slug).toBe('alpha')
  })
})
