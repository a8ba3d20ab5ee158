// `correction sign`: the operator signs a correction on behalf of one side. The signature is marked as the operator's.
import { signCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { textOption } from '../frame/command.ts'
import { signWithSlips, slipOption } from '../frame/public-log.ts'
import { neededOption, partyOption, speakerOptions } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { formatCorrection } from './correction-words.ts'

export const correctionSignCommand = workspaceCommand({
  name: 'correction sign',
  usage: '<id> --workspace W --party buyer|supplier --as <email> [--hash H] [--slip F]',
  summary:
    'Signs a correction for one side, marked as signed by the operator. Signing it again adds nothing; a correction whose amounts have moved is refused.',
  options: {
    ...speakerOptions,
    hash: { type: 'string', value: 'H', help: 'sign only if this is its hash' },
    ...slipOption,
  },
  positionals: 1,
  async work(ground) {
    const { invocation, installation, sql, workspace } = ground
    const request = {
      workspaceId: workspace.id,
      id: invocation.positionals[0]!,
      party: partyOption(invocation),
      email: neededOption(invocation, 'as'),
      hash: textOption(invocation, 'hash'),
      proof: { means: 'OPERATOR' },
      fromAddress: null,
    } as const
    const { value, slips, words } = await signWithSlips(ground, () =>
      signCorrection(sql, new Seal(installation.ring), request),
    )
    return { json: { ...value, slips }, words: [formatCorrection(value), words] }
  },
})
