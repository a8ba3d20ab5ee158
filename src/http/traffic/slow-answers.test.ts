import { afterEach, expect, test, vi } from 'vitest'
import { SlowAnswers } from './slow-answers.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('delays a number of answers, and sends more at once', async () => {
  vi.useFakeTimers()
  const slow = new SlowAnswers({ most: 3, waitMs: 1_000 })
  const held = Array.from({ length: 1_000 }, () => slow.hold())
  expect(held.filter(each => each instanceof Promise)).toHaveLength(3)
  expect(slow.waiting).toBe(3)
  await vi.advanceTimersByTimeAsync(999)
  expect(slow.waiting).toBe(3)
  await vi.advanceTimersByTimeAsync(1)
  await Promise.all(held)
  expect(slow.waiting).toBe(0)
  expect(slow.hold()).toBeInstanceOf(Promise)
})
