import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { longestBlock, mostBlockedMs, shortestBlock } from './blocked-thread.ts'

/** Busy for so long by the processor's own count. */
function spin(ms: number): void {
  const cpu = () => (process.threadCpuUsage().user + process.threadCpuUsage().system) / 1_000
  const until = cpu() + ms
  while (cpu() < until);
}

test('distinguishes one long stretch of work from many short ones, and from waiting', async () => {
  const long = await longestBlock(async () => {
    await sleep(20)
    spin(80)
    await sleep(20)
    return 'done'
  })
  expect(long.blockedMs).toBeGreaterThanOrEqual(80)
  expect(long.value).toBe('done')
  const short = await shortestBlock(async () => {
    for (let i = 0; i < 20; i++) {
      spin(8)
      await sleep(1)
    }
  })
  expect(short.blockedMs).toBeLessThan(mostBlockedMs)
  const waiting = await shortestBlock(() => sleep(200))
  expect(waiting.blockedMs).toBeLessThan(mostBlockedMs)
})

test('counts what blocks the thread each time, and ignores what did once', async () => {
  let times = 0
  const once = await shortestBlock(async () => spin(times++ === 0 ? 2 * mostBlockedMs : 1))
  expect([once.blockedMs < mostBlockedMs, times]).toEqual([true, 2])
  const always = await shortestBlock(async () => spin(mostBlockedMs + 5))
  expect(always.blockedMs).toBeGreaterThan(mostBlockedMs)
})
