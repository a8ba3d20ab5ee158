// `quantity import`: declares quantities of items by period, all of a file or nothing.
import { basename } from 'node:path'
import { importQuantities } from '../../agreements/quantities.ts'
import { readQuantityFile, tableSource } from '../../import/price-list.ts'
import { today } from '../frame/clock.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { sheetSpec, tellNotes, tellRefused } from './price-files.ts'

export const quantityImportCommand: Command = {
  name: 'quantity import',
  usage: '<file.csv|.xlsx> --workspace W',
  summary: 'Declares quantities by agreement, item and period: all of a file or nothing. The newest counts.',
  options: { workspace: workspaceSpec, sheet: sheetSpec, as: actorSpec },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const file = invocation.positionals[0]!
    const source = tableSource(file, { bounds: null, sheet: textOption(invocation, 'sheet') })
    const by = { who: actorOf(invocation), fromAddress: null }
    const { rows, problems, notes } = await readQuantityFile(source)
    if (problems.length > 0) return tellRefused(invocation, file, { problems })
    return withInstallation(invocation, async installation => {
      const { id: workspaceId } = await workspaceOption(installation, invocation)
      const library = openLibrary(installation, invocation)
      const request = { workspaceId, rows, today: today(), by, source: basename(file) }
      const imported = await importQuantities(installation.sql, library, request)
      if (imported.outcome === 'refused') return tellRefused(invocation, file, imported)
      tellNotes(invocation, file, notes)
      const { added, unchanged } = imported
      if (invocation.json) writeJson(invocation, imported)
      else
        invocation.terminal.out(`${file}: ${countOf(added, 'quantity', 'quantities')} added, ${unchanged} unchanged\n`)
      return 0
    })
  },
}
