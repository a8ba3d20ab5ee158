// `party rename`: a new name for a company. Its slug stays, and so does what was signed under the old name.
import { Refusal } from '../../core/refusal.ts'
import { renameCompany } from '../../storage/people/parties.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const partyRenameCommand: Command = {
  name: 'party rename',
  usage: '<slug> --workspace W --name N',
  summary: 'Renames a party. What was signed keeps the name it was signed under.',
  options: {
    workspace: workspaceSpec,
    name: { type: 'string', value: 'N', help: 'the new name of the company' },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const name = textOption(invocation, 'name')
    if (name === null) throw new Refusal('invalid', '--name is missing: the new name of the company')
    const by = { who: actorOf(invocation), fromAddress: null }
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const party = await renameCompany(installation.sql, workspace.id, invocation.positionals[0]!, name, by)
      if (invocation.json) writeJson(invocation, party)
      else invocation.terminal.out(`party ${party.slug} is now called ${party.name}\n`)
      return 0
    })
  },
}
