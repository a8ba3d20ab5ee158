// `key create`: a new API key, printed once. Only a digest of it is stored.

import { type KeyScope, keyScopes } from '../../core/people/key-scope.ts'
import { Refusal } from '../../core/refusal.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { deriveKey } from '../../storage/log/secret.ts'
import { createApiKey } from '../../storage/workspaces/api-keys.ts'
import { parseExpiry } from '../../storage/workspaces/key-format.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const keyCreateCommand: Command = {
  name: 'key create',
  usage: '--workspace W --name N [--scope read|money|all] [--expires 90d]',
  summary: 'Creates an API key and prints it once.',
  options: {
    workspace: workspaceSpec,
    name: { type: 'string', value: 'N', help: 'what the key is for' },
    scope: {
      type: 'string',
      value: 'S',
      help: 'read (default), money (also invoices and amounts) or all',
    },
    expires: { type: 'string', value: 'E', help: '30s, 15m, 12h, 90d or an instant; default: never' },
    as: actorSpec,
  },
  positionals: { least: 0, most: 0 },
  async run(invocation) {
    const name = textOption(invocation, 'name')
    if (name === null) throw new Refusal('invalid', '--name is missing: say what the key is for')
    const expires = textOption(invocation, 'expires')
    const expiresAt = expires === null ? null : readEnd(expires, '--expires')
    const scope = readScope(textOption(invocation, 'scope') ?? 'read')
    const by = { who: actorOf(invocation), fromAddress: null }
    return withInstallation(invocation, async installation => {
      const { id: workspaceId } = await workspaceOption(installation, invocation)
      const digestKey = deriveKey(installation.secret, 'api-key digests')
      const given = { workspaceId, name, scope, expiresAt, by }
      const { id, key } = await createApiKey(installation.sql, digestKey, given)
      if (invocation.json) writeJson(invocation, { id, key, name, expiresAt })
      else {
        const reads = scope === 'read' ? '' : `scope ${scope}, `
        const end = expiresAt === null ? 'no end' : `ends ${expiresAt}`
        invocation.terminal.out(`${key}\n\n${name} (${id}), ${reads}${end}. Keep it now: it is not shown again.\n`)
      }
      return 0
    })
  },
}

function readScope(text: string): KeyScope {
  const scope = keyScopes.find(each => each === text)
  if (scope === undefined) throw new Refusal('invalid', `--scope must be one of ${keyScopes.join(', ')}, got "${text}"`)
  return scope
}

/** When a key ends: a duration from now, or a future instant. */
export function readEnd(text: string, option: string): string {
  const now = parseInstant(new Date().toISOString())!
  const end = parseExpiry(text, now)
  if (end === null)
    throw new Refusal('invalid', `${option} must be such as 30s, 15m, 12h or 90d, or a future instant, got "${text}"`)
  return end
}
