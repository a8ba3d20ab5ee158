// `backup drill`: shows that a backup can be restored, by restoring it into a temporary database and verifying all of it there.
import type { Instant } from '../../core/time/instant.ts'
import { type DrillGround, withDrillGround } from '../../storage/backups/drill-ground.ts'
import { judgeStored, readNewestEntry } from '../../storage/backups/stored-receipts.ts'
import { withChainKey } from '../../storage/log/secret.ts'
import { openOwner } from '../../storage/postgres/database.ts'
import { restoreInstallation } from '../../storage/upkeep/restore.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'
import { verifyChains } from '../verify/chain-verification.ts'
import { type AnySource, untilLines, untilSpec, withSource } from './backup-source.ts'

interface DrillReport {
  readonly same: boolean
  readonly createdAt: string
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>
  readonly entries: number
  readonly newestEntryAt: Instant | null
  readonly chains: number
  readonly receipts: number
  /** What does not verify, one line each. */
  readonly problems: readonly string[]
  readonly seconds: number
}

export const backupDrillCommand: Command = {
  name: 'backup drill',
  usage: '<folder|s3://bucket/prefix|file> [--until T]',
  summary:
    'Restores a backup into a temporary database and verifies every chain, tree and receipt in it. Status 1 if anything is wrong.',
  options: { until: untilSpec },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const config = configOf(invocation)
    if (config === null) return 1
    const beganMs = performance.now()
    const progress = new ProgressLine(invocation)
    progress.show('reading the backup', 0, 0)
    return withSource(invocation, config, async source => {
      progress.show('restoring into a temporary database', 0, 0)
      const found = await withDrillGround(config, ground => drill(ground, source)).finally(() => progress.clear())
      const seconds = Math.round((performance.now() - beganMs) / 100) / 10
      const report = { same: found.problems.length === 0, ...found, seconds }
      if (invocation.json) writeJson(invocation, report)
      else for (const line of drillLines(report, source)) invocation.terminal.out(`${line}\n`)
      return report.same ? 0 : 1
    })
  },
}

function drillLines(report: DrillReport, source: AnySource): readonly string[] {
  const { same, createdAt, rows, entries, newestEntryAt, chains, receipts, problems, seconds } = report
  const all = Object.values(rows).reduce((sum, each) => sum + each, 0)
  return [
    `${same ? 'same' : 'broken'}: the backup made ${createdAt}: ${countOf(all, 'row')} in ${countOf(Object.keys(rows).length, 'table')}, ${countOf(chains, 'chain')}, ${countOf(receipts, 'receipt')}`,
    ...untilLines(source),
    `newest entry: ${newestEntryAt ?? 'none'}, of ${entries}`,
    ...problems.map(problem => `  ${problem}`),
    `restored and verified in ${seconds} s; nothing of it is left`,
  ]
}

type Found = Omit<DrillReport, 'same' | 'seconds'>

async function drill({ options, target }: DrillGround, source: AnySource): Promise<Found> {
  const { createdAt, tables } = await restoreInstallation(options, source)
  const secret = options.secret ?? source.header.secret!
  const keyed = withChainKey(target, secret)
  const { chains, log } = await verifyChains({ target: keyed, workspaceId: null, secret })
  const owner = openOwner(keyed, { connections: 1 })
  try {
    const newest = await readNewestEntry(owner)
    const receipts = await judgeStored(owner)
    const problems = [
      ...chains.flatMap(({ chain, problem }) => (problem === null ? [] : [`${chain}: ${problem}`])),
      ...(log?.problem == null ? [] : [`public log: ${log.problem}`]),
      ...receipts.problems,
    ]
    return {
      ...{ createdAt, entries: newest.count, newestEntryAt: newest.at, chains: chains.length, problems },
      rows: Object.fromEntries(tables.map(({ table, rows }) => [table, rows])),
      receipts: receipts.count,
    }
  } finally {
    await owner.end()
  }
}
