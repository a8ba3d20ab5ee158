// `prices export`: the prices of one agreement or of all, as a file that another system loads. A price that does not fit is
// refused with its item; nothing is rounded.
import { writeFile } from 'node:fs/promises'
import type { ExactRow, RowFilter } from '../../core/prices/price-rows.ts'
import { writeCount } from '../../core/text/words.ts'
import {
  chosenRows,
  type FileProblem,
  type PriceFileOptions,
  priceFormats,
  rowChoices,
} from '../../formats/price-files/price-file.ts'
import { writeAll, writeWhatFits } from '../../formats/price-files/write.ts'
import { writeCsv } from '../../formats/sheet.ts'
import type { Library } from '../../read/library.ts'
import type { PriceTime } from '../../read/prices.ts'
import { today } from '../frame/clock.ts'
import {
  type Command,
  choiceOption,
  type Invocation,
  Misuse,
  textOption,
  textOptions,
  writeJson,
} from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'
import { countOf } from '../frame/progress.ts'
import { dayOption, refuseTogether } from './price-files.ts'

export const pricesExportCommand: Command = {
  name: 'prices export',
  usage: '<slug>|--all --format F --workspace W [--date D | --period P | --from D] [--only agreed|signed|all] …',
  summary:
    'Writes the prices of one or all agreements as a file for another system. Prices are scaled or refused, never rounded. With --all, what cannot be written is left out and named.',
  options: {
    workspace: workspaceSpec,
    all: { type: 'boolean', help: 'every agreement that is neither a draft nor archived' },
    format: { type: 'string', value: 'F', help: `one of ${priceFormats.join(', ')}` },
    date: { type: 'string', value: 'D', help: 'the prices of this day' },
    period: { type: 'string', value: 'P', help: 'the prices of this period' },
    from: { type: 'string', value: 'D', help: 'prices that are valid on or after this day' },
    only: { type: 'string', value: 'O', help: 'agreed: signed by both (default); signed: by at least one; all' },
    strict: {
      type: 'boolean',
      help: 'with --all: where an agreement would be left out, write nothing and exit with 1',
    },
    'left-out': { type: 'string', value: 'FILE', help: 'with --all: a CSV file of what is not in the file, and why' },
    out: { type: 'string', value: 'FILE', help: 'the file to write; default: standard output' },
    set: { type: 'string', multiple: true, value: 'N=V', help: 'a text for a column that items have no erp_ key for' },
    decimals: { type: 'string', value: 'N', help: 'how many decimals a price may have in the target system' },
  },
  positionals: { least: 0, most: 1 },
  async run(invocation) {
    refuseTogether(invocation, ['date', 'period', 'from'])
    const [agreement] = invocation.positionals
    const isAll = invocation.options.all === true
    if (isAll === (agreement !== undefined)) throw new Misuse('name one agreement, or all of them with --all')
    const format = choiceOption(invocation, 'format', priceFormats)
    if (format === null) throw new Misuse(`--format is missing: ${priceFormats.join(', ')}`)
    const only = choiceOption(invocation, 'only', rowChoices) ?? 'agreed'
    const options = { only, set: readSet(invocation), decimals: readDecimals(invocation) }
    const request = {
      period: textOption(invocation, 'period') ?? undefined,
      date: dayOption(invocation, 'date'),
      from: dayOption(invocation, 'from'),
      knownAt: null,
      until: today(),
    }
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const library = openLibrary(installation, invocation)
      const found = await readRows(library, workspace.id, agreement, request)
      const { rows } = found
      const written = (isAll ? writeWhatFits : writeAll)(format, rows, options)
      if ('problems' in written) return tellUnfit(invocation, written.problems)
      const { unfit } = written
      const leftOut = [...found.leftOut, ...unfit.map(leftOutBy)]
      if (leftOut.length > 0 && invocation.options.strict === true) return tellUnfit(invocation, leftOut.map(problemOf))
      const inFile = rows.filter(({ row }) => !unfit.some(({ agreement: each }) => each === row.agreement))
      const chosen = chosenRows(inFile, only).length
      tellLeftOut(invocation, leftOut)
      if (chosen < inFile.length)
        invocation.terminal.err(
          `assize: ${writeCount(inFile.length - chosen)} of ${countOf(inFile.length, 'price')} ${inFile.length - chosen === 1 ? 'is' : 'are'} not ${only}; --only all writes every one\n`,
        )
      await writeLeftOut(invocation, leftOut)
      await writeOut(invocation, written.text, { format, rows: chosen, ...(isAll ? { leftOut } : {}) })
      return 0
    })
  },
}

