// `restore`: a backup into an empty ASSIZE_DATA or database, checked by hash. It refuses to overwrite anything.
import { type InstallationRestore, restoreInstallation } from '../../storage/upkeep/restore.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'
import { untilLines, untilSpec, withSource } from './backup-source.ts'

export const restoreCommand: Command = {
  name: 'restore',
  usage: '<file|folder|s3://bucket/prefix> [--until T] [--revoke-keys]',
  summary:
    'Restores a backup into an empty ASSIZE_DATA or database. Keys and sign-ins of that time work again; they are listed.',
  options: {
    until: untilSpec,
    'revoke-keys': { type: 'boolean', help: 'ends every key, session and invitation of the backup at once' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const config = configOf(invocation)
    if (config === null) return 1
    const revokeKeys = invocation.options['revoke-keys'] === true
    const progress = new ProgressLine(invocation)
    return withSource(invocation, config, async source => {
      progress.show('restoring', 0, 0)
      const report = await restoreInstallation(config, source, { revokeKeys }).finally(() => progress.clear())
      const { point, rolled } = source
      if (invocation.json)
        writeJson(invocation, { ...report, ...(point === undefined ? {} : { until: rolled?.() ?? null }) })
      else {
        const rows = report.tables.reduce((sum, table) => sum + table.rows, 0)
        invocation.terminal.out(
          `restored ${countOf(rows, 'row')} of the backup made ${report.createdAt}, checked by hash\n`,
        )
        for (const line of untilLines(source)) invocation.terminal.out(`${line}\n`)
        for (const name of report.migrated) invocation.terminal.out(`applied ${name}\n`)
        for (const line of revivedLines(report)) invocation.terminal.out(`${line}\n`)
      }
      return 0
    })
  },
}

/** Access removed after the backup must not come back unnoticed. */
export function revivedLines({
  createdAt,
  revived,
  isEnded,
}: Pick<InstallationRestore, 'createdAt' | 'revived' | 'isEnded'>): readonly string[] {
  const { keys, people, invitations, webhooks } = revived
  const passwords = people.length === 0 ? [] : [`passwords are those of ${createdAt}: ${people.join(', ')}`]
  if (isEnded)
    return [
      `ended at once: ${countOf(keys.length, 'key')}, ${countOf(invitations, 'invitation')}, ${countOf(webhooks.length, 'webhook')} and every session`,
      ...passwords,
    ]
  return [
    `what was revoked, changed or ended after ${createdAt} is back in effect:`,
    ...keys.map(({ workspace, name, id, lastFour }) => `  key ${name} of ${workspace}, ${id}, …${lastFour}: works`),
    ...webhooks.map(({ workspace, id, url }) => `  webhook ${id} of ${workspace}: tells ${url}`),
    ...(invitations === 0 ? [] : [`  ${countOf(invitations, 'invitation')}: still open`]),
    ...passwords.map(line => `  ${line}`),
    ...(keys.length === 0 ? [] : ['assize key revoke <id> ends a key; a restore with --revoke-keys ends all of them']),
  ]
}
