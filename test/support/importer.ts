// The import as a process of its own, for tests that end it without mercy: says "go" when it begins to work.
import process from 'node:process'
import { parseInvocation } from '../../src/cli/command.ts'
import { importCommand } from '../../src/cli/import.ts'

const terminal = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  isTerminal: false,
  columns: 100,
  env: process.env,
}
const invocation = parseInvocation(importCommand, process.argv.slice(2), terminal)
if (invocation === 'help') throw new Error('the importer is not asked for help')
process.stdout.write('go\n')
process.exitCode = await importCommand.run(invocation)
