// Corrections in the database: nobody sees another's, rows are only added and sealed, the chain covers all of them, a
// changed row is found, and a backup restores everything with the same answers.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseDay } from '../../src/core/time/day.ts'
import type { ShownCorrection } from '../../src/read/agreements/correction-view.ts'
import { openOwner, type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { createBackup } from '../../src/storage/upkeep/backup.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { restoreBackup } from '../../src/storage/upkeep/restore.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { ownHouse } from '../support/houses/house.ts'
import { billedInQ2, finalMarch, openTrueUpHouse } from '../support/houses/true-up-house.ts'
import { longTest } from '../support/run/long-test.ts'
import { openBareDatabase } from '../support/run/postgres.ts'

let other: string
let id: string
const tables = ['correction', 'correction_signature', 'correction_refusal', 'correction_note'] as const
const time = { knownAt: null, until: parseDay('2026-11-16')! }
const sql = () => ground.house.installation.sql
const owner = () => ground.house.installation.owner

const ground = ownHouse(() => openTrueUpHouse({ corrections: '{ when: EACH }' }))
beforeAll(async () => {
  other = (await createWorkspace(owner(), { slug: 'other-one' })).id
  await ground.importLines(billedInQ2)
  await ground.importFigures(finalMarch)
  const first = await ground.json<ShownCorrection>('correction', 'propose', 'steel-brackets')
  const supplier = ['--party', 'supplier', '--as', 'sam@supplier.test'] as const
  await ground.json('correction', 'refuse', first.id, ...supplier, '--reason', 'not yet')
  id = (await ground.json<ShownCorrection>('correction', 'propose', 'steel-brackets')).id
  await ground.json('correction', 'sign', id, '--party', 'buyer', '--as', 'ann@buyer.test')
  await ground.json('correction', 'sign', id, ...supplier)
  await ground.json('correction', 'note', id, '--number', 'CN-1', '--date', '2024-09-01')
})

describe('what belongs to one workspace', () => {
  test('is seen by no other, whatever the query', async () => {
    for (const table of tables) {
      const count = (workspace: string) =>
        withWorkspace(sql(), workspace, tx => tx`select 1 from ${tx(table)}`.then(rows => rows.length))
      expect(await count(ground.workspace.id), table).toBeGreaterThan(0)
      expect(await count(other), table).toBe(0)
    }
    expect(await ground.library().corrections.find(other, id, time)).toBeNull()
  })

  test('is added and never changed or removed', async () => {
    for (const table of tables) {
      const mine = (work: Parameters<typeof withWorkspace>[2]) => withWorkspace(sql(), ground.workspace.id, work)
      await expect(
        mine(tx => tx`delete from ${tx(table)}`),
        table,
      ).rejects.toThrow('permission denied')
      await expect(
        mine(tx => tx`update ${tx(table)} set seq = seq`),
        table,
      ).rejects.toThrow('permission denied')
    }
  })

  test('is signed by nobody for both sides, in the database itself', async () => {
    const insert = withWorkspace(
      sql(),
      ground.workspace.id,
      tx => tx`
        insert into correction_signature (workspace_id, correction_id, party, signed_by, signed_at, signing_id, seq, seal)
        select workspace_id, correction_id, case party when 'buyer' then 'supplier' else 'buyer' end, 'x@y.test', signed_at,
          signing_id, seq, seal from correction_signature limit 1`,
    )
    await expect(insert).rejects.toThrow(/duplicate key|for the other side/)
  })
})

describe('what is published', () => {
  test('is in the chain under its kind', async () => {
    const rows = await withWorkspace(
      sql(),
      ground.workspace.id,
      tx => tx<{ kind: string }[]>`select kind from publication where kind like 'correction%' order by seq`,
    )
    expect(rows.map(({ kind }) => kind)).toEqual([
      'correction',
      'correction-refusal',
      'correction',
      'correction-signature',
      'correction-signature',
      'correction-note',
    ])
    expect((await verifyChain(sql(), ground.workspace.id)).problem).toBeNull()
  })

  test.each([
    ['correction', 'proposed_by', 'correction'],
    ['correction', 'body', 'correction'],
    ['correction_signature', 'signed_by', 'correction-signature'],
    ['correction_refusal', 'reason', 'correction-refusal'],
    ['correction_note', 'number', 'correction-note'],
  ] as const)('shows a changed %s.%s, and nothing is answered from it', async (table, column, kind) => {
    const change = (expression: string) =>
      owner().begin(async tx => {
        await tx`alter table ${tx(table)} disable trigger user`
        await tx.unsafe(
          `update assize.${table} set ${column} = ${expression} where workspace_id = '${ground.workspace.id}'`,
        )
        await tx`alter table ${tx(table)} enable trigger user`
      })
    const brokenNow = async () =>
      (await ground.library().trueUps.find(ground.workspace.id, 'steel-brackets', time))!.standing.broken
    await change(`${column} || 'x'`)
    const { problem } = await verifyChain(sql(), ground.workspace.id)
    const broken = await brokenNow().catch(error => error)
    await change(`left(${column}, -1)`)
    expect(problem?.message).toContain(column === 'body' ? '' : kind)
    expect(problem).not.toBeNull()
    expect(broken).not.toBeNull()
    expect((await verifyChain(sql(), ground.workspace.id)).problem).toBeNull()
    expect(await brokenNow()).toBeNull()
  })
})

longTest('restores', 'a backup restores proposals, signatures, refusals and notes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assize-corrections-'))
  const bare = await openBareDatabase()
  const restored = openOwner(bare.target)
  try {
    const file = join(folder, 'all.backup')
    await createBackup(owner(), file, null)
    await restoreBackup(restored, file, ground.house.installation.ring)
    // Others write to the same database meanwhile.
    const rowsOf = (from: Sql) =>
      Promise.all(
        tables.map(
          table => from`
            select t::text as row from ${from(table)} t where workspace_id = ${ground.workspace.id} order by seq`,
        ),
      ).then(all => JSON.stringify(all))
    const brought = await rowsOf(restored)
    expect(brought).toBe(await rowsOf(owner()))
    expect(brought).toContain('CN-1')
  } finally {
    await restored.end()
    await bare.close()
    await rm(folder, { recursive: true })
  }
})
