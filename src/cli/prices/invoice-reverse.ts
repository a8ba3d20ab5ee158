// `invoice reverse`: undoes an imported invoice by opposite lines.
import { reverseInvoice } from '../../agreements/invoices.ts'
import { textOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const invoiceReverseCommand = preparedCommand({
  name: 'invoice reverse',
  usage: '<invoice> --workspace W [--supplier KEY]',
  summary: 'Undoes an imported invoice: adds the opposite of each of its lines, so that it can be imported again.',
  options: {
    supplier: {
      type: 'string',
      value: 'KEY',
      help: 'the supplier, if several suppliers have an invoice of this number',
    },
    as: actorSpec,
  },
  positionals: 1,
  prepare: invocation => ({ who: actorOf(invocation), fromAddress: null }),
  async work({ invocation, sql, workspace }, by) {
    const [number] = invocation.positionals as [string]
    const supplier = textOption(invocation, 'supplier')
    const reversed = await reverseInvoice(sql, workspace.id, { number, supplier, by })
    const lines = countOf(reversed.added, 'line')
    return { json: reversed, words: `invoice ${reversed.number} of ${reversed.supplier}: ${lines} reversed\n` }
  },
})
