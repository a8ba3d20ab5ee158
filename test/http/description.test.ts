// The description as it is served, and the real server checked against it: every route with every parameter, every kind
// of refusal, all over HTTP.
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildOpenApi } from '../../src/http/docs/openapi.ts'
import { description } from '../../src/http/v1/description.ts'
import { guide } from '../../src/http/v1/guide.ts'
import { routes } from '../../src/http/v1/routes.ts'
import { Conformance } from '../support/clients/conformance.ts'
import type { Asking, Reply } from '../support/clients/http-client.ts'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

const document = buildOpenApi(description)
const conformance = new Conformance(document)
let ground: TestDatabase
let api: Api
let tenant: Tenant
let steel: string

const table = `series,period,value,version,published,flag,name,unit,dataType
BLS/WPU101,2023-12,319.157,FINAL,2024-05-14T12:30:00Z,,PPI iron and steel,Index 1982=100,INDEX
BLS/WPU101,2024-03,340.260,PRELIMINARY,2024-04-11T12:30:00Z,P,,,
BLS/WPU101,2024-03,339.874,FINAL,2024-08-13,,,,
BLS/WPU101,2024-06,-0.5,REVISED,2024-07-12T12:30:00Z,,,,
BLS/WPU101,2024-09,344.015,FINAL,2024-10-12T12:30:00Z,,,,
ECB/RATE,2024-W05,4.00,FINAL,2024-02-05,,,,
ECB/DAYS,2024-03-15,1.0892,FINAL,2024-03-15,,Euro in dollars,USD,FX
IMF/YEAR,2023,100,FINAL,2024-02-01,,,,
ONS/QUARTER,2024-Q1,133.1,FINAL,2024-05-01,,,,
OECD/HALF,2024-H1,88.20,FINAL,2024-08-01,,,,
`
const clause = `slug: steel-brackets
name: Steel brackets
status: ACTIVE
contract:
  start: 2024-01-01
  frequency: QUARTERLY
  price: { amount: 12.40, currency: USD, round: { dp: 2 } }
inputs:
  steel: { series: BLS/WPU101, weight: 0.60, base: 2023-12, lag: 1 month, missing: LAST_KNOWN }
clause:
  fixed: 0.40
  basis: CHAINED
  cap: { periodPct: 2.5, carryForward: true }
  floor: { periodPct: -5 }
  rounding: { percent: { dp: 2 } }
parties: { supplier: [sam@supplier.test] }
`
const steps = `slug: own-steps
name: Own steps
status: DRAFT
contract: { start: 2024-01-01, end: 2024-12-31, frequency: 4 months }
inputs:
  steel: { series: BLS/WPU101, base: 2023-12, lag: 2 months }
steps:
  - { name: ratio, expr: "steel / steel.base", show: { dp: 3 } }
result: { kind: FACTOR, step: ratio }
`

beforeAll(async () => {
  ground = await openTestDatabase()
  api = await openApi(ground)
  tenant = await api.tenant()
  await tenant.import(table)
  await tenant.apply(clause)
  await tenant.apply(steps)
  await tenant.withdraw('IMF/YEAR', ['2023'], '2024-06-01')
  await tenant.signBoth('steel-brackets', '2024-Q2')
  await tenant.sign('steel-brackets', '2024-Q3', 'buyer')
  steel = await tenant.seriesId('BLS/WPU101')
})
afterAll(() => api.close())

/** Sends a request and returns what in the answer is not as described; `path` is a path of the document. */
async function ask(path: string, actual: string, asking: Asking = {}): Promise<Reply> {
  const reply = await tenant.get(actual, asking)
  expect([actual, conformance.problemsOfReply(path, reply)]).toEqual([actual, []])
  return reply
}

