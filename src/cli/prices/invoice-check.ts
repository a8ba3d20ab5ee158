// `invoice check`: checks the lines of a file against settled prices and stores nothing.
import { type CheckGround, LineChecker } from '../../core/invoices/check.ts'
import { answeredRow, type CheckRow, CheckSums } from '../../core/invoices/check-row.ts'
import type { LineSequence } from '../../core/invoices/invoice-line.ts'
import { today } from '../frame/clock.ts'
import { type Invocation, writeJsonList, writePieces } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { countOf } from '../frame/progress.ts'
import { alignRows } from '../frame/worksheet.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { readLinesOf, sheetSpec, tellNotes, tellRefused } from './price-files.ts'

export const invoiceFiles = '<file.csv|.xlsx|.json|.xml>'

export const invoiceCheckCommand = preparedCommand({
  name: 'invoice check',
  usage: `${invoiceFiles} --workspace W`,
  summary:
    'Checks invoice lines against the settled prices: outcome, difference and reason of each. Nothing is stored.',
  options: { sheet: sheetSpec },
  positionals: 1,
  heap: 'smallest',
  prepare: async invocation => {
    const { lines, problems, notes } = await readLinesOf(invocation)
    const file = invocation.positionals[0]!
    if (problems.length > 0) return tellRefused(invocation, file, { problems }, 'nothing was checked')
    return { file, lines, notes }
  },
  async work({ invocation, workspace, installation }, { file, lines, notes }) {
    const library = openLibrary(installation, invocation)
    const time = { knownAt: null, until: today() }
    const checking = new Checking(lines, await library.prices.checkGround(workspace.id, lines, time))
    tellNotes(invocation, file, notes)
    if (invocation.json) await writeJsonList(invocation, checking.rows(), () => ({ summary: checking.sums.finish() }))
    else await tell(invocation, checking)
    return 0
  },
})

/** Rows are written as they come: a file has many thousands of them. */
class Checking {
  readonly sums = new CheckSums()
  readonly #lines: LineSequence
  readonly #checker: LineChecker

  constructor(lines: LineSequence, ground: CheckGround) {
    this.#lines = lines
    this.#checker = new LineChecker(ground)
  }

  *rows(): Generator<CheckRow> {
    for (const line of this.#lines) {
      const row = this.#checker.check(line)
      this.sums.take(row)
      yield answeredRow(row)
    }
  }
}

async function tell({ terminal }: Invocation, checking: Checking): Promise<void> {
  await writePieces(terminal, linesOf(checking))
  const summary = checking.sums.finish()
  const counts = Object.entries(summary.outcomes).map(([outcome, count]) => [outcome, `${count}`])
  terminal.out(`${countOf(summary.lines, 'line')}\n${alignRows(counts, [1])}`)
  for (const [word, sums] of [
    ['billed too much', summary.over],
    ['billed too little', summary.under],
  ] as const)
    for (const [currency, sum] of Object.entries(sums)) terminal.out(`${word}: ${sum} ${currency}\n`)
}

function* linesOf(checking: Checking): Generator<string> {
  for (const row of checking.rows()) if (row.outcome !== 'OK' && row.outcome !== 'PROVISIONAL') yield `${lineOf(row)}\n`
}

function lineOf({ invoice, line, outcome, difference, currency, reason, message }: CheckRow): string {
  const place = `${invoice ?? '?'} ${line ?? '?'}`
  const money = difference === null ? '' : ` ${difference} ${currency}`
  const why = reason?.sentence ?? message ?? ''
  return `${place}: ${outcome}${money}${why === '' ? '' : `: ${why}`}`
}
