// `correction sign`: the operator signs a correction on behalf of one side. It is marked as such.
import { signCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { textOption } from '../frame/command.ts'
import { neededOption, partyOption, speakerOptions } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { tellCorrection } from './correction-words.ts'

export const correctionSignCommand = workspaceCommand({
  name: 'correction sign',
  usage: '<id> --workspace W --party buyer|supplier --as <email> [--hash H]',
  summary:
    'Signs a correction for one side, marked as signed by the operator. Signing it again adds nothing; one that has moved is refused.',
  options: { ...speakerOptions, hash: { type: 'string', value: 'H', help: 'sign only if this is its hash' } },
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    const correction = await signCorrection(sql, new Seal(installation.secret), {
      workspaceId: workspace.id,
      id: invocation.positionals[0]!,
      party: partyOption(invocation),
      email: neededOption(invocation, 'as'),
      hash: textOption(invocation, 'hash'),
      proof: { means: 'OPERATOR' },
      fromAddress: null,
    })
    return { json: correction, words: tellCorrection(correction) }
  },
})
