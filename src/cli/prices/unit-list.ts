// `unit list`: the factors between units of a workspace.
import { listUnits } from '../../storage/agreements/units.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { alignRows } from '../frame/worksheet.ts'

export const unitListCommand: Command = {
  name: 'unit list',
  usage: '--workspace W',
  summary: 'Lists the factors between units that a workspace has set.',
  options: { workspace: workspaceSpec },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const { id } = await workspaceOption(installation, invocation)
      const units = await listUnits(installation.sql, id)
      if (invocation.json) writeJson(invocation, units)
      else if (units.length === 0) invocation.terminal.out('no units yet; add one with assize unit set\n')
      else
        invocation.terminal.out(
          alignRows(
            units.map(({ unit, other, factor }) => ['1', unit, '=', factor, other]),
            [],
            '',
          ),
        )
      return 0
    }),
}
