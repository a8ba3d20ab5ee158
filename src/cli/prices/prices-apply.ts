// `prices apply`: a price list from a file, all of it or nothing. It creates the list of an agreement, a new version if it says
// something else, or nothing if it does not.
import { applyPriceList } from '../../agreements/price-list.ts'
import { startLabel } from '../../core/prices/price-list.ts'
import { readPriceList, tableSource } from '../../import/price-list.ts'
import { today } from '../frame/clock.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { sheetSpec, tellNotes, tellRefused } from './price-files.ts'

export const pricesApplyCommand: Command = {
  name: 'prices apply',
  usage: '<slug> <file.csv|.xlsx> --workspace W [--from P]',
  summary:
    'Applies a price list to an agreement: the first one, a new version, or "unchanged". All of a file or nothing.',
  options: {
    workspace: workspaceSpec,
    from: {
      type: 'string',
      value: 'P',
      help: 'the period from which the list governs, such as 2024-Q3; default: start',
    },
    sheet: sheetSpec,
    as: actorSpec,
  },
  positionals: { least: 2, most: 2 },
  async run(invocation) {
    const [pam, file] = invocation.positionals as [string, string]
    const source = tableSource(file, { bounds: null, sheet: textOption(invocation, 'sheet') })
    const by = { who: actorOf(invocation), fromAddress: null }
    const { rows, problems, notes } = await readPriceList(source)
    const end = 'nothing was applied'
    if (problems.length > 0) return tellRefused(invocation, file, { problems }, end)
    return withInstallation(invocation, async installation => {
      const { id: workspaceId } = await workspaceOption(installation, invocation)
      const library = openLibrary(installation, invocation)
      const from = textOption(invocation, 'from') ?? startLabel
      const request = { workspaceId, pam, rows, from, today: today(), by }
      const applied = await applyPriceList(installation.sql, library, request)
      if (applied.outcome === 'refused') return tellRefused(invocation, file, applied, end)
      tellNotes(invocation, file, notes)
      const { agreement, outcome, version, items } = applied
      if (invocation.json) writeJson(invocation, applied)
      else invocation.terminal.out(`${agreement}: ${outcome}, price list ${version} with ${countOf(items, 'item')}\n`)
      return 0
    })
  },
}
