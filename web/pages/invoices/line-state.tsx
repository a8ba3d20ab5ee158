// The state of a kept line in a word or two.
import { verdictOf } from '../../../src/core/invoices/check-row.ts'
import type { InvoiceLineState } from '../../../src/core/invoices/line-state.ts'
import type { InvoiceLineView } from '../../../src/views/shapes/invoices.ts'
import { State } from '../../components/figures/figures.tsx'
import type { StateKind } from '../../components/figures/state-kind.ts'

export const stateWords: Readonly<Record<InvoiceLineState, string>> = {
  wrong: 'Not as agreed',
  open: 'Not agreed yet',
  agreed: 'As agreed',
  corrected: 'Corrected',
  unclear: 'Could not be judged',
  reversed: 'Reversed',
}

const kinds: Readonly<Record<InvoiceLineState, StateKind>> = {
  wrong: 'trouble',
  open: 'waiting',
  agreed: 'good',
  corrected: 'good',
  unclear: 'plain',
  reversed: 'plain',
}

const verdictWords: Readonly<Record<string, string>> = {
  OVER: 'Too high',
  UNDER: 'Too low',
  OK_WITHIN: 'Within tolerance',
  SPANS: 'Crosses a date',
  OUTSIDE: 'Outside the contract',
  UNKNOWN: 'Not recognised',
  BLOCKED: 'No price yet',
  SKIPPED: 'Correction',
}

export function LineState({ line }: { readonly line: InvoiceLineView }) {
  const { state, check, reverses } = line
  const words =
    state === 'reversed' && reverses !== null
      ? 'Reversal'
      : state === 'reversed' || state === 'corrected'
        ? stateWords[state]
        : (verdictWords[verdictOf(check)] ?? stateWords[state])
  return <State kind={kinds[state]}>{words}</State>
}
