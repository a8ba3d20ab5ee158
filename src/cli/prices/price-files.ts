// Shared part of commands on prices and invoices: the files they read, the report of a refused file, and options that are days.
import type { RefusedRows } from '../../agreements/price-list.ts'
import type { LineSequence } from '../../core/invoices/invoice-line.ts'
import { formatCount } from '../../core/text/words.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { type FormProblem, type LineFileOptions, type ReadLines, readInvoiceFile } from '../../import/invoice-lines.ts'
import { limits } from '../../limits.ts'
import { type Invocation, Misuse, type OptionSpec, printJson, textOption } from '../frame/command.ts'
import { rowProblemLine } from '../frame/files.ts'

export const sheetSpec: OptionSpec = {
  type: 'string',
  value: 'S',
  help: 'the worksheet of a workbook; default: the first',
}

export function dayOption(invocation: Invocation, name: string): Day | undefined {
  const text = textOption(invocation, name)
  if (text === null) return undefined
  const day = parseDay(text)
  if (day === null) throw new Misuse(`--${name} must be a day such as 2024-05-17, got "${text}"`)
  return day
}

/** Refuses more than one of these options. */
export function refuseTogether(invocation: Invocation, names: readonly string[]): void {
  const given = names.filter(name => invocation.options[name] !== undefined)
  if (given.length > 1) throw new Misuse(`${given.map(name => `--${name}`).join(' and ')} cannot be used together`)
}

const mostTold = 1_000

/** Prints every problem and, with --json, the refusal as a value. Returns the exit status. */
export function printRefused(
  invocation: Invocation,
  file: string,
  { problems }: Pick<RefusedRows, 'problems'>,
  end = 'nothing was imported',
): number {
  return printAllRefused(invocation, [{ file, problems }], { end, files: 1 })
}

interface RefusedFile extends Pick<RefusedRows, 'problems'> {
  readonly file: string
}

/** Reports several refused files among so many; where there is more than one, each problem names its own. */
export function printAllRefused(
  invocation: Invocation,
  refused: readonly RefusedFile[],
  { end, files }: { readonly end: string; readonly files: number },
): number {
  const { terminal } = invocation
  for (const { file, problems } of refused) {
    for (const problem of problems.slice(0, mostTold)) terminal.err(problemLine(file, problem))
    if (problems.length > mostTold) terminal.err(`${file}: and ${formatCount(problems.length - mostTold)} more\n`)
  }
  terminal.err(files === 1 ? `${refused[0]!.file}: ${end}\n` : `assize: ${end}, of ${files} files\n`)
  if (invocation.json) {
    const named = (file: string) => (files === 1 ? {} : { file })
    const problems = refused.flatMap(each =>
      (each.problems as readonly FormProblem[]).map(({ pointer, line, column, message }) =>
        typeof pointer === 'string'
          ? { ...named(each.file), pointer, message }
          : { ...named(each.file), line, column, message },
      ),
    )
    const error = `refused: ${refused.map(({ file }) => file).join(', ')}`
    printJson(invocation, { error, outcome: 'refused', problems })
  }
  return 1
}

function problemLine(file: string, problem: RefusedRows['problems'][number] & Partial<FormProblem>): string {
  const { pointer } = problem
  return typeof pointer === 'string' ? `${file}: ${pointer}: ${problem.message}\n` : rowProblemLine(file, problem)
}

/** The lines of the file that the command names. */
export function readLinesOf(invocation: Invocation): Promise<ReadLines<LineSequence>> {
  const options: LineFileOptions = {
    bounds: null,
    sheet: textOption(invocation, 'sheet'),
    mostLines: limits.upload.rows,
  }
  return readInvoiceFile(invocation.positionals[0]!, options)
}

export function printNotes({ json, terminal }: Invocation, file: string, notes: readonly string[]): void {
  if (!json) for (const note of notes) terminal.out(`${file}: ${note}\n`)
}
