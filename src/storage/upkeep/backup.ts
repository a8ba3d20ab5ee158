// Writes the whole installation into one file, from one snapshot, while everything keeps running. The file contains
// secrets, so only its owner may read it; it appears under its name when it is complete, and never overwrites another.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, stat, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { syncFolder } from '../embedded/secret-file.ts'
import { type Sql, schemaName, type Transaction } from '../postgres/database.ts'
import {
  type BackupHeader,
  backupFormat,
  type Frame,
  type TableSummary,
  withChecksum,
  writeFrame,
} from './backup-format.ts'

interface BackupReport {
  readonly file: string
  readonly createdAt: Instant
  readonly bytes: number
  readonly tables: readonly TableSummary[]
}

/** Makes a backup. `secrets` travel in the file: those of an embedded installation, or `null`. */
export async function createBackup(
  owner: Sql,
  given: string,
  secrets: readonly string[] | null,
): Promise<BackupReport> {
  const file = resolve(given)
  await refuseExisting(file)
  const unfinished = `${file}.${process.pid}.partial`
  const tables: TableSummary[] = []
  let createdAt = ''
  const noted = async function* (frames: AsyncIterable<Frame>) {
    for await (const frame of frames) {
      if (frame.kind === 'header') createdAt = frame.header.createdAt
      if (frame.kind === 'summary') tables.push(frame.summary)
      yield writeFrame(frame)
    }
  }
  try {
    const bytes = await owner.begin('isolation level repeatable read read only', async tx => {
      const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.from(noted(loadInstallation(tx, secrets))), createGzip(), withChecksum, target)
      return target.bytesWritten
    })
    await settleFile(unfinished, file)
    return { file, createdAt, bytes, tables }
  } finally {
    await unlink(unfinished).catch(() => {})
  }
}

async function refuseExisting(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found !== null) throw new Refusal('conflict', `${file} exists already; a backup never overwrites a file`)
}

/** Puts the file on the disk first, then under its name. */
async function settleFile(unfinished: string, file: string): Promise<void> {
  const handle = await open(unfinished, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await link(unfinished, file)
  await syncFolder(dirname(file))
}

async function* loadInstallation(tx: Transaction, secrets: readonly string[] | null): AsyncGenerator<Frame> {
  yield { kind: 'header', header: await loadHeader(tx, secrets) }
  const tables = await listTables(tx)
  for (const table of tables) {
    yield { kind: 'table', start: { table: table.name, columns: table.columns } }
    const tally = new Tally(table.name)
    for await (const bytes of loadRows(tx, table)) {
      tally.add(bytes)
      yield { kind: 'rows', bytes }
    }
    yield { kind: 'summary', summary: tally.summary() }
  }
  yield { kind: 'end', end: { tables: tables.length } }
}

async function loadHeader(tx: Transaction, secrets: readonly string[] | null): Promise<BackupHeader> {
  const migrations = await tx<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum from migration order by number`
  const [now] = await tx<{ at: string }[]>`select clock_timestamp() as at`
  return { format: backupFormat, createdAt: now!.at, migrations: [...migrations], secrets }
}

/** Counts rows (a line of COPY text is a row) and hashes them. */
class Tally {
  readonly #table: string
  readonly #hash = createHash('sha256')
  #rows = 0

  constructor(table: string) {
    this.#table = table
  }

  add(bytes: Buffer): void {
    this.#hash.update(bytes)
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) this.#rows++
  }

  summary(): TableSummary {
    return { table: this.#table, rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** The primary key, for an order that is the same everywhere. */
  readonly key: readonly string[]
  readonly forced: boolean
  /** Tables its foreign keys point to. */
  readonly needs: readonly string[]
}

/**
 * Tables left out of backups: the list of migrations, which the restore makes itself; sessions, because one that was ended since
 * the backup must not be restored with it, so everybody signs in again, and with them the networks they came from; challenges
 * that were answered, which are too old by then; notes of transactions for themselves; running processes; and rows that are
 * computed again from the rest.
 */
const leftOut = [
  'migration',
  'session',
  'known_network',
  'answered_challenge',
  'access_touched',
  'kept_digest',
  'key_holder',
]

/** Lists our tables without the ones above, each after the tables it refers to. */
export async function listTables(tx: Transaction): Promise<readonly TableShape[]> {
  const tables = await tx<TableShape[]>`
    select c.relname::text as name, c.relforcerowsecurity as forced,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality as k (number, place)
        join pg_attribute a on a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.place) as key,
      array(select distinct f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c
    where c.relnamespace = ${schemaName}::regnamespace and c.relkind in ('r', 'p')
      and c.relname <> all(${leftOut}::text[])
    order by c.relname`
  return inOrder(tables)
}

function inOrder(tables: readonly TableShape[]): readonly TableShape[] {
  const placed: TableShape[] = []
  const rest = new Map(tables.map(table => [table.name, table]))
  while (rest.size > 0) {
    const next = [...rest.values()].find(table => !table.needs.some(name => rest.has(name)))
    if (next === undefined) throw new Error(`tables refer to each other in a circle: ${[...rest.keys()].join(' ')}`)
    rest.delete(next.name)
    placed.push(next)
  }
  return placed
}

/** Dates, instants and bytes are written by the session's settings, which are the same in every session of ours. */
async function* loadRows(tx: Transaction, table: TableShape): AsyncGenerator<Buffer> {
  await tx`select set_config('bytea_output', 'hex', true)`
  const columns = [...table.columns]
  const key = table.key.length > 0 ? [...table.key] : columns
  yield* tx`copy (select ${tx(columns)} from ${tx(table.name)} order by ${tx(key)}) to stdout`.copyOut()
}

/** Count and hash of every table: equal before a backup and after its restore. */
export async function hashTables(owner: Sql): Promise<readonly TableSummary[]> {
  return owner.begin('isolation level repeatable read read only', async tx => {
    const summaries: TableSummary[] = []
    for (const table of await listTables(tx)) summaries.push(await hashTable(tx, table))
    return summaries
  })
}

export async function hashTable(tx: Transaction, table: TableShape): Promise<TableSummary> {
  const tally = new Tally(table.name)
  for await (const bytes of loadRows(tx, table)) tally.add(bytes)
  return tally.summary()
}
