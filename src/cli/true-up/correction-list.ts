// `correction list`: the corrections of a workspace, or of one agreement, with the state each is in.
import { Refusal } from '../../core/refusal.ts'
import type { ShownCorrection } from '../../read/agreements/correction-view.ts'
import { today } from '../frame/clock.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'
import { alignRows } from '../frame/worksheet.ts'
import { tellNet, tellState } from './correction-words.ts'

export const correctionListCommand: Command = {
  name: 'correction list',
  usage: '[<slug>] --workspace W',
  summary: 'Lists the corrections of a workspace, or of one agreement, the newest first.',
  options: { workspace: workspaceSpec },
  positionals: { least: 0, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const library = openLibrary(installation, invocation)
      const [slug] = invocation.positionals
      const { pams } = await library.index(workspace.id)
      const wanted = slug === undefined ? pams.map(({ id }) => id) : [slug]
      const time = { knownAt: null, until: today() }
      const data: ShownCorrection[] = []
      for (const pam of wanted) {
        const own = await library.corrections.list(workspace.id, pam, time)
        if (own === null) throw new Refusal('not-found', `there is no agreement "${pam}"`)
        data.push(...own)
      }
      data.sort((a, b) => (a.id < b.id ? 1 : -1))
      if (invocation.json) writeJson(invocation, { data })
      else if (data.length === 0) invocation.terminal.out('there are no corrections; see assize correction propose\n')
      else
        invocation.terminal.out(
          alignRows(
            data.map(each => [
              each.id,
              each.agreement,
              tellState(each.state),
              each.periods.map(({ period }) => period).join(' '),
              tellNet(each),
            ]),
            [],
            '',
          ),
        )
      return 0
    }),
}
