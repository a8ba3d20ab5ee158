// Addresses of a Redis that sentinels watch over, as operators write them.
import { expect, test } from 'vitest'
import { namesSeveralHosts, readSentinelAddress } from './sentinel-address.ts'

test('has the sentinels, the name and the database of the master, its login, and a login of the sentinels', () => {
  expect(readSentinelAddress('rediss+sentinel://u:p%40w@a:1,b,[::1]:3/limits/2?sentinel_password=s')).toEqual({
    sentinels: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26_379 },
      { host: '::1', port: 3 },
    ],
    name: 'limits',
    database: 2,
    isEncrypted: true,
    login: { username: 'u', password: 'p@w' },
    sentinelLogin: { password: 's' },
  })
  expect(readSentinelAddress('redis+sentinel://a/limits')).toMatchObject({ database: 0, isEncrypted: false, login: {} })
})

test.each(['redis://a:1/0', 'redis+sentinel://a,,b/limits', 'redis+sentinel://a/', 'redis+sentinel://a/limits/x'])(
  '%s is none',
  text => expect(readSentinelAddress(text)).toBeNull(),
)

test.each([
  ['postgres://u:p@a:5432,b:5433/d', true],
  ['postgres://a,[::1]/d', true],
  ['postgres://u:p,w@a/d?options=x,y', false],
  ['postgres://u@%2Fvar%2Frun/d', false],
])('%s names several hosts: %s', (text, isSo) => expect(namesSeveralHosts(text)).toBe(isSo))
