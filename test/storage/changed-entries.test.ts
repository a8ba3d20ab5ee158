// What a rewriting by SQL alone leaves behind when every plain hash and the tree in the clock fit again: which entries are not in the tree
// under the keyed head, and that the instants of entries are under it as well.
import { describe, expect, test } from 'vitest'
import { appending } from '../../src/storage/log/append.ts'
import { loadFactsOf } from '../../src/storage/log/chain-contents.ts'
import { findChangedEntries } from '../../src/storage/log/changed-entries.ts'
import { type Transaction, withWorkspace } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { createSeries } from '../../src/storage/series/own-series.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { foldInstants } from '../support/proof/scope-instants.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

const forging = (work: (tx: Transaction) => Promise<unknown>) =>
  db.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await work(tx)
  })

/** A workspace with so many entries, each about another series, recorded together. */
async function filled(count: number): Promise<string> {
  const { id } = await makeWorkspace(db)
  const series = Array.from({ length: count }, (_, i) => ({
    id: makeIdentifier('ser'),
    provider: 'CUSTOM',
    code: `many ${i}`,
    name: '',
    unit: '',
    description: '',
    dataType: 'INDEX' as const,
    frequency: 'MONTHLY' as const,
  }))
  await appending(db.sql, id, (tx, log) => createSeries(tx, log, series))
  return id
}

/** The rows of an entry, and its content hash with them. */
async function rename(scope: string, seq: number, name: string): Promise<void> {
  await forging(async tx => {
    await tx`update series_metadata set name = ${name} where owner = ${scope} and seq = ${seq}`
    const [found] = (await loadFactsOf(tx, scope, () => null)).get(seq)!
    await tx`update publication set content_hash = ${found!.hash} where scope = ${scope} and seq = ${seq}`
  })
}

const changedIn = async (scope: string) => (await findChangedEntries(db.owner, scope)).map(({ seq }) => seq)

describe('an entry that was changed with its hash', () => {
  test('is the one that is named where it is in a whole tile, and else within the smallest subtree that is known', async () => {
    // A whole tile of 256, and subtrees of 32, 8 and 4.
    const scope = await filled(300)
    expect(await changedIn(scope)).toEqual([])
    await rename(scope, 10, 'other')
    expect(await changedIn(scope)).toEqual([10])
    expect((await verifyChain(db.owner, scope)).problem).not.toBeNull()
    await rename(scope, 10, '')
    await rename(scope, 290, 'other')
    expect(await changedIn(scope)).toEqual([289, 290, 291, 292, 293, 294, 295, 296])
    expect((await verifyChain(db.owner, scope)).problem).not.toBeNull()
    await rename(scope, 290, '')
    expect(await changedIn(scope)).toEqual([])
    expect((await verifyChain(db.owner, scope)).problem).toBeNull()
  })

  test('is among all of them where the tiles or the head were changed too', async () => {
    const scope = await filled(260)
    const all = Array.from({ length: 260 }, (_, i) => i + 1)
    await forging(
      tx =>
        tx`update log_tile set hashes = substring(hashes from 33) || substring(hashes for 32) where scope = ${scope}`,
    )
    expect(await changedIn(scope)).toEqual([])
    await rename(scope, 10, 'other')
    expect(await changedIn(scope)).toEqual(all.slice(0, 256))
    await forging(tx => tx`update scope_clock set head = substring(head for 4) || sha256(head) where scope = ${scope}`)
    expect(await changedIn(scope)).toEqual(all)
  })
})

test('instants that were moved everywhere, with the digest over them, are found by the head', async () => {
  const { id: scope } = await makeWorkspace(db)
  const series = await makeSeries(db.sql, scope, 'moved')
  await publishRows(db.sql, scope, series, [{ period: 1, value: '1' }])
  await publishRows(db.sql, scope, series, [{ period: 2, value: '2' }])
  const problem = async () => (await verifyChain(db.owner, scope)).problem?.message ?? null
  const move = (by: string) =>
    forging(async tx => {
      await tx`update vintage set published_at = published_at + ${by}::interval, recorded_at = recorded_at + ${by}::interval
        where owner = ${scope} and seq = 3`
      await tx`update publication set recorded_at = recorded_at + ${by}::interval where scope = ${scope} and seq = 3`
    })
  const digest = async () => {
    const instants = await withWorkspace(db.owner, scope, tx => foldInstants(tx, scope))
    await forging(tx => tx`update scope_clock set instants = ${instants} where scope = ${scope}`)
  }
  expect(await problem()).toBeNull()
  await move('-1 microsecond')
  expect(await problem()).toContain('recorded at another time')
  await digest()
  expect(await problem()).toBe('the head of this chain was changed')
  await move('1 microsecond')
  await digest()
  expect(await problem()).toBeNull()
})
