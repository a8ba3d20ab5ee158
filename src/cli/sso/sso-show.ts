// `sso show`: sign-in of the people of a workspace and of its parties. Secrets are never shown.
import { listProviders } from '../../storage/identity/providers.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { showProvider, wordsOf } from './provider-words.ts'

export const ssoShowCommand = workspaceCommand({
  name: 'sso show',
  usage: '--workspace W',
  summary: 'Lists the identity providers of a workspace and its parties.',
  async work({ sql, config, workspace }) {
    const providers = await listProviders(sql, workspace.id)
    const shown = await Promise.all(providers.map(each => showProvider(sql, config, each)))
    const none = `everybody of ${workspace.slug} signs in by password; set a provider with assize sso set\n`
    return { json: shown, words: shown.length === 0 ? none : shown.flatMap(wordsOf) }
  },
})
