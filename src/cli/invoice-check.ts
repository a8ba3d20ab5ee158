// `invoice check`: checks the lines of a file against agreed prices and stores nothing.
import type { CheckAnswer } from '../core/invoices/check.ts'
import type { CheckRow } from '../core/invoices/check-row.ts'
import { today } from './clock.ts'
import { type Command, type Invocation, writeJson } from './command.ts'
import { keepHeapSmall } from './heap.ts'
import { withInstallation, workspaceOption, workspaceSpec } from './installation.ts'
import { openLibrary } from './library.ts'
import { readLinesOf, sheetSpec, tellNotes, tellRefused } from './price-files.ts'
import { countOf } from './progress.ts'
import { alignRows } from './worksheet.ts'

export const invoiceFiles = '<file.csv|.xlsx|.json|.xml>'

export const invoiceCheckCommand: Command = {
  name: 'invoice check',
  usage: `${invoiceFiles} --workspace W`,
  summary: 'Checks invoice lines against the agreed prices: outcome, difference and reason of each. Nothing is stored.',
  options: { workspace: workspaceSpec, sheet: sheetSpec },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    keepHeapSmall()
    const file = invocation.positionals[0]!
    const { lines, problems, notes } = await readLinesOf(invocation)
    if (problems.length > 0) return tellRefused(invocation, file, { problems }, 'nothing was checked')
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const library = openLibrary(installation, invocation)
      const answer = await library.prices.check(workspace.id, lines, { knownAt: null, until: today() })
      tellNotes(invocation, file, notes)
      if (invocation.json) writeJson(invocation, answer)
      else tell(invocation, answer)
      return 0
    })
  },
}

function tell({ terminal }: Invocation, { data, summary }: CheckAnswer): void {
  const others = data.filter(({ outcome }) => outcome !== 'OK' && outcome !== 'PROVISIONAL')
  for (const row of others) terminal.out(`${lineOf(row)}\n`)
  const counts = Object.entries(summary.outcomes).map(([outcome, count]) => [outcome, `${count}`])
  terminal.out(`${countOf(summary.lines, 'line')}\n${alignRows(counts, [1])}`)
  for (const [word, sums] of [
    ['billed too much', summary.over],
    ['billed too little', summary.under],
  ] as const)
    for (const [currency, sum] of Object.entries(sums)) terminal.out(`${word}: ${sum} ${currency}\n`)
}

function lineOf({ invoice, line, outcome, difference, currency, reason, message }: CheckRow): string {
  const place = `${invoice ?? '?'} ${line ?? '?'}`
  const money = difference === null ? '' : ` ${difference} ${currency}`
  const why = reason?.sentence ?? message ?? ''
  return `${place}: ${outcome}${money}${why === '' ? '' : `: ${why}`}`
}
