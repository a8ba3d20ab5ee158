// Transport of answers: conditional requests, compression, caches, the description, and what v1 does not have (C37 to
// 41; T2, T21).
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { documentSchema } from '../../src/core/formula/schema.ts'
import { eventually, type Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { everyRoute, fillSample, type Sample } from '../support/houses/sample.ts'

interface Parameter {
  readonly name: string
  readonly in: string
}
interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, { get: { parameters?: readonly (Parameter | { readonly $ref: string })[] } }>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

let tenant: Tenant
let sample: Sample
let paths: readonly string[]
let long: string
const api = ownHouse(openOwnApi)
beforeAll(async () => {
  tenant = await api.tenant()
  sample = await fillSample(tenant)
  paths = everyRoute(sample)
  await tenant.importValues(
    'CUSTOM/long',
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${1700 + i}`, `${i}.50`])),
  )
  long = `/series/${await tenant.seriesId('CUSTOM/long')}/values`
})

describe('conditional requests', () => {
  test('C37: every good answer has a strong ETag, the same for the same bytes and another for others', async () => {
    const tags = new Map<string, string>()
    for (const path of [
      ...paths,
      long,
      `${long}?limit=5`,
      `${long}?last=5`,
      `${long}?view=summary`,
      `${long}?asOf=2024-01-01`,
    ]) {
      const { headers, text } = await tenant.get(path)
      expect(headers.etag, path).toMatch(/^"[\x21\x23-\x7e]+"$/)
      const again = await tenant.get(path)
      expect(again.headers.etag === headers.etag, path).toBe(again.text === text)
      tags.set(path, headers.etag!)
    }
    expect(new Set(tags.values()).size).toBe(tags.size)
    for (const path of ['/series?limit=0', '/none', '/pams/none'])
      expect((await tenant.get(path)).headers.etag, path).toBeUndefined()
  })

  test('C37: If-None-Match with the tag is 304 without a body, in every way it may be written', async () => {
    for (const path of paths) {
      const { headers } = await tenant.get(path)
      const tag = headers.etag!
      for (const written of [tag, `W/${tag}`, `"other", ${tag}`, `${tag},"other"`, '*', ` ${tag} `])
        for (const method of ['GET', 'HEAD']) {
          const reply = await tenant.get(path, { method, headers: { 'if-none-match': written } })
          expect([reply.status, reply.body.length, reply.headers.etag], `${path} ${written}`).toEqual([304, 0, tag])
          for (const name of ['cache-control', 'vary', 'x-request-id', 'ratelimit'])
            expect(reply.headers[name], name).toBeDefined()
        }
      for (const written of ['"other"', tag.slice(1, -1), `"x${tag.slice(1)}`, ''])
        expect((await tenant.get(path, { headers: { 'if-none-match': written } })).status, `${path} ${written}`).toBe(
          200,
        )
    }
  })

  test('C37: a tag is valid until the answer changes, and after a restart', async () => {
    const who = await api.tenant()
    await who.importValues('CUSTOM/x', { '2024': '1' })
    const path = `/series/${await who.seriesId('CUSTOM/x')}/values`
    const { headers } = await who.get(path)
    const ask = async () => (await who.get(path, { headers: { 'if-none-match': headers.etag } })).status
    expect(await ask()).toBe(304)
    await api.restart()
    expect(await ask()).toBe(304)
    await who.importValues('CUSTOM/x', { '2024': '2' }, '2021-01-01')
    expect(await ask()).toBe(200)
  })

  test('C37: a tag is no longer valid if only the name or the unit of the series changed', async () => {
    const who = await api.tenant()
    await who.importValues('CUSTOM/x', { '2024': '1' })
    const id = await who.seriesId('CUSTOM/x')
    for (const path of [`/series/${id}/values`, `/series/${id}/values?asOf=2024-01-01`, `/series/${id}/vintages`]) {
      const { headers } = await who.get(path)
      const name = `Named for ${path.length}`
      await who.importUnheard(`series,period,value,published,name\nCUSTOM/x,2024,1,2020-01-01,${name}\n`)
      const ask = () => who.get(path, { headers: { 'if-none-match': headers.etag } })
      const again = await eventually(ask, ({ status }) => status === 200)
      expect([again.status, again.text.includes(name)], path).toEqual([200, true])
      expect(again.headers.etag, path).not.toBe(headers.etag)
    }
  })

  test('C37: an error is never 304', async () => {
    for (const path of ['/series?limit=0', '/pams/none', '/none'])
      expect((await tenant.get(path, { headers: { 'if-none-match': '*' } })).status).toBeGreaterThanOrEqual(400)
    expect((await api.ask('/v1/series', { headers: { 'if-none-match': '*' } })).status).toBe(401)
  })

  test('C37, T21: every answer is private to the key: Cache-Control and Vary, errors and 401 too', async () => {
    for (const path of [...paths, '/series?limit=0', '/none', '/pams/none'])
      for (const headers of [tenant.authorization, {}]) {
        const reply = await api.ask(`/v1${path}`, { headers })
        expect(reply.headers['cache-control'], path).toMatch(/(?:^|,\s*)private(?:,|$)/)
        expect(reply.headers['cache-control'], path).not.toMatch(/public|s-maxage/)
        expect(`${reply.headers.vary}`.toLowerCase(), path).toContain('authorization')
      }
  })
})

