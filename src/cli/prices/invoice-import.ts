// `invoice import`: keeps the lines of a file, all of them or nothing.
import { basename } from 'node:path'
import { importLines } from '../../agreements/invoices.ts'
import { today } from '../frame/clock.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { invoiceFiles } from './invoice-check.ts'
import { printNotes, printRefused, readLinesOf, sheetSpec } from './price-files.ts'

export const invoiceImportCommand = preparedCommand({
  name: 'invoice import',
  usage: `${invoiceFiles} --workspace W`,
  summary: 'Keeps invoice lines: all of a file or nothing. Importing the same lines again adds nothing.',
  options: { sheet: sheetSpec, as: actorSpec },
  positionals: 1,
  heap: 'small',
  prepare: async invocation => {
    const file = invocation.positionals[0]!
    const by = { who: actorOf(invocation), fromAddress: null }
    const { lines, problems, notes } = await readLinesOf(invocation)
    return problems.length > 0 ? printRefused(invocation, file, { problems }) : { file, by, lines, notes }
  },
  async work({ invocation, sql, workspace, installation }, { file, by, lines, notes }) {
    const library = openLibrary(installation, invocation)
    const request = { workspaceId: workspace.id, lines, today: today(), by, source: basename(file) }
    const imported = await importLines(sql, library, request)
    if (imported.outcome === 'refused') return printRefused(invocation, file, imported)
    printNotes(invocation, file, notes)
    const { added, unchanged } = imported
    return { json: imported, words: `${file}: ${countOf(added, 'line')} added, ${unchanged} unchanged\n` }
  },
})
