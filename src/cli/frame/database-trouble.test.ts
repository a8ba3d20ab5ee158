import { describe, expect, test } from 'vitest'
import { ConnectionError } from '../../storage/postgres/connection-error.ts'
import { explainDatabase } from './database-trouble.ts'

const trouble = (code: string, more: object = {}) => Object.assign(new Error(`words of ${code}`), { code, ...more })

describe('trouble of the database', () => {
  test.each([
    ConnectionError.of('CONNECTION_CLOSED'),
    ...['ECONNREFUSED', 'EPIPE', '57P01', '57P03'].map(code => trouble(code)),
  ])('$code: the connection was lost', error => {
    expect(explainDatabase(error)?.message).toMatch(
      /^the connection to the database was lost; .*run the command again$/,
    )
  })

  test('a full disk is reported in its own words, and that nothing was changed', () => {
    expect(explainDatabase(trouble('53100'))?.message).toBe(
      'the disk of the database is full: words of 53100; nothing was changed: free some space and run the command again',
    )
  })

  test('an overloaded database is reported as too busy', () => {
    for (const code of ['57014', '55P03']) expect(explainDatabase(trouble(code))?.message).toContain('too busy')
  })

  test('includes a missing socket, but not a missing file', () => {
    expect(explainDatabase(trouble('ENOENT', { syscall: 'connect' }))?.message).toContain('was lost')
    expect(explainDatabase(trouble('ENOENT', { syscall: 'open' }))).toBeNull()
  })

  test('is nothing else: a bug of ours stays a bug', () => {
    for (const error of [new TypeError('x'), trouble('23505'), null, undefined, 'words'])
      expect(explainDatabase(error)).toBeNull()
  })
})
