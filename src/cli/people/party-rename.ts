// `party rename`: a new name for a company. Its slug stays, and so do texts that were signed under the old name.
import { renameCompany } from '../../storage/people/parties.ts'
import { Misuse, textOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const partyRenameCommand = preparedCommand({
  name: 'party rename',
  usage: '<slug> --workspace W --name N',
  summary: 'Renames a party. Earlier signatures keep the earlier name.',
  options: {
    name: { type: 'string', value: 'N', help: 'the new name of the company' },
    as: actorSpec,
  },
  positionals: 1,
  prepare: invocation => {
    const name = textOption(invocation, 'name')
    if (name === null) throw new Misuse('--name is missing: the new name of the company')
    return { name, by: { who: actorOf(invocation), fromAddress: null } }
  },
  async work({ invocation, sql, workspace }, { name, by }) {
    const party = await renameCompany(sql, workspace.id, invocation.positionals[0]!, name, by)
    return { json: party, words: `party ${party.slug} is now called ${party.name}\n` }
  },
})
