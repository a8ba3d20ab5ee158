import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import type { ApiKeyAccess } from '../../storage/workspaces/api-keys.ts'
import { makeKey } from '../../storage/workspaces/key-format.ts'
import { type KeyAnswer, KeyCheck } from './key-check.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const address = '192.0.2.7'

/** A key check over a table of keys, with clocks that the test moves. */
function setUp() {
  const table = new Map<string, ApiKeyAccess>()
  const reports: string[] = []
  const written: { id: string; at: string }[] = []
  const noted = new Map<string, string>()
  const scene = {
    table,
    reports,
    written,
    nowMs: 1_000,
    wallMs: start,
    asked: 0,
    /** Stands in for the database: replaced where it is slow or unreachable. */
    find: async (key: string): Promise<ApiKeyAccess | null> => table.get(key) ?? null,
    flushFails: false,
    pass(ms: number) {
      scene.nowMs += ms
      scene.wallMs += ms
    },
    issue(id: string, change: Partial<ApiKeyAccess> = {}): string {
      const key = makeKey()
      const usual = {
        workspaceId: 'wsp_a',
        workspaceSlug: 'a',
        rateLimit: 60,
        workspaceRateLimit: 600,
        name: id,
        scope: 'read' as const,
        expiresAt: null,
        revokedAt: null,
      }
      table.set(key, { id, ...usual, ...change })
      return key
    },
    change(key: string, change: Partial<ApiKeyAccess>) {
      table.set(key, { ...table.get(key)!, ...change })
    },
    check: (key: string, from = address) =>
      keys.check(['Host', 'x', 'Authorization', `Bearer ${key}`], from, scene.nowMs),
  }
  const keys = new KeyCheck({
    digests: key => [Buffer.from(key)],
    isCurrent: () => true,
    find: asked => {
      scene.asked++
      return Promise.all(asked.map(([digest]) => scene.find(digest!.toString())))
    },
    uses: {
      note: ({ id }, at) => noted.set(id, at),
      flush: async () => {
        const uses = [...noted]
        noted.clear()
        if (scene.flushFails) throw new Error('away')
        written.push(...uses.map(([id, at]) => ({ id, at })))
      },
    },
    wallMs: () => scene.wallMs,
    report: (state, reason) => reports.push(`${state}: ${reason}`),
  })
  return { ...scene, scene, keys }
}

const refused: KeyAnswer = { kind: 'refused' }

function wrongKeys(count: number): string[] {
  return Array.from({ length: count }, () => makeKey())
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the Authorization header', () => {
  test('is exactly one: the scheme in any letter case, spaces, and the key', async () => {
    const { keys, issue, scene } = setUp()
    const key = issue('key_1')
    const check = (...headers: string[]) => keys.check(headers, address, scene.nowMs)
    expect(await check('authorization', `Bearer ${key}`)).toMatchObject({ kind: 'known', access: { id: 'key_1' } })
    expect(await check('AUTHORIZATION', `Bearer ${key}`)).toMatchObject({ kind: 'known' })
    for (const written of [`bearer ${key}`, `BEARER ${key}`, `bEaReR  ${key}`, `Bearer${' '.repeat(5_000)}${key}`])
      expect(check('Authorization', written), written.slice(0, 20)).toMatchObject({ kind: 'known' })
    expect(scene.asked).toBe(1)
    const odd = [
      ['Authorization', `Bearer ${key}`, 'authorization', `Bearer ${key}`],
      ['Authorization', `Bearer ${key}`, 'Accept', '*/*', 'Authorization', ''],
      ['Authorization', `Bearer\t${key}`],
      ['Authorization', `Bearer \t${key}`],
      ['Authorization', `Bearer\u00a0${key}`],
      ['Authorization', `Bearers ${key}`],
      ['Authorization', `Bearer${key}`],
      ['Authorization', ` Bearer ${key}`],
      ['Authorization', `Bearer     `],
      ['Authorization', `Basic ${key}`],
      ['Authorization', `Bearer ${key} `],
      ['Authorization', `Bearer ${key},`],
      ['Authorization', `Bearer ${key}${key}`],
      ['Authorization', `Bearer ${key.toLowerCase()}`],
      ['Authorization', key],
      ['Authorization', 'Bearer'],
      ['Authorization', 'Bearer '],
      ['Authorization', ''],
      ['Authorization', `Bearer ${'a'.repeat(20_000)}`],
      ['Authorization', `Bearer ${key}\u00e9`],
      ['X-Authorization', `Bearer ${key}`],
      ['Proxy-Authorization', `Bearer ${key}`],
      [],
    ]
    for (const headers of odd) expect(check(...headers), headers.join(' ').slice(0, 80)).toEqual(refused)
  })

  test('with a wrong checksum is refused without asking the database', () => {
    const { check, issue, scene } = setUp()
    const key = issue('key_1')
    const last = key.at(-1) === 'a' ? 'b' : 'a'
    expect(check(key.slice(0, -1) + last)).toEqual(refused)
    expect(check(`${key.slice(0, 12)}${key[12] === 'a' ? 'b' : 'a'}${key.slice(13)}`)).toEqual(refused)
    expect(scene.asked).toBe(0)
  })
})

