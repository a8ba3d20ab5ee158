// `backup`: the whole installation in one file, while everything keeps running.
import { basename } from 'node:path'
import { createBackup } from '../../storage/upkeep/backup.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { noteCommand } from '../frame/operator.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'

export const backupCommand: Command = {
  name: 'backup',
  usage: '<file>',
  summary: 'Writes the whole installation into a new file. Keep it safe: keys and sign-ins depend on its content.',
  options: {},
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async ({ sql, owner, embedded, secret }) => {
      // Before it is made, so that it is in it as well.
      await noteCommand(
        sql,
        invocation,
        'installation.backup',
        'a backup was begun',
        basename(invocation.positionals[0]!),
      )
      const progress = new ProgressLine(invocation)
      progress.show('writing the backup', 0, 0)
      const report = await createBackup(owner, invocation.positionals[0]!, embedded === null ? null : secret).finally(
        () => progress.clear(),
      )
      if (invocation.json) writeJson(invocation, report)
      else {
        const rows = report.tables.reduce((sum, table) => sum + table.rows, 0)
        invocation.terminal.out(`${report.file}: ${countOf(rows, 'row')}, ${countOf(report.bytes, 'byte')}\n`)
        if (embedded === null) invocation.terminal.out('the secret is not in it: store ASSIZE_SECRET as well\n')
      }
      return 0
    }),
}
