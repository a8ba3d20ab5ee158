// `correction list`: the corrections of a workspace, or of one agreement, each with its state.
import { Refusal } from '../../core/refusal.ts'
import type { ShownCorrection } from '../../read/agreements/correction-view.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { today } from '../frame/clock.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { formatNet, formatState } from './correction-words.ts'

export const correctionListCommand = workspaceCommand({
  name: 'correction list',
  usage: '[<slug>] --workspace W',
  summary: 'Lists the corrections of a workspace, or of one agreement, the newest first.',
  positionals: [0, 1],
  async work({ invocation, workspace, installation }) {
    const library = openLibrary(installation, invocation)
    const [slug] = invocation.positionals
    const { agreements } = await library.index(workspace.id)
    const wanted = slug === undefined ? agreements.map(({ id }) => id) : [slug]
    const time = { knownAt: null, until: today() }
    const data: ShownCorrection[] = []
    for (const agreement of wanted) {
      const own = await library.corrections.list(workspace.id, agreement, time)
      if (own === null) throw new Refusal('not-found', `there is no agreement "${agreement}"`)
      data.push(...own)
    }
    data.sort((a, b) => (a.id < b.id ? 1 : -1))
    const rows = data.map(each => [
      each.id,
      each.agreement,
      formatState(each.state),
      each.periods.map(({ period }) => period).join(' '),
      formatNet(each),
    ])
    const none = 'there are no corrections; see assize correction propose\n'
    return { json: { data }, words: data.length === 0 ? none : alignRows(rows, [], '') }
  },
})
