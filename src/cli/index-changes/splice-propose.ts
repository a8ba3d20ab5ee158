// `splice propose`: proposes that another series takes the place of one that ends, in one agreement.
import { proposeSplice } from '../../agreements/terms/propose.ts'
import { textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { findShown, formatChange } from './change-words.ts'
import { readWish, wishOptions } from './splice-wish.ts'

export const spliceProposeCommand = preparedCommand({
  name: 'splice propose',
  usage: '<slug> --workspace W --from OLD --to NEW --reason T [--method M] …',
  summary:
    'Proposes that another series takes the place of one that ends, from the first date that both have not signed. Both sign it.',
  options: {
    ...wishOptions,
    as: { type: 'string', value: 'E', help: 'the e-mail address of the person who proposes it; default: the operator' },
  },
  positionals: 1,
  prepare: invocation => ({ wish: readWish(invocation) }),
  async work({ invocation, installation, sql, workspace }, { wish }) {
    const by = { who: textOption(invocation, 'as') ?? 'operator', fromAddress: null }
    const request = { workspaceId: workspace.id, agreement: invocation.positionals[0]!, wish, by }
    const { id, outcome, warnings } = await proposeSplice(sql, request)
    const change = await findShown(openLibrary(installation, invocation), workspace.id, id)
    const said = outcome === 'unchanged' ? 'proposed before, and nothing has moved' : 'proposed'
    const warned = warnings.map(warning => `warning: ${warning}`)
    return { json: { ...change, warnings }, words: [said, warned, formatChange(change)] }
  },
})
