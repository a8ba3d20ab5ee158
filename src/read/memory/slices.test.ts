import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { Slices } from './slices.ts'

/** A clock that advances with work alone. */
function makeClock() {
  let nowMs = 0
  const pausesMs: number[] = []
  return {
    pausesMs,
    work(ms: number) {
      nowMs += ms
    },
    nowMs: () => nowMs,
    async pause(ms: number) {
      pausesMs.push(ms)
      nowMs += ms
    },
  }
}

test('work that pauses as long as it runs takes twice the time, however many slices there are', async () => {
  const clock = makeClock()
  const slices = new Slices(clock)
  for (let i = 0; i < 20; i++) {
    clock.work(limits.sliceMs + 1)
    await slices.restAsLong()
  }
  // A pause is not work: no pause is made for another.
  expect(clock.pausesMs).toEqual(Array.from({ length: 20 }, () => limits.sliceMs + 1))
  clock.work(limits.sliceMs)
  await slices.restAsLong(3)
  expect(clock.pausesMs.at(-1)).toBe(3 * limits.sliceMs)
})

test('short work does not pause, and what has lasted long enough lets others go first', async () => {
  const clock = makeClock()
  const slices = new Slices(clock)
  let isOthersTurn = false
  setImmediate(() => {
    isOthersTurn = true
  })
  clock.work(limits.sliceMs - 1)
  await slices.rest()
  await slices.restAsLong()
  expect([isOthersTurn, clock.pausesMs]).toEqual([false, []])
  clock.work(1)
  await slices.rest()
  expect(isOthersTurn).toBe(true)
})
