// Brings the schema up to date from numbered SQL files, once each, however many processes try at the same time. It
// refuses a database that is newer than the program, or whose applied files differ from the ones here.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Refusal } from '../../core/refusal.ts'
import { applicationRole, type Sql, schemaName, type Transaction } from '../postgres/database.ts'

export interface Migration {
  readonly number: number
  /** `0001-foundations`. */
  readonly name: string
  readonly text: string
  readonly checksum: string
}

const folder = new URL('../migrations/', import.meta.url)
const namePattern = /^(\d{4})-[a-z0-9-]+\.sql$/

export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter(name => namePattern.test(name)).sort()
  return Promise.all(
    names.map(async (file, index) => {
      const number = Number.parseInt(file.slice(0, 4), 10)
      if (number !== index + 1) throw new Error(`migration ${file} should be number ${index + 1}`)
      const text = await readFile(new URL(file, folder), 'utf8')
      return { number, name: file.slice(0, -4), text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** Applies migrations and returns their names; none when everything was there. `upTo` stops at an older schema. */
export async function migrate(
  sql: Sql,
  migrations: readonly Migration[],
  upTo: number = migrations.length,
): Promise<readonly string[]> {
  await prepare(sql)
  const done: string[] = []
  for (;;) {
    const name = await sql.begin(tx => applyNext(tx, migrations, upTo))
    if (name === null) return done
    done.push(name)
  }
}

/** Applies the next migration in a transaction of its own, under a lock that ends with it. */
async function applyNext(tx: Transaction, migrations: readonly Migration[], upTo: number): Promise<string | null> {
  await lockSchema(tx)
  const applied = await tx<Applied[]>`select number, name, checksum from migration order by number`
  compare(migrations, applied)
  const next = migrations[applied.length]
  if (next === undefined || next.number > upTo) return null
  await tx.unsafe(next.text).catch(error => {
    throw new Error(`migration ${next.name} failed: ${error.message}`, { cause: error })
  })
  // Functions are open to everybody by default; with this, no file has to revoke that.
  await tx`revoke execute on all routines in schema ${tx(schemaName)} from public`
  await tx`
    insert into migration (number, name, checksum) values (${next.number}, ${next.name}, ${next.checksum})`
  return next.name
}

const schemaLock = 7_203_041_265

/** Locks the schema: one process at a time changes it. */
export async function lockSchema(tx: Transaction): Promise<void> {
  // Waiting for another process's migrations may take longer than waiting for a table should.
  await tx`set local lock_timeout = '10min'`
  await tx`select pg_advisory_xact_lock(${schemaLock})`
  await tx`set local lock_timeout to default`
}

/** Applied migrations must be the first ones of ours, unchanged. */
export function compare(
  migrations: readonly Migration[],
  applied: readonly Applied[],
  what: string = 'the database',
): void {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const ours = migrations[index]
    if (ours === undefined)
      throw new Refusal(
        'conflict',
        `${what} is newer than this program: it has migration ${name}, and the last one known here is ${migrations.at(-1)?.name}; start a newer Assize`,
      )
    if (ours.number !== number || ours.checksum !== checksum)
      throw new Refusal(
        'conflict',
        `migration ${ours.name} was changed after it was applied to this database (as ${name}); applied migrations stay as they are, write a new one`,
      )
  }
}

async function prepare(sql: Sql): Promise<void> {
  await sql.begin(async tx => {
    await lockSchema(tx)
    await ensureApplicationRole(tx)
    const [found] = await tx`select to_regclass(${`${schemaName}.migration`}) as held`
    if (found!.held !== null) return
    await tx`create schema if not exists ${tx(schemaName)}`
    // Imports are staged in temporary tables. Everybody may make them unless that was taken away; then this gives it back.
    await tx.unsafe(`do $$ begin
      execute format('grant temporary on database %I to ${applicationRole}', current_database());
    exception when insufficient_privilege then null;
    end $$`)
    await tx`
      create table migration (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default clock_timestamp()
      )`
  })
}

/**
 * The role belongs to the whole server and has no password: sessions of the owner change into it. If the owner may not make it, a
 * role that may has to, once.
 */
async function ensureApplicationRole(tx: Transaction): Promise<void> {
  if (await canBecomeApplication(tx)) return
  const [who] = await tx<{ owner: string }[]>`select current_user as owner`
  try {
    await tx.savepoint(inner =>
      inner.unsafe(`
        do $$ begin
          create role ${applicationRole} nologin nosuperuser nobypassrls;
        exception when duplicate_object or unique_violation then null;
        end $$;
        grant ${applicationRole} to current_user`),
    )
  } catch (error) {
    throw new Refusal(
      'unavailable',
      `the database role ${applicationRole} is missing or not usable and ${who!.owner} may not set it up (${(error as Error).message}); let an administrator run: create role ${applicationRole} nologin; grant ${applicationRole} to "${who!.owner}"`,
    )
  }
}

/** Tries whether the owner can become the role: the meaning of membership differs between versions of PostgreSQL. */
async function canBecomeApplication(tx: Transaction): Promise<boolean> {
  try {
    await tx.savepoint(async inner => {
      await inner`set local role ${inner(applicationRole)}`
      await inner`reset role`
    })
    return true
  } catch {
    return false
  }
}
