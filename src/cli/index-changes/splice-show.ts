// `splice show`: a splice or an amendment with its evidence, its effect and its signatures; or the document that takes effect.
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { findShown, formatChange } from './change-words.ts'

export const spliceShowCommand = workspaceCommand({
  name: 'splice show',
  usage: '<id> --workspace W [--document > new.yaml]',
  summary: 'Shows a splice or an amendment: ground, figures, effect, signatures.',
  options: { document: { type: 'boolean', help: 'writes the whole formula document that takes effect instead' } },
  positionals: 1,
  async work({ invocation, workspace, installation }) {
    const library = openLibrary(installation, invocation)
    const [id] = invocation.positionals
    const change = await findShown(library, workspace.id, id!)
    if (invocation.options.document !== true) return { json: change, words: formatChange(change) }
    const { document } = (await library.termsChanges.find(workspace.id, id!))!
    return { json: { document }, file: document }
  },
})
