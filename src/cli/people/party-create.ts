// `party create`: a company that formulas of a workspace may name as buyer or supplier.
import { Refusal } from '../../core/refusal.ts'
import { createCompany } from '../../storage/people/parties.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const partyCreateCommand: Command = {
  name: 'party create',
  usage: '<slug> --workspace W --name N',
  summary: 'Creates a party: a company whose people see and sign the formulas that name its slug.',
  options: {
    workspace: workspaceSpec,
    name: { type: 'string', value: 'N', help: 'the name of the company, as shown in receipts' },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const name = textOption(invocation, 'name')
    if (name === null) throw new Refusal('invalid', '--name is missing: the name of the company')
    const by = { who: actorOf(invocation), fromAddress: null }
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const slug = invocation.positionals[0]!
      const party = await createCompany(installation.sql, workspace.id, { slug, name }, by)
      if (invocation.json) writeJson(invocation, party)
      else invocation.terminal.out(`created party ${party.slug} (${party.name}) in ${workspace.slug}\n`)
      return 0
    })
  },
}
