// Corrections of the demo: two agreements were signed and billed on a preliminary figure that changed when it became final. Both
// parties have signed the correction of one of them, which is billed in two parts: the first is billed. The other correction
// waits for its supplier.
import { proposeCorrection, signCorrection } from '../agreements/correct.ts'
import { importLines } from '../agreements/invoices.ts'
import { readLine } from '../core/invoices/invoice-line.ts'
import type { Party } from '../core/parties.ts'
import { type Day, parseDay } from '../core/time/day.ts'
import { Library } from '../read/library.ts'
import { issueFirstNote } from './billing.ts'
import type { DemoWorkspace } from './publish.ts'

const memoryBytes = 64 * 1024 * 1024
/** Most lines, more than the demo has of its own. */
const mostLines = 1_000

/** Billed quantities, at the prices that were signed. */
const billed = [
  { invoice: 'OF-25-1207', agreement: 'steel-tubes', quantity: '420', date: '2025-12-09' },
  { invoice: 'OF-26-0113', agreement: 'steel-tubes', quantity: '380', date: '2026-01-15' },
  { invoice: 'OF-25-1218', agreement: 'rack-frames', quantity: '64', date: '2025-12-18' },
] as const

/** Adds the invoices before the final figure is out. Existing lines stay: their price may have been corrected since. */
export async function addBilled({ sql, seal, workspaceId }: DemoWorkspace, today: Day, who: string): Promise<void> {
  const report = (problem: string) => {
    throw new Error(problem)
  }
  const library = () => new Library(sql, memoryBytes, { seals: seal.rows, report })
  const kept = await library().prices.lines(workspaceId, { agreementIds: null, most: mostLines })
  const missing = billed.filter(({ invoice }) => !kept.some(({ number }) => number === invoice))
  if (missing.length === 0) return
  const lines = []
  for (const { invoice, agreement, quantity, date } of missing) {
    const question = { date: parseDay(date)!, knownAt: null, until: today }
    const [priced] = await library().prices.rows(workspaceId, agreement, question)
    const { item, price: unitPrice, currency } = priced!.row
    const texts = { invoice, line: '1', agreement, item, quantity, unitPrice, currency, date }
    lines.push(readLine(lines.length + 1, texts))
  }
  const by = { who, fromAddress: null }
  const imported = await importLines(sql, library(), { workspaceId, lines, today, by, source: 'invoices of the demo' })
  if ('problems' in imported) throw new Error(`the demo's lines were refused: ${JSON.stringify(imported.problems)}`)
}

/** Signers of the correction of each agreement. */
const signed: readonly { readonly agreement: string; readonly by: Readonly<Partial<Record<Party, string>>> }[] = [
  { agreement: 'steel-tubes', by: { buyer: 'ann@buyer.test', supplier: 'sam@supplier.test' } },
  { agreement: 'rack-frames', by: { buyer: 'ann@buyer.test' } },
]

/** Adds the corrections after the final figure is out. Existing ones are found again. */
export async function addCorrections(ground: DemoWorkspace, who: string): Promise<void> {
  const { sql, seal, workspaceId } = ground
  const library = new Library(sql, memoryBytes, { seals: seal.rows, report: () => undefined })
  for (const { agreement, by } of signed) {
    const trueUp = await library.trueUps.find(workspaceId, agreement, { knownAt: null, until: parseDay('2026-11-01')! })
    const agreed = trueUp?.proposals.find(({ state }) => state === 'AGREED')
    if (agreed !== undefined) {
      await issueFirstNote(ground, agreed.kept.id)
      continue
    }
    const request = { workspaceId, agreement, reason: null, by: { who, fromAddress: null } }
    const { id, hash } = (await proposeCorrection(sql, seal, request)).correction
    for (const [party, email] of Object.entries(by) as [Party, string][]) {
      const proof = { means: 'OPERATOR' } as const
      await signCorrection(sql, seal, { workspaceId, id, hash, party, email, proof, fromAddress: null })
    }
    if (by.supplier !== undefined) await issueFirstNote(ground, id)
  }
}
