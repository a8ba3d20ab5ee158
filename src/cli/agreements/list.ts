// `agreement list`: the agreements of a workspace.

import { loadAgreementSummaries } from '../../storage/agreements/agreement-lists.ts'
import { updatedAt } from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const agreementListCommand = workspaceCommand({
  name: 'agreement list',
  usage: '--workspace W',
  summary: 'Lists the agreements of a workspace.',
  async work({ sql, workspace: { id } }) {
    const agreements = await withWorkspace(sql, id, tx => loadAgreementSummaries(tx, id))
    const rows = agreements.map(agreement => ({
      id: agreement.id,
      slug: agreement.slug,
      state: agreement.states.at(-1)!,
      updatedAt: updatedAt(agreement),
    }))
    const cells = rows.map(({ slug, state, id: agreementId }) => [slug, state.status, state.name, agreementId])
    return {
      json: rows.map(({ state, ...row }) => ({
        ...row,
        name: state.name,
        description: state.description,
        status: state.status,
      })),
      words:
        rows.length === 0
          ? 'no agreements yet; add one with assize agreement apply <file>\n'
          : alignRows(cells, [], ''),
    }
  },
})
