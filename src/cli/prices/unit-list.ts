// `unit list`: the factors between units of a workspace.
import { listUnits } from '../../storage/agreements/units.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const unitListCommand = workspaceCommand({
  name: 'unit list',
  usage: '--workspace W',
  summary: 'Lists the factors between units that a workspace has set.',
  async work({ sql, workspace }) {
    const units = await listUnits(sql, workspace.id)
    const rows = units.map(({ unit, other, factor }) => ['1', unit, '=', factor, other])
    const none = 'no units yet; add one with assize unit set\n'
    return { json: units, words: units.length === 0 ? none : alignRows(rows, [], '') }
  },
})