describe('the description', () => {
  test('is served without a key, byte for byte the one that is built', async () => {
    const { status, headers, text } = await api.ask('/openapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(text).toBe(JSON.stringify(document))
  })

  test.each(['/openapi.json', '/docs'])(
    '%s has a tag for each encoding, and is not sent to a client that has it',
    async path => {
      const plain = await api.ask(path)
      const packed = await api.ask(path, { headers: { 'accept-encoding': 'gzip' } })
      const small = await api.ask(path, { headers: { 'accept-encoding': 'gzip, br' } })
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
      expect(brotliDecompressSync(small.body).equals(plain.body)).toBe(true)
      expect(small.body.length).toBeLessThan(40_000)
      expect(new Set([plain, packed, small].map(({ headers }) => headers.etag)).size).toBe(3)
      const again = await api.ask(path, { headers: { 'if-none-match': plain.headers.etag } })
      expect([again.status, again.text]).toEqual([304, ''])
      const head = await api.ask(path, { method: 'HEAD' })
      expect([head.status, head.text, head.headers.etag]).toEqual([200, '', plain.headers.etag])
      const posted = await api.ask(path, { method: 'POST' })
      expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
      expect(Object.keys(JSON.parse(posted.text) as object)).toEqual(['error'])
    },
  )
})

describe('the page', () => {
  test('loads only our own fonts: no address in it leads outside', async () => {
    const { text } = await api.ask('/docs')
    const loaded = [...text.matchAll(/(?:src|href|action|poster|data)="([^"]*)"/g)].map(match => match[1]!)
    expect(loaded.filter(address => !/^(?:#|\/$|(?:\/ext)?\/openapi\.json$|data&#58;|data:)/.test(address))).toEqual([])
    const fonts = [...text.matchAll(/url\("([^"]*)"\)/g)].map(match => match[1]!)
    expect(fonts.filter(address => !/^\/assets\/[\w-]+\.woff2$/.test(address))).toEqual([])
    expect(text).not.toMatch(/@import|url\((?!")|<iframe|<object|<link(?! rel="icon")/)
  })

  test('runs only its own script and uses only its own style', async () => {
    const { text, headers } = await api.ask('/docs')
    const policy = String(headers['content-security-policy'])
    for (const [kind, pattern] of [
      ['style-src', /<style>([\s\S]*?)<\/style>/g],
      ['script-src', /<script>([\s\S]*?)<\/script>/g],
    ] as const) {
      const parts = [...text.matchAll(pattern)].map(match => match[1]!)
      expect(parts).toHaveLength(1)
      const hash = createHash('sha256').update(parts[0]!).digest('base64')
      expect(policy).toContain(`${kind} 'sha256-${hash}'`)
    }
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(text).not.toMatch(/ style="| on[a-z]+="/)
  })

  test('shows every route, parameter and section, and its links lead somewhere', async () => {
    const { text } = await api.ask('/docs')
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(match => match[1]!))
    const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(match => match[1]!)
    expect(anchors.filter(id => !ids.has(id))).toEqual([])
    for (const { id } of guide) expect(ids).toContain(id)
    for (const { path, parameters } of routes) {
      const { operationId } = document.paths[path]!.get
      const section = text.split(`<section id="${operationId}"`)[1]!.split('</section>')[0]!
      for (const name of Object.keys(parameters)) expect(section).toContain(`<code>${name}</code>`)
    }
  })
})

describe('real answers are as described', () => {
  test('the series list, whole and by pages', async () => {
    const whole = await ask('/series', '/series?limit=200')
    expect(JSON.parse(whole.text).data).toHaveLength(6)
    const first = await ask('/series', '/series?limit=4')
    const { nextCursor } = JSON.parse(first.text).pagination
    await ask('/series', `/series?limit=4&cursor=${nextCursor}`)
    await ask('/series', '/series?provider=OECD')
  })

  test('values and vintages of every frequency, cut, view and page', async () => {
    const { data } = JSON.parse((await tenant.get('/series')).text) as { data: { id: string }[] }
    const queries = [
      '',
      '?view=summary',
      '?asOf=2024-04-30',
      '?last=1',
      '?version=FINAL',
      '?limit=1',
      '?from=1999-01-01&to=1999-12-31',
    ]
    for (const { id } of data) {
      for (const query of queries) await ask('/series/{seriesId}/values', `/series/${id}/values${query}`)
      for (const query of ['', '?limit=1']) await ask('/series/{seriesId}/vintages', `/series/${id}/vintages${query}`)
    }
    const paged = await ask('/series/{seriesId}/values', `/series/${steel}/values?limit=2`)
    const next = /^<\/v1(.+)>; rel="next"$/.exec(String(paged.headers.link))![1]!
    expect(JSON.parse((await ask('/series/{seriesId}/values', next)).text).data).toHaveLength(2)
  })

  test('formulas, their values, adjustments, calculations and receipts', async () => {
    await ask('/pams', '/pams')
    await ask('/pams', '/pams?limit=1')
    for (const slug of ['steel-brackets', 'own-steps']) {
      await ask('/pams/{pamId}', `/pams/${slug}`)
      for (const query of ['', '?asOf=2024-10-20', '?from=2024-05-01'])
        await ask('/pams/{pamId}/values', `/pams/${slug}/values${query}`)
    }
    const queries = [
      'period=2024-Q2',
      'period=2024-Q3',
      'date=2024-12-31',
      'asOf=2024-08-31',
      'version=FINAL&period=2024-Q2',
    ]
    for (const query of queries) {
      const path = '/pams/{pamId}/adjustment'
      const answers = [
        await ask(path, `/pams/steel-brackets/adjustment?${query}`),
        await ask(path, `/pams/steel-brackets/adjustment?${query}&view=calculation`),
        await ask(`${path}/receipt`, `/pams/steel-brackets/adjustment/receipt?${query}`),
      ]
      expect([query, answers.map(({ status }) => status)]).toEqual([query, [200, 200, 200]])
    }
    const own = await ask('/pams/{pamId}/adjustment', '/pams/own-steps/adjustment?period=2024-05&view=calculation')
    expect(JSON.parse(own.text).adjustments[0].steps[0]).toHaveProperty('shown')
  })

  test('an answer that the client already has', async () => {
    for (const [path, actual] of [
      ['/series', '/series'],
      ['/series/{seriesId}/values', `/series/${steel}/values?limit=1`],
      ['/pams/{pamId}/adjustment', '/pams/steel-brackets/adjustment'],
    ] as const) {
      const { headers } = await ask(path, actual)
      const again = await ask(path, actual, { headers: { 'if-none-match': headers.etag } })
      expect(again.status).toBe(304)
    }
  })

  test('refusals of every kind', async () => {
    const statuses = async (path: string, actual: string, asking?: Asking) => (await ask(path, actual, asking)).status
    expect(await statuses('/series', '/series?asof=2024-01-01')).toBe(400)
    expect(await statuses('/series', '/series?cursor=changed')).toBe(400)
    expect(await statuses('/series', '/series', { headers: { authorization: 'Bearer asz_live_nothing' } })).toBe(401)
    expect(await statuses('/series/{seriesId}/values', '/series/nothing/values')).toBe(404)
    expect(await statuses('/pams/{pamId}/adjustment', '/pams/own-steps/adjustment?period=2031-01')).toBe(404)
    expect(await statuses('/pams', '/pams', { method: 'DELETE' })).toBe(405)
    expect(await statuses('/pams', '/pams', { headers: { 'x-long': 'x'.repeat(17_000) } })).toBe(431)
  })

  test('health, and a limit that is reached', async () => {
    const health = await api.ask('/v1/health')
    expect(conformance.problemsOfReply('/health', health)).toEqual([])
    for (const [query, method] of [
      ['?x=1', 'GET'],
      ['', 'PUT'],
    ] as const)
      expect(conformance.problemsOfReply('/health', await api.ask(`/v1/health${query}`, { method }))).toEqual([])
    const slow = await api.tenant({ rateLimit: 1 })
    expect((await slow.get('/pams')).status).toBe(200)
    const refused = await slow.get('/pams')
    expect([refused.status, conformance.problemsOfReply('/pams', refused)]).toEqual([429, []])
  })

  test('that the key cannot be checked', async () => {
    const without = await openTestDatabase()
    const lost = await openApi(without)
    const { authorization } = await lost.tenant()
    const [{ name } = { name: '' }] = await without.owner<{ name: string }[]>`select current_database() as name`
    await ground.owner`update pg_database set datallowconn = false where datname = ${name}`
    await ground.owner`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    const reply = await lost.ask('/v1/pams', { headers: authorization })
    expect([reply.status, conformance.problemsOfReply('/pams', reply)]).toEqual([503, []])
    await ground.owner`update pg_database set datallowconn = true where datname = ${name}`
    await lost.close()
  })
})
