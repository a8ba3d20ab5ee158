// What a storage test starts with: a workspace, a series, a few observations.

import { appending, type OpenLog } from '../../../src/storage/log/append.ts'
import type { Sql, Transaction } from '../../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../../src/storage/postgres/identifier.ts'
import { createSeries, type OwnSeries } from '../../../src/storage/series/own-series.ts'
import { type StagedOutcome, type StagedRow, withStaging } from '../../../src/storage/series/staging.ts'
import { createWorkspace, type Workspace } from '../../../src/storage/workspaces/workspaces.ts'
import type { TestDatabase } from '../run/postgres.ts'

let made = 0

export function makeWorkspace({ owner }: Pick<TestDatabase, 'owner'>): Promise<Workspace> {
  made++
  return createWorkspace(owner, { slug: `test-${process.pid}-${made}` })
}

/** A series that is called by its code. */
export function seriesCalled(id: string, code: string, provider = 'CUSTOM'): OwnSeries {
  return { id, provider, code, name: code, unit: '', dataType: 'INDEX', frequency: 'MONTHLY', description: '' }
}

/** Inside a publication of the series' owner. */
export function insertSeries(
  tx: Transaction,
  log: OpenLog,
  id: string,
  code: string,
  provider = 'CUSTOM',
): Promise<void> {
  return createSeries(tx, log, [seriesCalled(id, code, provider)])
}

export async function makeSeries(sql: Sql, scope: string, code: string, provider = 'CUSTOM'): Promise<string> {
  const id = makeIdentifier('ser')
  await appending(sql, scope, (tx, log) => insertSeries(tx, log, id, code, provider))
  return id
}

export type Given = Partial<StagedRow> & Pick<StagedRow, 'period' | 'value'>

/** Publishes observations of one series, as an import of a file with these lines would. */
export function publishRows(sql: Sql, scope: string, seriesId: string, rows: readonly Given[]): Promise<StagedOutcome> {
  return withStaging(sql, scope, async staging => {
    await staging.add(
      rows.map((row, i) => ({ series: 0, tag: null, flag: null, publishedAt: null, line: i + 2, ...row })),
    )
    return (await staging.compare([seriesId])).appendOne()
  })
}