describe('compression', () => {
  const ask = (path: string, encoding: string, method = 'GET') =>
    tenant.get(path, { method, headers: { 'accept-encoding': encoding } })

  test('C38: bodies over 1 KB come as br or gzip on request, and unpack to the same bytes', async () => {
    const plain = await tenant.get(long)
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [asked, given] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br', 'br'],
      ['GZIP', 'gzip'],
      ['gzip;q=0.5, br;q=0', 'gzip'],
      ['*', 'gzip'],
    ] as const) {
      const { headers, body } = await ask(long, asked)
      expect(headers['content-encoding'], asked).toBe(given)
      const unpacked = given === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
      expect(unpacked.equals(plain.body), asked).toBe(true)
      expect(headers['content-length'], asked).toBe(`${body.length}`)
      expect(body.length).toBeLessThan(plain.body.length)
      expect(`${headers.vary}`.toLowerCase()).toContain('accept-encoding')
      expect(headers['content-type']).toBe('application/json')
    }
  })

  test('C38: a body that is small, an error, or not requested compressed is not compressed', async () => {
    for (const [path, asked] of [
      [`${long}?limit=2`, 'gzip, br'],
      ['/pams/none', 'gzip, br'],
      [long, 'identity'],
      [long, 'deflate'],
      [long, 'gzip;q=0, br;q=0.000'],
      [long, ''],
      [long, 'gzip;q=0, *;q=0'],
    ] as const)
      expect((await ask(path, asked)).headers['content-encoding'], `${path} ${asked}`).toBeUndefined()
  })

  test('C37, C38: each encoding is a separate body with its own tag, valid for 304', async () => {
    const plain = await tenant.get(long)
    const tags = new Set([plain.headers.etag])
    for (const encoding of ['gzip', 'br']) {
      const { headers } = await ask(long, encoding)
      tags.add(headers.etag)
      const again = await tenant.get(long, { headers: { 'accept-encoding': encoding, 'if-none-match': headers.etag } })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
      const head = await ask(long, encoding, 'HEAD')
      expect([head.status, head.body.length, head.headers['content-encoding'], head.headers.etag]).toEqual([
        200,
        0,
        encoding,
        headers.etag,
      ])
    }
    expect(tags.size).toBe(3)
  })
})