describe('a known key', () => {
  test('is answered at once and without a promise while it is cached', async () => {
    const { check, issue, scene } = setUp()
    const key = issue('key_1', { rateLimit: 5 })
    expect(check(key)).toBeInstanceOf(Promise)
    const answer = await check(key)
    expect(answer).toEqual({ kind: 'known', access: { ...scene.table.get(key) } })
    expect(check(key)).toEqual(answer)
    expect(scene.asked).toBe(1)
  })

  test('is looked up once for all requests at the same time', async () => {
    const { check, issue, scene } = setUp()
    const key = issue('key_1')
    const answers = await Promise.all(Array.from({ length: 50 }, () => check(key)))
    expect(answers.every(({ kind }) => kind === 'known')).toBe(true)
    expect(scene.asked).toBe(1)
  })

  test('is refused within four seconds of its revocation, however it is used', async () => {
    for (const everyMs of [1, 100, 900, 1_999, 2_000, 3_999]) {
      const { check, issue, change, scene } = setUp()
      const key = issue('key_1')
      await check(key)
      change(key, { revokedAt: '2026-03-01T12:00:00.000000Z' })
      for (let passed = 0; passed < limits.keyCachedMs; passed += everyMs) {
        scene.pass(everyMs)
        await check(key)
        await Promise.resolve()
      }
      expect((await check(key)).kind, `asked every ${everyMs} ms`).not.toBe('known')
    }
  })

  test('counts as revoked also when the database is ahead of our clock', async () => {
    const { check, issue } = setUp()
    expect(await check(issue('key_1', { revokedAt: '2026-03-01T12:00:03.000000Z' }))).toEqual(refused)
  })

  test('is refused at once after a notice, even if an older answer is still on its way', async () => {
    const { check, issue, change, keys, scene } = setUp()
    const key = issue('key_1')
    await check(key)
    change(key, { revokedAt: '2026-03-01T12:00:00.000000Z' })
    keys.forget('key_1')
    expect(await check(key)).toEqual(refused)

    const other = issue('key_2')
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = scene.table.get(other)!
    scene.find = () => promise.then(() => before)
    const early = check(other)
    change(other, { revokedAt: '2026-03-01T12:00:00.000000Z' })
    keys.forget('key_2')
    scene.find = async key => scene.table.get(key) ?? null
    const late = check(other)
    resolve()
    expect(await early).toMatchObject({ kind: 'known' })
    expect(await late).toEqual(refused)
    expect(await check(other)).toEqual(refused)
  })

  test('is refused from the instant at which it expires, cached or not', async () => {
    const { check, issue, scene } = setUp()
    const key = issue('key_1', { expiresAt: '2026-03-01T12:00:01.500000Z' })
    expect(await check(key)).toMatchObject({ kind: 'known' })
    scene.pass(1_499)
    expect(await check(key)).toMatchObject({ kind: 'known' })
    scene.pass(1)
    expect(check(key)).toEqual(refused)
    scene.pass(10_000)
    expect(await check(key)).toEqual(refused)
  })

  test('learns of a changed plan while it is in use, without anybody waiting', async () => {
    const { check, issue, change, scene } = setUp()
    const key = issue('key_1')
    await check(key)
    change(key, { rateLimit: 600 })
    scene.pass(limits.keyRefreshMs)
    expect(check(key)).not.toBeInstanceOf(Promise)
    await Promise.resolve()
    await new Promise(setImmediate)
    expect(check(key)).toMatchObject({ access: { rateLimit: 600 } })
    expect(scene.asked).toBe(2)
  })

  test('is read again together with all others that are in use, and with none that is not', async () => {
    const { check, issue, change, scene } = setUp()
    const keys = Array.from({ length: 100 }, (_, i) => issue(`key_${i}`))
    for (const key of keys) {
      await check(key)
      scene.pass(5)
    }
    const asked: string[] = []
    scene.find = async key => {
      asked.push(key)
      return scene.table.get(key) ?? null
    }
    scene.asked = 0
    scene.pass(limits.keyRefreshMs)
    change(keys[7]!, { rateLimit: 600 })
    change(keys[8]!, { revokedAt: '2026-03-01T12:00:00.000000Z' })
    check(keys[0]!)
    await new Promise(setImmediate)
    expect(scene.asked).toBe(1)
    expect(asked).toEqual(keys)
    expect(check(keys[7]!)).toMatchObject({ access: { rateLimit: 600 } })
    expect(await check(keys[8]!)).toEqual(refused)

    asked.length = 0
    scene.pass(limits.keyRefreshMs)
    check(keys[0]!)
    await new Promise(setImmediate)
    expect(asked).toEqual([keys[0], keys[7]])
  })

  test('keeps working while another one is forgotten during a re-read', async () => {
    const { check, issue, keys, scene } = setUp()
    const [key, other] = [issue('key_1'), issue('key_2')]
    await check(key)
    await check(other)
    const { promise, resolve } = Promise.withResolvers<void>()
    scene.find = asked => promise.then(() => scene.table.get(asked) ?? null)
    scene.pass(limits.keyRefreshMs)
    check(key)
    keys.forget('key_2')
    resolve()
    await new Promise(setImmediate)
    expect(check(key)).toMatchObject({ kind: 'known' })
  })
})

