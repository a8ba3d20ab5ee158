// `workspace show`: one workspace, its request limits, quotas and usage.
import { formatCount } from '../../core/text/words.ts'
import { loadQuotas, type Quota } from '../../storage/workspaces/quotas.ts'
import type { Workspace } from '../../storage/workspaces/workspaces.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import type { Command } from '../frame/command.ts'
import { findWorkspace, withInstallation } from '../frame/installation.ts'

export const workspaceShowCommand: Command = {
  name: 'workspace show',
  usage: '<slug>',
  summary: 'Shows a workspace: its limits, and how much of them is used.',
  options: {},
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await findWorkspace(installation, invocation.positionals[0]!)
      const { quotas } = await loadQuotas(installation.owner, workspace.id)
      return { json: { ...workspace, quotas }, words: workspaceLines({ ...workspace, quotas }) }
    }),
}

export interface ShownWorkspace extends Workspace {
  readonly quotas: readonly Quota[]
}

export function workspaceLines(shown: ShownWorkspace): string[] {
  const { id, slug, name, rateLimit, workspaceRateLimit, priceTolerancePct, quotas } = shown
  const rates = [
    ['requests a minute', 'of a key', formatCount(rateLimit), ''],
    ['', 'of all keys', formatCount(workspaceRateLimit), ''],
  ]
  const rows = quotas.map(({ kind, most, isDefault, used }) => [
    kind,
    used === null ? 'at a time' : `${formatCount(used)} of`,
    formatCount(most),
    isDefault ? '(default)' : '',
  ])
  const tolerance = priceTolerancePct === null ? [] : [['price tolerance', '', `${priceTolerancePct} %`, '']]
  return [`${slug}  ${name}  ${id}`, ...alignRows([...rates, ...rows, ...tolerance])]
}