/** What the file should have and does not. */
interface LeftOut {
  readonly agreement: string
  /** Null where it is all items. */
  readonly item: string | null
  /** Null where it is all periods. */
  readonly period: string | null
  readonly why: string
}

interface FoundRows {
  readonly rows: readonly ExactRow[]
  readonly leftOut: readonly LeftOut[]
}

async function readRows(
  library: Library,
  workspaceId: string,
  agreement: string | undefined,
  request: RowFilter & PriceTime,
): Promise<FoundRows> {
  if (agreement !== undefined) return { rows: await library.prices.rows(workspaceId, agreement, request), leftOut: [] }
  const all: ExactRow[] = []
  const leftOut: LeftOut[] = []
  for await (const { slug, rows, unpriced } of library.prices.rowsOfAll(workspaceId, request)) {
    for (const row of rows) all.push(row)
    leftOut.push(...unpriced.map(({ period, why }) => ({ agreement: slug, item: null, period, why })))
  }
  return { rows: all, leftOut }
}

function leftOutBy({ agreement, item, message }: FileProblem): LeftOut {
  return { agreement: agreement!, item, period: null, why: message }
}

function problemOf({ agreement, item, period, why }: LeftOut): FileProblem {
  return { agreement, item, message: period === null ? why : `${period}: ${why}` }
}

/** One line for each agreement. */
function tellLeftOut({ terminal }: Invocation, leftOut: readonly LeftOut[]): void {
  for (const [agreement, all] of Map.groupBy(leftOut, each => each.agreement)) {
    const { item, message } = problemOf(all[0]!)
    const more = all.length === 1 ? '' : ` (and ${writeCount(all.length - 1)} more)`
    terminal.err(`assize: left out: ${agreement}${item === null ? '' : `, "${item}"`}: ${message}${more}\n`)
  }
}

async function writeLeftOut(invocation: Invocation, leftOut: readonly LeftOut[]): Promise<void> {
  const file = textOption(invocation, 'left-out')
  if (file === null) return
  const rows = leftOut.map(({ agreement, item, period, why }) => [agreement, item, period, why])
  await writeFile(file, writeCsv({ name: 'Left out', head: ['agreement', 'item', 'period', 'why'], rows }))
}

async function writeOut(
  invocation: Invocation,
  text: string,
  facts: { readonly format: string; readonly rows: number; readonly leftOut?: readonly LeftOut[] },
): Promise<void> {
  const file = textOption(invocation, 'out')
  const { json, terminal } = invocation
  if (file === null) {
    if (json) writeJson(invocation, { ...facts, text })
    else terminal.out(text)
    return
  }
  await writeFile(file, text)
  if (json) writeJson(invocation, { ...facts, file })
  else terminal.out(`${file}: ${countOf(facts.rows, 'price')}\n`)
}

function tellUnfit(invocation: Invocation, problems: readonly FileProblem[]): number {
  for (const { agreement, item, message } of problems) {
    const place = [agreement, item === null ? null : `"${item}"`].filter(part => part !== null).join(', ')
    invocation.terminal.err(`assize: ${place === '' ? '' : `${place}: `}${message}\n`)
  }
  invocation.terminal.err('assize: nothing was written\n')
  if (invocation.json) writeJson(invocation, { error: 'not every price can be written', outcome: 'refused', problems })
  return 1
}

function readSet(invocation: Invocation): PriceFileOptions['set'] {
  return new Map(
    textOptions(invocation, 'set').map(text => {
      const at = text.indexOf('=')
      if (at < 1) throw new Misuse(`--set must be NAME=VALUE, got "${text}"`)
      return [text.slice(0, at), text.slice(at + 1)] as const
    }),
  )
}

function readDecimals(invocation: Invocation): number | null {
  const text = textOption(invocation, 'decimals')
  if (text === null) return null
  if (!/^\d{1,2}$/.test(text) || Number.parseInt(text, 10) > 15)
    throw new Misuse(`--decimals must be a whole number from 0 to 15, got "${text}"`)
  return Number.parseInt(text, 10)
}
