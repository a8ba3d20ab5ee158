// `restore`: a backup into an empty ASSIZE_DATA or database, checked by hash. It refuses to overwrite anything.
import { sizeOfFile } from '../../import/source.ts'
import { type InstallationRestore, restoreInstallation } from '../../storage/upkeep/restore.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'

export const restoreCommand: Command = {
  name: 'restore',
  usage: '<file> [--revoke-keys]',
  summary:
    'Restores a backup into an empty ASSIZE_DATA or database. Keys and sign-ins of that time work again; they are listed.',
  options: {
    'revoke-keys': { type: 'boolean', help: 'ends every key, session and invitation of the backup at once' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const file = invocation.positionals[0]!
    const config = configOf(invocation)
    if (config === null) return 1
    await sizeOfFile(file)
    const progress = new ProgressLine(invocation)
    progress.show('restoring', 0, 0)
    const revokeKeys = invocation.options['revoke-keys'] === true
    const report = await restoreInstallation(config, file, { revokeKeys }).finally(() => progress.clear())
    if (invocation.json) writeJson(invocation, report)
    else {
      const rows = report.tables.reduce((sum, table) => sum + table.rows, 0)
      invocation.terminal.out(
        `restored ${countOf(rows, 'row')} of the backup made ${report.createdAt}, checked by hash\n`,
      )
      for (const name of report.migrated) invocation.terminal.out(`applied ${name}\n`)
      for (const line of revivedLines(report)) invocation.terminal.out(`${line}\n`)
    }
    return 0
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
