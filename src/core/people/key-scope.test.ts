import { expect, test } from 'vitest'
import { covers } from './key-scope.ts'

test('a scope includes those before it', () => {
  expect([covers('read', 'read'), covers('read', 'money'), covers('money', 'money')]).toEqual([true, false, true])
  expect([covers('money', 'all'), covers('all', 'money'), covers('all', 'all')]).toEqual([false, true, true])
})
