// `key revoke`: ends a key, immediately or after a grace period. Servers follow within seconds.
import { parseInstant } from '../../core/time/instant.ts'
import { noteOperator } from '../../storage/workspaces/activity.ts'
import { findWorkspaceOfKey, listApiKeys, retireApiKey, revokeApiKey } from '../../storage/workspaces/api-keys.ts'
import { type Command, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { readEnd } from './key-create.ts'
import { stateOf } from './key-list.ts'

export const keyRevokeCommand: Command = {
  name: 'key revoke',
  usage: '<id> [--grace 12h]',
  summary: 'Revokes an API key. Revoking it again is not an error.',
  options: {
    grace: { type: 'string', value: 'T', help: 'keep it valid for this long, such as 15m or 12h' },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const id = invocation.positionals[0]!
    const grace = textOption(invocation, 'grace')
    const until = grace === null ? null : readEnd(grace, '--grace')
    const who = actorOf(invocation)
    return withInstallation(invocation, async ({ sql, owner }) => {
      const workspaceId = await findWorkspaceOfKey(owner, id)
      const find = async () => (await listApiKeys(sql, workspaceId)).find(candidate => candidate.id === id)!
      const before = await find()
      if (until === null) await revokeApiKey(sql, workspaceId, id)
      else await retireApiKey(sql, workspaceId, id, until)
      const key = await find()
      const isChanged = key.revokedAt !== before.revokedAt || key.expiresAt !== before.expiresAt
      const what = until === null ? 'key revoked' : `key ends ${key.expiresAt}`
      await noteOperator(
        sql,
        workspaceId,
        isChanged
          ? [{ who, act: until === null ? 'key.revoke' : 'key.change', what, subject: `${key.name} (${id})` }]
          : [],
      )
      const now = parseInstant(new Date().toISOString())!
      return { json: key, words: `${key.name} (${id}): ${stateOf(key, now)}\n` }
    })
  },
}
