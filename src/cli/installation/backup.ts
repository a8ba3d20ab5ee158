// `backup`: the whole installation in one file, while everything keeps running.
import { basename } from 'node:path'
import { noteLastBackup } from '../../storage/backups/last-backup.ts'
import { createBackup } from '../../storage/upkeep/backup.ts'
import { type Command, printJson } from '../frame/command.ts'
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
    withInstallation(invocation, async ({ sql, owner, embedded, ring }, config) => {
      const given = invocation.positionals[0]!
      // The act is noted before the file is made, so that it is in it as well; without the folders of this machine.
      await noteCommand(sql, invocation, 'installation.backup', 'a backup was begun', basename(given))
      const progress = new ProgressLine(invocation)
      progress.show('writing the backup', 0, 0)
      // The secrets travel with the backup of an embedded installation only.
      const report = await createBackup(owner, given, embedded === null ? null : ring.secrets).finally(() =>
        progress.clear(),
      )
      const { file, bytes, tables, createdAt } = report
      await noteLastBackup(config.dataFolder, { at: createdAt, where: file, bytes })
      if (invocation.json) {
        printJson(invocation, { file, bytes, tables })
        return 0
      }
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      invocation.terminal.out(`${file}: ${countOf(rows, 'row')}, ${countOf(bytes, 'byte')}\n`)
      if (embedded === null) invocation.terminal.out('the secret is not in it: store ASSIZE_SECRET as well\n')
      return 0
    }),
}
