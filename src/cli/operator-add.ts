// `operator add`: makes somebody who has an account an operator of the installation.
import { addOperator } from '../storage/operators.ts'
import { readEmail } from '../storage/people.ts'
import { accountSpec, accountWorkspace } from './account-option.ts'
import { type Command, writeJson } from './command.ts'
import { withInstallation } from './installation.ts'
import { actorOf, actorSpec } from './operator.ts'

export const operatorAddCommand: Command = {
  name: 'operator add',
  usage: '<email> [--workspace W]',
  summary: 'Makes a person an operator: they decide quarantines of public series and see all providers.',
  options: {
    workspace: accountSpec,
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const email = readEmail(invocation.positionals[0]!)
    const by = actorOf(invocation)
    return withInstallation(invocation, async ({ owner }) => {
      const workspaceId = await accountWorkspace(owner, invocation)
      const isNew = await addOperator(owner, email, { workspaceId, by })
      if (invocation.json) writeJson(invocation, { email, isNew })
      else invocation.terminal.out(`${email} is ${isNew ? 'now' : 'already'} an operator of this installation\n`)
      return 0
    })
  },
}
