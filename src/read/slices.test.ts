import { expect, test } from 'vitest'
import { Slices } from './slices.ts'

function work(ms: number): number {
  const from = performance.now()
  while (performance.now() < from + ms);
  return performance.now() - from
}

test('work that rests as long as it runs takes about twice the time, however many slices there are', async () => {
  const slices = new Slices()
  const from = performance.now()
  let workedMs = 0
  for (let i = 0; i < 20; i++) {
    workedMs += work(6)
    await slices.restAsLong()
  }
  const ratio = (performance.now() - from) / workedMs
  expect(ratio).toBeGreaterThan(1.5)
  // Resting from the rests as well would take eleven times as long.
  expect(ratio).toBeLessThan(6)
})

test('what is short is not rested from', async () => {
  const slices = new Slices()
  let isOthersTurn = false
  setImmediate(() => {
    isOthersTurn = true
  })
  await slices.rest()
  await slices.restAsLong()
  expect(isOthersTurn).toBe(false)
  work(6)
  await slices.rest()
  expect(isOthersTurn).toBe(true)
})
