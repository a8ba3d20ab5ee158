// Answers from memory that are never stale: after publications of every kind, in two servers, while no notifications
// arrive from the database, and under more requests at once than can be answered (T17).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appending } from '../../src/storage/log/append.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { type Api, eventually, follow, openApi, type Tenant } from '../support/houses/api.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { insertSeries, makeSeries, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

interface Adjustment {
  readonly adjustmentPct: number
  readonly components: readonly { readonly series: string; readonly change: number }[]
}

let database: TestDatabase
let api: Api
let second: Api
beforeAll(async () => {
  database = await openTestDatabase()
  api = await openApi(database)
  second = await openApi({ ...database, close: async () => {} })
})
afterAll(async () => {
  await second.close()
  await api.close()
})

const contract = 'contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }'
const month = (text: string) => {
  const [year, number] = text.split('-').map(part => Number.parseInt(part, 10))
  return year! * 12 + number! - 1
}

interface Listed {
  readonly data: readonly { readonly id: string; readonly name: string }[]
  readonly pagination: { readonly nextCursor: string | null }
}

describe('a walk through a list', () => {
  /** Forty of its own series, six that it follows, nine formulas. */
  async function fillLists(): Promise<{ readonly who: Tenant; readonly strangers: readonly string[] }> {
    const who = await api.tenant()
    const own = Array.from({ length: 40 }, (_, i) => `CUSTOM/own-${i},2023-12,100,Own ${i}\n`)
    await who.import(`series,period,value,name\n${own.join('')}`)
    const shared = Array.from({ length: 12 }, () => makeIdentifier('ser'))
    await appending(database.sql, publicScope, async (tx, log) => {
      for (const [i, id] of shared.entries()) await insertSeries(tx, log, id, `${who.id} ${i}`)
    })
    for (const id of shared.slice(0, 6)) await follow(database.sql, who.id, id)
    await who.import(steelTable)
    for (let i = 0; i < 8; i++) await who.applyUnheard(steelDocument({ slug: `walked-${i}` }))
    await who.apply(steelDocument({ slug: 'walked-8' }))
    return { who, strangers: shared.slice(6) }
  }

  test.each([
    ['/pams', 2],
    ['/series', 5],
  ] as const)(
    '%s is of one moment, whether its pages come after a start, from memory or after changes, at two servers',
    async (list, limit) => {
      const { who, strangers } = await fillLists()
      const servers = [who, who.at(second)]
      const changes: readonly ((turn: number) => Promise<unknown>)[] = [
        turn => who.importUnheard(`series,period,value,name\nCUSTOM/new-${turn},2024-01,1,New ${turn}\n`),
        turn => who.importUnheard(`series,period,value,name\nCUSTOM/own-${turn + 20},2024-01,1,Renamed ${turn}\n`),
        turn => who.applyUnheard(steelDocument({ slug: `new-${turn}` })),
        turn => who.applyUnheard(steelDocument({ slug: `walked-${turn % 9}`, status: 'SUSPENDED' })),
        turn => follow(database.sql, who.id, strangers[turn % strangers.length]!),
      ]
      const isWhole = ({ data }: Listed) => data.length === 47
      for (const each of servers) await eventually(() => each.json<Listed>('/series?limit=200'), isWhole)
      const expected = (await who.json<Listed>(`${list}?limit=100`)).data
      const walked: Listed['data'][number][] = []
      let cursor: string | null = null
      for (let turn = 0; turn === 0 || cursor !== null; turn++) {
        const asked = servers[turn % 2]!
        if (turn % 3 === 1) await asked.api.restart()
        const page: Listed = await asked.json(`${list}?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
        walked.push(...page.data)
        cursor = page.pagination.nextCursor
        await changes[turn % changes.length]!(turn)
      }
      expect(walked).toEqual(expected)
    },
  )
})

describe('what is cached', () => {
  test('follows every series a formula reads: its own, those it is linked to, converted by and falls back on', async () => {
    const who = await api.tenant()
    const monthly = { '2023-12': '100', '2024-03': '110' }
    for (const code of ['main', 'old', 'fx']) await who.importValues(`CUSTOM/${code}`, monthly, '2024-04-05')
    await who.importValues('CUSTOM/spare', { '2023-12': '100', '2024-03': '130' }, '2024-04-05')
    await who.importValues('CUSTOM/gap', { '2023-12': '100' }, '2024-04-05')
    await who.apply(`slug: reads
status: ACTIVE
${contract}
inputs:
  linked: { series: CUSTOM/main, weight: 0.4, base: 2023-12, lag: 1 month, links: [{ series: CUSTOM/old, until: 2023-12, coefficient: 1 }] }
  changed: { series: CUSTOM/main, weight: 0.3, base: 2023-12, lag: 1 month, convert: { fx: CUSTOM/fx, operation: MULTIPLY } }
  spared: { series: CUSTOM/gap, weight: 0.3, base: 2023-12, lag: 1 month, missing: { fallback: CUSTOM/spare } }
clause: {}`)
    const ask = async () => (await who.json<Adjustment>('/pams/reads/adjustment')).adjustmentPct
    let known = await ask()
    for (const [code, period, value] of [
      ['main', '2024-03', '121'],
      ['old', '2023-12', '122'],
      ['fx', '2024-03', '123'],
      ['spare', '2024-03', '124'],
      ['gap', '2024-03', '125'],
    ] as const) {
      await who.importValues(`CUSTOM/${code}`, { [period]: value }, '2024-05-05')
      const now = await eventually(ask, value => value !== known)
      expect(now, code).not.toBe(known)
      known = now
    }
  })

  test('shows a series that a formula names by its id under its name', async () => {
    const who = await api.tenant()
    await who.import(steelTable)
    const id = await who.seriesId('CUSTOM/steel')
    await who.apply(steelDocument().replace('CUSTOM/steel', id))
    expect((await who.json<Adjustment>('/pams/steel/adjustment?period=2024-Q2')).components).toEqual([
      { series: 'Steel billets', weight: 0.5, change: 10 },
    ])
    expect((await who.get('/pams/steel/adjustment/receipt')).status).toBe(200)
  })

  test('follows a public series in every workspace that reads it', async () => {
    const id = await makeSeries(api.sql, publicScope, 'shared')
    await publishRows(api.sql, publicScope, id, [
      { period: month('2023-12'), value: '100', publishedAt: '2024-01-05T00:00:00.000000Z' },
      { period: month('2024-03'), value: '110', publishedAt: '2024-04-05T00:00:00.000000Z' },
    ])
    const readers = [await api.tenant(), await api.tenant()]
    for (const who of readers) {
      await follow(api.sql, who.id, id)
      await who.apply(steelDocument().replace('CUSTOM/steel', 'CUSTOM/shared'))
      expect((await who.json<Adjustment>('/pams/steel/adjustment')).adjustmentPct).toBe(5)
    }
    await publishRows(api.sql, publicScope, id, [
      { period: month('2024-03'), value: '130', publishedAt: '2024-05-05T00:00:00.000000Z' },
    ])
    for (const who of readers) {
      const ask = async () => (await who.json<Adjustment>('/pams/steel/adjustment')).adjustmentPct
      expect(await eventually(ask, value => value === 15)).toBe(15)
    }
  })

  test('is the same in two servers, whichever writes', async () => {
    const who = await api.tenant()
    const there = who.at(second)
    await who.import(steelTable)
    await who.apply(steelDocument())
    await who.sign('steel', '2024-Q2', 'buyer')
    for (const path of [
      '/series',
      '/pams',
      '/pams/steel',
      '/pams/steel/values',
      '/pams/steel/adjustment?period=2024-Q2',
    ]) {
      const here = (await who.get(path)).text
      expect(
        (
          await eventually(
            () => there.get(path),
            ({ text }) => text === here,
          )
        ).text,
        path,
      ).toBe(here)
    }
    await there.importValues('CUSTOM/steel', { '2024-03': '140' }, '2024-06-05')
    const seen = await eventually(
      () => who.json<Adjustment>('/pams/steel/adjustment?period=2024-Q2'),
      each => each.adjustmentPct === 20,
    )
    expect(seen.adjustmentPct).toBe(20)
  })

  test('is read from the database while its notifications do not arrive, so that what was acknowledged is seen at once', async () => {
    const who = await api.tenant()
    await who.importValues('CUSTOM/x', { '2024-01': '0' }, '2020-01-01')
    const path = `/series/${await who.seriesId('CUSTOM/x')}/values`
    api.log.length = 0
    const isLost = () => api.log.some(line => line.includes('the database is queried before every answer'))
    const isBack = () => api.log.some(line => line.includes('listening to the database again'))
    // The servers cannot listen again before it is allowed, and so every round below is one without notices.
    const beside = await openTestDatabase()
    const [{ name } = { name: '' }] = await database.owner<{ name: string }[]>`select current_database() as name`
    await beside.owner`update pg_database set datallowconn = false where datname = ${name}`
    await database.owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'assize listener' and datname = current_database()`
    expect(
      await eventually(
        async () => isLost(),
        lost => lost,
      ),
    ).toBe(true)
    for (let round = 1; round <= 5; round++) {
      await who.importUnheard(`series,period,value,published\nCUSTOM/x,2024-01,${round},2021-01-0${round}\n`)
      expect((await who.get(path)).text, `round ${round}`).toContain(`"value":"${round}"`)
    }
    expect(isBack()).toBe(false)
    await beside.owner`update pg_database set datallowconn = true where datname = ${name}`
    await beside.close()
    expect(
      await eventually(
        async () => isBack(),
        back => back,
      ),
    ).toBe(true)
    await who.importValues('CUSTOM/x', { '2024-01': '99' }, '2022-01-01')
    expect((await who.get(path)).text).toContain('"value":"99"')
  })
})

describe('more requests than can be answered', () => {
  test('T17: are asked to try again, health is answered, and afterwards all is answered', async () => {
    const who: Tenant = await api.tenant()
    const rows = Array.from({ length: 500 }, (_, i) => `CUSTOM/crowd-${i},2024,${i}.5,2024-01-05\n`)
    await who.import(`series,period,value,published\n${rows.join('')}`)
    const ids = await database.owner<{ id: string }[]>`select id from series where owner = ${who.id}`
    await api.restart()
    const [health, ...replies] = await Promise.all([
      api.ask('/v1/health', { from: '127.0.0.9' }),
      ...ids.map(({ id }) => who.get(`/series/${id}/values`)),
    ])
    expect(health.status).toBe(200)
    for (const { status, text, headers } of replies) {
      expect([200, 503]).toContain(status)
      if (status === 200) continue
      expect(problemsOf('error', text)).toEqual([])
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
    }
    for (const { id } of ids.slice(0, 50)) expect((await who.get(`/series/${id}/values`)).status).toBe(200)
  })
})
