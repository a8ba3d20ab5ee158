// What every route of /ext/v1 has in common with v1, and where it differs: prefixes, keys, Basic, methods, CSV, refusals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let ground: TestDatabase
let api: Api
let tenant: Tenant

const table = `series,period,value,published,name,unit
BLS/WPU101,2024-01,319.157,2024-02-14,PPI iron and steel,Index
ECB/RATE,2024-Q1,4.00,2024-04-05,=Rate,
CUSTOM/own,2024-01,1,2024-04-05,Own figures,
`

beforeAll(async () => {
  ground = await openTestDatabase()
  api = await openApi(ground, { env: { ASSIZE_CORS_ORIGINS: 'https://pages.example' } })
  tenant = await api.tenant()
  await tenant.import(table)
})
afterAll(() => api.close())

const basic = (user: string, password = '') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

describe('/ext/v1', () => {
  test('serves the same bytes under both prefixes', async () => {
    const [short, long] = await Promise.all(
      ['/ext/v1/series', '/api/ext/v1/series'].map(path => api.ask(path, { headers: tenant.authorization })),
    )
    expect(short!.status).toBe(200)
    expect(short!.body.equals(long!.body)).toBe(true)
    expect(short!.headers.etag).toBe(long!.headers.etag)
    expect(short!.headers.vary).toBe('Authorization, Accept, Accept-Encoding')
  })

  test('answers with a tag that gives 304, with the limits of v1, and compressed', async () => {
    const { headers } = await tenant.ext('/series')
    expect(headers['ratelimit-policy']).toMatch(/^"default";q=/)
    expect((await tenant.ext('/series', { headers: { 'if-none-match': headers.etag } })).status).toBe(304)
    const packed = await tenant.ext('/series?format=json', { headers: { 'accept-encoding': 'br' } })
    expect(packed.headers['content-encoding'] ?? 'none').toBe(packed.body.length > 1024 ? 'br' : 'none')
    const head = await tenant.ext('/series', { method: 'HEAD' })
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag])
  })

  test('counts against the same limit as v1', async () => {
    const limited = await api.tenant({ rateLimit: 3 })
    expect((await limited.get('/series')).status).toBe(200)
    expect((await limited.ext('/series')).status).toBe(200)
    expect((await limited.ext('/series')).status).toBe(200)
    expect((await limited.ext('/series')).status).toBe(429)
    expect((await limited.get('/series')).status).toBe(429)
  })

  test('refuses unknown and repeated parameters, and a cursor of another request', async () => {
    expect((await tenant.ext('/series?asof=1')).status).toBe(400)
    expect((await tenant.ext('/series?limit=1&limit=2')).text).toBe('{"error":"limit is given more than once"}')
    expect((await tenant.ext('/series?limit=201')).status).toBe(400)
    const { pagination } = await tenant.extJson<ExtWire<'SeriesList'>>('/series?limit=1')
    expect((await tenant.ext(`/series?limit=1&cursor=${pagination.nextCursor}`)).status).toBe(200)
    expect((await tenant.ext(`/series?q=x&cursor=${pagination.nextCursor}`)).status).toBe(400)
    expect((await tenant.get(`/series?cursor=${pagination.nextCursor}`)).status).toBe(400)
    const other = await api.tenant()
    expect((await other.ext(`/series?limit=1&cursor=${pagination.nextCursor}`)).status).toBe(400)
  })

  test('answers what does not exist as v1 does', async () => {
    const [ours, theirs] = await Promise.all([tenant.ext('/nothing'), tenant.get('/nothing')])
    expect([ours.status, ours.text]).toEqual([theirs.status, theirs.text])
    expect((await tenant.ext('/health')).status).toBe(404)
    expect((await api.ask('/ext/v1/health')).status).toBe(401)
  })

  test('accepts only GET, HEAD and OPTIONS', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'QUERY']) {
      const { status, headers, text } = await tenant.ext('/series', { method })
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD'])
      expect(JSON.parse(text)).toEqual({ error: `${method} is not accepted here; this interface only reads` })
    }
    const options = await tenant.ext('/series', { method: 'OPTIONS' })
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD'])
    expect(
      (await tenant.ext('/series', { method: 'GET', body: '{}', headers: { 'content-length': '2' } })).status,
    ).toBe(400)
    const preflight = { origin: 'https://pages.example', 'access-control-request-method': 'QUERY' }
    const allowed = await api.ask('/ext/v1/series', { method: 'OPTIONS', headers: preflight })
    expect([allowed.status, allowed.headers['access-control-allow-methods']]).toEqual([
      204,
      'GET, HEAD, QUERY, POST, OPTIONS',
    ])
  })
})

