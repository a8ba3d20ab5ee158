// `quantity import`: declares quantities of items by period, all of a file or nothing.
import { basename } from 'node:path'
import { importQuantities } from '../../agreements/quantities.ts'
import { readQuantityFile, tableSource } from '../../import/price-list.ts'
import { today } from '../frame/clock.ts'
import { textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { printNotes, printRefused, sheetSpec } from './price-files.ts'

export const quantityImportCommand = preparedCommand({
  name: 'quantity import',
  usage: '<file.csv|.xlsx> --workspace W',
  summary: 'Declares quantities by agreement, item and period: all of a file or nothing. The newest counts.',
  options: { sheet: sheetSpec, as: actorSpec },
  positionals: 1,
  prepare: async invocation => {
    const file = invocation.positionals[0]!
    const source = tableSource(file, { bounds: null, sheet: textOption(invocation, 'sheet') })
    const by = { who: actorOf(invocation), fromAddress: null }
    const { rows, problems, notes } = await readQuantityFile(source)
    return problems.length > 0 ? printRefused(invocation, file, { problems }) : { file, by, rows, notes }
  },
  async work({ invocation, sql, workspace, installation }, { file, by, rows, notes }) {
    const library = openLibrary(installation, invocation)
    const request = { workspaceId: workspace.id, rows, today: today(), by, source: basename(file) }
    const imported = await importQuantities(sql, library, request)
    if (imported.outcome === 'refused') return printRefused(invocation, file, imported)
    printNotes(invocation, file, notes)
    const added = countOf(imported.added, 'quantity', 'quantities')
    return { json: imported, words: `${file}: ${added} added, ${imported.unchanged} unchanged\n` }
  },
})
