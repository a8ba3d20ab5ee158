// `sso remove`: people sign in by password again. Sessions by the provider end; a person without a password needs a link.
import { nameOf, removeProvider } from '../../storage/identity/providers.ts'
import { textOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { partySpec } from './provider-words.ts'

export const ssoRemoveCommand = workspaceCommand({
  name: 'sso remove',
  usage: '--workspace W [--party P]',
  summary: 'Removes an identity provider: its sessions end, and its people need a link for a password.',
  options: { party: partySpec, as: actorSpec },
  async work({ sql, invocation, workspace }) {
    const party = textOption(invocation, 'party')
    await removeProvider(sql, workspace.id, party, { who: actorOf(invocation), fromAddress: null })
    const words = `${nameOf(party)} sign in by password from now on; people without a password get a link under Settings, People, or with assize user password\n`
    return { json: { party, removed: true }, words }
  },
})
