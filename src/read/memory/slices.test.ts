import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { Slices } from './slices.ts'

function work(ms: number): number {
  const from = performance.now()
  while (performance.now() < from + ms);
  return performance.now() - from
}

test('work that pauses as long as it runs takes about twice the time, however many slices there are', async () => {
  const slices = new Slices()
  const from = performance.now()
  let workedMs = 0
  for (let i = 0; i < 20; i++) {
    workedMs += work(6)
    await slices.restAsLong()
  }
  const ratio = (performance.now() - from) / workedMs
  expect(ratio).toBeGreaterThan(1.5)
  // Pausing for the pauses as well would take eleven times as long.
  expect(ratio).toBeLessThan(6)
})

test('short work does not pause', async () => {
  let [shortMs, isOthersTurn] = [limits.sliceMs, true]
  // On a busy machine even this may take long.
  while (shortMs >= limits.sliceMs) {
    const from = performance.now()
    const slices = new Slices()
    isOthersTurn = false
    setImmediate(() => {
      isOthersTurn = true
    })
    await slices.rest()
    await slices.restAsLong()
    shortMs = performance.now() - from
  }
  expect(isOthersTurn).toBe(false)
})

test('what has lasted long enough lets others go first', async () => {
  const slices = new Slices()
  let isOthersTurn = false
  setImmediate(() => {
    isOthersTurn = true
  })
  work(limits.sliceMs + 1)
  await slices.rest()
  expect(isOthersTurn).toBe(true)
})
