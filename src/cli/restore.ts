// `restore`: a backup into an empty ASSIZE_DATA or database, checked by hash. It refuses to overwrite anything.
import { sizeOfFile } from '../import/source.ts'
import { restoreInstallation } from '../storage/restore.ts'
import { type Command, writeJson } from './command.ts'
import { configOf } from './installation.ts'
import { countOf, ProgressLine } from './progress.ts'

export const restoreCommand: Command = {
  name: 'restore',
  usage: '<file>',
  summary: 'Puts a backup into an empty ASSIZE_DATA or database. Keys and sign-ins go on working.',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const file = invocation.positionals[0]!
    const config = configOf(invocation)
    if (config === null) return 1
    await sizeOfFile(file)
    const progress = new ProgressLine(invocation)
    progress.show('restoring', 0, 0)
    const report = await restoreInstallation(config, file).finally(() => progress.clear())
    if (invocation.json) writeJson(invocation, report)
    else {
      const rows = report.tables.reduce((sum, table) => sum + table.rows, 0)
      invocation.terminal.out(
        `restored ${countOf(rows, 'row')} of the backup made ${report.createdAt}, checked by hash\n`,
      )
      for (const name of report.migrated) invocation.terminal.out(`applied ${name}\n`)
    }
    return 0
  },
}
