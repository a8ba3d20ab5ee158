// `agreement check`: every problem of a document with its place, and warnings about what a careful reader would question.
import { findMisfits, type SeriesData } from '../../core/formula/bind.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { lint } from '../../core/formula/check/lint.ts'
import { joinWarnings } from '../../core/index-changes/join-advice.ts'
import type { Problem } from '../../core/refusal.ts'
import { providerHabits } from '../../providers/catalogue/catalogue.ts'
import { today } from '../frame/clock.ts'
import { type Command, type Invocation, printJson, textOption } from '../frame/command.ts'
import { plainProblem, problemLine, readObservations, readTextFile, rowProblemLine } from '../frame/files.ts'

export const agreementCheckCommand: Command = {
  name: 'agreement check',
  usage: '<file.yaml|.json> [--data <observations.csv>]',
  summary:
    'Checks the document of an agreement: prints every problem with its place, and warnings with the text to write instead.',
  options: {
    data: { type: 'string', value: 'F', help: 'observations as CSV, to check the series themselves as well' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const path = invocation.positionals[0]!
    const { formula, problems, lines } = checkDocument(await readTextFile(path))
    const data = await loadData(invocation)
    if (data === null) return 1
    const misfits = formula === null || data === 'none' ? [] : findMisfits(formula, data)
    const ground = { data: data === 'none' ? new Map() : data, today: today(), habits: providerHabits }
    const warnings =
      formula === null ? [] : [...lint(formula, ground), ...joinWarnings(formula, ground.data, ground.today)]
    report(invocation, path, [...problems, ...misfits], warnings, lines)
    return problems.length + misfits.length > 0 ? 1 : 0
  },
}

async function loadData(invocation: Invocation): Promise<SeriesData | 'none' | null> {
  const file = textOption(invocation, 'data')
  if (file === null) return 'none'
  const table = await readObservations(file)
  for (const problem of table.problems) invocation.terminal.err(rowProblemLine(file, problem))
  return table.problems.length > 0 ? null : table.series
}

function report(
  invocation: Invocation,
  path: string,
  problems: readonly Problem[],
  warnings: readonly Problem[],
  lines: ReadonlyMap<string, number>,
): void {
  const { terminal } = invocation
  if (invocation.json) printJson(invocation, { problems: problems.map(plainProblem), warnings })
  for (const problem of problems) terminal.err(problemLine(path, problem, lines))
  if (invocation.json) return
  for (const { path: place, message } of warnings)
    terminal.out(problemLine(path, { path: place, message: `warning: ${message}` }, lines))
  if (problems.length === 0)
    terminal.out(
      warnings.length === 0
        ? `${path}: no problems\n`
        : `${path}: no problems, ${warnings.length} warning${warnings.length === 1 ? '' : 's'}\n`,
    )
}
