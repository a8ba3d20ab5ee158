import { describe, expect, test } from 'vitest'
import { explainDatabase } from './database-trouble.ts'

const trouble = (code: string, more: object = {}) => Object.assign(new Error(`words of ${code}`), { code, ...more })

describe('trouble of the database', () => {
  test.each(['CONNECTION_CLOSED', 'ECONNREFUSED', 'EPIPE', '57P01', '57P03'])('%s: it went away', code => {
    expect(explainDatabase(trouble(code))?.message).toMatch(/^the database went away; .*run the command again$/)
  })

  test('that it has no room is said with its own words, and that nothing was changed', () => {
    expect(explainDatabase(trouble('53100'))?.message).toBe(
      'the disk of the database is full: words of 53100; nothing was changed: make room and run the command again',
    )
  })

  test('that it is too busy is said', () => {
    for (const code of ['57014', '55P03']) expect(explainDatabase(trouble(code))?.message).toContain('too busy')
  })

  test('is a socket that is not there, and no file that is not', () => {
    expect(explainDatabase(trouble('ENOENT', { syscall: 'connect' }))?.message).toContain('went away')
    expect(explainDatabase(trouble('ENOENT', { syscall: 'open' }))).toBeNull()
  })

  test('is nothing else: a mistake of ours stays one', () => {
    for (const error of [new TypeError('x'), trouble('23505'), null, undefined, 'words'])
      expect(explainDatabase(error)).toBeNull()
  })
})
