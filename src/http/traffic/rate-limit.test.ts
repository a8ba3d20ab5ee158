import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import {
  formatRateLimit,
  formatRateLimitPolicy,
  MemoryRateLimiter,
  type RateCaller,
  SlidingLog,
  waitSeconds,
} from './rate-limit.ts'

const windowMs = limits.rateWindowMs

/** A key of a workspace that may make as many requests as it likes. */
function alone(id: string, rateLimit: number): RateCaller {
  return { id, rateLimit, workspaceId: 'workspace', workspaceRateLimit: 1_000_000_000 }
}

/** The rule in plain form: counts requests accepted in the 60 seconds before now. */
class NaiveModel {
  readonly accepted: number[] = []

  take(limit: number, nowMs: number): { accepted: boolean; remaining: number } {
    const inside = this.accepted.filter(time => time + windowMs > nowMs).length
    if (inside < limit) this.accepted.push(nowMs)
    return { accepted: inside < limit, remaining: Math.max(0, limit - inside - (inside < limit ? 1 : 0)) }
  }
}

function mostInAnyWindow(times: readonly number[]): number {
  let most = 0
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[first]! + windowMs <= times[last]!) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

describe('the sliding window', () => {
  test('accepts 60, refuses the 61st, and says when to come back', () => {
    const limiter = new MemoryRateLimiter()
    for (let i = 0; i < 60; i++)
      expect(limiter.take(alone('key', 60), i)).toEqual({
        accepted: true,
        policy: 'default',
        limit: 60,
        remaining: 59 - i,
        resetSeconds: 60,
      })
    expect(limiter.take(alone('key', 60), 20_500)).toMatchObject({
      accepted: false,
      limit: 60,
      remaining: 0,
      resetSeconds: 40,
    })
    expect(limiter.take(alone('key', 60), 59_999.9).accepted).toBe(false)
    expect(limiter.take(alone('key', 60), 60_000).accepted).toBe(true)
    expect(limiter.take(alone('key', 60), 60_000).accepted).toBe(false)
  })

  test('does not let 119 through at the edge of a minute, as fixed windows do', () => {
    const limiter = new MemoryRateLimiter()
    const accepted: number[] = []
    const burst = (from: number, count: number) => {
      for (let i = 0; i < count; i++) if (limiter.take(alone('key', 60), from + i).accepted) accepted.push(from + i)
    }
    burst(0, 1)
    burst(59_900, 59)
    burst(60_000, 60)
    burst(119_000, 60)
    expect(mostInAnyWindow(accepted)).toBe(60)
    expect(accepted).toHaveLength(61)
  })

  test('serves a caller that asks once a second forever', () => {
    const limiter = new MemoryRateLimiter()
    for (let second = 0; second < 600; second++)
      expect(limiter.take(alone('key', 60), second * 1000).accepted).toBe(true)
  })

  test('does not count what it refused', () => {
    const limiter = new MemoryRateLimiter()
    for (let i = 0; i < 60; i++) limiter.take(alone('key', 60), 0)
    for (let time = 1; time < 60_000; time += 7) expect(limiter.take(alone('key', 60), time).accepted).toBe(false)
    for (let i = 0; i < 60; i++) expect(limiter.take(alone('key', 60), 60_000).accepted).toBe(true)
  })

  test('counts each key for itself', () => {
    const limiter = new MemoryRateLimiter()
    expect(limiter.take(alone('one', 1), 0).accepted).toBe(true)
    expect(limiter.take(alone('two', 1), 0).accepted).toBe(true)
    expect(limiter.take(alone('one', 1), 0).accepted).toBe(false)
  })

  test('applies a plan that was lowered, and says how long until there is room', () => {
    const limiter = new MemoryRateLimiter()
    for (let i = 0; i < 10; i++) limiter.take(alone('key', 10), i * 1000)
    expect(limiter.take(alone('key', 3), 10_000)).toMatchObject({
      accepted: false,
      limit: 3,
      remaining: 0,
      resetSeconds: 58,
    })
    expect(limiter.take(alone('key', 3), 66_999).accepted).toBe(false)
    expect(limiter.take(alone('key', 3), 67_000).accepted).toBe(true)
  })

  test('stays in order when a request comes late with an older time', () => {
    const limiter = new MemoryRateLimiter()
    expect(limiter.take(alone('key', 2), 1_000).accepted).toBe(true)
    expect(limiter.take(alone('key', 2), 900).accepted).toBe(true)
    expect(limiter.take(alone('key', 2), 60_950).accepted).toBe(false)
    expect(limiter.take(alone('key', 2), 61_000).accepted).toBe(true)
  })

  test('agrees with the naive rule at every step, for any times, limits and changes of plan', () => {
    // Gaps that fall together on the window's edge are likely; fractions of a millisecond occur as on a real clock.
    const gap = fc.oneof(
      fc.constantFrom(0, 0.001, 1, 999.5, 1_000, 19_999.7, 20_000, 30_000, 59_999, 60_000, 60_001),
      fc.double({ min: 0, max: 70_000, noNaN: true }),
    )
    const step = fc.record({ gap, limit: fc.integer({ min: 1, max: 12 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.double({ min: 0, max: 1e9, noNaN: true }), (steps, start) => {
        const log = new SlidingLog()
        const model = new NaiveModel()
        let now = start
        for (const { gap, limit } of steps) {
          now += gap
          expect(log.take(limit, now)).toMatchObject(model.take(limit, now))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('always grants the request of a caller that waited for the given time (F9)', () => {
    const run = fc.record({
      limit: fc.integer({ min: 1, max: 60 }),
      gaps: fc.array(fc.double({ min: 0, max: 3_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
    })
    fc.assert(
      fc.property(run, ({ limit, gaps }) => {
        const log = new SlidingLog()
        const accepted: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          let decision = log.take(limit, now)
          if (!decision.accepted) {
            expect(decision.resetSeconds).toBeGreaterThanOrEqual(1)
            expect(decision.resetSeconds).toBeLessThanOrEqual(60)
            now += decision.resetSeconds * 1000
            decision = log.take(limit, now)
          }
          expect(decision.accepted).toBe(true)
          accepted.push(now)
        }
        expect(mostInAnyWindow(accepted)).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 300 },
    )
  })

  test('limits a greedy caller over ten minutes, 300 at a time (F9)', () => {
    const limiter = new MemoryRateLimiter()
    const accepted: number[] = []
    for (let time = 0; time < 600_000; time += 37.3)
      for (let i = 0; i < 300; i++) if (limiter.take(alone('key', 60), time).accepted) accepted.push(time)
    expect(mostInAnyWindow(accepted)).toBe(60)
    expect(accepted).toHaveLength(600)
  })
})

describe('the window of a workspace', () => {
  const caller = (id: string, rateLimit: number, workspaceRateLimit: number): RateCaller => ({
    id,
    rateLimit,
    workspaceId: 'wsp_1',
    workspaceRateLimit,
  })

  test('gives 200 keys together ten times the limit of one, and not 200 times', () => {
    const limiter = new MemoryRateLimiter()
    const accepted: number[] = []
    for (let time = 0; time < 180_000; time += 501.3)
      for (let key = 0; key < 200; key++)
        if (limiter.take(caller(`key_${key}`, 60, 600), time).accepted) accepted.push(time)
    expect(mostInAnyWindow(accepted)).toBe(600)
    expect(accepted).toHaveLength(1_800)
  })

  test('says which of the two limits is the nearer, and how long to wait for it', () => {
    const limiter = new MemoryRateLimiter()
    const [one, two] = [caller('key_1', 3, 4), caller('key_2', 3, 4)]
    for (let i = 0; i < 3; i++) limiter.take(one, 1_000 * i)
    expect(limiter.take(one, 3_000)).toEqual({
      accepted: false,
      policy: 'default',
      limit: 3,
      remaining: 0,
      resetSeconds: 58,
    })
    expect(limiter.take(two, 3_500)).toEqual({
      accepted: true,
      policy: 'workspace',
      limit: 4,
      remaining: 0,
      resetSeconds: 57,
    })
    expect(limiter.take(two, 4_000)).toEqual({
      accepted: false,
      policy: 'workspace',
      limit: 4,
      remaining: 0,
      resetSeconds: 57,
    })
    expect(limiter.take(two, 60_000).accepted).toBe(true)
  })

  test('counts what it refuses in neither window, for any keys, times and limits', () => {
    const step = fc.record({
      gap: fc.constantFrom(0, 1, 1_000, 19_999.7, 30_000, 60_000),
      key: fc.integer({ min: 0, max: 3 }),
      limit: fc.integer({ min: 1, max: 6 }),
      together: fc.integer({ min: 1, max: 12 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), steps => {
        const limiter = new MemoryRateLimiter()
        const taken: { readonly key: number; readonly at: number }[] = []
        let now = 0
        for (const { gap, key, limit, together } of steps) {
          now += gap
          const inside = taken.filter(({ at }) => at + windowMs > now)
          const own = inside.filter(each => each.key === key)
          const isAllowed = inside.length < together && own.length < limit
          expect(limiter.take(caller(`key_${key}`, limit, together), now).accepted).toBe(isAllowed)
          if (isAllowed) taken.push({ key, at: now })
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('memory', () => {
  test('drops keys that were not used for a minute', () => {
    const limiter = new MemoryRateLimiter()
    for (let i = 0; i < 1_000; i++) limiter.take(alone(`key ${i}`, 60), i)
    // 1,000 keys and the workspace's own window.
    expect(limiter.size).toBe(1_001)
    limiter.take(alone('another', 60), 60_500)
    expect(limiter.size).toBe(501)
    limiter.take(alone('another', 60), 200_000)
    expect(limiter.size).toBe(2)
  })

  test('counts right while the ring grows and shrinks', () => {
    const limiter = new MemoryRateLimiter()
    const limit = 100_000
    for (let i = 0; i < limit; i++) expect(limiter.take(alone('key', limit), i / 10).accepted).toBe(true)
    expect(limiter.take(alone('key', limit), 10_000)).toMatchObject({ accepted: false, remaining: 0, resetSeconds: 51 })
    for (let minute = 2; minute < 30; minute++)
      expect(limiter.take(alone('key', limit), minute * 59_000)).toMatchObject({ accepted: true })
    expect(limiter.take(alone('key', limit), 29 * 59_000).remaining).toBe(limit - 3)
  })
})

describe('what the caller sees', () => {
  test('is whole seconds, enough also for a timer that fires early, and never more than the window', () => {
    expect([0, 1, 989, 990, 991, 16_000, 59_995, 60_000].map(waitSeconds)).toEqual([1, 1, 1, 1, 2, 17, 60, 60])
  })

  test('is written in the structured fields of the current draft', () => {
    const decision = { accepted: true, policy: 'default', limit: 60, remaining: 42, resetSeconds: 17 } as const
    expect(formatRateLimitPolicy(decision)).toBe('"default";q=60;w=60')
    expect(formatRateLimit(decision)).toBe('"default";r=42;t=17')
    expect(formatRateLimitPolicy({ policy: 'workspace', limit: 600 })).toBe('"workspace";q=600;w=60')
  })
})
