// Puts a backup into an empty installation: the schema it was made under, its rows, then the newer migrations. All or nothing:
// the file is checked as a whole before anything is written, and every table must have the hash in the backup. A database or a
// folder that has something in it is refused.
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { placeSecrets } from '../keys/secret-file.ts'
import { loadRing } from '../log/ring-state.ts'
import { withRing } from '../log/secret-check.ts'
import type { CopyIn } from '../postgres/copy.ts'
import { openOwner, type Sql, schemaName, type Transaction } from '../postgres/database.ts'
import { stopRestoredLog } from '../proof/log-state.ts'
import { noteEverywhere } from '../workspaces/activity.ts'
import { hashTable, listTables, type TableShape } from './backup.ts'
import {
  type BackupHeader,
  checkBackup,
  damaged,
  readFrames,
  type TableStart,
  type TableSummary,
} from './backup-format.ts'
import { checkDirect, type InstallationOptions, openBase } from './installation.ts'
import { compare, type Migration, migrate, readMigrations } from './migrate.ts'
import { endAllAccess, loadRevived, type Revived } from './revived-secrets.ts'

interface RestoreReport {
  readonly createdAt: Instant
  readonly tables: readonly TableSummary[]
  /** Migrations newer than the backup. */
  readonly migrated: readonly string[]
}

interface InstallationRestore extends RestoreReport {
  /** Secrets alive in the backup, whatever was ended after it was made. */
  readonly revived: Revived
  /** Whether all of that was ended again at once. */
  readonly isEnded: boolean
}

/** A backup whose every byte was checked before anything is written. */
export interface CheckedBackup {
  readonly file: string
  readonly header: BackupHeader
}

type RestoreTarget = Pick<InstallationOptions, 'dataFolder' | 'databaseUrl' | 'databaseDirectUrl' | 'secrets'>

interface RestoreOptions {
  readonly revokeKeys?: boolean
}

/** Restores into an empty `ASSIZE_DATA`, or the empty database of `DATABASE_URL`. */
export async function restoreInstallation(
  options: RestoreTarget,
  backup: CheckedBackup,
  { revokeKeys = false }: RestoreOptions = {},
): Promise<InstallationRestore> {
  const { header } = backup
  await migrationsFor(backup)
  const secrets = options.secrets ?? header.secrets
  if (secrets === null)
    throw new Refusal(
      'invalid',
      'this backup contains no secret: set ASSIZE_SECRET to the one of the installation it was made from',
    )
  const base = await openBase(options)
  const ring = KeyRing.of(secrets)
  const owner = openOwner(withRing(base.target, ring))
  try {
    await checkDirect(owner, base)
    await refuseFull(owner)
    if (options.databaseUrl === null && options.secrets === null) await placeSecrets(options.dataFolder, secrets)
    const report = await restoreFrom(owner, backup, ring)
    await noteEverywhere(owner, {
      who: 'operator',
      act: 'installation.restore',
      what: 'restored from a backup',
      subject: `made ${header.createdAt}`,
    })
    await stopRestoredLog(owner, ring, header.createdAt)
    const revived = await loadRevived(owner)
    if (revokeKeys) await endAllAccess(owner)
    return { ...report, revived, isEnded: revokeKeys }
  } finally {
    await owner.end()
    await base.embedded?.release()
  }
}

/** Checks the whole file and whether this program can restore it. */
export async function checkFile(file: string): Promise<CheckedBackup> {
  return { file, header: await checkBackup(file) }
}

/** Migrations of this program; refuses a backup of a newer one. */
async function migrationsFor({ header, file }: CheckedBackup): Promise<readonly Migration[]> {
  const migrations = await readMigrations()
  compare(migrations, header.migrations, `the backup ${file}`)
  return migrations
}

/** Restores a backup. For the owner's connection to an empty database. */
export async function restoreBackup(owner: Sql, file: string, ring: KeyRing): Promise<RestoreReport> {
  return restoreFrom(owner, await checkFile(file), ring)
}

