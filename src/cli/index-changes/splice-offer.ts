// `splice offer`: one splice for every agreement that reads the series, each a proposal of its own.
import { offerSplices } from '../../agreements/terms/offer.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { textOption } from '../frame/command.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { readWish, wishOptions } from './splice-wish.ts'

export const spliceOfferCommand = preparedCommand({
  name: 'splice offer',
  usage: '[<slug> …] --workspace W --from OLD --to NEW --reason T [--method M] …',
  summary:
    'Proposes the same splice for every agreement that reads the series, or for the agreements named. A party signs all of them at once.',
  options: {
    ...wishOptions,
    as: { type: 'string', value: 'E', help: 'the e-mail address of the person who offers it; default: the operator' },
  },
  positionals: [0, 500],
  prepare: invocation => ({ wish: readWish(invocation) }),
  async work({ invocation, sql, workspace }, { wish }) {
    const by = { who: textOption(invocation, 'as') ?? 'operator', fromAddress: null }
    const only = invocation.positionals.length === 0 ? null : invocation.positionals
    const offered = await offerSplices(sql, { workspaceId: workspace.id, wish, by, only })
    const { offer, proposed, refused } = offered
    const lines = [
      ...(offer === null
        ? [`nothing could be offered: no agreement in force reads ${wish.old}`]
        : [`offered as ${offer}`]),
      ...refused.map(({ slug, why }) => `not offered to ${slug}: ${why}`),
    ]
    const rows = proposed.map(({ slug, id, warnings }) => [slug, id, warnings.join('; ')])
    return { json: offered, words: [lines, alignRows(rows, [], '')] }
  },
})
