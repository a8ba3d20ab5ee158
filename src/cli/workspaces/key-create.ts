// `key create`: a new API key, printed once. Only a digest of it is stored.

import { keyScopes } from '../../core/people/key-scope.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { KeyedDigests } from '../../storage/keys/key-ring.ts'
import { createApiKey } from '../../storage/workspaces/api-keys.ts'
import { parseExpiry } from '../../storage/workspaces/key-format.ts'
import { choiceOption, Misuse, textOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const keyCreateCommand = preparedCommand({
  name: 'key create',
  usage: '--workspace W --name N [--scope read|money|all] [--expires 90d]',
  summary: 'Creates an API key and prints it once.',
  options: {
    name: { type: 'string', value: 'N', help: 'what the key is for' },
    scope: {
      type: 'string',
      value: 'S',
      help: 'read (default), money (also invoices and amounts) or all',
    },
    expires: { type: 'string', value: 'E', help: '30s, 15m, 12h, 90d or an instant; default: never' },
    as: actorSpec,
  },
  prepare: invocation => {
    const name = textOption(invocation, 'name')
    if (name === null) throw new Misuse('--name is missing: say what the key is for')
    const expires = textOption(invocation, 'expires')
    const expiresAt = expires === null ? null : readEnd(expires, '--expires')
    const scope = choiceOption(invocation, 'scope', keyScopes) ?? 'read'
    return { name, expiresAt, scope, by: { who: actorOf(invocation), fromAddress: null } }
  },
  async work({ sql, installation, workspace }, given) {
    const { name, expiresAt, scope } = given
    const digests = new KeyedDigests(installation.ring, 'api-key digests')
    const { id, key } = await createApiKey(sql, digests, { workspaceId: workspace.id, ...given })
    const reads = scope === 'read' ? '' : `scope ${scope}, `
    const end = expiresAt === null ? 'no end' : `ends ${expiresAt}`
    return {
      json: { id, key, name, expiresAt },
      words: [key, '', `${name} (${id}), ${reads}${end}. Keep it now: it is not shown again.`],
    }
  },
})

/** The end of a key: a duration from now, or a future instant. */
export function readEnd(text: string, option: string): string {
  const now = parseInstant(new Date().toISOString())!
  const end = parseExpiry(text, now)
  if (end === null)
    throw new Misuse(`${option} must be such as 30s, 15m, 12h or 90d, or a future instant, got "${text}"`)
  return end
}
