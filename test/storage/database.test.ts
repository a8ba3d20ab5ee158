import { describe, expect, test } from 'vitest'
import { Refusal } from '../../src/core/refusal.ts'
import { arrayOids } from '../../src/storage/postgres/array-types.ts'
import {
  checkApplicationRole,
  checkServer,
  openApplication,
  withWorkspace,
} from '../../src/storage/postgres/database.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

describe('values from the database', () => {
  test('numeric keeps its digits, a day stays that day, an instant keeps its microseconds', async () => {
    const [row] = await db.sql`
      select '274.1380'::numeric as digits, '2024-03-10'::date as day,
        '2024-04-11T12:30:00.000001Z'::timestamptz as instant, array['1.10'::numeric] as digits_list,
        '{"a": "1.10"}'::jsonb as document, 9007199254740991::int8 as whole`
    expect(row).toEqual({
      digits: '274.1380',
      day: '2024-03-10',
      instant: '2024-04-11T12:30:00.000001Z',
      digits_list: ['1.10'],
      document: { a: '1.10' },
      whole: 9007199254740991,
    })
  })

  test('instants and days go in as they are written, microseconds included', async () => {
    const instant = '2024-03-31T01:59:59.999999Z'
    const [row] = await db.sql`select ${instant}::timestamptz as instant, ${'2024-02-29'}::date as day`
    expect(row).toEqual({ instant, day: '2024-02-29' })
  })

  test('a whole number that JavaScript cannot represent is an error, not another number', async () => {
    await expect(db.sql`select 9007199254740993::int8`).rejects.toThrow('9007199254740993')
    await expect(db.sql`select 'infinity'::timestamptz`).rejects.toThrow('infinity')
    expect(await db.sql`select 1 as one`).toEqual([{ one: 1 }])
  })
})

describe('arrays', () => {
  const difficult = [
    'plain',
    '',
    'NULL',
    'null',
    'a,b',
    '{',
    '}',
    '{a}',
    '"',
    '\\',
    '\\"',
    ' spaced ',
    'line\nline',
    'ä€😀',
  ]

  test('of text are the same on the way back, whatever is in them', async () => {
    const lists = [[], difficult, [...difficult, null], ...difficult.map(text => [text])]
    for (const list of lists) {
      const [row] = await db.sql`select ${list}::text[] as list, array_to_json(${list}::text[]) as as_json`
      expect(row).toEqual({ list, as_json: list })
    }
    const nested = [difficult, difficult.toReversed()]
    const [row] = await db.sql`select ${nested}::text[] as list, array_to_json(${nested}::text[]) as as_json`
    expect(row).toEqual({ list: nested, as_json: nested })
  })

  test('have elements like those that stand alone', async () => {
    const [row] = await db.sql`
      select array[true, false, null] as bits, array['\\x00ff'::bytea, '\\x'] as bytes, array[1::int2, -2] as small,
        array[1, -2, null] as counts, array[9007199254740991::int8] as wholes, array['1.10'::numeric, 'NaN'] as digits,
        array[0.1::float8, 'infinity'] as floats, array['2024-02-29'::date] as days,
        array['2024-04-11T12:30:00.000001Z'::timestamptz] as instants, array['a'::name, 'b c'] as names,
        '[2:3]={7,8}'::int[] as later, array[[1, 2], [3, 4]] as rows, '{}'::int[] as none, null::int[] as missing`
    expect(row).toEqual({
      bits: [true, false, null],
      bytes: [Buffer.from([0, 255]), Buffer.alloc(0)],
      small: [1, -2],
      counts: [1, -2, null],
      wholes: [9007199254740991],
      digits: ['1.10', 'NaN'],
      floats: ['0.1', 'Infinity'],
      days: ['2024-02-29'],
      instants: ['2024-04-11T12:30:00.000001Z'],
      names: ['a', 'b c'],
      later: [7, 8],
      rows: [
        [1, 2],
        [3, 4],
      ],
      none: [],
      missing: null,
    })
    await expect(db.sql`select array[9007199254740993::int8]`).rejects.toThrow('9007199254740993')
  })

  test('go in for every kind that is read', async () => {
    const [wholes, digits] = [[1, -2], ['1.10']]
    const [instants, days] = [['2024-03-31T01:59:59.999999Z'], ['2024-02-29']]
    const [row] = await db.sql`
      select ${wholes}::int8[] as wholes, ${wholes}::int4[] as counts, ${digits}::numeric[] as digits,
        ${instants}::timestamptz[] as instants, ${days}::date[] as days`
    expect(row).toEqual({ wholes, counts: wholes, digits, instants, days })
  })

  test('of every kind in our schema are known, under the numbers of this server', async () => {
    const used = await db.owner<{ name: string; oid: number }[]>`
      select distinct t.typname::text as name, t.oid from pg_type t
      where t.typcategory = 'A' and t.oid in (
        select atttypid from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'assize'::regnamespace and a.attnum > 0
        union select unnest(coalesce(proallargtypes, proargtypes::oid[]) || prorettype) from pg_proc
        where pronamespace = 'assize'::regnamespace)`
    expect(used.length).toBeGreaterThan(3)
    for (const { name, oid } of used) expect(Object.values(arrayOids), name).toContain(oid)
    for (const [kind, oid] of Object.entries(arrayOids)) {
      const [row] = await db.owner`
        select 1 from pg_type where oid = ${oid} and typelem = ${kind === 'char' ? '"char"' : kind}::regtype`
      expect(row, kind).toBeDefined()
    }
  })
})

