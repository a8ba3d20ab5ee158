// `restore`: a backup into an empty ASSIZE_DATA or database, checked by hash. Nothing is ever overwritten.
import { sizeOfFile } from '../../import/source.ts'
import { checkFile, restoreInstallation } from '../../storage/upkeep/restore.ts'
import { type Command, printJson } from '../frame/command.ts'
import { configOf } from '../frame/installation.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'
import { endedLines, revivedLines } from './revived-lines.ts'

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
    const config = configOf(invocation)
    if (config === null) return 1
    const file = invocation.positionals[0]!
    const revokeKeys = invocation.options['revoke-keys'] === true
    await sizeOfFile(file)
    const progress = new ProgressLine(invocation)
    progress.show('restoring', 0, 0)
    const report = await checkFile(file)
      .then(backup => restoreInstallation(config, backup, { revokeKeys }))
      .finally(() => progress.clear())
    if (invocation.json) printJson(invocation, report)
    else {
      const { createdAt, tables, migrated, revived, isEnded } = report
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      invocation.terminal.out(`restored ${countOf(rows, 'row')} of the backup made ${createdAt}, checked by hash\n`)
      for (const name of migrated) invocation.terminal.out(`applied ${name}\n`)
      const lines = isEnded ? endedLines(createdAt, revived) : revivedLines(createdAt, revived, 'restore')
      for (const line of lines) invocation.terminal.out(`${line}\n`)
    }
    return 0
  },
}
