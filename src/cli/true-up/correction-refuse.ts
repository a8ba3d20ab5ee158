// `correction refuse`: the operator says no to a correction on behalf of one side, with the reason. It is marked as such.
import { refuseCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { textOption } from '../frame/command.ts'
import { neededOption, readSpeaker, speakerOptions } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { tellCorrection } from './correction-words.ts'

export const correctionRefuseCommand = workspaceCommand({
  name: 'correction refuse',
  usage: '<id> --workspace W --party buyer|supplier --as <email> --reason T [--hash H]',
  summary: 'Refuses a correction for one side, with a reason. It can be proposed again, under a new id.',
  options: {
    ...speakerOptions,
    reason: { type: 'string', value: 'T', help: 'why, in words' },
    hash: { type: 'string', value: 'H', help: 'refuse only if this is its hash' },
  },
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    const { pam: id, ...speaker } = readSpeaker(invocation, workspace.id)
    const correction = await refuseCorrection(sql, new Seal(installation.secret), {
      ...speaker,
      id,
      reason: neededOption(invocation, 'reason'),
      hash: textOption(invocation, 'hash'),
    })
    return { json: correction, words: tellCorrection(correction) }
  },
})
