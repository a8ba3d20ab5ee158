// Addresses of databases as operators write them.
import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test('has user, password, host, port and database, each as it was before it was encoded', () => {
  expect(readAddress('postgres://a%40b:p%2Fw@db.internal:6543/my%20data')).toEqual({
    host: 'db.internal',
    port: 6543,
    user: 'a@b',
    password: 'p/w',
    database: 'my data',
    ssl: false,
    isPlainAllowed: false,
    settings: {},
  })
})

test('may leave out the port, the user and the password, and name a socket or an address in brackets', () => {
  expect(readAddress('postgresql://db/x')).toMatchObject({ port: 5432, user: undefined, password: undefined })
  expect(readAddress('postgres://u@%2Fvar%2Frun%2Fpostgresql/x')).toMatchObject({ host: '/var/run/postgresql' })
  expect(readAddress('postgres://u@[::1]:5433/x')).toMatchObject({ host: '::1', port: 5433 })
})

test.each([
  ['', false, false],
  ['?sslmode=disable', false, false],
  ['?sslmode=prefer', { rejectUnauthorized: false }, true],
  ['?sslmode=require', { rejectUnauthorized: false }, false],
  ['?ssl=require', { rejectUnauthorized: false }, false],
  ['?sslmode=verify-full', { rejectUnauthorized: true }, false],
  ['?ssl=true', { rejectUnauthorized: true }, false],
])('encrypts as %s asks', (query, ssl, isPlainAllowed) => {
  expect(readAddress(`postgres://u:p@db/x${query}`)).toMatchObject({ ssl, isPlainAllowed })
})

test('sets what else is behind the question mark in the session, but for what only drivers know', () => {
  const { settings } = readAddress(
    'postgres://u:p@db/x?sslmode=require&application_name=mine&connect_timeout=5&target_session_attrs=read-write&work_mem=8MB',
  )
  expect(settings).toEqual({ application_name: 'mine', work_mem: '8MB' })
})
