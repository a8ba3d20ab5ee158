import { afterEach, describe, expect, test } from 'vitest'
import type { PoolTask } from '../../test/support/run/pool-entry.ts'
import { placeLimits } from '../http/traffic/place-limits.ts'
import { type JobLength, type PoolBounds, WorkPool } from './pool.ts'

const usual: PoolBounds = {
  threads: 2,
  waiting: 10,
  waitingPerWorkspace: 6,
  waitingPerPerson: 6,
  waitMs: 60_000,
  jobMs: 60_000,
  shortMs: 60_000,
  heavyMs: 60_000,
  halfLifeMs: 60_000,
  heapMb: 64,
}

const by = (workspace: string, person = 'ann') => ({ workspace, person })

let pool: WorkPool
function open(
  bounds: Partial<PoolBounds> = {},
  data: unknown = null,
  isHindered = () => false,
): (task: PoolTask, workspace?: string) => Promise<unknown> {
  const entry = new URL('../../test/support/run/pool-entry.ts', import.meta.url)
  pool = new WorkPool({ entry, data, doing: 'tests are being run', bounds: { ...usual, ...bounds }, isHindered })
  return (task, workspace = 'one') => pool.run(by(workspace), task).result
}
afterEach(() => pool.close())

describe('a pool of threads', () => {
  test('returns the result of a job, its progress, and refusals unchanged', async () => {
    const run = open()
    const told: unknown[] = []
    const tell = (progress: unknown) => told.push(progress)
    const job = pool.run(by('one'), { wish: 'say', text: 'it' } satisfies PoolTask, { tell })
    expect(await job.result).toBe('it')
    expect(told).toEqual(['about it'])
    await expect(run({ wish: 'refuse', text: 'no' })).rejects.toMatchObject({ kind: 'conflict', message: 'no' })
    await expect(run({ wish: 'fail', text: 'oh' })).rejects.toThrow('oh')
  })

  test('stops a job that takes too long, and continues with a new thread', async () => {
    const run = open({ threads: 1, jobMs: 300 })
    await expect(run({ wish: 'spin' })).rejects.toMatchObject({
      kind: 'too-large',
      message: 'it took longer than 0.3 seconds and was stopped; make it smaller',
    })
    expect(await run({ wish: 'say', text: 'on' })).toBe('on')
  })

  test('says of a job that took long while the database was away that it can be tried again', async () => {
    const run = open({ threads: 1, jobMs: 300 }, null, () => true)
    await expect(run({ wish: 'spin' })).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'the database did not answer in time; try again',
    })
  })

  test('stops a job that takes too much memory, and continues with a new thread', async () => {
    const run = open({ threads: 1 })
    await expect(run({ wish: 'swell' })).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringContaining('more memory than one request may'),
    })
    expect(await run({ wish: 'say', text: 'on' })).toBe('on')
  })

  test('rejects the job of a thread that ended by itself', async () => {
    const run = open({ threads: 1 })
    const left = run({ wish: 'leave' })
    const next = run({ wish: 'say', text: 'next' })
    await expect(left).rejects.toThrow('ended in the middle')
    expect(await next).toBe('next')
  })

  test('lets no workspace occupy all threads, and takes turns among those that wait', async () => {
    const run = open()
    const done: string[] = []
    const note = (name: string) => (value: unknown) => done.push(`${name} ${value}`)
    const greedy = Promise.allSettled([1, 2, 3, 4].map(() => run({ wish: 'sleep' }, 'greedy').then(note('greedy'))))
    await run({ wish: 'say', text: 'quick' }, 'quiet').then(note('quiet'))
    expect(done).toEqual(['quiet quick'])
    await pool.close()
    await greedy
  })

  test('answers short work while long work of others occupies every thread', async () => {
    open()
    const run = (workspace: string, task: PoolTask, length: JobLength) =>
      pool.run(by(workspace), task, { length }).result
    const busy = ['a', 'b', 'a', 'b'].map(workspace => run(workspace, { wish: 'spin' }, 'long').catch(() => {}))
    expect(await run('quiet', { wish: 'say', text: 'unknown' }, 'unknown')).toBe('unknown')
    expect(await run('quiet', { wish: 'say', text: 'small' }, 'short')).toBe('small')
    await pool.close()
    await Promise.all(busy)
  })

  test('stops work that was not short, begins it again in its turn, and has room for short work meanwhile', async () => {
    open({ shortMs: 300 })
    const run = (workspace: string, task: PoolTask, length: JobLength) =>
      pool.run(by(workspace), task, { length }).result
    const busy = [run('a', { wish: 'spin' }, 'long'), run('b', { wish: 'spin' }, 'long')]
    const long = run('c', { wish: 'spin' }, 'unknown')
    const all = Promise.allSettled([...busy, long])
    await expect.poll(() => pool.begunAgain, { timeout: 30_000 }).toBe(1)
    expect(pool.waiting).toBe(1)
    expect(await run('quiet', { wish: 'say', text: 'short' }, 'unknown')).toBe('short')
    await pool.close()
    await all
  })

  test('leaves a thread to the others, however many workspaces used much lately', async () => {
    // Whoever used anything at all used much.
    const run = open({ heavyMs: 0 })
    for (const workspace of ['a', 'b', 'c']) await run({ wish: 'say' }, workspace)
    const busy = ['a', 'b', 'c', 'a'].map(workspace => run({ wish: 'spin' }, workspace).catch(() => {}))
    expect(pool.waiting).toBe(3)
    expect(await run({ wish: 'say', text: 'quick' }, 'quiet')).toBe('quick')
    await pool.close()
    await Promise.all(busy)
  })

  test('lets a job wait longer than any job may take', () => {
    for (const { waitMs, jobMs } of [placeLimits.computing, placeLimits.fileReading])
      expect(waitMs).toBeGreaterThan(jobMs)
  })

  test('prepares the next thread while all are busy', async () => {
    const started = new Int32Array(new SharedArrayBuffer(4))
    const run = open({}, { started })
    await run({ wish: 'say', text: 'it' })
    const busy = run({ wish: 'spin' }, 'greedy').catch(() => {})
    await expect.poll(() => started[0]).toBe(2)
    expect(await run({ wish: 'say', text: 'quick' }, 'quiet')).toBe('quick')
    await pool.close()
    await busy
  })

  test('refuses when too many wait: of one workspace, and in total', async () => {
    const run = open({ waiting: 3, waitingPerWorkspace: 2 })
    const all = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map(workspace => run({ wish: 'sleep' }, workspace))
    const settled = Promise.allSettled(all)
    await expect(all[3]).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'many tests are being run at the moment; try again',
    })
    await expect(all[6]).rejects.toMatchObject({ kind: 'unavailable' })
    await pool.close()
    await settled
  })

  test('tells a job that nobody waits for it any more', async () => {
    open()
    const job = pool.run(by('one'), { wish: 'sleep' } satisfies PoolTask)
    setTimeout(() => job.abandon(), 1_000)
    expect(await job.result).toBe('abandoned')
  })

  test('closes while its threads are busy forever, and refuses what waits', async () => {
    const run = open({ threads: 1 })
    const busy = run({ wish: 'spin' })
    const waiting = run({ wish: 'say', text: 'late' })
    const both = Promise.allSettled([busy, waiting])
    await pool.close()
    for (const outcome of await both)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the server is stopping; try again' } })
    await expect(run({ wish: 'say' })).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
