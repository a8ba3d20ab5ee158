// `correction propose`: proposes what the contract's policy says is due, or by hand everything that has moved.
import { proposeCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { type Command, Misuse, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { tellCorrection } from './correction-words.ts'

export const correctionProposeCommand: Command = {
  name: 'correction propose',
  usage: '<slug> --workspace W [--by-hand --reason T]',
  summary:
    'Proposes the correction that is due by the policy of the contract, over all due periods. While nothing has moved it is the same proposal; otherwise it supersedes the open one.',
  options: {
    workspace: workspaceSpec,
    'by-hand': { type: 'boolean', help: 'everything that has moved, outside the policy; needs --reason' },
    reason: { type: 'string', value: 'T', help: 'why it is proposed by hand, in words' },
  },
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const reason = textOption(invocation, 'reason')
      const isByHand = invocation.options['by-hand'] === true
      if (isByHand && reason === null) throw new Misuse('--by-hand needs --reason')
      if (!isByHand && reason !== null) throw new Misuse('--reason is for --by-hand')
      const workspace = await workspaceOption(installation, invocation)
      const { outcome, supersedes, correction } = await proposeCorrection(
        installation.sql,
        new Seal(installation.secret),
        {
          workspaceId: workspace.id,
          pam: invocation.positionals[0]!,
          reason,
          by: { who: 'operator', fromAddress: null },
        },
      )
      if (invocation.json) {
        writeJson(invocation, correction)
        return 0
      }
      const said = outcome === 'unchanged' ? 'proposed before, and nothing has moved' : 'proposed'
      const instead = supersedes === null ? '' : `, in place of ${supersedes}`
      invocation.terminal.out(`${said}${instead}\n${tellCorrection(correction)}`)
      return 0
    }),
}
