// `party create`: a company that agreements of a workspace may name as buyer or supplier.
import { createCompany } from '../../storage/people/parties.ts'
import { Misuse, textOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const partyCreateCommand = preparedCommand({
  name: 'party create',
  usage: '<slug> --workspace W --name N',
  summary: 'Creates a party: a company whose people see and sign the agreements that name its slug.',
  options: {
    name: { type: 'string', value: 'N', help: 'the name of the company, as shown in receipts' },
    as: actorSpec,
  },
  positionals: 1,
  prepare: invocation => {
    const name = textOption(invocation, 'name')
    if (name === null) throw new Misuse('--name is missing: the name of the company')
    return { name, by: { who: actorOf(invocation), fromAddress: null } }
  },
  async work({ invocation, sql, workspace }, { name, by }) {
    const party = await createCompany(sql, workspace.id, { slug: invocation.positionals[0]!, name }, by)
    return { json: party, words: `created party ${party.slug} (${party.name}) in ${workspace.slug}\n` }
  },
})
