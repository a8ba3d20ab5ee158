// `party list`: the companies of a workspace, and who belongs to each.

import { readCompanies } from '../../storage/people/parties.ts'
import { readMembers } from '../../storage/people/people.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { alignRows } from '../frame/worksheet.ts'

export const partyListCommand: Command = {
  name: 'party list',
  usage: '--workspace W',
  summary: 'Lists the parties of a workspace: companies, and the people who belong to them.',
  options: { workspace: workspaceSpec },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const { companies, members } = await withWorkspace(
        installation.sql,
        workspace.id,
        async tx => ({
          companies: await readCompanies(tx, workspace.id),
          members: await readMembers(tx, workspace.id),
        }),
        'snapshot',
      )
      const parties = companies.map(({ id, slug, name, createdAt }) => {
        const people = members.filter(({ company }) => company === slug).map(({ email }) => email)
        return { id, slug, name, createdAt, people }
      })
      if (invocation.json) writeJson(invocation, parties)
      else if (parties.length === 0)
        invocation.terminal.out(`${workspace.slug} has no parties; add one with assize party create\n`)
      else
        invocation.terminal.out(
          alignRows(
            parties.map(({ slug, name, people }) => [
              slug,
              name,
              people.length === 0 ? 'no people' : people.join(', '),
            ]),
          ),
        )
      return 0
    }),
}
