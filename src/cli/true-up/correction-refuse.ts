// `correction refuse`: the operator refuses a correction on behalf of one side, with the reason. The refusal is marked as the
// operator's.
import { refuseCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { readRefusal, refusalOptions, refusalUsage } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { formatCorrection } from './correction-words.ts'

export const correctionRefuseCommand = workspaceCommand({
  name: 'correction refuse',
  usage: refusalUsage,
  summary: 'Refuses a correction for one side, with a reason. It can be proposed again, under a new id.',
  options: refusalOptions,
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    const refusal = readRefusal(invocation, workspace.id)
    const correction = await refuseCorrection(sql, new Seal(installation.ring), refusal)
    return { json: correction, words: formatCorrection(correction) }
  },
})
