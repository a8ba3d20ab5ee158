// `invoice reverse`: undoes an imported invoice by opposite lines.
import { reverseInvoice } from '../../agreements/invoices.ts'
import { type Command, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'

export const invoiceReverseCommand: Command = {
  name: 'invoice reverse',
  usage: '<invoice> --workspace W [--supplier KEY]',
  summary: 'Undoes an imported invoice: adds the opposite of each of its lines, so that it can be imported again.',
  options: {
    workspace: workspaceSpec,
    supplier: {
      type: 'string',
      value: 'KEY',
      help: 'whose invoice it is, if several suppliers have one of this number',
    },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const by = { who: actorOf(invocation), fromAddress: null }
    return withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const [number] = invocation.positionals as [string]
      const supplier = textOption(invocation, 'supplier')
      const reversed = await reverseInvoice(installation.sql, workspace.id, { number, supplier, by })
      if (invocation.json) writeJson(invocation, reversed)
      else
        invocation.terminal.out(
          `invoice ${reversed.number} of ${reversed.supplier}: ${countOf(reversed.added, 'line')} reversed\n`,
        )
      return 0
    })
  },
}
