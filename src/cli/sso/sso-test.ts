// `sso test`: a test whether sign-in by a provider can work, with the fault in one sentence if it cannot.
import { publicUrlOf } from '../../config.ts'
import { openIdentity } from '../../identity/identity-connections.ts'
import { testProvider, wordsWhenGood } from '../../identity/provider-test.ts'
import { findProviderOf } from '../../storage/identity/providers.ts'
import { currentInstant } from '../frame/clock.ts'
import { printJson, textOption } from '../frame/command.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { partySpec } from './provider-words.ts'

export const ssoTestCommand = workspaceCommand({
  name: 'sso test',
  usage: '--workspace W [--party P]',
  summary:
    'Asks an identity provider for its description, its keys and a token, and says what is wrong. Signs nobody in.',
  options: { party: partySpec },
  async work({ sql, config, invocation, installation, workspace }) {
    const identity = openIdentity({ config, installation, now: currentInstant }, () => performance.now())
    const party = textOption(invocation, 'party')
    const provider = await findProviderOf(sql, workspace.id, party, identity.secrets)
    const wrong = await testProvider(identity, provider, publicUrlOf(config))
    const sentence = wrong ?? wordsWhenGood(provider)
    if (invocation.json) printJson(invocation, { party, isGood: wrong === null, sentence })
    else if (wrong === null) invocation.terminal.out(`${sentence}\n`)
    else invocation.terminal.err(`${sentence}\n`)
    return wrong === null ? 0 : 1
  },
})
