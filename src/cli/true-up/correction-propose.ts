// `correction propose`: proposes the correction that the contract's policy makes due, or by hand everything that has moved.
import { proposeCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { Misuse, textOption } from '../frame/command.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { formatCorrection } from './correction-words.ts'

export const correctionProposeCommand = preparedCommand({
  name: 'correction propose',
  usage: '<slug> --workspace W [--by-hand --reason T]',
  summary:
    'Proposes the correction that is due by the policy of the contract, over all due periods. While nothing has moved it is the same proposal; otherwise it supersedes the open one.',
  options: {
    'by-hand': { type: 'boolean', help: 'proposes every price that has moved, outside the policy; needs --reason' },
    reason: { type: 'string', value: 'T', help: 'why it is proposed by hand, in words' },
  },
  positionals: 1,
  prepare: invocation => {
    const reason = textOption(invocation, 'reason')
    const isByHand = invocation.options['by-hand'] === true
    if (isByHand && reason === null) throw new Misuse('--by-hand needs --reason')
    if (!isByHand && reason !== null) throw new Misuse('--reason is for --by-hand')
    return { reason }
  },
  async work({ invocation, installation, sql, workspace }, { reason }) {
    const { outcome, supersedes, correction } = await proposeCorrection(sql, new Seal(installation.ring), {
      workspaceId: workspace.id,
      agreement: invocation.positionals[0]!,
      reason,
      by: { who: 'operator', fromAddress: null },
    })
    const said = outcome === 'unchanged' ? 'proposed before, and nothing has moved' : 'proposed'
    const instead = supersedes === null ? '' : `, in place of ${supersedes}`
    return { json: correction, words: [`${said}${instead}`, formatCorrection(correction)] }
  },
})
