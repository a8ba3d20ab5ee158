// `splice sign`: the operator signs splices and amendments on behalf of one side: one, several, or everything of an offer. The
// signatures are marked as the operator's.
import { Seal } from '../../agreements/seal.ts'
import { signChanges } from '../../agreements/terms/sign-change.ts'
import { Refusal } from '../../core/refusal.ts'
import { findOffered } from '../../storage/agreements/terms-changes.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { Misuse, textOption } from '../frame/command.ts'
import { signWithSlips, slipOption } from '../frame/public-log.ts'
import { neededOption, partyOption, speakerOptions } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const spliceSignCommand = workspaceCommand({
  name: 'splice sign',
  usage: '<id> … | --offer O --workspace W --party buyer|supplier --as <email> [--hash H] [--slip F]',
  summary:
    'Signs splices and amendments for one side, marked as signed by the operator. With the second signature the formula version is written. A change whose figures have moved is refused; the rest are signed.',
  options: {
    ...speakerOptions,
    offer: { type: 'string', value: 'O', help: 'all changes of this offer' },
    hash: { type: 'string', value: 'H', help: 'for a single change: sign only if this is its hash' },
    ...slipOption,
  },
  positionals: [0, 500],
  async work(ground) {
    const { invocation, installation, sql, workspace } = ground
    const offer = textOption(invocation, 'offer')
    const hash = textOption(invocation, 'hash')
    const named = invocation.positionals
    const ids =
      offer === null ? named : await withWorkspace(sql, workspace.id, tx => findOffered(tx, workspace.id, offer))
    if (offer !== null && named.length > 0) throw new Misuse('name changes or --offer, not both')
    if (ids.length === 0) throw new Misuse(offer === null ? 'name the changes to sign' : `there is no offer "${offer}"`)
    if (hash !== null && ids.length > 1) throw new Misuse('--hash is for one change')
    const signer = { party: partyOption(invocation), email: neededOption(invocation, 'as'), fromAddress: null }
    const requests = ids.map(id => ({ id, hash, ...signer, proof: { means: 'OPERATOR' as const } }))
    const {
      value: outcomes,
      slips,
      words,
    } = await signWithSlips(ground, () => signChanges(sql, new Seal(installation.ring), workspace.id, requests))
    const refused = outcomes.filter(each => each instanceof Refusal)
    if (refused.length === outcomes.length) throw refused[0]!
    const data = outcomes.map((each, i) => (each instanceof Refusal ? { id: ids[i]!, refused: each.message } : each))
    const rows = data.map(each =>
      'refused' in each
        ? [each.id, '', `refused: ${each.refused}`]
        : [each.id, each.agreement, each.version === null ? 'signed by one side' : `agreed: formula ${each.version}`],
    )
    return {
      json: ids.length === 1 ? { ...data[0], slips } : { data, slips },
      words: [alignRows(rows, [], ''), words],
    }
  },
})