describe('without the database', () => {
  test('keys read a moment ago work, others are asked to try again, and all work when it is back', async () => {
    const { check, issue, scene } = setUp()
    const known = issue('key_1')
    const other = issue('key_2')
    await check(known)
    const { find } = scene
    scene.find = () => Promise.reject(new Error('ECONNREFUSED'))
    scene.pass(limits.keyCachedMs - 1)
    expect(check(known)).toMatchObject({ kind: 'known' })
    await expect(check(other)).rejects.toThrow(Refusal)
    await expect(check(other)).rejects.toMatchObject({ kind: 'unavailable' })
    scene.pass(1)
    await expect(check(known)).rejects.toMatchObject({ kind: 'unavailable' })
    scene.find = find
    expect(await check(known)).toMatchObject({ kind: 'known' })
    expect(await check(other)).toMatchObject({ kind: 'known' })
    expect(scene.reports).toEqual(['away: ECONNREFUSED', 'back: keys can be looked up'])
  })

  test('nobody waits longer than the limit for a database that does not answer', async () => {
    vi.useFakeTimers()
    const { check, issue, scene } = setUp()
    scene.find = () => new Promise(() => {})
    const waiting = Array.from({ length: 20 }, (_, i) => check(issue(`key_${i}`)))
    const ends = Promise.allSettled(waiting)
    await vi.advanceTimersByTimeAsync(limits.keyLookUpMs)
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } })
  })

  test('an attempt is not counted where it is not known whether it failed', async () => {
    const { scene, check } = setUp()
    const { find } = scene
    scene.find = () => Promise.reject(new Error('away'))
    for (const key of wrongKeys(limits.failedAttemptsPerMinute + 5)) await expect(check(key)).rejects.toThrow(Refusal)
    scene.find = find
    expect(await isServedInTurn(scene)).toBe(true)
  })
})

describe('guessing', () => {
  test('is always refused alike, however many keys of the address failed before', async () => {
    const { check } = setUp()
    for (const key of wrongKeys(limits.failedAttemptsPerMinute + 5)) expect(await check(key)).toEqual(refused)
    expect(check('asz_live_nonsense')).toEqual(refused)
  })

  test('never shuts out a valid key of the same address, looked up or cached', async () => {
    const { check, issue, scene } = setUp()
    const key = issue('key_1')
    for (const wrong of wrongKeys(limits.failedAttemptsPerMinute + 10)) await check(wrong)
    expect(await check(key)).toMatchObject({ kind: 'known' })
    expect(check(key)).toMatchObject({ kind: 'known' })
    scene.pass(limits.keyCachedMs)
    expect(await check(key)).toMatchObject({ kind: 'known' })
  })

  test('does not delay the keys of other addresses: many wrong keys wait behind them for a minute', async () => {
    const { check, scene } = setUp()
    for (const wrong of wrongKeys(limits.failedAttemptsPerMinute)) await check(wrong)
    expect(await isServedInTurn(scene)).toBe(false)
    expect(await isServedInTurn(scene, '198.51.100.1')).toBe(true)
    scene.pass(60_000)
    expect(await isServedInTurn(scene)).toBe(true)
  })

  test('is not counted for a request without a header', async () => {
    const { keys, scene } = setUp()
    for (let i = 0; i < limits.failedAttemptsPerMinute * 2; i++)
      expect(keys.check(['Host', 'x'], address, scene.nowMs)).toEqual(refused)
    expect(await isServedInTurn(scene)).toBe(true)
  })
})

