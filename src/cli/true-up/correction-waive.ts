// `correction waive`: replaces an open correction with a waiver, which both sides sign; signs it for one of them if
// asked to.
import { waiveCorrection } from '../../agreements/correct.ts'
import { Seal } from '../../agreements/seal.ts'
import { type Command, type Invocation, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption } from '../frame/installation.ts'
import { neededOption, partyOption, speakerOptions } from '../frame/statement-options.ts'
import { tellCorrection } from './correction-words.ts'

export const correctionWaiveCommand: Command = {
  name: 'correction waive',
  usage: '<id> --workspace W [--party buyer|supplier --as <email> [--hash H]]',
  summary:
    'Proposes to waive the money of an open correction: the same numbers under a new id, agreed once both sides have signed. With --party and --as it is signed for that side at once.',
  options: {
    ...speakerOptions,
    hash: { type: 'string', value: 'H', help: 'sign only if this is the hash of the waiver' },
  },
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const correction = await waiveCorrection(installation.sql, new Seal(installation.secret), {
        workspaceId: workspace.id,
        id: invocation.positionals[0]!,
        by: { who: 'operator', fromAddress: null },
        signer: signerOf(invocation),
      })
      if (invocation.json) writeJson(invocation, correction)
      else invocation.terminal.out(tellCorrection(correction))
      return 0
    }),
}

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