async function restoreFrom(owner: Sql, backup: CheckedBackup, ring: KeyRing): Promise<RestoreReport> {
  const { file, header } = backup
  const migrations = await migrationsFor(backup)
  await refuseFull(owner)
  await prepareSchema(owner, header, migrations)
  const tables = await owner.begin(async tx => {
    const shapes = await listTables(tx)
    await suspend(tx, shapes)
    const loaded = await loadRows(tx, file, new Map(shapes.map(shape => [shape.name, shape])))
    for (const summary of loaded) await checkTable(tx, shapes, summary, file)
    await resume(tx, shapes)
    await loadRing(tx, ring)
    return loaded
  })
  const migrated = await migrate(owner, migrations)
  await owner`analyze`
  return { createdAt: header.createdAt, tables, migrated }
}

/** Tables that may have a row in a new schema: one for everything, and one for each scope; by the number in it. */
const clocks: Readonly<Record<string, string>> = { clock: 'seq', scope_clock: 'seq', access_head: 'number' }

/** Refuses a database with rows; a schema may be there, as `migrate` leaves it. */
async function refuseFull(owner: Sql): Promise<void> {
  await owner.begin(async tx => {
    const [found] = await tx`select to_regclass(${`${schemaName}.migration`}) as held`
    if (found!.held === null) return
    for (const { name } of await listTables(tx)) {
      const number = clocks[name]
      const free = number !== undefined ? tx`where ${tx(number)} > 0` : name === 'installation' ? tx`where false` : tx``
      const [row] = await tx`select 1 from ${tx(name)} ${free} limit 1`
      if (row !== undefined)
        throw new Refusal('conflict', `a backup is restored into an empty database, and this one has rows in ${name}`)
    }
  })
}

async function prepareSchema(owner: Sql, header: BackupHeader, migrations: readonly Migration[]): Promise<void> {
  // The schema is empty, and perhaps newer than the backup: it is created again as it was.
  await owner`drop schema if exists ${owner(schemaName)} cascade`
  await migrate(owner, migrations, header.migrations.length)
}

async function loadRows(
  tx: Transaction,
  file: string,
  shapes: ReadonlyMap<string, TableShape>,
): Promise<readonly TableSummary[]> {
  const loaded: TableSummary[] = []
  let target: CopyIn | null = null
  let expected: number | null = null
  try {
    for await (const frame of readFrames(file)) {
      if (frame.kind === 'table') target = await openTable(tx, frame.start, shapes, file)
      else if (frame.kind === 'rows') await target?.write(frame.bytes)
      else if (frame.kind === 'end') expected = frame.end.tables
      else if (frame.kind === 'summary') {
        await target?.finish()
        loaded.push(frame.summary)
      }
    }
  } catch (error) {
    await target?.abandon()
    throw error
  }
  if (expected === null || expected !== loaded.length) throw damaged(file, 'it is cut off')
  return loaded
}

function openTable(
  tx: Transaction,
  { table, columns }: TableStart,
  shapes: ReadonlyMap<string, TableShape>,
  file: string,
): Promise<CopyIn> {
  if (!shapes.has(table)) throw damaged(file, `it has a table ${table} that its schema does not have`)
  return tx`copy ${tx(table)} (${tx(columns)}) from stdin`.copyIn()
}

/**
 * Suspends checks: while rows are loaded row-level security does not apply to the owner (COPY does not work under it), and the
 * checks of our triggers wait: tables come one after the other. Foreign keys are checked all the time.
 */
async function suspend(tx: Transaction, shapes: readonly TableShape[]): Promise<void> {
  for (const { name } of shapes) {
    await tx`alter table ${tx(name)} no force row level security`
    await tx`alter table ${tx(name)} disable trigger user`
  }
  for (const { name } of shapes) if (Object.hasOwn(clocks, name)) await tx`delete from ${tx(name)}`
}

async function resume(tx: Transaction, shapes: readonly TableShape[]): Promise<void> {
  for (const { name, forced } of shapes) {
    if (forced) await tx`alter table ${tx(name)} force row level security`
    await tx`alter table ${tx(name)} enable trigger user`
  }
}

async function checkTable(
  tx: Transaction,
  shapes: readonly TableShape[],
  summary: TableSummary,
  file: string,
): Promise<void> {
  const shape = shapes.find(({ name }) => name === summary.table)!
  const found = await hashTable(tx, shape)
  if (found.rows !== summary.rows || found.sha256 !== summary.sha256)
    throw damaged(
      file,
      `the table ${summary.table} came back as ${found.rows} rows that differ from the ${summary.rows} it had`,
    )
}
