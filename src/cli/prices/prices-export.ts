// `prices export`: the prices of one agreement or of all, as a file that another system loads. A price that does not fit is
// refused with its item; nothing is rounded.

import { writeFile } from 'node:fs/promises'
import type { RowFilter, RowsOfAgreement } from '../../core/prices/price-rows.ts'
import { formatCount } from '../../core/text/words.ts'
import { exportPrices, type LeftOut } from '../../formats/price-files/price-export.ts'
import {
  chosenRows,
  type FileProblem,
  type PriceFileOptions,
  type PriceFormat,
  priceFormats,
  rowChoices,
} from '../../formats/price-files/price-file.ts'
import { writeAll } from '../../formats/price-files/price-file-text.ts'
import { formatMissingPartners, missingPartners } from '../../formats/price-files/sap-fields.ts'
import { formatCsv } from '../../formats/sheet.ts'
import type { Library } from '../../read/library.ts'
import type { PriceTime } from '../../read/prices.ts'
import { today } from '../frame/clock.ts'
import {
  type Command,
  choiceOption,
  type Invocation,
  Misuse,
  printJson,
  textOption,
  textOptions,
} from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'
import { countOf } from '../frame/progress.ts'
import { dayOption, refuseTogether } from './price-files.ts'

export const pricesExportCommand: Command = {
  name: 'prices export',
  usage:
    '<slug>|--all --format F --workspace W [--date D | --period P | --from D] [--only agreed|signed|all] [--period-validity] …',
  summary:
    'Writes the prices of one or all agreements as a file for another system. Prices are scaled or refused, never rounded. With --all, a price that cannot be written is left out and named.',
  options: {
    workspace: workspaceSpec,
    all: { type: 'boolean', help: 'every agreement that is neither a draft nor archived' },
    format: { type: 'string', value: 'F', help: `one of ${priceFormats.join(', ')}` },
    date: { type: 'string', value: 'D', help: 'the prices in force on this day' },
    period: { type: 'string', value: 'P', help: 'the prices of this period' },
    from: { type: 'string', value: 'D', help: 'prices that are in force on or after this day' },
    only: { type: 'string', value: 'O', help: 'agreed: signed by both (default); signed: by at least one; all' },
    'period-validity': {
      type: 'boolean',
      help: 'each price ends with its own period, in place of staying in force until the next one is signed by both',
    },
    strict: {
      type: 'boolean',
      help: 'with --all: where an agreement would be left out, write nothing and exit with 1',
    },
    'left-out': {
      type: 'string',
      value: 'FILE',
      help: 'with --all: a CSV file of the prices left out, with the reasons',
    },
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
    const periodValidity = invocation.options['period-validity'] === true
    const options = { only, set: readSet(invocation), decimals: readDecimals(invocation), periodValidity }
    const request = {
      period: textOption(invocation, 'period') ?? undefined,
      date: dayOption(invocation, 'date'),
      withProposed: true,
      from: dayOption(invocation, 'from'),
      knownAt: null,
      until: today(),
    }
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const library = openLibrary(installation, invocation)
      const agreements = await readAgreements(library, workspace.id, agreement, request)
      const written = isAll ? exportPrices(format, agreements, options) : exportOne(format, agreements, options)
      if ('problems' in written) return printUnfit(invocation, written.problems)
      const { leftOut, count } = written
      // A number that is not signed yet is nothing to repair.
      const missing = leftOut.filter(({ reason }) => reason !== 'NOT_AGREED')
      if (missing.length > 0 && invocation.options.strict === true)
        return printUnfit(invocation, missing.map(problemOf))
      const lacking = formatMissingPartners(missingPartners(format, options.set))
      if (lacking !== null) invocation.terminal.err(`assize: ${lacking}; --set gives them\n`)
      printLeftOut(invocation, missing)
      printNotAgreed(invocation, agreements, leftOut, options)
      await writeLeftOut(invocation, leftOut)
      await writeOut(invocation, written.text, { format, rows: count, ...(isAll ? { leftOut } : {}) })
      return 0
    })
  },
}

