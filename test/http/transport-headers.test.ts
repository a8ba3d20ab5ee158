// The headers of every answer for browsers: keep the given type, and use TLS where it came over TLS (T19).
import { beforeAll, expect, test } from 'vitest'
import { readRaw } from '../support/clients/http-client.ts'
import { openApi, type Tenant } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

let tenant: Tenant
const api = ownHouse(async () => openApi(await openTestDatabase(), { env: { ASSIZE_TRUST_PROXY: '127.0.0.0/8' } }))
beforeAll(async () => {
  tenant = await api.tenant()
})

const asked = [
  ['/v1/series', 200],
  ['/v1/health', 200],
  ['/v1/series?limit=0', 400],
  ['/v1/none', 404],
  ['/v1/series', 401],
  ['/console/session', 401],
  ['/console/none', 404],
  ['/', 200],
  ['/icon.svg', 200],
  ['/docs', 200],
  ['/openapi.json', 200],
  ['/none', 404],
] as const

const authorizationFor = (status: number) => (status === 401 ? {} : tenant.authorization)

test('every answer says nosniff once, and asks for TLS where it came over TLS and nowhere else', async () => {
  for (const [path, status] of asked)
    for (const proto of ['https', 'http', undefined]) {
      const headers = { ...authorizationFor(status), ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }) }
      const reply = await api.ask(path, { headers: { 'x-forwarded-for': '192.0.2.1', ...headers } })
      const name = `${path} over ${proto}`
      expect(reply.status, name).toBe(status)
      expect(reply.headers['x-content-type-options'], name).toBe('nosniff')
      expect(reply.headers['strict-transport-security'], name).toBe(proto === 'https' ? 'max-age=31536000' : undefined)
    }
})

test('also a 304, a HEAD, and what HTTP itself refuses', async () => {
  const { headers } = await tenant.get('/series')
  const secure = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
  for (const reply of [
    await tenant.get('/series', { headers: { ...secure, 'if-none-match': headers.etag } }),
    await tenant.get('/series', { method: 'HEAD', headers: secure }),
  ])
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    })
  for (const bytes of [
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ]) {
    const { status, headers: told } = readRaw(await api.client.raw(bytes))
    expect([status, told['x-content-type-options']], bytes).toEqual([400, 'nosniff'])
  }
})

test('what a caller says by itself about TLS counts for nothing where no proxy is trusted', async () => {
  const plain = await openApi(await openTestDatabase())
  try {
    const { headers } = await plain.ask('/v1/health', { headers: { 'x-forwarded-proto': 'https' } })
    expect(headers['strict-transport-security']).toBeUndefined()
  } finally {
    await plain.close()
  }
})
