// `splice refuse`: the operator refuses a splice or an amendment on behalf of one side, with the reason. The refusal is marked as
// the operator's.
import { refuseChange } from '../../agreements/terms/refuse-change.ts'
import { openLibrary } from '../frame/library.ts'
import { readRefusal, refusalOptions, refusalUsage } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { findShown, formatChange } from './change-words.ts'

export const spliceRefuseCommand = workspaceCommand({
  name: 'splice refuse',
  usage: refusalUsage,
  summary: 'Refuses a splice or an amendment for one side, with a reason. Another change can be proposed.',
  options: refusalOptions,
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    const refusal = readRefusal(invocation, workspace.id)
    await refuseChange(sql, refusal)
    const change = await findShown(openLibrary(installation, invocation), workspace.id, refusal.id)
    return { json: change, words: formatChange(change) }
  },
})