describe('roles', () => {
  test('the application connects as a role that row-level security applies to, also after a reset', async () => {
    await checkApplicationRole(db.sql)
    const one = openApplication(db.target, { connections: 1 })
    await one`reset role`
    expect(await one`select current_user::text as role`).toEqual([{ role: 'assize_app' }])
    await one.end()
  })

  test('a superuser, or an owner of the tables, is refused as the application', async () => {
    await expect(checkApplicationRole(db.owner)).rejects.toThrow('is a superuser')
    await db.owner`create role tables_owner nosuperuser`.catch(() => {})
    await db.owner`alter table installation owner to tables_owner`
    await db.owner`grant tables_owner to assize_app`
    await expect(checkApplicationRole(db.sql)).rejects.toThrow('assize_app owns 1 of the tables')
    await db.owner`revoke tables_owner from assize_app`
  })

  test('statements and locks of the application are bounded', async () => {
    const [row] = await db.sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('timezone') as zone`
    expect(row).toEqual({ statement: '5s', lock: '1s', zone: 'UTC' })
  })

  test('a workspace that was set does not outlive its transaction', async () => {
    const one = openApplication(db.target, { connections: 1 })
    const inside = await withWorkspace(one, 'wsp_x', tx => tx`select current_setting('assize.workspace', true) as name`)
    expect(inside).toEqual([{ name: 'wsp_x' }])
    expect(await one`select nullif(current_setting('assize.workspace', true), '') as name`).toEqual([{ name: null }])
    await one.end()
  })

  test('nor does it where the work fails before its first statement', async () => {
    const one = openApplication(db.target, { connections: 1 })
    const fail = async () => {
      throw new Error('not even begun')
    }
    await expect(withWorkspace(one, 'wsp_x', fail)).rejects.toThrow('not even begun')
    expect(await one`select nullif(current_setting('assize.workspace', true), '') as name`).toEqual([{ name: null }])
    await one.end()
  })
})

describe('durability', () => {
  test('who holds a connection of a pool gets no other of it, free or not; another pool and what comes later are not affected', async () => {
    const sql = openApplication(db.target, { connections: 3, share: 2 })
    const alike = openApplication(db.target, { connections: 1 })
    const other = openApplication(db.target, { connections: 1, asksOthers: true })
    const nested = 'another connection of the same pool'
    try {
      await withWorkspace(sql, 'one', async tx => {
        await expect(sql`select 1`).rejects.toThrow(nested)
        await expect(sql.unsafe('select 1')).rejects.toThrow(nested)
        await expect(withWorkspace(sql, 'one', inner => inner`select 1`)).rejects.toThrow(nested)
        await expect(sql.begin(inner => inner`select 1`)).rejects.toThrow(nested)
        await expect(alike`select 1`).rejects.toThrow(nested)
        expect(await tx`select ${sql`1 + 1`}::integer as two`).toEqual([{ two: 2 }])
        expect(await other`select 1 as one`).toEqual([{ one: 1 }])
      })
      const later = await withWorkspace(sql, 'one', async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        return { resolve, rows: promise.then(() => sql`select 1 as one`) }
      })
      later.resolve()
      expect(await later.rows).toEqual([{ one: 1 }])
    } finally {
      await Promise.all([sql.end(), alike.end(), other.end()])
    }
  })

  test('a server that confirms before it writes is refused', async () => {
    await checkServer(db.owner)
    const check = db.owner.begin(async tx => {
      await tx`set local synchronous_commit = off`
      await checkServer(tx)
    })
    await expect(check).rejects.toThrow(Refusal)
    await expect(check).rejects.toThrow('synchronous_commit is off')
  })
})
