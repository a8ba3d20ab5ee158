// The state of a stored invoice line, for people who look through many: fewer words than a check has.
import type { Verdict } from './check-row.ts'

export const keptStates = ['wrong', 'open', 'agreed', 'corrected', 'unclear', 'reversed'] as const
export type InvoiceLineState = (typeof keptStates)[number]

const byVerdict: Readonly<Partial<Record<Verdict, InvoiceLineState>>> = {
  OVER: 'wrong',
  UNDER: 'wrong',
  OK: 'agreed',
  OK_WITHIN: 'agreed',
  PROVISIONAL: 'open',
  NOT_AGREED: 'open',
}

export function keptStateOf(verdict: Verdict): InvoiceLineState {
  return byVerdict[verdict] ?? 'unclear'
}
