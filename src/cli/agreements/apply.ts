// `agreement apply`: documents from files or from a folder, all or nothing. Each creates a new agreement, or a new version if
// the formula differs, or nothing if it does not.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Applied, applyDocuments } from '../../agreements/apply.ts'
import type { Refused } from '../../agreements/judge.ts'
import { Refusal } from '../../core/refusal.ts'
import { providerHabits as habits } from '../../providers/catalogue/catalogue.ts'
import { today } from '../frame/clock.ts'
import { type Invocation, printJson, textOption } from '../frame/command.ts'
import { plainProblem, problemLine, readTextFile } from '../frame/files.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

const mostFiles = 10_000

export const agreementApplyCommand = preparedCommand({
  name: 'agreement apply',
  usage: '<file.yaml|.json> … | <folder> --workspace W',
  summary:
    'Applies documents: each creates an agreement, a new version if its formula differs, or "unchanged". All or none.',
  options: {
    as: { type: 'string', value: 'E', help: 'the e-mail address of the person applying it; default: the operator' },
    reason: { type: 'string', value: 'T', help: 'the reason, if both sides have to agree' },
  },
  positionals: [1, mostFiles],
  prepare: async ({ positionals }) => {
    const files = await documentsAt(positionals)
    return { files, texts: await Promise.all(files.map(readTextFile)) }
  },
  async work({ invocation, sql, workspace }, { files, texts }) {
    const by = textOption(invocation, 'as') ?? 'operator'
    const reason = textOption(invocation, 'reason')
    const common = { workspaceId: workspace.id, by, today: today(), habits, ...(reason === null ? {} : { reason }) }
    const requests = texts.map(text => ({ ...common, text }))
    const results = await applyDocuments(sql, requests)
    const isOne = invocation.positionals.length === 1 && files[0] === invocation.positionals[0]
    return isApplied(results)
      ? printApplied(invocation, files, results, isOne)
      : printRefused(invocation, files, results)
  },
})

function isApplied(results: readonly (Applied | Refused | null)[]): results is readonly Applied[] {
  return results.every(each => each !== null && each.outcome !== 'refused')
}

/** Files as given; for a folder, its documents by name. */
async function documentsAt(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const path of paths) {
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory() !== true) {
      files.push(path)
      continue
    }
    const names = (await readdir(path)).filter(name => /\.(?:ya?ml|json)$/i.test(name)).sort()
    if (names.length === 0) throw new Refusal('not-found', `${path} contains no .yaml or .json`)
    files.push(...names.map(name => join(path, name)))
  }
  return files
}

function printApplied(
  invocation: Invocation,
  files: readonly string[],
  results: readonly Applied[],
  isOne: boolean,
): number {
  const { terminal, json } = invocation
  if (json) {
    printJson(invocation, isOne ? results[0] : results.map((result, i) => ({ file: files[i], ...result })))
    return 0
  }
  for (const [i, { slug, outcome, version, id, proposal, warnings }] of results.entries()) {
    for (const { path, message } of warnings)
      terminal.err(problemLine(files[i]!, { path, message: `warning: ${message}` }))
    if (proposal !== null)
      terminal.out(
        `${slug}: proposed as ${proposal}, formula ${version} governs until both have signed it (contract.change: BOTH)\n`,
      )
    else terminal.out(`${slug}: ${outcome}, formula ${version} (${id})\n`)
  }
  return 0
}

function printRefused(invocation: Invocation, files: readonly string[], results: readonly (Refused | null)[]): number {
  const refused = results.flatMap((result, i) => (result === null ? [] : [{ file: files[i]!, ...result }]))
  for (const { file, problems, lines } of refused)
    for (const problem of problems) invocation.terminal.err(problemLine(file, problem, lines))
  const others = files.length - refused.length
  if (others > 0)
    invocation.terminal.err(
      `assize: nothing was applied, the ${others} other document${others === 1 ? '' : 's'} neither\n`,
    )
  if (invocation.json)
    printJson(invocation, {
      error: `refused: ${refused.map(({ file }) => file).join(', ')}`,
      outcome: 'refused',
      problems: refused.flatMap(({ file, problems }) =>
        problems.map(plainProblem).map(problem => (files.length === 1 ? problem : { file, ...problem })),
      ),
    })
  return 1
}
