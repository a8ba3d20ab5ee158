// `correction show`: one correction with its figures, periods and lines, or its receipt for `verify`.
import { Seal } from '../../agreements/seal.ts'
import { Refusal } from '../../core/refusal.ts'
import { showCorrection } from '../../read/agreements/correction-view.ts'
import { today } from '../frame/clock.ts'
import { printJson } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { formatCorrection } from './correction-words.ts'

export const correctionShowCommand = workspaceCommand({
  name: 'correction show',
  usage: '<id> --workspace W [--receipt > c.json]',
  summary: 'Shows a correction: the figures behind it, periods, invoice lines, signatures and notes.',
  options: {
    receipt: { type: 'boolean', help: 'writes its receipt instead: everything needed to check it offline with verify' },
  },
  positionals: 1,
  async work({ invocation, workspace, installation }) {
    const { corrections } = openLibrary(installation, invocation)
    const [id] = invocation.positionals
    const found = await corrections.find(workspace.id, id!, { knownAt: null, until: today() })
    if (found === null) throw new Refusal('not-found', `there is no correction "${id}"`)
    if (invocation.options.receipt === true) {
      printJson(invocation, new Seal(installation.ring).issueCorrection(await corrections.receipt(workspace.id, found)))
      return 0
    }
    const shown = showCorrection({ ...found, slug: found.trueUp.slug })
    return { json: shown, words: formatCorrection(shown) }
  },
})
