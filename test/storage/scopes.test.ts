// Scopes in parallel: what one workspace publishes, however long it takes, delays nobody else's publications, answers
// or connections.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { appending, entryChannel, loadNewest, type Notice, readNotice, settle } from '../../src/storage/log/append.ts'
import { openApplication, openListener, publicScope, withWorkspace } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { createSeries } from '../../src/storage/series/own-series.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows, seriesCalled } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

const now = () => new Date().toISOString().replace('Z', '000Z')

/** A publication that has its instant and is not committed until the test allows it. */
async function hold(scope: string): Promise<{ recordedAt: string; finish: () => Promise<void> }> {
  const begun = Promise.withResolvers<string>()
  const held = Promise.withResolvers<void>()
  const pool = openApplication(db.target, { connections: 1 })
  const ended = appending(pool, scope, async (_, log) => {
    begun.resolve(log.recordedAt)
    await held.promise
  })
  ended.catch(begun.reject)
  return {
    recordedAt: await begun.promise,
    async finish() {
      held.resolve()
      await ended
      await pool.end()
    },
  }
}

describe('while one workspace publishes for long', () => {
  test('others publish, settle instants and follow at once', async () => {
    const [busy, quiet] = [await makeWorkspace(db), await makeWorkspace(db)]
    const { finish } = await hold(busy.id)
    try {
      await makeSeries(db.sql, quiet.id, 'quiet')
      await makeSeries(db.sql, publicScope, `public ${quiet.id}`)
      for (const scope of [quiet.id, publicScope]) await settle(db.sql, scope, now())
      await expect(settle(db.sql, busy.id, now())).rejects.toMatchObject({ kind: 'unavailable' })
    } finally {
      await finish()
    }
  })

  test('its readers wait without holding a connection', async () => {
    const busy = await makeWorkspace(db)
    const pool = openApplication(db.target, { connections: 1 })
    const { finish } = await hold(busy.id)
    const waiting = settle(pool, busy.id, now())
    // Behind it in the line for the only connection.
    expect(await pool`select 1 as one`).toEqual([{ one: 1 }])
    await finish()
    await waiting
    await pool.end()
  })

  test('its people use their share of the connections and leave the others theirs', async () => {
    const [busy, quiet] = [await makeWorkspace(db), await makeWorkspace(db)]
    const pool = openApplication(db.target, { connections: 3, share: 2 })
    const { finish } = await hold(busy.id)
    // Five saves that have to wait for the import of their own workspace.
    const saves = Array.from({ length: 5 }, (_, i) => makeSeries(pool, busy.id, `save ${i}`))
    await sleep(50)
    await makeSeries(pool, quiet.id, 'quiet')
    await finish()
    expect(new Set(await Promise.all(saves)).size).toBe(5)
    await pool.end()
  })
})

describe('publications of two scopes that become visible in another order than they were recorded', () => {
  test('are both found by a reader that has seen one of them', async () => {
    const [first, second] = [await makeWorkspace(db), await makeWorkspace(db)]
    const id = await makeSeries(db.sql, first.id, 'late')
    const before = await loadNewest(db.sql, null)
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const late = appending(db.sql, first.id, async (_, log) => {
      await log.append('metadata', id, seriesCalled(id, 'late'))
      begun.resolve()
      await held.promise
    })
    await begun.promise
    await makeSeries(db.sql, second.id, 'early')
    const between = await loadNewest(db.sql, [first.id, second.id])
    expect(between.get(first.id)).toBe(before.get(first.id))
    held.resolve()
    await late
    const after = await loadNewest(db.sql, [first.id, second.id])
    expect(after.get(first.id)! > between.get(first.id)!).toBe(true)
    expect(after.get(second.id)).toBe(between.get(second.id))
  })
})

describe('many publications at once', () => {
  test('are announced as one, and few as one each', async () => {
    const workspace = await makeWorkspace(db)
    const heard: Notice[] = []
    const onNotice = (_channel: string, payload: string) => void heard.push(readNotice(payload))
    const listening = await openListener(db.target, [entryChannel], { onNotice, onClose: () => {} })
    const series = Array.from({ length: 300 }, (_, i) => ({
      id: makeIdentifier('ser'),
      provider: 'CUSTOM',
      code: `many ${i}`,
      name: '',
      unit: '',
      description: '',
      dataType: 'INDEX' as const,
      frequency: 'MONTHLY' as const,
    }))
    await appending(db.sql, workspace.id, (tx, log) => createSeries(tx, log, series))
    await appending(db.sql, workspace.id, (tx, log) =>
      createSeries(
        tx,
        log,
        series.slice(0, 3).map(each => ({ ...each, id: makeIdentifier('ser'), code: `few ${each.code}` })),
      ),
    )
    const ownHeard = () => heard.filter(({ scope }) => scope === workspace.id)
    await expect.poll(() => ownHeard().at(-1)?.seq).toBe(303)
    await listening.end()
    const own = ownHeard()
    expect(own[0]).toEqual({ seq: 300, scope: workspace.id, kind: 'all' })
    expect(own.slice(1).map(({ seq, kind }) => [seq, kind])).toEqual([301, 302, 303].map(seq => [seq, 'metadata']))
  })
})

describe('a transaction that publishes', () => {
  test('and does not grow its tree cannot commit', async () => {
    const workspace = await makeWorkspace(db)
    const bare = withWorkspace(db.sql, workspace.id, async tx => {
      await tx`select * from begin_publication()`
      await tx`select * from append_publications('metadata', array['ser_00000000000000000000000003'], array[sha256('x')])`
    })
    await expect(bare).rejects.toThrow('outside its tree')
  })

  test('refuses to continue from a chain whose end was cut off', async () => {
    const workspace = await makeWorkspace(db)
    const id = await makeSeries(db.sql, workspace.id, 'cut')
    await publishRows(db.sql, workspace.id, id, [{ period: 1, value: '1' }])
    await db.owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`delete from vintage where owner = ${workspace.id}`
      await tx`delete from publication where scope = ${workspace.id} and seq = 2`
      const [first] = await tx<{ leaf: Buffer }[]>`
        select sha256('\\x00'::bytea || convert_to(seq || '|' || kind || '|' || subject || '|' || encode(content_hash, 'hex'), 'UTF8'))
          as leaf from publication where scope = ${workspace.id}`
      await tx`
        update scope_clock set seq = 1, covered_seq = 1, tree_size = 1, tree_edge = ${first!.leaf} where scope = ${workspace.id}`
    })
    const next = publishRows(db.sql, workspace.id, id, [{ period: 2, value: '2' }])
    await expect(next).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('verify --chain') })
  })

  test('needs the secrets of the installation', async () => {
    const workspace = await makeWorkspace(db)
    const { ring: _, ...place } = db.target
    const pool = openApplication(place as typeof db.target, { connections: 1 })
    await expect(makeSeries(pool, workspace.id, 'x')).rejects.toThrow('without the secrets of the installation')
    await pool.end()
  })
})
