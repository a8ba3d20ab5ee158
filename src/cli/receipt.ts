// `receipt`: writes the receipt of a period, signed by this installation, for `verify`.

import { Seal } from '../agreements/seal.ts'
import type { Receipt } from '../core/receipt.ts'
import { deriveKey } from '../storage/secret.ts'
import { currentInstant } from './clock.ts'
import { type Command, writeJson } from './command.ts'
import { withInstallation } from './installation.ts'
import { adjustmentOptions, findAdjustment } from './kept-adjustment.ts'

export const receiptCommand: Command = {
  name: 'receipt',
  usage: '<slug> --workspace W --period P > r.json',
  summary: 'Writes the receipt of a period: everything needed to recompute it offline with verify.',
  options: adjustmentOptions,
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const { entry, question } = await findAdjustment(installation, invocation)
      const { hash, body } = entry
      const cuts = { asOf: question.asOf, knownAt: question.knownAt }
      const signature = new Seal(deriveKey(installation.secret, 'receipt seal')).sign(hash)
      const receipt: Receipt = { hash, body, issuedAt: currentInstant(), cuts, signature }
      writeJson(invocation, receipt)
      return 0
    }),
}
