import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

const secret = 'a secret that is long enough for this: 32 bytes and more'

describe('the configuration', () => {
  test('has its defaults where nothing is set, or set to nothing', () => {
    const expected = {
      host: '127.0.0.1',
      port: 8080,
      dataFolder: resolve('./data'),
      databaseUrl: null,
      redisUrl: null,
      secret: null,
      logLevel: 'info',
      metricsPort: null,
      cacheMb: 256,
      corsOrigins: [],
      trustProxy: null,
      contact: null,
    }
    expect(readConfig({}).config).toMatchObject(expected)
    expect(readConfig({ PORT: '', HOST: '', ASSIZE_DATA: '', DATABASE_URL: '' }).config).toMatchObject(expected)
  })

  test('reads every variable', () => {
    const { config, mistakes } = readConfig({
      PORT: '0',
      HOST: '::1',
      ASSIZE_DATA: '/var/lib/assize',
      DATABASE_URL: 'postgres://u:p@db.example/assize?sslmode=require',
      REDIS_URL: 'rediss://cache:6379',
      ASSIZE_SECRET: secret,
      ASSIZE_PROVIDER_BASE_BLS: 'http://127.0.0.1:9000/',
      ASSIZE_KEY_FRED: 'abc',
      LOG_LEVEL: 'debug',
      METRICS_PORT: '9100',
      ASSIZE_CACHE_MB: '64',
      ASSIZE_CORS_ORIGINS: 'https://a.example, https://b.example:8443',
      ASSIZE_TRUST_PROXY: '10.0.0.0/8,::1',
      ASSIZE_CONTACT: 'data+feeds@buyer.example',
      HOME: '/root',
    })
    expect(mistakes).toEqual([])
    expect(config).toMatchObject({
      port: 0,
      host: '::1',
      dataFolder: '/var/lib/assize',
      secret,
      metricsPort: 9100,
      cacheMb: 64,
      corsOrigins: ['https://a.example', 'https://b.example:8443'],
      trustProxy: ['10.0.0.0/8', '::1'],
      contact: 'data+feeds@buyer.example',
    })
    expect(config!.providerBases.get('BLS')).toBe('http://127.0.0.1:9000')
    expect(config!.providerKeys.get('FRED')).toBe('abc')
  })

  test('reports every mistake at once, one line each', () => {
    const { config, mistakes } = readConfig({
      PORT: '80a',
      HOST: 'not a host',
      DATABASE_URL: 'mysql://u:hunter2@h/d',
      LOG_LEVEL: 'loud',
      METRICS_PORT: '70000',
      ASSIZE_CACHE_MB: '1',
      ASSIZE_CORS_ORIGINS: 'https://a.example/path',
      ASSIZE_TRUST_PROXY: 'everyone',
      ASSIZE_CONTACT: 'the people on floor 3',
      ASSIZE_KEY_BLZ: 'x',
      ASSIZE_PROVIDER_BASE_BLS: 'ftp://x',
      ASSIZE_SECERT: 'x',
    })
    expect(config).toBeNull()
    expect(mistakes).toEqual([
      'DATABASE_URL must be postgres://user:password@host/database',
      'HOST must be an address or a host name, got "not a host"',
      'PORT must be a whole number from 0 to 65535, got "80a"',
      'ASSIZE_PROVIDER_BASE_BLS must be an http:// or https:// address',
      expect.stringContaining('ASSIZE_KEY_BLZ names no provider; known are BLS FRED'),
      'ASSIZE_CONTACT must be an e-mail address or an http:// or https:// address, got "the people on floor 3"',
      'LOG_LEVEL must be one of fatal error warn info debug trace silent, got "loud"',
      'METRICS_PORT must be a whole number from 0 to 65535, got "70000"',
      'ASSIZE_CACHE_MB must be a whole number from 16 to 65536, got "1"',
      'ASSIZE_CORS_ORIGINS must be origins such as https://example.com, with commas between, got "https://a.example/path"',
      'ASSIZE_TRUST_PROXY must be the number of proxies (1 to 10), or their addresses, got "everyone"',
      'ASSIZE_SECERT is not a variable Assize knows',
    ])
  })

  test('never repeats a secret, or an address that may contain a password', () => {
    const told = readConfig({ ASSIZE_SECRET: 'hunter2', DATABASE_URL: 'hunter2', REDIS_URL: 'hunter2' }).mistakes.join()
    expect(told).toContain('ASSIZE_SECRET must be at least 32 bytes long')
    expect(told).not.toContain('hunter2')
  })

  test('takes an e-mail address or a page as contact, and nothing that would break out of a header', () => {
    const contactOf = (text: string) => readConfig({ ASSIZE_CONTACT: text }).config?.contact
    for (const text of ['ann@buyer.test', 'Ann.B@sub.buyer.example', 'https://buyer.example/data', 'http://x:8080/a'])
      expect(contactOf(text), text).toBe(text)
    const wrong = [
      'ann',
      '@buyer.test',
      'ann@',
      'ann@-',
      'a b@c.d',
      'ann@buyer.test)',
      'ann@b.c\r\nx: y',
      'ftp://b.c',
      'é@b.c',
    ]
    for (const text of [...wrong, `${'a'.repeat(251)}@b.c`]) expect(contactOf(text), text).toBeUndefined()
  })

  test('needs a secret beside DATABASE_URL, for several processes must share it', () => {
    const { mistakes } = readConfig({ DATABASE_URL: 'postgres://u@h/d' })
    expect(mistakes).toEqual([expect.stringContaining('ASSIZE_SECRET must be set')])
  })

  test('wants the database named, lest another one be taken', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://u@h', ASSIZE_SECRET: secret }).mistakes).toHaveLength(1)
  })
})
