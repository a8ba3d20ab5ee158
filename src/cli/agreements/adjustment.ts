// `adjustment`: the adjustment of a stored formula with its calculation.
import { viewCalculation } from '../../read/agreements/calculation-view.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { worksheet, worksheetHead } from '../frame/worksheet.ts'
import { adjustmentOptions, findAdjustment } from './kept-adjustment.ts'

export const adjustmentCommand: Command = {
  name: 'adjustment',
  usage: '<slug> --workspace W [--period P | --date D] [--as-of D] [--known-at T] [--version V]',
  summary: 'Shows the adjustment of an agreement with its calculation.',
  options: adjustmentOptions,
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const { entry, formula, slug, seriesIdOf } = await findAdjustment(installation, invocation)
      const { calculation, confirmed, hash } = entry
      if (invocation.json) {
        writeJson(invocation, {
          pam: slug,
          formulaVersion: calculation.formulaVersion,
          adjustments: [viewCalculation(entry, formula.contract.price, seriesIdOf)],
          blocked: [],
        })
        return 0
      }
      const { terminal } = invocation
      terminal.out(worksheetHead(formula, calculation.formulaVersion))
      terminal.out(worksheet(formula, calculation))
      const state = (day: string | null) => (day === null ? 'not signed' : `signed ${day}`)
      terminal.out(`  Buyer ${state(confirmed.buyer)}   Supplier ${state(confirmed.supplier)}   receipt ${hash}\n`)
      return 0
    }),
}
