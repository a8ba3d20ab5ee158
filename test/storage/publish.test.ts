import { beforeAll, describe, expect, test } from 'vitest'
import { parseInstant } from '../../src/core/time/instant.ts'
import { appending, entryChannel, loadNewest, type Notice, readNotice, settle } from '../../src/storage/log/append.ts'
import { openApplication, openListener, withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyAllChains, verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows, seriesCalled } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

let workspace: Workspace
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
})

/** The newest publication of the workspace that is visible to everybody. */
const newest = async (sql = db.sql) => (await loadNewest(sql, [workspace.id])).get(workspace.id)!
const now = () => new Date().toISOString().replace('Z', '000Z')
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

describe('eight publishers at once', () => {
  test('get a gapless sequence, growing instants, and appear in that order', async () => {
    const series = await Promise.all(
      Array.from({ length: 8 }, (_, i) => makeSeries(db.sql, workspace.id, `writer-${i}`)),
    )
    const before = await newest()
    const watcher = openApplication(db.target, { connections: 1 })
    const sightings: number[] = []
    let watching = true
    const watch = (async () => {
      while (watching) sightings.push(await newest(watcher))
    })()
    await Promise.all(
      series.map(async (id, writer) => {
        const pool = openApplication(db.target, { connections: 1 })
        for (let round = 0; round < 12; round++) {
          await publishRows(pool, workspace.id, id, [{ period: 24_000 + round, value: `${writer}.${round}` }])
          if ((round + writer) % 3 === 0) await pause(3)
        }
        await pool.end()
      }),
    )
    watching = false
    await watch
    await watcher.end()
    const rows = await db.owner<{ seq: number; recorded_at: string }[]>`
      select seq, recorded_at from publication where scope = ${workspace.id} and seq > ${before} order by seq`
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 96 }, (_, i) => before + 1 + i))
    for (let i = 1; i < rows.length; i++) expect(rows[i]!.recorded_at > rows[i - 1]!.recorded_at).toBe(true)
    expect(sightings).toEqual([...sightings].sort((a, b) => a - b))
    expect(await verifyChain(db.sql, workspace.id)).toMatchObject({ problem: null })
  })
})