describe('Basic authentication', () => {
  test('accepts the key as the user name with an empty password, here and not in v1', async () => {
    const ask = (path: string, headers: object) => api.ask(path, { headers: headers as Record<string, string> })
    expect((await ask('/ext/v1/series', basic(tenant.key))).status).toBe(200)
    expect((await ask('/api/ext/v1/series', basic(tenant.key))).status).toBe(200)
    for (const headers of [basic(tenant.key, 'x'), basic('', tenant.key), basic('nobody'), { authorization: 'Basic' }])
      expect((await ask('/ext/v1/series', headers)).status).toBe(401)
    expect((await ask('/v1/series', basic(tenant.key))).status).toBe(401)
  })

  test('is offered in the challenge, which v1 keeps as it is', async () => {
    const [ours, theirs] = await Promise.all([api.ask('/ext/v1/series'), api.ask('/v1/series')])
    expect(ours.headers['www-authenticate']).toBe('Bearer, Basic realm="assize"')
    expect(theirs.headers['www-authenticate']).toBe('Bearer')
    expect(theirs.text).toBe('{"error":"a valid API key is needed: Authorization: Bearer <key>"}')
    expect(ours.text).toBe(
      '{"error":"a valid API key is needed: Authorization: Bearer <key>, or Basic with the key as user name and an empty password"}',
    )
  })
})

describe('a list as CSV', () => {
  test('comes with Accept or format, and format has priority', async () => {
    const csv = { accept: 'text/csv' }
    const type = async (path: string, headers = {}) => (await tenant.ext(path, { headers })).headers['content-type']
    expect(await type('/series', csv)).toBe('text/csv; charset=utf-8')
    expect(await type('/series')).toBe('application/json')
    expect(await type('/series?format=csv')).toBe('text/csv; charset=utf-8')
    expect(await type('/series?format=json', csv)).toBe('application/json')
    expect(await type('/series', { accept: 'text/html' })).toBe('application/json')
    // The second time from memory.
    expect(await type('/series', csv)).toBe('text/csv; charset=utf-8')
    expect(await type('/series')).toBe('application/json')
    expect((await tenant.ext('/series?format=xml')).status).toBe(400)
    expect((await tenant.ext('/series?limit=x', { headers: csv })).headers['content-type']).toBe('application/json')
  })

  test('has the fields as columns and links to the next page with its whole address', async () => {
    const { text, headers } = await tenant.ext('/series?format=csv&limit=1', { headers: { host: 'erp.example:8443' } })
    expect(text.split('\r\n')[0]).toBe(
      'id,series_code,name,provider,data_type,unit,frequency,created_at,series,updated_at',
    )
    expect(headers.link).toMatch(
      /^<http:\/\/erp\.example:8443\/ext\/v1\/series\?format=csv&limit=1&cursor=[\w-]+>; rel="next"$/,
    )
    let address: string | undefined = '/ext/v1/series?format=csv&limit=1'
    const rows: string[] = []
    while (address !== undefined) {
      const reply = await api.ask(address, { headers: tenant.authorization })
      rows.push(...reply.text.split('\r\n').slice(1, -1))
      address = /<http:\/\/[^/]+([^>]+)>/.exec(String(reply.headers.link))?.[1]
    }
    const { data } = await tenant.extJson<ExtWire<'SeriesList'>>('/series')
    expect(rows.map(row => row.split(',')[0])).toEqual(data.map(({ id }) => id))
    expect(rows.join('\n')).toContain(",'=Rate,ECB,")
    const odd = await tenant.ext('/series?format=csv&limit=1', { headers: { host: 'a"<b>' } })
    expect(odd.headers.link).toMatch(/^<\/ext\/v1\/series\?/)
  })
})

describe('GET /series', () => {
  const find = async (query: string) => (await tenant.extJson<ExtWire<'SeriesList'>>(`/series?${query}`)).data

  test('finds a series by what formulas call it, by text, frequency and time', async () => {
    expect((await find('code=BLS/WPU101')).map(each => each.series)).toEqual(['BLS/WPU101'])
    expect(await find('code=BLS/none')).toEqual([])
    expect((await find('q=IRON')).map(each => each.series)).toEqual(['BLS/WPU101'])
    expect((await find('q=wpu')).map(each => each.series)).toEqual(['BLS/WPU101'])
    expect((await find('frequency=QUARTERLY')).map(each => each.series)).toEqual(['ECB/RATE'])
    const { updatedAt } = (await find('code=BLS/WPU101'))[0]!
    expect(await find(`updatedSince=${updatedAt}`)).toEqual([])
    const recordedAt = await tenant.import('series,period,value,published\nBLS/WPU101,2024-02,320.1,2024-03-14\n')
    expect(await find(`updatedSince=${updatedAt}`)).toMatchObject([{ series: 'BLS/WPU101', updatedAt: recordedAt }])
    expect((await tenant.ext('/series?updatedSince=2024-01-01')).status).toBe(400)
  })

  test('has the fields of v1 plus a name and an instant', async () => {
    const { data } = await tenant.json<{ data: { id: string }[] }>('/series')
    const ours = await find('limit=200')
    expect(ours.map(({ series: _series, updatedAt: _updatedAt, ...rest }) => rest)).toEqual(data)
  })
})

describe('a key’s scope', () => {
  test('is accepted by both, whatever it is', async () => {
    for (const scope of ['read', 'money', 'all'] as const) {
      const { key } = await api.issueKey(tenant.id, null, scope, scope)
      const headers = { authorization: `Bearer ${key}` }
      expect((await api.ask('/v1/series', { headers })).status).toBe(200)
      expect((await api.ask('/ext/v1/series', { headers })).status).toBe(200)
    }
  })
})
