// `correction refuse`: the operator says no to a correction on behalf of one side, with the reason. It is marked as such.
import { refuseCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption } from '../frame/installation.ts'
import { neededOption, readSpeaker, speakerOptions } from '../frame/statement-options.ts'
import { tellCorrection } from './correction-words.ts'

export const correctionRefuseCommand: Command = {
  name: 'correction refuse',
  usage: '<id> --workspace W --party buyer|supplier --as <email> --reason T [--hash H]',
  summary: 'Refuses a correction for one side, with a reason. It can be proposed again, under a new id.',
  options: {
    ...speakerOptions,
    reason: { type: 'string', value: 'T', help: 'why, in words' },
    hash: { type: 'string', value: 'H', help: 'refuse only if this is its hash' },
  },
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const { pam: id, ...speaker } = readSpeaker(invocation, workspace.id)
      const correction = await refuseCorrection(installation.sql, new Seal(installation.secret), {
        ...speaker,
        id,
        reason: neededOption(invocation, 'reason'),
        hash: textOption(invocation, 'hash'),
      })
      if (invocation.json) writeJson(invocation, correction)
      else invocation.terminal.out(tellCorrection(correction))
      return 0
    }),
}
