// Notices: what was told long ago is not read again, and many are added at once.
import { beforeAll, describe, expect, test } from 'vitest'
import { addNotices, loadTold, type NewNotice, toldKey } from '../../src/storage/people/mail.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { statementsOf } from '../support/counted-statements.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

let workspace: Workspace
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
})

const notice = (n: number): NewNotice => ({
  email: 'Ann@buyer.test',
  kind: 'signature',
  about: `pam_${n} 2024-04-01`,
  facts: { name: `It's "${n}"`, period: '2024-Q2', words: 'waits', path: null, agreement: null },
  sealedLink: n % 2 === 0 ? Buffer.from([0, n % 256]) : null,
})
const many = Array.from({ length: 20_000 }, (_, n) => notice(n))

describe('notices', () => {
  test('are added in one statement, each once', async () => {
    const add = (notices: readonly NewNotice[]) =>
      withWorkspace(db.sql, workspace.id, tx => addNotices(tx, workspace.id, notices))
    expect(await add([notice(0), notice(1), notice(1)])).toBe(2)
    const one = await statementsOf(db.sql, () => add([notice(2)]))
    let added = 0
    const all = await statementsOf(db.sql, async () => {
      added = await add(many)
    })
    expect(added).toBe(many.length - 3)
    expect(all).toEqual(one)
    const rows =
      await db.owner`select facts, sealed_link from notice where about in (${notice(6).about}, ${notice(7).about}) order by about`
    expect(rows.map(row => [row.facts, row.sealed_link])).toEqual([
      [notice(6).facts, notice(6).sealedLink],
      [notice(7).facts, null],
    ])
  })

  test('that were told are looked up by what is asked, however many were ever told', async () => {
    await db.owner`analyze notice`
    const { read, told } = await withWorkspace(db.sql, workspace.id, async tx => {
      const found = await loadTold(tx, workspace.id, [
        notice(5),
        notice(20_001),
        { ...notice(6), kind: 'late' },
        notice(7),
      ])
      const [row] = await tx<{ read: number }[]>`
        select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::integer as read from pg_stat_xact_all_tables
        where relname = 'notice'`
      return { read: row!.read, told: found }
    })
    expect(told).toEqual(new Set([toldKey(notice(5)), toldKey(notice(7))]))
    expect(read).toBeLessThan(10)
  })
})
