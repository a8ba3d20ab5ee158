// `pam show`: a formula as it is kept or written, and the worksheet it compiles to.
import { Refusal } from '../core/refusal.ts'
import { type Command, writeJson } from './command.ts'
import { loadFormula } from './files.ts'
import { stepList, worksheetHead } from './worksheet.ts'

export const pamShowCommand: Command = {
  name: 'pam show',
  usage: '<file.yaml|.json> [--steps]',
  summary: 'Shows a formula document and, with --steps, the worksheet it compiles to.',
  options: { steps: { type: 'boolean', help: 'the compiled lines, each with its expression and rounding' } },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const { terminal, positionals, options, json } = invocation
    const path = positionals[0]!
    if (!/\.(?:ya?ml|json)$/.test(path)) throw new Refusal('invalid', `a file .yaml or .json is needed, got "${path}"`)
    const loaded = await loadFormula(path, terminal)
    if (loaded === null) return 1
    const { formula, text } = loaded
    if (json) {
      const steps = formula.steps.map(({ name, expr, note }) => ({ name, expr, note }))
      writeJson(invocation, { slug: formula.slug, name: formula.name, status: formula.status, document: text, steps })
      return 0
    }
    terminal.out(`${worksheetHead(formula, 1)}\n`)
    terminal.out(options.steps === true ? stepList(formula) : text)
    return 0
  },
}
