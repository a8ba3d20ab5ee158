// `pam list`: the PAMs of a workspace.

import { readPams } from '../../storage/agreements/agreement-lists.ts'
import { updatedAt } from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { alignRows } from '../frame/worksheet.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const pamListCommand = workspaceCommand({
  name: 'agreement list',
  usage: '--workspace W',
  summary: 'Lists the price adjustment models of a workspace.',
  async work({ sql, workspace: { id } }) {
    const pams = await withWorkspace(sql, id, tx => readPams(tx, id))
    const rows = pams.map(pam => ({ id: pam.id, slug: pam.slug, state: pam.states.at(-1)!, updatedAt: updatedAt(pam) }))
    const cells = rows.map(({ slug, state, id: pamId }) => [slug, state.status, state.name, pamId])
    return {
      json: rows.map(({ state, ...row }) => ({
        ...row,
        name: state.name,
        description: state.description,
        status: state.status,
      })),
      words: rows.length === 0 ? 'no formulas yet; add one with assize pam apply <file>\n' : alignRows(cells, [], ''),
    }
  },
})
