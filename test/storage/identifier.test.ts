import { describe, expect, test } from 'vitest'
import { isIdentifier, makeIdentifier } from '../../src/storage/postgres/identifier.ts'

describe('identifiers', () => {
  test('carry their kind and the 128 bits of a UUIDv7', () => {
    expect(makeIdentifier('ser', '00000000-0000-7000-8000-000000000001')).toBe('ser_0000000000e008000000000001')
    expect(makeIdentifier('ser', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('ser_7zzzzzzzzzzzzzzzzzzzzzzzzz')
  })

  test('sort by the time they were made', async () => {
    const made: string[] = []
    for (let i = 0; i < 20; i++) {
      made.push(makeIdentifier('pam'))
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    expect(made).toEqual([...made].sort())
  })

  test('are known by their form', () => {
    const id = makeIdentifier('key')
    expect(isIdentifier('key', id)).toBe(true)
    for (const text of [
      '',
      'key_',
      id.toUpperCase(),
      `${id}0`,
      id.replace('key', 'pam'),
      id.replace(/.$/, 'u'),
      `${id}\n`,
    ])
      expect(isIdentifier('key', text), text).toBe(false)
  })
})
