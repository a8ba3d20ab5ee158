// `key list`: a workspace's keys by name, scope and last four characters; the keys themselves are not stored.

import type { Instant } from '../../core/time/instant.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { type ApiKey, listApiKeys } from '../../storage/workspaces/api-keys.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { toTheSecond } from '../frame/clock.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const keyListCommand = workspaceCommand({
  name: 'key list',
  usage: '--workspace W',
  summary: 'Lists the API keys of a workspace.',
  async work({ sql, workspace }) {
    const keys = await listApiKeys(sql, workspace.id)
    const now = parseInstant(new Date().toISOString())!
    const rows = keys.map(key => {
      return [key.id, key.name, key.scope, `…${key.lastFour}`, `by ${key.madeBy}`, stateOf(key, now), useOf(key)]
    })
    return { json: keys, words: rows.length === 0 ? `${workspace.slug} has no keys\n` : alignRows(rows) }
  },
})

export function stateOf({ expiresAt, revokedAt }: ApiKey, now: Instant): string {
  if (revokedAt !== null && revokedAt <= now) return `revoked ${toTheSecond(revokedAt)}`
  if (expiresAt === null) return 'no end'
  return `${expiresAt <= now ? 'ended' : 'ends'} ${toTheSecond(expiresAt)}`
}

function useOf({ lastUsedAt }: ApiKey): string {
  return lastUsedAt === null ? 'never used' : `last used ${toTheSecond(lastUsedAt)}`
}
