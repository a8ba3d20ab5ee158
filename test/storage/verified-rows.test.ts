// Verifying a chain whatever is in the rows: values that nothing of ours writes are found and end nothing, and a long history
// is held in memory a few pieces at a time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { ShownCorrection } from '../../src/read/agreements/correction-view.ts'
import { readKinds } from '../../src/storage/log/entry-kinds.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { type Api, openApi } from '../support/houses/api.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { billedInQ2, finalMarch, openTrueUpHouse, type TrueUpHouse } from '../support/houses/true-up-house.ts'
import { firstProblem } from '../support/proof/first-problem.ts'
import { someOf } from '../support/run/long-form.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

describe('rows that nothing of ours has written', () => {
  let ground: TrueUpHouse
  const owner = () => ground.house.installation.owner
  beforeAll(async () => {
    // Apart: what is written below is written to every row of the installation.
    ground = await openTrueUpHouse({ corrections: '{ when: EACH }' }, await openCommandHouse('apart'))
    await ground.importLines(billedInQ2)
    await ground.importFigures(finalMarch)
    const supplier = ['--party', 'supplier', '--as', 'sam@supplier.test'] as const
    const { id } = await ground.json<ShownCorrection>('correction', 'propose', 'steel-brackets')
    await ground.json('correction', 'sign', id, '--party', 'buyer', '--as', 'ann@buyer.test')
    await ground.json('correction', 'sign', id, ...supplier)
  })
  afterAll(() => ground.close())

  /** With SQL alone, and put back afterwards. Null where the table itself refuses the value, or has no rows. */
  async function problemAfter(table: string, column: string, value: string): Promise<string | null> {
    await owner()`create table kept_rows as table ${owner()(table)}`
    try {
      const changed = await write(`update ${table} set ${column} = ${value}`).catch(() => 0)
      if (changed === 0) return null
      const problem = await firstProblem(owner())
      await write(`delete from ${table}; insert into ${table} table kept_rows`)
      return problem ?? 'not found'
    } finally {
      await owner()`drop table kept_rows`
    }
  }

  function write(statement: string): Promise<number> {
    return owner().begin(async tx => {
      await tx`set local session_replication_role = replica`
      return ((await tx.unsafe(statement)) as unknown as { count: number }).count
    }) as Promise<number>
  }

  const columnsOf = (kind: string) =>
    owner()<{ table: string; column: string }[]>`
      select table_name::text as table, column_name::text as column from information_schema.columns c
      where table_schema = 'assize' and data_type = ${kind} and exists (
        select 1 from pg_class t where t.relnamespace = 'assize'::regnamespace and t.relname = c.table_name and t.relkind = 'r')
      order by 1, 2`

  /** Read by nobody who verifies: they say nothing about a figure, a signature or who may do what. */
  const unverified = new Set([
    'upload_layout',
    'notice',
    'mail',
    'mail_choice',
    'mail_look',
    'last_look',
    'radar_seen',
    'alarm',
    'ingest_run',
    'migration',
    // Told to those who watch from outside, who have their own copy; what counts is in the logs.
    'audit_act',
    'audit_place',
    // Told to operators; what is published is in the logs.
    'answer_shape',
    'drift',
    'quarantine',
    'answered_challenge',
    'installation',
    'clock',
    'session',
    'provider_pace',
    'kept_rows',
    // Sealed under the current secret: one that was changed lets nothing start. Which processes run decides about no row.
    'key_ring',
    'key_holder',
    'member.last_seen_at',
    'api_key.last_used_at',
    'passkey.last_used_at',
    'person.created_at',
    'workspace_use',
    // When the log was written here is in nothing that it signs; what proves a time are witnesses and stamps.
    'log_checkpoint.made_at',
    'log_leaf.added_at',
  ])
  const isVerified = ({ table, column }: { table: string; column: string }) =>
    !unverified.has(table) && !unverified.has(`${table}.${column}`)

  test('as JSON of any kind are found with a sentence', async () => {
    const odd = ['null', '1.5', '"text"', '[]', '{}', '[[1.5], null]', '{"a": {"b": [1e300]}}', 'true']
    const columns = (await columnsOf('jsonb')).filter(isVerified)
    expect(columns).toContainEqual({ table: 'correction', column: 'line_ids' })
    let tried = 0
    // All of them where they once ended the command; elsewhere one in turn, or all in the long form.
    for (const [i, { table, column }] of columns.entries())
      for (const value of column === 'line_ids'
        ? odd
        : someOf('odd-values', 'odd JSON in each verified column', odd, { oneIn: odd.length, from: i })) {
        const problem = await problemAfter(table, column, `'${value}'::jsonb`)
        if (problem === null) continue
        tried++
        expect(problem, `${table}.${column} = ${value}`).not.toBe('not found')
      }
    expect(tried).toBeGreaterThan(8)
  })

  test('as instants outside our calendar are found with a sentence', async () => {
    const odd = ['infinity', '-infinity', '0044-03-15 BC']
    let tried = 0
    for (const [i, { table, column }] of (await columnsOf('timestamp with time zone')).filter(isVerified).entries()) {
      const value = odd[i % odd.length]!
      const problem = await problemAfter(table, column, `'${value}'::timestamptz`)
      if (problem === null) continue
      tried++
      expect(problem, `${table}.${column} = ${value}`).not.toBe('not found')
    }
    expect(tried).toBeGreaterThan(10)
  })

  test('end no command: it says what is wrong, with status 1', async () => {
    await write(`update correction set line_ids = '{"not": "a list"}'`)
    const { status, err } = await ground.house.run(['verify', '--chain'])
    expect([status, err]).toEqual([1, expect.stringContaining('(correction of')])
    expect(err).toContain('cannot be read: they were changed')
    expect(err).not.toContain('TypeError')
  })
})

describe('a long history', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi(await openTestDatabase())
  })
  afterAll(() => api.close())

  test('is verified with as many rows in memory as a short one', async () => {
    const tenant = await api.tenant()
    const add = async (from: number, to: number) => {
      const rows = Array.from({ length: to - from }, (_, n) => `CUSTOM/s${from + n},2024-01,1.${n % 10},2024-02-01\n`)
      await tenant.import(`series,period,value,published\n${rows.join('')}`)
      return verifyChain(api.owner, tenant.id)
    }
    const short = await add(0, 200)
    const long = await add(200, 6_000)
    expect([short.problem, long.problem]).toEqual([null, null])
    expect(long.publications).toBeGreaterThan(12_000)
    const most = 3 * limits.publicationsVerified + readKinds.length * limits.factsVerified
    expect(long.held).toBeLessThan(most)
    expect(long.held).toBeGreaterThan(0)
  })
})
