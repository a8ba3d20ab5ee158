import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { longestHold, mostHeldMs, shortestHold } from './held-thread.ts'

/** Busy for so long by the processor's own count. */
function spin(ms: number): void {
  const cpu = () => (process.threadCpuUsage().user + process.threadCpuUsage().system) / 1_000
  const until = cpu() + ms
  while (cpu() < until);
}

it('tells a stretch of work from many short ones, and from waiting', async () => {
  const long = await longestHold(async () => {
    await sleep(20)
    spin(80)
    await sleep(20)
    return 'done'
  })
  expect(long.heldMs).toBeGreaterThanOrEqual(80)
  expect(long.value).toBe('done')
  const short = await shortestHold(async () => {
    for (let i = 0; i < 20; i++) {
      spin(8)
      await sleep(1)
    }
  })
  expect(short.heldMs).toBeLessThan(mostHeldMs)
  const waiting = await shortestHold(() => sleep(200))
  expect(waiting.heldMs).toBeLessThan(mostHeldMs)
})

it('counts what holds the thread each time, and passes over what did once', async () => {
  let times = 0
  const once = await shortestHold(async () => spin(times++ === 0 ? 2 * mostHeldMs : 1))
  expect([once.heldMs < mostHeldMs, times]).toEqual([true, 2])
  const always = await shortestHold(async () => spin(mostHeldMs + 5))
  expect(always.heldMs).toBeGreaterThan(mostHeldMs)
})
