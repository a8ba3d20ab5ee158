// `pam apply`: takes in a formula document: a new PAM, a new version where the formula differs, or "unchanged".
import { applyDocument } from '../agreements/apply.ts'
import { today } from './clock.ts'
import { type Command, textOption, writeJson } from './command.ts'
import { problemLine, readTextFile } from './files.ts'
import { withInstallation, workspaceOption, workspaceSpec } from './installation.ts'

export const pamApplyCommand: Command = {
  name: 'pam apply',
  usage: '<file.yaml|.json> --workspace W',
  summary: 'Takes in a formula document: a new PAM, a new version where the formula differs, or "unchanged".',
  options: {
    workspace: workspaceSpec,
    as: { type: 'string', value: 'E', help: 'the e-mail of who hands it in; the operator unless said otherwise' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const { terminal, positionals, json } = invocation
    const path = positionals[0]!
    const text = await readTextFile(path)
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const by = textOption(invocation, 'as') ?? 'operator'
      const result = await applyDocument(installation.sql, { workspaceId: workspace.id, text, by, today: today() })
      if (result.outcome === 'refused') {
        for (const problem of result.problems) terminal.err(problemLine(path, problem, result.lines))
        if (json) writeJson(invocation, { outcome: 'refused', problems: result.problems })
        return 1
      }
      if (json) {
        writeJson(invocation, result)
        return 0
      }
      for (const { path: place, message } of result.warnings)
        terminal.err(problemLine(path, { path: place, message: `warning: ${message}` }))
      terminal.out(`${result.slug}: ${result.outcome}, formula ${result.version} (${result.id})\n`)
      return 0
    })
  },
}
