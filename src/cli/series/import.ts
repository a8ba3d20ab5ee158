// `import`: observations from a file into a workspace, all of the file or nothing. Every bad row is named.
import { basename, extname } from 'node:path'
import { Refusal } from '../../core/refusal.ts'
import { formatCount } from '../../core/text/words.ts'
import { csvSource } from '../../import/csv.ts'
import { jsonSource } from '../../import/json.ts'
import { sizeOfFile, type TableSource } from '../../import/source.ts'
import { type ImportReport, type ImportStage, importTable } from '../../import/table.ts'
import { xlsxSource } from '../../import/xlsx.ts'
import { fingerprintFile } from '../../storage/series/uploads.ts'
import { noteActivity } from '../../storage/workspaces/activity.ts'
import { type Command, type Invocation, Misuse, printJson, textOption } from '../frame/command.ts'
import { rowProblemLine } from '../frame/files.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'

export const importCommand: Command = {
  name: 'import',
  usage: '<file.csv|.xlsx|.json> --workspace W [--dry-run] [--sheet S]',
  summary: 'Imports observations: all of a file or nothing. Importing the same file again adds nothing.',
  options: {
    workspace: workspaceSpec,
    'dry-run': { type: 'boolean', help: 'shows the new values and publishes nothing' },
    sheet: { type: 'string', value: 'S', help: 'the worksheet of a workbook; default: the first' },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  heap: 'small',
  async run(invocation) {
    const path = invocation.positionals[0]!
    const source = sourceOf(path, textOption(invocation, 'sheet'))
    const who = actorOf(invocation)
    await sizeOfFile(path)
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const dryRun = invocation.options['dry-run'] === true
      const progress = new ProgressLine(invocation)
      const onProgress = (stage: ImportStage, done: number, of: number, rows: number) =>
        progress.show(`${stage} ${countOf(rows, 'row')}`, done, of)
      const upload = {
        uploadedBy: who,
        via: 'command',
        fileName: basename(path),
        ...(await fingerprintFile(path)),
      } as const
      const report = await importTable(installation.sql, workspace.id, source, {
        dryRun,
        upload,
        onProgress,
        onPublish: (tx, { added, created }) => {
          const subject = `${basename(path)}: ${countOf(added, 'new value')}, ${created.length} new series`
          return noteActivity(tx, workspace.id, {
            who,
            act: 'series.import',
            what: 'file imported',
            subject,
            fromAddress: null,
          })
        },
      }).finally(() => progress.clear())
      present(invocation, { file: path, workspace: workspace.slug, dryRun, ...report })
      return report.problems.length > 0 ? 1 : 0
    })
  },
}

function sourceOf(path: string, sheet: string | null): TableSource {
  const kind = extname(path).toLowerCase()
  if (sheet !== null && kind !== '.xlsx') throw new Misuse('--sheet is for .xlsx workbooks only')
  if (kind === '.csv') return csvSource(path)
  if (kind === '.json') return jsonSource(path)
  if (kind === '.xlsx') return xlsxSource(path, { bounds: null, sheet })
  throw new Refusal('invalid', `the file must be .csv, .xlsx or .json, got "${path}"`)
}

interface Outcome extends ImportReport {
  readonly file: string
  readonly workspace: string
  readonly dryRun: boolean
}

function present(invocation: Invocation, outcome: Outcome): void {
  const { terminal } = invocation
  const { file, problems, moreProblems, notes } = outcome
  for (const problem of problems) terminal.err(rowProblemLine(file, problem))
  if (moreProblems > 0) terminal.err(`${file}: and ${formatCount(moreProblems)} more\n`)
  if (problems.length > 0) terminal.err(`${file}: nothing was imported\n`)
  if (invocation.json) {
    printJson(invocation, outcome)
    return
  }
  for (const note of notes) terminal.out(`${file}: ${note}\n`)
  if (problems.length === 0) terminal.out(`${file}: ${sentence(outcome)}\n`)
}

function sentence({ rows, added, created, described, dryRun, recordedAt }: Outcome): string {
  const read = countOf(rows, 'row')
  if (added + created.length + described.length === 0) return `${read}, nothing new`
  const parts = [
    countOf(added, 'new vintage'),
    created.length === 0 ? '' : countOf(created.length, 'new series', 'new series'),
    described.length === 0 ? '' : `${countOf(described.length, 'series', 'series')} with new metadata`,
  ].filter(part => part !== '')
  const end = dryRun ? 'would be published' : `published, recorded ${recordedAt}`
  return `${read}, ${parts.join(', ')} ${end}`
}
