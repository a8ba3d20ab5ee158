import { beforeAll, describe, expect, test } from 'vitest'
import { appending } from '../../src/storage/log/append.ts'
import { appendEntry } from '../../src/storage/log/entry-rows.ts'
import { publicScope, withWorkspace } from '../../src/storage/postgres/database.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

let mine: Workspace
let other: Workspace
let ownSeries: string
let publicSeries: string
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  mine = await makeWorkspace(db)
  other = await makeWorkspace(db)
  ownSeries = await makeSeries(db.sql, mine.id, 'own')
  await publishRows(db.sql, mine.id, ownSeries, [{ period: 24_000, value: '1.10' }])
  publicSeries = await makeSeries(db.sql, publicScope, 'public')
  await publishRows(db.sql, publicScope, publicSeries, [{ period: 24_000, value: '2.20' }])
})

const valuesSeenBy = (scope: string) =>
  withWorkspace(db.sql, scope, tx => tx<{ value: string }[]>`select value from vintage order by value`).then(rows =>
    rows.map(({ value }) => value),
  )

describe('a query without any condition', () => {
  test('gives another workspace nothing, and its owner everything', async () => {
    expect(await valuesSeenBy(mine.id)).toEqual(['1.10'])
    expect(await valuesSeenBy(other.id)).toEqual([])
  })

  test('gives nothing when no workspace is set, or when the application asks for all of them', async () => {
    for (const table of ['workspace', 'series', 'vintage', 'publication', 'api_key', 'member', 'person', 'follow']) {
      expect(await db.sql`select 1 from ${db.sql(table)}`.then(rows => rows.length), table).toBe(0)
      expect(
        await withWorkspace(db.sql, '*', tx => tx`select 1 from ${tx(table)}`.then(rows => rows.length)),
        table,
      ).toBe(0)
    }
  })

  test('shows a public series to the workspaces that follow it, and to no other', async () => {
    expect(await valuesSeenBy(publicScope)).toEqual(['2.20'])
    await appending(db.sql, mine.id, (tx, log) =>
      appendEntry(tx, log, 'follow', { subject: publicSeries, facts: { seriesId: publicSeries } }),
    )
    expect(await valuesSeenBy(mine.id)).toEqual(['1.10', '2.20'])
    expect(await valuesSeenBy(other.id)).toEqual([])
  })
})

describe('writing', () => {
  test('into another workspace, or into what is public, is refused', async () => {
    for (const owner of [mine.id, publicScope]) {
      const write = withWorkspace(
        db.sql,
        other.id,
        tx => tx`insert into series (owner, id, provider, code, created_at)
          values (${owner}, ${ownSeries.replace(/.$/, last => (last === 'x' ? 'y' : 'x'))}, 'CUSTOM', 'slipped in', now())`,
      )
      await expect(write).rejects.toThrow('row-level security')
    }
  })

  test('changes nothing that is append-only, not even for the owner', async () => {
    for (const table of [
      'vintage',
      'series',
      'series_metadata',
      'publication',
      'agreement_state',
      'formula',
      'sign_off',
      'signed_receipt',
      'signing',
      'signing_batch',
      'party',
      'party_name',
      'party_member',
      'price_list',
      'price_list_key',
      'unit_factor',
      'quantity',
      'invoice',
      'invoice_line',
      'activity',
    ]) {
      await expect(db.owner`delete from ${db.owner(table)}`, table).rejects.toThrow('append-only: delete is refused')
      await expect(db.owner`truncate ${db.owner(table)} cascade`, table).rejects.toThrow(
        'append-only: truncate is refused',
      )
    }
    await expect(db.owner`update vintage set value = '9'`).rejects.toThrow('append-only: update is refused')
    const attempt = withWorkspace(db.sql, mine.id, tx => tx`update vintage set value = '9'`)
    await expect(attempt).rejects.toThrow('permission denied')
  })

  test('of a vintage whose publication or series does not exist is refused', async () => {
    const insert = (seq: number, seriesId: string, count: number) =>
      withWorkspace(
        db.sql,
        mine.id,
        tx => tx`insert into vintage (owner, series_id, period, seq, value, tag, published_at, recorded_at)
          select ${mine.id}, ${seriesId}, n, ${seq}, '1', 'FINAL', now(), now() from generate_series(1, ${count}) n`,
      )
    // Few are checked one by one, many at once.
    for (const count of [1, 1_000, 1_001]) {
      await expect(insert(999_999, ownSeries, count)).rejects.toThrow('without its series or its publication')
      await expect(insert(1, ownSeries, count)).rejects.toThrow('without its series or its publication')
    }
  })
})
