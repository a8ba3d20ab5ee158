// `invoice check`: checks the lines of a file against settled prices and stores nothing.
import { LineChecker } from '../../core/invoices/check.ts'
import { answeredRow, CheckSums, type PricedRow, verdictOf } from '../../core/invoices/check-row.ts'
import type { LineSequence } from '../../core/invoices/invoice-line.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { today } from '../frame/clock.ts'
import { type Invocation, printJsonList, writePieces } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { countOf } from '../frame/progress.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { printNotes, printRefused, readLinesOf, sheetSpec } from './price-files.ts'

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
    if (problems.length > 0) return printRefused(invocation, file, { problems }, 'nothing was checked')
    return { file, lines, notes }
  },
  async work({ invocation, workspace, installation }, { file, lines, notes }) {
    const library = openLibrary(installation, invocation)
    const time = { knownAt: null, until: today() }
    const checker = new LineChecker(await library.prices.checkGround(workspace.id, lines, time))
    printNotes(invocation, file, notes)
    if (invocation.json) await writeAnswer(invocation, lines, checker)
    else await tell(invocation, lines, checker)
    return 0
  },
})

/** Writes rows as they come: a file has many thousands of them. The answer is that of `/ext/v1/check`. */
async function writeAnswer(invocation: Invocation, lines: LineSequence, checker: LineChecker): Promise<void> {
  const sums = new CheckSums<PricedRow>(({ outcome }) => outcome)
  const rows = checkEach(lines, checker, sums).map(answeredRow)
  await printJsonList(invocation, rows, () => ({ summary: sums.finish() }))
}

function* checkEach(lines: LineSequence, checker: LineChecker, sums: CheckSums<PricedRow>): Generator<PricedRow> {
  for (const line of lines) {
    const row = checker.check(line)
    sums.take(row)
    yield row
  }
}

async function tell({ terminal }: Invocation, lines: LineSequence, checker: LineChecker): Promise<void> {
  const sums = new CheckSums<PricedRow>(verdictOf)
  await writePieces(terminal, tellEach(checkEach(lines, checker, sums)))
  const summary = sums.finish()
  const counts = Object.entries(summary.outcomes).map(([outcome, count]) => [outcome, `${count}`])
  terminal.out([countOf(summary.lines, 'line'), alignRows(counts, [1])])
  for (const [word, sums] of [
    ['billed too much', summary.over],
    ['billed too little', summary.under],
  ] as const)
    for (const [currency, sum] of Object.entries(sums)) terminal.out(`${word}: ${sum} ${currency}\n`)
}

function* tellEach(rows: Iterable<PricedRow>): Generator<string> {
  for (const row of rows) if (row.outcome !== 'OK' && row.outcome !== 'PROVISIONAL') yield `${lineOf(row)}\n`
}

function lineOf(row: PricedRow): string {
  const { invoice, line, difference, currency, reason, message } = row
  const verdict = verdictOf(row)
  const place = `${invoice ?? '?'} ${line ?? '?'}`
  if (verdict === 'NOT_AGREED') return `${place}: ${verdict}: ${message}`
  const money = difference === null ? '' : ` ${difference} ${currency}`
  const why = reason?.sentence ?? message ?? ''
  return `${place}: ${verdict}${money}${why === '' ? '' : `: ${why}`}`
}
