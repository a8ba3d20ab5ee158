// `correction show`: one correction with its figures, periods and lines, or its receipt for `verify`.
import { Seal } from '../../agreements/seal.ts'
import { Refusal } from '../../core/refusal.ts'
import { showCorrection } from '../../read/agreements/correction-view.ts'
import { today } from '../frame/clock.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { openLibrary } from '../frame/library.ts'
import { tellCorrection } from './correction-words.ts'

export const correctionShowCommand: Command = {
  name: 'correction show',
  usage: '<id> --workspace W [--receipt > c.json]',
  summary: 'Shows a correction: the figures behind it, periods, invoice lines, signatures and notes.',
  options: {
    workspace: workspaceSpec,
    receipt: { type: 'boolean', help: 'writes its receipt instead: everything needed to check it offline with verify' },
  },
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const { corrections } = openLibrary(installation, invocation)
      const [id] = invocation.positionals
      const found = await corrections.find(workspace.id, id!, { knownAt: null, until: today() })
      if (found === null) throw new Refusal('not-found', `there is no correction "${id}"`)
      if (invocation.options.receipt === true) {
        const receipt = await corrections.receipt(workspace.id, found)
        writeJson(invocation, new Seal(installation.secret).issueCorrection(receipt))
        return 0
      }
      const shown = showCorrection({ ...found, slug: found.trueUp.slug })
      if (invocation.json) writeJson(invocation, shown)
      else invocation.terminal.out(tellCorrection(shown))
      return 0
    }),
}
