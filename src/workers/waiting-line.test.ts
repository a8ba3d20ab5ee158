import { afterEach, expect, test, vi } from 'vitest'
import { WaitingLine } from './waiting-line.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Work that ends when the test says so. */
function makeWork(begun: string[]) {
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>(resolve => ends.set(name, () => resolve(name)))
  }
  return { work, end: (name: string) => ends.get(name)!() }
}

test('runs a few at once and then the trusted before the others', async () => {
  const line = new WaitingLine({ atOnce: 1, waiting: 10, timeoutMs: 1_000 })
  const begun: string[] = []
  const { work, end } = makeWork(begun)
  const all = [
    line.run(work('first'), false),
    line.run(work('other 1'), false),
    line.run(work('trusted'), true),
    line.run(work('other 2'), false),
  ]
  for (const name of ['first', 'trusted', 'other 1', 'other 2']) {
    expect(begun.at(-1)).toBe(name)
    end(name)
    await new Promise(setImmediate)
  }
  expect(await Promise.all(all)).toEqual(['first', 'other 1', 'trusted', 'other 2'])
})

test('refuses work that finds it full', async () => {
  const line = new WaitingLine({ atOnce: 1, waiting: 1, timeoutMs: 1_000 })
  const { work, end } = makeWork([])
  const first = line.run(work('first'), true)
  const second = line.run(work('second'), true)
  await expect(line.run(work('third'), true)).rejects.toThrow('1 are waiting already')
  end('first')
  await first
  end('second')
  expect(await second).toBe('second')
})

test('gives up on work and on waiting that takes too long, and continues with the next', async () => {
  vi.useFakeTimers()
  const line = new WaitingLine({ atOnce: 1, waiting: 10, timeoutMs: 1_000 })
  const begun: string[] = []
  const { work, end } = makeWork(begun)
  const early = Promise.allSettled([line.run(work('stuck'), true), line.run(work('waits'), true)])
  await vi.advanceTimersByTimeAsync(900)
  const late = line.run(work('late'), true)
  await vi.advanceTimersByTimeAsync(100)
  for (const result of await early) expect(result).toMatchObject({ reason: { message: 'not served in 1000 ms' } })
  end('late')
  expect(await late).toBe('late')
  expect(await line.run(async () => 'again', true)).toBe('again')
})

test('frees its place when the work fails', async () => {
  const line = new WaitingLine({ atOnce: 1, waiting: 10, timeoutMs: 1_000 })
  await expect(line.run(() => Promise.reject(new Error('no')), true)).rejects.toThrow('no')
  expect(await line.run(async () => 'next', true)).toBe('next')
})

test('takes names in turn, and keeps a place for a new one however many wait under others', async () => {
  const line = new WaitingLine({ atOnce: 1, waiting: 8, timeoutMs: 1_000 })
  const begun: string[] = []
  const { work, end } = makeWork(begun)
  const run = (name: string, i: number) => line.run(work(`${name}${i}`), false, name)
  const all = [run('a', 0)]
  for (let i = 1; i <= 4; i++) all.push(run('a', i))
  await expect(run('a', 5)).rejects.toThrow('waiting already')
  all.push(run('b', 0), run('b', 1))
  await expect(run('b', 2)).rejects.toThrow('waiting already')
  all.push(run('quiet', 0))
  while (begun.length < all.length) {
    end(begun.at(-1)!)
    await new Promise(setImmediate)
  }
  end(begun.at(-1)!)
  await Promise.all(all)
  expect(begun).toEqual(['a0', 'a1', 'b0', 'quiet0', 'a2', 'b1', 'a3', 'a4'])
})
