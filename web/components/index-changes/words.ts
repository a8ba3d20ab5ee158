// Changes of indices in words, and their figures: exact in signed texts, short on a page.

import type { EventKind } from '../../../src/core/index-changes/index-event.ts'
import type { SpliceMethod } from '../../../src/core/index-changes/splice-schema.ts'
import { formatFixed, parseExact } from '../../../src/core/numbers/ratio.ts'
import type { IndexFact } from '../../../src/views/shapes/index-changes.ts'
import type { StateKind } from '../figures/state-kind.ts'
import { decimalsOf, formatFigure } from '../words/words.ts'

interface StateWords {
  readonly kind: StateKind
  readonly words: string
}

export const eventWords: Readonly<Record<EventKind, StateWords>> = {
  ENDED: { kind: 'trouble', words: 'Ended' },
  REBASED: { kind: 'waiting', words: 'On another base' },
  SUPERSEDED: { kind: 'waiting', words: 'Replaced' },
  CANCELLED: { kind: 'waiting', words: 'A release was cancelled' },
  METHOD: { kind: 'plain', words: 'Computed differently' },
}

const suspectWords: Readonly<Record<EventKind, string>> = {
  ENDED: 'Ended?',
  REBASED: 'On another base?',
  SUPERSEDED: 'Replaced?',
  CANCELLED: 'Cancelled?',
  METHOD: 'Computed differently?',
}

/** A fact in words; a suspicion is a question. */
export function formatFact({ ground, kind }: Pick<IndexFact, 'ground' | 'kind'>): StateWords {
  return ground === 'EVENT' ? eventWords[kind] : { kind: 'waiting', words: suspectWords[kind] }
}

export const methodWords: Readonly<Record<SpliceMethod, { readonly name: string; readonly meaning: string }>> = {
  OVERLAP: {
    name: 'Overlap',
    meaning: 'The mean of the new series divided by the mean of the old one, over periods that both have.',
  },
  POINT: { name: 'One period', meaning: 'The new value divided by the old one, in one period that both have.' },
  PUBLISHED: { name: 'Published coefficient', meaning: 'The coefficient that the office printed, digit for digit.' },
  SAME_LEVEL: { name: 'Same level', meaning: 'Both series are on one level: the coefficient is 1.' },
  RELEVEL: { name: 'New base', meaning: 'The base of the clause is read again, in the new series.' },
}

const digits = 6

/** `1.253133…` of a fraction, and a finite decimal as it is. */
export function formatExact(exact: string, decimals = digits): string {
  const value = parseExact(exact)
  if (value === null || !exact.includes('/')) return formatFigure(exact)
  return `${formatFigure(formatFixed(value, decimals))}…`
}

/** At least two decimals, as money has. */
export function formatExactPrice(exact: string): string {
  const value = parseExact(exact)
  if (value === null || exact.includes('/')) return formatExact(exact)
  return formatFigure(formatFixed(value, Math.max(2, decimalsOf(exact))))
}

/** A position on the screen, nothing else. */
export function heightOf(exact: string): number {
  const value = parseExact(exact)
  return value === null ? Number.NaN : Number(formatFixed(value, digits))
}
