// F11 of docs/SECURITY.md: the catalogue itself is queried, so that a table added later cannot lack its protection.
import { describe, expect, test } from 'vitest'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

/** Tables without a workspace, each with the reason. */
const tablesOfNobody: Readonly<Record<string, string>> = {
  access_touched: 'what a transaction notes for itself; reached through functions only',
  answered_challenge: 'says nothing about anybody; reached through a function only',
  audit_act: 'acts of all workspaces in one order, for those who watch from outside; reached through functions only',
  audit_place: 'how far the audit stream is; reached through functions only',
  installation: 'one row for the whole installation; the application has no right on it',
  key_holder: 'which processes run; reached through functions only',
  key_ring: 'one row for the whole installation; read through a function only',
  known_network: 'belongs to a person; reached through functions only',
  operator: 'belongs to the installation; reached through functions only',
  link_mail_turn: 'mail to an address counts from all workspaces; reached through a function only',
  log_checkpoint: 'public: what the log has signed, for everybody to read',
  log_cosignature: 'public: what witnesses signed beneath a checkpoint',
  log_leaf: 'public: a leaf tells neither workspace nor content; whose it is stands in log_head, which is held',
  log_stamp: 'public: a time stamp over a checkpoint',
  log_state: 'one row for the whole installation: the public tree as it stands; the application only reads it',
  migration: 'the schema itself; the application has no right on it',
  passkey: 'belongs to a person; reached through functions only',
  person: 'a person may work in several workspaces; seen through memberships, written through functions',
  recovery_code: 'belongs to a person; reached through functions only',
  second_factor: 'belongs to a person; reached through functions only',
  session: 'belongs to a person; reached through functions only',
  set_up_link: 'belongs to a person; reached through functions only',
}

/** Keys that do not begin with the workspace, each with the reason. */
const keysOfNobody: Readonly<Record<string, string>> = {
  workspace_slug_key: 'names are given out by the operator, once for all workspaces',
  api_key_digest_key: 'a key is looked up before its workspace is known',
  feed_digest_key: 'so is the address of a calendar feed',
  identity_provider_way_in_key: 'so is the way in by an identity provider',
  log_head_leaf_key: 'the public tree has each leaf once, whosever head it is',
  log_head_leaf_fkey: 'refers to that leaf',
  member_person_id_fkey: 'a person may work in several workspaces',
  follow_series_owner_series_id_fkey: 'refers to the public series, which begin with their owner, public',
}

const workspaceColumns = ['workspace_id', 'owner', 'scope']

interface Table {
  readonly name: string
  readonly enabled: boolean
  readonly forced: boolean
  readonly policies: readonly string[]
  readonly column: string | null
}

async function readTables(): Promise<readonly Table[]> {
  return db.owner<Table[]>`
    select c.relname::text as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      array(select polname::text from pg_policy where polrelid = c.oid order by 1) as policies,
      case when c.relname = 'workspace' then 'id' else (
        select attname::text from pg_attribute where attrelid = c.oid and attname = any(${workspaceColumns}::text[])) end
      as column
    from pg_class c where c.relnamespace = 'assize'::regnamespace and c.relkind in ('r', 'p') order by 1`
}

describe('every table of a workspace', () => {
  test('has forced row-level security and the tenant policy', async () => {
    const tables = await readTables()
    const held = tables.filter(({ column }) => column !== null)
    expect(held.length).toBeGreaterThan(12)
    for (const table of held) {
      expect(table, table.name).toMatchObject({ enabled: true, forced: true })
      expect(table.policies, table.name).toEqual(expect.arrayContaining(['operator', 'tenant']))
    }
  })

  test('is on the list of exceptions otherwise, and the list names nothing else', async () => {
    const free = (await readTables()).filter(({ column }) => column === null).map(({ name }) => name)
    expect(free).toEqual(Object.keys(tablesOfNobody).sort())
  })

  test('has unique and foreign keys that begin with the workspace', async () => {
    const columns = new Map((await readTables()).map(({ name, column }) => [name, column]))
    const keys = await db.owner<{ name: string; table: string; first: string }[]>`
      select x.name::text, c.relname::text as table, a.attname::text as first from (
        select conname as name, conrelid as rel, conkey[1] as first from pg_constraint where contype in ('p', 'u', 'f')
        union
        select i.indexrelid::regclass::name, i.indrelid, i.indkey[0] from pg_index i where i.indisunique
      ) x join pg_class c on c.oid = x.rel and c.relnamespace = 'assize'::regnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum = x.first`
    const loose = keys.filter(({ table, first }) => columns.get(table) != null && columns.get(table) !== first)
    expect([...new Set(loose.map(({ name }) => name))].sort()).toEqual(Object.keys(keysOfNobody).sort())
  })
})

