// `invoice list`: the kept invoice lines of a workspace, or of one agreement.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type InvoiceRow, invoiceRowOf } from '../../read/invoice-row.ts'
import type { Library } from '../../read/library.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { today } from '../frame/clock.ts'
import { printJsonList } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const invoiceListCommand = workspaceCommand({
  name: 'invoice list',
  usage: '[<slug>] --workspace W',
  summary: 'Lists the kept invoice lines of a workspace, or of one agreement, by date.',
  positionals: [0, 1],
  async work({ invocation, workspace, installation }) {
    const library = openLibrary(installation, invocation)
    const data = await readAll(library, workspace.id, invocation.positionals[0])
    if (invocation.json) await printJsonList(invocation, data, () => ({}))
    else if (data.length === 0)
      invocation.terminal.out('no invoice lines are kept; add some with assize invoice import\n')
    else invocation.terminal.out(alignRows(data.map(cellsOf), [6, 7], ''))
    return 0
  },
})

async function readAll(library: Library, workspaceId: string, agreement: string | undefined): Promise<InvoiceRow[]> {
  const id = agreement === undefined ? undefined : (await library.index(workspaceId)).agreementId(agreement)
  if (agreement !== undefined && id === undefined)
    throw new Refusal('not-found', `there is no agreement "${agreement}"`)
  const agreementIds = id === undefined ? null : [id]
  const rows: InvoiceRow[] = []
  const most = limits.rowsTogether
  for (let lines = await library.prices.lines(workspaceId, { agreementIds, most }); ; ) {
    const documents = await library.trueUps.documentsOf(workspaceId, lines, { knownAt: null, until: today() })
    rows.push(...lines.map(line => invoiceRowOf(line, documents.get(line.id) ?? null)))
    if (lines.length < most) return rows
    lines = await library.prices.lines(workspaceId, { agreementIds, most, after: lines.at(-1)!.id })
  }
}

function cellsOf(row: InvoiceRow): string[] {
  const { date, supplier, invoice, line, agreement, item, quantity, unitPrice, amount, currency, reverses } = row
  const { note, difference } = row
  const document = note === null ? (difference?.message ?? '') : `bills ${note}`
  const words = [date, supplier, invoice, line, agreement, item, quantity, unitPrice, amount, currency]
  return [...words.map(each => each ?? ''), reverses === null ? document : 'reverses']
}