describe('the description, and what does not exist', () => {
  test('C39: /openapi.json is OpenAPI 3.1 and names every route with every parameter', async () => {
    const { status, headers, text } = await api.ask('/openapi.json')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    const { openapi, paths: described, components } = JSON.parse(text) as OpenApi
    expect(openapi).toMatch(/^3\.1\.\d+$/)
    const wanted: Readonly<Record<string, readonly string[]>> = {
      '/health': [],
      '/series': ['cursor', 'limit', 'provider'],
      '/series/{seriesId}/values': ['asOf', 'from', 'knownAt', 'last', 'limit', 'seriesId', 'to', 'version', 'view'],
      '/series/{seriesId}/vintages': ['from', 'knownAt', 'limit', 'seriesId', 'to'],
      '/pams': ['cursor', 'limit'],
      '/pams/{pamId}': ['pamId'],
      '/pams/{pamId}/values': ['asOf', 'from', 'knownAt', 'pamId', 'to'],
      '/pams/{pamId}/adjustment': ['asOf', 'date', 'knownAt', 'pamId', 'period', 'version', 'view'],
      '/pams/{pamId}/adjustment/receipt': ['asOf', 'date', 'knownAt', 'pamId', 'period', 'version'],
    }
    for (const [path, names] of Object.entries(wanted)) {
      const found = Object.entries(described).find(([each]) => each.replace(/^\/(?:api\/)?v1/, '') === path)
      expect(found, path).toBeDefined()
      const parameters = (found![1].get.parameters ?? []).map(each =>
        '$ref' in each ? components.parameters[each.$ref.split('/').at(-1)!]! : each,
      )
      const named = parameters.filter(each => each.in !== 'header').map(({ name }) => name)
      expect(named.toSorted(), path).toEqual(names)
    }
  })

  test('C39: /docs is a page that needs nothing from elsewhere', async () => {
    const { status, headers, text } = await api.ask('/docs')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/html/)
    const loaded = [...text.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address!,
    )
    expect(loaded.filter(address => /^(?:https?:)?\/\//.test(address))).toEqual([])
    for (const address of loaded.filter(each => !each.startsWith('data:') && !each.startsWith('#')))
      expect((await api.ask(new URL(address, 'http://x/docs').pathname)).status, address).toBe(200)
  })

  test('the schema of formula documents is open to every tool', async () => {
    const { status, headers, text } = await api.ask('/formula.schema.json')
    expect([status, headers['content-type'], headers['access-control-allow-origin']]).toEqual([
      200,
      'application/schema+json',
      '*',
    ])
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(documentSchema())))
  })

  test('C40: nothing of v1 is deprecated today', async () => {
    for (const path of paths) {
      const { headers } = await tenant.get(path)
      expect([headers.deprecation, headers.sunset], path).toEqual([undefined, undefined])
    }
  })

  test('C40: how something will be deprecated is written in the docs', async () => {
    const { text } = await api.ask('/docs')
    for (const word of ['Deprecation', 'Sunset', '12 months']) expect(text).toContain(word)
  })

  test('C41: there are no events in v1', async () => {
    for (const path of ['/events', '/webhooks', '/hooks', '/subscriptions', '/stream'])
      expect((await tenant.get(path)).status, path).toBe(404)
  })
})

describe('logs', () => {
  test('T2: one line for each request with its id, and no header, query or key in it', async () => {
    api.log.length = 0
    const canary = 'asOf=2024-01-02'
    const { headers } = await tenant.get(`${long}?${canary}&x=${tenant.key}`, {
      headers: { cookie: `session=${tenant.key}` },
    })
    const refused = await api.ask(`/v1/series?key=${tenant.key}`, {
      headers: { authorization: `Bearer ${tenant.key}x` },
    })
    const lost = await tenant.get(`/series/${tenant.key}/values`)
    for (const reply of [{ headers }, refused, lost])
      expect(api.log.filter(line => line.includes(`${reply.headers['x-request-id']}`))).toHaveLength(1)
    const whole = api.log.join('\n')
    expect(whole).not.toContain(canary)
    expect(whole).not.toContain(tenant.key)
    expect(whole).toContain(tenant.keyId)
  })

  test('T2: a key that was sent in the wrong place does not come back in the error', async () => {
    for (const path of [
      `/series?limit=${tenant.key}`,
      `/series?${tenant.key}=1`,
      `/series/${tenant.key}/values`,
      `/pams/${tenant.key}`,
      `/series?cursor=${tenant.key}`,
    ])
      expect((await tenant.get(path)).text, path).not.toContain(tenant.key)
  })
})