async function readAgreements(
  library: Library,
  workspaceId: string,
  agreement: string | undefined,
  request: RowFilter & PriceTime,
): Promise<readonly RowsOfAgreement[]> {
  if (agreement !== undefined) {
    const rows = await library.prices.rows(workspaceId, agreement, request)
    return [{ slug: agreement, rows, unpriced: [] }]
  }
  return Array.fromAsync(library.prices.rowsOfAll(workspaceId, request))
}

/** Writes one agreement whole, or refuses it. */
function exportOne(format: PriceFormat, [one]: readonly RowsOfAgreement[], options: PriceFileOptions) {
  const { rows } = one!
  const written = writeAll(format, rows, options)
  if ('problems' in written) return written
  return { text: written.text, count: chosenRows(rows, options.only).length, leftOut: [] }
}

function problemOf({ agreement, item, period, why }: LeftOut): FileProblem {
  return { agreement, item, message: period === null ? why : `${period}: ${why}` }
}

/** Tells the prices left out, one line for each agreement. */
function printLeftOut({ terminal }: Invocation, leftOut: readonly LeftOut[]): void {
  for (const [agreement, all] of Map.groupBy(leftOut, each => each.agreement)) {
    const { item, message } = problemOf(all[0]!)
    const more = all.length === 1 ? '' : ` (and ${formatCount(all.length - 1)} more)`
    terminal.err(`assize: left out: ${agreement}${item === null ? '' : `, "${item}"`}: ${message}${more}\n`)
  }
}

/** Number of prices that are not written because not everybody signed them. */
function printNotAgreed(
  { terminal }: Invocation,
  agreements: readonly RowsOfAgreement[],
  leftOut: readonly LeftOut[],
  { only }: PriceFileOptions,
): void {
  const unfit = new Set(leftOut.filter(({ reason }) => reason === 'UNFIT').map(({ agreement }) => agreement))
  const rows = agreements.filter(({ slug }) => !unfit.has(slug)).flatMap(each => each.rows)
  const lacking = rows.length - chosenRows(rows, only).length
  if (lacking > 0)
    terminal.err(
      `assize: ${formatCount(lacking)} of ${countOf(rows.length, 'price')} ${lacking === 1 ? 'is' : 'are'} not ${only}; --only all writes every one\n`,
    )
}

async function writeLeftOut(invocation: Invocation, leftOut: readonly LeftOut[]): Promise<void> {
  const file = textOption(invocation, 'left-out')
  if (file === null) return
  const head = ['agreement', 'item', 'period', 'reason', 'why'] as const
  const rows = leftOut.map(each => head.map(name => each[name]))
  await writeFile(file, formatCsv({ name: 'Left out', head, rows }))
}

async function writeOut(
  invocation: Invocation,
  text: string,
  facts: { readonly format: string; readonly rows: number; readonly leftOut?: readonly LeftOut[] },
): Promise<void> {
  const file = textOption(invocation, 'out')
  const { json, terminal } = invocation
  if (file === null) {
    if (json) printJson(invocation, { ...facts, text })
    else terminal.file(text)
    return
  }
  await writeFile(file, text)
  if (json) printJson(invocation, { ...facts, file })
  else terminal.out(`${file}: ${countOf(facts.rows, 'price')}\n`)
}

function printUnfit(invocation: Invocation, problems: readonly FileProblem[]): number {
  for (const { agreement, item, message } of problems) {
    const place = [agreement, item === null ? null : `"${item}"`].filter(part => part !== null).join(', ')
    invocation.terminal.err(`assize: ${place === '' ? '' : `${place}: `}${message}\n`)
  }
  invocation.terminal.err('assize: nothing was written\n')
  if (invocation.json) printJson(invocation, { error: 'not every price can be written', outcome: 'refused', problems })
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
