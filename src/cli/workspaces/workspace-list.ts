// `workspace list`: every workspace of the installation, with its usage and limits.
import { formatCount } from '../../core/text/words.ts'
import { loadAllQuotas } from '../../storage/workspaces/quotas.ts'
import { listWorkspaces } from '../../storage/workspaces/workspaces.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import type { Command } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'

export const workspaceListCommand: Command = {
  name: 'workspace list',
  usage: '',
  summary: 'Lists the workspaces, and how much of its limits each uses.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ owner }) => {
      const held = await loadAllQuotas(owner)
      const workspaces = (await listWorkspaces(owner)).map(each => ({
        ...each,
        quotas: held.get(each.id)?.quotas ?? [],
      }))
      const rows = workspaces.map(({ id, slug, name, rateLimit, quotas }) => [
        slug,
        name,
        `${rateLimit} requests a minute`,
        ...quotas.flatMap(({ kind, most, used }) =>
          used === null ? [] : [`${formatCount(used)} of ${formatCount(most)} ${kind}`],
        ),
        id,
      ])
      return { json: workspaces, words: rows.length === 0 ? 'there is no workspace yet\n' : alignRows(rows) }
    }),
}
