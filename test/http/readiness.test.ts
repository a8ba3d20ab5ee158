// What an operator watches: whether the process is ready, its numbers, and that the dashboard and the alert rules of the
// documentation ask for numbers that exist.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { RedisStandIn } from '../stand-in/redis.ts'
import { openApi, type Tenant } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { freePort } from '../support/run/redis.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../docs/operating/${name}`, import.meta.url))
const rulesFile = fileOf('alert-rules.yaml')

let tenant: Tenant
const api = ownHouse(async () => openApi(await openTestDatabase(), { env: { METRICS_PORT: `${await freePort()}` } }))
beforeAll(async () => {
  tenant = await api.tenant()
})

const seriesId = (name: string) => `ser_${name.padEnd(26, '0')}`
const metrics = async () => (await fetch(api.metricsAddress!)).text()

describe('/ready', () => {
  test('is 200 while the database answers', async () => {
    const { status, text, headers } = await api.ask('/ready')
    expect([status, text]).toEqual([200, '{"status":"ready","database":"embedded"}'])
    expect(headers['cache-control']).toBe('no-store')
    expect(await metrics()).toContain('\nassize_ready 1\n')
  })

  test('is 200 and says where requests are counted while Redis is set and does not answer', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const env = { REDIS_URL: `redis://127.0.0.1:${port}`, METRICS_PORT: `${metricsPort}` }
    const cutOff = await openApi(await openTestDatabase(), { env })
    const states = () => cutOff.log.filter(line => line.includes('Redis: ')).map(line => JSON.parse(line).state)
    const isCutOff = async () =>
      /^assize_limits_cut_off (\d)$/m.exec(await (await fetch(cutOff.metricsAddress!)).text())?.[1]
    const note = 'Redis does not answer: this process counts requests by itself'
    const { status, text } = await cutOff.ask('/ready')
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ready', database: 'embedded', notes: [note] }])
    const asking = await cutOff.tenant({ rateLimit: 3 })
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await asking.get('/series')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect([states(), await isCutOff()]).toEqual([['away'], '1'])
    const redis = await RedisStandIn.open(([command]) => (command === 'EVALSHA' ? [1, 1, 0, 1, 1, 0] : 'OK'), port)
    await expect.poll(isCutOff, { timeout: 30_000 }).toBe('0')
    expect((await cutOff.ask('/ready')).text).toBe('{"status":"ready","database":"embedded"}')
    expect(states()).toEqual(['away', 'back'])
    await cutOff.close()
    redis.close()
  })

  test('is 503 and names the database if it cannot be reached, and 200 when it is back', async () => {
    const ground = await openTestDatabase()
    const alone = await openApi(ground)
    const [{ name } = { name: '' }] = await ground.owner<{ name: string }[]>`select current_database() as name`
    // Nobody is let in, and open connections are closed.
    const admin = await openTestDatabase()
    await admin.owner`update pg_database set datallowconn = false where datname = ${name}`
    await admin.owner`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    const { status, text } = await alone.ask('/ready')
    expect([status, text]).toEqual([503, '{"error":"not ready: the database does not answer"}'])
    expect((await alone.ask('/v1/health')).status).toBe(200)
    await admin.owner`update pg_database set datallowconn = true where datname = ${name}`
    await expect.poll(async () => (await alone.ask('/ready')).status).toBe(200)
    await alone.close()
    await admin.close()
  })
})

describe('the metrics', () => {
  test('count answers by route as it is declared, with the class of the status', async () => {
    await tenant.importValues('CUSTOM/a', { '2024': '1' })
    const id = await tenant.seriesId('CUSTOM/a')
    for (const path of [`/series/${id}/values`, `/series/${id}/values`, '/series/none/values', '/nowhere'])
      await tenant.get(path)
    await api.ask('/v1/series')
    await api.ask('/console/session')
    const text = await metrics()
    for (const line of [
      'assize_requests_total{route="/v1/series/{seriesId}/values",class="2xx",status="200"} 2',
      'assize_requests_total{route="/v1/series/{seriesId}/values",class="4xx",status="404"} 1',
      'assize_requests_total{route="/v1/series",class="4xx",status="401"} 1',
      'assize_requests_total{route="other",class="4xx",status="404"} 1',
      'assize_requests_total{route="/console/session",class="4xx",status="401"} 1',
      'assize_request_seconds_count{route="/v1/series/{seriesId}/values"} 3',
    ])
      expect(text).toContain(line)
    expect(text).not.toContain(id)
    expect(text).toMatch(/assize_pool_transactions_total\{pool="api"\} [1-9]/)
    expect(text).toMatch(/assize_pool_waiting\{pool="api"\} 0/)
  })

  test('say for each provider how old its newest publication is, what is late and what waits for a person', async () => {
    await api.owner.begin(async tx => {
      await tx`select set_config('assize.workspace', 'public', true)`
      for (const [id, provider, answered, changed] of [
        ['m1', 'BLS', '1 hour', '2 hours'],
        ['m2', 'BLS', '3 days', '3 days'],
        ['m3', 'ECB', '1 minute', null],
      ] as const) {
        await tx`insert into series (owner, id, provider, code, created_at)
          values ('public', ${seriesId(id)}, ${provider}, ${id}, now())`
        await tx`insert into series_state (owner, series_id, last_asked_at, last_answered_at, last_changed_at)
          values ('public', ${seriesId(id)}, now(), now() - ${answered}::text::interval, now() - ${changed}::text::interval)`
      }
      await tx`insert into quarantine (owner, id, series_id, found_at, reason, fingerprint, reading)
        values ('public', gen_random_uuid(), ${seriesId('m2')}, now(), 'a test', 'x', '\\x00')`
    })
    const text = await metrics()
    for (const line of [
      'assize_followed_series{provider="BLS"} 2',
      'assize_refreshes_late{provider="BLS"} 1',
      'assize_refreshes_late{provider="ECB"} 0',
      'assize_quarantined_series{provider="BLS"} 1',
      'assize_quarantined_series{provider="ECB"} 0',
    ])
      expect(text).toContain(line)
    expect(text).toMatch(/assize_newest_publication_age_seconds\{provider="BLS"\} 720\d/)
    expect(text).not.toContain('assize_newest_publication_age_seconds{provider="ECB"}')
  })

  test('have every name that the dashboard, the alert rules and the guide mention', async () => {
    await tenant.get('/series')
    const there = new Set((await metrics()).match(/(?<=^# TYPE )assize_\w+/gm))
    const guide = readFileSync(fileURLToPath(new URL('../../docs/OPERATING.md', import.meta.url)), 'utf8')
    for (const text of [
      readFileSync(fileOf('grafana-dashboard.json'), 'utf8'),
      readFileSync(rulesFile, 'utf8'),
      guide,
    ]) {
      // Roles of the database have the same beginning.
      const named = [...new Set(text.match(/\bassize_\w+/g))].filter(name => !/^assize_(?:app|pooled)$/.test(name))
      expect(named.length).toBeGreaterThan(5)
      expect(named.filter(name => !there.has(name.replace(/_bucket$/, '')))).toEqual([])
    }
  })
})

describe('the alert rules', () => {
  test('ask about nothing that the dashboard does not show, and the age of the last backup is among it', () => {
    const namesIn = (file: string) => new Set(readFileSync(fileOf(file), 'utf8').match(/\bassize_\w+/g))
    const asked = namesIn('alert-rules.yaml')
    expect(asked.difference(namesIn('grafana-dashboard.json'))).toEqual(new Set())
    expect(asked).toContain('assize_backup_seconds')
  })

  test('are rules that Prometheus accepts', () => {
    const { groups } = parse(readFileSync(rulesFile, 'utf8')) as {
      groups: { rules: { alert: string; expr: string }[] }[]
    }
    expect(groups.flatMap(({ rules }) => rules).every(({ alert, expr }) => alert !== '' && expr !== '')).toBe(true)
    const checked = spawnSync('promtool', ['check', 'rules', rulesFile], { encoding: 'utf8' })
    if (checked.error !== undefined)
      process.stderr.write('promtool is not installed: the alert rules were only parsed\n')
    else expect([checked.status, checked.stderr]).toEqual([0, ''])
  })
})
