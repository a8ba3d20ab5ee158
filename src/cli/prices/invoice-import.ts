// `invoice import`: keeps the lines of a file, all of them or nothing.
import { basename } from 'node:path'
import { importLines } from '../../agreements/invoices.ts'
import { today } from '../frame/clock.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { invoiceFiles } from './invoice-check.ts'
import { readLinesOf, sheetSpec, tellNotes, tellRefused } from './price-files.ts'

export const invoiceImportCommand: Command = {
  name: 'invoice import',
  usage: `${invoiceFiles} --workspace W`,
  summary: 'Keeps invoice lines: all of a file or nothing. Importing the same lines again adds nothing.',
  options: { workspace: workspaceSpec, sheet: sheetSpec, as: actorSpec },
  positionals: { least: 1, most: 1 },
  heap: 'small',
  async run(invocation) {
    const file = invocation.positionals[0]!
    const by = { who: actorOf(invocation), fromAddress: null }
    const { lines, problems, notes } = await readLinesOf(invocation)
    if (problems.length > 0) return tellRefused(invocation, file, { problems })
    return withInstallation(invocation, async installation => {
      const { id: workspaceId } = await workspaceOption(installation, invocation)
      const library = openLibrary(installation, invocation)
      const request = { workspaceId, lines, today: today(), by, source: basename(file) }
      const imported = await importLines(installation.sql, library, request)
      if (imported.outcome === 'refused') return tellRefused(invocation, file, imported)
      tellNotes(invocation, file, notes)
      const { added, unchanged } = imported
      if (invocation.json) writeJson(invocation, imported)
      else invocation.terminal.out(`${file}: ${countOf(added, 'line')} added, ${unchanged} unchanged\n`)
      return 0
    })
  },
}
