// `agreement make`: many agreements from a table and a template of their clause, one for each row. All of them are made, or none.
import { extname } from 'node:path'
import { makeAgreements, openTemplate, type PlannedAgreement, planAgreements } from '../../agreements/from-table.ts'
import { readTemplate } from '../../core/formula/many/agreement-template.ts'
import { templates } from '../../core/formula/many/templates.ts'
import type { RowProblem } from '../../core/series/table-problems.ts'
import { readAgreementTable } from '../../import/agreement-table.ts'
import { tableSource } from '../../import/price-list.ts'
import { providerHabits as habits } from '../../providers/catalogue/catalogue.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { today } from '../frame/clock.ts'
import { type Invocation, Misuse, printJson, textOption, type Words } from '../frame/command.ts'
import { readTextFile, rowProblemLine } from '../frame/files.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const agreementMakeCommand = preparedCommand({
  name: 'agreement make',
  usage: '<table.csv|.xlsx> --template <slug|name|file.yaml> --workspace W',
  summary: 'Makes many agreements from a table, one row each, and a template of the clause. All of them or none.',
  options: {
    template: {
      type: 'string',
      value: 'T',
      help: `an agreement of the workspace, a document with places such as <steel base>, or one of ${templates.map(({ id }) => id).join(', ')}`,
    },
    active: { type: 'boolean', help: 'puts them in force at once; default: drafts' },
    'dry-run': { type: 'boolean', help: 'shows the agreements with their first numbers; nothing is stored' },
    sheet: { type: 'string', value: 'S', help: 'the worksheet of a workbook; default: the first' },
    as: actorSpec,
  },
  positionals: 1,
  prepare: async invocation => {
    const name = textOption(invocation, 'template')
    if (name === null) throw new Misuse('say with --template what the agreements are made from')
    const file = invocation.positionals[0]!
    const source = tableSource(file, { bounds: null, sheet: textOption(invocation, 'sheet') })
    const by = { who: actorOf(invocation), fromAddress: null }
    const isFile = ['.yaml', '.yml', '.json'].includes(extname(name).toLowerCase())
    return { name, file, source, by, text: isFile ? await readTextFile(name) : null }
  },
  async work({ invocation, sql, workspace }, { name, file, source, by, text }) {
    const day = today()
    const template = text === null ? await openTemplate(sql, workspace.id, name, day) : readTemplate(text)
    const { rows, problems, notes } = await readAgreementTable(source, template.places)
    if (problems.length > 0) return printRefused(invocation, file, problems)
    if (!invocation.json) for (const note of notes) invocation.terminal.out(`${file}: ${note}\n`)
    const status = invocation.options.active === true ? 'ACTIVE' : 'DRAFT'
    const request = { workspaceId: workspace.id, rows, template, status, today: day, by, habits } as const
    if (invocation.options['dry-run'] === true) {
      const planned = await planAgreements(sql, request)
      if (planned.outcome === 'refused') return printRefused(invocation, file, planned.problems)
      return { json: planned.agreements, words: formatPlanned(planned.agreements) }
    }
    const made = await makeAgreements(sql, request)
    if (made.outcome === 'refused') return printRefused(invocation, file, made.problems)
    const words = `${countOf(made.agreements.length, 'agreement')} made, ${status === 'ACTIVE' ? 'in force' : 'as drafts'}\n`
    return { json: made.agreements, words }
  },
})

function printRefused(invocation: Invocation, file: string, problems: readonly RowProblem[]): number {
  for (const problem of problems) invocation.terminal.err(rowProblemLine(file, problem))
  invocation.terminal.err(`${file}: no agreement was made\n`)
  if (invocation.json) printJson(invocation, { error: `refused: ${file}`, outcome: 'refused', problems })
  return 1
}

function formatPlanned(agreements: readonly PlannedAgreement[]): Words {
  const rows = agreements.map(({ slug, supplier, price, currency, unit, item, first, newest, reason }) => [
    slug,
    supplier ?? 'no supplier',
    price === null
      ? 'no price'
      : `${price} ${currency}${unit === null ? '' : ` per ${unit}`}${item === null ? '' : `, item ${item}`}`,
    first === null
      ? `no number: ${reason ?? 'no adjustment date yet'}`
      : `${first.period} ${first.adjustmentPct ?? ''} %`,
    newest === null ? '' : `${newest.period} ${newest.price ?? `${newest.adjustmentPct ?? ''} %`}`,
  ])
  return [alignRows(rows, [], ''), `${countOf(agreements.length, 'agreement')} would be made`]
}
