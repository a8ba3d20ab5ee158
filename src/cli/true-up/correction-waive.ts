// `correction waive`: replaces an open correction with a waiver, which both sides sign; signs it for one of them if
// asked to.
import { waiveCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { type Invocation, textOption } from '../frame/command.ts'
import { neededOption, partyOption, speakerOptions } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { formatCorrection } from './correction-words.ts'

export const correctionWaiveCommand = workspaceCommand({
  name: 'correction waive',
  usage: '<id> --workspace W [--party buyer|supplier --as <email> [--hash H]]',
  summary:
    'Proposes to waive the money of an open correction: the same numbers under a new id, agreed once both sides have signed. With --party and --as it is signed for that side at once.',
  options: {
    ...speakerOptions,
    hash: { type: 'string', value: 'H', help: 'sign only if this is the hash of the waiver' },
  },
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    const correction = await waiveCorrection(sql, new Seal(installation.ring), {
      workspaceId: workspace.id,
      id: invocation.positionals[0]!,
      by: { who: 'operator', fromAddress: null },
      signer: signerOf(invocation),
    })
    return { json: correction, words: formatCorrection(correction) }
  },
})

function signerOf(invocation: Invocation) {
  if (textOption(invocation, 'party') === null && textOption(invocation, 'as') === null) return null
  return {
    party: partyOption(invocation),
    email: neededOption(invocation, 'as'),
    hash: textOption(invocation, 'hash'),
    proof: { means: 'OPERATOR' as const },
    fromAddress: null,
  }
}
