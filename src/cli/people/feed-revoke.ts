// `feed revoke`: ends a calendar feed at once. Revoking it again is no error.
import { findWorkspaceOfFeed, revokeFeed } from '../../storage/people/feeds.ts'
import type { Command } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const feedRevokeCommand: Command = {
  name: 'feed revoke',
  usage: '<id>',
  summary: 'Revokes a calendar feed. Revoking it again is not an error.',
  options: { as: actorSpec },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const id = invocation.positionals[0]!
    const by = { who: actorOf(invocation), fromAddress: null }
    return withInstallation(invocation, async ({ sql, owner }) => {
      await revokeFeed(sql, await findWorkspaceOfFeed(owner, id), id, { of: 'anybody', by })
      return { json: { id, revoked: true }, words: `${id}: revoked\n` }
    })
  },
}
