import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

const secret = 'a-secret-that-is-long-enough-for-this:-32-bytes-and-more'

describe('the configuration', () => {
  test('has its defaults where nothing is set, or set to nothing', () => {
    const expected = {
      host: '127.0.0.1',
      port: 8080,
      dataFolder: resolve('./data'),
      databaseUrl: null,
      databaseDirectUrl: null,
      redisUrl: null,
      secrets: null,
      logLevel: 'info',
      metricsPort: null,
      cacheMb: 256,
      corsOrigins: [],
      trustProxy: null,
      contact: null,
      smtp: null,
      mailFrom: null,
      publicUrl: null,
      privateHosts: [],
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
      secrets: [secret],
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

  test.each([
    ['REDIS_URL', 'redis+sentinel://u:p@a:26379,b:26379,c/name/1'],
    ['REDIS_URL', 'rediss+sentinel://a/name?sentinel_password=x'],
  ])('takes sentinels: %s %s', (name, url) => {
    expect(readConfig({ [name]: url, ASSIZE_SECRET: secret }).mistakes).toEqual([])
  })

  test.each([
    ['DATABASE_URL', 'postgres://u:p@a:x/d'],
    ['REDIS_URL', 'redis://a,b/0'],
    ['REDIS_URL', 'redis+sentinel://a,b'],
    ['REDIS_URL', 'redis+sentinel://a,/name'],
    ['REDIS_URL', 'redis+sentinel://a/name/first'],
  ])('does not take %s %s', (name, url) => {
    expect(readConfig({ [name]: url, ASSIZE_SECRET: secret }).mistakes).toEqual([expect.stringContaining(name)])
  })

  test.each(['DATABASE_URL', 'DATABASE_DIRECT_URL'])('refuses several hosts in %s and names HAProxy', name => {
    const env = { DATABASE_URL: 'postgres://u@pooler/d', ASSIZE_SECRET: secret }
    for (const hosts of ['a:5432,b:5433', 'a,[::1]:5433', 'a,,b'])
      expect(readConfig({ ...env, [name]: `postgres://u:hunter2@${hosts}/d?target_session_attrs=primary` })).toEqual({
        config: null,
        mistakes: [
          `${name} names several hosts; name HAProxy alone, which leads to the primary (docs/operating/cluster)`,
        ],
      })
  })

  test('leaves alone what clients of the API keep in their environment', () => {
    expect(readConfig({ ASSIZE_KEY: 'asz_live_x', ASSIZE_URL: 'https://prices.example' }).mistakes).toEqual([])
  })

  test('never repeats a secret, or an address that may contain a password', () => {
    const told = readConfig({ ASSIZE_SECRET: 'hunter2', DATABASE_URL: 'hunter2', REDIS_URL: 'hunter2' }).mistakes.join()
    expect(told).toContain('ASSIZE_SECRET must be at least 32 bytes long')
    expect(told).not.toContain('hunter2')
  })

  test('accepts an e-mail address or a page as contact, and nothing that would break out of a header', () => {
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

  test('needs a secret with DATABASE_URL, because several processes must share it', () => {
    const { mistakes } = readConfig({ DATABASE_URL: 'postgres://u@h/d' })
    expect(mistakes).toEqual([expect.stringContaining('ASSIZE_SECRET must be set')])
  })

  test('takes several secrets with spaces between, each of them long enough', () => {
    const two = readConfig({ ASSIZE_SECRET: `${secret}  ${secret}-2` })
    expect(two.config!.secrets).toEqual([secret, `${secret}-2`])
    expect(readConfig({ ASSIZE_SECRET: `${secret} short` }).mistakes).toEqual([
      expect.stringContaining('ASSIZE_SECRET must be at least 32 bytes long'),
    ])
  })

  test('requires the name of the database, so that no other one is used', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://u@h', ASSIZE_SECRET: secret }).mistakes).toHaveLength(1)
  })

  test('reads the way past a pooler, and knows no such way without the pooler', () => {
    const direct = 'postgres://u:hunter2@db.example/assize'
    const pooled = { DATABASE_URL: 'postgres://v@pooler.example/assize', ASSIZE_SECRET: secret }
    expect(readConfig({ ...pooled, DATABASE_DIRECT_URL: direct }).config).toMatchObject({ databaseDirectUrl: direct })
    expect(readConfig({ ...pooled, DATABASE_DIRECT_URL: 'hunter2' }).mistakes).toEqual([
      'DATABASE_DIRECT_URL must be postgres://user:password@host/database',
    ])
    expect(readConfig({ DATABASE_DIRECT_URL: direct }).mistakes).toEqual([
      'DATABASE_DIRECT_URL is the way past a pooler in DATABASE_URL, which is not set',
    ])
  })

  test('reads the address of a mail server', () => {
    const smtpOf = (SMTP_URL: string) => readConfig({ SMTP_URL }).config?.smtp
    const login = { user: 'me@x', password: 'p/w' }
    expect(smtpOf('smtp://me%40x:p%2Fw@mail.example')).toEqual({
      host: 'mail.example',
      port: 587,
      isSecure: false,
      needsTls: true,
      login,
    })
    expect(smtpOf('smtps://mail.example/')).toMatchObject({ port: 465, isSecure: true, needsTls: false, login: null })
    expect(smtpOf('smtp://a:b@127.0.0.1:2525')).toMatchObject({ port: 2525, needsTls: false })
    expect(smtpOf('smtp://a:b@[::1]:25')).toMatchObject({ host: '::1', needsTls: false })
    expect(smtpOf('smtp://a:b@relay:25?tls=optional')).toMatchObject({ needsTls: false })
  })

  test('refuses a mail server it cannot read in one line, without its password', () => {
    for (const wrong of [
      'mail.example:25',
      'http://a:hidden@b',
      'smtp://',
      'smtp://a:hidden@',
      'smtp://:hidden@b',
      'smtp://a@b',
      'smtp://a:hidden@b/inbox',
      'smtp://a:hidden@b?x=1',
      'smtp://a:%E0%A4%hidden@b',
      'smtp://a:hidden@b:99999',
      'smtp://a:hidden@b:0',
      'smtp://a:hidden@b#c',
    ]) {
      const { config, mistakes } = readConfig({ SMTP_URL: wrong })
      expect([config, mistakes.length], wrong).toEqual([null, 1])
      expect(mistakes[0]).toMatch(/^SMTP_URL must be smtp:/)
      expect(mistakes[0]).not.toContain('hidden')
      expect(mistakes[0]).not.toContain('\n')
    }
  })

  test('accepts one sender and one public address, and nothing that could end a header', () => {
    const good = ['a@b.example', 'Assize <a@b.example>', 'Preise der Gießerei <a+b@c.example>']
    for (const ASSIZE_MAIL_FROM of good)
      expect(readConfig({ ASSIZE_MAIL_FROM }).config?.mailFrom).toBe(ASSIZE_MAIL_FROM)
    for (const ASSIZE_MAIL_FROM of ['a', 'a@b, c@d', 'A <a@b', 'A a@b>', 'A\r\nBcc: x <a@b>', '"A" <a@b>'])
      expect(readConfig({ ASSIZE_MAIL_FROM }).mistakes, ASSIZE_MAIL_FROM).toHaveLength(1)
    expect(readConfig({ ASSIZE_PUBLIC_URL: 'https://prices.example/' }).config?.publicUrl).toBe(
      'https://prices.example',
    )
    for (const ASSIZE_PUBLIC_URL of ['prices.example', 'ftp://a', 'https://a/b', 'https://a?b', 'https://u:p@a'])
      expect(readConfig({ ASSIZE_PUBLIC_URL }).mistakes, ASSIZE_PUBLIC_URL).toHaveLength(1)
  })
})
