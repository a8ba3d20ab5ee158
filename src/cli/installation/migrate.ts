// `migrate`: brings the schema up to date, and does nothing else. Every other command does it first.
import { type Command, printJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Brings the schema of the database up to date.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ migrated }) => {
      if (invocation.json) printJson(invocation, { applied: migrated })
      else if (migrated.length === 0) invocation.terminal.out('the schema is up to date\n')
      else for (const name of migrated) invocation.terminal.out(`applied ${name}\n`)
      return 0
    }),
}
