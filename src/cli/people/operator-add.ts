// `operator add`: makes somebody who has an account an operator of the installation.
import { addOperator } from '../../storage/people/operators.ts'
import { accountOptions, onAccount } from '../frame/account-command.ts'
import type { Command } from '../frame/command.ts'

export const operatorAddCommand: Command = {
  name: 'operator add',
  usage: '<email> [--workspace W]',
  summary: 'Makes a person an operator: they decide on quarantined public series and see all providers.',
  options: accountOptions,
  positionals: { least: 1, most: 1 },
  run: invocation =>
    onAccount(invocation, async ({ owner }, { email, by, workspaceId }) => {
      const isNew = await addOperator(owner, email, { workspaceId, by })
      const words = `${email} is ${isNew ? 'now' : 'already'} an operator of this installation`
      return { json: { email, isNew }, words }
    }),
}
