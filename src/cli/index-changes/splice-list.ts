// `splice list`: the changes of terms of a workspace or of one agreement, each with its state.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type ChangeSummary, summarizeChange } from '../../read/agreements/terms-view.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { formatKind, formatState } from './change-words.ts'

export const spliceListCommand = workspaceCommand({
  name: 'splice list',
  usage: '[<slug>] --workspace W [--series S] [--offer O]',
  summary: 'Lists splices and amendments of a workspace, or of one agreement, the newest first.',
  options: {
    series: {
      type: 'string',
      value: 'S',
      help: 'only splices from or to this series',
    },
    offer: { type: 'string', value: 'O', help: 'only the changes of this offer' },
  },
  positionals: [0, 1],
  async work({ invocation, workspace, installation }) {
    const library = openLibrary(installation, invocation)
    const [slug] = invocation.positionals
    const agreement = slug === undefined ? null : (await library.index(workspace.id)).findAgreement(slug)
    if (agreement === undefined) throw new Refusal('not-found', `there is no agreement "${slug}"`)
    const offer = textOption(invocation, 'offer')
    const data: ChangeSummary[] = []
    for (let before: number | null = null; ; ) {
      const page = await library.termsChanges.list(workspace.id, {
        before,
        agreementIds: agreement === null ? null : [agreement.id],
        series: textOption(invocation, 'series'),
        limit: limits.termsChanges.page,
        isWanted: ({ change }) => offer === null || change.offer === offer,
      })
      data.push(...page.rows.map(({ kept, change }) => summarizeChange(kept, change)))
      before = page.next
      if (before === null) break
    }
    const rows = data.map(each => [each.id, each.agreement, formatState(each), each.effectiveFrom, formatKind(each)])
    const none = 'no change of terms was proposed; see assize splice propose\n'
    return { json: { data }, words: data.length === 0 ? none : alignRows(rows, [], '') }
  },
})
