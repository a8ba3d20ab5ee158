// `operator list`: the operators of the installation.
import { listOperators } from '../../storage/people/operators.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import type { Command } from '../frame/command.ts'
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
      const rows = operators.map(each => [each.email, `since ${each.addedAt.slice(0, 10)}`, `by ${each.addedBy}`])
      const none = 'nobody is an operator yet; assize operator add <email> makes one\n'
      return {
        json: operators.map(({ email, addedBy, addedAt }) => ({ email, addedBy, addedAt })),
        words: rows.length === 0 ? none : alignRows(rows),
      }
    }),
}
