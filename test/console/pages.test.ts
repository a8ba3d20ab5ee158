// The built pages: their files and their one page for every address, and the page that is shown before they are built.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPages } from '../../src/http/console/frame/pages.ts'
import { HttpClient } from '../support/clients/http-client.ts'
import { type Api, openApi } from '../support/houses/api.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const script = `console.log(${JSON.stringify('a'.repeat(2_000))})`
const index = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>'

let place: string
let app: FastifyInstance
let client: HttpClient
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'assize-pages-'))
  const dist = join(place, 'dist')
  await mkdir(join(dist, 'assets', 'deep'), { recursive: true })
  await writeFile(join(place, 'secret.txt'), 'not for the web')
  await writeFile(join(dist, 'index.html'), index)
  await writeFile(join(dist, 'icon.svg'), '<svg/>')
  await writeFile(join(dist, 'assets', 'main-1a2b.js'), script)
  await writeFile(join(dist, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(join(dist, 'assets', 'main-1a2b.js.gz'), gzipSync(script))
  await writeFile(join(dist, 'assets', 'deep', 'font.woff2'), 'font')
  await symlink(join(place, 'secret.txt'), join(dist, 'linked.txt'))
  app = fastify()
  await addPages(app, dist)
  client = await listen(app)
})
afterAll(async () => {
  client.close()
  await app.close()
  await rm(place, { recursive: true, force: true })
})

async function listen(server: FastifyInstance): Promise<HttpClient> {
  await server.listen({ port: 0, host: '127.0.0.1' })
  return new HttpClient((server.server.address() as AddressInfo).port)
}

const get = (url: string, headers: Record<string, string> = {}) => client.ask(url, { headers })

describe('a page', () => {
  test.each(['/', '/sign-in', '/set-up', '/verify', '/w/acme', '/w/acme/series/ser_1?asOf=2024-01-01', '/w/a/b/c/d'])(
    'is the same for %s, never kept, and runs nothing but our own files',
    async url => {
      const { status, headers, text } = await get(url)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['cache-control']).toBe('no-store')
      const [, nonce] = /content="([^"]+)"/.exec(text)!
      expect(text).toBe(index.replaceAll('__CSP_NONCE__', nonce!))
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      })
    },
  )

  test('has another nonce every time', async () => {
    const nonces = await Promise.all(Array.from({ length: 20 }, async () => (await get('/')).text))
    expect(new Set(nonces).size).toBe(20)
  })
})

describe('a file', () => {
  test('of the assets is cached for a year, and sent compressed if there is a compressed copy and the client accepts it', async () => {
    const url = '/assets/main-1a2b.js'
    const plain = await get(url)
    expect(plain.text).toBe(script)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    const packed = await get(url, { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body).toString()).toBe(script)
    const best = await get(url, { 'accept-encoding': 'gzip, br' })
    expect(best.headers['content-encoding']).toBe('br')
    expect(best.body.length).toBeLessThan(100)
    const held = await get(url, { 'accept-encoding': 'br', 'if-none-match': best.headers.etag as string })
    expect([held.status, held.text, held.headers.etag]).toEqual([304, '', best.headers.etag])
    const head = await client.ask(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', `${best.body.length}`])
    expect(new Set([plain, packed, best].map(({ headers }) => headers.etag)).size).toBe(3)
    const font = await get('/assets/deep/font.woff2', { 'accept-encoding': 'br' })
    expect([font.headers['content-type'], font.headers['content-encoding']]).toEqual(['font/woff2', undefined])
  })

  test('next to them is revalidated each time', async () => {
    const { headers, text } = await get('/icon.svg')
    expect([headers['content-type'], headers['cache-control'], text]).toEqual(['image/svg+xml', 'no-cache', '<svg/>'])
  })

  test.each([
    '/secret.txt',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets//main-1a2b.js',
    '/linked.txt',
    '/index.html',
    '/assets',
    '/assets/',
    '/assets/main-1a2b.js.br',
    '/assets/main-1a2b.js%00',
    '/assets/deep%2Ffont.woff2',
    '/assets%2Fmain-1a2b.js',
    '/dist/icon.svg',
    '/sign-in/',
    '/w',
  ])('is not found at %s', async url => {
    const { status, text } = await get(url)
    expect([404, 400]).toContain(status)
    expect(text).not.toContain('not for the web')
    expect(text).not.toContain('__CSP_NONCE__')
  })
})

describe('before the pages are built', () => {
  test('every address of a page says how to build them, with nothing from elsewhere', async () => {
    const bare = fastify()
    await addPages(bare, join(place, 'nowhere'))
    const asking = await listen(bare)
    for (const url of ['/', '/w/acme/series']) {
      const { status, headers, text } = await asking.ask(url)
      expect(status).toBe(503)
      expect(text).toContain('<code>npm run build</code>')
      const [, nonce] = /<style nonce="([^"]+)">/.exec(text)!
      expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
      expect(text).not.toMatch(/src=|https?:/)
    }
    asking.close()
    await bare.close()
  })
})

describe('the server', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi(await openTestDatabase())
  })
  afterAll(() => api.close())

  test('has a page at /, the docs and the description where they were, and nothing elsewhere', async () => {
    const page = await api.ask('/')
    expect([200, 503]).toContain(page.status)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect((await api.ask('/docs')).status).toBe(200)
    expect((await api.ask('/openapi.json')).status).toBe(200)
    for (const path of ['/none', '/index.html', '/console.html', '/assets/none.js', '/..%2fpackage.json'])
      expect((await api.ask(path)).status, path).toBe(404)
    expect((await api.ask('/sign-in', { method: 'POST' })).status).toBe(405)
  })
})
