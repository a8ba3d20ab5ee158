// `workspace list`: every workspace of the installation.
import { listWorkspaces } from '../storage/workspaces.ts'
import { type Command, writeJson } from './command.ts'
import { withInstallation } from './installation.ts'
import { alignRows } from './worksheet.ts'

export const workspaceListCommand: Command = {
  name: 'workspace list',
  usage: '',
  summary: 'Lists the workspaces.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ owner }) => {
      const workspaces = await listWorkspaces(owner)
      if (invocation.json) {
        writeJson(invocation, workspaces)
        return 0
      }
      const rows = workspaces.map(({ id, slug, name, rateLimit }) => [slug, name, `${rateLimit} requests a minute`, id])
      invocation.terminal.out(rows.length === 0 ? 'there is no workspace yet\n' : alignRows(rows))
      return 0
    }),
}
