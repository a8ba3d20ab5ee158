// `prices apply`: a price list from a file, all of it or nothing. It creates the list of an agreement, a new version if it says
// something else, or nothing if it does not.
import { applyPriceList } from '../../agreements/price-list.ts'
import { startLabel } from '../../core/prices/price-list.ts'
import { readPriceList, tableSource } from '../../import/price-list.ts'
import { today } from '../frame/clock.ts'
import { textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { sheetSpec, tellNotes, tellRefused } from './price-files.ts'

const end = 'nothing was applied'

export const pricesApplyCommand = preparedCommand({
  name: 'prices apply',
  usage: '<slug> <file.csv|.xlsx> --workspace W [--from P]',
  summary:
    'Applies a price list to an agreement: the first one, a new version, or "unchanged". All of a file or nothing.',
  options: {
    from: {
      type: 'string',
      value: 'P',
      help: 'the period from which the list governs, such as 2024-Q3; default: start',
    },
    sheet: sheetSpec,
    as: actorSpec,
  },
  positionals: 2,
  prepare: async invocation => {
    const file = invocation.positionals[1]!
    const source = tableSource(file, { bounds: null, sheet: textOption(invocation, 'sheet') })
    const by = { who: actorOf(invocation), fromAddress: null }
    const { rows, problems, notes } = await readPriceList(source)
    return problems.length > 0 ? tellRefused(invocation, file, { problems }, end) : { file, by, rows, notes }
  },
  async work({ invocation, sql, workspace, installation }, { file, by, rows, notes }) {
    const library = openLibrary(installation, invocation)
    const from = textOption(invocation, 'from') ?? startLabel
    const request = { workspaceId: workspace.id, pam: invocation.positionals[0]!, rows, from, today: today(), by }
    const applied = await applyPriceList(sql, library, request)
    if (applied.outcome === 'refused') return tellRefused(invocation, file, applied, end)
    tellNotes(invocation, file, notes)
    const { agreement, outcome, version, items } = applied
    return { json: applied, words: `${agreement}: ${outcome}, price list ${version} with ${countOf(items, 'item')}\n` }
  },
})
