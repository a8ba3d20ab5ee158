// `backup drill`: shows that a restore works. A file is restored into a temporary database; a database that PostgreSQL's own tools have
// restored is taken as it is. All of it is verified there.
import { readDatabaseUrl } from '../../config.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { sizeOfFile } from '../../import/source.ts'
import { type DrillDatabase, withDrillGround } from '../../storage/backups/drill-ground.ts'
import { judgeStored, loadNewest } from '../../storage/backups/stored-receipts.ts'
import { KeyRing } from '../../storage/keys/key-ring.ts'
import { withRing } from '../../storage/log/secret-check.ts'
import { type DatabaseTarget, openOwner, type Sql } from '../../storage/postgres/database.ts'
import { type CheckedBackup, checkFile, restoreInstallation } from '../../storage/upkeep/restore.ts'
import { openRestored } from '../../storage/upkeep/restored-database.ts'
import { endAllAccess, loadRevived, type Revived } from '../../storage/upkeep/revived-secrets.ts'
import { type Command, type Invocation, Misuse, printJson, textOption } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'
import { verifyChains } from '../verify/chain-verification.ts'
import { endedLines, revivedLines } from './revived-lines.ts'

export const backupDrillCommand: Command = {
  name: 'backup drill',
  usage: '<file> | --database <url> [--revoke-keys]',
  summary:
    'Restores a backup into a temporary database, or takes one that was restored, and verifies every chain, tree, seal and receipt in it. Status 1 if anything is wrong.',
  options: {
    database: {
      type: 'string',
      value: 'URL',
      help: 'a restored database, as DATABASE_URL names one; it needs ASSIZE_SECRET',
    },
    'revoke-keys': {
      type: 'boolean',
      help: 'with --database: ends every key, session and invitation that works again',
    },
  },
  positionals: { least: 0, most: 1 },
  async run(invocation) {
    const [file] = invocation.positionals
    const url = textOption(invocation, 'database')
    const revokeKeys = invocation.options['revoke-keys'] === true
    if ((file === undefined) === (url === null)) throw new Misuse('name a file, or a restored database with --database')
    if (revokeKeys && url === null) throw new Misuse('--revoke-keys goes with --database')
    const config = configOf(invocation)
    if (config === null) return 1
    const beganMs = performance.now()
    const progress = new ProgressLine(invocation)
    const seconds = () => Math.round((performance.now() - beganMs) / 100) / 10
    if (url !== null) {
      progress.show('verifying', 0, 0)
      const found = await drillDatabase(url, config.secrets, revokeKeys).finally(() => progress.clear())
      return finishDrill(invocation, { ...found, seconds: seconds() }, databaseLines)
    }
    await sizeOfFile(file!)
    progress.show('restoring into a temporary database', 0, 0)
    const found = await checkFile(file!)
      .then(backup => withDrillGround(config, ground => drillFile(ground, backup)))
      .finally(() => progress.clear())
    return finishDrill(invocation, { ...found, seconds: seconds() }, fileLines)
  },
}

interface Verified {
  readonly same: boolean
  readonly entries: number
  readonly newestEntryAt: Instant | null
  readonly chains: number
  readonly receipts: number
  /** Problems of the verification, one line each. */
  readonly problems: readonly string[]
}

interface FileDrill extends Verified {
  readonly createdAt: Instant
  /** Number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>
}

interface DatabaseDrill extends Verified {
  /** Instant of the last record: access that was revoked later works again. */
  readonly restoredTo: Instant
  readonly revived: Revived
  /** Whether all of that was ended at once. */
  readonly isEnded: boolean
}

type Timed<Report> = Report & { readonly seconds: number }

function finishDrill<Report extends Verified>(
  invocation: Invocation,
  report: Timed<Report>,
  linesOf: (report: Timed<Report>) => readonly string[],
): number {
  if (invocation.json) printJson(invocation, report)
  else for (const line of linesOf(report)) invocation.terminal.out(`${line}\n`)
  return report.same ? 0 : 1
}

function fileLines({ createdAt, rows, seconds, ...verified }: Timed<FileDrill>): readonly string[] {
  const all = Object.values(rows).reduce((sum, each) => sum + each, 0)
  const what = `the backup made ${createdAt}: ${countOf(all, 'row')} in ${countOf(Object.keys(rows).length, 'table')}`
  return [
    ...verifiedLines(verified, `${what}, `),
    `restored and verified in ${seconds} s; the temporary database is removed`,
  ]
}

function databaseLines({ restoredTo, revived, isEnded, seconds, ...verified }: Timed<DatabaseDrill>) {
  return [
    ...verifiedLines(verified, `the database as of ${restoredTo}: `),
    `verified in ${seconds} s`,
    ...(isEnded ? endedLines(restoredTo, revived) : revivedLines(restoredTo, revived, 'backup drill')),
  ]
}

function verifiedLines({ same, entries, newestEntryAt, chains, receipts, problems }: Verified, what: string) {
  return [
    `${same ? 'same' : 'broken'}: ${what}${countOf(chains, 'chain')}, ${countOf(receipts, 'receipt')}`,
    `newest entry: ${newestEntryAt ?? 'none'}, of ${entries}`,
    ...problems.map(problem => `  ${problem}`),
  ]
}

async function drillFile({ options, target }: DrillDatabase, backup: CheckedBackup): Promise<FileDrill> {
  const { createdAt, tables } = await restoreInstallation(options, backup)
  const ring = KeyRing.of(options.secrets ?? backup.header.secrets!)
  const keyed = withRing(target, ring)
  const owner = openOwner(keyed, { connections: 1 })
  try {
    const rows = Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))
    return { ...(await verifyAll(owner, keyed)), createdAt, rows }
  } finally {
    await owner.end()
  }
}

async function drillDatabase(
  given: string,
  secrets: readonly string[] | null,
  revokeKeys: boolean,
): Promise<DatabaseDrill> {
  const url = readDatabaseUrl(given)
  // The address may have a password, and is not repeated.
  if (url === undefined) throw new Misuse('--database must be an address such as postgres://user@host:5432/database')
  if (secrets === null)
    throw new Refusal(
      'invalid',
      'a restored database is verified under the secret of its installation: set ASSIZE_SECRET',
    )
  const { owner, target } = await openRestored(url, KeyRing.of(secrets))
  try {
    const verified = await verifyAll(owner, target)
    const { anythingAt } = await loadNewest(owner)
    const revived = await loadRevived(owner)
    if (revokeKeys) await endAllAccess(owner)
    return { ...verified, restoredTo: anythingAt!, revived, isEnded: revokeKeys }
  } finally {
    await owner.end()
  }
}

async function verifyAll(owner: Sql, target: DatabaseTarget): Promise<Verified> {
  const { chains, log } = await verifyChains({ target, workspaceId: null })
  const newest = await loadNewest(owner)
  const receipts = await judgeStored(owner)
  const problems = [
    ...chains.flatMap(({ chain, problem }) => (problem === null ? [] : [`${chain}: ${problem}`])),
    ...(log?.problem == null ? [] : [`public log: ${log.problem}`]),
    ...receipts.problems,
  ]
  return {
    same: problems.length === 0,
    entries: newest.entries,
    newestEntryAt: newest.entryAt,
    chains: chains.length,
    receipts: receipts.count,
    problems,
  }
}
