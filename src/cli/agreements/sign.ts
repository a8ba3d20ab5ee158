// `agreement sign`: the operator signs a period on behalf of one side. The signature is marked as the operator's; the output is
// the text that was signed.

import { Seal } from '../../agreements/seal.ts'
import { formatPct } from '../../agreements/shown-periods.ts'
import { type Signed, signPeriod } from '../../agreements/sign.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { textOption, type Words } from '../frame/command.ts'
import { signWithSlips, slipOption } from '../frame/public-log.ts'
import { neededOption, partyOption } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const agreementSignCommand = workspaceCommand({
  name: 'agreement sign',
  usage: '<slug> --workspace W --period P --party buyer|supplier --as <email> [--hash H] [--through] [--slip F]',
  summary:
    'Signs the adjustment of a period for one side, marked as signed by the operator. Signing the same receipt again adds nothing.',
  options: {
    period: { type: 'string', value: 'P', help: 'the period, such as 2024-Q2' },
    party: { type: 'string', value: 'S', help: 'buyer or supplier' },
    as: { type: 'string', value: 'E', help: 'the e-mail address of the signer' },
    hash: {
      type: 'string',
      value: 'H',
      help: 'sign only if this is the current hash; with --through that of the list, as agreement show --json prints it',
    },
    through: { type: 'boolean', help: 'also signs earlier periods that this side has not signed' },
    ...slipOption,
  },
  positionals: 1,
  async work(ground) {
    const { invocation, installation, sql, workspace } = ground
    const request = {
      workspaceId: workspace.id,
      agreement: invocation.positionals[0]!,
      period: neededOption(invocation, 'period'),
      party: partyOption(invocation),
      email: neededOption(invocation, 'as'),
      shown: textOption(invocation, 'hash'),
      through: invocation.options.through === true,
      proof: { means: 'OPERATOR' },
      fromAddress: null,
    } as const
    const { value, slips, words } = await signWithSlips(ground, () =>
      signPeriod(sql, new Seal(installation.ring), request),
    )
    return { json: { ...value, slips }, words: [tell(value), words] }
  },
})

/** Every signed number with its hash. */
function tell({ added, period, hash }: Signed): Words {
  const [first] = added
  if (first === undefined) return `${period} was signed before: ${hash}\n`
  const rows = added.map(({ period, adjustmentPct, cumulativePct, price, receiptHash }) => [
    period,
    formatPct(adjustmentPct),
    `${cumulativePct} % since the start`,
    price ?? '',
    receiptHash,
  ])
  return [`signed as ${first.party} by the operator, in the name of ${first.signedBy}:`, alignRows(rows, [1, 2, 3])]
}
