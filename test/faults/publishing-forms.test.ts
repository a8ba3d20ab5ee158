// The faults about publishing: a database rewritten without the secret, and independent scopes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChangedEntries } from '../../src/storage/log/changed-entries.ts'
import { type Api, openApi } from '../support/houses/api.ts'
import { fillSample } from '../support/houses/sample.ts'
import { scenario } from '../support/run/long-test.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { importBeside } from './noisy-import.ts'
import { rewriteDatabase } from './rewritten.ts'

let database: TestDatabase
let api: Api
beforeAll(async () => {
  database = await openTestDatabase()
  api = await openApi(database)
})
afterAll(() => api.close())

test('F20: a database rewritten by SQL alone, in more than 50 ways, is detected by verify --chain each time', async () => {
  const { failures, ways } = await rewriteDatabase(api)
  expect(failures).toEqual([])
  expect(ways).toBeGreaterThan(50)
})

scenario(
  'imports',
  'F18: during an import of new series a quiet workspace saves, publishes and reads, and nothing is refused',
  { short: 20_000, long: 990_000 },
  async run => {
    const { failures, actions, slowestMs, importMs } = await importBeside(api, database, run)
    expect(actions).toBeGreaterThan(20)
    const meanwhile = `${actions} actions during ${Math.round(importMs / 1000)} s of importing`
    return { summary: `${meanwhile}, the slowest ${Math.round(slowestMs)} ms`, failures }
  },
)

test('T24: a sign-off inserted or rewritten by SQL is not as it was published, and is distinguished from those that are', async () => {
  const tenant = await api.tenant()
  const { agreement } = await fillSample(tenant)
  const changed = () => findChangedEntries(api.sql, tenant.id)
  expect(await changed()).toEqual([])
  const [row] = await api.owner<{ seq: number }[]>`
    select seq from sign_off where workspace_id = ${tenant.id} and party = 'supplier'`
  const rewrite = (statement: string) =>
    api.owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx.unsafe(statement.replaceAll('$w', `'${tenant.id}'`))
    })
  await rewrite(`update sign_off set signed_by = 'eve@evil.test' where workspace_id = $w and party = 'supplier'`)
  expect(await changed()).toEqual([{ seq: row!.seq, subject: agreement }])
  await rewrite(`update sign_off set signed_by = 'sam@supplier.test' where workspace_id = $w and party = 'supplier'`)
  expect(await changed()).toEqual([])
  await rewrite(`insert into sign_off (workspace_id, agreement_id, period, receipt_hash, party, adjustment_date, signed_by, signed_at,
    seq, seal, signing_id) select workspace_id, agreement_id, '2024-Q3', receipt_hash, party, adjustment_date, signed_by, signed_at,
    900000, seal, signing_id from sign_off where workspace_id = $w and party = 'supplier'`)
  expect(await changed()).toEqual([{ seq: 900_000, subject: agreement }])
})
