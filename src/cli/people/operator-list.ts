// `operator list`: who operates the installation.
import { listOperators } from '../../storage/people/operators.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'

export const operatorListCommand: Command = {
  name: 'operator list',
  usage: '',
  summary: 'Lists the operators of the installation.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ sql }) => {
      const operators = await listOperators(sql)
      if (invocation.json)
        writeJson(
          invocation,
          operators.map(({ email, addedBy, addedAt }) => ({ email, addedBy, addedAt })),
        )
      else if (operators.length === 0)
        invocation.terminal.out('nobody is an operator yet; assize operator add <email> makes one\n')
      else
        invocation.terminal.out(
          alignRows(
            operators.map(({ email, addedBy, addedAt }) => [email, `since ${addedAt.slice(0, 10)}`, `by ${addedBy}`]),
          ),
        )
      return 0
    }),
}
