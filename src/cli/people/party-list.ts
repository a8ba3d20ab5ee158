// `party list`: the companies of a workspace, with the people of each.

import { loadCompanies } from '../../storage/people/parties.ts'
import { loadMembers } from '../../storage/people/people.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const partyListCommand = workspaceCommand({
  name: 'party list',
  usage: '--workspace W',
  summary: 'Lists the parties of a workspace: companies, and the people who belong to them.',
  async work({ sql, workspace }) {
    const { companies, members } = await withWorkspace(
      sql,
      workspace.id,
      async tx => ({
        companies: await loadCompanies(tx, workspace.id),
        members: await loadMembers(tx, workspace.id),
      }),
      'snapshot',
    )
    const parties = companies.map(({ id, slug, name, createdAt }) => {
      const people = members.filter(({ company }) => company === slug).map(({ email }) => email)
      return { id, slug, name, createdAt, people }
    })
    const rows = parties.map(({ slug, name, people }) => [
      slug,
      name,
      people.length === 0 ? 'no people' : people.join(', '),
    ])
    const none = `${workspace.slug} has no parties; add one with assize party create\n`
    return { json: parties, words: parties.length === 0 ? none : alignRows(rows) }
  },
})
