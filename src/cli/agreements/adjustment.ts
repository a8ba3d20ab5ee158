// `adjustment`: the adjustment of a stored agreement with its calculation.
import type { Formula } from '../../core/formula/formula.ts'
import type { PeriodEntry } from '../../read/agreements/adjustments.ts'
import { viewCalculation } from '../../read/agreements/calculation-view.ts'
import { type Command, printJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { worksheet, worksheetHead } from '../frame/worksheet.ts'
import { settledWords } from './settled-words.ts'
import { adjustmentOptions, findAdjustment } from './stored-adjustment.ts'

function standingOf({ settled }: PeriodEntry, { contract: { price } }: Formula): string {
  return settled === null ? 'Proposed, not signed by both' : `Settled ${settledWords(settled, price)}`
}

export const adjustmentCommand: Command = {
  name: 'adjustment',
  usage: '<slug> --workspace W [--period P | --date D] [--as-of D] [--known-at T] [--version V]',
  summary: 'Shows the adjustment of an agreement with its calculation.',
  options: adjustmentOptions,
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const { entry, formula, slug, seriesIdOf, request } = await findAdjustment(installation, invocation)
      const { calculation, confirmed, hash } = entry
      if (invocation.json) {
        printJson(invocation, {
          agreement: slug,
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
      // A calculation from data alone has no agreed and no proposed price.
      if (request.asOf === null && request.version === null) terminal.out(`  ${standingOf(entry, formula)}\n`)
      return 0
    }),
}
