// `operator remove`: a person is no longer an operator. Their decisions stay in force.
import { removeOperator } from '../../storage/people/operators.ts'
import { readEmail } from '../../storage/people/people.ts'
import type { Command } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const operatorRemoveCommand: Command = {
  name: 'operator remove',
  usage: '<email>',
  summary: 'Removes a person as operator. Their decisions stay in force.',
  options: { as: actorSpec },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const email = readEmail(invocation.positionals[0]!)
    return withInstallation(invocation, async ({ owner }) => {
      await removeOperator(owner, email, actorOf(invocation))
      return { json: { email }, words: `${email} is no longer an operator of this installation\n` }
    })
  },
}
