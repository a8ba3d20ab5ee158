// C4 and C6 over real HTTP: methods, errors, when a key is required first, and health.
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import type { Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { everyRoute, fillSample, type Sample } from '../support/houses/sample.ts'

let tenant: Tenant
let sample: Sample
let paths: readonly string[]
const api = ownHouse(openOwnApi)
beforeAll(async () => {
  tenant = await api.tenant()
  sample = await fillSample(tenant)
  paths = everyRoute(sample)
})

describe('methods and errors', () => {
  const others = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH']

  test('C4: anything but GET and HEAD on a known path is 405 with Allow, in the shape of errors', async () => {
    for (const method of others)
      for (const path of [...paths, '/health']) {
        const { status, headers, text } = await tenant.get(path, { method })
        expect(status, `${method} ${path}`).toBe(405)
        expect(headers.allow, `${method} ${path}`).toBe('GET, HEAD')
        expect(problemsOf('error', text), `${method} ${path}`).toEqual([])
      }
  })

  test('C4: HEAD gives the status and the headers of GET without a body, on good and bad requests', async () => {
    for (const path of [...paths, '/series?limit=0', '/pams/none', '/none']) {
      const get = await tenant.get(path)
      const head = await tenant.get(path, { method: 'HEAD' })
      expect(head.status, path).toBe(get.status)
      expect(head.body.length, path).toBe(0)
      for (const name of ['content-length', 'content-type', 'link', 'vary', 'cache-control'])
        expect(head.headers[name], `${path} ${name}`).toBe(get.headers[name])
      expect(head.headers.etag, path).toBe(get.headers.etag)
    }
  })

  test('C4: a method on an unknown path is 404, with a key', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
      for (const path of ['/none', '/series/x', `/series/${sample.steel}/none`, '/pams/steel/adjustment/none'])
        expect((await tenant.get(path, { method })).status, `${method} ${path}`).toBe(404)
  })

  test('C6: under both prefixes 401 comes before 400, 404 and 405, health aside', async () => {
    for (const prefix of ['/v1', '/api/v1'])
      for (const method of ['GET', 'HEAD', ...others])
        for (const path of [...paths, '/none', '', '/', '/series?limit=0', '/series//values', '/health/', '/healthz']) {
          const { status, headers, text } = await api.ask(`${prefix}${path}`, { method })
          expect(status, `${method} ${path}`).toBe(401)
          expect(headers['www-authenticate'], path).toMatch(/^Bearer/)
          if (method !== 'HEAD') expect(problemsOf('error', text), path).toEqual([])
        }
    expect((await api.ask('/v1/health', { method: 'POST' })).status).toBe(405)
  })

  test('C6: what does not exist and what is another workspace’s are the same bytes, on every route', async () => {
    const stranger = await api.tenant()
    const missing = { steel: 'ser_00000000000000000000000000', agreement: 'pam_00000000000000000000000000' }
    const nowhere = everyRoute(missing)
    for (const [i, path] of paths.entries()) {
      if (!path.includes(sample.steel) && !path.includes(sample.agreement)) continue
      for (const query of ['', '?knownAt=2024-01-01', '?limit=abc', '?version=FINAL']) {
        const [theirs, none] = [await stranger.get(path + query), await stranger.get(nowhere[i]! + query)]
        expect(theirs.status, path).toBe(none.status)
        expect(theirs.text, path).toBe(none.text)
        expect([400, 404], path).toContain(theirs.status)
        expect(Object.keys(theirs.headers), path).toEqual(Object.keys(none.headers))
      }
    }
    const bySlug = await stranger.get('/pams/steel')
    expect([bySlug.status, bySlug.text]).toEqual([404, (await stranger.get('/pams/other')).text])
  })

  test('C6: every answer carries its own request id in a header, errors too', async () => {
    const asked = ['/v1/health', '/v1/series', '/v1/none', '/none', '/v1/series?limit=0', '/openapi.json', '/v1/pams/x']
    const ids = new Set<string>()
    for (const path of asked)
      for (const headers of [{}, tenant.authorization]) {
        const reply = await api.ask(path, { headers })
        expect(reply.headers['x-request-id'], path).toMatch(/^[\w-]{4,}$/)
        ids.add(`${reply.headers['x-request-id']}`)
      }
    expect(ids.size).toBe(asked.length * 2)
  })

  test('C6: a caller may name its request itself, everywhere, in up to 64 plain characters', async () => {
    const own = `erp.2024_05-${'x'.repeat(limits.requestIdLength - 12)}`
    expect(own).toHaveLength(64)
    for (const path of ['/v1/health', '/v1/series', '/v1/none', '/none', '/openapi.json', '/console/session']) {
      const ask = (id: string | string[]) =>
        api.ask(path, { headers: { ...tenant.authorization, 'x-request-id': id } }).then(reply => reply.headers)
      expect((await ask(own))['x-request-id'], path).toBe(own)
      expect(api.log.at(-1)?.includes(own) ?? false, path).toBe(path.startsWith('/v1') || path.startsWith('/console'))
      for (const other of [`${own}x`, '', 'a b', 'a,b', 'é', '<b>', ['a', 'b'], `x-${tenant.key}`])
        expect((await ask(other))['x-request-id'], `${path} ${other}`).toMatch(/^[\w-]{8}-[0-9a-z]+$/)
    }
    expect(api.log.join('\n')).not.toContain(tenant.key)
  })

  test('C6: outside the prefixes errors have the same shape, for addresses that cannot be read too', async () => {
    for (const [path, method, body] of [
      ['/', 'POST', '{'],
      ['/none', 'GET', undefined],
      ['/%zz', 'GET', undefined],
      ['/%', 'GET', undefined],
      ['/none', 'DELETE', undefined],
      ['/openapi.json', 'POST', '{}'],
      ['/none', 'POST', 'x'.repeat(2_000_000)],
    ] as const) {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const reply = await api.ask(path, { method, headers, ...(body === undefined ? {} : { body }) })
      expect(reply.status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      expect(reply.status, `${method} ${path}`).toBeLessThan(500)
      expect(problemsOf('error', reply.text), `${method} ${path}`).toEqual([])
    }
  })

  test('C6: a body where none is accepted is a 400, a large one a 413', async () => {
    const small = await tenant.get('/series', { headers: { 'content-length': '2' }, body: '{}' })
    expect([small.status, problemsOf('error', small.text)]).toEqual([400, []])
    const chunked = await tenant.get('/series', { headers: { 'transfer-encoding': 'chunked' }, body: '{}' })
    expect([chunked.status, problemsOf('error', chunked.text)]).toEqual([400, []])
    const large = await tenant.get('/series', { headers: { 'content-length': '2000000' }, body: 'x'.repeat(2_000_000) })
    expect([large.status, problemsOf('error', large.text)]).toEqual([413, []])
    expect((await tenant.get('/series', { headers: { 'content-length': '0' } })).status).toBe(200)
  })
})

describe('what is our own fault', () => {
  test('T20, C6: an unexpected error is a 500 without internal details, and later requests work', async () => {
    const who = await api.tenant()
    await who.importValues('CUSTOM/x', { '2024': '1' })
    const path = `/series/${await who.seriesId('CUSTOM/x')}/values`
    await api.restart()
    await api.owner`alter table vintage rename to vintage_elsewhere`
    try {
      const { status, text, headers } = await who.get(path)
      expect(status).toBe(500)
      expect(problemsOf('error', text)).toEqual([])
      expect(text).not.toMatch(/vintage|relation|select|\bat \w+ \(|\.ts/i)
      expect(headers['x-request-id']).toMatch(/./)
      expect(headers.etag).toBeUndefined()
      expect(api.log.some(line => line.includes(`${headers['x-request-id']}`) && line.includes('"error"'))).toBe(true)
    } finally {
      await api.owner`alter table vintage_elsewhere rename to vintage`
    }
    expect((await who.get(path)).status).toBe(200)
  })
})

describe('health', () => {
  test('needs no key, accepts any, and gives status, version and the time in milliseconds', async () => {
    for (const path of ['/v1/health', '/api/v1/health'])
      for (const headers of [{}, tenant.authorization, { authorization: 'Bearer wrong' }]) {
        const beforeMs = Date.now() - 1
        const { status, text } = await api.ask(path, { headers })
        expect(status).toBe(200)
        expect(problemsOf('health', text)).toEqual([])
        const { timestamp } = JSON.parse(text) as { timestamp: string }
        expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(beforeMs)
        expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now())
      }
    expect((await api.ask('/v1/health', { method: 'HEAD' })).status).toBe(200)
  })
})
