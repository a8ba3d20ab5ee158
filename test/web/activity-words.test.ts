import { expect, test } from 'vitest'
import { formatSubject } from '../../web/pages/settings/activity-words.ts'

test('a number after an agreement is a version, and a year is its period', () => {
  const of = (period: string | null) => ({ kind: 'agreement', slug: 'cold-storage', period }) as const
  expect(formatSubject('cold-storage 2', of(null))).toBe('cold-storage, version 2')
  expect(formatSubject('cold-storage 2025', of('2025'))).toBe('cold-storage 2025')
  expect(formatSubject('2025 3', null)).toBe('2025 3')
})
