// `key list`: a workspace's keys by name, scope and last four characters; the keys themselves are not stored.
import type { Instant } from '../../core/time/instant.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { type ApiKey, listApiKeys } from '../../storage/workspaces/api-keys.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { alignRows } from '../frame/worksheet.ts'

export const keyListCommand: Command = {
  name: 'key list',
  usage: '--workspace W',
  summary: 'Lists the API keys of a workspace.',
  options: { workspace: workspaceSpec },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const keys = await listApiKeys(installation.sql, workspace.id)
      if (invocation.json) {
        writeJson(invocation, keys)
        return 0
      }
      const now = parseInstant(new Date().toISOString())!
      const rows = keys.map(key => [key.id, key.name, key.scope, `…${key.lastFour}`, stateOf(key, now), useOf(key)])
      invocation.terminal.out(rows.length === 0 ? `${workspace.slug} has no keys\n` : alignRows(rows))
      return 0
    }),
}

export function stateOf({ expiresAt, revokedAt }: ApiKey, now: Instant): string {
  if (revokedAt !== null && revokedAt <= now) return `revoked ${toTheSecond(revokedAt)}`
  if (expiresAt === null) return 'no end'
  return `${expiresAt <= now ? 'ended' : 'ends'} ${toTheSecond(expiresAt)}`
}

function useOf({ lastUsedAt }: ApiKey): string {
  return lastUsedAt === null ? 'never used' : `last used ${toTheSecond(lastUsedAt)}`
}

function toTheSecond(instant: Instant): string {
  return `${instant.slice(0, 19)}Z`
}
