// What a request is answered, and an operator is told, when the database is slow, locked or gone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { freePort } from '../support/run/redis.ts'

interface LoggedLine {
  readonly level: string
  readonly message: string
  readonly requestId?: string
  readonly route?: string
  readonly error?: { readonly code?: string; readonly message?: string }
}

let ground: TestDatabase
let api: Api
let tenant: Tenant
beforeAll(async () => {
  ground = await openTestDatabase()
  api = await openApi(ground, { env: { METRICS_PORT: `${await freePort()}` } })
  tenant = await api.tenant()
  await tenant.importValues('CUSTOM/a', { '2024': '1' })
})
afterAll(() => api.close())

const logged = (): readonly LoggedLine[] => api.log.map(line => JSON.parse(line) as LoggedLine)

describe('a statement that', () => {
  test('took too long says so, and is logged with its route and request', async () => {
    await ground.owner`
      create or replace function assize.settle(given_scope text, at timestamptz, out settled timestamptz, out ahead_ms bigint)
      language plpgsql security definer set search_path = assize, pg_temp as 'begin perform pg_sleep(60); end'`
    const id = await tenant.seriesId('CUSTOM/a')
    const { status, text, headers } = await tenant.get(`/series/${id}/values?knownAt=2025-06-01T00:00:00Z`)
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    expect(text).toContain('took the database too long and was stopped')
    expect(logged()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        route: '/v1/series/{seriesId}/values',
        requestId: headers['x-request-id'],
        message: 'a statement took too long and was stopped by the database',
        error: expect.objectContaining({ code: '57014' }),
      }),
    )
  })

  test('got no lock in time says so, and is logged with its route and request', async () => {
    const other = await api.tenant()
    const locked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const holding = ground.owner.begin(async tx => {
      await tx`lock table assize.series in access exclusive mode`
      locked.resolve()
      await answered.promise
    })
    await locked.promise
    const { status, text, headers } = await other.get('/series')
    answered.resolve()
    await holding
    expect(status).toBe(503)
    expect(text).toContain('is being changed at this moment')
    expect(logged()).toContainEqual(
      expect.objectContaining({ route: '/v1/series', requestId: headers['x-request-id'], level: 'error' }),
    )
  })
})

describe('a database that is gone', () => {
  test('is named in the log with what really went wrong, once, and in the metrics', async () => {
    const [{ name } = { name: '' }] = await ground.owner<{ name: string }[]>`select current_database() as name`
    const admin = await openTestDatabase()
    const before = api.log.length
    try {
      await admin.owner`update pg_database set datallowconn = false where datname = ${name}`
      await admin.owner`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
      const metrics = async () => (await fetch(api.metricsAddress!)).text()
      const told = () =>
        logged()
          .slice(before)
          .filter(({ message }) => message === 'no heartbeat through the database')
      await expect.poll(() => told().some(({ error }) => error?.code === '55000')).toBe(true)
      expect(await metrics()).toContain('assize_not_hearing{reason="away"} 1')
      const asked = await Promise.all(Array.from({ length: 5 }, () => tenant.get('/pams')))
      expect(asked.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
      const errors = told().map(({ error }) => `${error?.code} ${error?.message}`)
      expect(errors).toEqual([...new Set(errors)])
    } finally {
      await admin.owner`update pg_database set datallowconn = true where datname = ${name}`
      await admin.close()
    }
    await expect.poll(async () => (await tenant.get('/pams')).status).toBe(200)
    const isBack = () => logged().some(({ message }) => message === 'listening to the database again')
    await expect.poll(isBack).toBe(true)
  })
})
