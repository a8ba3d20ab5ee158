// `pam list`: the PAMs of a workspace.

import { readPams } from '../../storage/agreements/agreement-lists.ts'
import { updatedAt } from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { alignRows } from '../frame/worksheet.ts'

export const pamListCommand: Command = {
  name: 'pam list',
  usage: '--workspace W',
  summary: 'Lists the price adjustment models of a workspace.',
  options: { workspace: workspaceSpec },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const { id } = await workspaceOption(installation, invocation)
      const pams = await withWorkspace(installation.sql, id, tx => readPams(tx, id))
      const rows = pams.map(pam => ({
        id: pam.id,
        slug: pam.slug,
        state: pam.states.at(-1)!,
        updatedAt: updatedAt(pam),
      }))
      if (invocation.json)
        writeJson(
          invocation,
          rows.map(({ state, ...row }) => ({
            ...row,
            name: state.name,
            description: state.description,
            status: state.status,
          })),
        )
      else if (rows.length === 0) invocation.terminal.out('no formulas yet; add one with assize pam apply <file>\n')
      else
        invocation.terminal.out(
          alignRows(
            rows.map(({ slug, state, id: pamId }) => [slug, state.status, state.name, pamId]),
            [],
            '',
          ),
        )
      return 0
    }),
}