describe('the clock', () => {
  test('never goes back, even when the machine’s does', async () => {
    // As if the last publication had been made by a clock a minute ahead.
    await db.owner`update scope_clock set settled_at = clock_timestamp() + interval '1 minute' where scope = ${workspace.id}`
    const [ahead] = await db.owner<{ settled_at: string }[]>`
      select settled_at from scope_clock where scope = ${workspace.id}`
    const id = await makeSeries(db.sql, workspace.id, 'after the jump')
    const [row] = await db.owner<{ created_at: string }[]>`select created_at from series where id = ${id}`
    expect(row!.created_at > ahead!.settled_at).toBe(true)
    workspace = await makeWorkspace(db)
  })

  test('gives one instant to all publications of a transaction', async () => {
    const instants = await appending(db.sql, workspace.id, async (tx, log) => {
      const ids = ['ser_00000000000000000000000001', 'ser_00000000000000000000000002']
      for (const id of ids) await log.append('metadata', id, seriesCalled(id, id))
      return tx<
        { recorded_at: string }[]
      >`select distinct recorded_at from publication where scope = ${workspace.id} and seq > ${log.lastSeq}`
    })
    expect(instants).toHaveLength(1)
    expect(parseInstant(instants[0]!.recorded_at)).toBe(instants[0]!.recorded_at)
  })

  test('refuses a publication that did not wait for its turn', async () => {
    const append = withWorkspace(
      db.sql,
      workspace.id,
      tx =>
        tx`select * from append_publications('metadata', array['ser_00000000000000000000000003'], array[sha256('x')])`,
    )
    await expect(append).rejects.toThrow('without begin_publication')
  })

  test('reuses sequence numbers of a transaction that failed', async () => {
    const before = await newest()
    const failing = appending(db.sql, workspace.id, async (_, log) => {
      await log.append('metadata', 'ser_00000000000000000000000004', seriesCalled('', 'failed'))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await newest()).toBe(before)
  })
})

describe('an instant that was answered for', () => {
  test('waits for a publication under way, and nothing is recorded at or before it afterwards', async () => {
    let finish = () => {}
    const held = new Promise<void>(resolve => {
      finish = resolve
    })
    let recorded = ''
    let begun = () => {}
    const started = new Promise<void>(resolve => {
      begun = resolve
    })
    const slow = appending(db.sql, workspace.id, async (_, log) => {
      recorded = log.recordedAt
      begun()
      await held
      await log.append('metadata', 'ser_00000000000000000000000005', seriesCalled('', 'slow'))
    })
    await started
    await pause(20)
    const at = now()
    let settled = false
    const waiting = settle(db.sql, workspace.id, at).then(() => {
      settled = true
    })
    await pause(100)
    expect(settled).toBe(false)
    finish()
    await slow
    await waiting
    expect(recorded <= at).toBe(true)
    const next = await appending(db.sql, workspace.id, async (_, log) => log.recordedAt)
    expect(next > at).toBe(true)
  })

  test('is refused with a sentence when a publication takes longer than a reader may wait', async () => {
    let finish = () => {}
    const held = new Promise<void>(resolve => {
      finish = resolve
    })
    let begun = () => {}
    const started = new Promise<void>(resolve => {
      begun = resolve
    })
    const slow = appending(db.sql, workspace.id, async () => {
      begun()
      await held
    })
    await started
    await expect(settle(db.sql, workspace.id, now())).rejects.toMatchObject({ kind: 'unavailable' })
    finish()
    await slow
  })

  test('that has not come yet is refused', async () => {
    await expect(settle(db.sql, workspace.id, '2999-01-01T00:00:00.000000Z')).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('closes everything up to now, permanently', async () => {
    const first = await settle(db.sql, workspace.id, now())
    await pause(2)
    const second = await settle(db.sql, workspace.id, now())
    expect(second > first).toBe(true)
    expect(await settle(db.sql, workspace.id, first)).toBe(second)
  })
})

describe('listeners', () => {
  test('get the number, the scope, the kind and the subject', async () => {
    const heard: Notice[] = []
    const onNotice = (_channel: string, payload: string) => void heard.push(readNotice(payload))
    const listening = await openListener(db.target, [entryChannel], { onNotice, onClose: () => {} })
    const id = await makeSeries(db.sql, workspace.id, 'heard')
    await pause(100)
    await listening.end()
    const seq = await newest()
    expect(heard).toEqual([{ seq, scope: workspace.id, kind: 'metadata', subject: id }])
  })
})

describe('the chain', () => {
  test('shows what was changed, removed or inserted', async () => {
    const fresh = await makeWorkspace(db)
    const id = await makeSeries(db.sql, fresh.id, 'chained')
    await publishRows(db.sql, fresh.id, id, [{ period: 1, value: '1' }])
    await publishRows(db.sql, fresh.id, id, [{ period: 2, value: '2', flag: 'e|p' }])
    expect(await verifyChain(db.sql, fresh.id)).toMatchObject({ publications: 3, problem: null })
    // Each in a transaction that is rolled back, with the triggers off: what a malicious operator could do.
    const tamper = async (statement: string) => {
      await db.owner.unsafe(`alter table vintage disable trigger user; alter table publication disable trigger user;
        alter table series_metadata disable trigger user`)
      await db.owner.unsafe(statement.replaceAll('$w', `'${fresh.id}'`))
      const { problem } = await verifyChain(db.sql, fresh.id)
      return problem?.message
    }
    expect(await tamper(`update vintage set value = '7' where owner = $w and period = 1`)).toContain('were changed')
    expect(await tamper(`update vintage set value = '1' where owner = $w and period = 1`)).toBeUndefined()
    expect(await tamper(`update series_metadata set name = 'other' where owner = $w`)).toContain('were changed')
    expect(await tamper(`update series_metadata set name = 'chained' where owner = $w`)).toBeUndefined()
    expect(
      await tamper(`update vintage set recorded_at = recorded_at + interval '1 us' where owner = $w and period = 2`),
    ).toContain('were changed')
    expect(await tamper(`delete from vintage where owner = $w and period = 2`)).toContain('are gone')
    expect(
      await tamper(
        `delete from publication where scope = $w and seq = (select max(seq) from publication where scope = $w)`,
      ),
    ).toContain('are gone')
    const reports = await verifyAllChains(db.owner)
    expect(reports.some(({ problem }) => problem !== null)).toBe(true)
  })
})