describe('the application role', () => {
  test('may insert into and read what is append-only, no more', async () => {
    const granted = await db.owner<{ table: string; rights: string[] }[]>`
      select table_name::text as table, array_agg(distinct lower(privilege_type)::text order by lower(privilege_type)::text)
        as rights
      from information_schema.role_table_grants
      where table_schema = 'assize' and grantee = 'assize_app' group by 1 order by 1`
    const rights = Object.fromEntries(granted.map(({ table, rights }) => [table, rights]))
    const appendOnly = [
      'activity',
      'agreement',
      'agreement_state',
      'follow',
      'formula',
      'log_cosignature',
      'log_stamp',
      'party',
      'party_member',
      'party_name',
      'series',
      'series_metadata',
      'sign_off',
      'signed_receipt',
      'signing',
      'signing_batch',
      'vintage',
    ]
    for (const table of appendOnly) expect(rights[table], table).toEqual(['insert', 'select'])
    expect(rights.publication).toEqual(['select'])
    const writtenByFunctions = [
      'scope_clock',
      'clock_repair',
      'redaction',
      'log_tile',
      'log_leaf',
      'log_head',
      'log_state',
      'log_checkpoint',
    ]
    for (const table of writtenByFunctions) expect(rights[table], table).toEqual(['select'])
    const closed = [
      'migration',
      'installation',
      'session',
      'set_up_link',
      'passkey',
      'second_factor',
      'recovery_code',
      'known_network',
      'access_touched',
      'key_ring',
      'key_holder',
    ]
    for (const table of closed) expect(rights[table], table).toBeUndefined()
  })

  test('never reads a password hash or a digest-less secret directly', async () => {
    await expect(db.sql`select password_hash from person`).rejects.toThrow('permission denied')
    await expect(db.sql`select * from set_up_link`).rejects.toThrow('permission denied')
    await expect(db.sql`select * from session`).rejects.toThrow('permission denied')
    for (const table of ['second_factor', 'recovery_code', 'passkey'])
      await expect(db.sql`select * from ${db.sql(table)}`, table).rejects.toThrow('permission denied')
    await expect(db.sql`select * from installation`).rejects.toThrow('permission denied')
  })

  test('runs functions of the owner only with a fixed search path', async () => {
    const loose = await db.owner`
      select proname from pg_proc where pronamespace = 'assize'::regnamespace and prosecdef
      and not exists (select 1 from unnest(proconfig) c where c like 'search_path=assize, pg_temp%')`
    expect(loose).toEqual([])
  })

  test('is the only one besides the owner that may run our functions', async () => {
    const open = await db.owner`
      select proname from pg_proc p where pronamespace = 'assize'::regnamespace
      and has_function_privilege('public', p.oid, 'execute')`
    expect(open).toEqual([])
  })
})

test('what belongs to a member moves with them to the account they join with', async () => {
  const rows = await db.owner<{ name: string; updates: string; deletes: string }[]>`
    select conrelid::regclass::text as name, confupdtype::text as updates, confdeltype::text as deletes
    from pg_constraint where contype = 'f' and confrelid = 'assize.member'::regclass order by 1`
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.filter(({ updates, deletes }) => updates !== 'c' || deletes !== 'c')).toEqual([])
})