let crowds = 0

/** Whether a key of the address that comes before most of a crowd from another address is looked up before them. */
async function isServedInTurn(scene: ReturnType<typeof setUp>['scene'], from = address): Promise<boolean> {
  const { find } = scene
  scene.find = async wanted => {
    await new Promise(setImmediate)
    return find(wanted)
  }
  const key = scene.issue('key_in_line')
  const order: string[] = []
  const ask = async (asked: string, of: string) => {
    await scene.check(asked, of)
    order.push(asked)
  }
  const [first, later] = [wrongKeys(limits.keyLookUps), wrongKeys(100)]
  const crowd = `203.0.113.${++crowds}`
  await Promise.all([...first.map(each => ask(each, crowd)), ask(key, from), ...later.map(each => ask(each, crowd))])
  scene.find = find
  return order.indexOf(key) < limits.keyLookUps * 2
}

describe('the last use', () => {
  test('is written in one go after a few seconds, the newest time of each key', async () => {
    vi.useFakeTimers()
    const { check, issue, scene } = setUp()
    const one = issue('key_1')
    const two = issue('key_2')
    await check(one)
    scene.pass(1_000)
    await check(one)
    await check(two)
    expect(scene.written).toEqual([])
    await vi.advanceTimersByTimeAsync(limits.keyUseWriteMs)
    const uses = [
      { id: 'key_1', at: '2026-03-01T12:00:01.000000Z' },
      { id: 'key_2', at: '2026-03-01T12:00:01.000000Z' },
    ]
    expect(scene.written).toEqual(uses)
    await vi.advanceTimersByTimeAsync(limits.keyUseWriteMs * 3)
    expect(scene.written).toEqual(uses)
  })

  test('is written at the end, and is not lost where a write failed', async () => {
    vi.useFakeTimers()
    const { check, issue, keys, scene } = setUp()
    const key = issue('key_1')
    await check(key)
    scene.flushFails = true
    await vi.advanceTimersByTimeAsync(limits.keyUseWriteMs)
    expect(scene.written).toEqual([])
    scene.flushFails = false
    await keys.close()
    expect(scene.written).toEqual([{ id: 'key_1', at: '2026-03-01T12:00:00.000000Z' }])
  })
})

describe('memory', () => {
  test('keeps no key: none of 1,000 is in the text of the heap (F15)', () => {
    // The keys come from a seeded draw, so the process can drop them and make them again to look for.
    const script = `
      import { createHash } from 'node:crypto'
      import { readFileSync, rmSync } from 'node:fs'
      import { writeHeapSnapshot } from 'node:v8'
      import { KeyCheck } from '${import.meta.dirname}/key-check.ts'
      import { makeKey } from '${import.meta.dirname}/../../storage/workspaces/key-format.ts'
      function draw(visit) {
        let state = 20260301
        const pick = below => Math.floor(((state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32) * below)
        const keys = []
        for (let i = 0; i < 1000; i++) keys.push(visit(makeKey(pick), i))
        return keys
      }
      const known = { workspaceId: 'w', workspaceSlug: 'w', rateLimit: 60, workspaceRateLimit: 600, name: '', expiresAt: null, revokedAt: null }
      const keys = new KeyCheck({
        digests: key => [createHash('sha256').update(key).digest()],
        isCurrent: () => true,
        find: async asked => asked.map(() => ({ id: 'key', ...known })),
        uses: { note() {}, async flush() {} },
        wallMs: Date.now,
        report() {},
      })
      const check = key => keys.check(['Authorization', 'Bearer ' + key], '192.0.2.1', performance.now())
      const answers = await Promise.all(draw(check))
      const isKnown = answers.every(({ kind }) => kind === 'known') && !(draw(check)[999] instanceof Promise)
      await new Promise(resolve => setTimeout(resolve, 50))
      gc()
      const file = writeHeapSnapshot()
      const heap = readFileSync(file, 'latin1')
      rmSync(file)
      const hits = draw(key => heap.includes(key.slice(9, 41))).filter(isHit => isHit).length
      console.log(JSON.stringify({ isKnown, hits, sees: heap.includes('asz_live_') }))
      await keys.close()`
    const args = ['--expose-gc', '--input-type=module', '--eval', script]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: tmpdir() })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ isKnown: true, hits: 0, sees: true })
  })
})
