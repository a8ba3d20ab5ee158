// Adds a backup to a set: everything, or only what came after the last one. What is in the log is found by its position there; of what
// is appended beside it, by transaction; what can change is written whole. It is read from one snapshot while everything keeps running.
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import type { Instant } from '../../core/time/instant.ts'
import { accountsScope } from '../log/access-log.ts'
import { type Sql, schemaName, type Transaction } from '../postgres/database.ts'
import { listTables, readRows, type TableShape, Tally } from '../upkeep/backup.ts'
import { readSetEnd } from './backup-set.ts'
import type { BackupStore } from './backup-store.ts'
import { scopeColumnOf } from './log-tables.ts'
import {
  type BackupManifest,
  dataName,
  type Horizon,
  type KeptManifest,
  manifestName,
  type StoredTable,
  type Way,
  writeManifest,
} from './manifest.ts'

interface TakenBackup {
  readonly where: string
  readonly number: number
  readonly createdAt: Instant
  readonly buildsOn: number | null
  /** Why it has everything; `null` where it has only what is new. */
  readonly whyFull: string | null
  readonly rows: number
  readonly bytes: number
}

interface TakingOptions {
  /** Of an embedded installation, or `null`. */
  readonly secret: string | null
  /** Every so many has everything. */
  readonly fullEvery: number
}

/** For the owner's connection. */
export async function takeBackup(
  owner: Sql,
  store: BackupStore,
  { secret, fullEvery }: TakingOptions,
): Promise<TakenBackup> {
  const end = await readSetEnd(store)
  return owner.begin('isolation level repeatable read read only', async tx => {
    const state = await readState(tx)
    const last = end.last
    const whyFull = end.whyBroken ?? (last === null ? 'it is the first' : whyNotAfter(last, state, fullEvery))
    const base = whyFull === null ? last : null
    const number = (end.newest ?? 0) + 1
    const tables: StoredTable[] = []
    const hash = createHash('sha256')
    const name = dataName(number, randomBytes(8).toString('hex'))
    const counted = async function* () {
      for await (const chunk of readData(tx, secret, base, tables)) {
        hash.update(chunk)
        yield chunk
      }
    }
    const bytes = await store.write(name, counted())
    const buildsOn = base === null ? null : { number: base.number, sha256: base.sha256 }
    const data = { name, bytes, sha256: hash.digest('hex') }
    const sinceFull = base === null ? 0 : base.sinceFull + 1
    const text = writeManifest({ ...state, number, buildsOn, sinceFull, data, tables })
    await store.write(manifestName(number), Readable.from([Buffer.from(text)])).catch(async error => {
      await store.remove(name).catch(() => {})
      throw error
    })
    return {
      ...{ where: store.where, number, createdAt: state.createdAt, buildsOn: buildsOn?.number ?? null, whyFull },
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      bytes: bytes + text.length,
    }
  })
}

type DatabaseState = Pick<BackupManifest, 'createdAt' | 'migrations' | 'marks' | 'horizon' | 'erasures' | 'redactions'>

async function readState(tx: Transaction): Promise<DatabaseState> {
  const migrations = await tx<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum from migration order by number`
  const [now] = await tx<{ at: Instant; database: string; transaction: string; redactions: number }[]>`
    select clock_timestamp() as at, pg_snapshot_xmin(pg_current_snapshot())::text as transaction,
      (select system_identifier from pg_control_system()) || '/' || ${schemaName}::regnamespace::oid as database,
      (select count(*) from redaction) + (select count(*) from access_entry where kind = 'redaction') as redactions`
  const marks = await tx<{ scope: string; seq: number }[]>`select scope, seq from scope_clock order by scope`
  const erasures = await tx<{ at: Instant }[]>`
    select at from access_entry where scope = ${accountsScope} and kind = 'erasure' order by number`
  const { at: createdAt, database, transaction, redactions } = now!
  return {
    ...{ createdAt, migrations: [...migrations], redactions, horizon: { database, transaction } },
    marks: Object.fromEntries(marks.map(({ scope, seq }) => [scope, seq])),
    erasures: erasures.map(({ at }) => at),
  }
}

/** Transactions that a database can go through until numbers mean something else. */
const mostTransactions = 1_000_000_000n

function whyNotAfter(last: KeptManifest, state: DatabaseState, fullEvery: number): string | null {
  if (last.sinceFull + 1 >= fullEvery) return `the last such one is ${last.sinceFull + 1} back`
  if (JSON.stringify(last.migrations) !== JSON.stringify(state.migrations))
    return 'the schema is newer than the last one'
  // Otherwise what was erased would come back from the last one.
  if (last.erasures.length !== state.erasures.length || last.redactions !== state.redactions)
    return 'somebody was erased since the last one'
  if (last.horizon.database !== state.horizon.database) return 'the last one is of another database'
  const passed = BigInt(state.horizon.transaction) - BigInt(last.horizon.transaction)
  if (passed < 0n || passed > mostTransactions) return 'the last one is too long ago'
  return null
}

/** The secret, then table by table, each packed by itself so that it can be read by itself. */
async function* readData(
  tx: Transaction,
  secret: string | null,
  base: KeptManifest | null,
  tables: StoredTable[],
): AsyncGenerator<Buffer> {
  let offset = 0
  const head = gzipSync(JSON.stringify({ secret }))
  yield head
  offset += head.length
  if (base !== null) await tx`select set_config('assize.marks', ${JSON.stringify(base.marks)}, true)`
  for (const shape of await listTables(tx)) {
    const way = base === null ? 'whole' : wayOf(shape)
    const tally = new Tally(shape.name)
    let length = 0
    for await (const chunk of packed(noted(tally, readRows(tx, shape, rowsSince(tx, shape, way, base?.horizon))))) {
      length += chunk.length
      yield chunk
    }
    const { rows, sha256 } = tally.summary()
    const total = way === 'whole' ? rows : await countRows(tx, shape)
    tables.push({ table: shape.name, columns: shape.columns, way, offset, length, rows, sha256, total })
    offset += length
  }
}

function wayOf(shape: TableShape): Way {
  if (!shape.isAppendOnly) return 'whole'
  return scopeColumnOf(shape) === null ? 'added' : 'log'
}

/** A COPY takes no parameters. */
function rowsSince(tx: Transaction, shape: TableShape, way: Way, horizon: Horizon | undefined) {
  if (way === 'log')
    return tx`where seq > coalesce(((select current_setting('assize.marks')::jsonb) ->> ${tx(scopeColumnOf(shape)!)})::bigint, 0)`
  // Numbers of transactions in rows have 32 bits; all from the oldest that was under way then, whatever became of it.
  if (way === 'added')
    return tx.unsafe(`where age(xmin) <= age('${BigInt.asUintN(32, BigInt(horizon!.transaction))}'::xid)`)
  return tx``
}

async function countRows(tx: Transaction, { name }: TableShape): Promise<number> {
  const [row] = await tx<{ count: number }[]>`select count(*) as count from ${tx(name)}`
  return row!.count
}

async function* noted(tally: Tally, rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of rows) {
    tally.add(bytes)
    yield bytes
  }
}

async function* packed(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(chunks)
  const gzip = source.pipe(createGzip())
  source.once('error', error => gzip.destroy(error))
  yield* gzip as AsyncIterable<Buffer>
}
