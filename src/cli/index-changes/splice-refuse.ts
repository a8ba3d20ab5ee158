// `splice refuse`: the operator says no to a splice or an amendment on behalf of one side, with the reason. It is marked as such.
import { refuseChange } from '../../agreements/terms/refuse-change.ts'
import { textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { neededOption, readSpeaker, speakerOptions } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { findShown, tellChange } from './change-words.ts'

export const spliceRefuseCommand = workspaceCommand({
  name: 'splice refuse',
  usage: '<id> --workspace W --party buyer|supplier --as <email> --reason T [--hash H]',
  summary: 'Refuses a splice or an amendment for one side, with a reason. Another can be proposed.',
  options: {
    ...speakerOptions,
    reason: { type: 'string', value: 'T', help: 'why, in words' },
    hash: { type: 'string', value: 'H', help: 'refuse only if this is its hash' },
  },
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    const { pam: id, ...speaker } = readSpeaker(invocation, workspace.id)
    const reason = neededOption(invocation, 'reason')
    await refuseChange(sql, { ...speaker, id, reason, hash: textOption(invocation, 'hash') })
    const change = await findShown(openLibrary(installation, invocation), workspace.id, id)
    return { json: change, words: tellChange(change) }
  },
})
