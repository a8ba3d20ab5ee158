// `receipt`: writes the receipt of a period, sealed by this installation, for `verify`.
import { Seal } from '../../agreements/seal.ts'
import { type Command, printJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { adjustmentOptions, findAdjustment } from './stored-adjustment.ts'

export const receiptCommand: Command = {
  name: 'receipt',
  usage: '<slug> --workspace W --period P > r.json',
  summary: 'Writes the receipt of a period: everything needed to recompute it offline with verify.',
  options: adjustmentOptions,
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const { entry } = await findAdjustment(installation, invocation)
      printJson(invocation, new Seal(installation.ring).issue(entry))
      return 0
    }),
}
