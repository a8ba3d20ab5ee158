// A database from before links were keyed: its chains are put under a keyed link as they are, once, and continue from
// there.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashContent } from '../../src/storage/log/content.ts'
import { findUnlinked } from '../../src/storage/log/linked.ts'
import { checkSecret, deriveKey, refuseOtherSecret } from '../../src/storage/log/secret.ts'
import { metadataContent } from '../../src/storage/log/series-kinds.ts'
import { openApplication, openOwner, type Sql } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { verifyAllChains, verifyChain } from '../../src/storage/upkeep/chain.ts'
import { migrate, readMigrations } from '../../src/storage/upkeep/migrate.ts'
import { publishRows } from '../support/houses/workspace.ts'
import { openBareDatabase, type TestDatabase, testSecret } from '../support/run/postgres.ts'

let bare: Pick<TestDatabase, 'target' | 'close'>
let owner: Sql
let sql: Sql
const workspace = makeIdentifier('wsp')
const series = makeIdentifier('ser')

/** As an older version published: the name of the series, then another one, each with a hash of the one before it. */
async function publishAsBefore(name: string): Promise<void> {
  const facts = {
    provider: 'CUSTOM',
    code: 'old',
    name,
    unit: '',
    dataType: 'INDEX',
    frequency: 'MONTHLY',
    description: '',
  }
  await owner.begin(async tx => {
    await tx`select set_config('assize.workspace', ${workspace}, true)`
    const [begun] = await tx<{ recorded_at: string }[]>`select recorded_at from begin_publication()`
    const [row] = await tx<{ seq: number }[]>`
      select seq from append_publications('metadata', array[${series}], array[${hashContent(metadataContent(facts), null)}::bytea])`
    await tx`insert into series values (${workspace}, ${series}, 'CUSTOM', 'old', ${begun!.recorded_at}) on conflict do nothing`
    await tx`insert into series_metadata values (${workspace}, ${series}, ${row!.seq}, ${name}, '', 'INDEX', 'MONTHLY', '',
      ${begun!.recorded_at})`
  })
}

beforeAll(async () => {
  bare = await openBareDatabase()
  owner = openOwner(bare.target)
  sql = openApplication(bare.target)
  await migrate(owner, await readMigrations(), 7)
  const mark = createHmac('sha256', deriveKey(testSecret, 'check')).update('assize').digest()
  await owner`insert into installation (secret_check) values (${mark})`
  await owner`insert into workspace (id, slug, name) values (${workspace}, 'old', 'old')`
  for (const name of ['first', 'second', 'third']) await publishAsBefore(name)
})
afterAll(async () => {
  await Promise.all([owner.end(), sql.end()])
  await bare.close()
})

/** Of the descriptions of the series, those that are not covered by a link as they are. */
const unlinked = async () => (await findUnlinked(sql, workspace)).map(({ seq }) => seq)

describe('chains from before', () => {
  test('cannot be keyed without the secret, and then nothing is changed', async () => {
    const { chainKey: _, ...place } = bare.target
    const keyless = openOwner(place as typeof bare.target, { connections: 1 })
    await expect(migrate(keyless, await readMigrations())).rejects.toThrow('with its secret only')
    expect(await owner`select to_regclass('assize.scope_clock') as made`).toEqual([{ made: null }])
    await keyless.end()
  })

  test('are not touched with another secret', async () => {
    await expect(refuseOtherSecret(owner, 'another secret than that of the tests')).rejects.toMatchObject({
      kind: 'conflict',
    })
    await refuseOtherSecret(owner, testSecret)
  })

  test('are sealed with the migration, verify, and continue under keyed links', async () => {
    const [settled] = await owner<{ at: string }[]>`select settled_at as at from clock`
    await migrate(owner, await readMigrations())
    expect(
      (await verifyAllChains(owner)).map(({ publications: entries, unkeyed, problem }) => [entries, unkeyed, problem]),
    ).toEqual([
      [0, 0, null],
      [0, 0, null],
      [3, 3, null],
    ])
    const { recordedAt } = await publishRows(sql, workspace, series, [{ period: 1, value: '1' }])
    expect(recordedAt! > settled!.at).toBe(true)
    expect(await verifyChain(sql, workspace)).toMatchObject({ publications: 4, unkeyed: 3, problem: null })
    expect(await unlinked()).toEqual([])
  })

  test('cannot be rewritten since, however well the old hashes are recomputed', async () => {
    await owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`update series_metadata set name = 'forged' where seq = 1`
      const facts = {
        provider: 'CUSTOM',
        code: 'old',
        name: 'forged',
        unit: '',
        dataType: 'INDEX',
        frequency: 'MONTHLY',
      }
      const hash = hashContent(metadataContent({ ...facts, description: '' }), null)
      await tx`update publication set content_hash = ${hash} where scope = ${workspace} and seq = 1`
      for (const seq of [1, 2, 3])
        await tx`
          update publication p set previous_hash = b.hash, chain_hash = sha256(b.hash || convert_to(
            p.seq || '|' || instant_text(p.recorded_at) || '|' || p.kind || '|' || p.subject || '|', 'UTF8') || p.content_hash)
          from (select coalesce((select chain_hash from publication where scope = ${workspace} and seq = ${seq - 1}),
            sha256(convert_to(${workspace}, 'UTF8'))) as hash) b
          where p.scope = ${workspace} and p.seq = ${seq}`
    })
    expect(await unlinked()).toEqual([1, 2, 3])
    const { problem } = await verifyChain(sql, workspace)
    expect(problem).toMatchObject({ message: 'publications under this link were changed or taken away' })
    await owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`update publication_link l set digest = p.chain_hash from publication p
        where l.scope = ${workspace} and l.number = 1 and p.scope = l.scope and p.seq = 3`
    })
    expect((await verifyChain(sql, workspace)).problem).toMatchObject({
      message: expect.stringContaining('the link over'),
    })
  })

  test('are not sealed a second time: removed links stay removed', async () => {
    await owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`delete from publication_link`
      await tx`delete from scope_clock`
      await tx`delete from installation`
    })
    await migrate(owner, await readMigrations())
    await expect(checkSecret(owner, testSecret)).rejects.toMatchObject({ kind: 'conflict' })
    for (const { scope, problem } of await verifyAllChains(owner))
      if (scope !== 'accounts') expect(problem, scope).not.toBeNull()
  })
})
